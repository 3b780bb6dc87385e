// Rules in the syntax of .gitignore, plus {a,b}. Matches a path against all rules in one pass over its names, so the
// cost grows linearly with the path. Knows no files.
import { forLog } from "./sentences.ts";
import { trimEnd } from "./text.ts";

/** A pattern that cannot be parsed. Rules that protect secrets must not skip it. */
export class BrokenPattern extends Error {
  override readonly name = "BrokenPattern";
  readonly pattern: string;

  constructor(pattern: string) {
    super(forLog(`The pattern "${pattern}" cannot be read.`));
    this.pattern = pattern;
  }
}

/**
 * Matches one name of a path against one pattern: `*`, `?`, `[a-z]`. Does not use regular expressions: patterns come
 * from repositories, and `*a*a*a*a*b` must not be able to hang the editor.
 */
interface NamePattern {
  fits(name: string): boolean;
  /** The cost of matching one letter; 0 if the engine's own search does it. */
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

/** `whole`: the pattern to name in an error. */
function readNamePattern(name: string, whole: string): NamePattern {
  // Most patterns are plain names, and an ignore file may contain thousands.
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

/**
 * Matches the texts between stars: the first and last one at the ends of the name, the others anywhere between, in
 * order.
 */
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

/** Backtracks to the last star only, which is at most quadratic. */
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

/** Takes paths relative to the folder of the rules, with `/` between names. */
export interface IgnoreRules {
  /** Also true for everything in an ignored folder, regardless of later rules. */
  ignores(path: string, isFolder: boolean): boolean;
  /** What the rules say about this path alone; `undefined` if none matches. */
  verdict(path: string, isFolder: boolean): Verdict | undefined;
}

type Verdict = "ignore" | "keep";

/** A pattern for one name of a path, or `**` for any number of names. */
type Segment = NamePattern | "**";

interface Rule {
  readonly segments: readonly Segment[];
  /** A single-name pattern that matches at any depth, as most rules are. */
  readonly anywhere: NamePattern | undefined;
  /** Indexes of segments that may match first. */
  readonly start: readonly number[];
  readonly keeps: boolean;
  readonly foldersOnly: boolean;
}

interface IgnoreOptions {
  /** Normalizes names that count as the same, for example by letter case. */
  readonly fold?: (text: string) => string;
  /** Skips invalid lines, as Git does, instead of throwing BrokenPattern. */
  readonly tolerant?: boolean;
}

/** More alternatives than a person would write. */
const maxAlternatives = 256;
/** Every path is matched against every rule, and a repository could contain a million of them. */
const maxRules = 5000;
const maxLetters = 200_000;
/** Limit for patterns with `?` and `[…]`, which are matched letter by letter, and for those with more than one `**`. */
const maxWeight = 2500;
/** No path is as long. */
const longestLine = 4096;

export function readIgnoreRules(lines: readonly string[], options: IgnoreOptions = {}): IgnoreRules {
  const { fold = (text) => text, tolerant = false } = options;
  const rules = readRules(lines, fold, tolerant);
  /**
   * The state of the rules in the folder that was asked about last. Consecutive questions are usually about the
   * contents of one folder.
   */
  let known: { readonly folder: string; readonly way: RuleProgress } | undefined;
  const wayInto = (folder: string): RuleProgress => {
    if (folder !== known?.folder) known = { folder, way: goInto(rules, outset, fold(folder).split("/")) };
    return known.way;
  };
  /** Returns the last name and the state of the rules before it. */
  const lead = (path: string): readonly [way: RuleProgress, name: string] => {
    const cut = path.lastIndexOf("/");
    const way = cut < 0 ? outset : wayInto(path.slice(0, cut));
    // Folding may turn one name into several.
    const names = fold(path.slice(cut + 1)).split("/");
    const name = names.pop() ?? "";
    return [goInto(rules, way, names), name];
  };
  return {
    ignores(path, isFolder) {
      const [way, name] = lead(path);
      return way.isIgnored || verdictOf(rules, way, name, isFolder) === "ignore";
    },
    verdict(path, isFolder) {
      const [way, name] = lead(path);
      return verdictOf(rules, way, name, isFolder);
    },
  };
}

function readRules(lines: readonly string[], fold: (text: string) => string, tolerant: boolean): Rule[] {
  const rules: Rule[] = [];
  let letters = 0;
  let weight = 0;
  for (const line of lines) {
    const read = readLine(line, fold, tolerant);
    // A line with too many alternatives yields no rule, but has cost as much as they would.
    letters += Math.max(read.length, line.includes("{") ? maxAlternatives / 8 : 1) * line.length;
    for (const rule of read) weight += weightOf(rule);
    if (rules.length + read.length > maxRules || letters > maxLetters || weight > maxWeight) {
      if (tolerant) return rules;
      throw new BrokenPattern(line.slice(0, 100));
    }
    rules.push(...read);
  }
  return rules;
}

function weightOf({ segments }: Rule): number {
  const letters = segments.reduce((sum, each) => sum + (each === "**" ? 0 : each.weight), 0);
  return letters + (segments.filter((each) => each === "**").length > 1 ? segments.length : 0);
}

function readLine(line: string, fold: (text: string) => string, tolerant: boolean): Rule[] {
  try {
    if (line.length > longestLine) throw new BrokenPattern(`${line.slice(0, 100)}…`);
    const trimmed = withoutBlanks(line.endsWith("\r") ? line.slice(0, -1) : line);
    if (trimmed === "" || trimmed.startsWith("#")) return [];
    const keeps = trimmed.startsWith("!");
    return alternatives(keeps ? trimmed.slice(1) : trimmed).map((pattern) => readRule(fold(pattern), keeps));
  } catch (error) {
    if (tolerant && error instanceof BrokenPattern) return [];
    throw error;
  }
}

/** Trims trailing blanks, except a blank after a backslash, which belongs to the name. */
function withoutBlanks(line: string): string {
  const trimmed = trimEnd(line, " ");
  return trimmed.endsWith("\\") ? line.slice(0, trimmed.length + 1) : trimmed;
}

function readRule(pattern: string, keeps: boolean): Rule {
  const foldersOnly = pattern.endsWith("/");
  const path = trimEnd(pattern.startsWith("/") ? pattern.slice(1) : pattern, "/");
  if (path === "") throw new BrokenPattern(pattern);
  const segments = path
    .split("/")
    .filter((name, at, all) => name !== "**" || all[at - 1] !== "**")
    .map((name): Segment => (name === "**" ? "**" : readNamePattern(name, pattern)));
  // `a/**` matches everything in `a`, but not `a` itself.
  if (segments.at(-1) === "**") segments.push(readNamePattern("*", pattern));
  // A pattern of one name matches at any depth; a slash anchors it to the folder of its file.
  const anchored = pattern.startsWith("/") || path.includes("/");
  const name = segments.at(-1);
  const anywhere = !anchored && segments.length === 1 && name !== "**" ? name : undefined;
  const all: readonly Segment[] = anchored ? segments : ["**", ...segments];
  const start: number[] = [];
  reach(start, all, 0);
  return { segments: all, anywhere, start, keeps, foldersOnly };
}

/** Expands `*.{pem,key}` to two patterns. */
function alternatives(pattern: string): string[] {
  if (!pattern.includes("{")) return [pattern];
  const open = [pattern];
  const finished: string[] = [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const brace = /(?<!\\)\{([^{}]*)\}/.exec(next);
    if (brace === null) finished.push(next);
    else {
      const [before, after] = [next.slice(0, brace.index), next.slice(brace.index + brace[0].length)];
      for (const choice of (brace[1] ?? "").split(",")) open.push(before + choice + after);
    }
    if (finished.length + open.length > maxAlternatives) throw new BrokenPattern(pattern);
  }
  return finished;
}

/** The state of all rules after the names of a folder: which segments each has reached. */
interface RuleProgress {
  readonly reached: ReadonlyMap<Rule, readonly number[]>;
  /** The folder or one of its ancestors is ignored. */
  readonly isIgnored: boolean;
}

const outset: RuleProgress = { reached: new Map(), isIgnored: false };

function goInto(rules: readonly Rule[], from: RuleProgress, names: readonly string[]): RuleProgress {
  let way = from;
  for (const name of names) {
    const isIgnored = way.isIgnored || verdictOf(rules, way, name, true) === "ignore";
    const reached = new Map<Rule, readonly number[]>();
    for (const rule of rules) if (rule.anywhere === undefined) reached.set(rule, goOn(rule, way, name));
    way = { reached, isIgnored };
  }
  return way;
}

/** The verdict on this name there; the last matching rule decides. */
function verdictOf(
  rules: readonly Rule[],
  way: RuleProgress,
  name: string,
  isFolder: boolean,
): Verdict | undefined {
  for (let at = rules.length - 1; at >= 0; at--) {
    const rule = rules[at];
    if (rule === undefined || (rule.foldersOnly && !isFolder)) continue;
    const fits = rule.anywhere?.fits(name) ?? goOn(rule, way, name).at(-1) === rule.segments.length;
    if (fits) return rule.keeps ? "keep" : "ignore";
  }
  return undefined;
}

/** Advances a rule by one name and returns the segments it has reached. If the end is among them, the rule matches. */
function goOn(rule: Rule, { reached }: RuleProgress, name: string): readonly number[] {
  const { segments } = rule;
  const before = reached.get(rule) ?? rule.start;
  if (before.length === 0) return before;
  const next: number[] = [];
  for (const position of before) {
    const segment = segments[position];
    if (segment === "**") reach(next, segments, position);
    else if (segment?.fits(name)) reach(next, segments, position + 1);
  }
  return next;
}

/** Adds a position in ascending order, and the following one if `**` can match no name. */
function reach(reached: number[], segments: readonly Segment[], from: number): void {
  for (let position = from; ; position++) {
    if (position > (reached.at(-1) ?? -1)) reached.push(position);
    if (segments[position] !== "**") return;
  }
}
