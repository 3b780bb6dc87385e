// Computes the flags for every change to a file, in the order of its edits. Reads the file once before and once after
// the edits; the rules look at one change at a time.
import type { Message } from "../conversation/messages.ts";
import { applyEdits, lineEdits, nameAfter } from "../patch/edits.ts";
import type { FileChange, LineEdit, LineRange } from "../patch/model.ts";
import { dangersIn } from "../patch/paths.ts";
import { addedBy } from "../patch/plan.ts";
import { forEach } from "../util/background.ts";
import { type RiskFlag, riskFlags } from "./flags.ts";
import { isNote } from "./internal/comments.ts";
import { configFileOf } from "./internal/config-files.ts";
import { isFormat } from "./internal/format-only.ts";
import { type Form, type Hunk, joined, Side } from "./internal/hunk.ts";
import { losesEntry } from "./internal/manifest-sections.ts";
import { besideEachOther, linesElsewhere, linesFewer, nothingElsewhere } from "./internal/moved-lines.ts";
import { changedNames, namesFromElsewhere, type PublicName, publicNames } from "./internal/public-names.ts";
import { hasNames, rules } from "./internal/rules.ts";
import { silencersOf } from "./internal/silenced-checks.ts";
import {
  isTestPath,
  type Language,
  type Literals,
  languageOf,
  longest,
  readSource,
  type Source,
} from "./internal/source.ts";

export interface HunkRisk {
  readonly flags: readonly RiskFlag[];
  /** Former names of public symbols that change, to search for their users. */
  readonly names: readonly string[];
}

interface RiskyFile {
  readonly path: string;
  /** `undefined`: the file does not exist. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly edits: readonly LineEdit[];
  /** Nobody has named, attached, read or opened the file. */
  readonly isOutside: boolean;
}

export interface RatedChange {
  readonly change: FileChange;
  readonly isOutside: boolean;
}

/** Everything about a change that takes the longer, the longer its texts are. */
export interface Rating {
  /** What the text that it adds would set in motion. */
  readonly dangers: readonly Message[];
  /** The risks of each of its edits; for an added or deleted file, those of the whole. */
  readonly risks: readonly HunkRisk[];
}

/** The task for texts of any length. */
export const rating = {
  name: "rate",
  run: ({ change, isOutside }: RatedChange): Rating => ({
    dangers: dangersIn(addedTo(change), change.permission.real),
    risks: risksOf(riskyFile(change, isOutside)),
  }),
};

export const ratingEach = forEach(rating);

/**
 * Whether literals and comments of this file are read well enough for its flag `format-only` to be a proof. Without that,
 * blanks in a literal may have changed.
 */
export const provesFormat = (path: string): boolean =>
  /\.(?:[cm]?[jt]s|pyi?|go|rs|java|kts?|scala|swift|cs|json[c5]?)$/i.test(path);

function addedTo(change: FileChange): string {
  if (change.kind === "add") return change.text;
  return change.kind === "delete" ? "" : addedBy(change.edits);
}

/** Rates one file of a proposal, whatever happens to the file. */
function riskyFile(change: FileChange, isOutside: boolean): RiskyFile {
  const { path } = nameAfter(change);
  if (change.kind === "add") {
    const { text } = change;
    return { path, before: undefined, after: text, edits: lineEdits("", text), isOutside };
  }
  const { text } = change.base;
  if (change.kind === "delete")
    return { path, before: text, after: undefined, edits: lineEdits(text, ""), isOutside };
  const { edits } = change;
  return { path, before: text, after: applyEdits(text, edits), edits, isOutside };
}

