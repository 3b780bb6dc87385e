// The flags of every change of a file, in the order of its edits: the file is read once as it is and once as it would be,
// the rules see one change at a time. In steps, so that a long file holds nobody up.

import { lineEdits } from "../diff/line-edits.ts";
import { applyEdits } from "../patch/edits.ts";
import type { FileChange, LineEdit, LineRange } from "../patch/model.ts";
import type { Steps } from "../util/yield-to-event-loop.ts";
import { configFileOf } from "./config-files.ts";
import { type RiskFlag, riskFlags } from "./flags.ts";
import { isFormat } from "./format.ts";
import { type Hunk, joined, Side } from "./hunk.ts";
import { isTestPath, type Language, languageOf } from "./languages.ts";
import { changedNames, type PublicName, publicNames } from "./public-names.ts";
import { hasNames, rules } from "./rules.ts";
import { silencersOf } from "./silenced.ts";
import { type Literals, longest, readSource, type Source } from "./source.ts";

export interface HunkRisk {
  readonly flags: readonly RiskFlag[];
  /** What its public names were called: to look for those who use them. */
  readonly names: readonly string[];
}

export interface RiskyFile {
  readonly path: string;
  /** Nothing: there is no file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly edits: readonly LineEdit[];
  /** Nobody has named, attached, read or opened it. */
  readonly isOutside: boolean;
  readonly secretsIn: Hunk["secretsIn"];
}

/** As one file of a proposal, whatever is done with it. */
export function riskyFile(
  change: FileChange,
  { path, ...rest }: Pick<RiskyFile, "path" | "isOutside" | "secretsIn">,
): RiskyFile {
  if (change.kind === "add")
    return { path, before: undefined, after: change.text, edits: lineEdits("", change.text), ...rest };
  const { text } = change.base;
  if (change.kind === "delete")
    return { path, before: text, after: undefined, edits: lineEdits(text, ""), ...rest };
  return { path, before: text, after: applyEdits(text, change.edits), edits: change.edits, ...rest };
}

