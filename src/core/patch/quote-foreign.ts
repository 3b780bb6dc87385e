// Foreign text inside a sentence of ours: short, on one line, and with nothing in it that cannot be seen.
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

const longest = 120;

export function quote(text: string): string {
  // Cut first: what nobody sees of a long line is not spelled out either.
  const visible = text
    .slice(0, longest + 1)
    .replace(unseen, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
  return `"${visible.length > longest ? `${visible.slice(0, longest - 1)}…` : visible}"`;
}
