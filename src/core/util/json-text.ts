// Steps over what stands in a JSON text, without reading it: blanks and strings. Linear, whatever is in them.

export function skipBlank(json: string, from: number): number {
  let at = from;
  while (json.charCodeAt(at) <= 32) at++;
  return at;
}

/** Behind the string that begins here; the end of a text that ends before it. */
export function skipString(json: string, from: number): number {
  const end = endOfString(json, from);
  return end === undefined ? json.length : end + 1;
}

const backslash = 0x5c;

/** Where the quote stands that ends the string which begins here. */
export function endOfString(json: string, from: number): number | undefined {
  for (let at = from + 1; ; ) {
    const end = json.indexOf('"', at);
    if (end === -1) return undefined;
    let slashes = 0;
    while (end - 1 - slashes >= at && json.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return end;
    at = end + 1;
  }
}
