// A review that asks for a list of findings: what a careful reader sees in the files and diffs that came with it, as the data
// that was asked for. The same code always gets the same findings.
import { type Attachment, attachmentsIn } from "./attachments.ts";

interface Finding {
  readonly file: string;
  readonly line: number;
  readonly lastLine: number;
  readonly code: string;
  readonly severity: "error" | "warning" | "note";
  readonly reason: string;
  readonly suggestion?: string;
}

const suspicions: readonly (Omit<Finding, "file" | "line" | "lastLine" | "code"> & {
  readonly sign: RegExp;
})[] = [
  {
    sign: /<=\s*\w+\.(?:length|size)\b/,
    severity: "error",
    reason: "The loop goes one step too far and reads behind the last element.",
    suggestion: "Compare with `<`.",
  },
  {
    sign: /\bif\s*\([^=!<>]*[^=!<>]=[^=>][^=]*\)/,
    severity: "error",
    reason: "This assigns instead of comparing, so the condition hardly depends on what it looks at.",
    suggestion: "Write `===`.",
  },
  {
    sign: /\bcatch\b[^{]*\{\s*\}/,
    severity: "warning",
    reason: "The error is swallowed: whoever calls this never hears that it failed.",
    suggestion: "Report it, or say in a comment why it does not matter.",
  },
  {
    sign: /\bquantity > \w+/,
    severity: "error",
    reason: "Exactly the limit does not count, although the comment promises it.",
    suggestion: "Compare with `>=`.",
  },
  {
    sign: /\bparse(?:Float|Int)\(/,
    severity: "warning",
    reason: "A text that is no number becomes NaN and travels on unseen.",
    suggestion: "Check the result with `Number.isNaN` and refuse it.",
  },
  {
    sign: /[^=!]==[^=]|!=[^=]/,
    severity: "warning",
    reason: "A loose comparison takes 0, an empty text and null for the same.",
    suggestion: "Compare with `===`.",
  },
  {
    sign: /\b(?:TODO|FIXME)\b/,
    severity: "note",
    reason: "This is marked as unfinished.",
  },
  {
    sign: /\bconsole\.log\(/,
    severity: "note",
    reason: "What was printed while this was written is still printed.",
  },
];

/** The answer where the question wants a list of findings; `message` is all that came with it. */
export function listFindings(question: string, message: string): string | undefined {
  const [, names] = /^Review the attached code[^:]*: (.+)\.$/m.exec(question) ?? [];
  if (names === undefined || !question.includes("a list of findings")) return undefined;
  const asked: unknown = JSON.parse(`[${names}]`);
  const files = [...diffsIn(message), ...attachmentsIn(message)];
  const seen = new Set<string>();
  const found = files.flatMap((file) =>
    Array.isArray(asked) && asked.includes(file.path) ? findingsIn(file) : [],
  );
  const unique = found.filter(
    ({ file, line }) => !seen.has(`${file}:${line}`) && seen.add(`${file}:${line}`),
  );
  return `\`\`\`json\n${JSON.stringify(unique, null, 2)}\n\`\`\``;
}

const findingsIn = ({
  path,
  lines,
  firstLine,
}: Pick<Attachment, "path" | "lines" | "firstLine">): Finding[] =>
  lines.flatMap((code, at) => {
    const suspicion = suspicions.find(({ sign }) => sign.test(code));
    if (suspicion === undefined) return [];
    const { sign: _, ...said } = suspicion;
    const line = firstLine + at;
    return [{ file: path, line, lastLine: line, code, ...said }];
  });

type Piece = Pick<Attachment, "path" | "lines" | "firstLine">;

/** The lines that a diff adds, each with its number. */
function diffsIn(message: string): readonly Piece[] {
  return [...message.matchAll(/<(diff[\w-]*) name="([^"]*)">\n([\s\S]*?)\n<\/\1>/g)].flatMap(
    ([, , path = "", body = ""]) => {
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
    },
  );
}
