// Tells changes of formatting from changes that mean something.
import { isTorn, saidIn } from "./comments.ts";
import { type Form, type Hunk, joined, type Side } from "./hunk.ts";
import { inLiteral, isIndented, isSpaced, type Language, type Source } from "./source.ts";

/**
 * Detects changes of formatting only: the same words, signs and literals in the same order, with different white space,
 * line breaks, quotes, trailing commas, or semicolons at line ends. In languages where indentation has a meaning, it
 * must be unchanged.
 */
export function isFormat(hunk: Hunk): boolean {
  if (hunk.isDeleted || hunk.removed === hunk.added) return false;
  return isSame(hunk, hunk.language) || hunk.contexts().some((form) => isSameOnce(form, hunk.language));
}

/** Many changes have the same context. */
const known = new WeakMap<Form, boolean>();

function isSameOnce(form: Form, language: Language): boolean {
  const same = known.get(form) ?? isSame(form, language);
  known.set(form, same);
  return same;
}

function isSame({ before, after }: Form, language: Language): boolean {
  const [old, now] = [codeOf(before), codeOf(after)];
  if (!isSameBare(old, now)) return false;
  // White space in a literal is not formatting.
  if (isInLiteral(before) || isInLiteral(after) || isTorn({ before, after }, language)) return false;
  if (language !== "prose" && mixedIn(before) !== mixedIn(after)) return false;
  if (saidIn(before) !== saidIn(after)) return false;
  if (language === "prose") return wordsOf(joined(old)) === wordsOf(joined(now));
  if (isByLine(language))
    return logical(before, language, old).join("\n") === logical(after, language, now).join("\n");
  if (language === "style") return rulesIn(joined(old)) === rulesIn(joined(now));
  if (directivesIn(old, language) !== directivesIn(now, language)) return false;
  if (signsIn(joined(old), language) !== signsIn(joined(now), language)) return false;
  return !endsByLine.has(language) || breaks(old) === breaks(now);
}

/**
 * Whether both are the same without what formatting can change in any language. This alone rules out most changes, and
 * ends at the first other sign: building the bare texts of a whole file would cost more than all other rules.
 */
function isSameBare(old: readonly string[], now: readonly string[]): boolean {
  let [oldRow, nowRow, oldAt, nowAt] = [0, 0, 0, 0];
  let [one, other] = [old[0], now[0]];
  for (;;) {
    while (one !== undefined) {
      while (oldAt < one.length && isFormatting(one.charCodeAt(oldAt))) oldAt += 1;
      if (oldAt < one.length) break;
      one = old[++oldRow];
      oldAt = 0;
    }
    while (other !== undefined) {
      while (nowAt < other.length && isFormatting(other.charCodeAt(nowAt))) nowAt += 1;
      if (nowAt < other.length) break;
      other = now[++nowRow];
      nowAt = 0;
    }
    if (one === undefined || other === undefined) return one === other;
    if (one.charCodeAt(oldAt++) !== other.charCodeAt(nowAt++)) return false;
  }
}

/** Where a line ends, a statement may end as well. */
const endsByLine: ReadonlySet<Language> = new Set<Language>(["script", "go", "java", "swift", "dart"]);
/** Where it always ends there, unless something is open. */
const isByLine = (language: Language): boolean =>
  isIndented(language) || ["shell", "toml", "ruby", "elixir"].includes(language);

/** White space, signs of comments, commas, semicolons and asterisks. */
const isFormatting = (code: number): boolean =>
  code < asciiFormatting.length ? asciiFormatting[code] === 1 : wideBlank.test(String.fromCharCode(code));

const asciiFormatting = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\s,;*]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const wideBlank = /\s/;

const codeOf = ({ source, at }: Side): readonly string[] => source.code.slice(at.first, at.last);

function isInLiteral({ source: { isInside, lines }, at }: Side): boolean {
  // A literal counts for the line on which it begins, so a whole text has all of its literals.
  if (at.first === 0 && at.last === lines.length) return false;
  return isInside.subarray(at.first, Math.max(at.last, at.first + 1)).includes(inLiteral);
}

const wordsOf = (text: string): string => text.replace(/[\s*]+/g, " ").trim();

/** In a selector and between values, blanks have a meaning; beside most signs they have none. */
const rulesIn = (code: string): string =>
  code
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,>]) ?/g, "$1")
    .replace(/ : /g, ":")
    .replace(/: /g, ":")
    .replace(/;(?=\}|$)/g, "")
    .trim();

