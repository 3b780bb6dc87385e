// A diff, file by file: what it says of a file that is never sent is left out, under whatever name it stands there;
// or all but what it says of some files.

import { secretMark } from "../files/secrets.ts";
import { inSteps } from "../util/yield-to-event-loop.ts";

export interface CleanDiff {
  readonly text: string;
  /** How many files were left out. */
  readonly hidden: number;
}

export async function withoutHidden(
  diff: string,
  keeps: (path: string) => boolean,
  signal: AbortSignal,
): Promise<CleanDiff> {
  const sections = sectionsOf(diff);
  const kept: string[] = [];
  const pause = inSteps(signal);
  for (const section of sections) {
    let isHidden = false;
    for (const path of pathsOf(section)) {
      await pause();
      isHidden = keeps(path);
      if (isHidden) break;
    }
    if (!isHidden) kept.push(section);
  }
  return { text: kept.join(""), hidden: sections.length - kept.length };
}

/** What it says of these files, named from the repository's root. */
export const onlyOf = (diff: string, files: ReadonlySet<string>): string =>
  sectionsOf(diff)
    .filter((section) => headerPaths(section).some((path) => files.has(path)))
    .join("");

const sectionsOf = (diff: string): string[] => diff.split(/^(?=diff --(?:git|cc|combined) )/m);

/** As git means them: the letter before the first slash is its own. What the lines of a file say is no header. */
function headerPaths(section: string): string[] {
  const [header = ""] = section.split(/^@@/m, 1);
  const plain = (name: string) => name.trimEnd().replace(/^"(.*)"$/, (_, quoted) => unescaped(quoted));
  const prefixed = [...header.matchAll(/^(?:---|\+\+\+) (.+)$/gm)].map(([, name = ""]) =>
    plain(name).replace(/^[a-z]\//, ""),
  );
  const bare = [...header.matchAll(/^(?:(?:rename|copy) (?:from|to)|diff --(?:cc|combined)) (.+)$/gm)];
  const same = twiceNamed(/^diff --git (.+)$/m.exec(header)?.[1] ?? "");
  return [...prefixed, ...bare.map(([, name = ""]) => plain(name)), ...same];
}

/** `a/x b/x` and `"a/x" "b/x"`: both halves say the same. */
function twiceNamed(names: string): string[] {
  const middle = names.length >> 1;
  const [one, other] = [names.slice(0, middle), names.slice(middle + 1)];
  if (names.charAt(middle) !== " " || one.length !== other.length) return [];
  const [, quoted] = /^"[a-z]\/(.+)"$/.exec(one) ?? [];
  const name = quoted ?? /^[a-z]\/(.+)$/.exec(one)?.[1] ?? "";
  const isSame = quoted === undefined ? other.slice(2) === name : other.slice(3, -1) === name;
  return name === "" || !isSame ? [] : [quoted === undefined ? name : unescaped(quoted)];
}

/** Every name a section has for its file; with the quotes and escapes of git taken off. */
function pathsOf(section: string): string[] {
  const names = [
    ...section.matchAll(/^(?:---|\+\+\+) (.+)$/gm),
    ...section.matchAll(/^(?:rename|copy) (?:from|to) (.+)$/gm),
    ...section.matchAll(/^diff --(?:cc|combined) (.+)$/gm),
    ...section.matchAll(/^diff --git (.+)$/gm),
  ].map(([, name = ""]) => name.trimEnd());
  return [...new Set(names.flatMap(spellings))].filter((path) => path !== "" && path !== "/dev/null");
}

/** What is longer is refused for that alone. */
const longestNames = 16 * 1024;

/** `a/x b/x`, `"a/\303\244" …`, `a/x` and `x`: each could be meant. */
function spellings(name: string): string[] {
  if (name.length > longestNames) return [name];
  const parts = [...name.matchAll(/"((?:[^"\\]|\\.)*)"|\S+/g)].map(([whole, quoted]) =>
    quoted === undefined ? whole : unescaped(quoted),
  );
  const half =
    name.length % 2 === 1 ? [name.slice(0, name.length >> 1), name.slice((name.length >> 1) + 1)] : [];
  return [name, ...parts, ...half].flatMap((path) => [path, path.replace(/^[a-z]\//, "")]);
}

function unescaped(name: string): string {
  const bytes: Uint8Array[] = [];
  for (const [piece] of name.matchAll(/\\[0-7]{3}|\\.|[^\\]+/gs)) {
    if (/^\\[0-7]{3}$/.test(piece)) bytes.push(Uint8Array.of(Number.parseInt(piece.slice(1), 8) & 255));
    else bytes.push(Buffer.from(piece.startsWith("\\") ? piece.slice(1) : piece));
  }
  return Buffer.concat(bytes).toString("utf8");
}

/** A line of a key in text form, behind the signs of a diff: as long as such lines are, and of all kinds of letters. */
const keyLine = /^[-+ ]{0,3}(?=[^\n]*[a-z])(?=[^\n]*[A-Z])(?=[^\n]*[0-9])[A-Za-z0-9+/]{60,76}={0,2}\r?$/;

/** A diff shows pieces of files: lines of a key may stand there without its header, and two in a row are enough to tell. */
export function withoutKeyLines(diff: string): { readonly text: string; readonly removed: number } {
  const lines = diff.split("\n");
  const isKey = lines.map((line) => line.length < 90 && keyLine.test(line));
  const isPart = (at: number) => isKey[at] === true && (isKey[at - 1] === true || isKey[at + 1] === true);
  const removed = lines.filter((_, at) => isPart(at) && !isPart(at - 1)).length;
  if (removed === 0) return { text: diff, removed };
  const clean = lines.map((line, at) => (isPart(at) ? `${line.slice(0, 1)}${secretMark}` : line));
  return { text: clean.join("\n"), removed };
}

/** What a diff says of one file, under the name that the file has after it. */
export interface FileDiff {
  readonly path: string;
  readonly text: string;
  /** It says that the file is another one, and not how. */
  readonly isBinary: boolean;
}

export const byFile = (diff: string): readonly FileDiff[] =>
  sectionsOf(diff).flatMap((text) => {
    const [header = ""] = text.split(/^@@/m, 1);
    const path = headerPaths(text).findLast((each) => each !== "/dev/null") ?? header.split("\n", 1)[0] ?? "";
    const isBinary = /^(?:Binary files .* differ|GIT binary patch)$/m.test(header);
    return text.trim() === "" ? [] : [{ path, text, isBinary }];
  });
