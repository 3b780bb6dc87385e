// What becomes of proposals: a patch enters, a person decides, the files go on. Knows the files only as it is told how they
// stand, writes nothing and asks nobody; whoever does that says afterwards what came of it. No waiting in it, so that
// nothing can happen in between.

import { lineEdits } from "../diff/line-edits.ts";
import { merge3 } from "../diff/merge.ts";
import { message } from "../messages/message.ts";
import { MessageError } from "../messages/message-error.ts";
import { applyEdits } from "../patch/edits.ts";
import type { FileChange, FileName, LineEdit, LineRange, MoveChange } from "../patch/model.ts";
import { inWorkingOrder } from "../patch/ordered-changes.ts";
import { reverseChanges } from "../patch/reverse.ts";
import { present } from "../util/present.ts";
import type { DecisionNote, HalfWritten, Intention, KeptChanges, Step } from "./kept-changes.ts";
import { nameAfter, type PendingFile } from "./pending-file.ts";
import {
  type Acceptance,
  type CallHunk,
  type CallShare,
  carried,
  changesBetween,
  type Fate,
  type FileState,
  isOpen,
  isSameFile,
  moveRange,
  overlap,
  type Proposal,
  type Seen,
  seenOf,
  withHunks,
  writtenBy,
} from "./proposal.ts";
import { Proposals } from "./proposals.ts";
import { hashOf, type Texts } from "./texts.ts";
import { type Stands, wayBack } from "./way-back.ts";

/** One change of a patch that was planned on the overlay, with the names that its hunks have in the row. */
export interface ProposedChange {
  readonly change: FileChange;
  readonly ids: readonly string[];
}

export interface CallOfTurn {
  readonly call: string;
  readonly turn: string;
  /** It is about something else than what was asked. */
  isOutside?(file: FileName): boolean;
  readonly model?: string | undefined;
  /** Of the request that it came with. */
  readonly receipt?: string | undefined;
}

/** A proposal on the files as they stand, and what a review shows of it. */
export interface Shown {
  readonly proposal: Proposal;
  readonly seen: Seen;
  readonly file: PendingFile;
}

/** What is to be written of one file. */
export interface Part extends Shown {
  readonly ids: ReadonlySet<string>;
  readonly change: FileChange;
}

/** Steps that the editor's own Undo may still reach. */
const maxSteps = 100;
const longestReason = 4000;

export class Changes {
  readonly #texts: Texts;
  readonly #newId: () => string;
  #proposals = new Proposals();
  #steps: readonly Step[] = [];
  #notes: readonly DecisionNote[] = [];
  intention: Intention | undefined;
  halfWritten: HalfWritten | undefined;

  constructor(texts: Texts, newId: () => string) {
    this.#texts = texts;
    this.#newId = newId;
  }

