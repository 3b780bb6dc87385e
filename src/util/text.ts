/// <reference lib="es2024.string" />
// Cleans text from elsewhere before it is encoded, shown or searched.

/** Replaces lone surrogates, which UTF-8 cannot encode, with U+FFFD. */
export const wellFormed = (text: string): string => (text.isWellFormed() ? text : text.toWellFormed());

/** Cc: controls, Cf: invisible and reordering characters, and the two line separators that are in neither. */
const controls = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** For the clipboard: a terminal would act on invisible control characters. */
export const withoutControls = (text: string): string => text.replace(/(?![\n\t])\p{Cc}/gu, "");

/**
 * Makes foreign text fit for a sentence on screen or a line in the log: no control characters, no markup, no characters
 * that hide or reorder others, and no more than a reader needs.
 */
export function plainText(text: string, limit: number): string {
  // Removed characters make room for later ones, up to a point: foreign text may have any length.
  const begun = text.slice(0, Math.max(4 * limit, 4096));
  const clean = begun.replace(/\r\n?/g, "\n").replace(controls, "").trim();
  if (begun.length < text.length && clean.length <= limit) return `${clean.slice(0, limit - 1).trimEnd()}…`;
  return clean.length <= limit ? clean : `${clean.slice(0, limit - 1).trimEnd()}…`;
}

/** For rows of VS Code's lists, which would draw `$(pwd)` as an icon: text of others has no icons. */
export const withoutIcons = (text: string): string => text.replaceAll("$(", "\\$(");

/** The 1-based column of a name that stands by itself; `undefined` if there is none. */
export function wordColumn(text: string, name: string): number | undefined {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = [text.charAt(at - 1), text.charAt(at + name.length)];
    if (!around.some((each) => /[\p{L}\p{N}_$]/u.test(each))) return at + 1;
  }
  return undefined;
}

export const looksLikeHtml = (text: string): boolean =>
  /^\s*<(!doctype|html|head|body|\?xml|!--|[a-z]+[\s>])/i.test(text);

/**
 * Removes certain characters from the end of a text. A regular expression such as /x+$/ starts again at every x, which
 * is quadratic for hostile text.
 */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
