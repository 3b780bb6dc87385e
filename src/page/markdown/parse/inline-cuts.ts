// Finds where a long text can be cut so that its parts, parsed one by one, mean the same as the whole: after a space
// with nothing open before it, whatever follows. Deliberately strict: where this is not certain there is no cut, which
// only costs time (a property test compares the parts with the whole).
import { formulaAt, mathReach } from "./math-rules.ts";

interface CutOptions {
  readonly math: boolean;
  /** Minimum length of a part. */
  readonly shortest: number;
}

interface Scan {
  readonly text: string;
  readonly math: boolean;
  /** Brackets and emphasis runs that are not closed yet. */
  readonly opened: string[];
}

/** The end of the construct at a position; "undecided" if it, or what follows, can still become anything. */
type Step = number | "undecided";

/**
 * Returns the first cut after `from`, which is the beginning of the text or another cut. It never moves when text is
 * added.
 */
export function nextCut(text: string, from: number, { math, shortest }: CutOptions): number | undefined {
  if (text.length - from <= shortest) return undefined;
  const scan: Scan = { text, math, opened: [] };
  for (let at = from; at < text.length; ) {
    const isFree = scan.opened.length === 0 && at - from >= shortest;
    if (isFree && isGap(text, at)) return at;
    const step = stepAt(scan, at);
    if (step === "undecided") return undefined;
    at = step;
  }
  return undefined;
}

/**
 * Between a space or line break and a word, or after a Chinese or Japanese punctuation mark, since those scripts have
 * no spaces.
 */
function isGap(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  if (before === "\n") return /[^\s]/.test(text.charAt(at));
  if (before === " ") return /[^\s]/.test(text.charAt(at)) && /[^\s\\]/.test(text.charAt(at - 2));
  return /[\u3001\u3002\uFF01\uFF0C\uFF1A\uFF1B\uFF1F]/.test(before) && cjk.test(text.charAt(at));
}

const cjk = /[\u3040-\u30FF\u3400-\u4DBF\u4E00-\u9FFF]/;

function stepAt(scan: Scan, at: number): Step {
  const { text, math } = scan;
  switch (text.charAt(at)) {
    case "\\":
      if (math && /[([]/.test(text.charAt(at + 1))) return afterFormula(text, at, 2);
      return at + 2;
    case "$":
      if (!math || (text.charAt(at + 1) !== "$" && /[\w$]/.test(text.charAt(at - 1)))) return at + 1;
      return afterFormula(text, at, 1);
    case "`":
      return afterCode(text, at);
    case "[":
      scan.opened.push("[");
      return at + 1;
    case "]":
      return afterBracket(scan, at);
    case "*":
    case "_":
    case "~":
      return afterEmphasis(scan, at);
    case "<":
      return afterAngle(text, at);
    case ":":
      return text.startsWith("://", at) ? afterScheme(text, at) : at + 1;
    default:
      return at + 1;
  }
}

function runAt(text: string, at: number): string {
  let end = at;
  while (text.charAt(end) === text.charAt(at)) end += 1;
  return text.slice(at, end);
}

/** Only a word between angle brackets is an address. */
function afterAngle(text: string, at: number): Step {
  const length = text.slice(at + 1).search(/[\s<>]/);
  const end = at + 1 + length;
  if (length === -1) return "undecided";
  if (text.charAt(end) !== ">") return at + 1;
  return isQuiet(text.slice(at + 1, end)) ? end : "undecided";
}

/** An address includes every character up to white space, except punctuation at its end. */
function afterScheme(text: string, at: number): Step {
  const length = text.slice(at).search(/[\s\u3000-\u303F\uFF01-\uFF65]/);
  const word = text.slice(at, at + length).replace(/(?<![?!.,:*_~'"`)\]}])[?!.,:*_~'"`)\]}]+$/, "");
  return length === -1 || !isQuiet(word) ? "undecided" : at + 1;
}

/** Nothing in the word could pair with a marker outside of it. */
const isQuiet = (word: string): boolean => !/[*`~[\]\\$<]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u.test(word);

function afterFormula(text: string, at: number, opener: number): Step {
  const reached = text.slice(at, at + mathReach);
  const found = formulaAt(reached);
  // Whether a dollar sign closes a formula depends on what follows it.
  if (found !== undefined) return found.length < reached.length ? at + found.length : "undecided";
  return reached.length === mathReach ? at + opener : "undecided";
}

function afterCode(text: string, at: number): Step {
  const { length } = runAt(text, at);
  for (let end = text.indexOf("`", at + length); end !== -1; ) {
    const run = runAt(text, end);
    if (end + run.length === text.length) return "undecided";
    if (run.length === length) return end + length;
    end = text.indexOf("`", end + run.length);
  }
  return "undecided";
}

function afterBracket({ text, opened }: Scan, at: number): Step {
  if (opened.length === 0) return at + 1;
  if (opened.pop() !== "[" || at + 1 === text.length) return "undecided";
  if (text.charAt(at + 1) !== "(") return at + 1;
  let depth = 0;
  for (let end = at + 1; end < text.length; end += 1) {
    const character = text.charAt(end);
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === "\n") return "undecided";
    if (depth === 0) return isQuiet(text.slice(at + 1, end)) ? end + 1 : "undecided";
  }
  return "undecided";
}

type Neighbour = "space" | "mark" | "letter" | "unclear";

/** `characters` are the neighbours of a run, the adjacent one first. */
function neighbour([character]: readonly string[]): Neighbour {
  if (character === undefined || /[\t-\r \u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/.test(character))
    return "space";
  if (/[\s\p{Cs}]/u.test(character)) return "unclear";
  return /[\p{P}\p{S}]/u.test(character) ? "mark" : "letter";
}

/** Applies CommonMark's flanking rules. Runs that do not pair one to one leave everything undecided. */
function afterEmphasis({ text, opened }: Scan, at: number): Step {
  const run = runAt(text, at);
  const end = at + run.length;
  if (end === text.length) return "undecided";
  if (run.startsWith("~") && run.length !== 2) return end;
  const before = neighbour([...text.slice(Math.max(0, at - 2), at)].reverse());
  const after = neighbour([...text.slice(end, end + 2)]);
  if (before === "unclear" || after === "unclear") return "undecided";
  const left = after !== "space" && (after !== "mark" || before !== "letter");
  const right = before !== "space" && (before !== "mark" || after !== "letter");
  const isWord = run.startsWith("_");
  const opens = left && (!isWord || !right || before === "mark");
  const closes = right && (!isWord || !left || after === "mark");
  if (closes && opened.length > 0) return opened.pop() === run ? end : "undecided";
  if (opens) opened.push(run);
  return end;
}