  get kept(): KeptChanges {
    const { intention, halfWritten } = this;
    const { all: proposals } = this.#proposals;
    return { proposals, steps: this.#steps, notes: this.#notes, intention, halfWritten };
  }

  set kept({ proposals, steps, notes, intention, halfWritten }: KeptChanges) {
    this.#proposals = new Proposals(proposals);
    this.#steps = steps;
    this.#notes = notes;
    this.intention = intention;
    this.halfWritten = halfWritten;
  }

  /** Those in which something may wait for a decision. */
  get open(): readonly Proposal[] {
    return this.#proposals.open;
  }

  /** What of this file was applied, the newest last. */
  sharesIn(file: FileName): readonly CallShare[] {
    const isOf = ({ after, hunks }: CallShare) =>
      after !== undefined && isSameFile(after.file, file) && hunks.some(({ fate }) => fate === "applied");
    return this.#proposals.all.flatMap(({ shares }) => shares.filter(isOf));
  }

  /** Something of which waits in this one. */
  callsWaitingIn(proposal: string): readonly string[] {
    const { shares = [] } = this.open.find(({ id }) => id === proposal) ?? {};
    return shares.flatMap(({ call, hunks }) => (hunks.some(isPending) ? [call] : []));
  }

  noteOf(call: string): DecisionNote | undefined {
    return this.#notes.find((note) => note.call === call);
  }

  fatesOf(call: string): ReadonlyMap<string, Fate> {
    const shares = this.#proposals.all.flatMap((each) => each.shares.filter((share) => share.call === call));
    return new Map(shares.flatMap(({ hunks }) => hunks.map(({ id, fate }) => [id, fate] as const)));
  }

  /** Names whose standing decides what is seen of a proposal: where it was, and where it would be. */
  namesOf({ base, proposed }: Proposal): readonly FileName[] {
    if (base === undefined) return proposed === undefined ? [] : [proposed.file];
    const stays = proposed === undefined || isSameFile(base.file, proposed.file);
    return stays ? [base.file] : [base.file, proposed.file];
  }

  /** With the files whose change has to come first, because it frees the name. */
  see(proposal: Proposal, stands: Stands): { readonly seen: Seen; readonly requires: readonly string[] } {
    const { base, proposed } = proposal;
    const nobody = { kind: "nothing" } as const;
    const live = base === undefined ? nobody : stands(base.file).live;
    if (proposed === undefined) return { seen: seenOf(proposal, live, nobody), requires: [] };
    const target = stands(proposed.file).live;
    const frees = this.freeing(proposal, stands);
    return frees === undefined
      ? { seen: seenOf(proposal, live, target), requires: [] }
      : { seen: seenOf(proposal, live, nobody), requires: [frees.id] };
  }

  /** Whose change has to come first, because it frees the name of this one. */
  freeing(proposal: Proposal, stands: Stands): Proposal | undefined {
    const { base, proposed } = proposal;
    if (proposed === undefined || (base !== undefined && isSameFile(base.file, proposed.file)))
      return undefined;
    return stands(proposed.file).live.kind === "nothing"
      ? undefined
      : this.#whoFrees(proposed.file, proposal);
  }

  // Proposing.

  /** What it was planned on is what its tools read, which the caller has seen to. */
  enter({ change, ids }: ProposedChange, by: CallOfTurn, stands: Stands): void {
    const { call, turn } = by;
    const outside = by.isOutside?.(change.file) === true ? { outside: true } : {};
    const known = this.#goingOnWith(change, stands);
    const before: FileState =
      change.kind === "add" ? undefined : { file: change.file, text: change.base.text };
    const after = stateAfter(change);
    const written = "edits" in change ? writtenBy(change.edits) : new Map<number, LineRange>();
    const hunks = ids.map((id, hunk): CallHunk => {
      const at = written.get(hunk);
      return { id, ...(at && { at }), fate: "pending" };
    });
    const [kept, led] = [this.#texts.keep(before), this.#texts.keep(after)];
    const { reasons } = change.permission;
    const share = {
      call,
      turn,
      ...(kept && { before: kept }),
      ...(led && { after: led }),
      hunks,
      reasons,
      ...outside,
      ...present({ model: by.model, receipt: by.receipt }),
    };
    const { edited: _, ...rest } = known;
    this.#put({ ...rest, proposed: after, shares: [...rest.shares, share] });
  }

  // Deciding.

  /**
   * What waits and was made by one of these calls, by other calls as well or not. What a person has written in their
   * place belongs to the last.
   */
  hunksOf(calls: ReadonlySet<string>, { proposal: { shares }, seen, file }: Shown): readonly string[] {
    const isOwn = ({ call }: CallShare) => calls.has(call);
    if (seen.kind !== "text")
      return shares.some((share) => isOwn(share) && share.hunks.some(isPending)) ? wholeOf(file) : [];
    const [own, others]: [LineRange[], LineRange[]] = [[], []];
    let isWhole = false;
    for (const share of shares)
      this.#each(share, seen.shown, (hunk, at) => {
        if (at !== undefined) (isOwn(share) ? own : others).push(at);
        else if (isOwn(share)) isWhole = true;
        return hunk;
      });
    const last = shares.at(-1);
    const isLast = last !== undefined && isOwn(last);
    const written = writtenBy(seen.edits);
    const isMeant = ({ number }: PendingFile["hunks"][number]) => {
      const range = number === undefined ? undefined : written.get(number);
      if (range === undefined) return isWhole;
      const isIn = (places: readonly LineRange[]) => places.some((at) => overlap(at, range));
      return isIn(own) || (isLast && !isIn(others));
    };
    return file.hunks.filter(isMeant).map(({ id }) => id);
  }

