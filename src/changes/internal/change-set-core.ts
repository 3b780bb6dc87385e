// What everything done with a change set builds on: one thing at a time, on files looked at just before, saved before it
// is reported. Settles what a closed window has left unfinished.

import { message } from "../../conversation/messages.ts";
import type { ApplyOutcome, Purpose, Workspace } from "../../files/workspace.ts";
import type { FileChange, FileName, Workspace as PatchWorkspace } from "../../patch/model.ts";
import { createMutex } from "../../util/concurrency.ts";
import { Emitter } from "../../util/emitter.ts";
import { forLog } from "../../util/sentences.ts";
import { ChangeFile, type ChangeStore, type Intention, Texts } from "../change-store.ts";
import { type Acceptance, isSameFile, type Proposal } from "../proposal.ts";
import type { ShownProposal } from "./accept-files.ts";
import { ChangeSaver, type ChangeSaverDeps, settleInterrupted } from "./change-saver.ts";
import { ChangeSetState } from "./change-set-state.ts";
import { type EditedByPersonDeps, ProposalViews } from "./proposal-views.ts";
import type { Stored } from "./written-changes.ts";

export interface ChangeSetDeps extends ChangeSaverDeps, EditedByPersonDeps {
  /** The files as they are, with their permissions and paths. */
  world(): PatchWorkspace;
  /** Whether the workspace is trusted. Files that could not be written in Restricted Mode can be once it is. */
  isTrusted?(): boolean;
  readonly apply: Workspace["apply"];
  readonly store: ChangeStore;
  newId(): string;
  /** Called before files are written; the returned callback is told which calls have written which files. */
  applying?(changes: readonly FileChange[]): (written: ReadonlyMap<string, readonly FileName[]>) => void;
  /** Facts to store with these hunks as they are accepted together, such as the time and the check results. */
  acceptance?(hunks: ReadonlySet<string>): Acceptance;
  /** Reports calls whose decisions have changed and are saved. Awaited before anything else runs. */
  decided(calls: ReadonlySet<string>): Promise<void>;
}

export class ChangeSetCore {
  readonly deps: ChangeSetDeps;
  readonly texts: Texts;
  readonly state: ChangeSetState;
  /** What the proposals come to in the files as they were last read. */
  readonly views: ProposalViews;
  readonly #file: ChangeFile;
  readonly #saver: ChangeSaver;
  readonly #one = createMutex();
  readonly #changed = new Emitter<void>();
  #shown: readonly ShownProposal[] = [];
  #revision = 0;
  /** For each open proposal its revision, and the revision of the set at which it got that. */
  #revisedAt: ReadonlyMap<string, { readonly revision: number; readonly at: number }> = new Map();
  #opened: Promise<void> | undefined;

  /** Fires when what is pending has changed. */
  readonly onDidChange = this.#changed.on;

  constructor(deps: ChangeSetDeps) {
    this.deps = deps;
    this.texts = new Texts(deps.store);
    this.#file = new ChangeFile(deps.store, this.texts, deps.log);
    this.state = new ChangeSetState(this.texts, deps.newId);
    this.#saver = new ChangeSaver(this.#file, this.state, this.#one, deps);
    this.views = new ProposalViews(deps, this.state);
  }

  /** What was pending when the files were last looked at. */
  get shown(): readonly ShownProposal[] {
    return this.#shown;
  }

  /** Counts changes of what is proposed. A change of a file below a proposal does not count. */
  get revision(): number {
    return this.#revision;
  }

