// Where a code block of a response belongs in a text: in place of what is selected, else of the lines that begin and end
// as it does. Never a guess: where that is not plain, there is no place. Pure.

export interface Lines {
  readonly first: number;
  /** The line after the last one. */
  readonly end: number;
}

export interface PlacedCode extends Lines {
  readonly lines: readonly string[];
}

/** `selected`: the lines that a person has chosen. Undefined: it is not plain where the code belongs. */
export function placeCode(
  text: readonly string[],
  code: readonly string[],
  selected: Lines | undefined,
): PlacedCode | undefined {
  const wanted = withoutBlankEnds(code);
  const place = selected ?? linesLike(text, wanted);
  if (place === undefined || wanted.length === 0) return undefined;
  return onlyWhatDiffers(text, place, indentedLike(text.slice(place.first, place.end), wanted));
}

/** The lines of the text with the code in its place. */
export const placedIn = (text: readonly string[], { first, end, lines }: PlacedCode): readonly string[] => [
  ...text.slice(0, first),
  ...lines,
  ...text.slice(end),
];

/** A file that the code names in a comment at its top, as models do, and the code below it. */
export function namedFile(code: readonly string[]): { path: string; rest: readonly string[] } | undefined {
  const [first = "", ...rest] = code;
  const comment = /^(?:\/\/|#|--|;|<!--|\/\*)\s*(?:file:\s*)?([\w@./-]+\.\w+)(?:\s*(?:-->|\*\/))?$/i;
  const path = comment.exec(first.trim())?.[1];
  return path === undefined ? undefined : { path, rest };
}

export function withoutBlankEnds(code: readonly string[]): readonly string[] {
  const isWritten = (line: string) => line.trim() !== "";
  return code.slice(Math.max(0, code.findIndex(isWritten)), code.findLastIndex(isWritten) + 1);
}

/** The one stretch that begins with the first line and ends with the last one, indentation aside. */
function linesLike(text: readonly string[], code: readonly string[]): Lines | undefined {
  const indicesOf = (line: string | undefined, from = 0) =>
    text.flatMap((each, index) => (index >= from && each.trim() === line?.trim() ? [index] : []));
  const [first, another] = indicesOf(code[0]);
  if (first === undefined || another !== undefined || code.length < 2) return undefined;
  // "}" stands in many places: the one that closes at the indentation of the beginning is meant.
  const ends = indicesOf(code.at(-1), first + 1).filter(
    (index) => indentOf(text[index]).length - indentOf(text[first]).length === difference(code),
  );
  const [last] = ends;
  return last === undefined ? undefined : { first, end: last + 1 };
}

const difference = (code: readonly string[]): number =>
  indentOf(code.at(-1)).length - indentOf(code[0]).length;

const indentOf = (line = ""): string => /^[ \t]*/.exec(line)?.[0] ?? "";

/** Code in a response begins at the margin; what it replaces may not. */
function indentedLike(replaced: readonly string[], code: readonly string[]): readonly string[] {
  const wanted = indentOf(replaced.find((line) => line.trim() !== ""));
  const has = indentOf(code[0]);
  if (!wanted.startsWith(has)) return code;
  const more = wanted.slice(has.length);
  return code.map((line) => (line.trim() === "" ? line : more + line));
}

function onlyWhatDiffers(text: readonly string[], place: Lines, lines: readonly string[]): PlacedCode {
  let { first, end } = place;
  let from = 0;
  let to = lines.length;
  while (first < end && from < to && text[first] === lines[from]) {
    first += 1;
    from += 1;
  }
  while (end > first && to > from && text[end - 1] === lines[to - 1]) {
    end -= 1;
    to -= 1;
  }
  return { first, end, lines: lines.slice(from, to) };
}
