// Locates the pending changes of calls in later texts: where each one is now, which shown hunks it contributes to, and
// whether any of it is still proposed. Works on texts only and decides nothing.
import { type LineChange, linesOf, merge3 } from "../../patch/diff-and-merge.ts";
import { applyEdits, lineEdits } from "../../patch/edits.ts";
import type { LineEdit, LineRange } from "../../patch/model.ts";
import type { Texts } from "../change-store.ts";
import {
  type CallEdit,
  type CallHunk,
  changesBetween,
  isByPerson,
  moveRange,
  numberHunks,
  overlap,
  type Proposal,
  type ProposalView,
  proposedEdits,
  writtenBy,
} from "../proposal.ts";

/** A text in which the changes of calls are located. */
interface Later {
  /** The text that all edits start from. */
  readonly base: string;
  readonly text: string;
  /** The edits from `base` to `text`, each a hunk of its own. */
  readonly edits: readonly LineEdit[];
}

interface BothTexts {
  readonly before: string;
  readonly after: string;
}

interface OwnEdit {
  readonly edit: LineEdit;
  /** The lines it has written in the text after the call. */
  readonly range: LineRange;
}

/** Line changes through a sequence of texts. */
type ChangePath = readonly (readonly LineChange[])[];

export class WaitingHunks {
  readonly #texts: Texts;
  /** For each call the path to the later text requested last. */
  readonly #ways = new WeakMap<CallEdit, { readonly text: string; readonly way: ChangePath | undefined }>();
  /**
   * For each text the changes to the later one requested last; the same is requested several times in one operation.
   */
  readonly #changes = new Map<string, { readonly text: string; readonly changes: readonly LineChange[] }>();
  /** For each text after a call, the edits that the call made to the text before. */
  readonly #own = new Map<string, { readonly before: string; readonly edits: readonly OwnEdit[] }>();

  readonly #lines = new Map<string, readonly string[]>();
  readonly #counts = new Map<string, ReadonlyMap<string, number>>();

  constructor(texts: Texts) {
    this.#texts = texts;
  }

  /** Maps each pending hunk of a call, given its position in a later text. */
  each(
    share: CallEdit,
    text: string,
    make: (hunk: CallHunk, at: LineRange | undefined) => CallHunk,
  ): CallEdit {
    if (!share.hunks.some(isPending)) return share;
    const way = this.#wayTo(share, text);
    if (way === undefined) return share;
    const hunks = share.hunks.map((hunk) =>
      isPending(hunk) ? make(hunk, hunk.at && along(way, hunk.at)) : hunk,
    );
    return { ...share, hunks };
  }

  /**
   * The numbers of the shown hunks this one contributes to. Among equal lines the diff may have picked other lines than
   * those that were written; in that case, the hunks that would be missing without it.
   */
  partsOf(
    share: CallEdit,
    hunk: CallHunk,
    at: LineRange,
    seen: ProposalView & { kind: "text" },
  ): readonly number[] {
    const touched = [...writtenBy(seen.edits)].filter(([, range]) => overlap(range, at));
    if (touched.length > 0) return touched.map(([number]) => number);
    return this.#missing(share, hunk, { base: seen.live, text: seen.shown, edits: seen.edits });
  }

  /** The edits with a hunk that is touched by the changes from `text` to `now`. */
  touchedBy(shares: readonly CallEdit[], text: string, now: string): ReadonlySet<CallEdit> {
    const places = lineEdits(text, now).map(({ lines }) => lines);
    const touched = new Set<CallEdit>();
    for (const share of shares)
      this.each(share, text, (hunk, at) => {
        if (at !== undefined && !isByPerson(hunk.id) && places.some((place) => overlap(place, at)))
          touched.add(share);
        return hunk;
      });
    return touched;
  }

  /**
   * Marks pending hunks as replaced if nothing of them is proposed any more, because a later call or a person overwrote
   * them.
   */
  withoutOverwritten(proposal: Proposal): readonly CallEdit[] {
    const { base, proposed, shares } = proposal;
    if (proposed === undefined) return shares;
    const { text } = proposed;
    const later = base && { base: base.text, text, edits: proposedEdits(base, proposed) };
    const written = later && [...writtenBy(later.edits).values()];
    const persons = shares.flatMap((share) => this.#personsLines(share, text));
    return shares.map((share) => {
      const way = share.hunks.some(isPending) ? this.#wayTo(share, text) : undefined;
      return this.each(share, text, (hunk, at) => {
        if (hunk.at === undefined || at === undefined || way === undefined) return hunk;
        const isLeft =
          hunk.at.first === hunk.at.last ||
          staying(way, hunk.at).length > 0 ||
          this.#isRewritten({ ...share, hunks: [hunk] }, persons);
        const isShown =
          later === undefined ||
          written?.some((range) => overlap(range, at)) === true ||
          this.#missing(share, hunk, later).length > 0;
        if (isLeft && isShown) return hunk;
        return { ...hunk, fate: "replaced", ...(!isLeft && { overwritten: true }) };
      });
    });
  }

  /** What a person removed for text they wrote beside a call's changes, as long as that text is still there. */
  #personsLines(share: CallEdit, text: string): readonly string[] {
    const own = share.hunks.filter((hunk) => isPending(hunk) && isByPerson(hunk.id));
    const way = own.length === 0 ? undefined : this.#wayTo(share, text);
    if (way === undefined) return [];
    return own.flatMap(({ at }) =>
      at !== undefined && staying(way, at).length > 0 ? this.takenOutAt(share, at) : [],
    );
  }

