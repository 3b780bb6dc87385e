// The files with pending changes of the conversation in use, and the current positions of their hunks in documents. All
// review views read from it, and decisions pass through it to the change set, with the ids of what was shown.
import * as vscode from "vscode";
import { acceptableHunks, type PendingCounts, type PendingFile } from "../../../changes/pending-changes.ts";
import { MessageError } from "../../../conversation/english.ts";
import type { Message } from "../../../conversation/problem.ts";
import { pathOf } from "../../../files/refusal.ts";
import { textAfter } from "../../../patch/edits.ts";
import { isNotebook } from "../../../patch/notebook.ts";
import { inReviewOrder } from "../../../risk/flags.ts";
import type { Log } from "../../../util/log.ts";
import { toFileName } from "../../workspace/file-uris.ts";
import { FileWatch } from "../../workspace/watch-files.ts";
import { schemes } from "../shown-change.ts";
import { FollowedEdits } from "./follow-edits.ts";
import { conflictPlaces, type HunkPlace, hunkAt, placesIn, stuckPlace } from "./hunk-places.ts";
import {
  allHunksOf,
  countOf,
  displayPaths,
  type HunkInFile,
  type ReviewSet,
  realNameOf,
  requireAccepted,
  type Target,
  targetOf,
  uriOf,
  type WaitingFile,
} from "./review-targets.ts";

/** The user's version of a proposed text, and the text it was based on. */
interface Typed {
  readonly from: string;
  readonly text: string;
}

export interface ReviewModelDeps {
  /** Reports that an edit of the user could not be applied. */
  report(error: unknown): void;
  readonly log: Log;
}

/** Milliseconds without typing before edits are taken. */
const rest = 250;
/**
 * Milliseconds before a refresh; further events do not postpone it, since other programs often write many files in a
 * row.
 */
const crowd = 50;

export class ReviewModel {
  readonly #folders: () => readonly string[];
  readonly #report: ReviewModelDeps["report"];
  readonly #log: Log;
  readonly #followed = new FollowedEdits();
  readonly #disk = new FileWatch(() => this.#lookAtDisk());
  readonly #changed = new vscode.EventEmitter<void>();
  /** Edits of proposed texts that the set does not contain yet. */
  readonly #typed = new Map<string, Typed>();
  #sets: readonly ReviewSet[] = [];
  #files: readonly WaitingFile[] = [];
  #typing: NodeJS.Timeout | undefined;
  #taking: Promise<void> = Promise.resolve();
  #looking: NodeJS.Timeout | undefined;
  #lookingAtDisk: NodeJS.Timeout | undefined;
  #hasHeard = false;
  #isDisposed = false;
  #isTelling = false;

  readonly onDidChange = this.#changed.event;

  constructor(folders: () => readonly string[], { report, log }: ReviewModelDeps) {
    this.#folders = folders;
    this.#report = report;
    this.#log = log;
  }

