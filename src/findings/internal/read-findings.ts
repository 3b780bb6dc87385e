// Reads the findings in a model's response: entries of one JSON block, each checked by itself.
import * as z from "zod/mini";
import { plainText, trimEnd } from "../../util/text.ts";
import { provenFirst } from "./finding-order.ts";

export type Severity = "error" | "warning" | "note";

/** Lines are counted from 0; both ends are included. */
export interface ReportedFinding {
  readonly file: string;
  readonly first: number;
  readonly last: number;
  /** The text of the first line, as the model saw it. */
  readonly code: string;
  readonly severity: Severity;
  /** A short name, for places with little room. */
  readonly title: string;
  readonly reason: string;
  readonly suggestion?: string;
  /** The model itself is not sure about the finding. */
  readonly isUnproven?: true;
}

interface UnreadableFinding {
  /** `form`: not in the requested form; `file`: about a file that was not sent. */
  readonly why: "form" | "file";
  /** An excerpt of the entry. */
  readonly words: string;
}

interface ReadFindings {
  readonly findings: readonly ReportedFinding[];
  readonly unread: readonly UnreadableFinding[];
}

const lineNumber = z.int().check(z.positive());

const words = z.string().check(z.minLength(1));

const Answered = z.strictObject({
  file: words,
  line: lineNumber,
  lastLine: z.optional(lineNumber),
  code: z.string(),
  severity: z.enum(["error", "warning", "note"]),
  title: z.optional(z.nullable(z.string())),
  reason: words,
  confidence: z.optional(z.enum(["certain", "likely", "unsure"])),
  suggestion: z.optional(z.nullable(z.string())),
});

/** A longer title is truncated where it is shown. */
const longestTitle = 60;

/** A longer text is not a sentence. */
const longestReason = 400;

const longestSuggestion = 2000;

const longestQuote = 300;

/**
 * Parses a model's answer to a review strictly: a finding in the wrong form is reported with its text instead of being
 * guessed at or dropped. `names`: the files about which the model was asked.
 */
export function readFindings(answer: string, names: readonly string[]): ReadFindings {
  const list = listIn(answer);
  if (list === undefined) return { findings: [], unread: [unread("form", answer)] };
  const findings: ReportedFinding[] = [];
  const notRead: UnreadableFinding[] = [];
  for (const each of list) {
    const { success, data } = Answered.safeParse(each);
    const isInOrder = success && (data.lastLine === undefined || data.lastLine >= data.line);
    if (!success || !isInOrder || data.reason.trim() === "")
      notRead.push(unread("form", JSON.stringify(each)));
    else if (!names.includes(data.file)) notRead.push(unread("file", JSON.stringify(each)));
    else findings.push(reported(data));
  }
  return { findings: provenFirst(findings), unread: notRead };
}

function reported({
  line,
  lastLine,
  code,
  title,
  reason,
  suggestion,
  ...rest
}: z.infer<typeof Answered>): ReportedFinding {
  const why = plainText(reason, longestReason).replace(/\s+/g, " ");
  const better = plainText(suggestion ?? "", longestSuggestion);
  return {
    ...{ file: rest.file, severity: rest.severity, code },
    ...{ first: line - 1, last: (lastLine ?? line) - 1 },
    title: titleOf(title ?? "", why),
    reason: why,
    ...(better !== "" && { suggestion: better }),
    ...(rest.confidence === "unsure" && { isUnproven: true }),
  };
}

/** If the model gives no title, uses the beginning of its reason. */
function titleOf(title: string, reason: string): string {
  const given = plainText(title, longestReason).replace(/\s+/g, " ").trim();
  const whole = (given === "" ? reason : given).replace(/\.$/, "");
  if (whole.length <= longestTitle) return whole;
  const cut = whole.slice(0, longestTitle);
  return `${trimEnd(cut.slice(0, Math.max(cut.lastIndexOf(" "), longestTitle / 2)), " ,;:–")}…`;
}

const unread = (why: UnreadableFinding["why"], text: string): UnreadableFinding => ({
  why,
  words: plainText(text, longestQuote),
});

/** The entries of the only JSON block, or of a response that is only JSON. */
function listIn(answer: string): readonly unknown[] | undefined {
  const blocks = fencedIn(answer);
  const [only = answer, ...others] = blocks;
  if (others.length > 0) return undefined;
  try {
    const value: unknown = JSON.parse(only);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A fence within a JSON string is preceded by other characters, so it is never at the beginning of a line. */
function fencedIn(answer: string): readonly string[] {
  const lines = answer.split(/\r?\n/);
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, ticks = "", language = ""] = /^(`{3,})\s*([^`]*)$/.exec(lines[at] ?? "") ?? [];
    if (ticks === "") continue;
    const from = at + 1;
    do at++;
    while (at < lines.length && (lines[at] ?? "").trimEnd() !== ticks);
    if (at < lines.length && /^(?:json)?\s*$/i.test(language)) blocks.push(lines.slice(from, at).join("\n"));
  }
  return blocks;
}