export function risksOf({ path, before, after, edits, isOutside }: RiskyFile): readonly HunkRisk[] {
  // Who leaves nothing of a file but its name has deleted what was in it.
  const isDeleted = (before ?? "").trim() !== "" && (after ?? "").trim() === "";
  const language = languageOf(path, isDeleted ? before : after);
  const isLong = (before?.length ?? 0) + (after?.length ?? 0) > longest;
  const literals: Literals = new Map();
  const old = readSource(isLong ? "" : (before ?? ""), language, literals);
  const now = readSource(isLong ? "" : (after ?? ""), language, literals);
  const places = placesAfter(edits);
  const isTestFile = isTestPath(path);
  const [config, silencers] = [configFileOf(path), silencersOf(path, language)];
  // What a config file exports is for its tool alone.
  const mayHaveNames =
    !isLong && config === undefined && !isShowcase(path) && hasNames({ isTest: isTestFile, language });
  const names = mayHaveNames ? namesOf(old, now, language, path) : noNames;
  const groups = besideEachOther(edits);
  const removed = { lines: old.lines, at: edits.map(({ lines }) => lines) };
  const added = { lines: now.lines, at: places };
  const isElsewhere = isLong ? nothingElsewhere : linesElsewhere(removed, added);
  const fewer = linesFewer(edits, groups, isLong ? undefined : { removed, added });
  const firstTest = language === "rust" ? now.code.findIndex(beginsTests) : -1;
  const found: HunkRisk[] = [];
  let whole: Form | undefined;
  for (const [number, edit] of edits.entries()) {
    const at = places[number] ?? { first: 0, last: 0 };
    const sides = isLong
      ? sidesOfLong(edit, language, literals)
      : {
          before: new Side(old, edit.lines, isElsewhere),
          after: new Side(now, at, isElsewhere),
        };
    const isTest = isTestFile || (language === "rust" && isRustTest(now, at, firstTest));
    const wasTest = language === "rust" && !isDeleted && isRustTest(old, edit.lines, -1);
    const hunk: Hunk = {
      path,
      language,
      isTest,
      wasTest,
      config,
      silencers,
      removed: edit.removed,
      added: edit.text,
      before: sides.before,
      after: sides.after,
      isDeleted,
      fewer: fewer[number] ?? 0,
      contexts: () => (isLong ? [] : contextsOf(number)),
      near: () => (isLong ? { before: sides.before.code, after: sides.after.code } : nearOf(number)),
    };
    const changed = hasNames(hunk) && !isNote(hunk, language) ? namesInLines(names, edit.lines, at) : [];
    const flags = flagsOf(hunk, changed.length > 0 || losesEntry(hunk), isOutside);
    const isNamed = flags.includes("public-api");
    found.push({ flags, names: isNamed ? changed.filter((name) => name !== "") : [] });
  }
  return found;

  /** All of its group, and the whole file: how lines were paired may hide that nothing but their form changes. */
  function contextsOf(number: number): readonly Form[] {
    const [from, to] = groups[number] ?? [number, number];
    const rangeOf = (ranges: readonly (LineRange | undefined)[]): LineRange => ({
      first: ranges[from]?.first ?? 0,
      last: ranges[to]?.last ?? 0,
    });
    const own = {
      before: new Side(old, rangeOf(edits.map(({ lines }) => lines))),
      after: new Side(now, rangeOf(places)),
    };
    whole ??= {
      before: new Side(old, { first: 0, last: old.lines.length }),
      after: new Side(now, { first: 0, last: now.lines.length }),
    };
    return from === to ? [whole] : [own, whole];
  }

  function nearOf(number: number): ReturnType<Hunk["near"]> {
    const [from, to] = groups[number] ?? [number, number];
    const own = edits.slice(from, to + 1);
    const before = own.flatMap(({ lines }) => old.code.slice(lines.first, lines.last));
    const after = places.slice(from, to + 1).flatMap(({ first, last }) => now.code.slice(first, last));
    return { before: joined(before), after: joined(after) };
  }
}

function flagsOf(hunk: Hunk, isPublic: boolean, isOutside: boolean): readonly RiskFlag[] {
  const held = new Set<RiskFlag>();
  for (const { flag, holds } of rules) if (holds(hunk)) held.add(flag);
  if (isPublic) held.add("public-api");
  // A change that deserves another flag is about more than formatting, but what is only written otherwise has the same cases
  // and names. What a build service runs is told of in any case.
  const isOfService = hunk.config === "of-build-service";
  const isPlain = [...held].every(
    (flag) =>
      flag === "test-weakened" || flag === "public-api" || (isOfService && flag === "executable-config"),
  );
  if (isPlain && !isCompared(hunk.path) && isFormat(hunk)) {
    held.clear();
    if (isOfService) held.add("executable-config");
    held.add("format-only");
  }
  if (isOutside) held.add("out-of-scope");
  return held.size === 0 ? none : riskFlags.filter((flag) => held.has(flag));
}

const none: readonly RiskFlag[] = [];

/** What tests compare with: every blank in it counts, and no change to it is told to be one of form. */
export const isCompared = (path: string): boolean =>
  /\.(?:snap|golden|approved\.\w{1,20})$|(?:^|\/)(?:expected|fixtures|testdata|__snapshots__)\//i.test(path);

// ── The two sides ──

function placesAfter(edits: readonly LineEdit[]): readonly LineRange[] {
  let shift = 0;
  return edits.map(({ lines, written }) => {
    const first = lines.first + shift;
    shift += written - (lines.last - lines.first);
    return { first, last: first + written };
  });
}

