// What becomes of proposals: a patch enters, a person decides, the files go on. Knows the files only as it is told how they
// stand, writes nothing and asks nobody; whoever does that says afterwards what came of it. No waiting in it, so that
// nothing can happen in between.

import { message } from "../messages/message.ts";
import { MessageError } from "../messages/message-error.ts";
import type { FileChange, FileName, LineRange } from "../patch/model.ts";
import { orderOfWork } from "../patch/ordered-changes.ts";
import { reverseChanges } from "../patch/reverse.ts";
import { present } from "../util/present.ts";
import { CallShares, callsOf, decided, isPending, isTaken, settled } from "./call-shares.ts";
import type { DecisionNote, HalfWritten, Intention, KeptChanges, Step } from "./kept-changes.ts";
import { type OpenProposals, see } from "./names-of-proposals.ts";
import type { PendingFile } from "./pending-file.ts";
import { planUndo, type Stands } from "./plan-undo.ts";
import {
  type Acceptance,
  type CallHunk,
  type CallShare,
  closed,
  type Fate,
  type FileState,
  goneOn,
  isOpen,
  isSameFile,
  overlap,
  type Proposal,
  type Seen,
  stateAfter,
  textOf,
  without,
  writtenBy,
} from "./proposal.ts";
import { Proposals } from "./proposals.ts";
import { hasHunk, isAllOf, type Part, type Shown, wholeOf } from "./select-changes.ts";
import { hashOf, type Texts } from "./text-store.ts";
import { filesOf, stepsNear, turnedRound, withStep } from "./undo-steps.ts";

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

const longestReason = 4000;

export class ChangeSetState implements OpenProposals {
  readonly #texts: Texts;
  readonly #shares: CallShares;
  readonly #newId: () => string;
  #proposals = new Proposals();
  #steps: readonly Step[] = [];
  #notes: readonly DecisionNote[] = [];
  intention: Intention | undefined;
  halfWritten: HalfWritten | undefined;

  constructor(texts: Texts, newId: () => string) {
    this.#texts = texts;
    this.#shares = new CallShares(texts);
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

  /** Those of them that were built on what stands at this name. */
  openOn(file: FileName): readonly Proposal[] {
    return this.#proposals.openOn(file);
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

  // Proposing.

  /** What it was planned on is what its tools read, which the caller has seen to. The earlier calls that this decides. */
  enter({ change, ids }: ProposedChange, by: CallOfTurn, stands: Stands): ReadonlySet<string> {
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
    return this.#put({ ...rest, proposed: after, shares: [...rest.shares, share] });
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
      this.#shares.eachWaiting(share, seen.shown, (hunk, at) => {
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
      // Whoever has put another file in the place of one has a part in all that stands there now.
      return isIn(own) || (isWhole && !seen.isMove) || (isLast && !isIn(others));
    };
    return file.hunks.filter(isMeant).map(({ id }) => id);
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
    const taken: Step["hunks"] = [];
    const calls = new Set<string>();
    for (const part of parts) {
      const before = part.proposal.shares;
      const fated = this.#shares.fated(
        part.proposal,
        part.seen,
        (hunk) => hasHunk(part.file, part.ids, hunk),
        "applied",
      );
      const shares = fated.map((share, at) =>
        acceptance !== undefined && isTaken(share, before[at]) ? { ...share, acceptance } : share,
      );
      for (const each of decided(before, shares, "applied")) taken.push(each);
      for (const call of this.#put(goneOn({ ...part.proposal, shares }, part.seen, part.change)))
        calls.add(call);
    }
    this.#remember(
      "applied",
      parts.map(({ change }) => change),
      taken,
    );
    return calls;
  }

  /** The calls that this decides; none where something of it is not there any more. */
  reject(hunks: readonly string[], shown: readonly Shown[]): ReadonlySet<string> | undefined {
    const wanted = new Set(hunks);
    const files = shown.filter(({ file }) => file.hunks.some(({ id }) => wanted.has(id)));
    const known = new Set(files.flatMap(({ file }) => file.hunks.map(({ id }) => id)));
    if (!hunks.every((id) => known.has(id))) return undefined;
    const calls = new Set<string>();
    for (const { proposal, seen, file } of files) {
      const isWhole = isAllOf(file, wanted);
      const isOut = (hunk: number) => isWhole || hasHunk(file, wanted, hunk);
      const shares = this.#shares.fated(proposal, seen, isOut, "rejected");
      for (const call of this.#put(without({ ...proposal, shares }, seen, isWhole, isOut))) calls.add(call);
    }
    return calls;
  }

  /** What stands aside in a file is given up; where nothing of it can be accepted, that is all. */
  rejectAside({ proposal, seen, file }: Shown): ReadonlySet<string> {
    const { base, proposed } = proposal;
    const isText =
      file.problem === undefined && seen.kind === "text" && base !== undefined && proposed !== undefined;
    const shares = isText
      ? this.#shares.fated(proposal, seen, () => false, "rejected", true)
      : proposal.shares.map((share) => settled(share, "pending", "rejected"));
    return this.#put(
      isText
        ? {
            ...proposal,
            base: { ...base, text: seen.live },
            proposed: { ...proposed, text: seen.shown },
            shares,
          }
        : closed({ ...proposal, shares }, base),
    );
  }

