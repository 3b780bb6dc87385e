// State machine for proposals: a patch enters, a person decides, the files move on. Does no I/O and asks nobody:
// callers pass in the state of the files and report what they wrote. It is synchronous so that nothing can change in
// between.
import type { Message } from "../../conversation/messages.ts";
import { reverseChanges } from "../../patch/edits.ts";
import type { FileChange, FileName, LineRange } from "../../patch/model.ts";
import { orderOfWork } from "../../patch/plan.ts";
import { present } from "../../util/present.ts";
import type { DecisionNote, HalfWritten, Intention, KeptChanges, Step, Texts } from "../change-store.ts";
import type { PendingFile } from "../pending-changes.ts";
import {
  findReversedSteps,
  hashedFilesOf,
  type PathLookup,
  type Reversal,
  stepsNear,
  withStep,
} from "../plan-undo.ts";
import {
  type Acceptance,
  advanceBase,
  type CallEdit,
  type CallHunk,
  closed,
  type FileState,
  type HunkStatus,
  hashOf,
  isOpen,
  isSameFile,
  type Proposal,
  type ProposalView,
  type ProposedChange,
  stateAfter,
  textOfView,
  type WrittenChange,
  withoutHunks,
  writtenBy,
} from "../proposal.ts";
import {
  type ChosenChange,
  coversFile,
  hasHunk,
  Refusals,
  type ShownProposal,
  wholeFileHunks,
} from "./accept-files.ts";
import { isPending, WaitingHunks } from "./locate-hunks.ts";
import { type OpenProposals, Proposals, viewProposal } from "./proposal-index.ts";
import {
  CallEdits,
  type ComparedCalls,
  callsOf,
  decidedHunks,
  hasNewlyApplied,
  withStatus,
} from "./tool-call-edits.ts";

export interface CallOfTurn {
  readonly call: string;
  readonly turn: string;
  /** Whether the file is unrelated to what the person asked about. */
  isOutside?(file: FileName): boolean;
  readonly model?: string | undefined;
  /** The receipt of the request this call came with. */
  readonly receipt?: string | undefined;
}

/** `gone`: changes whose texts are no longer stored. */
export interface ReversalsOfCalls {
  readonly turns: readonly Reversal[];
  readonly gone: readonly { readonly call: string; readonly proposal: string; readonly file: FileName }[];
}

const longestReason = 4000;

/** `at`: the index of the call among those that changed its file. */
type Beneath = Reversal & { readonly at: number };

export class ChangeSetState implements OpenProposals {
  readonly #texts: Texts;
  readonly #waiting: WaitingHunks;
  readonly #shares: CallEdits;
  readonly #newId: () => string;
  #proposals = new Proposals();
  #steps: readonly Step[] = [];
  #notes: readonly DecisionNote[] = [];
  readonly refusals = new Refusals();
  intention: Intention | undefined;
  halfWritten: HalfWritten | undefined;

  constructor(texts: Texts, newId: () => string) {
    this.#texts = texts;
    this.#waiting = new WaitingHunks(texts);
    this.#shares = new CallEdits(texts, this.#waiting);
    this.#newId = newId;
  }

