// A diff, file by file: what it says of a file that is never sent is left out, under whatever name it stands there;
// or all but what it says of some files.

export interface CleanDiff {
  readonly text: string;
  /** How many files were left out. */
  readonly hidden: number;
}

export async function withoutHidden(
  diff: string,
  keeps: (path: string) => Promise<boolean>,
): Promise<CleanDiff> {
  const sections = sectionsOf(diff);
  const kept: string[] = [];
  for (const section of sections) {
    const hidden = await Promise.all(pathsOf(section).map(keeps));
    if (!hidden.includes(true)) kept.push(section);
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
  const twice = /^diff --git (?:[a-z]\/(.+) [a-z]\/\1|"[a-z]\/(.+)" "[a-z]\/\2")$/m.exec(header);
  const same = twice?.[1] ?? (twice?.[2] === undefined ? [] : unescaped(twice[2]));
  return [...prefixed, ...bare.map(([, name = ""]) => plain(name)), ...[same].flat()];
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

/** `a/x b/x`, `"a/\303\244" …`, `a/x` and `x`: each could be meant. */
function spellings(name: string): string[] {
  const parts = [...name.matchAll(/"((?:[^"\\]|\\.)*)"|\S+/g)].map(([whole, quoted]) =>
    quoted === undefined ? whole : unescaped(quoted),
  );
  const half =
    name.length % 2 === 1 ? [name.slice(0, name.length >> 1), name.slice((name.length >> 1) + 1)] : [];
  return [name, ...parts, ...half].flatMap((path) => [path, path.replace(/^[a-z]\//, "")]);
}

function unescaped(name: string): string {
  const bytes: number[] = [];
  for (const [piece] of name.matchAll(/\\[0-7]{3}|\\.|[^\\]+/gs)) {
    if (/^\\[0-7]{3}$/.test(piece)) bytes.push(Number.parseInt(piece.slice(1), 8) & 255);
    else bytes.push(...Buffer.from(piece.startsWith("\\") ? piece.slice(1) : piece));
  }
  return Buffer.from(bytes).toString("utf8");
}