  /** Whether a person has written something else in its place. */
  #isRewritten(share: CallEdit, takenOut: readonly string[]): boolean {
    if (takenOut.length === 0) return false;
    const out = new Set(takenOut.flatMap((lines) => linesOf(lines)));
    return this.linesWritten(share).some((line) => out.has(line));
  }

  /** Makes replaced or conflicted hunks pending again that are proposed once more since a later call was removed. */
  withReturned(shares: readonly CallEdit[], base: string, text: string): readonly CallEdit[] {
    const edits = numberHunks(lineEdits(base, text));
    const written = writtenBy(edits);
    const touching = (at: LineRange) =>
      edits.filter((_, number) => {
        const range = written.get(number);
        return range !== undefined && overlap(range, at);
      });
    return shares.map((share) => {
      const way = share.hunks.some(isOver) ? this.#wayTo(share, text) : undefined;
      if (way === undefined) return share;
      const isBack = ({ at }: CallHunk): boolean => {
        if (at === undefined) return false;
        if (at.first < at.last) return staying(way, at).some((line) => touching(lineAt(line)).length > 0);
        const out = touching(along(way, at)).map(({ removed }) => removed);
        return this.takenOutAt(share, at).some((lines) => out.some((removed) => removed.includes(lines)));
      };
      const hunks = share.hunks.map((hunk): CallHunk => {
        if (!isOver(hunk) || !isBack(hunk)) return hunk;
        const { overwritten: _, ...rest } = hunk;
        return { ...rest, fate: "pending" };
      });
      return { ...share, hunks };
    });
  }

  /** All lines a call has ever written, including a person's edits in them. */
  linesWritten(share: CallEdit): readonly string[] {
    const after = this.#texts.stateOf(share.after);
    if (after === undefined || after === "gone") return [];
    const lines = this.#linesOf(after.text);
    return share.hunks.flatMap(({ at }) => (at === undefined ? [] : lines.slice(at.first, at.last)));
  }

  /** What a call removed at a range of the text after it. */
  takenOutAt(share: CallEdit, at: LineRange): readonly string[] {
    const texts = this.#textsOf(share);
    const edits = texts === undefined ? [] : this.#editsOf(share, texts);
    return edits.flatMap(({ edit, range }) =>
      edit.removed !== "" && overlap(range, at) ? [edit.removed] : [],
    );
  }

  /** The hunks that would be missing without this change. */
  #missing(share: CallEdit, hunk: CallHunk, later: Later): readonly number[] {
    const { base, text, edits } = later;
    const texts = this.#textsOf(share);
    if (texts === undefined || !this.#mayShow(share, hunk, later)) return [];
    const own = this.#editsOf(share, texts);
    const left = own.filter(({ range }) => !isOutAt(share, range));
    const rest = left.filter(({ range }) => hunk.at === undefined || !overlap(hunk.at, range));
    const [one, other] = [left, rest].map((some) =>
      applyEdits(
        texts.before,
        some.map(({ edit }) => edit),
      ),
    );
    const without = merge3(one ?? "", other ?? "", text).text;
    if (without === text) return [];
    const others = new Set(lineEdits(base, without).map(spelled));
    return edits.flatMap((edit) => (others.has(spelled(edit)) ? [] : edit.hunks));
  }

  /** Comparing texts is expensive. The diff can only have picked other lines if a line occurs more than once. */
  #mayShow(share: CallEdit, hunk: CallHunk, { base, text, edits }: Later): boolean {
    if (edits.length === 0 || hunk.at === undefined) return edits.length > 0;
    const own = [
      ...this.linesWritten({ ...share, hunks: [hunk] }),
      ...this.takenOutAt(share, hunk.at).flatMap(linesOf),
    ];
    const counts = [this.#countsOf(base), this.#countsOf(text)];
    return own.some((line) => counts.some((count) => (count.get(line) ?? 0) > 1));
  }

  #linesOf(text: string): readonly string[] {
    const lines = this.#lines.get(text) ?? linesOf(text);
    if (this.#lines.size >= maxCounted) this.#lines.clear();
    this.#lines.set(text, lines);
    return lines;
  }

  /** How often each line occurs in a text. */
  #countsOf(text: string): ReadonlyMap<string, number> {
    const known = this.#counts.get(text);
    if (known !== undefined) return known;
    const counts = new Map<string, number>();
    for (const line of linesOf(text)) counts.set(line, (counts.get(line) ?? 0) + 1);
    if (this.#counts.size >= maxCounted) this.#counts.clear();
    this.#counts.set(text, counts);
    return counts;
  }

  /**
   * The path from the text after a call, with the hunks that are out removed, to a later text; undefined if that is
   * lost.
   */
  #wayTo(share: CallEdit, text: string): ChangePath | undefined {
    const known = this.#ways.get(share);
    if (known?.text === text) return known.way;
    const way = this.#findWay(share, text);
    this.#ways.set(share, { text, way });
    return way;
  }

  #findWay(share: CallEdit, text: string): ChangePath | undefined {
    const after = this.#texts.stateOf(share.after);
    if (after === "gone") return undefined;
    // A deletion has no lines; a later call may have added another file in its place.
    if (after === undefined) return [];
    const texts = share.hunks.some(isOut) ? this.#textsOf(share) : undefined;
    const own = texts === undefined ? [] : this.#editsOf(share, texts);
    const out = own.filter(({ range }) => isOutAt(share, range));
    if (texts === undefined || out.length === 0) return [this.#changesBetween(after.text, text)];
    const left = own.filter((each) => !out.includes(each)).map(({ edit }) => edit);
    return [turnedBack(out), this.#changesBetween(applyEdits(texts.before, left), text)];
  }

  #changesBetween(from: string, to: string): readonly LineChange[] {
    const known = this.#changes.get(from);
    if (known?.text === to) return known.changes;
    const changes = changesBetween(from, to);
    remember(this.#changes, from, { text: to, changes });
    return changes;
  }

  #editsOf(share: CallEdit, { before, after }: BothTexts): readonly OwnEdit[] {
    const key = share.after?.text ?? "";
    const known = this.#own.get(key);
    if (known?.before === before) return known.edits;
    const edits = numberHunks(lineEdits(before, after));
    const written = writtenBy(edits);
    const own = edits.flatMap((edit, number) => {
      const range = written.get(number);
      return range === undefined ? [] : [{ edit, range }];
    });
    remember(this.#own, key, { before, edits: own });
    return own;
  }

  /** Undefined if the call added or deleted the file, or if the texts are lost. */
  #textsOf(share: CallEdit): BothTexts | undefined {
    const [before, after] = [this.#texts.stateOf(share.before), this.#texts.stateOf(share.after)];
    if (before === undefined || after === undefined || before === "gone" || after === "gone")
      return undefined;
    return { before: before.text, after: after.text };
  }
}