  /** The open proposals that were added or revised since this revision of the set. */
  revisedSince(since: number): readonly Proposal[] {
    return this.state.open.filter(({ id }) => (this.#revisedAt.get(id)?.at ?? 0) > since);
  }

  // One thing at a time.

  /** Runs work under the mutex after the set was loaded, without looking at the files. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#one(async () => {
      await this.#ready();
      return work();
    });
  }

  /** Runs read-only work under the mutex, after the set was loaded and the files were looked at again. */
  query<T>(work: () => Promise<T>): Promise<T> {
    return this.alone(async () => {
      await this.lookAgain();
      return work();
    });
  }

  /** Runs work that changes the set and updates what is pending afterwards. */
  change<T>(work: () => Promise<T>): Promise<T> {
    return this.query(async () => {
      const { version } = this.state.refusals;
      try {
        return await work();
      } finally {
        await this.look();
        if (this.state.refusals.version !== version)
          await this.save().catch((error: unknown) => this.deps.log.error(unsaved, error));
      }
    });
  }

  /** Resolves when all running work is done; a failed write is retried once. */
  close(): Promise<void> {
    return this.#one(() => this.#saver.close());
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
    this.state.kept = await this.#file.read();
    const { intention } = this.state;
    if (intention === undefined) return;
    await this.settle(intention);
  }

  /** It is unknown which of these files were written, so their contents are compared. */
  async settle(intention: Intention): Promise<void> {
    this.state.intention = undefined;
    await this.texts.load(intention.files.flatMap(({ before, after }) => [before, after]));
    const calls = await settleInterrupted(intention, this.state, this.texts, this.deps);
    await this.save();
    if (calls.size > 0) await this.deps.decided(calls);
  }

  // Looking.

  /** Looks at the files again, as they may have changed a moment ago. */
  async lookAgain(): Promise<readonly ShownProposal[]> {
    this.views.forget();
    await this.look();
    return this.#shown;
  }

  /** Recomputes what is pending from the files as they were last read. */
  async look(): Promise<void> {
    const shown = await this.views.shown();
    const before = this.#shown;
    this.#shown = shown;
    const { open } = this.state;
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

  /** The proposals, with the texts of these calls. */
  async storedOf(calls: readonly string[]): Promise<Stored> {
    const wanted = new Set(calls);
    const own = this.state.kept.proposals.flatMap(({ shares, writes }) => [
      ...shares.filter((share) => wanted.has(share.call)),
      ...writes.filter(({ share }) => wanted.has(shares[share]?.call ?? "")),
    ]);
    await this.texts.load(own.flatMap(({ before, after }) => [before, after]));
    return { proposals: this.state.kept.proposals, texts: this.texts };
  }

  // Saving and writing.

  /** @throws if there is no room even after dropping old decided changes. */
  save(): Promise<void> {
    return this.#saver.save();
  }

  /** Saves what was decided about these calls, then reports it. */
  async tell(calls: ReadonlySet<string>, reason?: string): Promise<void> {
    const half = this.state.halfWritten?.calls ?? [];
    const isOver = half.some((call) => calls.has(call));
    if (isOver) this.state.halfWritten = undefined;
    for (const call of calls) this.state.note(call, { reason });
    await this.save();
    await this.look();
    if (calls.size > 0) await this.deps.decided(isOver ? new Set([...calls, ...half]) : calls);
  }

  /** Writes these changes to the files as one step of the editor. */
  async apply(changes: readonly FileChange[], label: string, purpose?: Purpose): Promise<ApplyOutcome> {
    try {
      return await this.deps.apply(changes, label, purpose);
    } catch (error) {
      this.deps.log.error("Changes could not be applied.", error);
      return { outcome: "refused", why: message("editsRefused") };
    } finally {
      this.views.forget();
    }
  }

  /**
   * Notes files the editor has not saved. Programs that read the disk do not see the change yet; the person and the
   * model are told.
   */
  noteUnsaved(
    calls: Iterable<string>,
    { unsaved = [] }: Extract<ApplyOutcome, { outcome: "applied" }>,
  ): void {
    for (const call of calls) {
      const shares = this.state.kept.proposals.flatMap((each) => each.shares);
      const own = shares
        .filter((share) => share.call === call)
        .flatMap(({ before, after }) => [before, after]);
      const names = unsaved.filter((file) => own.some((each) => each && isSameFile(each.file, file)));
      if (names.length > 0 || this.state.noteOf(call)?.unsaved !== undefined)
        this.state.note(call, { unsaved: names.map((file) => this.deps.nameOf(file)) });
    }
  }
}

const unsaved = forLog("Why files could not be written could not be saved.");
