// Two texts whose lines have an identity: a line that both texts have is the same object in both. All lines are in one
// order that both texts keep, so what differs is found in one walk, without comparing words, and nothing slides between
// equal lines. Lines are compared once, when a text enters. Pure.
import { type Conflict, diffLines, linesOf } from "../../patch/diff-and-merge.ts";
import { lineEdits } from "../../patch/edits.ts";
import type { LineEdit } from "../../patch/model.ts";

/** Its identity is the object. */
export interface Line {
  readonly text: string;
}

/**
 * What a hunk of a call has done in one place: between two lines that both texts had then. Kept as long as its lines can
 * still come and go.
 */
export interface HunkPart {
  /** The index of the call's edit in its proposal. */
  readonly share: number;
  readonly id: string;
  /** A part that was replaced or conflicted can be pending again. */
  readonly status: "pending" | "replaced" | "conflict";
  /** What it has written, with lines of the base that it has brought back, and what a person has written in its place. */
  readonly made: ReadonlySet<Line>;
  /** What it has removed, including what the pending hunks had removed that it wrote over. */
  readonly took: ReadonlySet<Line>;
}

export interface SharedLines {
  /** The lines of both texts, and those that could come back, in the order of both. */
  readonly all: readonly Line[];
  /** The lines of the file as it was taken over. */
  readonly base: ReadonlySet<Line>;
  /** The lines of what is proposed for it. */
  readonly proposed: ReadonlySet<Line>;
  readonly parts: readonly HunkPart[];
}

/** One place in which the texts differ. */
export interface Run {
  readonly took: readonly Line[];
  readonly made: readonly Line[];
  /** Lines in this place that neither text has any more. */
  readonly gone: readonly Line[];
}

export const spell = (all: readonly Line[], text: ReadonlySet<Line>): string => {
  let spelled = "";
  for (const line of all) if (text.has(line)) spelled += line.text;
  return spelled;
};

const newLines = (text: string): readonly Line[] => linesOf(text).map((line) => ({ text: line }));

export function shareLines(base: string, proposed = base): SharedLines {
  const all = newLines(base);
  const text = new Set(all);
  const shared = { all, base: text, proposed: text, parts: [] };
  return base === proposed ? shared : rewrite(shared, lineEdits(base, proposed), proposed).lines;
}

/** What an edit has done to the lines of the proposed text in one place. */
export interface Rewriting {
  /** The index of the edit. */
  readonly edit: number;
  readonly took: readonly Line[];
  readonly made: readonly Line[];
  /** Lines of the base in this place that the proposed text does not have. */
  readonly missing: readonly Line[];
  /** Lines of the base that it has again, here or between this place and the next one of the edit. */
  readonly returned: readonly Line[];
}

interface Rewritten {
  readonly lines: SharedLines;
  /** For each edit its places, in order. */
  readonly done: readonly Rewriting[];
}

/**
 * Makes the proposed text into `text`. What then says the same as the base in one place is the base's own line. The
 * edits count lines as a patch does: a byte order mark is not part of the first one, and in a text without line feeds
 * carriage returns end them. `isOther`: those edits do not lead to `text` here, and `done` is of others.
 */
export function rewrite(
  shared: SharedLines,
  edits: readonly LineEdit[],
  text: string,
): Rewritten & { readonly isOther: boolean } {
  const meant = applied(shared, withMark(edits, shared));
  if (says(meant.lines, text)) return { ...meant, isOther: false };
  const now = textsOf(shared);
  const next = linesOf(text);
  const compared = diffLines(now, next).map(({ from, to, newFrom, newTo }) => ({
    lines: { first: from, last: to },
    text: next.slice(newFrom, newTo).join(""),
  }));
  return { ...applied(shared, compared), isOther: true };
}

/** The lines of the proposed text. */
const textsOf = ({ all, proposed }: SharedLines): readonly string[] =>
  all.filter((line) => proposed.has(line)).map((line) => line.text);

/** Whether this is the proposed text. */
function says({ all, proposed }: SharedLines, text: string): boolean {
  let at = 0;
  for (const line of all) {
    if (!proposed.has(line)) continue;
    if (!text.startsWith(line.text, at)) return false;
    at += line.text.length;
  }
  return at === text.length;
}

type Edit = Pick<LineEdit, "lines" | "text">;

const mark = "\uFEFF";

/** An edit at the beginning of a marked text writes the mark again, with the line that then follows it. */
function withMark(edits: readonly LineEdit[], shared: SharedLines): readonly Edit[] {
  const [first, ...rest] = edits;
  if (first === undefined || first.lines.first > 0) return edits;
  const now = textsOf(shared);
  if (now[0]?.startsWith(mark) !== true) return edits;
  const { last } = first.lines;
  const isAlone = first.text === "" || last === 0;
  const following = isAlone ? (now[last] ?? "").replace(mark, "") : "";
  const lines = { first: 0, last: isAlone && last < now.length ? last + 1 : last };
  return [{ lines, text: `${mark}${first.text}${following}` }, ...rest];
}

