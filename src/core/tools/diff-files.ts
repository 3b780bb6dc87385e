// A diff, file by file: what it says of a file that is never sent is left out, under whatever name it stands there.

export interface CleanDiff {
  readonly text: string;
  /** How many files were left out. */
  readonly hidden: number;
}

export async function withoutHidden(
  diff: string,
  keeps: (path: string) => Promise<boolean>,
): Promise<CleanDiff> {
  const sections = diff.split(/^(?=diff --(?:git|cc|combined) )/m);
  const kept: string[] = [];
  for (const section of sections) {
    const hidden = await Promise.all(pathsOf(section).map(keeps));
    if (!hidden.includes(true)) kept.push(section);
  }
  return { text: kept.join(""), hidden: sections.length - kept.length };
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
