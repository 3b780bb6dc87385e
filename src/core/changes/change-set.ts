// What a session proposes, until a person has decided: the second text of the workspace. A patch enters it and is answered
// at once; people accept, reject, edit and take back here, and nowhere else. It is on the disk before anything follows
// from it, and what the files hold is always the files' own word.

import { merging } from "../diff/merge.ts";
import { type Message, message } from "../messages/message.ts";
import { MessageError } from "../messages/message-error.ts";
import { nameAfter } from "../patch/edits.ts";
import { refuse } from "../patch/explain.ts";
import type { FileChange, FileName, Workspace as PatchWorkspace } from "../patch/model.ts";
import { inWorkingOrder } from "../patch/ordered-changes.ts";
import { Emitter } from "../util/emitter.ts";
import { inOrder } from "../util/in-order.ts";
import { inSlices, inSteps } from "../util/yield-to-event-loop.ts";
import { ChangeSaver, type ChangeSaverDeps } from "./change-saver.ts";
import { type CallOfTurn, ChangeSetState, type ProposedChange } from "./change-set-state.ts";
import { type EditedByPersonDeps, editedByPerson } from "./edited-by-person.ts";
import { settleInterrupted } from "./interrupted-writes.ts";
import {
  ChangeFile,
  type ChangeStore,
  type DecisionNote,
  type HalfWritten,
  type Intention,
} from "./kept-changes.ts";
import { linesWrittenBy, type Written } from "./line-provenance.ts";
import { movesIn, namesOf } from "./names-of-proposals.ts";
import type { PendingFile } from "./pending-file.ts";
import {
  type Acceptance,
  type Fate,
  type FileState,
  isSameFile,
  keyOf,
  type Proposal,
  textOf,
} from "./proposal.ts";
import { SeenFiles } from "./seen-files.ts";
import { choose, filesOfCalls, type Part, type Shown } from "./select-changes.ts";
import { Texts } from "./text-store.ts";
import type { Applied, Workspace } from "./workspace.ts";

export interface ChangeSetDeps extends ChangeSaverDeps, EditedByPersonDeps {
  /** The files as they are, with what is known of each. */
  world(): PatchWorkspace;
  readonly apply: Workspace["apply"];
  readonly store: ChangeStore;
  newId(): string;
  /** Files are about to be written; what it answers is told which calls have written which of them. */
  applying?(changes: readonly FileChange[]): (written: ReadonlyMap<string, readonly FileName[]>) => void;
  /** What is to be known of it later, as things stand now. */
  acceptance?(): Acceptance;
  /** These calls have become something else, which is on the disk: where it is told, nobody goes on before. */
  decided(calls: ReadonlySet<string>): Promise<void>;
  /** How many secrets it holds. */
  secretsIn(text: string): number;
}

export type Accepted =
  | { readonly outcome: "done" }
  /** What was shown is not what would be applied any more; nothing was. */
  | { readonly outcome: "revised" }
  /** A person was asked by the editor itself, and said no. */
  | { readonly outcome: "declined" }
  | { readonly outcome: "refused"; readonly why: Message };

/** Longer than any honest race between typing and accepting. */
const maxRounds = 20;

export class ChangeSet {
  readonly #deps: ChangeSetDeps;
  readonly #texts: Texts;
  readonly #file: ChangeFile;
  readonly #state: ChangeSetState;
  readonly #saver: ChangeSaver;
  readonly #one = inOrder();
  readonly #changed = new Emitter<void>();
  readonly #seen: SeenFiles;
  #shown: readonly Shown[] = [];
  #revision = 0;
  #opened: Promise<void> | undefined;

  /** What is pending is something else. */
  readonly onDidChange = this.#changed.on;

  constructor(deps: ChangeSetDeps) {
    this.#deps = deps;
    this.#texts = new Texts(deps.store);
    this.#file = new ChangeFile(deps.store, this.#texts, deps.log);
    this.#state = new ChangeSetState(this.#texts, deps.newId);
    this.#saver = new ChangeSaver(this.#file, this.#state, this.#one, deps);
    this.#seen = new SeenFiles(deps, this.#state);
  }

