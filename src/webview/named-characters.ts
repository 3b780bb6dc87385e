// The characters that HTML knows by name ("&copy;"), asked of the browser: it has the list, and markdown-it would bring
// its own of 23 KB. The build puts this in the place of markdown-it's package `entities`.

/** All that HTML knows and as many that it does not. */
const maxKept = 5000;
const kept = new Map<string, string>();
const reader = new DOMParser();

/** `reference` as it is where it names nothing. Whoever calls has seen that it is "&", letters and digits, ";". */
export function decodeHTMLStrict(reference: string): string {
  const known = kept.get(reference);
  if (known !== undefined) return known;
  if (kept.size >= maxKept) kept.clear();
  const named = read(reference);
  kept.set(reference, named);
  return named;
}

function read(reference: string): string {
  // Nothing that is not a reference is ever read as HTML. A letter comes first: white space would be lost in front.
  if (!/^&[a-z][a-z0-9]*;$/i.test(reference)) return reference;
  const { textContent } = reader.parseFromString(`x${reference}`, "text/html").body;
  // "&copyleft;" is no name, but "&copy" is one that HTML takes without its end: then that end is still there.
  const isWhole = !textContent.endsWith(";") || reference === "&semi;";
  return isWhole ? textContent.slice(1) : reference;
}