  /** All of these with what they require, in an order that works; none where one of them is not there any more. */
  choose(hunks: readonly string[], shown: readonly Shown[]): readonly Part[] | undefined {
    const wanted = new Set(hunks);
    const chosen = new Map<Shown, Set<string>>();
    for (const each of shown) {
      const own = each.file.hunks.filter(({ id }) => wanted.delete(id)).map(({ id }) => id);
      if (own.length === 0) continue;
      if (each.file.problem !== undefined) return undefined;
      chosen.set(each, new Set([...own, ...wholeOf(each.file)]));
    }
    if (wanted.size > 0) return undefined;
    for (const { file } of [...chosen.keys()])
      for (const id of file.requires) {
        const needed = shown.find((each) => each.file.id === id);
        if (needed !== undefined && !chosen.has(needed)) chosen.set(needed, new Set(wholeOf(needed.file)));
      }
    return inOrderOfWork([...chosen].map(([each, ids]) => ({ ...each, ids, change: taken(each.file, ids) })));
  }

  /** To be kept before anything is written: what may be found half done. */
  intend(parts: readonly Part[]): void {
    const files = parts.map(({ file, ids, change }) => {
      const before = "base" in change ? { file: change.file, text: change.base.text } : undefined;
      const [from, to] = [this.#texts.keep(before), this.#texts.keep(stateAfter(change))];
      return { proposal: file.id, hunks: [...ids], ...(from && { before: from }), ...(to && { after: to }) };
    });
    this.intention = { files };
  }

  /** They are in the files now. The calls that this decides. */
  accepted(parts: readonly Part[], acceptance?: Acceptance): ReadonlySet<string> {
    const all: Step["hunks"] = [];
    for (const part of parts) {
      const before = part.proposal.shares;
      const fated = this.#fated(part, (hunk) => hasHunk(part.file, part.ids, hunk), "applied");
      const shares = fated.map((share, at) =>
        acceptance !== undefined && isTaken(share, before[at]) ? { ...share, acceptance } : share,
      );
      for (const each of decided(part.proposal.shares, shares)) all.push(each);
      this.#put(goneOn({ ...part.proposal, shares }, part.seen, part.change));
    }
    this.#remember("applied", parts, all);
    return callsOf(all);
  }

  /** The calls that this decides; none where something of it is not there any more. */
  reject(hunks: readonly string[], shown: readonly Shown[]): ReadonlySet<string> | undefined {
    const wanted = new Set(hunks);
    const files = shown.filter(({ file }) => file.hunks.some(({ id }) => wanted.has(id)));
    const known = new Set(files.flatMap(({ file }) => file.hunks.map(({ id }) => id)));
    if (!hunks.every((id) => known.has(id))) return undefined;
    const all: Step["hunks"] = [];
    for (const each of files) {
      const { proposal, seen, file } = each;
      const isWhole = isAllOf(file, wanted);
      const isOut = (hunk: number) => isWhole || hasHunk(file, wanted, hunk);
      const shares = this.#fated(each, isOut, "rejected");
      for (const each of decided(proposal.shares, shares)) all.push(each);
      this.#put(without({ ...proposal, shares }, seen, isWhole, isOut));
    }
    return callsOf(all);
  }

  /** What stands aside in a file is given up. */
  rejectAside(shown: Shown): ReadonlySet<string> {
    const { proposal, seen } = shown;
    const { base, proposed } = proposal;
    const isText = seen.kind === "text" && base !== undefined && proposed !== undefined;
    const shares = isText
      ? this.#fated(shown, () => false, "rejected", true)
      : proposal.shares.map((share) => settled(share, "pending", "rejected"));
    this.#put(
      isText
        ? {
            ...proposal,
            base: { ...base, text: seen.live },
            proposed: { ...proposed, text: seen.shown },
            shares,
          }
        : closed({ ...proposal, shares }, base),
    );
    return callsOf(decided(proposal.shares, shares));
  }

