// Rules in the syntax of .gitignore, plus {a,b}. A path is held against all of them name by name, in one go: what it
// costs grows with the path, not with the square of it. Knows no files.
import { trimEnd } from "../util/trim-end.ts";
import { BrokenPattern, type NamePattern, readNamePattern } from "./name-pattern.ts";

/** Asked with a path relative to the rules' own folder, `/` between the names. */
export interface IgnoreRules {
  /** True also for everything in an ignored folder, whatever later rules say of it. */
  ignores(path: string, isFolder: boolean): boolean;
  /** What the rules say of this path alone; `undefined` when none fits. */
  verdict(path: string, isFolder: boolean): Verdict | undefined;
}

type Verdict = "ignore" | "keep";

/** One name of a path, or `**`: any number of names. */
type Segment = NamePattern | "**";

interface Rule {
  readonly segments: readonly Segment[];
  /** One name that fits at any depth: most rules are this. */
  readonly anywhere: NamePattern | undefined;
  /** Which segments may come first. */
  readonly start: readonly number[];
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
const maxAlternatives = 256;
/** Every path is held against every rule: a repository could bring a million of them. */
const maxRules = 5000;
const maxLetters = 200_000;
/** Of patterns with `?` and `[…]`, which are held against a name letter by letter, and of those with more than one `**`. */
const maxWeight = 2500;
/** No path is as long. */
const longestLine = 4096;

export function readIgnoreRules(lines: readonly string[], options: IgnoreOptions = {}): IgnoreRules {
  const { fold = (text) => text, tolerant = false } = options;
  const rules = readRules(lines, fold, tolerant);
  /** Where the rules stand in the folder that was asked about last: most questions are about all that one folder holds. */
  let known: { readonly folder: string; readonly way: Way } | undefined;
  const wayInto = (folder: string): Way => {
    if (folder !== known?.folder) known = { folder, way: goInto(rules, outset, fold(folder).split("/")) };
    return known.way;
  };
  /** The last name, and how far the rules have come before it. */
  const lead = (path: string): readonly [way: Way, name: string] => {
    const cut = path.lastIndexOf("/");
    const way = cut < 0 ? outset : wayInto(path.slice(0, cut));
    // What stands for a name may be more than one.
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
    // A line with too many alternatives gives no rule and has cost as much as they would.
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

/** A blank behind a backslash is part of the name. */
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
  // `a/**` is everything in `a`, not `a` itself.
  if (segments.at(-1) === "**") segments.push(readNamePattern("*", pattern));
  // A pattern of one name fits at any depth; a slash ties it to the folder of its file.
  const anchored = pattern.startsWith("/") || path.includes("/");
  const name = segments.at(-1);
  const anywhere = !anchored && segments.length === 1 && name !== "**" ? name : undefined;
  const all: readonly Segment[] = anchored ? segments : ["**", ...segments];
  const start: number[] = [];
  reach(start, all, 0);
  return { segments: all, anywhere, start, keeps, foldersOnly };
}

/** `*.{pem,key}` is two patterns. */
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

/** How far the rules have come with the names of a folder, each of them at some of its segments. */
interface Way {
  readonly reached: ReadonlyMap<Rule, readonly number[]>;
  /** It, or a folder that it is in. */
  readonly isIgnored: boolean;
}

const outset: Way = { reached: new Map(), isIgnored: false };

function goInto(rules: readonly Rule[], from: Way, names: readonly string[]): Way {
  let way = from;
  for (const name of names) {
    const isIgnored = way.isIgnored || verdictOf(rules, way, name, true) === "ignore";
    const reached = new Map<Rule, readonly number[]>();
    for (const rule of rules) if (rule.anywhere === undefined) reached.set(rule, goOn(rule, way, name));
    way = { reached, isIgnored };
  }
  return way;
}

/** What the rules say of this name there: the last one that fits decides. */
function verdictOf(rules: readonly Rule[], way: Way, name: string, isFolder: boolean): Verdict | undefined {
  for (let at = rules.length - 1; at >= 0; at--) {
    const rule = rules[at];
    if (rule === undefined || (rule.foldersOnly && !isFolder)) continue;
    const fits = rule.anywhere?.fits(name) ?? goOn(rule, way, name).at(-1) === rule.segments.length;
    if (fits) return rule.keeps ? "keep" : "ignore";
  }
  return undefined;
}

/** One name more: which segments the rule has reached then; where it has reached their end, it fits. */
function goOn(rule: Rule, { reached }: Way, name: string): readonly number[] {
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

/** Notes a position, in rising order, and what follows where `**` stands for no name at all. */
function reach(reached: number[], segments: readonly Segment[], from: number): void {
  for (let position = from; ; position++) {
    if (position > (reached.at(-1) ?? -1)) reached.push(position);
    if (segments[position] !== "**") return;
  }
}
