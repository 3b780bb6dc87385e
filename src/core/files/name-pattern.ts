// One name of a path held against one pattern of .gitignore: `*`, `?`, `[a-z]`. Without regular expressions: patterns
// come from repositories, and `*a*a*a*a*b` must not be able to hang the editor.

/** A pattern that cannot be read. Rules that keep secrets must not skip it. */
export class BrokenPattern extends Error {
  override readonly name = "BrokenPattern";
  readonly pattern: string;

  constructor(pattern: string) {
    super(`The pattern "${pattern}" cannot be read.`);
    this.pattern = pattern;
  }
}

export interface NamePattern {
  fits(name: string): boolean;
  /** How much it costs to hold a letter against it: 0 where the engine's own search does it. */
  readonly weight: number;
}

type Token =
  | { readonly kind: "letter"; readonly letter: string }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  | {
      readonly kind: "set";
      readonly inverted: boolean;
      readonly ranges: readonly (readonly [string, string])[];
    };

/** `whole` is the pattern that an error names. */
export function readNamePattern(name: string, whole: string): NamePattern {
  // Most patterns are names; a file of rules may hold thousands.
  if (!/[*?[\\]/.test(name)) return { fits: (other) => other === name, weight: 0 };
  const tokens = readTokens(name, whole);
  const isPlain = tokens.every(({ kind }) => kind === "letter" || kind === "star");
  if (!isPlain) return { fits: (other) => matchTokens(tokens, [...other]), weight: tokens.length };
  const pieces = [""];
  for (const token of tokens) {
    if (token.kind === "star") pieces.push("");
    else pieces[pieces.length - 1] += token.kind === "letter" ? token.letter : "";
  }
  return { fits: (other) => matchPieces(pieces, other), weight: 0 };
}

function readTokens(name: string, whole: string): Token[] {
  const letters = [...name];
  const tokens: Token[] = [];
  for (let index = 0; index < letters.length; index++) {
    const letter = letters[index] ?? "";
    if (letter === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else if (letter === "?") tokens.push({ kind: "any" });
    else if (letter === "[") {
      const isInverted = letters[index + 1] === "!" || letters[index + 1] === "^";
      const end = letters.indexOf("]", index + (isInverted ? 3 : 2));
      if (end < 0) throw new BrokenPattern(whole);
      tokens.push(readSet(letters.slice(index + 1, end)));
      index = end;
    } else if (letter === "\\") {
      index++;
      const escaped = letters[index];
      if (escaped === undefined) throw new BrokenPattern(whole);
      tokens.push({ kind: "letter", letter: escaped });
    } else tokens.push({ kind: "letter", letter });
  }
  return tokens;
}

function readSet(letters: readonly string[]): Token {
  const inverted = letters[0] === "!" || letters[0] === "^";
  const ranges: [string, string][] = [];
  for (let index = inverted ? 1 : 0; index < letters.length; index++) {
    const from = letters[index] ?? "";
    const to = letters[index + 1] === "-" ? letters[index + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) index += 2;
  }
  return { kind: "set", inverted, ranges };
}

/** The texts between the stars: the first and the last stand at their ends, the others anywhere between, in order. */
function matchPieces([first = "", ...others]: readonly string[], name: string): boolean {
  const last = others.pop();
  if (last === undefined) return name === first;
  const end = name.length - last.length;
  if (end < first.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = name.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

/** Going back to the last star only keeps it quadratic at worst. */
function matchTokens(tokens: readonly Token[], letters: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let index = 0; index < letters.length; ) {
    const token = tokens[at];
    if (token?.kind === "star") {
      star = at++;
      resume = index;
    } else if (token !== undefined && matchLetter(token, letters[index] ?? "")) {
      at++;
      index++;
    } else if (star >= 0) {
      at = star + 1;
      index = ++resume;
    } else return false;
  }
  return tokens.slice(at).every(({ kind }) => kind === "star");
}

function matchLetter(token: Token, letter: string): boolean {
  if (token.kind === "letter") return token.letter === letter;
  if (token.kind !== "set") return true;
  return token.ranges.some(([from, to]) => from <= letter && letter <= to) !== token.inverted;
}