  /** All that waits of a call; what later ones have built on it stands aside. */
  rejectCall(call: string): ReadonlySet<string> {
    const all: Step["hunks"] = [];
    for (const proposal of this.open) {
      const share = proposal.shares.findLast((each) => each.call === call && each.hunks.some(isPending));
      if (share === undefined) continue;
      const next = this.#withoutShare(proposal, share);
      for (const each of decided(proposal.shares, next.shares)) all.push(each);
      this.#put(next);
    }
    return callsOf(all);
  }

  /** A person has written this in the place of the proposed text. */
  edit({ proposal, seen }: Shown, text: string): void {
    const { base, proposed } = proposal;
    const shown = textOf(seen);
    if (shown === undefined || proposed === undefined || shown === text) return;
    const last = proposal.shares.at(-1);
    const others = proposal.shares.slice(0, -1);
    this.#put({
      ...proposal,
      ...(seen.kind === "text" && base && { base: { ...base, text: seen.live } }),
      proposed: { ...proposed, text },
      edited: proposal.edited ?? shown,
      shares: last === undefined ? [] : [...others, this.#amended(last, shown, text)],
    });
  }

  note(
    call: string,
    said: { reason?: string | undefined; edited?: string | undefined; unsaved?: string[] },
  ): void {
    const { edited, unsaved } = said;
    const old = this.noteOf(call);
    const reason = said.reason?.trim().slice(0, longestReason) ?? "";
    const note = {
      ...old,
      call,
      ...(reason !== "" && { reason }),
      ...(edited !== undefined && { edited }),
      ...(unsaved !== undefined && { unsaved }),
    };
    this.#notes = [...this.#notes.filter((each) => each !== old), note];
  }

  // Back and forth.

  /** What a call did: those of its changes. "gone": it is not kept any more. */
  changesOf(call: string, takes: (hunk: CallHunk) => boolean): readonly FileChange[] | "gone" {
    const found: FileChange[] = [];
    for (const { shares } of this.#proposals.all)
      for (const share of shares) {
        if (share.call !== call || !share.hunks.some(takes)) continue;
        const change = this.#changeFrom(share, takes);
        if (change === "gone") return "gone";
        if (change !== undefined) found.push(change);
      }
    return found;
  }

  /** To make room: what was decided long ago is not taken back any more. False where there is nothing of the kind. */
  forgetDecided(): boolean {
    const { all } = this.#proposals;
    const decided = all.filter((each) => !isOpen(each));
    const gone = new Set(decided.slice(0, Math.ceil(decided.length / 2)).map(({ id }) => id));
    this.#proposals = new Proposals(all.filter(({ id }) => !gone.has(id)));
    return gone.size > 0;
  }

  /** Every name that a call has touched. */
  namesOfCall(call: string): readonly FileName[] {
    const shares = this.#proposals.all.flatMap((each) => each.shares.filter((share) => share.call === call));
    return shares.flatMap(({ before, after }) =>
      [before, after].flatMap((state) => (state === undefined ? [] : [state.file])),
    );
  }

  /** What turns round what was applied of a call, or what was undone of it. @throws HumanError where nothing can. */
  wayOf(
    call: string,
    to: "applied" | "undone",
    stands: Stands,
    nameOf: (file: FileName) => string,
  ): readonly FileChange[] {
    const from = to === "undone" ? "applied" : "undone";
    const changes = this.changesOf(call, ({ fate }) => fate === from);
    if (changes === "gone") throw new MessageError(message("editsGone"));
    return wayBack(to === "undone" ? changes : reverseChanges(changes, hashOf), stands, nameOf);
  }

  /** That was carried out. */
  turnedRound(call: string, to: "applied" | "undone", changes: readonly FileChange[]): void {
    const from = to === "undone" ? "applied" : "undone";
    const hunks: Step["hunks"] = [];
    for (const proposal of this.#proposals.all) {
      if (!proposal.shares.some((share) => share.call === call)) continue;
      const shares = proposal.shares.map((share) => (share.call === call ? settled(share, from, to) : share));
      for (const each of decided(proposal.shares, shares)) hunks.push(each);
      this.#put({ ...proposal, shares });
    }
    this.#remember(
      to,
      changes.map((change) => ({ change })),
      hunks,
    );
  }

  /** Files that an Undo in this one may have touched with it. */
  filesNear(file: FileName): readonly FileName[] {
    return this.#near(file).flatMap(({ files }) => files.map((each) => each.file));
  }

  /** The editor's own Undo or Redo has touched a file: what it has turned round is so from now on. */
  notice(file: FileName, by: "undo" | "redo" | undefined, stands: Stands): ReadonlySet<string> {
    const near = this.#near(file);
    const done = near.filter(({ isDone }) => isDone).toReversed();
    // Undo begins with the newest: while that is in the files, none was undone, whatever else the texts look like.
    const back = by === "redo" ? [] : turnedSteps(done, "before", stands);
    const undone = near.filter(({ isDone }) => !isDone);
    const again = by === "undo" || back.length > 0 ? [] : turnedSteps(undone, "after", stands);
    const calls = [...back, ...again].flatMap((step) => [...this.#flip(step, !step.isDone)]);
    return new Set(calls);
  }

  // How.

  #put(proposal: Proposal): void {
    this.#proposals.put({ ...proposal, revision: proposal.revision + 1 });
  }

  #whoFrees(file: FileName, { id }: Proposal): Proposal | undefined {
    return this.open.find(
      ({ base, proposed, ...each }) =>
        each.id !== id &&
        base !== undefined &&
        isSameFile(base.file, file) &&
        (proposed === undefined || !isSameFile(proposed.file, file)),
    );
  }

  /** The proposal that a change goes on with, on the file as it is now. */
  #goingOnWith(change: FileChange, stands: Stands): Proposal {
    const { file } = change;
    const here = this.#proposals.leadingTo(file);
    const isThere = ({ proposed }: Proposal) => proposed !== undefined;
    const known = here.findLast(
      (each) => this.#proposals.isOpen(each) && (isThere(each) || change.kind === "add"),
    );
    const base = change.kind === "add" ? undefined : { file, text: change.base.text };
    if (known === undefined) {
      const begun = { id: this.#newId(), revision: 0, shares: [] };
      return { ...(here.findLast(isThere) ?? begun), base };
    }
    const { seen } = this.see(known, stands);
    if (seen.kind === "add" || seen.kind === "delete") return known;
    const isText = seen.kind === "text" && known.base !== undefined;
    // What stands aside would be lost without a word.
    const shares = isText
      ? this.#fated({ proposal: known, seen }, () => false, "applied", true)
      : known.shares.map((share) => settled(share, "pending", "conflict"));
    return isText && known.base
      ? { ...known, base: { ...known.base, text: seen.live }, shares }
      : { ...known, base, shares };
  }

  /** What becomes of the calls' changes when these hunks of what is seen are decided. */
  #fated(
    { proposal: { shares }, seen }: Pick<Shown, "proposal" | "seen">,
    isDecided: (hunk: number) => boolean,
    fate: "applied" | "rejected",
    withAside = false,
  ): readonly CallShare[] {
    if (seen.kind !== "text") return shares.map((share) => settled(share, "pending", fate));
    const ranges = [...writtenBy(seen.edits)];
    const isAll = ranges.every(([hunk]) => isDecided(hunk));
    const aside = seen.conflicts.map(({ from, to }) => ({ first: from, last: to }));
    const fateOf = (hunk: CallHunk, at: LineRange | undefined): Fate => {
      if (at === undefined) return fate === "applied" || isAll ? fate : "pending";
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
      this.#each(share, seen.shown, (hunk, at) => ({ ...hunk, fate: fateOf(hunk, at) })),
    );
  }

  /** Each change of a call that waits, with where it stands in a later text. */
  #each(
    share: CallShare,
    text: string,
    make: (hunk: CallHunk, at: LineRange | undefined) => CallHunk,
  ): CallShare {
    const after = share.hunks.some(isPending) ? this.#texts.stateOf(share.after) : undefined;
    if (after === undefined || after === "gone") return share;
    const changes = changesBetween(after.text, text);
    const hunks = share.hunks.map((hunk) =>
      isPending(hunk) ? make(hunk, hunk.at && moveRange(changes, hunk.at)) : hunk,
    );
    return { ...share, hunks };
  }

  #withoutShare(proposal: Proposal, share: CallShare): Proposal {
    const { shares, proposed, base } = proposal;
    const others = shares.filter((each) => each !== share && each.hunks.some(isPending));
    const [before, after] = [this.#texts.stateOf(share.before), this.#texts.stateOf(share.after)];
    const isText = before !== undefined && after !== undefined && before !== "gone" && after !== "gone";
    if (others.length === 0 || !isText || proposed === undefined || !isSameFile(before.file, after.file)) {
      // It made, moved or deleted the file: whatever else was proposed for it hangs on that.
      const left = shares.map((each) => settled(each, "pending", each === share ? "rejected" : "conflict"));
      return closed({ ...proposal, shares: left }, base);
    }
    const own = share.hunks.flatMap(({ at, fate }) => (at && fate === "pending" ? [at] : []));
    const back = lineEdits(after.text, before.text).filter(({ lines }) =>
      own.some((at) => overlap(at, lines)),
    );
    const { text, conflicts } = merge3(after.text, applyEdits(after.text, back), proposed.text);
    const changes = changesBetween(after.text, proposed.text);
    const given = own.map((at) => moveRange(changes, at));
    const left = shares.map((each) => {
      if (each === share) return settled(each, "pending", "rejected");
      if (conflicts.length === 0) return each;
      return this.#each(each, proposed.text, (hunk, at) =>
        at && given.some((range) => overlap(range, at)) ? { ...hunk, fate: "conflict" } : hunk,
      );
    });
    return { ...proposal, proposed: { ...proposed, text }, shares: left };
  }

  /** What a person wrote into the proposed text belongs to the last call: it is taken back with it. */
  #amended(share: CallShare, shown: string, text: string): CallShare {
    const after = this.#texts.stateOf(share.after);
    if (after === undefined || after === "gone") return share;
    const now = carried(after.text, shown, text);
    if (now === undefined) return share;
    const changes = changesBetween(after.text, now);
    const kept = this.#texts.keep({ ...after, text: now });
    const hunks = share.hunks.map((hunk) =>
      hunk.at === undefined ? hunk : { ...hunk, at: moveRange(changes, hunk.at) },
    );
    return { ...share, ...(kept && { after: kept }), hunks };
  }

  #changeFrom(share: CallShare, takes: (hunk: CallHunk) => boolean): FileChange | "gone" | undefined {
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
    const numbered = edits.map((edit, hunk) => ({ ...edit, hunks: [hunk] }));
    if (isSameFile(file, after.file)) return { kind: "update", ...common, edits: numbered, hunks };
    return { kind: "move", ...common, to: after.file, toReal: after.file.path, edits: numbered, hunks };
  }

  #remember(
    kind: Step["kind"],
    parts: readonly { readonly change: FileChange }[],
    hunks: Step["hunks"],
  ): void {
    if (parts.length === 0) return;
    const files = parts.flatMap(({ change }) => hashesOf(change));
    const step: Step = { id: this.#newId(), kind, isDone: true, files, hunks };
    this.#steps = [...this.#steps, step].slice(-maxSteps);
  }

  #near(file: FileName): readonly Step[] {
    return this.#steps.filter(({ files }) => files.some((each) => isSameFile(each.file, file)));
  }

  #flip(step: Step, isDone: boolean): ReadonlySet<string> {
    const to: Fate = (step.kind === "applied") === isDone ? "applied" : "undone";
    this.#steps = this.#steps.map((each) => (each.id === step.id ? { ...each, isDone } : each));
    const names = new Set(step.hunks.map(({ call, id }) => `${call}\n${id}`));
    const isMeant = ({ call }: CallShare, { id }: CallHunk) => names.has(`${call}\n${id}`);
    for (const proposal of this.#proposals.all) {
      if (!proposal.shares.some((share) => share.hunks.some((hunk) => isMeant(share, hunk)))) continue;
      const shares = proposal.shares.map((share) => ({
        ...share,
        hunks: share.hunks.map((hunk) => (isMeant(share, hunk) ? { ...hunk, fate: to } : hunk)),
      }));
      this.#put({ ...proposal, shares });
    }
    return callsOf(step.hunks);
  }
}

