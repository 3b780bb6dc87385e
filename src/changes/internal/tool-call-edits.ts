// What each call has done to a proposed file: which of its changes are pending, what remains when one call is removed,
// what a person has edited in them, and how its text leads to the next. Works on texts only and decides nothing.
import { type Conflict, linesOf, merge3 } from "../../patch/diff-and-merge.ts";
import { applyEdits, comparing, lineEdits } from "../../patch/edits.ts";
import type { FileChange, FileName, LineEdit, LineRange } from "../../patch/model.ts";
import { runTask } from "../../util/background.ts";
import type { Step, Texts } from "../change-store.ts";
import type { ReversedHunk } from "../plan-undo.ts";
import {
  type CallEdit,
  type CallHunk,
  changesBetween,
  closed,
  type HunkStatus,
  hashOf,
  isByPerson,
  isSameFile,
  moveRange,
  numberHunks,
  overlap,
  type Proposal,
  type ProposalView,
  personHunkId,
  type TextFile,
  transplant,
  writtenBy,
} from "../proposal.ts";
import { isPending, type WaitingHunks } from "./locate-hunks.ts";

/** What calls have done to texts that were compared ahead of time. */
export type ComparedCalls = ReadonlyMap<CallEdit, readonly LineEdit[]>;

export class CallEdits {
  readonly #texts: Texts;
  readonly #waiting: WaitingHunks;

  constructor(texts: Texts, waiting: WaitingHunks) {
    this.#texts = texts;
    this.#waiting = waiting;
  }

