// Changes to nothing but comments, and what a comment says however its lines are written.
import type { Form, Side } from "./hunk.ts";
import type { Language, Source } from "./source.ts";
import { inLiteral } from "./source.ts";

const ofC = /\/\*|\*\//g;
const ofXml = /<!--|-->/g;
const blockSigns: Readonly<Partial<Record<Language, RegExp>>> = {
  ...{ script: ofC, go: ofC, rust: ofC, java: ofC, c: ofC, csharp: ofC, swift: ofC, php: ofC, style: ofC },
  ...{ xml: ofXml, other: ofXml, dart: ofC, lua: /--\[\[|\]\]/g, haskell: /\{-|-\}/g },
};
const begins = /^(?:\/\*|<!--|--\[\[|\{-)$/;
const literalsOrNote = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\\.|\/\/.*/g;

export const rowsOf = ({ first, last }: Side["at"]): readonly number[] =>
  Array.from({ length: last - first }, (_, row) => first + row);

/** Whether a change begins and ends in a comment on one side only: what stands beside it runs now, or no longer does. */
export const isTorn = ({ before, after }: Form, language: Language): boolean =>
  edgesOf(before, language) !== edgesOf(after, language);

/** In what its first line and the line after it begin, and which signs of comments in it have no other one. */
function edgesOf({ source, at: { first, last } }: Side, language: Language): string {
  const { lines, isInside } = source;
  const signs = blockSigns[language];
  let open: string[] = [];
  if (signs !== undefined)
    for (let row = first; row < last; row++) {
      const line = lines[row] ?? "";
      if (line.search(signs) < 0) continue;
      // Some languages nest comments, so those within another one count as well.
      const isBare = isInside[row] !== 0 || line.length > 2000 || signs === ofXml;
      for (const sign of (isBare ? line : line.replace(literalsOrNote, "")).match(signs) ?? []) {
        if (!begins.test(sign) && begins.test(open.at(-1) ?? "")) open.pop();
        else open.push(sign);
        if (open.length > 40) open = open.slice(-40);
      }
    }
  // What nobody reads as XML is torn wherever it changes.
  const odd = language === "xml" && !isPlainXml(source) ? lines.slice(first, last).join("\n") : "";
  return `${isInside[first]} ${isInside[last]} ${open.join("")} ${odd}`;
}

const plain = new WeakMap<Source, boolean>();

/** Without what hides the beginning or the end of a comment. */
function isPlainXml(source: Source): boolean {
  let found = plain.get(source);
  if (found === undefined) {
    const { lines, isInside } = source;
    found =
      isInside[lines.length] === 0 &&
      !lines.some((line) => /<!\[CDATA\[|<!DOCTYPE|<!ENTITY/i.test(line)) &&
      !lines.some((line, row) => line.includes("<?") && (row > 0 || line.includes("<!--")));
    plain.set(source, found);
  }
  return found;
}

/** What stands in a comment and is read by a program, or hides what follows. */
const told =
  /^\s*(?:#(?:!|\[=*\[|=begin|=end|if|el|end|def|undef|include|pragma|requires?|line)|#\s*(?:syntax|escape|check)\s*=|\/\/(?:go:|[a-z]{1,20}:[a-z]|export |line )|\/\/\s*\+build\b|\/\*!|\{-#)|\\\s*$/i;

/** Whether only comments change, and none of them begins or ends elsewhere. */
export function isNote({ before, after }: Form, language: Language): boolean {
  const rows = [before, after].flatMap(({ source, at }) =>
    rowsOf(at).map((row) => ({
      code: source.code[row] ?? "",
      line: source.lines[row] ?? "",
      note: source.notes[row] ?? "",
      isLiteral: source.isInside[row] === inLiteral,
    })),
  );
  return (
    rows.every(
      ({ code, line, note, isLiteral }) =>
        !isLiteral && code.trim() === "" && (note !== "" || line.trim() === "") && !told.test(note),
    ) &&
    rows.some(({ note }) => note !== "") &&
    !isTorn({ before, after }, language)
  );
}

/** The words of comments without the signs before them and the ends of their lines. */
export function saidIn({ source: { notes }, at }: Side): string {
  const words: string[] = [];
  let kind = "";
  for (const note of notes.slice(at.first, at.last)) {
    if (note.trim() === "") continue;
    if (told.test(note)) {
      words.push(note.trim());
      continue;
    }
    const [begun = "", sign = ""] =
      /^\s*(\/\/[/!]?|\/\*\*?(?!\/)|#{1,2}(?=\s|\w)|<!--)?[ \t]*/.exec(note) ?? [];
    if (sign !== "" && sign !== kind) words.push(sign);
    if (sign !== "") kind = sign;
    words.push(note.slice(begun.length).replace(/\*\/|-->/g, " "));
  }
  return words
    .join(" ")
    .replace(/[\s*]+/g, " ")
    .trim();
}