const isPending = ({ fate }: CallHunk): boolean => fate === "pending";

export function stateAfter(change: FileChange): FileState {
  if (change.kind === "delete") return undefined;
  if (change.kind === "add") return { file: change.file, text: change.text };
  return { file: nameAfter(change), text: applyEdits(change.base.text, change.edits) };
}

/** What a review shows of the proposed side. */
export const textOf = (seen: Seen): string | undefined =>
  seen.kind === "text" ? seen.shown : seen.kind === "add" ? seen.text : undefined;

const hasHunk = ({ hunks }: PendingFile, ids: ReadonlySet<string>, number: number): boolean =>
  hunks.some((hunk) => hunk.number === number && ids.has(hunk.id));

/** New, deleted, moved: the file itself goes along with anything in it. */
const wholeOf = ({ hunks }: PendingFile): readonly string[] =>
  hunks.filter(({ number }) => number === undefined).map(({ id }) => id);

/** The file itself is meant, or all that can be decided in it. */
const isAllOf = (file: PendingFile, ids: ReadonlySet<string>): boolean =>
  wholeOf(file).some((id) => ids.has(id)) ||
  file.hunks.every(({ id, number }) => number === undefined || ids.has(id));

/** With only these of its hunks. */
function taken(file: PendingFile, ids: ReadonlySet<string>): FileChange {
  const { change } = file;
  if (!("edits" in change)) return change;
  return { ...change, edits: change.edits.filter((_, number) => hasHunk(file, ids, number)) };
}

