// What a session proposes until a person has decided. Patches are added and answered at once; accepting, rejecting,
// editing and undoing happen only here. Every state is saved before anything follows from it; what the files contain is
// always read from the files.

import { message } from "../conversation/messages.ts";
import type { ApplyOutcome, Workspace } from "../files/workspace.ts";
import { mergingTexts, nameAfter } from "../patch/edits.ts";
import type { FileChange, FileName, Workspace as PatchWorkspace } from "../patch/model.ts";
import { refuse } from "../patch/patch-error.ts";
import { inWorkingOrder } from "../patch/plan.ts";
import { runTask } from "../util/background.ts";
import { createMutex, createYieldPoint } from "../util/concurrency.ts";
import { Emitter } from "../util/emitter.ts";
import { forLog } from "../util/sentences.ts";
import {
  appliedWrites,
  ChangeFile,
  type ChangeStore,
  type DecisionNote,
  type HalfWritten,
  type Intention,
  Texts,
} from "./change-store.ts";
import {
  acceptFiles,
  type ChosenChange,
  chooseHunks,
  filesOfCalls,
  maxRounds,
  noteRefused,
  refusedInRows,
  type ShownProposal,
} from "./internal/accept-files.ts";
import { ChangeSaver, type ChangeSaverDeps, settleInterrupted } from "./internal/change-saver.ts";
import { type CallOfTurn, ChangeSetState } from "./internal/change-set-state.ts";
import { movesIn, pathsOf } from "./internal/proposal-index.ts";
import { type EditedByPersonDeps, editedByPerson, ProposalViews } from "./internal/proposal-views.ts";
import {
  applyReversals,
  countFiles,
  groupLeftByFile,
  planOnDisk,
  summarizeLeft,
} from "./internal/undo-accepted-changes.ts";
import {
  changesOfCall,
  editedChangesOf,
  type ReversalsOfCalls,
  reversalsOf,
} from "./internal/written-changes.ts";
import { linesWrittenBy, type Written } from "./line-origins.ts";
import type { PendingFile } from "./pending-changes.ts";
import {
  type Acceptance,
  type AcceptOutcome,
  type CallEdit,
  type FileState,
  type HunkStatus,
  isSameFile,
  keyOf,
  type LeftFile,
  type Proposal,
  type ProposedChange,
  type ReverseOutcome,
  textOfView,
  type WrittenChange,
} from "./proposal.ts";

interface ChangeSetDeps extends ChangeSaverDeps, EditedByPersonDeps {
  /** The files as they are, with their permissions and paths. */
  world(): PatchWorkspace;
  /** Whether the workspace is trusted. Files that could not be written in Restricted Mode can be once it is. */
  isTrusted?(): boolean;
  readonly apply: Workspace["apply"];
  readonly store: ChangeStore;
  newId(): string;
  /** Called before files are written; the returned callback is told which calls have written which files. */
  applying?(changes: readonly FileChange[]): (written: ReadonlyMap<string, readonly FileName[]>) => void;
  /** Facts to store with what is accepted now, such as the time and the check results. */
  acceptance?(): Acceptance;
  /** Reports calls whose decisions have changed and are saved. Awaited before anything else runs. */
  decided(calls: ReadonlySet<string>): Promise<void>;
}

export class ChangeSet {
  readonly #deps: ChangeSetDeps;
  readonly #texts: Texts;
  readonly #file: ChangeFile;
  readonly #state: ChangeSetState;
  readonly #saver: ChangeSaver;
  readonly #one = createMutex();
  readonly #changed = new Emitter<void>();
  readonly #seen: ProposalViews;
  /** What the editor refused to reverse for a call in the last attempt. */
  readonly #refused = new Map<string, readonly LeftFile[]>();
  #shown: readonly ShownProposal[] = [];
  #revision = 0;
  /** For each open proposal its revision, and the revision of the set at which it got that. */
  #revisedAt: ReadonlyMap<string, { readonly revision: number; readonly at: number }> = new Map();
  #opened: Promise<void> | undefined;