  /** All that waits of a call; what later ones have built on it stands aside. */
  rejectCall(call: string): ReadonlySet<string> {
    const calls = new Set<string>();
    for (const proposal of this.open) {
      const share = proposal.shares.findLast((each) => each.call === call && each.hunks.some(isPending));
      if (share === undefined) continue;
      for (const each of this.#put(this.#shares.without(proposal, share))) calls.add(each);
    }
    return calls;
  }

  /** A person has written this in the place of the proposed text. The calls that this decides. */
  edit({ proposal, seen }: Shown, text: string): ReadonlySet<string> {
    const { base, proposed } = proposal;
    const shown = textOf(seen);
    if (shown === undefined || proposed === undefined || shown === text) return new Set();
    return this.#put({
      ...proposal,
      ...(seen.kind === "text" && base && { base: { ...base, text: seen.live } }),
      proposed: { ...proposed, text },
      edited: proposal.edited ?? shown,
      shares: this.#amended(proposal, seen, shown, text),
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

  /** What a call did: those of its changes, in an order in which they can be carried out. "gone": it is not kept any more. */
  changesOf(call: string, takes: (hunk: CallHunk) => boolean): readonly FileChange[] | "gone" {
    const found: FileChange[] = [];
    for (const { shares } of this.#proposals.all)
      for (const share of shares) {
        if (share.call !== call || !share.hunks.some(takes)) continue;
        const change = this.#shares.changeFrom(share, takes);
        if (change === "gone") return "gone";
        if (change !== undefined) found.push(change);
      }
    return orderOfWork(found);
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
    return planUndo(to === "undone" ? changes : reverseChanges(changes, hashOf), stands, nameOf);
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
    this.#remember(to, changes, hunks);
  }

  /** Files that an Undo in this one may have touched with it. */
  filesNear(file: FileName): readonly FileName[] {
    return stepsNear(this.#steps, file).flatMap(({ files }) => files.map((each) => each.file));
  }

  /** The editor's own Undo or Redo has touched a file: what it has turned round is so from now on. */
  notice(file: FileName, by: "undo" | "redo" | undefined, stands: Stands): ReadonlySet<string> {
    const turned = turnedRound(this.#steps, file, by, stands);
    const calls = turned.flatMap((step) => [...this.#flip(step, !step.isDone)]);
    return new Set(calls);
  }

  // How.

  /** It belongs to the last call that can have it. */
  #amended(proposal: Proposal, seen: Seen, shown: string, text: string): readonly CallShare[] {
    const { shares } = proposal;
    for (const [at, share] of [...shares.entries()].toReversed()) {
      const amended = this.#shares.amended(share, proposal, seen, shown, text);
      if (amended !== undefined) return shares.with(at, amended);
    }
    return shares;
  }

  /** The calls of which something is decided by that. */
  #put(proposal: Proposal): ReadonlySet<string> {
    const before = this.#proposals.find(proposal.id)?.shares ?? [];
    // What comes to nothing in the end has nothing in it that could be decided.
    const shares = isOpen(proposal)
      ? proposal.shares
      : proposal.shares.map((share) => settled(share, "pending", "replaced"));
    this.#proposals.put({ ...proposal, shares, revision: proposal.revision + 1 });
    return callsOf(decided(before, shares.slice(0, before.length)));
  }

  #remember(kind: Step["kind"], changes: readonly FileChange[], hunks: Step["hunks"]): void {
    if (changes.length === 0) return;
    const step = { id: this.#newId(), kind, isDone: true, files: filesOf(changes), hunks };
    this.#steps = withStep(this.#steps, step);
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

  /** The proposal that a change goes on with, on the file as it is now. */
  #goingOnWith(change: FileChange, stands: Stands): Proposal {
    const { file } = change;
    const here = this.#proposals.leadingTo(file);
    const isThere = ({ proposed }: Proposal) => proposed !== undefined;
    const open = here.filter((each) => this.#proposals.isOpen(each));
    // A deletion that the file does not let in goes on as what is proposed in its place.
    const known =
      open.findLast((each) => isThere(each) || change.kind === "add") ??
      open.findLast((each) => !isThere(each));
    const base = change.kind === "add" ? undefined : { file, text: change.base.text };
    if (known === undefined) {
      const begun = { id: this.#newId(), revision: 0, shares: [] };
      return { ...(here.findLast(isThere) ?? begun), base };
    }
    const { seen } = see(known, this, stands);
    if (seen.kind === "add" || seen.kind === "delete") return known;
    if (seen.kind !== "text" || known.base === undefined || known.proposed === undefined) {
      const shares = known.shares.map((share) => settled(share, "pending", "conflict"));
      return { ...known, base, shares };
    }
    // What stands aside would be lost without a word.
    const fated = this.#shares.fated(known, seen, () => false, "applied", true);
    const shares = this.#shares.withoutTyped(fated, known.base.text, known.proposed.text, seen);
    return { ...known, base: { ...known.base, text: seen.live }, shares };
  }
}