function inOrderOfWork(parts: readonly Part[]): readonly Part[] {
  const moves = parts.flatMap(({ change }) => (change.kind === "move" ? [change] : []));
  const ordered: readonly MoveChange[] = inWorkingOrder(moves) ?? moves;
  const of = (kind: FileChange["kind"]) => parts.filter(({ change }) => change.kind === kind);
  const moving = ordered.flatMap((move) => parts.filter(({ change }) => change === move));
  return [...of("delete"), ...moving, ...of("update"), ...of("add")];
}

/** Nothing of it waits any more. */
const closed = ({ edited: _, ...proposal }: Proposal, state: FileState): Proposal => ({
  ...proposal,
  base: state,
  proposed: state,
});

/** This much of it is in the files. What stands aside stays aside: the base goes on by what was accepted alone. */
function goneOn(proposal: Proposal, seen: Seen, change: FileChange): Proposal {
  const { base, proposed } = proposal;
  const after = stateAfter(change);
  if (seen.kind !== "text" || after === undefined || base === undefined || proposed === undefined)
    return closed(proposal, after);
  if (after.text === seen.shown && seen.conflicts.length === 0) return closed(proposal, after);
  const text = carried(base.text, seen.live, after.text);
  return text === undefined
    ? { ...proposal, base: after, proposed: { file: after.file, text: seen.shown } }
    : { ...proposal, base: { file: after.file, text }, proposed: { ...proposed, file: after.file } };
}

