// State machine for proposals: a patch enters, a person decides, the files move on. Does no I/O and asks nobody:
// callers pass in the state of the files and report what they wrote. It is synchronous so that nothing can change in
// between.
import type { Message } from "../../conversation/messages.ts";
import type { FileChange, FileName, LineEdit } from "../../patch/model.ts";
import { present } from "../../util/present.ts";
import {
  appliedWrites,
  type DecisionNote,
  type HalfWritten,
  type Intention,
  type KeptChanges,
  type Step,
  type Texts,
} from "../change-store.ts";
import {
  findReversedSteps,
  hashedFilesOf,
  type PathLookup,
  type Reversed,
  stepsNear,
  withStep,
} from "../plan-undo.ts";
import {
  type Acceptance,
  type CallEdit,
  type CallHunk,
  type FileState,
  type HunkStatus,
  isOpen,
  isPending,
  type Proposal,
  type ProposedChange,
  stateAfter,
  textOfView,
  withoutPending,
} from "../proposal.ts";
import {
  type ChosenChange,
  coversFile,
  hasHunk,
  Refusals,
  type ShownProposal,
  wholeFileHunks,
} from "./accept-files.ts";
import { type OpenProposals, Proposals, viewProposal } from "./proposal-index.ts";
import { canRejectCall, withoutCall } from "./reject-call.ts";
import { shareLines } from "./shared-lines.ts";
import {
  acceptedIn,
  editedBy,
  finished,
  isFileChange,
  pendingParts,
  placesOf,
  proposedOn,
  rejectedIn,
  takenOver,
  withoutAll,
} from "./text-changes.ts";
import { withWritten, writesOf } from "./written-changes.ts";

export interface CallOfTurn {
  readonly call: string;
  readonly turn: string;
  /** Whether the file is unrelated to what the person asked about. */
  isOutside?(file: FileName): boolean;
  readonly model?: string | undefined;
  /** The receipt of the request this call came with. */
  readonly receipt?: string | undefined;
}

/** A change that is about to be written, what its proposal comes to then, and the hunks that are written. */
interface Accepting {
  readonly change: FileChange;
  readonly decided: Proposal;
  readonly hunks: Step["hunks"];
  readonly files: Step["files"];
}

const longestReason = 4000;

export class ChangeSetState implements OpenProposals {
  readonly #texts: Texts;
  readonly #newId: () => string;
  #proposals = new Proposals();
  readonly #forgotten = new Set<string>();
  #steps: readonly Step[] = [];
  #notes: readonly DecisionNote[] = [];
  readonly refusals = new Refusals();
  intention: Intention | undefined;
  halfWritten: HalfWritten | undefined;