  /** Fires when what is pending has changed. */
  readonly onDidChange = this.#changed.on;

  constructor(deps: ChangeSetDeps) {
    this.#deps = deps;
    this.#texts = new Texts(deps.store);
    this.#file = new ChangeFile(deps.store, this.#texts, deps.log);
    this.#state = new ChangeSetState(this.#texts, deps.newId);
    this.#saver = new ChangeSaver(this.#file, this.#state, this.#one, deps);
    this.#seen = new ProposalViews(deps, this.#state);
  }

  // Queries.

  /** What was pending when the files were last looked at. */
  get pending(): readonly PendingFile[] {
    return this.#shown.map(({ file }) => file);
  }

  /** Counts changes of what is proposed. A change of a file below a proposal does not count. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * Whether something was proposed or revised since this revision; if so, notes that as the reason in the affected
   * files.
   */
  refuseRevised(since: number): Promise<boolean> {
    return this.#runReversals(async () => {
      const revised = this.#state.open.filter(({ id }) => (this.#revisedAt.get(id)?.at ?? 0) > since);
      for (const { id } of revised) this.#state.refusals.note(id, message("changeRevised"));
      return revised.length > 0;
    });
  }

  /** Every file name on which a pending change depends, including changes the file already contains. */
  get names(): readonly FileName[] {
    return this.#state.open.flatMap(pathsOf);
  }

  /** The write that a closed window left unfinished; kept until somebody decides about it. */
  get halfWritten(): HalfWritten | undefined {
    return this.#state.halfWritten;
  }

  /** What a person said or did when they decided about this call. */
  noteOf(call: string): DecisionNote | undefined {
    return this.#state.noteOf(call);
  }

  /** The status of a call's hunks by their ids in its row. */
  statusesOf(call: string): ReadonlyMap<string, HunkStatus> {
    return this.#state.statusesOf(call);
  }

  /** The ids of the hunks of each call that are in the files, also of those that were accepted in part. */
  inFiles(calls: readonly string[]): Promise<readonly ReadonlySet<string>[]> {
    return this.#glance(async () => calls.map((call) => this.#state.inFiles(call)));
  }

  /** Looks at the files again, as they may have changed. */
  refresh(): Promise<void> {
    return this.#glance(async () => undefined);
  }

  /** The ids of the pending hunks that were made by one of these calls. */
  hunksOf(calls: readonly string[]): Promise<readonly string[]> {
    return this.#glance(async () => {
      const wanted = new Set(calls);
      return this.#shown.flatMap((shown) => this.#state.hunksOf(wanted, shown));
    });
  }

  /** The lines of this file that the calls of this session have written. */
  writtenIn(file: FileName): Promise<readonly Written[]> {
    return this.#one(async () => {
      await this.#ready();
      const applied = appliedWrites(this.#state.kept.proposals).filter(
        ({ write: { after } }) => after !== undefined && isSameFile(after.file, file),
      );
      await this.#texts.load(applied.map(({ write }) => write.after));
      return applied.flatMap((each): Written[] => {
        const state = this.#texts.stateOf(each.write.after);
        return state === "gone" || state === undefined ? [] : [linesWrittenBy(each, state.text)];
      });
    });
  }

  /** File names whose content differs between the overlay of this session and the disk. */
  overlaid(): Promise<readonly (readonly [FileName, FileState])[]> {
    return this.#glance(() => this.#seen.overlaid());
  }

  /** The changes of a call as they were accepted, or as proposed if none were; empty if they are no longer stored. */
  changesOf(call: string): Promise<readonly FileChange[]> {
    return this.#glance(async () => {
      await this.#load([call]);
      return changesOfCall(this.#stored, call);
    });
  }

  /**
   * What was written of a call's changes in the files in which a person has edited them before accepting. Reads nothing
   * but stored texts, so that it can be called while a decision is being reported.
   */
  async editedChangesOf(call: string): Promise<readonly WrittenChange[]> {
    const isEdited = (share: CallEdit) => share.call === call && share.edited === true;
    if (!this.#state.kept.proposals.some(({ shares }) => shares.some(isEdited))) return [];
    await this.#load([call]);
    return editedChangesOf(this.#stored, call);
  }

  // Commands.

  /**
   * Adds a patch, which is saved when this resolves. "stale": the patch was planned on a different text.
   * @throws PatchError
   */
  propose(changes: readonly ProposedChange[], by: CallOfTurn): Promise<"kept" | "stale"> {
    return this.#runReversals(async () => {
      const open = this.#state.open.flatMap(pathsOf);
      const lookUp = await this.#seen.lookUp([...open, ...changes.map(({ change }) => change.file)]);
      const overlaid = new Map((await this.#seen.overlaid()).map(([name, state]) => [keyOf(name), state]));
      const textAt = (file: FileName) => {
        const { live } = lookUp(file);
        const isLive = !overlaid.has(keyOf(file));
        return isLive ? (live.kind === "text" ? live.text : undefined) : overlaid.get(keyOf(file))?.text;
      };
      const isStale = ({ change }: ProposedChange) =>
        "base" in change && textAt(change.file) !== change.base.text;
      if (changes.some(isStale)) return "stale";
      const before = this.#state.kept;
      const decided = new Set<string>();
      try {
        const nextStep = createYieldPoint();
        for (const each of changes) {
          await nextStep();
          for (const call of this.#state.enter(each, by, lookUp)) decided.add(call);
        }
        this.#refuseRound(changes);
        await this.#saver.save();
      } catch (error) {
        this.#state.kept = before;
        throw error;
      }
      if (decided.size > 0) await this.#deps.decided(decided);
      return "kept";
    });
  }

  /** Accepts all of these hunks in one step, or none; in that case their files state the reason. */
  accept(hunks: readonly string[]): Promise<AcceptOutcome> {
    const seen = this.#revision;
    return this.#runReversals(() => this.#accept(hunks, seen));
  }

  /**
   * Accepts these files as they were shown, each with the revision of its proposal: everything that fits now,
   * restricted to the hunks in `only`. A file that cannot be written or was revised meanwhile stays pending with the
   * reason.
   */
  acceptFiles(shown: ReadonlyMap<string, number>, only?: readonly string[]): Promise<AcceptOutcome> {
    return this.#runReversals(async () => {
      const wanted = new Set(shown.keys());
      const isRevised = ({ id, revision }: Proposal) => shown.has(id) && shown.get(id) !== revision;
      const revised = this.#state.open.filter(isRevised);
      for (const { id } of revised) {
        wanted.delete(id);
        this.#state.refusals.note(id, message("changeRevised"));
      }
      const accepted = await this.#acceptFiles(wanted, only && new Set(only));
      return accepted.outcome === "unfit" && revised.length > 0 ? { outcome: "revised" } : accepted;
    });
  }

  /** Finishes the write a window had begun, as far as it fits; the rest stays pending with the reason. */
  finish(): Promise<AcceptOutcome> {
    return this.#runReversals(async () => {
      const only = new Set(this.halfWritten?.hunks);
      if (only.size === 0) return { outcome: "revised" };
      const isOwn = ({ file }: ShownProposal) => file.hunks.some(({ id }) => only.has(id));
      return this.#acceptFiles(new Set(this.#shown.filter(isOwn).map(({ file }) => file.id)), only);
    });
  }

  /** Rejects all of these hunks or none; if one no longer exists, its file states the reason. */
  reject(hunks: readonly string[], reason?: string): Promise<"done" | "revised" | "unfit"> {
    const seen = this.#revision;
    return this.#runReversals(async () => {
      const calls = this.#state.reject(hunks, this.#shown);
      if (calls === undefined) return this.#noteMissed(hunks, seen);
      await this.#tell(calls, reason);
      return "done";
    });
  }

  /** Rejects the conflicts in this file. */
  rejectConflicts(file: string, reason?: string): Promise<void> {
    return this.#runReversals(async () => {
      const shown = this.#shown.find((each) => each.file.id === file);
      if (shown !== undefined) await this.#tell(this.#state.rejectConflicts(shown), reason);
    });
  }

  /** Rejects all pending hunks of a call. Hunks that later calls built on it become conflicted. */
  rejectCall(call: string, reason?: string): Promise<void> {
    return this.#runReversals(async () => {
      const calls = this.#state.rejectCall(call);
      this.#state.note(call, { reason });
      await this.#tell(calls);
    });
  }

  /** A file was saved, so what was accepted in it is on the disk now. Most saved files have no such changes. */
  saved(file: FileName): Promise<void> {
    return this.#one(async () => {
      await this.#ready();
      const name = this.#deps.nameOf(file);
      const calls = this.#state.callsUnsavedIn(name);
      if (calls.size === 0) return;
      for (const call of calls) {
        const known = this.noteOf(call)?.unsaved ?? [];
        this.#state.note(call, { unsaved: known.filter((each) => each !== name) });
      }
      await this.#tell(calls);
      await this.#look();
    });
  }

  /** A person has edited `from`, the proposed text as they had it. Changes proposed meanwhile are merged. */
  edit(file: string, text: string, from: string): Promise<void> {
    return this.#runReversals(async () => {
      const shown = this.#shown.find((each) => each.file.id === file);
      const now = shown && textOfView(shown.view);
      if (shown === undefined || now === undefined) return;
      const texts = { base: from, mine: text, theirs: now };
      const wanted = (await runTask(mergingTexts, texts, from.length + text.length + now.length)).text;
      if (wanted === now) return;
      await this.#tell(this.#state.edit(shown, wanted));
    });
  }

  /**
   * Undoes what was applied of these calls, last first and in one step, as far as possible. `only` restricts this to
   * files in which the calls have one of these hunks.
   */
  undo(calls: readonly string[], only?: ReadonlySet<string>): Promise<ReverseOutcome> {
    return this.#runReversals(() => this.#applyReversals(calls.toReversed(), "undone", only));
  }

  /** Applies what was undone of these calls again, as far as possible. */
  acceptAgain(calls: readonly string[]): Promise<ReverseOutcome> {
    return this.#runReversals(() => this.#applyReversals(calls, "applied"));
  }

  /** What could not be undone for a call, or applied again, if that was tried now. */
  leftOf(call: string): Promise<readonly LeftFile[]> {
    return this.#glance(async () => {
      const { nameOf } = this.#deps;
      const isAgain = this.noteOf(call)?.left?.code.startsWith("again") === true;
      const { reversals } = await this.#reversalsOf([call], isAgain ? "applied" : "undone");
      const { left } = await planOnDisk(reversals, { lookUp: (files) => this.#seen.lookUp(files), nameOf });
      const found = groupLeftByFile(left, nameOf);
      // Only the editor knows what it has refused, so the last attempt is remembered.
      const known = new Set(found.map(({ file }) => file));
      const there = new Set(reversals.map(({ proposal }) => proposal));
      const refused = (this.#refused.get(call) ?? []).filter(
        ({ file }) => there.has(file) && !known.has(file),
      );
      return [...found, ...refused];
    });
  }

  /** What an undo of all these calls would leave, if that was tried now. */
  leftByUndo(calls: readonly string[]): Promise<readonly LeftFile[]> {
    return this.#glance(async () => {
      const { nameOf } = this.#deps;
      const { reversals } = await this.#reversalsOf(calls.toReversed(), "undone");
      const { left } = await planOnDisk(reversals, { lookUp: (files) => this.#seen.lookUp(files), nameOf });
      return groupLeftByFile(left, nameOf);
    });
  }

  /** Withdraws the pending changes of calls whose turns are no longer part of the conversation. */
  withdraw(calls: readonly string[]): Promise<void> {
    return this.#runReversals(async () => {
      for (const call of calls) this.#state.rejectCall(call);
      await this.#saver.save();
    });
  }

  /** The editor's own Undo or Redo has changed a file: updates the status of the hunks it reversed. */
  async notice(file: FileName, by?: "undo" | "redo"): Promise<void> {
    if (this.#state.filesNear(file).length === 0) return;
    await this.#runReversals(async () => {
      const lookUp = await this.#seen.lookUp(this.#state.filesNear(file));
      const calls = this.#state.notice(file, by, lookUp);
      if (calls.size > 0) await this.#tell(calls);
    });
  }

  /** Resolves when all running work is done; a failed write is retried once. */
  close(): Promise<void> {
    return this.#one(() => this.#saver.close());
  }

  // Implementation.

  /** Runs read-only work under the mutex, after the set was loaded and the files were looked at again. */
  #glance<T>(work: () => Promise<T>): Promise<T> {
    return this.#one(async () => {
      await this.#ready();
      await this.#lookAgain();
      return work();
    });
  }

  /** Runs work that changes the set and updates what is pending afterwards. */
  #runReversals<T>(work: () => Promise<T>): Promise<T> {
    return this.#glance(async () => {
      const { version } = this.#state.refusals;
      try {
        return await work();
      } finally {
        await this.#look();
        if (this.#state.refusals.version !== version)
          await this.#saver.save().catch((error: unknown) => this.#deps.log.error(unsaved, error));
      }
    });
  }

  /** A failed read is retried the next time; nothing is written before the set was read. */
  #ready(): Promise<void> {
    this.#opened ??= this.#open().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async #open(): Promise<void> {
    this.#state.kept = await this.#file.read();
    const { intention } = this.#state;
    if (intention === undefined) return;
    await this.#settle(intention);
  }

  /** It is unknown which of these files were written, so their contents are compared. */
  async #settle(intention: Intention): Promise<void> {
    this.#state.intention = undefined;
    await this.#texts.load(intention.files.flatMap(({ before, after }) => [before, after]));
    const calls = await settleInterrupted(intention, this.#state, this.#texts, this.#deps);
    await this.#saver.save();
    if (calls.size > 0) await this.#deps.decided(calls);
  }

  /**
   * Each move of a patch may depend on the next. If they form a cycle, nobody could accept them, so the patch is
   * refused.
   */
  #refuseRound(changes: readonly ProposedChange[]): void {
    const move = changes.find(({ change }) => change.kind === "move");
    if (move === undefined || inWorkingOrder(movesIn(this.#state.open)) !== undefined) return;
    const path = this.#deps.nameOf(move.change.file);
    throw refuse([{ kind: "file", path, why: message("whyRound") }]);
  }

  async #tell(calls: ReadonlySet<string>, reason?: string): Promise<void> {
    const half = this.halfWritten?.calls ?? [];
    const isOver = half.some((call) => calls.has(call));
    if (isOver) this.#state.halfWritten = undefined;
    for (const call of calls) this.#state.note(call, { reason });
    await this.#saver.save();
    await this.#look();
    if (calls.size > 0) await this.#deps.decided(isOver ? new Set([...calls, ...half]) : calls);
  }

  async #accept(hunks: readonly string[], seen: number): Promise<AcceptOutcome> {
    const { refusals } = this.#state;
    let parts: readonly ChosenChange[] | undefined;
    for (let round = 0; round < maxRounds; round++) {
      await this.#lookAgain();
      parts = chooseHunks(hunks, this.#shown);
      if (parts === undefined || parts.length === 0) return { outcome: this.#noteMissed(hunks, seen) };
      for (const { file } of parts) refusals.forget(file.id);
      const done = await this.#write(parts);
      if (done.outcome === "applied") return { outcome: "done" };
      if (done.outcome === "declined") return done;
      if (done.outcome === "stale") continue;
      const { why } = done;
      if (done.halfDone === true) {
        return refusedInRows(parts, this.#state.open, why, refusals);
      }
      if (noteRefused(parts, done.files ?? [], refusals).length === parts.length)
        for (const { file } of parts) refusals.note(file.id, why);
      return { outcome: "refused", why, isInRows: true };
    }
    for (const { file } of parts ?? []) refusals.note(file.id, message("changeMoving"));
    return { outcome: "refused", why: message("changeMoving"), isInRows: true };
  }

  #acceptFiles(wanted: ReadonlySet<string>, only?: ReadonlySet<string>): Promise<AcceptOutcome> {
    const look = async () => {
      await this.#lookAgain();
      return this.#shown;
    };
    const write = (parts: readonly ChosenChange[]) => this.#write(parts);
    const nameOf = ({ file }: ShownProposal) => this.#deps.nameOf(file.change.file);
    return acceptFiles(wanted, this.#state.refusals, { look, write, nameOf }, only);
  }

  /** The hunks to decide are no longer there as shown: either they were revised, or the files have changed. */
  #noteMissed(hunks: readonly string[], seen: number): "revised" | "unfit" {
    const isRevised = this.#revision !== seen;
    const why = message(isRevised ? "changeRevised" : "changeConflict");
    for (const { file } of this.#shown) {
      const isMeant = hunks.some((id) => id === file.id || id.startsWith(`${file.id}:`));
      if (isMeant && file.problem === undefined) this.#state.refusals.note(file.id, why);
    }
    return isRevised ? "revised" : "unfit";
  }

  async #write(parts: readonly ChosenChange[]): Promise<ApplyOutcome> {
    this.#state.intend(parts);
    await this.#saver.save();
    const names = parts.map(({ change }) => this.#deps.nameOf(nameAfter(change))).join(", ");
    const written = filesOfCalls(parts);
    const applied = this.#deps.applying?.(parts.map(({ change }) => change));
    const acceptance = this.#deps.acceptance?.();
    const done = await this.#apply(
      parts.map(({ change }) => change),
      `Patchbay: ${names}`,
    );
    const { intention } = this.#state;
    if (done.outcome === "refused" && done.halfDone === true && intention !== undefined) {
      await this.#settle(intention);
      return done;
    }
    this.#state.intention = undefined;
    if (done.outcome !== "applied") {
      await this.#saver.save();
      return done;
    }
    const calls = this.#state.accepted(parts, acceptance);
    for (const part of parts) {
      const edited = await editedByPerson(part, this.#deps);
      if (edited !== undefined) this.#state.note(edited.call, { edited: edited.difference });
    }
    this.#noteUnsaved(calls, done);
    await this.#tell(calls);
    applied?.(written);
    return done;
  }

  async #apply(changes: readonly FileChange[], label: string, purpose?: "undo"): Promise<ApplyOutcome> {
    try {
      return await this.#deps.apply(changes, label, purpose);
    } catch (error) {
      this.#deps.log.error("Changes could not be applied.", error);
      return { outcome: "refused", why: message("editsRefused") };
    } finally {
      this.#seen.forget();
    }
  }

  /**
   * Notes files the editor has not saved. Programs that read the disk do not see the change yet; the person and the
   * model are told.
   */
  #noteUnsaved(
    calls: Iterable<string>,
    { unsaved = [] }: Extract<ApplyOutcome, { outcome: "applied" }>,
  ): void {
    for (const call of calls) {
      const shares = this.#state.kept.proposals.flatMap((each) => each.shares);
      const own = shares
        .filter((share) => share.call === call)
        .flatMap(({ before, after }) => [before, after]);
      const names = unsaved.filter((file) => own.some((each) => each && isSameFile(each.file, file)));
      if (names.length > 0 || this.noteOf(call)?.unsaved !== undefined)
        this.#state.note(call, { unsaved: names.map((file) => this.#deps.nameOf(file)) });
    }
  }

  async #applyReversals(
    calls: readonly string[],
    to: "applied" | "undone",
    only?: ReadonlySet<string>,
  ): Promise<ReverseOutcome> {
    const { nameOf } = this.#deps;
    const { reversals, gone } = await this.#reversalsOf(calls, to, only);
    const stay = await applyReversals(reversals, {
      nameOf,
      apply: (changes) => this.#apply(changes, "Patchbay: undo edits", "undo"),
      lookUp: (files) => {
        this.#seen.forget();
        return this.#seen.lookUp(files);
      },
      onReversed: async ({ reversed, changes }, done) => {
        this.#state.markReversed(reversed, to, changes);
        const own = new Set(reversed.map(({ call }) => call));
        this.#noteUnsaved(own, done);
        await this.#tell(own);
      },
    });
    if (stay === "declined") return { outcome: "declined" };
    const lost = gone.map(({ call, proposal, file }): LeftFile => {
      const path = nameOf(file);
      return { call, file: proposal, path, why: message("editsGone") };
    });
    const left = [...groupLeftByFile(stay, nameOf), ...lost];
    const all = [...reversals, ...gone];
    const touched = new Set(calls);
    for (const call of touched) {
      const isOwn = (each: { readonly call: string }) => each.call === call;
      const own = [
        ...groupLeftByFile(
          stay.filter(({ reversal }) => isOwn(reversal)),
          nameOf,
        ),
        ...lost.filter(isOwn),
      ];
      this.#refused.set(call, own);
      const from = to === "undone" ? "applied" : "undone";
      const isOver =
        own.length > 0 || only === undefined || ![...this.statusesOf(call).values()].includes(from);
      // With `only`, what was noted about the call's other files remains valid.
      if (isOver) this.#state.noteLeft(call, summarizeLeft(own, countFiles(all.filter(isOwn)), to));
    }
    await this.#tell(touched);
    const said = summarizeLeft(left, countFiles(all), to);
    return { outcome: "done", left, ...(said && { said }) };
  }

  async #reversalsOf(
    calls: readonly string[],
    to: "applied" | "undone",
    only?: ReadonlySet<string>,
  ): Promise<ReversalsOfCalls> {
    await this.#load(calls);
    return reversalsOf(this.#stored, calls, to, only);
  }

  // Refreshing.

  /** Looks at the files again, as they may have changed a moment ago. */
  async #lookAgain(): Promise<void> {
    this.#seen.forget();
    await this.#look();
  }

  async #look(): Promise<void> {
    const shown = await this.#seen.shown();
    const before = this.#shown;
    this.#shown = shown;
    const { open } = this.#state;
    const known = this.#revisedAt;
    const isNew = ({ id, revision }: Proposal) => known.get(id)?.revision !== revision;
    const isRevised = open.length !== known.size || open.some(isNew);
    if (isRevised) this.#revision += 1;
    this.#revisedAt = new Map(
      open.map((each) => {
        const then = isNew(each) ? undefined : known.get(each.id);
        return [each.id, then ?? { revision: each.revision, at: this.#revision }];
      }),
    );
    const isSame = shown.length === before.length && shown.every(({ file }, at) => file === before[at]?.file);
    if (isRevised || !isSame) this.#changed.fire();
  }

  get #stored() {
    return { proposals: this.#state.kept.proposals, texts: this.#texts };
  }

  #load(calls: readonly string[]): Promise<void> {
    const wanted = new Set(calls);
    const own = this.#state.kept.proposals.flatMap(({ shares, writes }) => [
      ...shares.filter((share) => wanted.has(share.call)),
      ...writes.filter(({ share }) => wanted.has(shares[share]?.call ?? "")),
    ]);
    return this.#texts.load(own.flatMap(({ before, after }) => [before, after]));
  }
}

const unsaved = forLog("Why files could not be written could not be saved.");