function without(
  proposal: Proposal,
  seen: Seen,
  isWhole: boolean,
  isOut: (hunk: number) => boolean,
): Proposal {
  const { base, proposed } = proposal;
  if (seen.kind !== "text" || base === undefined || proposed === undefined) return closed(proposal, base);
  if (isWhole && (seen.isMove || seen.conflicts.length === 0)) return closed(proposal, base);
  const left = withHunks(seen.live, seen.edits, (hunk) => !isOut(hunk));
  const text = carried(proposed.text, seen.shown, left);
  return text === undefined
    ? { ...proposal, base: { ...base, text: seen.live }, proposed: { ...proposed, text: left } }
    : { ...proposal, proposed: { ...proposed, text } };
}

const settled = (share: CallShare, from: Fate, to: Fate): CallShare => ({
  ...share,
  hunks: share.hunks.map((hunk) => (hunk.fate === from ? { ...hunk, fate: to } : hunk)),
});

/** Something of it was applied that was not before. */
const isTaken = ({ hunks }: CallShare, before: CallShare | undefined): boolean =>
  hunks.some(({ fate }, hunk) => fate === "applied" && fate !== before?.hunks[hunk]?.fate);

/** The changes that are something else now. */
const decided = (before: readonly CallShare[], after: readonly CallShare[]): Step["hunks"] =>
  after.flatMap(({ call, hunks }, at) =>
    hunks.filter(({ fate }, hunk) => fate !== before[at]?.hunks[hunk]?.fate).map(({ id }) => ({ call, id })),
  );

