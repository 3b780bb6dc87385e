// HTML's named characters ("&copy;"), decoded by the browser, which has the list; markdown-it would bring a copy of 23
// KB. The build replaces markdown-it's package `entities` with this file.

/** Enough for all that HTML knows and as many that it does not. */
const maxKept = 5000;
const kept = new Map<string, string>();
const reader = new DOMParser();

/** Returns `reference` unchanged if it names nothing. Expects "&", letters and digits, ";". */
export function decodeHTMLStrict(reference: string): string {
  const known = kept.get(reference);
  if (known !== undefined) return known;
  if (kept.size >= maxKept) kept.clear();
  const named = read(reference);
  kept.set(reference, named);
  return named;
}

function read(reference: string): string {
  // Anything that is not a reference is never parsed as HTML. The letter in front preserves leading white space.
  if (!/^&[a-z][a-z0-9]*;$/i.test(reference)) return reference;
  const { textContent } = reader.parseFromString(`x${reference}`, "text/html").body;
  // "&copyleft;" is no name, but HTML accepts "&copy" without a semicolon; then the semicolon remains in the result.
  const isWhole = !textContent.endsWith(";") || reference === "&semi;";
  return isWhole ? textContent.slice(1) : reference;
}