function applied({ all, base, proposed, parts }: SharedLines, edits: readonly Edit[]): Rewritten {
  const next: Line[] = [];
  const now = new Set(proposed);
  const done: Rewriting[] = [];
  let [at, row] = [0, 0];
  for (const [edit, { lines, text }] of edits.entries()) {
    for (let line = all[at]; line !== undefined && row < lines.first; line = all[at]) {
      if (proposed.has(line)) row += 1;
      next.push(line);
      at += 1;
    }
    const gap: Line[] = [];
    for (let line = all[at]; line !== undefined; line = all[at]) {
      if (proposed.has(line)) {
        if (row === lines.last) break;
        row += 1;
      }
      gap.push(line);
      at += 1;
    }
    for (const place of rewriteGap(gap, text, { base, proposed, now, next })) done.push({ edit, ...place });
  }
  for (; at < all.length; at++) next.push(all[at] as Line);
  return { lines: { all: next, base, proposed: now, parts }, done };
}

interface Texts {
  readonly base: ReadonlySet<Line>;
  readonly proposed: ReadonlySet<Line>;
  /** The proposed text from now on. */
  readonly now: Set<Line>;
  /** The lines so far. */
  readonly next: Line[];
}

function rewriteGap(
  gap: readonly Line[],
  text: string,
  { base, proposed, now, next }: Texts,
): readonly Omit<Rewriting, "edit">[] {
  const written = linesOf(text);
  const known = gap.filter((line) => proposed.has(line) || base.has(line));
  const said = new Set(written);
  const isSame = known.some((line) => said.has(line.text));
  const changes = isSame
    ? diffLines(
        known.map((line) => line.text),
        written,
      )
    : [{ from: 0, to: known.length, newFrom: 0, newTo: written.length }];
  const kept = new Set(known);
  /** New lines by the known line before which they come. */
  const coming = new Map<Line | undefined, readonly Line[]>();
  for (const { from, to, newFrom, newTo } of changes) {
    const old = known.slice(from, to);
    for (const line of old) kept.delete(line);
    const come = written.slice(newFrom, newTo).map((line) => ({ text: line }));
    // What a pending hunk has removed stays beside what it wrote, which is behind that.
    const at = from + old.findLastIndex((line) => proposed.has(line)) + 1;
    coming.set(known[at], come);
  }
  let place = placeAfter([]);
  const places = [place];
  /** Since the last place there were lines of both texts. Those that the proposed text has again. */
  let between: Line[] | undefined;
  const here = () => {
    if (between === undefined) return place;
    place = placeAfter(between);
    places.push(place);
    between = undefined;
    return place;
  };
  const enter = (lines: readonly Line[] = []) => {
    for (const line of lines) {
      next.push(line);
      now.add(line);
      here().made.push(line);
    }
  };
  for (const line of gap) {
    enter(coming.get(line));
    next.push(line);
    if (kept.has(line)) {
      now.add(line);
      if (!base.has(line)) continue;
      if (proposed.has(line)) between = [];
      else {
        between ??= [];
        for (const lines of [place.returned, between]) lines.push(line);
      }
    } else if (now.delete(line)) here().took.push(line);
    else if (base.has(line)) here().missing.push(line);
  }
  enter(coming.get(undefined));
  const changed = places.filter(
    ({ took, made, returned }) => took.length + made.length + returned.length > 0,
  );
  return changed.length > 0 ? changed : places.slice(0, 1);
}

const placeAfter = (returned: readonly Line[]) => ({
  ...{ took: [] as Line[], made: [] as Line[], missing: [] as Line[], returned: [...returned] },
});

/** What is proposed on top of a later state of the file. */
export interface MergedLines {
  /** The file as it is now, and what is shown as proposed for it. */
  readonly lines: SharedLines;
  readonly edits: readonly LineEdit[];
  /** What each edit does, in the lines it was merged from. */
  readonly runs: readonly Run[];
  /** Where both have changed the same or adjacent lines: the lines of the file stay. */
  readonly conflicts: readonly Conflict[];
  /** What was proposed there. */
  readonly aside: readonly Run[];
}

/** Merges as git does. `typed`: the edits from the base to the file as it is now. */
export function mergeTyped(lines: SharedLines, typed: readonly LineEdit[]): MergedLines {
  const { all, base, proposed, parts } = lines;
  const { every, live } = withTyped(all, base, typed);
  const shown = new Set<Line>();
  const found = {
    ...{ edits: [] as LineEdit[], runs: [] as Run[] },
    ...{ conflicts: [] as Conflict[], aside: [] as Run[] },
  };
  let [start, row, shownRow] = [0, 0, 0];
  let place: Line[] = [];
  const close = () => {
    if (place.length === 0) return;
    const own = place.filter((line) => live.has(line));
    const other = place.filter((line) => proposed.has(line));
    const isTyped = place.some((line) => live.has(line) !== base.has(line));
    const isProposed = place.some((line) => proposed.has(line) !== base.has(line));
    const isTaken = isProposed && !isTyped;
    if (isProposed) {
      const run = runOf(place, base, proposed);
      if (isTaken) {
        const [removed, text] = [textOf(run.took), textOf(run.made)];
        const lines = { first: row, last: row + run.took.length };
        const numbers = { lines, written: run.made.length, hunks: [found.edits.length] };
        found.edits.push({ start, end: start + removed.length, removed, text, ...numbers });
        found.runs.push(run);
      } else if (textOf(own) !== textOf(other)) {
        const theirs = other.map((line) => line.text);
        found.conflicts.push({ from: shownRow, to: shownRow + own.length, theirs });
        found.aside.push(run);
      }
    }
    const left = isTaken ? other : own;
    if (typed.length > 0) for (const line of left) shown.add(line);
    for (const line of own) start += line.text.length;
    row += own.length;
    shownRow += left.length;
    place = [];
  };
  for (const line of every) {
    const isStable = base.has(line) && proposed.has(line) && (live === base || live.has(line));
    if (!isStable) {
      place.push(line);
      continue;
    }
    close();
    if (typed.length > 0) shown.add(line);
    start += line.text.length;
    row += 1;
    shownRow += 1;
  }
  close();
  const merged = { all: every, base: live, proposed: shown, parts };
  return { lines: typed.length > 0 ? merged : lines, ...found };
}

