// Which part of a manifest each of its lines belongs to: the key, table, element or argument around it.
import { rowsOf } from "./comments.ts";
import type { Hunk } from "./hunk.ts";
import type { Source } from "./source.ts";

/** The sections that each line of a file belongs to, once for all its changes. */
export type LineSections = readonly (readonly string[])[];
export type SectionReader = (source: Source) => LineSections;
const sections = new WeakMap<Source, Map<SectionReader, LineSections>>();

/** Brackets alone belong to the section around them, whichever that is. */
export const isBracket = (line: string): boolean => /^[\s{}[\](),]*$/.test(line);

export function sectionsIn(source: Source, read: SectionReader): LineSections {
  const readers = sections.get(source) ?? new Map<SectionReader, LineSections>();
  sections.set(source, readers);
  const known = readers.get(read) ?? read(source);
  readers.set(read, known);
  return known;
}

export function sectionsAt(
  { before, after }: Pick<Hunk, "before" | "after">,
  read: SectionReader,
): readonly string[] {
  const found = [before, after].flatMap(({ source, at }) => {
    const known = sectionsIn(source, read);
    return rowsOf(at)
      .filter((row) => !isBracket(source.lines[row] ?? ""))
      .flatMap((row) => known[row] ?? "");
  });
  return [...new Set(found)];
}

/** The setting of each line: the key at its beginning, or that of a line above. */
export function settingSections({ lines }: Pick<Source, "lines">): LineSections {
  let section = "";
  return lines.map((line) => {
    section = /^[ \t]*([\w-]{1,60})[ \t]*=(?!=)/.exec(line)?.[1] ?? section;
    if (/^\S/.test(line) && !/^[)\]}]|^[\w-]{1,60}[ \t]*=/.test(line)) section = "";
    return [section];
  });
}

/** The same with the table around it, as in `flake8.ignore`; nothing for comments. */
export function tableSections(source: Source): LineSections {
  const keys = settingSections(source);
  let table = "";
  return source.lines.map((line, row) => {
    table = /^\[([^\]\n]{1,100})\]/.exec(line)?.[1] ?? table;
    return (source.code[row] ?? "").trim() === "" ? [] : [`${table}.${keys[row]?.[0] ?? ""}`];
  });
}

/** The same for arguments of a call. A line with more than a value also belongs to no section. */
export function argumentSections(source: Source): LineSections {
  const { code } = source;
  return settingSections(source).map((own, row) => {
    const line = code[row] ?? "";
    const value = line.replace(/^[ \t]*\w{1,60}[ \t]*=(?!=)/, "");
    // Python calls what precedes a bracket, even from the line above.
    const goesOn = value === line && /^\s*\(/.test(line);
    return goesOn || computes.test(value) ? [...own, ""] : own;
  });
}

/** Another argument, a call, or code in a literal. */
const computes = /[=;@]|[\w\])"]\s*\(|\b(?:[fF][rR]?|[rR][fF])"|\b(?:lambda|for|import)\b/;

/** A string or a key, and what opens or closes; what is never closed ends with its line. */
const jsonTokens =
  /"((?:[^"\\]|\\.)*)"?(\s*:)?|'((?:[^'\\]|\\.)*)'?(\s*:)?|([\w$-]+)(\s*:)?|\/\/.*|\/\*|[{}[\]]/g;

/** The top-level keys that each line belongs to; none for a comment. */
export const jsonSections = ({ lines }: Source): LineSections =>
  readJson(lines, (keys) => keys.find((key) => key !== undefined) ?? "");

/** Keys of deeper values are not kept. */
const deepest = 16;

/** All keys around each value, as in `rules.semi`; where a value is put on lines of its own, with `.{` behind its key. */
export const jsonPaths = ({ lines }: Source): LineSections =>
  readJson(lines, (keys, opens, depth) => {
    const own = keys.filter((key) => key !== undefined);
    // What is escaped in a key may be any other one.
    const isUnknown = depth >= deepest || own.some((key) => key.includes("\\"));
    return isUnknown ? "" : `${own.join(".")}${opens ? ".{" : ""}`;
  });