/** Lines for a preprocessor: where they end, and the blank before a bracket, have a meaning. */
function directivesIn(lines: readonly string[], language: Language): string {
  if (language !== "c" && language !== "csharp" && language !== "swift") return "";
  const found = lines.filter((line) => /^\s*#/.test(line));
  return joined(found.map((line) => line.trim().replace(/\s+/g, " ").replace("# ", "#")));
}

/** Lines with a literal within the code of a literal, or with text between the code of a page: their blanks cannot be told apart. */
function mixedIn({ source: { lines }, at }: Side): string {
  const mixed =
    /(?:[$#]\{|\b(?:[fF][rR]?|[rR][fF])["'][^{}\n]{0,400}\{)[^{}\n]{0,400}["'`]|\\\([^()\n]{0,400}["`]|\}[ \t]+\{|~[a-zA-Z]["'(|/<[{]/;
  const found = lines.slice(at.first, at.last).filter((line) => line.length > 2000 || mixed.test(line));
  return joined(found.map((line) => withoutEdges(line)));
}

/** Without blanks and brackets at its ends. */
function withoutEdges(line: string): string {
  let [from, to] = [0, line.length];
  while (from < to && edges.has(line.charAt(from))) from += 1;
  while (to > from && edges.has(line.charAt(to - 1))) to -= 1;
  return line.slice(from, to);
}

const edges: ReadonlySet<string> = new Set(" \t()[]{},;");

/** Words and signs in their order; signs that are written together may be one operator. */
function signsIn(code: string, language: Language, isInside = false): string {
  if (isSpaced(language)) {
    const parts = language === "shell" ? code.replace(/\([ \t]+\)/g, "()") : code;
    return parts.replace(/\s+/g, " ").trim();
  }
  // The last expression of a block of Rust is its value, unless a semicolon follows.
  const statements = language === "rust" ? code : code.replace(/;(?=[ \t]*(?:[\n}]|$))/g, "");
  // Two of them close types; what is compared or shifted never has blanks between them.
  const types = statements.replace(/>\s+(?=>)/g, ">");
  const signs =
    (language === "c" ? types.replace(/(?<=[\w>])\s*(?=[*&]+[\s\w),])/g, " ") : types).match(
      /[\p{L}\p{N}_$]+|[-+*/%=<>!&|^~?]+|\S/gu,
    ) ?? [];
  return withoutTrailingCommas(signs, language, isInside).join(" ");
}

/** In Python and Rust, `(a,)` is a tuple and `(a)` is not. */
const tuples: ReadonlySet<Language> = new Set<Language>(["python", "rust"]);

function withoutTrailingCommas(
  signs: readonly string[],
  language: Language,
  isInside: boolean,
): readonly string[] {
  const open: { readonly isCall: boolean; commas: number }[] = [];
  return signs.filter((sign, at) => {
    const last = open.at(-1);
    if ("([{".includes(sign)) {
      open.push({ isCall: /[\p{L}\p{N}_$)\]]$/u.test(signs[at - 1] ?? ""), commas: 0 });
    } else if (")]}".includes(sign)) open.pop();
    if (sign !== ",") return true;
    const next = signs[at + 1];
    const isTrailing = next === undefined || /^[)\]}>]/.test(next);
    if (!isTrailing) {
      if (last !== undefined) last.commas += 1;
      return true;
    }
    const isTuple =
      tuples.has(language) &&
      (next === undefined || next === ")") &&
      (last === undefined ? !isInside : !last.isCall && last.commas === 0);
    return isTuple;
  });
}

/**
 * Marks lines whose end terminates a statement, such as a lonely `return`, and lines that would continue the one
 * before.
 */
function breaks(lines: readonly string[]): string {
  const found = lines.filter((line) => /\b(?:return|throw|break|continue|yield)\s*$/.test(line.slice(-20)));
  const leading = lines.filter(
    (line, at) => at > 0 && isEnded(lines[at - 1] ?? "") && /^\s*(?:[;([`+/]|-(?!>))/.test(line),
  );
  return `${found.length} ${leading.map((line) => line.trim().slice(0, 2)).join()}`;
}

const isEnded = (line: string): boolean =>
  /[\w)\]"];?\s*$/.test(line.slice(-20)) && !/;\s*$/.test(line.slice(-20));

/** How many brackets are open where each line begins, once for all changes to a text. */
const depths = new WeakMap<readonly string[], readonly number[]>();

function depthAt({ source: { code }, at }: Side): number {
  let found = depths.get(code);
  if (found === undefined) {
    let depth = 0;
    found = code.map((line) => {
      const begins = depth;
      depth = depthAfter(line, depth);
      return begins;
    });
    depths.set(code, found);
  }
  return found[at.first] ?? 0;
}

function depthAfter(line: string, before: number): number {
  let depth = before;
  for (const sign of line) {
    if ("([{".includes(sign)) depth += 1;
    else if (")]}".includes(sign)) depth = Math.max(0, depth - 1);
  }
  return depth;
}

/** Joins lines within brackets, some of which may begin before them; each logical line keeps its indentation. */
function logical(side: Side, language: Language, lines: readonly string[]): readonly string[] {
  const found: string[] = [];
  const open = isSpaced(language) && language !== "hash" && language !== "make" ? 0 : depthAt(side);
  const keepsBlank = isSpaced(language) && hasFolded(side);
  const keepsIndent = isIndented(language) || (language === "shell" && keepsBlank);
  let [line, depth, isInside] = ["", open, open > 0];
  const isRuby = language === "ruby" || language === "elixir";
  for (const [row, each] of lines.entries()) {
    if (each.trim() === "" && depth === 0 && !keepsBlank) continue;
    line = depth > 0 || line !== "" ? `${line} ${each.trim()}` : each;
    depth = language === "shell" ? 0 : depthAfter(each, depth);
    if (depth > 0) continue;
    if (isRuby && /(?:[,.&|+*/=\\]|\s[-<>?:])\s*$/.test(line.slice(-20))) continue;
    if (isRuby && /^\s*(?:&?\.[a-z_]|\|>)/.test(lines[row + 1] ?? "")) continue;
    const indent = keepsIndent && !isInside ? (/^\s*/.exec(line)?.[0] ?? "") : "";
    found.push(`${indent}${signsIn(line, language, isInside)}`);
    [line, isInside] = ["", false];
  }
  if (line !== "") found.push(signsIn(line, language, true));
  return found;
}

/** Whether YAML joins lines somewhere, up to a blank one; or a script has a text whose lines are not its own. */
function hasFolded({ source }: Side): boolean {
  let found = folded.get(source);
  if (found === undefined) {
    found = source.lines.some((line) => /[:-][ \t]+>[-+\d]{0,2}\s*$|<<-?\s*["'\\]?\w/.test(line.slice(-200)));
    folded.set(source, found);
  }
  return found;
}

const folded = new WeakMap<Source, boolean>();
