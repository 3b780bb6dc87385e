// What each call has done to a file that is proposed: which of its changes wait, what is left when one call is taken out, what
// a person has written into them, and the way from its text to the next. Knows texts; nothing of files, and decides nothing.

import { lineEdits } from "../diff/line-edits.ts";
import { type Conflict, merge3 } from "../diff/merge.ts";
import { applyEdits } from "../patch/edits.ts";
import type { FileChange, FileName, LineEdit, LineRange } from "../patch/model.ts";
import type { Step } from "./kept-changes.ts";
import {
  type CallHunk,
  type CallShare,
  carried,
  changesBetween,
  closed,
  type Fate,
  isByPerson,
  isSameFile,
  moveRange,
  numbered,
  overlap,
  type Proposal,
  personsName,
  type Seen,
  type TextFile,
  writtenBy,
} from "./proposal.ts";
import { hashOf, type Texts } from "./text-store.ts";

export class CallShares {
  readonly #texts: Texts;

  constructor(texts: Texts) {
    this.#texts = texts;
  }

  /** What becomes of the calls' changes when these hunks of what is seen are decided. */
  fated(
    { shares }: Proposal,
    seen: Seen,
    isDecided: (hunk: number) => boolean,
    fate: "applied" | "rejected",
    withAside = false,
  ): readonly CallShare[] {
    if (seen.kind !== "text") return shares.map((share) => settled(share, "pending", fate));
    const ranges = [...writtenBy(seen.edits)];
    const isAll = ranges.every(([hunk]) => isDecided(hunk));
    const aside = seen.conflicts.map(linesOf);
    const ofWhole = (): Fate => {
      if (!withAside) return fate === "applied" || isAll ? fate : "pending";
      // Of the file itself nothing is decided, unless all of it stands aside.
      if (ranges.length > 0 || seen.isMove) return "pending";
      return fate === "rejected" ? "rejected" : "conflict";
    };
    const fateOf = (hunk: CallHunk, at: LineRange | undefined): Fate => {
      if (at === undefined) return ofWhole();
      if (aside.some((each) => overlap(each, at))) {
        if (!withAside) return "pending";
        return fate === "rejected" ? "rejected" : "conflict";
      }
      const touched = ranges.filter(([, each]) => overlap(each, at));
      if (touched.some(([number]) => !isDecided(number))) return "pending";
      if (touched.length > 0) return fate;
      return isAll && aside.length === 0 ? "replaced" : hunk.fate;
    };
    return shares.map((share) =>
      this.eachWaiting(share, seen.shown, (hunk, at) => ({ ...hunk, fate: fateOf(hunk, at) })),
    );
  }

  /** Each change of a call that waits, with where it stands in a later text. */
  eachWaiting(
    share: CallShare,
    text: string,
    make: (hunk: CallHunk, at: LineRange | undefined) => CallHunk,
  ): CallShare {
    if (!share.hunks.some(isPending)) return share;
    const after = this.#texts.stateOf(share.after);
    if (after === "gone") return share;
    // A deletion has no lines; a later call may have put another file in its place.
    const changes = after === undefined ? [] : changesBetween(after.text, text);
    const hunks = share.hunks.map((hunk) =>
      isPending(hunk) ? make(hunk, hunk.at && moveRange(changes, hunk.at)) : hunk,
    );
    return { ...share, hunks };
  }

  /** A change that the file has by itself now, typed by a person, is theirs: of the call nothing is left to take back. */
  withoutTyped(
    shares: readonly CallShare[],
    base: string,
    proposed: string,
    seen: Seen & { kind: "text" },
  ): readonly CallShare[] {
    if (base === seen.live) return shares;
    const changed = [...writtenBy(numbered(lineEdits(base, proposed))).values()];
    const left = [...writtenBy(seen.edits).values()];
    const touches = (ranges: readonly LineRange[], at: LineRange | undefined) =>
      at !== undefined && ranges.some((each) => overlap(each, at));
    return shares.map((share) => {
      const own = new Set<string>();
      this.eachWaiting(share, proposed, (hunk, at) => {
        if (touches(changed, at)) own.add(hunk.id);
        return hunk;
      });
      return this.eachWaiting(share, seen.shown, (hunk, at) =>
        own.has(hunk.id) && !touches(left, at) ? { ...hunk, fate: "replaced" } : hunk,
      );
    });
  }

