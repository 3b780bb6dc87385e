// Whether a file belongs to what was asked: somebody named it, attached it, opened it, or the model read it for this.

/** `asked`: paths, names that were written, and folders with "/" at their end. */
export function isInScope(path: string, asked: Iterable<string>): boolean {
  for (const each of asked) {
    if (each === path || (each !== "" && path.endsWith(`/${each}`))) return true;
    if (each.endsWith("/") && (path.startsWith(each) || path.includes(`/${each}`))) return true;
  }
  return false;
}

/**
 * Whether these names say which files are meant: one that could be a word of anything – `Node.js`, `and/or` – does so where it
 * is one of `paths`.
 */
export const namesFiles = (names: readonly string[], paths: readonly string[]): boolean =>
  names.some((name) => isFilePath(name) || paths.some((path) => isInScope(path, [name])));

const isFilePath = (name: string): boolean => name.includes("/") && /\.[A-Za-z]\w*$/.test(name);

/** Of words: whatever looks like a file or a folder. */
export const namesIn = (text: string): readonly string[] =>
  (text.slice(0, longestText).match(/[\p{L}\p{N}_@.-]+(?:\/[\p{L}\p{N}_@.-]+)*\/?/gu) ?? [])
    // A sentence may end behind it.
    .map((word) => (word.endsWith(".") ? word.slice(0, -1) : word))
    .filter(isName);

const longestText = 100_000;
const isName = (word: string): boolean => /\/|\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(word);
