// Edits of whole functions: one more at the end of a file, or one that goes.
import type { Attachment } from "./attachments.ts";
import type { Planned } from "./edits.ts";
import { symbolsOf } from "./symbols.ts";

const little = new Set([
  "a",
  "an",
  "the",
  "that",
  "which",
  "to",
  "of",
  "for",
  "and",
  "new",
  "called",
  "named",
]);

/** "Add a function that formats euros" becomes `formatsEuros`, which says that it is yet to be written. */
export function addFunction(question: string, { path, lines }: Attachment): Planned | undefined {
  const asked = /\badd\b.*?\bfunction\b[ ,:]*(.*)$/i.exec(question.split("\n")[0] ?? "")?.[1];
  if (asked === undefined || !/\.(ts|js|py)$/.test(path)) return undefined;
  const quoted = /[`'"](\w+)[`'"]/.exec(asked)?.[1];
  const words = (asked.match(/[A-Za-z]\w*/g) ?? []).filter((word) => !little.has(word.toLowerCase()));
  const python = path.endsWith(".py");
  const name = quoted ?? joined(words.slice(0, 3), python);
  if (name === "") return undefined;
  const about = asked.replace(/[.!?]+$/, "").replace(/^that\s+/i, "");
  const insert = python
    ? ["", "", `def ${name}():`, `    """To be written: ${about}."""`, "    raise NotImplementedError"]
    : [
        "",
        `/** To be written: ${about}. */`,
        `export function ${name}()${path.endsWith(".ts") ? ": never" : ""} {`,
        `  throw new Error("${name} is not written yet.");`,
        "}",
      ];
  return {
    edits: [{ at: lines.length, remove: 0, insert }],
    summary: `\`${name}\` stands at the end of \`${path}\`.`,
  };
}

function joined(words: readonly string[], python: boolean): string {
  const small = words.map((word) => word.toLowerCase());
  if (python) return small.join("_");
  return small
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("");
}

/** The function, the comment above it and one of the blank lines around them. */
export function removeFunction(question: string, file: Attachment): Planned | undefined {
  const name = /\b(?:remove|delete)\s+(?:the\s+)?(?:function\s+)?[`'"]?(\w+)/i.exec(question)?.[1];
  const target = symbolsOf(file).find((symbol) => symbol.kind === "function" && symbol.name === name);
  if (target === undefined) return undefined;
  let first = target.first - file.firstLine;
  while (/^\s*(\/\*|\*|\/\/|#)/.test(file.lines[first - 1] ?? "")) first -= 1;
  let after = target.last - file.firstLine + 1;
  if (file.lines[after]?.trim() === "") after += 1;
  else if (file.lines[first - 1]?.trim() === "") first -= 1;
  return {
    edits: [{ at: first, remove: after - first, insert: [] }],
    summary: `\`${target.name}\` is gone from \`${file.path}\`.`,
  };
}