  /** All that waits of one call is taken out; what later ones have built on it stands aside. */
  without(proposal: Proposal, share: CallShare): Proposal {
    const { shares, proposed, base } = proposal;
    const others = shares.filter((each) => each !== share && each.hunks.some(isPending));
    const states = this.#textsOf(share);
    if (others.length === 0 || states === undefined || proposed === undefined || isMove(states)) {
      // It made, moved or deleted the file: whatever else was proposed for it hangs on that.
      const left = shares.map((each) => settled(each, "pending", each === share ? "rejected" : "conflict"));
      return closed({ ...proposal, shares: left }, base);
    }
    const { before, after } = states;
    const own = share.hunks.flatMap(({ at, fate }) => (at && fate === "pending" ? [at] : []));
    const back = lineEdits(after.text, before.text).filter(({ lines }) =>
      own.some((at) => overlap(at, lines)),
    );
    const { text, conflicts } = merge3(after.text, applyEdits(after.text, back), proposed.text);
    const changes = changesBetween(proposed.text, text);
    const lost = conflicts.length === 0 ? [] : changes.map(linesOf);
    const aside: LineRange[] = [];
    const left = shares.map((each, at) => {
      if (each === share) return settled(each, "pending", "rejected");
      if (at < shares.indexOf(share)) return each;
      return this.eachWaiting(each, proposed.text, (hunk, at) => {
        if (at === undefined || !lost.some((range) => overlap(range, at))) return hunk;
        aside.push(moveRange(changes, at));
        return { ...hunk, fate: "conflict" };
      });
    });
    const isRest = (range: LineRange) =>
      // What a person has written is not a call's, and stays.
      proposal.edited === undefined || aside.some((at) => overlap(at, range));
    const isClean = aside.length === 0 || base === undefined;
    const whole = isClean ? text : this.#withoutRests(base.text, text, left, isRest);
    return { ...proposal, proposed: { ...proposed, text: whole }, shares: left };
  }

