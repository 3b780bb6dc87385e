// Foreign text inside a sentence of ours: short, on one line, and with nothing in it that cannot be seen.
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

export function quote(text: string): string {
  const visible = text.replace(unseen, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
  return `"${visible.length > 120 ? `${visible.slice(0, 119)}…` : visible}"`;
}