  /** Refreshes whenever something happens to its files. */
  watchSession(): vscode.Disposable {
    return vscode.Disposable.from(
      // A change that is not dirty is not typing: the editor has reloaded the file.
      vscode.workspace.onDidChangeTextDocument(({ document: { uri, isDirty } }) =>
        isDirty ? this.#lookSoon(uri) : this.#disk.has(uri) && this.#lookAtDisk(),
      ),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        this.#lookSoon(uri);
        this.#noteSaved(uri);
      }),
      vscode.workspace.onDidChangeNotebookDocument(({ notebook }) => this.#lookSoon(notebook.uri)),
      vscode.workspace.onDidSaveNotebookDocument(({ uri }) => {
        this.#lookSoon(uri);
        this.#noteSaved(uri);
      }),
      vscode.workspace.onDidCreateFiles(({ files }) => this.#lookSoon(...files)),
      vscode.workspace.onDidDeleteFiles(({ files }) => this.#lookSoon(...files)),
      vscode.workspace.onDidRenameFiles(({ files }) => this.#lookSoon(...files.map(({ oldUri }) => oldUri))),
      // Other programs may have changed what is not watched.
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.refresh()),
      vscode.window.onDidChangeWindowState(({ focused }) => focused && void this.refresh()),
    );
  }

  /** `first`: before all others. */
  addChangeSet(set: ReviewSet, first = false): vscode.Disposable {
    this.#sets = first ? [set, ...this.#sets] : [...this.#sets, set];
    const listening = set.changes.onDidChange(() => this.#look());
    this.#look();
    return new vscode.Disposable(() => {
      listening.dispose();
      this.#sets = this.#sets.filter((each) => each !== set);
      this.#look();
    });
  }

  get files(): readonly WaitingFile[] {
    return this.#files;
  }

  /** Includes sets whose changes are all decided. */
  get allChangeSets(): readonly ReviewSet[] {
    return this.#sets;
  }

  get sets(): readonly ReviewSet[] {
    return this.#sets.filter((set) => this.#files.some((file) => file.set === set));
  }

  /** The number of pending changes, including conflicts. Samples are not counted. */
  get waiting(): number {
    return this.#counts.changes;
  }

  /** How many of them cannot be accepted as they are. */
  get conflicts(): number {
    return this.#counts.conflicts;
  }

  find(address: string): WaitingFile | undefined {
    return this.#files.find((file) => file.address === address);
  }

  /** The text if the change was accepted now, or the intended text if it cannot be. */
  proposedText({ address, change, pending }: WaitingFile): string | undefined {
    return this.#typed.get(address)?.text ?? pending.meant?.text ?? textAfter(change);
  }

  /** Takes the user's edit of a proposed text as the new proposal. */
  edit({ address }: WaitingFile, text: string, before: string): void {
    const from = this.#typed.get(address)?.from ?? before;
    this.#typed.set(address, { from, text });
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => void this.#takeTyped().catch(this.#report), rest);
  }

  /** All hunks or none. @throws HumanError why nothing was accepted. */
  async accept(target: Target): Promise<boolean> {
    if (target.hunks.length === 0) return requireAccepted({ outcome: "unfit" });
    const { set, hunks } = await this.#withTyping(target);
    return requireAccepted(await set.changes.accept(hunks));
  }

  async reject(target: Target, reason?: string): Promise<void> {
    const { set, hunks } = await this.#withTyping(target);
    requireAccepted({ outcome: await set.changes.reject(hunks, reason) });
  }

  /** Rejects the changes of this file that are in conflict. */
  async rejectConflicts({ set, address }: WaitingFile, reason?: string): Promise<void> {
    await this.#takeTyped();
    await set.changes.rejectConflicts(address, reason);
  }

  /** All hunks that can be decided; conflicts are left out. */
  wholeOf(set: ReviewSet): Target {
    const own = this.#files.filter((file) => file.set === set);
    return { set, hunks: own.flatMap(({ pending }) => acceptableHunks(pending).map(({ id }) => id)) };
  }

  /**
   * Accepts what fits the current files; what cannot be written says so in its row. @throws HumanError why nothing was
   * accepted.
   */
  async acceptAll(set: ReviewSet): Promise<void> {
    const shown = new Map(this.#revisionsOf(set));
    const typed = new Set(this.#typed.keys());
    await this.#takeTyped();
    // Typing has created a revision that the user has seen.
    for (const [id, revision] of this.#revisionsOf(set)) if (typed.has(id)) shown.set(id, revision);
    requireAccepted(await set.changes.acceptFiles(shown));
  }

  /** Rejects everything pending, including conflicts. */
  async rejectAll({ changes }: ReviewSet, reason?: string): Promise<void> {
    await this.#takeTyped();
    await changes.rejectAll(reason);
  }

  /** Reads the files again. Failures are only logged, because no user has asked for it. */
  async refresh(): Promise<void> {
    const failed = (error: unknown) =>
      this.#log.error("Proposed changes could not be looked at again.", error);
    await Promise.all(this.#sets.map(({ changes }) => changes.refresh().catch(failed)));
  }

  /** Pending changes with their current place in a real file. */
  hunksIn(document: vscode.TextDocument): HunkInFile[] {
    return this.#filesOf(document.uri).flatMap((file) => {
      const { change, pending } = file;
      if (!("edits" in change) || pending.problem !== undefined) return [];
      const edits = this.#followed.of(change, document);
      return edits === undefined ? [] : placesIn(pending, edits).map((place) => ({ file, place }));
    });
  }

  /** Conflicts between a real file and its proposal, as of the last refresh. */
  conflictsIn(document: vscode.TextDocument): HunkInFile[] {
    return this.#filesOf(document.uri).flatMap((file) =>
      this.conflictsOf(file).map((place) => ({ file, place })),
    );
  }

  conflictsOf({ pending }: WaitingFile): readonly HunkPlace[] {
    return pending.problem === undefined ? conflictPlaces(pending) : [stuckPlace];
  }

  /** The hunk at the cursor, in a real file or in one of the review's documents. */
  hunkAt({ document, selection }: vscode.TextEditor): Target | undefined {
    const { line } = selection.active;
    const { scheme, query } = document.uri;
    if (scheme === schemes.base || scheme === schemes.review) {
      const file = this.find(query);
      const side = scheme === schemes.base ? "before" : "after";
      return file && targetOf(file.set, hunkAt(placesIn(file.pending), line, side));
    }
    const hunks = this.hunksIn(document);
    const places = hunks.map(({ place }) => place);
    const found = hunkAt(places, line, "before");
    const at = hunks.find(({ place }) => place.hunk === found);
    return at && targetOf(at.file.set, found);
  }

  placesOf({ pending }: WaitingFile): readonly HunkPlace[] {
    return placesIn(pending);
  }

  dispose(): void {
    clearTimeout(this.#typing);
    clearTimeout(this.#looking);
    clearTimeout(this.#lookingAtDisk);
    this.#isDisposed = true;
    this.#disk.dispose();
    this.#followed.dispose();
    this.#changed.dispose();
  }

  get #counts(): PendingCounts {
    return countOf(this.#files.filter(({ set }) => !set.isSample));
  }

  #revisionsOf(set: ReviewSet): readonly (readonly [string, number])[] {
    const own = this.#files.filter((file) => file.set === set);
    return own.map(({ pending: { id, revision } }) => [id, revision]);
  }

  /** None for a notebook that is open as the text of its file, which has other lines than its cells. */
  #filesOf(uri: vscode.Uri): readonly WaitingFile[] {
    if (isNotebook(uri.path)) return [];
    const name = uri.toString();
    return this.#files.filter(({ change, set }) => uriOf(change.file, set)?.toString() === name);
  }

  /**
   * Takes pending edits first, so that the decision applies to what was typed; if all hunks of a file were meant, to
   * all of its new hunks.
   */
  async #withTyping({ set, hunks }: Target): Promise<Target> {
    if (this.#typed.size === 0) return { set, hunks };
    const isWhole = ({ address, pending }: WaitingFile) =>
      this.#typed.has(address) && pending.hunks.every(({ id }) => hunks.includes(id));
    const whole = this.#files.filter((file) => file.set === set && isWhole(file));
    const gone = new Set(whole.flatMap((file) => allHunksOf(file).hunks));
    await this.#takeTyped();
    const now = whole.flatMap(({ address }) => {
      const file = this.find(address);
      return file === undefined ? [] : allHunksOf(file).hunks;
    });
    return { set, hunks: [...hunks.filter((id) => !gone.has(id)), ...now] };
  }

  /** Serialized: two at once would each consider the other's edit newer, and never finish. */
  #takeTyped(): Promise<void> {
    clearTimeout(this.#typing);
    const taken = this.#taking.then(() => this.#takeAll());
    this.#taking = taken.catch(() => {});
    return taken;
  }

  async #takeAll(): Promise<void> {
    const typed = [...this.#typed];
    let refused: Message | undefined;
    for (const [address, taken] of typed) {
      const file = this.find(address);
      const why = await file?.set.changes.edit(address, taken.text, taken.from);
      refused ??= why;
      const now = this.#typed.get(address);
      if (now === taken) this.#typed.delete(address);
      else if (now !== undefined) this.#typed.set(address, { from: taken.text, text: now.text });
    }
    if (typed.length > 0) this.#tell();
    // It is no reason against a decision that somebody is making.
    if (refused !== undefined) this.#report(new MessageError(refused));
  }

  #lookSoon(...uris: readonly vscode.Uri[]): void {
    if (!uris.some((uri) => this.#disk.has(uri))) return;
    clearTimeout(this.#looking);
    this.#looking = setTimeout(() => void this.refresh(), rest);
  }

  #noteSaved(uri: vscode.Uri): void {
    const file = toFileName(uri);
    if (file === undefined) return;
    for (const { changes } of this.#sets) changes.saved(file).catch(this.#report);
  }

  /** Refreshes do not queue up: events during one are handled by the next. */
  #lookAtDisk(): void {
    this.#hasHeard = true;
    this.#lookingAtDisk ??= setTimeout(async () => {
      this.#hasHeard = false;
      await this.refresh();
      this.#lookingAtDisk = undefined;
      if (this.#hasHeard && !this.#isDisposed) this.#lookAtDisk();
    }, crowd);
  }

  /** Combines all changes of one task and notifies in a task of its own, since much may have to be drawn. */
  #tell(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    setImmediate(() => {
      this.#isTelling = false;
      this.#changed.fire();
    });
  }

  #look(): void {
    const before = new Map(this.#files.map((file) => [file.pending, file]));
    const known = (set: ReviewSet, pending: PendingFile) => {
      const file = before.get(pending);
      return file?.set === set ? file : undefined;
    };
    // A task continued in the chat has two sets with the same changes: keep the first.
    const sets = new Map(this.#sets.toReversed().map((set) => [set.changes, set]));
    const own = this.#sets.filter((set) => sets.get(set.changes) === set);
    this.#files = own.flatMap((set) => {
      const files = set.changes.pending.map((pending) => known(set, pending) ?? this.#show(set, pending));
      return inReviewOrder(
        files,
        ({ to }) => to,
        ({ pending }) => pending.hunks.map(({ flags }) => flags),
      );
    });
    const real = own.filter(({ isSample }) => !isSample);
    // Files that contain a change already are watched too: it is pending again once another branch has removed it.
    this.#disk.follow([
      ...real.flatMap(({ changes }) => changes.names),
      ...this.#files.flatMap(({ set, change }) => (set.isSample ? [] : [realNameOf(change)])),
    ]);
    this.#followed.keepOnly(new Set(this.#files.map(({ change }) => change)));
    this.#tell();
  }

  #show(set: ReviewSet, pending: PendingFile): WaitingFile {
    const { id: address, change, meant } = pending;
    const folders = this.#folders();
    const led = meant && { to: pathOf(meant.file, folders) };
    return { ...displayPaths(change, folders), ...led, address, change, set, pending };
  }
}