  // What there is to see.

  /** As it was when it was looked at last. */
  get pending(): readonly PendingFile[] {
    return this.#shown.map(({ file }) => file);
  }

  /** Counts the states of what is pending. */
  get revision(): number {
    return this.#revision;
  }

  /** A window went away in the middle of writing; known until somebody decides about it. */
  get halfWritten(): HalfWritten | undefined {
    return this.#state.halfWritten;
  }

  /** What a person said, or did, when they decided about this call. */
  noteOf(call: string): DecisionNote | undefined {
    return this.#state.noteOf(call);
  }

  /** What became of the changes of a call, by the names of its row. */
  fatesOf(call: string): ReadonlyMap<string, Fate> {
    return this.#state.fatesOf(call);
  }

  /** The files may be others by now. */
  refresh(): Promise<void> {
    return this.#glance(async () => undefined);
  }

  /** What waits and was made by one of these calls: as names of hunks. */
  hunksOf(calls: readonly string[]): Promise<readonly string[]> {
    return this.#glance(async () => {
      await this.#loadOpen();
      const wanted = new Set(calls);
      return this.#shown.flatMap((shown) => this.#state.hunksOf(wanted, shown));
    });
  }

  /** Which lines of this file its calls have written. */
  writtenIn(file: FileName): Promise<readonly Written[]> {
    return this.#one(async () => {
      await this.#ready();
      const shares = this.#state.sharesIn(file);
      await this.#texts.load(shares.map(({ after }) => after));
      return shares.flatMap((share): Written[] => {
        const state = this.#texts.stateOf(share.after);
        return state === "gone" || state === undefined ? [] : [linesWrittenBy(share, state.text)];
      });
    });
  }

  /** Names at which something else stands for the tools of this session than on the disk. */
  overlaid(): Promise<readonly (readonly [FileName, FileState])[]> {
    return this.#glance(() => this.#seen.overlaid());
  }

  /** What a call did: as it was taken, or where nothing of it was, as it was proposed. Nothing: it is not kept any more. */
  changesOf(call: string): Promise<readonly FileChange[]> {
    return this.#glance(async () => {
      await this.#load(call);
      const isTaken = [...this.fatesOf(call).values()].some(wasTaken);
      const found = this.#state.changesOf(call, ({ fate }) => !isTaken || wasTaken(fate));
      return found === "gone" ? [] : found;
    });
  }

  // What is done.

  /** "stale": it was planned on something else. It is on the disk when this resolves. @throws PatchError */
  propose(changes: readonly ProposedChange[], by: CallOfTurn): Promise<"kept" | "stale"> {
    return this.#turn(async () => {
      const open = this.#state.open.flatMap(namesOf);
      const stands = await this.#seen.stands([...open, ...changes.map(({ change }) => change.file)]);
      const overlaid = new Map((await this.#seen.overlaid()).map(([name, state]) => [keyOf(name), state]));
      const textAt = (file: FileName) => {
        const { live } = stands(file);
        const isLive = !overlaid.has(keyOf(file));
        return isLive ? (live.kind === "text" ? live.text : undefined) : overlaid.get(keyOf(file))?.text;
      };
      const isStale = ({ change }: ProposedChange) =>
        "base" in change && textAt(change.file) !== change.base.text;
      if (changes.some(isStale)) return "stale";
      const before = this.#state.kept;
      const decided = new Set<string>();
      try {
        await this.#loadOpen();
        const nextStep = inSteps();
        for (const each of changes) {
          await nextStep();
          for (const call of this.#state.enter(each, by, stands)) decided.add(call);
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

  /** All of these or none, as one step. */
  accept(hunks: readonly string[]): Promise<Accepted> {
    return this.#turn(() => this.#accept(() => hunks));
  }

  /** What a window had begun to write is written to its end; what fits no more is a conflict, and waits. */
  finish(): Promise<Accepted> {
    return this.#turn(() =>
      this.#accept(() => {
        const free = this.#shown.filter(({ file }) => file.problem === undefined);
        const known = new Set(free.flatMap(({ file }) => file.hunks.map(({ id }) => id)));
        return this.halfWritten?.hunks.filter((id) => known.has(id)) ?? [];
      }),
    );
  }

  /** "revised": what was shown is not there any more. */
  reject(hunks: readonly string[], reason?: string): Promise<"done" | "revised"> {
    return this.#turn(async () => {
      await this.#loadOpen();
      const calls = this.#state.reject(hunks, this.#shown);
      if (calls === undefined) return "revised";
      await this.#tell(calls, reason);
      return "done";
    });
  }

  /** What stands aside in this file is given up. */
  rejectAside(file: string, reason?: string): Promise<void> {
    return this.#turn(async () => {
      await this.#loadOpen();
      const shown = this.#shown.find((each) => each.file.id === file);
      if (shown !== undefined) await this.#tell(this.#state.rejectAside(shown), reason);
    });
  }

  /** All that waits of one call; what later calls have built on it stands aside. */
  rejectCall(call: string, reason?: string): Promise<void> {
    return this.#turn(async () => {
      await this.#loadOpen();
      const calls = this.#state.rejectCall(call);
      this.#state.note(call, { reason });
      await this.#tell(calls);
    });
  }

  /** A person has made this of `from`, the proposed text as they had it; what has come to it meanwhile stays. */
  edit(file: string, text: string, from: string): Promise<void> {
    return this.#turn(async () => {
      await this.#loadOpen();
      const shown = this.#shown.find((each) => each.file.id === file);
      const now = shown && textOf(shown.seen);
      if (shown === undefined || now === undefined) return;
      const wanted = (await inSlices()(merging(from, text, now))).text;
      if (wanted === now) return;
      await this.#texts.load(shown.proposal.shares.flatMap(({ before, after }) => [before, after]));
      await this.#tell(this.#state.edit(shown, wanted));
    });
  }

  /** What was applied of these calls is taken back, the last first. False: a person was asked, and said no. */
  undo(calls: readonly string[]): Promise<boolean> {
    return this.#turnRound(calls.toReversed(), "undone");
  }

  /** What was taken back of these calls is applied once more. */
  acceptAgain(calls: readonly string[]): Promise<boolean> {
    return this.#turnRound(calls, "applied");
  }

  /** Their turns are no longer part of the conversation: what waits of them is withdrawn. */
  withdraw(calls: readonly string[]): Promise<void> {
    return this.#turn(async () => {
      await this.#loadOpen();
      for (const call of calls) this.#state.rejectCall(call);
      await this.#saver.save();
    });
  }

  /** The editor's own Undo or Redo has touched a file: what it turned round is so from now on. */
  async notice(file: FileName, by?: "undo" | "redo"): Promise<void> {
    if (this.#state.filesNear(file).length === 0) return;
    await this.#turn(async () => {
      const stands = await this.#seen.stands(this.#state.filesNear(file));
      const calls = this.#state.notice(file, by, stands);
      if (calls.size > 0) await this.#tell(calls);
    });
  }

  /** Resolves when all that was begun is done; what the disk has refused is tried once more. */
  close(): Promise<void> {
    return this.#one(() => this.#saver.close());
  }

  // How it is done.

  /** One after the other, once it was read from the disk, and on the files as they are. It changes nothing. */
  #glance<T>(work: () => Promise<T>): Promise<T> {
    return this.#one(async () => {
      await this.#ready();
      await this.#lookAgain();
      return work();
    });
  }

  /** What is pending is known again afterwards. */
  #turn<T>(work: () => Promise<T>): Promise<T> {
    return this.#glance(async () => {
      try {
        return await work();
      } finally {
        await this.#look();
      }
    });
  }

  /** What cannot be read now may be a moment later; nothing is written before it was. */
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

  /** Nobody has said which of these files were written: they are asked. */
  async #settle(intention: Intention): Promise<void> {
    this.#state.intention = undefined;
    await this.#texts.load(intention.files.flatMap(({ before, after }) => [before, after]));
    await this.#loadOpen();
    const calls = await settleInterrupted(intention, this.#state, this.#texts, this.#deps);
    await this.#saver.save();
    if (calls.size > 0) await this.#deps.decided(calls);
  }

  /** Each of several patches may give way to the next, and all of them together to nothing: nobody could accept them. */
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

  async #accept(hunks: () => readonly string[]): Promise<Accepted> {
    for (let round = 0; round < maxRounds; round++) {
      await this.#lookAgain();
      const parts = choose(hunks(), this.#shown);
      if (parts === undefined || parts.length === 0) return { outcome: "revised" };
      const done = await this.#write(parts);
      if (done.outcome === "applied") return { outcome: "done" };
      if (done.outcome !== "stale") return done;
    }
    return { outcome: "revised" };
  }

  async #write(parts: readonly Part[]): Promise<Applied> {
    this.#state.intend(parts);
    await this.#saver.save();
    await this.#loadOpen();
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

  async #apply(changes: readonly FileChange[], label: string, purpose?: "undo"): Promise<Applied> {
    try {
      return await this.#deps.apply(changes, label, purpose);
    } catch (error) {
      this.#deps.log.error("Changes could not be applied.", error);
      return { outcome: "refused", why: message("editsRefused") };
    } finally {
      this.#seen.forget();
    }
  }

  /** Whoever reads the disk does not see it yet: person and model hear so. */
  #noteUnsaved(calls: Iterable<string>, { unsaved = [] }: Extract<Applied, { outcome: "applied" }>): void {
    for (const call of calls) {
      const own = this.#state.namesOfCall(call);
      const names = unsaved.filter((file) => own.some((each) => isSameFile(each, file)));
      if (names.length > 0 || this.noteOf(call)?.unsaved !== undefined)
        this.#state.note(call, { unsaved: names.map((file) => this.#deps.nameOf(file)) });
    }
  }

  #turnRound(calls: readonly string[], to: "applied" | "undone"): Promise<boolean> {
    return this.#turn(async () => {
      for (const call of calls) if (!(await this.#turnOne(call, to))) return false;
      return true;
    });
  }

  async #turnOne(call: string, to: "applied" | "undone"): Promise<boolean> {
    await this.#load(call);
    const { nameOf } = this.#deps;
    for (let round = 0; round < maxRounds; round++) {
      this.#seen.forget();
      const stands = await this.#seen.stands(this.#state.namesOfCall(call));
      const way = this.#state.wayOf(call, to, stands, nameOf);
      const done: Applied =
        way.length === 0 ? { outcome: "applied" } : await this.#apply(way, "Patchbay: undo edits", "undo");
      if (done.outcome === "stale") continue;
      if (done.outcome === "declined") return false;
      if (done.outcome === "refused") throw new MessageError(done.why);
      this.#state.turnedRound(call, to, way);
      this.#noteUnsaved([call], done);
      await this.#tell(new Set([call]));
      return true;
    }
    throw new MessageError(message("editsMoving"));
  }

  // Looking.

  /** The files may be others than a moment ago. */
  async #lookAgain(): Promise<void> {
    this.#seen.forget();
    await this.#look();
  }

  async #look(): Promise<void> {
    const shown = await this.#seen.shown();
    const before = this.#shown;
    this.#shown = shown;
    if (shown.length === before.length && shown.every(({ file }, at) => file === before[at]?.file)) return;
    this.#revision += 1;
    this.#changed.fire();
  }

  /** The texts that deciding about what waits may need. */
  #loadOpen(): Promise<void> {
    const isWaiting = ({ hunks }: Proposal["shares"][number]) => hunks.some(({ fate }) => fate === "pending");
    const shares = this.#state.open.flatMap((proposal) => proposal.shares.filter(isWaiting));
    return this.#texts.load(shares.flatMap(({ before, after }) => [before, after]));
  }

  #load(call: string): Promise<void> {
    const all = this.#state.kept.proposals.flatMap(({ shares }) => shares);
    const own = all.filter((share) => share.call === call);
    return this.#texts.load(own.flatMap(({ before, after }) => [before, after]));
  }
}

const wasTaken = (fate: Fate): boolean => fate === "applied" || fate === "undone";