  /** A change stands aside as a whole: what is left of it would be nobody's, and nobody could take it back. */
  #withoutRests(
    base: string,
    text: string,
    shares: readonly CallShare[],
    isRest: (range: LineRange) => boolean,
  ): string {
    const waiting: LineRange[] = [];
    for (const share of shares)
      this.eachWaiting(share, text, (hunk, at) => {
        if (at !== undefined) waiting.push(at);
        return hunk;
      });
    const edits = numbered(lineEdits(base, text));
    const written = writtenBy(edits);
    const kept = edits.filter((_, hunk) => {
      const range = written.get(hunk);
      return range === undefined || waiting.some((at) => overlap(at, range)) || !isRest(range);
    });
    return kept.length === edits.length ? text : applyEdits(base, kept);
  }

  /**
   * A person has made `text` of the proposed text, which now stands on the file as it is. What they wrote into the call's
   * own changes belongs to those; what stands apart from them is a change like them, and outlives them. Nothing where they
   * wrote over what is not this call's.
   */
  amended(
    share: CallShare,
    proposal: Proposal,
    seen: Seen,
    shown: string,
    text: string,
  ): CallShare | undefined {
    const moved = seen.kind === "text" ? this.#movedOn(share, proposal.base?.text, seen.live) : share;
    const states = this.#textsOf(moved);
    const after = states?.after ?? this.#texts.stateOf(moved.after);
    if (after === undefined || after === "gone") return undefined;
    const { text: now, conflicts } = merge3(shown, text, after.text);
    const changes = changesBetween(after.text, now);
    const persons = lineEdits(shown, text);
    const again = sameEdits(lineEdits(shown, after.text), persons);
    // What this call began with already would pass for nobody's.
    if (states !== undefined && sameEdits(lineEdits(shown, states.before.text), persons).length > 0)
      return undefined;
    // In the place of what was rejected, or once more what was rejected, whoever wrote there.
    const given = moved.hunks.filter(({ at, fate }) => {
      if (at === undefined || !isOut(fate)) return false;
      const range = moveRange(changes, at);
      return (
        conflicts.some((each) => overlap(linesOf(each), range)) || again.some((each) => overlap(each, at))
      );
    });
    const isGiven = (each: Conflict) =>
      given.some(({ at }) => at && overlap(linesOf(each), moveRange(changes, at)));
    if (!conflicts.every(isGiven)) return undefined;
    // Where this call began without lines that are there again, they would pass for the person's.
    const isAlone =
      states === undefined ||
      conflicts.length === 0 ||
      isPersonsAlone(lineEdits(states.before.text, now), persons, conflicts);
    if (!isAlone) return undefined;
    const hunks = moved.hunks
      .filter((hunk) => !(isByPerson(hunk.id) && isPending(hunk)))
      .map((hunk) => {
        const { at, ...rest } = hunk;
        return at === undefined || given.includes(hunk) ? rest : { ...rest, at: moveRange(changes, at) };
      });
    const own = states === undefined ? [] : apart(proposal.id, hunks, states.before.text, now);
    const kept = this.#texts.keep({ ...after, text: now });
    return { ...moved, ...(kept && { after: kept }), hunks: [...hunks, ...own] };
  }

  /** "gone": it is not kept any more. */
  changeFrom(share: CallShare, takes: (hunk: CallHunk) => boolean): FileChange | "gone" | undefined {
    const [before, after] = [this.#texts.stateOf(share.before), this.#texts.stateOf(share.after)];
    if (before === "gone" || after === "gone") return "gone";
    const { reasons } = share;
    const verdict = reasons.length > 0 ? "confirm" : "allow";
    const permission = ({ path }: FileName) => ({ verdict, reasons, real: path }) as const;
    if (before === undefined)
      return after && { kind: "add", file: after.file, permission: permission(after.file), text: after.text };
    const { file, text } = before;
    const base = { text, sha256: hashOf(text), version: undefined };
    const common = { file, permission: permission(file), base };
    if (after === undefined) return { kind: "delete", ...common };
    const edits = editsOf(share, text, after.text, takes);
    const hunks = edits.map(
      ({ lines }) => ({ line: 0, matched: lines, looseness: "exact", onEarlier: false }) as const,
    );
    const own = numbered(edits);
    if (isSameFile(file, after.file)) return { kind: "update", ...common, edits: own, hunks };
    return { kind: "move", ...common, to: after.file, toReal: after.file.path, edits: own, hunks };
  }

  /** The same changes on a later text, where they can be had there. */
  #movedOn(share: CallShare, from: string | undefined, to: string): CallShare {
    const states = this.#textsOf(share);
    if (from === undefined || from === to || states === undefined) return share;
    const { before, after } = states;
    const [old, now] = [carried(before.text, from, to), carried(after.text, from, to)];
    if (old === undefined || now === undefined) return share;
    const [begun, led] = [
      { ...before, text: old },
      { ...after, text: now },
    ].map((state) => this.#texts.keep(state));
    const changes = changesBetween(after.text, now);
    const hunks = share.hunks.map((hunk) => (hunk.at ? { ...hunk, at: moveRange(changes, hunk.at) } : hunk));
    return { ...share, ...(begun && { before: begun }), ...(led && { after: led }), hunks };
  }

  /** Nothing where it made or deleted the file, or where they are lost. */
  #textsOf({ before: from, after: to }: CallShare): BothTexts | undefined {
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

export const isPending = ({ fate }: CallHunk): boolean => fate === "pending";

/** It is neither proposed nor in the files. */
const isOut = (fate: Fate): boolean => fate !== "pending" && fate !== "applied";

const linesOf = ({ from, to }: Pick<Conflict, "from" | "to">): LineRange => ({ first: from, last: to });

/** What is in a text and no change of the call's. */
function apart(proposal: string, known: readonly CallHunk[], before: string, after: string): CallHunk[] {
  const all = [...writtenBy(numbered(lineEdits(before, after))).values()];
  const own = all.filter((range) => !known.some(({ at }) => at && overlap(at, range)));
  const taken = new Set(known.map(({ id }) => id));
  let number = 0;
  return own.map((at): CallHunk => {
    while (taken.has(personsName(proposal, number))) number += 1;
    return { id: personsName(proposal, number++), at, fate: "pending" };
  });
}

/** Where the text after the first edits has what the others make at the same place as well. */
function sameEdits(edits: readonly LineEdit[], others: readonly LineEdit[]): readonly LineRange[] {
  const written = writtenBy(numbered(edits));
  return edits.flatMap(({ lines, text }, at) => {
    const isSame = (other: LineEdit) =>
      other.lines.first === lines.first && other.lines.last === lines.last && other.text === text;
    const range = written.get(at);
    return range !== undefined && others.some(isSame) ? [range] : [];
  });
}

/** What a call's text has become in these places is what the person has made there, and nothing else. */
function isPersonsAlone(
  edits: readonly LineEdit[],
  persons: readonly LineEdit[],
  places: readonly Conflict[],
): boolean {
  const written = writtenBy(numbered(edits));
  return edits.every((edit, at) => {
    const range = written.get(at);
    if (range === undefined || !places.some((each) => overlap(linesOf(each), range))) return true;
    return persons.some(({ removed, text }) => removed === edit.removed && text === edit.text);
  });
}

export const settled = (share: CallShare, from: Fate, to: Fate): CallShare => ({
  ...share,
  hunks: share.hunks.map((hunk) => (hunk.fate === from ? { ...hunk, fate: to } : hunk)),
});

/** Something of it was applied that was not before. */
export const isTaken = ({ hunks }: CallShare, before: CallShare | undefined): boolean =>
  hunks.some(({ fate }, hunk) => fate === "applied" && fate !== before?.hunks[hunk]?.fate);

/** The changes that are something else now, or this. */
export const decided = (
  before: readonly CallShare[],
  after: readonly CallShare[],
  to?: Fate,
): Step["hunks"] =>
  after.flatMap(({ call, hunks }, at) =>
    hunks
      .filter(({ fate }, hunk) => fate !== before[at]?.hunks[hunk]?.fate && (to === undefined || fate === to))
      .map(({ id }) => ({ call, id })),
  );

export const callsOf = (hunks: Step["hunks"]): ReadonlySet<string> => new Set(hunks.map(({ call }) => call));

/** Those that the chosen changes of a call have made. */
function editsOf(
  { hunks }: CallShare,
  before: string,
  after: string,
  takes: (hunk: CallHunk) => boolean,
): readonly LineEdit[] {
  const edits = numbered(lineEdits(before, after));
  const out = hunks.flatMap((hunk) => (hunk.at && !takes(hunk) ? [hunk.at] : []));
  if (out.length === 0) return edits;
  const written = writtenBy(edits);
  return edits.filter((_, hunk) => {
    const range = written.get(hunk);
    return range === undefined || !out.some((at) => overlap(at, range));
  });
}