/** `nameOf` gives the name of a value from the keys around it, outermost first; a list within a list has none. */
function readJson(
  lines: readonly string[],
  nameOf: (keys: readonly (string | undefined)[], opens: boolean, depth: number) => string,
): LineSections {
  const keys: (string | undefined)[] = [];
  let depth = 0;
  /** The line in which a comment has begun that is not closed yet. */
  let note: number | undefined;
  const read = lines.map((line, row): readonly string[] => {
    const found = new Set<string>();
    const isInside = note !== undefined;
    for (let at = 0; at < line.length; ) {
      if (note !== undefined) {
        const end = line.indexOf("*/", at);
        if (end < 0) break;
        note = undefined;
        at = end + 2;
      }
      jsonTokens.lastIndex = at;
      const [token, quoted, colon, single, singleColon, bare, bareColon] = jsonTokens.exec(line) ?? [];
      if (token === undefined || token.startsWith("//")) break;
      at = jsonTokens.lastIndex;
      if (token === "/*") {
        note = row;
        continue;
      }
      if (token === "{" || token === "[") depth += 1;
      else if (token === "}" || token === "]") {
        depth = Math.max(0, depth - 1);
        keys.length = Math.min(keys.length, depth + 1);
      } else {
        const isKey = (colon ?? singleColon ?? bareColon) !== undefined;
        if (isKey && depth < deepest) {
          keys.length = depth;
          keys.push(quoted ?? single ?? bare ?? "");
        }
        const opens = isKey && line.length - at < 8 && /^[{[]$/.test(line.slice(at).trim());
        found.add(nameOf(keys, opens, depth));
      }
    }
    // Without this line, what a comment hides would be another part of the file.
    if (isInside !== (note !== undefined)) found.add("");
    return [...found];
  });
  // What hides behind a comment that never ends belongs to no section.
  return note === undefined ? read : read.map((own, row) => (row >= (note ?? 0) ? [""] : own));
}

/** A section of no name, which nothing is known of. */
const unknownSection = "?";
/** Of an element within others. */
const longestSection = 400;

/** The elements that begin in each line, and what is between them, by the names of those around. */
export function xmlSections({ lines }: Source): LineSections {
  const found = lines.map(() => new Set<string>());
  const open: { readonly name: string; readonly section: string }[] = [];
  const text = lines.join("\n");
  // What an entity stands for may be anything.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return lines.map(() => [unknownSection]);
  let [row, counted] = [0, 0];
  /** The row of a place, which is never before that of the last call. */
  const rowOf = (at: number): number => {
    for (; counted < at; counted++) if (text[counted] === "\n") row += 1;
    return row;
  };
  const mark = (from: number, to: number, section: string): void => {
    for (let at = rowOf(from), last = rowOf(to); at <= last; at++) found[at]?.add(section);
  };
  for (let at = 0; at < text.length; ) {
    xmlTokens.lastIndex = at;
    const token = xmlTokens.exec(text);
    if (token === null) break;
    const { 0: begun, 1: end, 2: name, 3: alone, index } = token;
    const around = open.at(-1)?.section;
    const closing = xmlBlocks.get(begun);
    at = index + begun.length;
    if (closing !== undefined) {
      const closed = text.indexOf(closing, at);
      at = closed < 0 ? text.length : closed + closing.length;
      // What hides behind something that never ends belongs to no section.
      if (closed < 0) mark(index, at, unknownSection);
      else if (begun === "<![CDATA[") mark(index, at, around ?? unknownSection);
      else if (text.slice(index, at).includes("\n")) {
        // Without one of these lines, what is between them would be read.
        mark(index, index, unknownSection);
        mark(at - 1, at - 1, unknownSection);
      }
    } else if (end === "/") {
      const last = open.findLastIndex((each) => each.name === name?.toLowerCase());
      open.length = Math.max(0, last);
      // It ends what was not read as an element.
      if (last < 0) open.push({ name: "", section: unknownSection });
    } else if (name === undefined)
      mark(index, at, begun === "<" ? unknownSection : (around ?? unknownSection));
    else {
      const own = name.toLowerCase();
      const section = around === undefined ? own : `${around}.${own}`;
      const isKnown = around !== unknownSection && section.length <= longestSection;
      open.push({ name: own, section: isKnown ? section : unknownSection });
      mark(index, at, isKnown ? section : unknownSection);
      if (alone === "/") open.pop();
    }
  }
  return found.map((sections) => [...sections]);
}

/** What is not read, and what ends it. */
const xmlBlocks: ReadonlyMap<string, string> = new Map([
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
]);

/** The beginning of a block, an element, text, or the beginning of anything else. */
const xmlTokens =
  /<!--|<!\[CDATA\[|<\?|<(\/?)([\w:.-]{1,100})(?![\w:.-])(?:[^<>"'/]|"[^"<]{0,400}"|'[^'<]{0,400}'|\/(?!>))*(\/?)>|[^\s<>]+|</g;

/** The key of the outermost mapping; none for what does not name its key plainly. */
export function yamlSections({ lines }: Source): LineSections {
  // RuboCop runs the code in a template, wherever it stands, and YAML knows more ends of lines.
  if (lines.some((line) => /<%|[\r\u0085\u2028\u2029]/.test(line))) return lines.map(() => [""]);
  let key = "";
  return lines.map((line) => {
    if (/^\s*(?:#|$)|^---\s*$/.test(line)) return [];
    if (/^[^\s-]/.test(line) && !isBracket(line)) key = /^(\w[\w./-]{0,120}):(?:\s|$)/.exec(line)?.[1] ?? "";
    else if (/^-(?!\s|$)/.test(line)) key = "";
    return [key];
  });
}

/** All keys around each line, as in `analyzer.plugins`; none for what does not name its key plainly, or is in such a key. */
export function yamlPaths({ lines }: Source): LineSections {
  if (lines.some((line) => /<%|[\r\u0085\u2028\u2029]|^ *\t/.test(line))) return lines.map(() => [""]);
  const open: { readonly indent: number; readonly key: string }[] = [];
  return lines.map((line) => {
    const [marks = ""] = /^ *(?:- +)*/.exec(line) ?? [];
    const text = line.slice(marks.length);
    if (/^(?:#|$)|^---\s*$/.test(text)) return [];
    const dash = marks.indexOf("-");
    // The items of a list may stand as far left as its key.
    const isInside = (indent: number) => (dash < 0 ? indent < marks.length : indent <= dash);
    while (open.length > 0 && !isInside(open.at(-1)?.indent ?? 0)) open.pop();
    const [, bare, , quoted] =
      /^(?:(\w[\w./-]{0,120})|(["'])([@\w][\w@./-]{0,120})\2):(?:\s|$)/.exec(text) ?? [];
    const key = bare ?? quoted;
    const isUnknown = key === undefined && /^[?&*!<{[|>]|:(?:\s|$)/.test(text);
    if (key !== undefined || isUnknown) open.push({ indent: marks.length, key: key ?? unknownSection });
    const keys = open.slice(0, deepest).map((each) => each.key);
    return [open.length > deepest || keys.includes(unknownSection) ? "" : keys.join(".")];
  });
}

/** The table of each line and the key that the line belongs to. */
export function tomlSections({ lines }: Source): LineSections {
  let [table, key] = ["", ""];
  return lines.map((line) => {
    const name = /^\s*\[{1,2}([^\]\n]{1,200})\]/.exec(line)?.[1]?.trim();
    if (name !== undefined) [table, key] = [name.replaceAll('"', ""), ""];
    const [, path] = /^\s*["'\w-]/.test(line) ? (tomlPath.exec(line) ?? []) : [];
    // A key that is escaped may be any other one.
    if (path !== undefined) key = path.includes("\\") ? unreadable : path.replace(/["' \t]/g, "");
    return [key === unreadable ? "" : `${table}.${key}`];
  });
}

/** What names a value: one or more keys, with or without quotes. */
const tomlPath =
  /^\s*((?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+))*)\s*=(?!=)/;
/** No key is read as this one. */
const unreadable = "?";

/** How others come into a package: what they import, run or read its types from. */
const entries = /^(?:main|module|browser|exports|bin|types|typings|typesVersions)$/;

/** Whether an entry of a package is gone or another one. A comma behind it says nothing. */
export function losesEntry({ path, before, after }: Hunk): boolean {
  if (!/(?:^|\/)package\.json$/i.test(path)) return false;
  const bare = (line: string) => line.trim().replace(/,$/, "");
  const now = new Set(rowsOf(after.at).map((row) => bare(after.source.lines[row] ?? "")));
  const known = sectionsIn(before.source, jsonSections);
  return rowsOf(before.at).some((row) => {
    const line = before.source.lines[row] ?? "";
    // What a bundle leaves out is no entry.
    if (/:\s*false,?$/.test(line)) return false;
    return !isBracket(line) && !now.has(bare(line)) && known[row]?.some((section) => entries.test(section));
  });
}