/** The lines with those that were typed among them, and the lines of the file as it is now. */
function withTyped(all: readonly Line[], base: ReadonlySet<Line>, typed: readonly LineEdit[]) {
  if (typed.length === 0) return { every: all, live: base };
  const live = new Set(base);
  const every: Line[] = [];
  let [row, at] = [0, 0];
  const enter = () => {
    for (let edit = typed[at]; edit !== undefined && edit.lines.last <= row; edit = typed[++at])
      for (const line of newLines(edit.text)) {
        every.push(line);
        live.add(line);
      }
  };
  enter();
  for (const line of all) {
    every.push(line);
    if (!base.has(line)) continue;
    const first = typed[at]?.lines.first;
    if (first !== undefined && row >= first) live.delete(line);
    row += 1;
    enter();
  }
  return { every, live };
}

function textOf(lines: readonly Line[]): string {
  let text = "";
  for (const line of lines) text += line.text;
  return text;
}

function runOf(place: readonly Line[], base: ReadonlySet<Line>, proposed: ReadonlySet<Line>): Run {
  return {
    took: place.filter((line) => base.has(line) && !proposed.has(line)),
    made: place.filter((line) => proposed.has(line) && !base.has(line)),
    gone: place.filter((line) => !base.has(line) && !proposed.has(line)),
  };
}

const unmerged = new WeakMap<SharedLines, MergedLines>();

/** What is proposed on top of the file as it was taken over; cached. */
export function proposedRuns(lines: SharedLines): MergedLines {
  const known = unmerged.get(lines);
  if (known !== undefined) return known;
  const merged = mergeTyped(lines, []);
  unmerged.set(lines, merged);
  return merged;
}

/** The text with these places as the other text has them. */
export function withRuns(
  text: ReadonlySet<Line>,
  runs: readonly Run[],
  to: "made" | "took",
): ReadonlySet<Line> {
  const next = new Set(text);
  for (const run of runs) {
    for (const line of run[to === "made" ? "took" : "made"]) next.delete(line);
    for (const line of run[to]) next.add(line);
  }
  return next;
}

/**
 * Without what is no longer so: the last part that names a line tells whether it is proposed. What is wrong about a line
 * goes, and the part with it that names no other, unless it is pending: the change of a file itself names none.
 */
function upToDate({ proposed, parts }: SharedLines, decided: ReadonlySet<Line>): readonly HunkPart[] {
  const told = new Set<Line>();
  const isSo = (isProposed: boolean) => (line: Line) => {
    if (decided.has(line)) return false;
    if (!told.has(line) && proposed.has(line) !== isProposed) return false;
    told.add(line);
    return true;
  };
  const left: HunkPart[] = [];
  for (const part of parts.toReversed()) {
    const [made, took] = [only(part.made, isSo(true)), only(part.took, isSo(false))];
    if (made.size + took.size === 0 && part.status !== "pending") continue;
    left.push(made === part.made && took === part.took ? part : { ...part, made, took });
  }
  return left.reverse();
}

function only(lines: ReadonlySet<Line>, is: (line: Line) => boolean): ReadonlySet<Line> {
  const left = [...lines].filter(is);
  return left.length === lines.size ? lines : new Set(left);
}

/**
 * Without what is no longer so of its parts, and the lines that neither text has and no part can bring back. `decided`: lines
 * that no part names from now on.
 */
export function pruned(lines: SharedLines, decided: ReadonlySet<Line>): SharedLines {
  const { all, base, proposed } = lines;
  const parts = upToDate(lines, decided);
  if (all.every((line) => base.has(line) || proposed.has(line))) return { ...lines, parts };
  const made = new Set(parts.flatMap((part) => [...part.made]));
  const left = all.filter((line) => base.has(line) || proposed.has(line) || made.has(line));
  if (left.length === all.length) return { ...lines, parts };
  const known = new Set(left);
  const own = parts.map((part) => ({ ...part, took: only(part.took, (line) => known.has(line)) }));
  return { all: left, base, proposed, parts: own };
}