  get kept(): KeptChanges {
    const { intention, halfWritten } = this;
    const { all: proposals } = this.#proposals;
    const { kept: refusals } = this.refusals;
    return {
      ...{ proposals, steps: this.#steps, notes: this.#notes, intention, halfWritten },
      ...(refusals.length > 0 && { refusals }),
    };
  }

  set kept({ proposals, steps, notes, intention, halfWritten, refusals = [] }: KeptChanges) {
    this.refusals.kept = refusals;
    this.#proposals = new Proposals(proposals);
    this.#steps = steps;
    this.#notes = notes;
    this.intention = intention;
    this.halfWritten = halfWritten;
  }

  /** Proposals with undecided changes. */
  get open(): readonly Proposal[] {
    return this.#proposals.open;
  }

  /** The open proposals whose base has this name. */
  openOn(file: FileName): readonly Proposal[] {
    return this.#proposals.openOn(file);
  }

  /** The applied edits of this file, newest last. */
  sharesIn(file: FileName): readonly CallEdit[] {
    const isOf = ({ after, hunks }: CallEdit) =>
      after !== undefined &&
      isSameFile(after.file, file) &&
      hunks.some(({ fate: status }) => status === "applied");
    return this.#proposals.all.flatMap(({ shares }) => shares.filter(isOf));
  }

  /** The calls with pending hunks in this proposal. */
  callsWaitingIn(proposal: string): readonly string[] {
    const { shares = [] } = this.open.find(({ id }) => id === proposal) ?? {};
    return shares.flatMap(({ call, hunks }) => (hunks.some(isPending) ? [call] : []));
  }

  noteOf(call: string): DecisionNote | undefined {
    return this.#notes.find((note) => note.call === call);
  }

  statusesOf(call: string): ReadonlyMap<string, HunkStatus> {
    const shares = this.#proposals.all.flatMap((each) => each.shares.filter((share) => share.call === call));
    return new Map(shares.flatMap(({ hunks }) => hunks.map(({ id, fate: status }) => [id, status] as const)));
  }

  // Proposing.

  /**
   * Adds a change. The caller has already checked that it was planned on what the tools of the session read. Returns
   * the earlier calls that this decides.
   */
  enter({ change, ids }: ProposedChange, by: CallOfTurn, lookUp: PathLookup): ReadonlySet<string> {
    const { call, turn } = by;
    const outside = by.isOutside?.(change.file) === true ? { outside: true } : {};
    const known = this.#proposalBuiltOn(change, lookUp);
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
   * The pending hunks that were made by one of these calls, whether or not other calls had a part in them. Text a
   * person wrote in their place counts for the last call.
   */
  hunksOf(calls: ReadonlySet<string>, { proposal, view, file }: ShownProposal): readonly string[] {
    const { shares } = proposal;
    const isOwn = ({ call }: CallEdit) => calls.has(call);
    if (view.kind !== "text")
      return shares.some((share) => isOwn(share) && share.hunks.some(isPending)) ? wholeFileHunks(file) : [];
    const [own, others] = [new Set<number>(), new Set<number>()];
    let isWhole = false;
    for (const share of shares)
      this.#waiting.each(share, view.shown, (hunk, at) => {
        if (at === undefined) isWhole ||= isOwn(share);
        else
          for (const part of this.#waiting.partsOf(share, hunk, at, view))
            (isOwn(share) ? own : others).add(part);
        return hunk;
      });
    const last = shares.at(-1);
    const isLast = last !== undefined && isOwn(last);
    const isMeant = ({ number }: PendingFile["hunks"][number]) => {
      if (number === undefined) return isWhole;
      // A call that replaced the whole file has a part in everything that is in it now.
      return own.has(number) || (isWhole && !view.isMove) || (isLast && !others.has(number));
    };
    return file.hunks.filter(isMeant).map(({ id }) => id);
  }

  /** Records what is about to be written, so that an interrupted write can be detected. */
  intend(parts: readonly ChosenChange[]): void {
    const files = parts.map(({ file, ids, change }) => {
      const before = "base" in change ? { file: change.file, text: change.base.text } : undefined;
      const [from, to] = [this.#texts.keep(before), this.#texts.keep(stateAfter(change))];
      return { proposal: file.id, hunks: [...ids], ...(from && { before: from }), ...(to && { after: to }) };
    });
    this.intention = { files };
  }

  /** Marks these changes as written to the files. Returns the calls that this decides. */
  accepted(parts: readonly ChosenChange[], acceptance?: Acceptance): ReadonlySet<string> {
    const taken: Step["hunks"] = [];
    const calls = new Set<string>();
    for (const part of parts) {
      const before = part.proposal.shares;
      const withStatus = this.#shares.withStatuses(
        part.proposal,
        part.view,
        (hunk) => hasHunk(part.file, part.ids, hunk),
        "applied",
      );
      const shares = withStatus.map((share, at) =>
        acceptance !== undefined && hasNewlyApplied(share, before[at]) ? { ...share, acceptance } : share,
      );
      for (const each of decidedHunks(before, shares, "applied")) taken.push(each);
      for (const call of this.#put(advanceBase({ ...part.proposal, shares }, part.view, part.change)))
        calls.add(call);
    }
    this.#remember(
      "applied",
      parts.map(({ change }) => change),
      taken,
    );
    return calls;
  }

  /** Returns the calls that this decides, or undefined if one of the hunks no longer exists. */
  reject(hunks: readonly string[], shown: readonly ShownProposal[]): ReadonlySet<string> | undefined {
    const wanted = new Set(hunks);
    const files = shown.filter(({ file }) => file.hunks.some(({ id }) => wanted.has(id)));
    const known = new Set(files.flatMap(({ file }) => file.hunks.map(({ id }) => id)));
    if (!hunks.every((id) => known.has(id))) return undefined;
    const calls = new Set<string>();
    for (const { proposal, view, file } of files) {
      const isWhole = coversFile(file, wanted);
      const isOut = (hunk: number) => isWhole || hasHunk(file, wanted, hunk);
      const shares = this.#shares.withStatuses(proposal, view, isOut, "rejected");
      for (const call of this.#put(withoutHunks({ ...proposal, shares }, view, isWhole, isOut)))
        calls.add(call);
    }
    return calls;
  }

  /** Rejects the conflicts in a file; if nothing in it can be accepted, rejects the whole proposal. */
  rejectConflicts({ proposal, view, file }: ShownProposal): ReadonlySet<string> {
    const { base, proposed } = proposal;
    const isText =
      file.problem === undefined && view.kind === "text" && base !== undefined && proposed !== undefined;
    const shares = isText
      ? this.#shares.withStatuses(proposal, view, () => false, "rejected", true)
      : proposal.shares.map((share) => withStatus(share, "pending", "rejected"));
    return this.#put(
      isText
        ? {
            ...proposal,
            base: { ...base, text: view.live },
            proposed: { ...proposed, text: view.shown },
            shares,
          }
        : closed({ ...proposal, shares }, base),
    );
  }

  /** Rejects all pending hunks of a call. Hunks that later calls built on it become conflicted. */
  rejectCall(call: string): ReadonlySet<string> {
    const calls = new Set<string>();
    for (const proposal of this.open) {
      const share = proposal.shares.findLast((each) => each.call === call && each.hunks.some(isPending));
      if (share === undefined) continue;
      for (const each of this.#put(this.#shares.without(proposal, share))) calls.add(each);
    }
    return calls;
  }

  /** Replaces the proposed text with what a person has written. Returns the calls that this decides. */
  edit({ proposal, view }: ShownProposal, text: string): ReadonlySet<string> {
    const { base, proposed } = proposal;
    const shown = textOfView(view);
    if (shown === undefined || proposed === undefined || shown === text) return new Set();
    const known = { ...proposal, shares: this.#onFile(proposal, view) };
    return this.#put({
      ...known,
      ...(view.kind === "text" && base && { base: { ...base, text: view.live } }),
      proposed: { ...proposed, text },
      edited: proposal.edited ?? shown,
      shares: this.#amended(known, view, shown, text),
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

  /** The calls whose changes to this file the editor holds but the disk does not yet. */
  callsUnsavedIn(name: string): ReadonlySet<string> {
    return new Set(this.#notes.filter(({ unsaved }) => unsaved?.includes(name)).map(({ call }) => call));
  }

  // Undo and reapply.

  /** Compares the texts of these calls ahead of time, because that is slow for long texts. */
  compare(calls: readonly string[]): Promise<ComparedCalls> {
    const own = new Set(calls);
    const touched = this.#proposals.all.filter(({ shares }) => shares.some(({ call }) => own.has(call)));
    return this.#shares.compare(touched.flatMap(({ shares }) => shares.filter(isNeeded)));

    function isNeeded({ call, hunks }: CallEdit): boolean {
      return own.has(call) || hunks.some(isOverwritten);
    }
  }

  /**
   * The selected changes of a call, in an order in which they can be carried out; "gone" if their texts are no longer
   * stored.
   */
  changesOf(
    call: string,
    takes: (hunk: CallHunk) => boolean,
    compared: ComparedCalls,
  ): readonly FileChange[] | "gone" {
    const found: FileChange[] = [];
    for (const { shares } of this.#proposals.all)
      for (const share of shares) {
        if (share.call !== call || !share.hunks.some(takes)) continue;
        const made = this.#shares.changeFrom(share, takes, compared);
        if (made === "gone") return "gone";
        if (made !== undefined) found.push(made.change);
      }
    return orderOfWork(found);
  }

  isEdited(call: string): boolean {
    return this.#proposals.all.some(({ shares }) =>
      shares.some((share) => share.call === call && share.edited === true),
    );
  }

  /** What was written of a call's changes in the files in which a person has edited them. */
  editedChangesOf(call: string, compared: ComparedCalls): readonly WrittenChange[] {
    const isWritten = ({ fate: status }: CallHunk) => status === "applied" || status === "undone";
    return this.#proposals.all.flatMap(({ shares }) =>
      shares.flatMap((share) => {
        if (share.call !== call || share.edited !== true || !share.hunks.some(isWritten)) return [];
        const made = this.#shares.changeFrom(share, isWritten, compared);
        return made === "gone" || made === undefined ? [] : [made];
      }),
    );
  }

  /**
   * Makes room by forgetting the oldest decided proposals, which can then no longer be undone. False if there are none.
   */
  forgetDecided(): boolean {
    const { all } = this.#proposals;
    const decided = all.filter((each) => !isOpen(each));
    const gone = new Set(decided.slice(0, Math.ceil(decided.length / 2)).map(({ id }) => id));
    this.#proposals = new Proposals(all.filter(({ id }) => !gone.has(id)));
    return gone.size > 0;
  }

  /** Every file name the call has touched. */
  namesOfCall(call: string): readonly FileName[] {
    const shares = this.#proposals.all.flatMap((each) => each.shares.filter((share) => share.call === call));
    return shares.flatMap(({ before, after }) =>
      [before, after].flatMap((state) => (state === undefined ? [] : [state.file])),
    );
  }

  /**
   * The reversals that undo the applied changes of these calls, or reapply the undone ones, in order. `only` restricts
   * them to files in which the calls have one of these hunks.
   */
  reversalsOf(
    calls: readonly string[],
    to: "applied" | "undone",
    {
      only,
      compared,
    }: { readonly only?: ReadonlySet<string> | undefined; readonly compared?: ComparedCalls } = {},
  ): ReversalsOfCalls {
    const from = to === "undone" ? "applied" : "undone";
    const takes = ({ fate: status }: CallHunk) => status === from;
    type Own = Pick<Beneath, "proposal" | "at"> & { readonly share: CallEdit };
    const sharesOf = new Map<string, Own[]>(calls.map((call) => [call, []]));
    for (const { id: proposal, shares } of this.#proposals.all)
      for (const [at, share] of shares.entries()) {
        const isMeant = only === undefined || share.hunks.some(({ id }) => only.has(id));
        if (isMeant && share.hunks.some(takes)) sharesOf.get(share.call)?.push({ proposal, at, share });
      }
    const turns: Reversal[] = [];
    const gone: ReversalsOfCalls["gone"][number][] = [];
    let beneath = this.#beneath(new Set(calls), to, compared);
    for (const [call, shares] of sharesOf) {
      const made = new Map<FileChange, Omit<Reversal, "change">>();
      for (const { proposal, share } of shares) {
        const found = this.#shares.changeFrom(share, takes, compared);
        const file = (share.after ?? share.before)?.file;
        if (found === "gone" && file !== undefined) gone.push({ call, proposal, file });
        else if (found !== "gone" && found !== undefined)
          made.set(found.change, { call, proposal, hunks: found.hunks });
      }
      const ordered = orderOfWork([...made.keys()]);
      const ways = to === "undone" ? reverseChanges(ordered, hashOf) : ordered;
      const own = ways.flatMap((way, at): Reversal[] => {
        const found = made.get((to === "undone" ? ordered.at(-1 - at) : way) ?? way);
        return found === undefined ? [] : [{ ...found, change: way }];
      });
      // Undo runs from the last change to the first, reapply in the order in which they were written.
      const isBefore = ({ proposal, at }: Beneath) =>
        shares.some((each) => each.proposal === proposal && (to === "undone" ? at > each.at : at < each.at));
      const others = beneath.filter((each) => !isBefore(each));
      // Overwritten changes of the same call are reversed with it: the file name it took may belong to another call
      // before it, or to itself.
      const its = others.filter((each) => each.call === call);
      for (const each of [...beneath.filter(isBefore), ...freeingFirst([...own, ...its])]) turns.push(each);
      beneath = others.filter((each) => each.call !== call);
    }
    if (turns.every(({ isBeneath }) => isBeneath)) return { turns: [], gone };
    return { turns: [...turns, ...(to === "undone" ? beneath : [])], gone };
  }

  /** Marks these reversals as carried out in one step. */
  markReversed(turns: readonly Reversal[], to: "applied" | "undone", changes: readonly FileChange[]): void {
    const from = to === "undone" ? "applied" : "undone";
    const names = new Map<string, Set<string>>();
    for (const { proposal, call, hunks } of turns) {
      const known = names.get(proposal) ?? new Set();
      for (const { id } of hunks) known.add(`${call}\n${id}`);
      names.set(proposal, known);
    }
    const settledHunks: Step["hunks"] = [];
    for (const [id, own] of names) {
      const proposal = this.#proposals.find(id);
      if (proposal === undefined) continue;
      const isMeant = (call: string, hunk: CallHunk) => hunk.fate === from && own.has(`${call}\n${hunk.id}`);
      const shares = proposal.shares.map((share) => ({
        ...share,
        hunks: share.hunks.map((hunk) => (isMeant(share.call, hunk) ? { ...hunk, fate: to } : hunk)),
      }));
      for (const each of decidedHunks(proposal.shares, shares)) settledHunks.push(each);
      this.#put({ ...proposal, shares });
    }
    this.#remember(to, changes, settledHunks);
  }

  /** Notes what could not be reversed for a call; undefined if everything was, or the state is different by now. */
  noteLeft(call: string, left: Message | undefined): void {
    const old = this.noteOf(call);
    if (old?.left === undefined && left === undefined) return;
    const { left: _, ...known } = old ?? { call };
    this.#notes = [...this.#notes.filter((each) => each !== old), { ...known, ...(left && { left }) }];
  }

  /** Files that an Undo in this file may also have changed. */
  filesNear(file: FileName): readonly FileName[] {
    return stepsNear(this.#steps, file).flatMap(({ files }) => files.map((each) => each.file));
  }

  /** The editor's own Undo or Redo has changed a file: updates the status of the hunks it reversed. */
  notice(file: FileName, by: "undo" | "redo" | undefined, lookUp: PathLookup): ReadonlySet<string> {
    const turned = findReversedSteps(this.#steps, file, by, lookUp);
    const calls = new Set(turned.flatMap((step) => [...this.#flip(step, !step.isDone)]));
    for (const call of calls) this.noteLeft(call, undefined);
    return calls;
  }

  // Implementation.

  /**
   * The changes that these calls have overwritten, directly or through other overwritten changes. Later texts build on
   * them, although they never were in the file on their own, so they are reversed together with what is on top of them.
   */
  #beneath(
    calls: ReadonlySet<string>,
    to: "applied" | "undone",
    compared?: ComparedCalls,
  ): readonly Beneath[] {
    const turns: Beneath[] = [];
    const from = to === "undone" ? "applied" : "undone";
    for (const { id: proposal, shares } of this.#proposals.all) {
      const last = shares.findLastIndex(({ call }) => calls.has(call));
      for (const [at, share] of shares.slice(0, Math.max(last, 0)).entries()) {
        if (!share.hunks.some(isOverwritten)) continue;
        const found = this.#shares.changeFrom(share, isOverwritten, compared);
        if (found === undefined || found === "gone") continue;
        const { hunks } = found;
        // If the call also moved the file, its remaining hunks move it; if there are none, this change does.
        const isMovedByRest = share.hunks.some(({ fate: status }) => status === from);
        const change = isMovedByRest ? withoutMove(found.change, to) : found.change;
        if (change.kind !== "update" && change.kind !== "move") continue;
        const [way = change] = to === "undone" ? reverseChanges([change], hashOf) : [change];
        turns.push({ call: share.call, proposal, at, hunks, change: way, isBeneath: true });
      }
    }
    return to === "undone" ? turns.toReversed() : turns;
  }

  /** Assigns a person's edit to the last call whose changes it touches, otherwise to the last call that can take it. */
  #amended(proposal: Proposal, seen: ProposalView, shown: string, text: string): readonly CallEdit[] {
    const { shares } = proposal;
    const touched = this.#waiting.touchedBy(shares, shown, text);
    const inOrder = [...shares.entries()].toReversed();
    const first = inOrder.filter(([, share]) => touched.has(share));
    for (const [at, share] of [...first, ...inOrder.filter(([, share]) => !touched.has(share))]) {
      const amended = this.#shares.amended(share, proposal, seen, shown, text);
      if (amended !== undefined) return shares.with(at, amended);
    }
    return shares;
  }

  /** Stores the proposal and returns the calls of which something is decided by that. */
  #put(proposal: Proposal): ReadonlySet<string> {
    const before = this.#proposals.find(proposal.id)?.shares ?? [];
    // A proposal that ends up changing nothing has nothing left to decide.
    const shares = isOpen(proposal)
      ? this.#waiting.withoutOverwritten(proposal)
      : proposal.shares.map((share) => withStatus(share, "pending", "replaced"));
    this.#proposals.put({ ...proposal, shares, revision: proposal.revision + 1 });
    return callsOf(decidedHunks(before, shares.slice(0, before.length)));
  }

  #remember(kind: Step["kind"], changes: readonly FileChange[], hunks: Step["hunks"]): void {
    if (changes.length === 0) return;
    const step = { id: this.#newId(), kind, isDone: true, files: hashedFilesOf(changes), hunks };
    this.#steps = withStep(this.#steps, step);
  }

  #flip(step: Step, isDone: boolean): ReadonlySet<string> {
    const to: HunkStatus = (step.kind === "applied") === isDone ? "applied" : "undone";
    this.#steps = this.#steps.map((each) => (each.id === step.id ? { ...each, isDone } : each));
    const names = new Set(step.hunks.map(({ call, id }) => `${call}\n${id}`));
    const isMeant = ({ call }: CallEdit, { id }: CallHunk) => names.has(`${call}\n${id}`);
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

  /** The proposal that a new change builds on, rebased onto the current file. */
  #proposalBuiltOn(change: FileChange, lookUp: PathLookup): Proposal {
    const { file } = change;
    const here = this.#proposals.leadingTo(file);
    const isThere = ({ proposed }: Proposal) => proposed !== undefined;
    const open = here.filter((each) => this.#proposals.isOpen(each));
    // A deletion that conflicts with the file is superseded by what is proposed in its place.
    const known =
      open.findLast((each) => isThere(each) || change.kind === "add") ??
      open.findLast((each) => !isThere(each));
    const base = change.kind === "add" ? undefined : { file, text: change.base.text };
    if (known === undefined) {
      const begun = { id: this.#newId(), revision: 0, shares: [] };
      return { ...(here.findLast(isThere) ?? begun), base };
    }
    const { view } = viewProposal(known, this, lookUp);
    if (view.kind === "add" || view.kind === "delete") return known;
    if (view.kind !== "text" || known.base === undefined || known.proposed === undefined) {
      const shares = known.shares.map((share) => withStatus(share, "pending", "conflict"));
      return { ...known, base, shares };
    }
    return { ...known, base: { ...known.base, text: view.live }, shares: this.#onFile(known, view) };
  }

  /**
   * The edits of a proposal that is rebased onto the current file. Conflicted hunks are marked, so that they are not
   * lost silently.
   */
  #onFile(known: Proposal, seen: ProposalView): readonly CallEdit[] {
    if (seen.kind !== "text" || known.base === undefined || known.proposed === undefined) return known.shares;
    const withStatus = this.#shares.withStatuses(known, seen, () => false, "applied", true);
    return this.#shares.withoutTyped(withStatus, known.base.text, known.proposed.text, seen);
  }
}

const isOverwritten = ({ fate: status, overwritten }: CallHunk): boolean =>
  status === "replaced" && overwritten === true;

/** Orders each change before the one that takes the name it frees. */
function freeingFirst(turns: readonly Reversal[]): readonly Reversal[] {
  const turnOf = new Map(turns.map((turn) => [turn.change, turn]));
  return orderOfWork([...turnOf.keys()]).flatMap((way) => turnOf.get(way) ?? []);
}

/** The text edits of a move without the move itself, under the name the file has at that point. */
function withoutMove(change: FileChange, to: "applied" | "undone"): FileChange {
  if (change.kind !== "move") return change;
  const { to: name, toReal: _, ...edited } = change;
  return { ...edited, kind: "update", file: to === "undone" ? change.file : name };
}
