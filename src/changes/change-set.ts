// What a session proposes until a person has decided. Patches are added and answered at once; accepting, rejecting,
// editing and undoing happen only here. Every state is saved before anything follows from it; what the files contain is
// always read from the files.

import { type Message, message } from "../conversation/messages.ts";
import { comparing, mergingTexts, nameAfter } from "../patch/edits.ts";
import type { FileChange, FileName } from "../patch/model.ts";
import { isNotebook } from "../patch/notebook.ts";
import { refuse } from "../patch/patch-error.ts";
import { inWorkingOrder } from "../patch/plan.ts";
import { runTask } from "../util/background.ts";
import { createYieldPoint } from "../util/concurrency.ts";
import { appliedWrites, type DecisionNote, type HalfWritten } from "./change-store.ts";
import { acceptAsShown, acceptHunks, finishWrite, noteMissed } from "./internal/accept-changes.ts";
import { ChangeSetCore, type ChangeSetDeps } from "./internal/change-set-core.ts";
import type { CallOfTurn, ChangeSetState } from "./internal/change-set-state.ts";
import { movesIn, pathsOf } from "./internal/proposal-index.ts";
import { Reversals } from "./internal/undo-accepted-changes.ts";
import { changesOfCall, editedChangesOf } from "./internal/written-changes.ts";
import { linesWrittenBy, type Written } from "./line-origins.ts";
import type { PendingFile } from "./pending-changes.ts";
import {
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

/** What `ChangeSet.atOnce` joins. */
export interface ChangeSteps extends Pick<ChangeSet, "propose" | "statusesOf"> {
  /** Withdraws the pending changes of calls, in the files of these names or in all. */
  withdraw(calls: readonly string[], isMeant?: (files: readonly FileName[]) => boolean): void;
}

export class ChangeSet {
  readonly #set: ChangeSetCore;
  readonly #state: ChangeSetState;
  readonly #reversals: Reversals;

  /** Fires when what is pending has changed. */
  readonly onDidChange: ChangeSetCore["onDidChange"];

  constructor(deps: ChangeSetDeps) {
    this.#set = new ChangeSetCore(deps);
    this.#state = this.#set.state;
    this.#reversals = new Reversals(this.#set);
    this.onDidChange = this.#set.onDidChange;
  }

  // Queries.

  /** What was pending when the files were last looked at. */
  get pending(): readonly PendingFile[] {
    return this.#set.shown.map(({ file }) => file);
  }

  /** Counts changes of what is proposed. A change of a file below a proposal does not count. */
  get revision(): number {
    return this.#set.revision;
  }

  /**
   * Whether something was proposed or revised since this revision; if so, notes that as the reason in the affected
   * files.
   */
  refuseRevised(since: number): Promise<boolean> {
    return this.#set.change(async () => {
      const revised = this.#set.revisedSince(since);
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
    return this.#set.query(async () => calls.map((call) => this.#state.inFiles(call)));
  }

  /** Looks at the files again, as they may have changed. */
  refresh(): Promise<void> {
    return this.#set.query(async () => undefined);
  }

  /** The ids of the pending hunks that were made by one of these calls. */
  hunksOf(calls: readonly string[]): Promise<readonly string[]> {
    return this.#set.query(async () => {
      const wanted = new Set(calls);
      return this.#set.shown.flatMap((shown) => this.#state.hunksOf(wanted, shown));
    });
  }

  /** The lines of this file that the calls of this session have written. */
  writtenIn(file: FileName): Promise<readonly Written[]> {
    return this.#set.alone(async () => {
      const applied = appliedWrites(this.#state.kept.proposals).filter(
        ({ write: { after } }) => after !== undefined && isSameFile(after.file, file),
      );
      await this.#set.texts.load(applied.map(({ write }) => write.after));
      return applied.flatMap((each): Written[] => {
        const state = this.#set.texts.stateOf(each.write.after);
        return state === "gone" || state === undefined ? [] : [linesWrittenBy(each, state.text)];
      });
    });
  }

  /** File names whose content differs between the overlay of this session and the disk. */
  overlaid(): Promise<readonly (readonly [FileName, FileState])[]> {
    return this.#set.query(() => this.#set.views.overlaid());
  }

  /** The changes of a call as they were accepted, or as proposed if none were; empty if they are no longer stored. */
  changesOf(call: string): Promise<readonly FileChange[]> {
    return this.#set.query(async () => changesOfCall(await this.#set.storedOf([call]), call));
  }

  /**
   * What was written of a call's changes in the files in which a person has edited them before accepting. Reads nothing
   * but stored texts, so that it can be called while a decision is being reported.
   */
  async editedChangesOf(call: string): Promise<readonly WrittenChange[]> {
    const isEdited = (share: CallEdit) => share.call === call && share.edited === true;
    if (!this.#state.kept.proposals.some(({ shares }) => shares.some(isEdited))) return [];
    return editedChangesOf(await this.#set.storedOf([call]), call);
  }

  // Commands.

  /**
   * Adds a patch, which is saved when this resolves. "stale": the patch was planned on a different text.
   * @throws PatchError
   */
  propose(changes: readonly ProposedChange[], by: CallOfTurn): Promise<"kept" | "stale"> {
    return this.atOnce((steps) => steps.propose(changes, by));
  }

  /**
   * Several steps as one: what they come to is saved once, and only then anybody is told what they decide. If one
   * throws, none has happened.
   */
  atOnce<T>(work: (steps: ChangeSteps) => Promise<T>): Promise<T> {
    return this.#set.change(async () => {
      const before = this.#state.kept;
      const decided = new Set<string>();
      let isChanged = false;
      const steps: ChangeSteps = {
        propose: async (changes, by) => {
          const entered = await this.#enter(changes, by);
          if (entered === "stale") return "stale";
          isChanged = true;
          for (const call of entered) decided.add(call);
          return "kept";
        },
        withdraw: (calls, isMeant) => {
          isChanged = true;
          this.#withdraw(calls, isMeant);
        },
        statusesOf: (call) => this.#state.statusesOf(call),
      };
      let result: T;
      try {
        result = await work(steps);
        if (isChanged) await this.#set.save();
      } catch (error) {
        this.#state.kept = before;
        throw error;
      }
      if (decided.size > 0) await this.#set.deps.decided(decided);
      return result;
    });
  }

  /** Accepts all of these hunks in one step, or none; in that case their files state the reason. */
  accept(hunks: readonly string[]): Promise<AcceptOutcome> {
    const { revision: seen } = this.#set;
    return this.#set.change(() => acceptHunks(this.#set, hunks, seen));
  }

  /**
   * Accepts these files as they were shown, each with the revision of its proposal: everything that fits now,
   * restricted to the hunks in `only`. A file that cannot be written or was revised meanwhile stays pending with the
   * reason.
   */
  acceptFiles(shown: ReadonlyMap<string, number>, only?: readonly string[]): Promise<AcceptOutcome> {
    return this.#set.change(() => acceptAsShown(this.#set, shown, only));
  }

  /** Finishes the write a window had begun, as far as it fits; the rest stays pending with the reason. */
  finish(): Promise<AcceptOutcome> {
    return this.#set.change(() => finishWrite(this.#set));
  }

  /** Rejects all of these hunks or none; if one no longer exists, its file states the reason. */
  reject(hunks: readonly string[], reason?: string): Promise<"done" | "revised" | "unfit"> {
    const { revision: seen } = this.#set;
    return this.#set.change(async () => {
      const calls = this.#state.reject(hunks, this.#set.shown);
      if (calls === undefined) return noteMissed(this.#set, hunks, seen);
      await this.#set.tell(calls, reason);
      return "done";
    });
  }

  /** Rejects the conflicts in this file. */
  rejectConflicts(file: string, reason?: string): Promise<void> {
    return this.#set.change(async () => {
      const shown = this.#set.shown.find((each) => each.file.id === file);
      if (shown !== undefined) await this.#set.tell(this.#state.rejectConflicts(shown), reason);
    });
  }

  /** Rejects all pending hunks of a call. Hunks that later calls built on it become conflicted. */
  rejectCall(call: string, reason?: string): Promise<void> {
    return this.#set.change(async () => {
      const calls = this.#state.rejectCall(call);
      this.#state.note(call, { reason });
      await this.#set.tell(calls);
    });
  }

  /**
   * Rejects everything pending, including conflicts. What that had replaced stays replaced, and what is proposed or
   * revised while this waits for its turn stays pending, since nobody has seen it.
   */
  rejectAll(reason?: string): Promise<void> {
    const { revision } = this.#set;
    const seen = new Set(this.#set.shown.map(({ proposal }) => proposal.id));
    return this.#set.change(async () => {
      const revised = new Set(this.#set.revisedSince(revision).map(({ id }) => id));
      const meant = this.#set.shown.filter(({ proposal: { id } }) => seen.has(id) && !revised.has(id));
      await this.#set.tell(this.#state.rejectAll(meant), reason);
    });
  }

  /** A file was saved, so what was accepted in it is on the disk now. Most saved files have no such changes. */
  saved(file: FileName): Promise<void> {
    return this.#set.alone(async () => {
      const name = this.#set.deps.nameOf(file);
      const calls = this.#state.callsUnsavedIn(name);
      if (calls.size === 0) return;
      for (const call of calls) {
        const known = this.noteOf(call)?.unsaved ?? [];
        this.#state.note(call, { unsaved: known.filter((each) => each !== name) });
      }
      await this.#set.tell(calls);
      await this.#set.look();
    });
  }

  /**
   * A person has edited `from`, the proposed text as they had it. Changes proposed meanwhile are merged. Returns why it is not
   * taken.
   */
  edit(file: string, text: string, from: string): Promise<Message | undefined> {
    return this.#set.change(async () => {
      const shown = this.#set.shown.find((each) => each.file.id === file);
      const now = shown && textOfView(shown.view);
      if (shown === undefined || now === undefined) return undefined;
      const texts = { base: from, mine: text, theirs: now };
      const wanted = (await runTask(mergingTexts, texts, from.length + text.length + now.length)).text;
      if (wanted === now) return undefined;
      const { base, proposed } = shown.proposal;
      if (base !== undefined && proposed !== undefined && isNotebook(proposed.file.path))
        if (!isSameFile(base.file, proposed.file))
          return message("editsNotebookRename", { name: this.#set.deps.nameOf(base.file) });
      const edits = await runTask(comparing, { before: now, after: wanted }, now.length + wanted.length);
      await this.#set.tell(this.#state.edit(shown, wanted, edits));
      return undefined;
    });
  }

  /**
   * Undoes what was applied of these calls, last first and in one step, as far as possible. `only` restricts this to
   * files in which the calls have one of these hunks.
   */
  undo(calls: readonly string[], only?: ReadonlySet<string>): Promise<ReverseOutcome> {
    return this.#set.change(() => this.#reversals.reverse(calls.toReversed(), "undone", only));
  }

  /** Applies what was undone of these calls again, as far as possible. */
  acceptAgain(calls: readonly string[]): Promise<ReverseOutcome> {
    return this.#set.change(() => this.#reversals.reverse(calls, "applied"));
  }

  /** What could not be undone for a call, or applied again, if that was tried now. */
  leftOf(call: string): Promise<readonly LeftFile[]> {
    return this.#set.query(() => this.#reversals.leftOf(call));
  }

  /** What an undo of all these calls would leave, if that was tried now. */
  leftByUndo(calls: readonly string[]): Promise<readonly LeftFile[]> {
    return this.#set.query(() => this.#reversals.leftByUndo(calls));
  }

  /** Withdraws the pending changes of calls whose turns are no longer part of the conversation. */
  withdraw(calls: readonly string[]): Promise<void> {
    return this.#set.change(async () => {
      this.#withdraw(calls);
      await this.#set.save();
    });
  }

  /** The editor's own Undo or Redo has changed a file: updates the status of the hunks it reversed. */
  async notice(file: FileName, by?: "undo" | "redo"): Promise<void> {
    if (this.#state.filesNear(file).length === 0) return;
    await this.#set.change(async () => {
      const lookUp = await this.#set.views.lookUp(this.#state.filesNear(file));
      const calls = this.#state.notice(file, by, lookUp);
      if (calls.size > 0) await this.#set.tell(calls);
    });
  }

  /** Resolves when all running work is done; a failed write is retried once. */
  close(): Promise<void> {
    return this.#set.close();
  }

  /** The last one first: what it has written over is pending again, and may be withdrawn as well. */
  #withdraw(calls: readonly string[], isMeant?: Parameters<ChangeSteps["withdraw"]>[1]): void {
    for (const call of calls.toReversed()) this.#state.rejectCall(call, isMeant);
  }

  /** Enters a patch that was planned on what the set comes to; returns the earlier calls that this decides. */
  async #enter(changes: readonly ProposedChange[], by: CallOfTurn): Promise<ReadonlySet<string> | "stale"> {
    const { views } = this.#set;
    const open = this.#state.open.flatMap(pathsOf);
    const lookUp = await views.lookUp([...open, ...changes.map(({ change }) => change.file)]);
    const overlaid = new Map((await views.overlaid()).map(([name, state]) => [keyOf(name), state]));
    const textAt = (file: FileName) => {
      const { live } = lookUp(file);
      const isLive = !overlaid.has(keyOf(file));
      return isLive ? (live.kind === "text" ? live.text : undefined) : overlaid.get(keyOf(file))?.text;
    };
    const isStale = ({ change }: ProposedChange) =>
      "base" in change && textAt(change.file) !== change.base.text;
    if (changes.some(isStale)) return "stale";
    const decided = new Set<string>();
    const nextStep = createYieldPoint();
    for (const each of changes) {
      await nextStep();
      for (const call of this.#state.enter(each, by, lookUp)) decided.add(call);
    }
    this.#refuseRound(changes);
    this.#refuseNotebooks(changes);
    return decided;
  }

  /** A notebook that one call renames and another one changes could never be accepted. */
  #refuseNotebooks(changes: readonly ProposedChange[]): void {
    for (const { change } of changes) {
      const file = nameAfter(change);
      if (!isNotebook(file.path)) continue;
      const isBoth = ({ base, proposed }: Proposal) =>
        base !== undefined &&
        proposed !== undefined &&
        isSameFile(proposed.file, file) &&
        !isSameFile(base.file, file) &&
        base.text !== proposed.text;
      if (!this.#state.open.some(isBoth)) continue;
      const path = this.#set.deps.nameOf(change.file);
      throw refuse([{ kind: "file", path, why: message("whyNotebookName") }]);
    }
  }

  /**
   * Each move of a patch may depend on the next. If they form a cycle, nobody could accept them, so the patch is
   * refused.
   */
  #refuseRound(changes: readonly ProposedChange[]): void {
    const move = changes.find(({ change }) => change.kind === "move");
    if (move === undefined || inWorkingOrder(movesIn(this.#state.open)) !== undefined) return;
    const path = this.#set.deps.nameOf(move.change.file);
    throw refuse([{ kind: "file", path, why: message("whyRound") }]);
  }
}