  /** The edits with updated statuses after these hunks of the view were decided. */
  withStatuses(
    proposal: Proposal,
    seen: ProposalView,
    isDecided: (hunk: number) => boolean,
    status: "applied" | "rejected",
    withAside = false,
  ): readonly CallEdit[] {
    const { shares } = proposal;
    if (seen.kind !== "text") return shares.map((share) => withStatus(share, "pending", status));
    const ranges = [...writtenBy(seen.edits)];
    const isAll = ranges.every(([hunk]) => isDecided(hunk));
    const aside = seen.conflicts.map(rangeOf);
    const ofWhole = (): HunkStatus => {
      if (!withAside) return status === "applied" || isAll ? status : "pending";
      // The status of the file as a whole is decided only if all of it is conflicted.
      if (ranges.length > 0 || seen.isMove) return "pending";
      return status === "rejected" ? "rejected" : "conflict";
    };
    const fateOf = (share: CallEdit, hunk: CallHunk, at: LineRange | undefined): HunkStatus => {
      if (at === undefined) return ofWhole();
      if (aside.some((each) => overlap(each, at))) {
        if (!withAside) return "pending";
        return status === "rejected" ? "rejected" : "conflict";
      }
      const touched = this.#waiting.partsOf(share, hunk, at, seen);
      if (!touched.every(isDecided)) return "pending";
      if (touched.length > 0) return status;
      return isAll && aside.length === 0 ? "replaced" : hunk.fate;
    };
    return shares.map((share) =>
      this.#waiting.each(share, seen.shown, (hunk, at) => ({
        ...hunk,
        fate: fateOf(share, hunk, at),
      })),
    );
  }

  /** If a person has typed a change into the file themselves, it is theirs, and the call has nothing left to undo. */
  withoutTyped(
    shares: readonly CallEdit[],
    base: string,
    proposed: string,
    seen: ProposalView & { kind: "text" },
  ): readonly CallEdit[] {
    if (base === seen.live) return shares;
    const changed = [...writtenBy(numberHunks(lineEdits(base, proposed))).values()];
    const left = [...writtenBy(seen.edits).values()];
    const touches = (ranges: readonly LineRange[], at: LineRange | undefined) =>
      at !== undefined && ranges.some((each) => overlap(each, at));
    return shares.map((share) => {
      const own = new Set<string>();
      this.#waiting.each(share, proposed, (hunk, at) => {
        if (touches(changed, at)) own.add(hunk.id);
        return hunk;
      });
      return this.#waiting.each(share, seen.shown, (hunk, at) =>
        own.has(hunk.id) && !touches(left, at) ? { ...hunk, fate: "replaced" } : hunk,
      );
    });
  }

  /** Removes all pending hunks of one call. Hunks that later calls built on it become conflicted. */
  without(proposal: Proposal, share: CallEdit): Proposal {
    const { shares, proposed, base } = proposal;
    const others = shares.filter((each) => each !== share && each.hunks.some(isPending));
    const states = this.#textsOf(share);
    if (others.length === 0 || states === undefined || proposed === undefined || isMove(states)) {
      // The call added, moved or deleted the file, so everything else proposed for it depends on that.
      const left = shares.map((each) =>
        withStatus(each, "pending", each === share ? "rejected" : "conflict"),
      );
      return closed({ ...proposal, shares: left }, base);
    }
    const { before, after } = states;
    const own = share.hunks.flatMap(({ at, fate: status }) => (at && status === "pending" ? [at] : []));
    const back = lineEdits(after.text, before.text).filter(({ lines }) =>
      own.some((at) => overlap(at, lines)),
    );
    const { text: merged, conflicts } = merge3(after.text, applyEdits(after.text, back), proposed.text);
    const text = this.#withoutGone(proposal, merged);
    const changes = changesBetween(proposed.text, text);
    const lost = conflicts.length === 0 ? [] : changes.map(rangeOf);
    const aside: LineRange[] = [];
    const left = shares.map((each, at) => {
      if (each === share) return withStatus(each, "pending", "rejected");
      if (at < shares.indexOf(share)) return each;
      return this.#waiting.each(each, proposed.text, (hunk, at) => {
        if (at === undefined || !lost.some((range) => overlap(range, at))) return hunk;
        aside.push(moveRange(changes, at));
        return { ...hunk, fate: "conflict" };
      });
    });
    const isRest = (range: LineRange) =>
      // Text a person has written belongs to no call, and stays.
      proposal.edited === undefined || aside.some((at) => overlap(at, range));
    const isClean = aside.length === 0 || base === undefined;
    const whole = isClean ? text : this.#withoutRests(base.text, text, left, isRest);
    const returned = base === undefined ? left : this.#waiting.withReturned(left, base.text, whole);
    return { ...proposal, proposed: { ...proposed, text: whole }, shares: returned };
  }

  /** Lines a call once found in the file, but which the file no longer has, must not be restored. */
  #withoutGone({ base, proposed, shares }: Proposal, text: string): string {
    if (base === undefined || proposed === undefined) return text;
    const known = new Set([...linesOf(base.text), ...linesOf(proposed.text)]);
    const edits = lineEdits(proposed.text, text);
    if (!edits.some((edit) => linesOf(edit.text).some((line) => !known.has(line)))) return text;
    for (const share of shares) for (const line of this.#waiting.linesWritten(share)) known.add(line);
    const left = edits.map((edit) => ({
      ...edit,
      text: linesOf(edit.text)
        .filter((line) => known.has(line))
        .join(""),
    }));
    return applyEdits(proposed.text, left);
  }

  /** A hunk is conflicted as a whole. A remaining part would belong to no call, and nobody could undo it. */
  #withoutRests(
    base: string,
    text: string,
    shares: readonly CallEdit[],
    isRest: (range: LineRange) => boolean,
  ): string {
    const waiting: LineRange[] = [];
    for (const share of shares)
      this.#waiting.each(share, text, (hunk, at) => {
        if (at !== undefined) waiting.push(at);
        return hunk;
      });
    const edits = numberHunks(lineEdits(base, text));
    const written = writtenBy(edits);
    const kept = edits.filter((_, hunk) => {
      const range = written.get(hunk);
      return range === undefined || waiting.some((at) => overlap(at, range)) || !isRest(range);
    });
    return kept.length === edits.length ? text : applyEdits(base, kept);
  }

  /**
   * A person has edited the proposed text, rebased onto the current file, into `text`. Edits inside the call's own
   * hunks become part of those; edits apart from them become a hunk of their own, which outlives them. Returns
   * undefined if the person overwrote text that is not this call's.
   */
  amended(
    share: CallEdit,
    proposal: Proposal,
    seen: ProposalView,
    shown: string,
    text: string,
  ): CallEdit | undefined {
    const moved = seen.kind === "text" ? this.#movedOn(share, proposal.base?.text, seen.live) : share;
    const states = this.#textsOf(moved);
    const after = states?.after ?? this.#texts.stateOf(moved.after);
    if (after === undefined || after === "gone") return undefined;
    const { text: now, conflicts } = merge3(shown, text, after.text);
    const changes = changesBetween(after.text, now);
    const persons = lineEdits(shown, text);
    const again = sameEdits(lineEdits(shown, after.text), persons);
    // Lines that were already in this call's `before` text would belong to nobody.
    if (states !== undefined && sameEdits(lineEdits(shown, states.before.text), persons).length > 0)
      return undefined;
    // Hunks that are no longer in effect and in whose place the person wrote something else, or the same text again.
    const given = moved.hunks.filter(({ at, fate: status }) => {
      if (at === undefined || !isOut(status)) return false;
      const range = moveRange(changes, at);
      return (
        conflicts.some((each) => overlap(rangeOf(each), range)) || again.some((each) => overlap(each, at))
      );
    });
    const isGiven = (each: Conflict) =>
      given.some(({ at }) => at && overlap(rangeOf(each), moveRange(changes, at)));
    if (!conflicts.every(isGiven)) return undefined;
    // Lines that were missing in this call's `before` text and are back now would be taken for the person's.
    const isAlone =
      states === undefined ||
      conflicts.length === 0 ||
      isPersonsAlone(lineEdits(states.before.text, now), persons, conflicts);
    if (!isAlone) return undefined;
    const hunks = moved.hunks
      .filter((hunk) => !(isByPerson(hunk.id) && isPending(hunk)))
      .map((hunk): CallHunk => {
        const { at, ...rest } = hunk;
        if (at === undefined || given.includes(hunk)) return rest;
        const range = moveRange(changes, at);
        const isNothing = at.first < at.last && range.first === range.last && isPending(hunk);
        // If they removed an insertion again, nothing of it is left; what they removed with it is their own change.
        if (isNothing && this.#waiting.takenOutAt(moved, at).length === 0)
          return { ...rest, fate: "replaced" };
        return { ...rest, at: range };
      });
    const own = states === undefined ? [] : apart(proposal.id, hunks, states.before.text, now);
    const kept = this.#texts.keep({ ...after, text: now });
    return { ...moved, ...(kept && { after: kept }), hunks: [...hunks, ...own], edited: true };
  }

  async compare(shares: readonly CallEdit[]): Promise<ComparedCalls> {
    const compared = new Map<CallEdit, readonly LineEdit[]>();
    for (const share of shares) {
      const states = this.#textsOf(share);
      if (states === undefined) continue;
      const [before, after] = [states.before.text, states.after.text];
      compared.set(share, await runTask(comparing, { before, after }, before.length + after.length));
    }
    return compared;
  }

  /** The change made up of the selected hunks, and those hunks. "gone": its texts are no longer stored. */
  changeFrom(
    share: CallEdit,
    takes: (hunk: CallHunk) => boolean,
    compared?: ComparedCalls,
  ): { readonly change: FileChange; readonly hunks: readonly ReversedHunk[] } | "gone" | undefined {
    const [before, after] = [this.#texts.stateOf(share.before), this.#texts.stateOf(share.after)];
    if (before === "gone" || after === "gone") return "gone";
    const { reasons } = share;
    const verdict = reasons.length > 0 ? "confirm" : "allow";
    const permission = ({ path }: FileName) => ({ verdict, reasons, real: path }) as const;
    const whole = share.hunks.filter(takes).map(({ id }) => ({ id, edits: [] }));
    if (before === undefined) {
      if (after === undefined) return undefined;
      const { file, text } = after;
      return { change: { kind: "add", file, permission: permission(file), text }, hunks: whole };
    }
    const { file, text } = before;
    const base = { text, sha256: hashOf(text), version: undefined };
    const common = { file, permission: permission(file), base };
    if (after === undefined) return { change: { kind: "delete", ...common }, hunks: whole };
    const { edits, hunks } = chosenEdits(
      share,
      numberHunks(compared?.get(share) ?? lineEdits(text, after.text)),
      takes,
    );
    const placed = edits.map(
      ({ lines }) => ({ line: 0, matched: lines, looseness: "exact", onEarlier: false }) as const,
    );
    const led = { ...common, edits, hunks: placed };
    if (isSameFile(file, after.file)) return { change: { kind: "update", ...led }, hunks };
    return { change: { kind: "move", ...led, to: after.file, toReal: after.file.path }, hunks };
  }

  /** The same changes on a later text, if they can be transplanted. */
  #movedOn(share: CallEdit, from: string | undefined, to: string): CallEdit {
    const states = this.#textsOf(share);
    if (from === undefined || from === to || states === undefined) return share;
    const { before, after } = states;
    const [old, now] = [transplant(before.text, from, to), transplant(after.text, from, to)];
    if (old === undefined || now === undefined) return share;
    const [begun, led] = [
      { ...before, text: old },
      { ...after, text: now },
    ].map((state) => this.#texts.keep(state));
    const changes = changesBetween(after.text, now);
    const hunks = share.hunks.map((hunk) => (hunk.at ? { ...hunk, at: moveRange(changes, hunk.at) } : hunk));
    return { ...share, ...(begun && { before: begun }), ...(led && { after: led }), hunks };
  }

  /** Undefined if the call added or deleted the file, or if the texts are lost. */
  #textsOf({ before: from, after: to }: CallEdit): BothTexts | undefined {
    const [before, after] = [this.#texts.stateOf(from), this.#texts.stateOf(to)];
    if (before === undefined || after === undefined || before === "gone" || after === "gone")
      return undefined;
    return { before, after };
  }
}

interface BothTexts {
  readonly before: TextFile;
  readonly after: TextFile;
}

const isMove = ({ before, after }: BothTexts): boolean => !isSameFile(before.file, after.file);

/** Neither proposed nor in the files. */
const isOut = (status: HunkStatus): boolean => status !== "pending" && status !== "applied";

const rangeOf = ({ from, to }: Pick<Conflict, "from" | "to">): LineRange => ({ first: from, last: to });

/** Hunks for the edits in the text that belong to none of the call's own hunks. */
function apart(proposal: string, known: readonly CallHunk[], before: string, after: string): CallHunk[] {
  const all = [...writtenBy(numberHunks(lineEdits(before, after))).values()];
  const own = all.filter((range) => !known.some(({ at }) => at && overlap(at, range)));
  const taken = new Set(known.map(({ id }) => id));
  let number = 0;
  return own.map((at): CallHunk => {
    while (taken.has(personHunkId(proposal, number))) number += 1;
    return { id: personHunkId(proposal, number++), at, fate: "pending" };
  });
}

/** The ranges, in the text after `edits`, where `others` make the same change in the same place. */
function sameEdits(edits: readonly LineEdit[], others: readonly LineEdit[]): readonly LineRange[] {
  const written = writtenBy(numberHunks(edits));
  return edits.flatMap(({ lines, text }, at) => {
    const isSame = (other: LineEdit) =>
      other.lines.first === lines.first && other.lines.last === lines.last && other.text === text;
    const range = written.get(at);
    return range !== undefined && others.some(isSame) ? [range] : [];
  });
}

/** Whether the edits in these places are exactly what the person wrote. */
function isPersonsAlone(
  edits: readonly LineEdit[],
  persons: readonly LineEdit[],
  places: readonly Conflict[],
): boolean {
  const written = writtenBy(numberHunks(edits));
  return edits.every((edit, at) => {
    const range = written.get(at);
    if (range === undefined || !places.some((each) => overlap(rangeOf(each), range))) return true;
    return persons.some(({ removed, text }) => removed === edit.removed && text === edit.text);
  });
}

export const withStatus = (share: CallEdit, from: HunkStatus, to: HunkStatus): CallEdit => ({
  ...share,
  hunks: share.hunks.map((hunk) => (hunk.fate === from ? { ...hunk, fate: to } : hunk)),
});

/** Whether a hunk is applied that was not before. */
export const hasNewlyApplied = ({ hunks }: CallEdit, before: CallEdit | undefined): boolean =>
  hunks.some(({ fate: status }, hunk) => status === "applied" && status !== before?.hunks[hunk]?.fate);

/** The hunks whose status has changed, optionally only to `to`. */
export const decidedHunks = (
  before: readonly CallEdit[],
  after: readonly CallEdit[],
  to?: HunkStatus,
): Step["hunks"] =>
  after.flatMap(({ call, hunks }, at) =>
    hunks
      .filter(
        ({ fate: status }, hunk) =>
          status !== before[at]?.hunks[hunk]?.fate && (to === undefined || status === to),
      )
      .map(({ id }) => ({ call, id })),
  );

export const callsOf = (hunks: Step["hunks"]): ReadonlySet<string> => new Set(hunks.map(({ call }) => call));

/** The edits without those of unselected hunks, and the selected hunks with the indices of their edits. */
function chosenEdits(
  { hunks }: CallEdit,
  edits: readonly LineEdit[],
  takes: (hunk: CallHunk) => boolean,
): { readonly edits: readonly LineEdit[]; readonly hunks: readonly ReversedHunk[] } {
  const written = writtenBy(edits);
  const out = hunks.flatMap((hunk) => (hunk.at && !takes(hunk) ? [hunk.at] : []));
  const kept = edits.filter((_, number) => {
    const range = written.get(number);
    return range === undefined || !out.some((at) => overlap(at, range));
  });
  const ranges = kept.flatMap(({ hunks: [number] }, edit) => {
    const range = number === undefined ? undefined : written.get(number);
    return range === undefined ? [] : [{ edit, range }];
  });
  const own = (at: LineRange | undefined) =>
    at === undefined ? [] : ranges.flatMap(({ edit, range }) => (overlap(at, range) ? [edit] : []));
  return {
    edits: numberHunks(kept),
    hunks: hunks.filter(takes).map(({ id, at }) => ({ id, edits: own(at) })),
  };
}