export function* risksOf({
  path,
  before,
  after,
  edits,
  isOutside,
  secretsIn,
}: RiskyFile): Steps<readonly HunkRisk[]> {
  const language = languageOf(path);
  const isLong = (before?.length ?? 0) + (after?.length ?? 0) > longest;
  const literals: Literals = new Map();
  const old = yield* readSource(isLong ? "" : (before ?? ""), language, literals);
  const now = yield* readSource(isLong ? "" : (after ?? ""), language, literals);
  const places = placesAfter(edits);
  const isTestFile = isTestPath(path);
  const mayHaveNames = !isLong && hasNames({ isTest: isTestFile, language });
  const names = mayHaveNames ? yield* namesOf(old, now, language) : noNames;
  const isElsewhere = isLong
    ? nothingElsewhere
    : linesElsewhere(
        { lines: old.lines, at: edits.map(({ lines }) => lines) },
        { lines: now.lines, at: places },
      );
  const firstTest = language === "rust" ? now.code.findIndex((line) => /#\[cfg\(test\)\]/.test(line)) : -1;
  const [config, silencers] = [configFileOf(path), silencersOf(path, language)];
  const found: HunkRisk[] = [];
  /** Of tests alone. */
  let groups: ReturnType<typeof besideEachOther> | undefined;
  for (const [number, edit] of edits.entries()) {
    yield;
    const at = places[number] ?? { first: 0, last: 0 };
    const sides = isLong
      ? yield* sidesOfLong(edit, language, literals)
      : {
          before: new Side(old, edit.lines, isElsewhere),
          after: new Side(now, at, isElsewhere),
        };
    const isTest = isTestFile || (language === "rust" && isRustTest(now, at, firstTest));
    const hunk: Hunk = {
      path,
      language,
      isTest,
      config,
      silencers,
      secretsIn,
      removed: edit.removed,
      added: edit.text,
      before: sides.before,
      after: sides.after,
      isDeleted: after === undefined,
      near: () => (isLong ? { before: sides.before.code, after: sides.after.code } : nearOf(number)),
    };
    const changed = hasNames(hunk) ? namesIn(names, edit.lines, at) : [];
    found.push({ flags: flagsOf(hunk, changed.length > 0, isOutside), names: changed });
  }
  return found;

  function nearOf(number: number): ReturnType<Hunk["near"]> {
    groups ??= besideEachOther(edits);
    const [from, to] = groups[number] ?? [number, number];
    const own = edits.slice(from, to + 1);
    const before = own.flatMap(({ lines }) => old.code.slice(lines.first, lines.last));
    const after = places.slice(from, to + 1).flatMap(({ first, last }) => now.code.slice(first, last));
    return { before: joined(before), after: joined(after) };
  }
}

/** So many unchanged lines between two changes, and they are about different things. */
const apart = 3;
/** More are no single test. */
const maxBeside = 12;

/** Of each change the first and the last one that it belongs to. */
function besideEachOther(edits: readonly LineEdit[]): readonly (readonly [number, number])[] {
  const starts: number[] = [];
  for (const [number, { lines }] of edits.entries()) {
    const [start, previous] = [starts.at(-1) ?? 0, edits[number - 1]];
    const isNear = previous !== undefined && lines.first - previous.lines.last < apart;
    starts.push(isNear && number - start < maxBeside ? start : number);
  }
  return starts.map((start) => [start, starts.lastIndexOf(start, start + maxBeside)] as const);
}

function flagsOf(hunk: Hunk, isPublic: boolean, isOutside: boolean): readonly RiskFlag[] {
  const held = new Set<RiskFlag>();
  for (const { flag, holds } of rules) if (holds(hunk)) held.add(flag);
  if (isPublic) held.add("public-api");
  // What deserves a flag is about more than form.
  if (held.size === 0 && isFormat(hunk)) held.add("format-only");
  if (isOutside) held.add("out-of-scope");
  return held.size === 0 ? none : riskFlags.filter((flag) => held.has(flag));
}

const none: readonly RiskFlag[] = [];

// ── The two sides ──

function placesAfter(edits: readonly LineEdit[]): readonly LineRange[] {
  let shift = 0;
  return edits.map(({ lines, written }) => {
    const first = lines.first + shift;
    shift += written - (lines.last - lines.first);
    return { first, last: first + written };
  });
}

/** Of a long text only the changed lines are read. */
function* sidesOfLong(
  { removed, text }: LineEdit,
  language: Language,
  literals: Literals,
): Steps<{ before: Side; after: Side }> {
  const side = (source: Source) => new Side(source, { first: 0, last: source.lines.length });
  return {
    before: side(yield* readSource(removed, language, literals)),
    after: side(yield* readSource(text, language, literals)),
  };
}

type IsElsewhere = (line: string) => boolean;

const nothingElsewhere: IsElsewhere = () => false;
/** Shorter ones, as a lonely brace, are everywhere. */
const leastWords = 8;

/** Lines that move within the file: one edit takes them away, and another one brings them. */
function linesElsewhere(removed: Changed, added: Changed): IsElsewhere {
  if (removed.at.length < 2) return nothingElsewhere;
  const gone = new Set(wordsIn(removed));
  const moved = new Set(wordsIn(added).filter((words) => gone.has(words)));
  return moved.size === 0 ? nothingElsewhere : (line) => moved.has(line.trim());
}

/** The lines of a text, and which of them are changed. */
interface Changed {
  readonly lines: readonly string[];
  readonly at: readonly LineRange[];
}

function wordsIn({ lines, at }: Changed): readonly string[] {
  const found: string[] = [];
  for (const { first, last } of at)
    for (let row = first; row < last; row++) {
      const words = (lines[row] ?? "").trim();
      if (words.length >= leastWords) found.push(words);
    }
  return found;
}

// ── Names ──

interface Names {
  readonly before: readonly PublicName[];
  readonly after: readonly PublicName[];
}

const noNames: Names = { before: [], after: [] };

/** Those that are others afterwards, each where it stands. */
function* namesOf(old: Source, now: Source, language: Language): Steps<Names> {
  const before = yield* publicNames(old.code, language);
  const after = yield* publicNames(now.code, language);
  const changed = changedNames(before, after);
  return { before: [...changed.before], after: [...changed.after] };
}

/** What those are called that stand in these lines. */
function namesIn({ before, after }: Names, old: LineRange, now: LineRange): readonly string[] {
  if (before.length + after.length === 0) return [];
  const names = [...touched(before, old), ...touched(after, now)].map(({ name }) => name);
  return [...new Set(names)];
}

const touched = (names: readonly PublicName[], { first, last }: LineRange): readonly PublicName[] =>
  names.filter(({ at }) =>
    first === last ? at.first < first && first < at.last : at.first < last && first < at.last,
  );

/** Rust keeps its tests beside the code: below a line that says so, or right under the attribute. */
function isRustTest({ code }: Source, { first, last }: LineRange, firstTest: number): boolean {
  if (firstTest >= 0 && first > firstTest) return true;
  return code.slice(Math.max(0, first - 4), last + 2).some((line) => /#\[(?:\w+::)?test\b/.test(line));
}
