// A text without certain characters at its end. A regular expression such as /x+$/ looks from every x again, which is
// quadratic in text that somebody else wrote.

export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