/** How many texts have their lines counted: the two being compared and the two before. */
const maxCounted = 4;
/** When the cache is full, comparisons are made again. */
const maxRemembered = 256;

export const isPending = ({ fate: status }: CallHunk): boolean => status === "pending";

/** Not proposed, but may be again. */
const isOver = ({ fate: status }: CallHunk): boolean => status === "replaced" || status === "conflict";

/** Neither proposed nor in the file. */
const isOut = ({ fate: status }: CallHunk): boolean =>
  status === "rejected" || status === "conflict" || status === "undone";

const isOutAt = ({ hunks }: CallEdit, range: LineRange): boolean =>
  hunks.some((hunk) => isOut(hunk) && hunk.at !== undefined && overlap(hunk.at, range));

const lineAt = (line: number): LineRange => ({ first: line, last: line + 1 });

const linesIn = ({ first, last }: LineRange): number[] =>
  Array.from({ length: last - first }, (_, at) => first + at);

/** Maps a range through the path from text to text. */
const along = (way: ChangePath, at: LineRange): LineRange =>
  way.reduce((range, changes) => moveRange(changes, range), at);

/** The positions in the last text of those lines that no change has touched. */
function staying(way: ChangePath, { first, last }: LineRange): number[] {
  let lines = linesIn({ first, last });
  for (const changes of way)
    lines = lines
      .filter((line) => !changes.some(({ from, to }) => line >= from && line < to))
      .map((line) => moveRange(changes, lineAt(line)).first);
  return lines;
}

/** The same edits reversed: from the text after all of them to the one without these. */
function turnedBack(edits: readonly OwnEdit[]): readonly LineChange[] {
  let shift = 0;
  return edits.map(({ edit: { lines }, range: { first, last } }) => {
    const newFrom = first + shift;
    const size = lines.last - lines.first;
    shift += size - (last - first);
    return { from: first, to: last, newFrom, newTo: newFrom + size };
  });
}

const spelled = ({ lines, removed, text }: LineEdit): string => JSON.stringify([lines.first, removed, text]);

function remember<T>(known: Map<string, T>, key: string, value: T): void {
  if (known.size >= maxRemembered) known.clear();
  known.set(key, value);
}
