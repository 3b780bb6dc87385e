// A review that asks for a list of findings: what a careful reader sees in the files and diffs that came with it, as the data
// that was asked for. The same code always gets the same findings.
import { type Attachment, attachmentsIn, withSelectedLines } from "./attachments.ts";
import type { Planned } from "./edits.ts";

interface Finding {
  readonly file: string;
  readonly line: number;
  readonly lastLine: number;
  readonly code: string;
  readonly severity: "error" | "warning" | "note";
  readonly title: string;
  readonly reason: string;
  readonly suggestion?: string;
}

const suspicions: readonly (Omit<Finding, "file" | "line" | "lastLine" | "code"> & {
  readonly sign: RegExp;
  /** The lines in the place of the one that is wrong. */
  readonly mend?: (line: string) => readonly string[];
})[] = [
  {
    sign: /<=\s*\w+\.(?:length|size)\b/,
    severity: "error",
    title: "Loop goes one step too far",
    reason: "The loop goes one step too far and reads behind the last element.",
    suggestion: "Compare with `<`.",
    mend: (line) => [line.replace("<=", "<")],
  },
  {
    sign: /\bif\s*\([^=!<>]*[^=!<>]=[^=>][^=]*\)/,
    severity: "error",
    title: "Assignment in a condition",
    reason: "This assigns instead of comparing, so the condition hardly depends on what it looks at.",
    suggestion: "Write `===`.",
    mend: (line) => [line.replace(/([^=!<>])=([^=>])/, "$1===$2")],
  },
  {
    sign: /\bcatch\b[^{]*\{\s*\}/,
    severity: "warning",
    title: "Swallowed error",
    reason: "The error is swallowed: whoever calls this never hears that it failed.",
    suggestion: "Report it, or say in a comment why it does not matter.",
  },
  {
    sign: /\bquantity > \w+/,
    severity: "error",
    title: "The limit itself doesn't count",
    reason: "Exactly the limit does not count, although the comment promises it.",
    suggestion: "Compare with `>=`.",
    mend: (line) => [line.replace(" > ", " >= ")],
  },
  {
    sign: /\bparse(?:Float|Int)\(/,
    severity: "warning",
    title: "Text that is no number becomes NaN",
    reason: "A text that is no number becomes NaN and travels on unseen.",
    suggestion: "Check the result with `Number.isNaN` and refuse it.",
    mend: refuseNoNumber,
  },
  {
    sign: /[^=!]==[^=]|!=[^=]/,
    severity: "warning",
    title: "Loose comparison",
    reason: "A loose comparison takes 0, an empty text and null for the same.",
    suggestion: "Compare with `===`.",
    mend: (line) => [line.replace(/([^=!])==([^=])/, "$1===$2").replace(/!=([^=])/, "!==$1")],
  },
  {
    sign: /\b(?:TODO|FIXME)\b/,
    severity: "note",
    title: "Unfinished",
    reason: "This is marked as unfinished.",
  },
  {
    sign: /\bconsole\.log\(/,
    severity: "note",
    title: "Forgotten output",
    reason: "What was printed while this was written is still printed.",
    mend: () => [],
  },
];

/** The answer where the question wants a list of findings; `message` is all that came with it. */
export function listFindings(question: string, message: string): string | undefined {
  const [, names] = /^Review the attached code[^:]*: (.+)\.$/m.exec(question) ?? [];
  if (names === undefined || !question.includes("a list of findings")) return undefined;
  const asked: unknown = JSON.parse(`[${names}]`);
  const reviewed = withSelectedLines(message).replace(onlyAround, "");
  const files = [...diffsIn(reviewed), ...attachmentsIn(reviewed)];
  const seen = new Set<string>();
  const found = files.flatMap((file) =>
    Array.isArray(asked) && asked.includes(file.path) ? findingsIn(file) : [],
  );
  const unique = found.filter(
    ({ file, line }) => !seen.has(`${file}:${line}`) && seen.add(`${file}:${line}`),
  );
  return `\`\`\`json\n${JSON.stringify(unique, null, 2)}\n\`\`\``;
}

/** What is attached only to be understood. */
const onlyAround = /<([\w-]+) role="(?!to-)[^"]*"[^>]*>\n[\s\S]*?\n<\/\1>/g;

const findingsIn = ({
  path,
  lines,
  firstLine,
}: Pick<Attachment, "path" | "lines" | "firstLine">): Finding[] =>
  lines.flatMap((code, at) => {
    const suspicion = suspicions.find(({ sign }) => sign.test(code));
    if (suspicion === undefined) return [];
    const { sign: _, mend: __, ...said } = suspicion;
    const line = firstLine + at;
    return [{ file: path, line, lastLine: line, code, ...said }];
  });

/** *Fix* at a finding of ours names it by its sentence. */
export function mendFinding(question: string, { lines }: Pick<Attachment, "lines">): Planned | undefined {
  const suspicion = suspicions.find(({ reason }) => question.includes(reason));
  const at = lines.findIndex((line) => suspicion?.sign.test(line));
  if (suspicion?.mend === undefined || at < 0) return undefined;
  const insert = suspicion.mend(lines[at] ?? "");
  return { edits: [{ at, remove: 1, insert }], summary: `${suspicion.title}: mended.` };
}

/** The number is looked at before anything is done with it. */
function refuseNoNumber(line: string): readonly string[] {
  const from = line.search(/\bparse(?:Float|Int)\(/);
  let to = line.indexOf("(", from) + 1;
  for (let depth = 1; depth > 0 && to < line.length; to += 1)
    depth += { "(": 1, ")": -1 }[line[to] ?? ""] ?? 0;
  const indent = /^\s*/.exec(line)?.[0] ?? "";
  return [
    `${indent}const parsed = ${line.slice(from, to)};`,
    `${indent}if (Number.isNaN(parsed)) throw new Error("That is no number.");`,
    `${line.slice(0, from)}parsed${line.slice(to)}`,
  ];
}

type Piece = Pick<Attachment, "path" | "lines" | "firstLine">;

/** The lines that a diff adds, each with its number. */
function diffsIn(message: string): readonly Piece[] {
  return [
    ...message.matchAll(/<(diff[\w-]*) (?:role="[^"]*" )?name="([^"]*)">\n([\s\S]*?)\n<\/\1>/g),
  ].flatMap(([, , path = "", body = ""]) => {
    const pieces: Piece[] = [];
    let line = 0;
    for (const row of body.split("\n")) {
      const [, start] = /^@@ -\S+ \+(\d+)/.exec(row) ?? [];
      if (start !== undefined) line = Number(start);
      else if (line > 0 && row.startsWith("+"))
        pieces.push({ path, lines: [row.slice(1)], firstLine: line++ });
      else if (line > 0 && row.startsWith(" ")) line++;
    }
    return pieces;
  });
}
