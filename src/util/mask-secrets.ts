// Removes a secret from any text, however it was cut or encoded: a server that quotes half a key, a header dumped as
// base64. Also removes what looks like someone else's credential. The text is cut first, so that its author does not
// control how long the search takes.
import { plainText, trimEnd } from "./text.ts";

/** Searches and returns at most `most` characters of the text. */
export type Mask = (text: string, most?: number) => string;

export const maskedText = "[hidden]";
const maxMasked = 64 * 1024;

/** For a sentence on screen or a line in the log. */
export const maskedWords = (mask: Mask, text: string, limit: number): string =>
  plainText(mask(text, 4 * limit), limit);

/** No secret is longer. */
const longestSecret = 4096;

/** Cuts a text without the word at its end, because half of a secret would not be recognized. */
export function cutBeforeWord(text: string): string {
  const least = Math.max(0, text.length - longestSecret);
  let end = text.length;
  while (end > least && /[\w.~+/=%-]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Shorter pieces of a key reveal little, and masking them would hide innocent words. */
export const gram = 8;

export function createMask(secret: string): Mask {
  // Without a secret only the patterns apply: the log needs a mask before anybody has entered a key.
  const pieces = secret === "" ? undefined : piecesOf(secret);
  return (text, most = maxMasked) => {
    const begun = text.length <= most ? text : `${cutBeforeWord(text.slice(0, most))}…`;
    const without = secret.length >= 4 && secret.length < gram ? begun.replaceAll(secret, maskedText) : begun;
    return maskPatterns(pieces === undefined ? without : maskPieces(without, pieces));
  };
}

interface Pieces {
  readonly grams: ReadonlySet<string>;
  /** 1 for every two characters that are adjacent in the secret. */
  readonly pairs: Uint8Array;
}

function piecesOf(secret: string): Pieces {
  const grams = new Set<string>();
  const pairs = new Uint8Array(2 ** 16);
  for (const form of [secret, encodeURIComponent(secret), ...base64Forms(secret)]) {
    for (let at = 0; at + gram <= form.length; at++) grams.add(form.slice(at, at + gram));
    for (let at = 0; at + 2 <= form.length; at++) pairs[pairAt(form, at)] = 1;
  }
  return { grams, pairs };
}

/** An index for the two characters there; it may collide for different pairs, but is equal for equal ones. */
const pairAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) << 8) ^ text.charCodeAt(at + 1)) & 0xffff;

/** A piece of a secret ends in two characters that are adjacent in it, which few positions of a text do. */
function maskPieces(text: string, { grams, pairs }: Pieces): string {
  let masked = "";
  let copied = 0;
  let at = 0;
  while (at + gram <= text.length) {
    if (pairs[pairAt(text, at + gram - 2)] === 0) {
      at += gram - 1;
      continue;
    }
    if (!grams.has(text.slice(at, at + gram))) {
      at++;
      continue;
    }
    let end = at + gram;
    while (end < text.length && grams.has(text.slice(end - gram + 1, end + 1))) end++;
    masked += text.slice(copied, at) + maskedText;
    copied = end;
    at = end;
  }
  return masked + text.slice(copied);
}

/**
 * Base64 of a text depends on the number of bytes before it: three forms, without the edges they share with other
 * bytes.
 */
export function base64Forms(secret: string): string[] {
  return ["base64", "base64url"].flatMap((encoding) =>
    [0, 1, 2].map((before) => {
      const text = Buffer.from("\0".repeat(before) + secret).toString(encoding as "base64" | "base64url");
      const clean = trimEnd(text, "=");
      const head = before === 0 ? 0 : before + 1;
      const tail = (before + secret.length) % 3 === 0 ? 0 : 1;
      return clean.slice(head, clean.length - tail);
    }),
  );
}

function maskPatterns(text: string): string {
  return text
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${maskedText}`)
    .replace(/\b(sk|pk|rk|key|token)[-_][\w-]{12,}/gi, maskedText)
    .replace(/(?<![\w-])[\w-]+(?:\.[\w-]+){2,}/g, maskTokens)
    .replace(
      /\b(api[-_ ]?key|authorization|password|secret)(["']?\s*[:=]\s*["']?)[^\s"',;]{6,}/gi,
      `$1$2${maskedText}`,
    );
}

/** Removes JSON web tokens: three words joined by dots, the first of which begins like the encoding of `{"`. */
function maskTokens(joined: string): string {
  if (!joined.includes("eyJ")) return joined;
  const words = joined.split(".");
  const kept: string[] = [];
  for (let at = 0; at < words.length; ) {
    const first = words[at] ?? "";
    const second = words[at + 1] ?? "";
    const start = first.startsWith("eyJ") ? 0 : first.indexOf("-eyJ") + 1;
    const begins = first.startsWith("eyJ", start) && first.length - start >= 11 && second.length >= 8;
    const isToken = begins && at + 2 < words.length;
    kept.push(isToken ? first.slice(0, start) + maskedText : first);
    at += isToken ? 3 : 1;
  }
  return kept.join(".");
}
