// Takes secrets out of a text: known ones by value, in plain form and in base64; unknown ones by their shape.

const mask = "[removed]";
const shapes = [/\bBearer\s+[^\s"',;]+/gi, /\b(?:sk|pk|key)[-_][A-Za-z0-9_-]{12,}/g];

export function redact(text: string, secrets: Iterable<string>): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length === 0) continue;
    for (const form of [secret, encodeURIComponent(secret), btoa(secret)])
      clean = clean.replaceAll(form, mask);
  }
  for (const shape of shapes) clean = clean.replaceAll(shape, mask);
  return clean;
}
