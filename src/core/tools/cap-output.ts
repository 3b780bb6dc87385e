// What a tool answers is capped once, when it is made: later, it would change bytes that were already sent and
// with them the cached prefix (requirements E13).

export const maxOutputBytes = 64 * 1024;
/** Of all outputs that go back together: a model may make many calls at once, and each is sent at a person's expense. */
const maxTogether = 1024 * 1024;

/** What each of so many outputs may have. */
export const shareOf = (outputs: number): number =>
  Math.min(maxOutputBytes, Math.floor(maxTogether / outputs));

/** Beginning and end, with the number of bytes that are missing between them. */
export function capOutput(text: string, most = maxOutputBytes): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  const tailBytes = most >> 2;
  const headEnd = startOfCharacter(bytes, most - tailBytes);
  const tailStart = startOfCharacter(bytes, bytes.length - tailBytes);
  const cut = `\n[… ${tailStart - headEnd} bytes are left out here …]\n`;
  return bytes.toString("utf8", 0, headEnd) + cut + bytes.toString("utf8", tailStart);
}

/** UTF-8: bytes 10xxxxxx continue a character. */
function startOfCharacter(bytes: Buffer, position: number): number {
  let at = position;
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--;
  return at;
}