/** For a long text, only the changed lines are read. */
function sidesOfLong(
  { removed, text }: LineEdit,
  language: Language,
  literals: Literals,
): { before: Side; after: Side } {
  const side = (source: Source) => new Side(source, { first: 0, last: source.lines.length });
  return {
    before: side(readSource(removed, language, literals)),
    after: side(readSource(text, language, literals)),
  };
}

// ── Names ──

/** Nobody imports what only shows how something is used, or measures it. */
const isShowcase = (path: string): boolean =>
  /(?:^|\/)(?:examples?|samples?|demos?|playgrounds?|fixtures|stories|docs?|bench(?:es|marks?)?)\//i.test(
    path,
  );

interface Names {
  readonly before: readonly PublicName[];
  readonly after: readonly PublicName[];
}

const noNames: Names = { before: [], after: [] };

/** Public names that change, each with its place. */
function namesOf(old: Source, now: Source, language: Language, path: string): Names {
  const before = publicNames(old.code, language, path);
  const after = publicNames(now.code, language, path);
  const changed = changedNames(before, after, language);
  if (language !== "python" || changed.before.size === 0)
    return { before: [...changed.before], after: [...changed.after] };
  const still = namesFromElsewhere(now.code);
  const isGone = ({ key }: PublicName) => !still.has(key);
  return { before: [...changed.before].filter(isGone), after: [...changed.after].filter(isGone) };
}

/** Former names declared in these lines. */
function namesInLines({ before, after }: Names, old: LineRange, now: LineRange): readonly string[] {
  if (before.length + after.length === 0) return [];
  const names = [...touched(before, old), ...touched(after, now)].map(({ name }) => name);
  return [...new Set(names)];
}

const touched = (names: readonly PublicName[], { first, last }: LineRange): readonly PublicName[] =>
  names.filter(({ at }) =>
    first === last ? at.first < first && first < at.last : at.first < last && first < at.last,
  );

/** `#[cfg(test)]` before a module with tests; before an import or a function it says nothing of what follows. */
const beginsTests = (line: string, row: number, code: readonly string[]): boolean =>
  /#\[cfg\(test\)\]/.test(line) &&
  /^\s*(?:#\[.*\]\s*)*(?:pub(?:\([a-z]+\))? )?mod \w+\s*\{/.test(code.slice(row, row + 4).join(" "));

/** Rust keeps tests next to the code: after a line that marks them, or directly below the attribute. */
function isRustTest({ code }: Source, { first, last }: LineRange, firstTest: number): boolean {
  if (firstTest >= 0 && first > firstTest) return true;
  return code.slice(Math.max(0, first - 4), last + 2).some((line) => /#\[(?:\w+::)?test\b/.test(line));
}

/**
 * Determines whether a file is within what was asked: somebody named, attached or opened it, or the model read it for
 * this. `asked`: paths, names that were mentioned, and folders with a final "/".
 */
export function isInScope(path: string, asked: Iterable<string>): boolean {
  for (const each of asked) {
    if (each === path || (each !== "" && path.endsWith(`/${each}`))) return true;
    if (isTestOf(path, each)) return true;
    if (each.endsWith("/") && (path.startsWith(each) || path.includes(`/${each}`))) return true;
  }
  return false;
}

/** Who asks for something about a file has asked about its tests as well: `test/cart.spec.ts` tests `src/cart.ts`. */
const isTestOf = (path: string, tested: string): boolean =>
  isTestPath(path) && subjectOf(path) !== "" && subjectOf(path) === subjectOf(tested);

/** `cart` of `cart.spec.ts`, `test_cart.py` and `CartTest.java`. */
function subjectOf(path: string): string {
  const [stem = ""] = path.slice(path.lastIndexOf("/") + 1).split(".");
  return stem.replace(/^tests?[-_]|[-_](?:tests?|spec)$|(?:Tests?|Spec)$/, "").toLowerCase();
}

/**
 * Whether these names identify files. A name that could be an ordinary word (`Node.js`, `and/or`) counts only if it is
 * one of `paths`.
 */
export const namesFiles = (names: readonly string[], paths: readonly string[]): boolean =>
  names.some((name) => isFilePath(name) || paths.some((path) => isInScope(path, [name])));

const isFilePath = (name: string): boolean => name.includes("/") && /\.[A-Za-z]\w*$/.test(name);

/** Words that look like a file or a folder. */
export const namesIn = (text: string): readonly string[] =>
  (text.slice(0, longestText).match(/[\p{L}\p{N}_@.-]+(?:\/[\p{L}\p{N}_@.-]+)*\/?/gu) ?? [])
    // The name may end a sentence.
    .map((word) => (word.endsWith(".") ? word.slice(0, -1) : word))
    .filter(isName);

const longestText = 100_000;
const isName = (word: string): boolean => /\/|\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(word);
