// Rules in the syntax of .gitignore, plus {a,b}. Matched without regular expressions: patterns come from
// repositories, and `*a*a*a*a*b` must not be able to hang the editor. Knows no files.

/** Asked with a path relative to the rules' own folder, `/` between the names. */
export interface IgnoreRules {
  /** True also for everything in an ignored folder, whatever later rules say of it. */
  ignores(path: string, isFolder: boolean): boolean;
  /** What the rules say of this path alone; `undefined` when none fits. */
  verdict(path: string, isFolder: boolean): "ignore" | "keep" | undefined;
}

/** A pattern that cannot be read. Rules that keep secrets must not skip it. */
export class BrokenPattern extends Error {
  override readonly name = "BrokenPattern";
  readonly pattern: string;

  constructor(pattern: string) {
    super(`The pattern "${pattern}" cannot be read.`);
    this.pattern = pattern;
  }
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

/** One name of a path, or `**`: any number of names. */
type Segment = readonly Token[] | "**";

interface Rule {
  readonly segments: readonly Segment[];
  readonly keeps: boolean;
  readonly foldersOnly: boolean;
}

export interface IgnoreOptions {
  /** What stands for the same name: letter case, for instance. */
  readonly fold?: (text: string) => string;
  /** Leaves broken lines out, as git does, instead of throwing BrokenPattern. */
  readonly tolerant?: boolean;
}

/** More alternatives than a person would write. */
const mostAlternatives = 256;
/** Every path is held against every rule: a repository could bring a million of them. */
const mostRules = 5000;
const mostLetters = 200_000;
/** No path is as long. */
const longestLine = 4096;

export function readIgnoreRules(lines: readonly string[], options: IgnoreOptions = {}): IgnoreRules {
  const { fold = (text) => text, tolerant = false } = options;
  const rules = readRules(lines, fold, tolerant);
  const decide = (names: readonly string[], isFolder: boolean) => {
    // The last rule that fits decides.
    const rule = rules.findLast(
      ({ foldersOnly, segments }) => (isFolder || !foldersOnly) && matchPath(segments, names),
    );
    return rule && (rule.keeps ? "keep" : "ignore");
  };
  return {
    ignores(path, isFolder) {
      const names = fold(path).split("/");
      return names.some(
        (_, index) => decide(names.slice(0, index + 1), isFolder || index + 1 < names.length) === "ignore",
      );
    },
    verdict: (path, isFolder) => decide(fold(path).split("/"), isFolder),
  };
}

function readRules(lines: readonly string[], fold: (text: string) => string, tolerant: boolean): Rule[] {
  const rules: Rule[] = [];
  let letters = 0;
  for (const line of lines) {
    const read = readLine(line, fold, tolerant);
    letters += read.length * line.length;
    if (rules.length + read.length > mostRules || letters > mostLetters) {
      if (tolerant) return rules;
      throw new BrokenPattern(line);
    }
    rules.push(...read);
  }
  return rules;
}

function readLine(line: string, fold: (text: string) => string, tolerant: boolean): Rule[] {
  try {
    if (line.length > longestLine) throw new BrokenPattern(`${line.slice(0, 100)}…`);
    const trimmed = line.replace(/\r$/, "").replace(/(?<!\\) +$/, "");
    if (trimmed === "" || trimmed.startsWith("#")) return [];
    const keeps = trimmed.startsWith("!");
    return alternatives(keeps ? trimmed.slice(1) : trimmed).map((pattern) => readRule(fold(pattern), keeps));
  } catch (error) {
    if (tolerant && error instanceof BrokenPattern) return [];
    throw error;
  }
}

function readRule(pattern: string, keeps: boolean): Rule {
  const foldersOnly = pattern.endsWith("/");
  const path = pattern.replace(/^\//, "").replace(/\/+$/, "");
  if (path === "") throw new BrokenPattern(pattern);
  const segments = path
    .split("/")
    .map((name): Segment => (name === "**" ? "**" : readSegment(name, pattern)));
  // `a/**` is everything in `a`, not `a` itself.
  if (segments.at(-1) === "**") segments.push([{ kind: "star" }]);
  // A pattern of one name fits at any depth; a slash ties it to the folder of its file.
  const anchored = pattern.startsWith("/") || path.includes("/");
  return { segments: anchored ? segments : ["**", ...segments], keeps, foldersOnly };
}

function readSegment(name: string, pattern: string): Token[] {
  const letters = [...name];
  const tokens: Token[] = [];
  for (let index = 0; index < letters.length; index++) {
    const letter = letters[index] ?? "";
    if (letter === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else if (letter === "?") tokens.push({ kind: "any" });
    else if (letter === "[") {
      const end = letters.indexOf(
        "]",
        index + (letters[index + 1] === "!" || letters[index + 1] === "^" ? 3 : 2),
      );
      if (end < 0) throw new BrokenPattern(pattern);
      tokens.push(readSet(letters.slice(index + 1, end)));
      index = end;
    } else if (letter === "\\") {
      index++;
      const escaped = letters[index];
      if (escaped === undefined) throw new BrokenPattern(pattern);
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

/** `*.{pem,key}` is two patterns. */
function alternatives(pattern: string): string[] {
  const open = [pattern];
  const finished: string[] = [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const brace = /(?<!\\)\{([^{}]*)\}/.exec(next);
    if (brace === null) finished.push(next);
    else {
      const [before, after] = [next.slice(0, brace.index), next.slice(brace.index + brace[0].length)];
      for (const choice of (brace[1] ?? "").split(",")) open.push(before + choice + after);
    }
    if (finished.length + open.length > mostAlternatives) throw new BrokenPattern(pattern);
  }
  return finished;
}

const matchPath = (segments: readonly Segment[], names: readonly string[]): boolean =>
  matchWithStars(
    segments,
    names,
    (segment) => segment === "**",
    (segment, name) =>
      matchWithStars(segment as readonly Token[], [...name], ({ kind }) => kind === "star", matchLetter),
  );

function matchLetter(token: Token, letter: string): boolean {
  if (token.kind === "letter") return token.letter === letter;
  if (token.kind !== "set") return true;
  return token.ranges.some(([from, to]) => from <= letter && letter <= to) !== token.inverted;
}

/** Matches things against a pattern with stars; going back to the last star only keeps it quadratic at worst. */
function matchWithStars<P, T>(
  pattern: readonly P[],
  things: readonly T[],
  isStar: (part: P) => boolean,
  fits: (part: P, thing: T) => boolean,
): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let index = 0; index < things.length; ) {
    const part = pattern[at];
    const thing = things[index] as T;
    if (part !== undefined && isStar(part)) {
      star = at++;
      resume = index;
    } else if (part !== undefined && fits(part, thing)) {
      at++;
      index++;
    } else if (star >= 0) {
      at = star + 1;
      index = ++resume;
    } else return false;
  }
  return pattern.slice(at).every(isStar);
}
