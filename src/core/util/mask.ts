// Removes a secret from any text, however it was cut or encoded: a server that quotes half a key, a header dumped
// as base64. Also removes what looks like a credential although it is not ours.

export type Mask = (text: string) => string;

export const maskedText = "[hidden]";

/** Shorter pieces of a key say little and would hide innocent words. */
const gram = 8;

export function createMask(secret: string): Mask {
  const forms = [secret, encodeURIComponent(secret), ...base64Forms(secret)];
  const grams = new Set<string>();
  for (const form of forms) {
    for (let at = 0; at + gram <= form.length; at++) grams.add(form.slice(at, at + gram));
  }
  return (text) => {
    const without = secret.length >= 4 && secret.length < gram ? text.replaceAll(secret, maskedText) : text;
    return maskPatterns(maskGrams(without, grams));
  };
}

function maskGrams(text: string, grams: ReadonlySet<string>): string {
  if (grams.size === 0) return text;
  let masked = "";
  let copied = 0;
  let at = 0;
  while (at + gram <= text.length) {
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

/** Base64 of a text depends on how many bytes stand before it: three forms, without their shared edges. */
function base64Forms(secret: string): string[] {
  return ["base64", "base64url"].flatMap((encoding) =>
    [0, 1, 2].map((before) => {
      const text = Buffer.from("\0".repeat(before) + secret).toString(encoding as "base64" | "base64url");
      const clean = text.replace(/=+$/, "");
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
    .replace(/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+/g, maskedText)
    .replace(
      /\b(api[-_ ]?key|authorization|password|secret)(["']?\s*[:=]\s*["']?)[^\s"',;]{6,}/gi,
      `$1$2${maskedText}`,
    );
}