  constructor(texts: Texts, newId: () => string) {
    this.#texts = texts;
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

  /** What was forgotten to make room stays so, since its texts are deleted. */
  set kept({ proposals, steps, notes, intention, halfWritten, refusals = [] }: KeptChanges) {
    this.refusals.kept = refusals;
    this.#proposals = new Proposals(
      proposals.filter((each) => isOpen(each) || !this.#forgotten.has(each.id)),
    );
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

  /** The calls with pending hunks in this proposal. */
  callsWaitingIn(proposal: string): readonly string[] {
    const { shares = [] } = this.open.find(({ id }) => id === proposal) ?? {};
    return shares.flatMap(({ call, hunks }) => (hunks.some(isPending) ? [call] : []));
  }

  noteOf(call: string): DecisionNote | undefined {
    return this.#notes.find((note) => note.call === call);
  }

  /** The ids of the hunks of a call that are in the files, also of those that were accepted in part. */
  inFiles(call: string): ReadonlySet<string> {
    const own = appliedWrites(this.#proposals.all).filter(({ edit }) => edit.call === call);
    return new Set(own.flatMap(({ write }) => write.hunks.flatMap(({ id, undone }) => (undone ? [] : [id]))));
  }

  statusesOf(call: string): ReadonlyMap<string, HunkStatus> {
    const shares = this.#proposals.all.flatMap((each) => each.shares.filter((share) => share.call === call));
    return new Map(shares.flatMap(({ hunks }) => hunks.map(({ id, status }) => [id, status] as const)));
  }

  // Proposing.

  /**
   * Adds a change. The caller has already checked that it was planned on what the tools of the session read. Returns
   * the earlier calls that this decides.
   */
  enter({ change, ids }: ProposedChange, by: CallOfTurn, lookUp: PathLookup): ReadonlySet<string> {
    const { call, turn } = by;
    const outside = by.isOutside?.(change.file) === true ? { outside: true } : {};
    const before: FileState =
      change.kind === "add" ? undefined : { file: change.file, text: change.base.text };
    const after = stateAfter(change);
    const edit: CallEdit = present({
      ...{ call, turn, ...outside, model: by.model, receipt: by.receipt },
      before: this.#texts.keep(before),
      after: this.#texts.keep(after),
      hunks: ids.map((id): CallHunk => ({ id, status: "pending" })),
      reasons: change.permission.reasons,
    });
    return this.#put(proposedOn(this.#proposalBuiltOn(change, lookUp), { change, after }, edit));
  }

  // Deciding.

  /** The pending hunks that were made by one of these calls, whether or not other calls had a part in them. */
  hunksOf(calls: ReadonlySet<string>, { proposal, view, file }: ShownProposal): readonly string[] {
    const { shares } = proposal;
    const isOwn = (share: CallEdit | undefined) => share !== undefined && calls.has(share.call);
    if (view.kind !== "text")
      return shares.some((share) => isOwn(share) && share.hunks.some(isPending)) ? wholeFileHunks(file) : [];
    const isOwnPlace = placesOf(pendingParts(proposal).filter(({ share }) => isOwn(shares[share])));
    const isFile = shares.some((share) => isOwn(share) && isFileChange(share) && share.hunks.some(isPending));
    const isMeant = ({ number }: ShownProposal["file"]["hunks"][number]) => {
      const run = number === undefined ? undefined : view.runs[number];
      return run === undefined ? isFile : isOwnPlace(run);
    };
    return file.hunks.filter(isMeant).map(({ id }) => id);
  }

  /** The part of an intention that tells whether this change was written, should the write be interrupted. */
  intending({ file, ids, change }: ChosenChange): Intention["files"][number] {
    const before = "base" in change ? { file: change.file, text: change.base.text } : undefined;
    const [from, to] = [this.#texts.keep(before), this.#texts.keep(stateAfter(change))];
    return { proposal: file.id, hunks: [...ids], ...(from && { before: from }), ...(to && { after: to }) };
  }

  /** What a proposal comes to once this change is written to its file. It decides nothing yet. */
  accepting({ proposal, view, file, ids, change }: ChosenChange, acceptance?: Acceptance): Accepting {
    const isChosen = (hunk: number) => hasHunk(file, ids, hunk);
    const writes = writesOf(proposal, view, change, isChosen, this.#texts);
    const known = proposal.writes.length;
    const written = { ...proposal, writes: [...proposal.writes, ...writes] };
    const decided = acceptedIn(written, view, change, isChosen);
    const own = new Set(writes.map(({ share }) => share));
    const shares = decided.shares.map((share, at) =>
      acceptance !== undefined && own.has(at) ? { ...share, acceptance } : share,
    );
    const hunks = writes.flatMap((each, at) =>
      each.hunks.map(({ id }) => ({ proposal: proposal.id, write: known + at, id })),
    );
    return { change, decided: { ...decided, shares }, hunks, files: this.filesOf([change]) };
  }

  /** Marks these changes as written to the files. Returns the calls that this decides. */
  accepted(parts: readonly Accepting[]): ReadonlySet<string> {
    const calls = new Set(parts.flatMap(({ decided }) => [...this.#put(decided)]));
    this.#remember(
      "applied",
      parts.flatMap(({ files }) => files),
      parts.flatMap(({ hunks }) => hunks),
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
      for (const call of this.#put(rejectedIn(proposal, view, isWhole, isOut))) calls.add(call);
    }
    return calls;
  }

  /** Rejects the conflicts in a file; if nothing in it can be accepted, rejects the whole proposal. */
  rejectConflicts({ proposal, view, file }: ShownProposal): ReadonlySet<string> {
    const isText = file.problem === undefined && view.kind === "text";
    return this.#put(isText ? takenOver(proposal, view, "rejected") : withoutAll(proposal));
  }

  /** Rejects these proposals as a whole. Returns the calls that this decides. */
  rejectAll(shown: readonly ShownProposal[]): ReadonlySet<string> {
    return new Set(shown.flatMap(({ proposal }) => [...this.#put(withoutAll(proposal))]));
  }

  /**
   * Rejects all pending hunks of a call, in the files of these names or in all. Hunks that later calls built on it
   * become conflicted, and those that were written over can no longer come back.
   */
  rejectCall(
    call: string,
    isMeant: (files: readonly FileName[]) => boolean = () => true,
  ): ReadonlySet<string> {
    const calls = new Set<string>();
    for (const proposal of this.open) {
      const { base, proposed } = proposal;
      if (!isMeant([base, proposed].flatMap((state) => state?.file ?? []))) continue;
      if (!canRejectCall(proposal, call)) continue;
      for (const each of this.#put(withoutCall(proposal, call))) calls.add(each);
    }
    return calls;
  }

  /**
   * Replaces the proposed text with what a person has written. `edits`: from the text that is shown. Returns the calls
   * that this decides.
   */
  edit({ proposal, view }: ShownProposal, text: string, edits: readonly LineEdit[]): ReadonlySet<string> {
    const shown = textOfView(view);
    if (shown === undefined || shown === text) return new Set();
    const known = view.kind === "text" ? takenOver(proposal, view) : proposal;
    return this.#put({ ...editedBy(known, text, edits), edited: proposal.edited ?? shown });
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

  /**
   * Makes room by forgetting the oldest decided proposals, which can then no longer be undone. False if there are none.
   */
  forgetDecided(): boolean {
    const { all } = this.#proposals;
    const decided = all.filter((each) => !isOpen(each));
    const gone = new Set(decided.slice(0, Math.ceil(decided.length / 2)).map(({ id }) => id));
    for (const id of gone) this.#forgotten.add(id);
    this.#proposals = new Proposals(all.filter(({ id }) => !gone.has(id)));
    return gone.size > 0;
  }

  /** What a step that makes these changes is known by. By the names of texts, which are hashes: most were kept before. */
  filesOf(changes: readonly FileChange[]): Step["files"] {
    return hashedFilesOf(changes, (text) => this.#texts.nameOf(text));
  }

  /** Marks these reversals as carried out in one step, which changed these files. */
  markReversed(reversed: readonly Reversed[], to: "applied" | "undone", files: Step["files"]): void {
    const hunks = reversed.flatMap(({ proposal, write, hunks: own }) =>
      own.map(({ id }) => ({ proposal, write, id })),
    );
    this.#markWritten(hunks, to);
    this.#remember(to, files, hunks);
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
    const reversed = findReversedSteps(this.#steps, file, by, lookUp);
    const calls = new Set(reversed.flatMap((step) => [...this.#flip(step, !step.isDone)]));
    for (const call of calls) this.noteLeft(call, undefined);
    return calls;
  }

  // Implementation.

  /** Stores the proposal and returns the calls of which something is decided by that. */
  #put(proposal: Proposal): ReadonlySet<string> {
    const before = this.#proposals.find(proposal.id)?.shares ?? [];
    const { shares } = this.#proposals.put({ ...finished(proposal), revision: proposal.revision + 1 });
    return callsDecided(before, shares.slice(0, before.length));
  }

  #remember(kind: Step["kind"], files: Step["files"], hunks: Step["hunks"]): void {
    if (files.length === 0) return;
    this.#steps = withStep(this.#steps, { id: this.#newId(), kind, isDone: true, files, hunks });
  }

  #flip(step: Step, isDone: boolean): ReadonlySet<string> {
    this.#steps = this.#steps.map((each) => (each.id === step.id ? { ...each, isDone } : each));
    return this.#markWritten(step.hunks, (step.kind === "applied") === isDone ? "applied" : "undone");
  }

  /** These hunks of what was written are in the files, or no longer. Returns their calls. */
  #markWritten(hunks: Step["hunks"], to: "applied" | "undone"): ReadonlySet<string> {
    const names = new Map<string, Map<number, Set<string>>>();
    for (const { proposal, write, id } of hunks) {
      const own = names.get(proposal) ?? new Map<number, Set<string>>();
      names.set(proposal, own.set(write, (own.get(write) ?? new Set()).add(id)));
    }
    const calls = new Set<string>();
    for (const [id, own] of names) {
      const proposal = this.#proposals.find(id);
      if (proposal === undefined) continue;
      const { shares, writes } = proposal;
      const isMeant = (write: number, hunk: string) => own.get(write)?.has(hunk) === true;
      for (const [at, { share, hunks: written }] of writes.entries())
        if (written.some((hunk) => isMeant(at, hunk.id))) calls.add(shares[share]?.call ?? "");
      this.#put(withWritten(proposal, isMeant, to));
    }
    return calls;
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
    const begun = { base, proposed: base, lines: shareLines(base?.text ?? "") };
    if (known === undefined) {
      const empty = { id: this.#newId(), revision: 0, shares: [], writes: [] };
      return { ...(here.findLast(isThere) ?? empty), ...begun };
    }
    const { view } = viewProposal(known, this, lookUp);
    if (view.kind === "add" || view.kind === "delete") return known;
    if (view.kind === "text") return takenOver(known, view);
    return { ...known, ...begun, shares: withoutPending(known, () => "conflict") };
  }
}

/** The calls with a hunk whose status has changed. */
const callsDecided = (before: readonly CallEdit[], after: readonly CallEdit[]): ReadonlySet<string> =>
  new Set(
    after.flatMap(({ call, hunks }, at) =>
      hunks.some(({ status }, hunk) => status !== before[at]?.hunks[hunk]?.status) ? [call] : [],
    ),
  );