const callsOf = (hunks: Step["hunks"]): ReadonlySet<string> => new Set(hunks.map(({ call }) => call));

/** Those that the chosen changes of a call have made. */
function editsOf(
  { hunks }: CallShare,
  before: string,
  after: string,
  takes: (hunk: CallHunk) => boolean,
): readonly LineEdit[] {
  const edits = lineEdits(before, after).map((edit, hunk) => ({ ...edit, hunks: [hunk] }));
  const out = hunks.flatMap((hunk) => (hunk.at && !takes(hunk) ? [hunk.at] : []));
  if (out.length === 0) return edits;
  const written = writtenBy(edits);
  return edits.filter((_, hunk) => {
    const range = written.get(hunk);
    return range === undefined || !out.some((at) => overlap(at, range));
  });
}

function hashesOf(change: FileChange): Step["files"] {
  const after = stateAfter(change);
  const from = { file: change.file, ...("base" in change && { before: hashOf(change.base.text) }) };
  if (change.kind === "move" && after) return [from, { file: after.file, after: hashOf(after.text) }];
  return [{ ...from, ...(after && { after: hashOf(after.text) }) }];
}

/** The first of these, up to the one whose side the files hold: several may have gone at once. */
function turnedSteps(steps: readonly Step[], side: "before" | "after", stands: Stands): readonly Step[] {
  const [first] = steps;
  const other = side === "before" ? "after" : "before";
  if (first === undefined || holds(first.files, other, stands)) return [];
  const files = new Map<string, Step["files"][number]>();
  for (const [at, step] of steps.entries()) {
    for (const each of step.files) files.set(JSON.stringify(each.file), each);
    if (holds([...files.values()], side, stands)) return steps.slice(0, at + 1);
  }
  return [];
}

function holds(files: Step["files"], side: "before" | "after", stands: Stands): boolean {
  return files.every(({ file, ...hashes }) => {
    const { live } = stands(file);
    if (live.kind === "other") return false;
    return (live.kind === "text" ? hashOf(live.text) : undefined) === hashes[side];
  });
}
