// What a model has answered to a review, read to the letter: a finding that is not as it was asked for is told with its
// words instead of being guessed at or left out. Pure.
import * as z from "zod/mini";
import { plainText } from "../util/plain-text.ts";

export type Severity = "error" | "warning" | "note";

/** Lines are counted from 0, both ends included. */
export interface Reported {
  readonly file: string;
  readonly first: number;
  readonly last: number;
  /** The text of the first line, as the model has seen it. */
  readonly code: string;
  readonly severity: Severity;
  readonly reason: string;
  readonly suggestion?: string;
}

export interface Unread {
  /** `form`: it is not what was asked for; `file`: it is about a file that was not sent. */
  readonly why: "form" | "file";
  /** What stands there, cut. */
  readonly words: string;
}

export interface Read {
  readonly findings: readonly Reported[];
  readonly unread: readonly Unread[];
}

const lineNumber = z.int().check(z.positive());
const words = z.string().check(z.minLength(1));

const Answered = z.strictObject({
  file: words,
  line: lineNumber,
  lastLine: z.optional(lineNumber),
  code: z.string(),
  severity: z.enum(["error", "warning", "note"]),
  reason: words,
  suggestion: z.optional(z.nullable(z.string())),
});

/** More of a sentence is no sentence. */
const longestReason = 400;
const longestSuggestion = 2000;
const longestQuote = 300;

/** `names`: what the model was asked about. */
export function readFindings(answer: string, names: readonly string[]): Read {
  const list = listIn(answer);
  if (list === undefined) return { findings: [], unread: [unread("form", answer)] };
  const findings: Reported[] = [];
  const notRead: Unread[] = [];
  for (const each of list) {
    const { success, data } = Answered.safeParse(each);
    const isInOrder = success && (data.lastLine === undefined || data.lastLine >= data.line);
    if (!success || !isInOrder || data.reason.trim() === "")
      notRead.push(unread("form", JSON.stringify(each)));
    else if (!names.includes(data.file)) notRead.push(unread("file", JSON.stringify(each)));
    else findings.push(reported(data));
  }
  return { findings, unread: notRead };
}

function reported({ line, lastLine, code, reason, suggestion, ...rest }: z.infer<typeof Answered>): Reported {
  const better = plainText(suggestion ?? "", longestSuggestion);
  return {
    ...{ file: rest.file, severity: rest.severity, code },
    ...{ first: line - 1, last: (lastLine ?? line) - 1 },
    reason: plainText(reason, longestReason).replace(/\s+/g, " "),
    ...(better !== "" && { suggestion: better }),
  };
}

const unread = (why: Unread["why"], text: string): Unread => ({ why, words: plainText(text, longestQuote) });

/** The one block of JSON, or an answer that is nothing else. */
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

/** A fence inside of a string of JSON stands behind other letters, never at the beginning of a line. */
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
