// What lies on the table: the files that wait for a decision in the conversation in use, and where their hunks stand in
// documents as they are now. Everything that shows a review asks here, and decisions leave from here for the change set,
// with the names of what was shown.
import * as vscode from "vscode";
import type { Accepted, ChangeSet } from "../../core/changes/change-set.ts";
import { conflictCount } from "../../core/changes/pending-counts.ts";
import type { PendingFile, PendingHunk } from "../../core/changes/pending-file.ts";
import { pathOf } from "../../core/files/locate.ts";
import { message } from "../../core/messages/message.ts";
import { MessageError } from "../../core/messages/message-error.ts";
import type { FileChange, FileName } from "../../core/patch/model.ts";
import { inReviewOrder } from "../../core/risk/order.ts";
import type { Session } from "../../core/session/session.ts";
import type { Disposable } from "../../core/util/disposables.ts";
import type { Log } from "../../core/util/log.ts";
import { findUri, toFileName } from "../workspace/file-uris.ts";
import { conflictPlaces, type HunkPlace, hunkAt, placesIn, stuckPlace, textAfter } from "./diff-sides.ts";
import { FollowedEdits } from "./followed-edits.ts";
import { type ShownChange, schemes } from "./shown-change.ts";

/** Where changes come from: the session in use, whichever that is. */
export interface ReviewedSession {
  readonly session: Session;
  follow(listener: (session: Session) => Disposable): Disposable;
}

/** What belongs together in a review. */
export interface ReviewSet {
  readonly name: string;
  readonly changes: ChangeSet;
  /** Where more can be asked about it; none of a sample. */
  readonly session?: Session;
  /** It was asked for between the lines, and is looked at there. */
  readonly isInFile?: true;
  /** It is only there to be tried: it counts nowhere. */
  readonly isSample: boolean;
}

/** A file that waits, as it is shown. */
export interface WaitingFile extends ShownChange {
  readonly set: ReviewSet;
  readonly pending: PendingFile;
}

/** A change that waits, where it stands in a real file at this moment. */
export interface HunkInFile {
  readonly file: WaitingFile;
  readonly place: HunkPlace;
}

/** Some hunks of one set. */
export interface Target {
  readonly set: ReviewSet;
  readonly hunks: readonly string[];
}

/** What a person has made of a proposed text, and what they had before them when they began. */
interface Typed {
  readonly from: string;
  readonly text: string;
}

export interface ReviewModelDeps {
  /** What a person has done could not be taken over. */
  report(error: unknown): void;
  readonly log: Log;
}

/** Typing is taken over when it rests for a moment. */
const rest = 250;

export class ReviewModel {
  readonly #folders: () => readonly string[];
  readonly #report: ReviewModelDeps["report"];
  readonly #log: Log;
  readonly #followed = new FollowedEdits();
  readonly #changed = new vscode.EventEmitter<void>();
  /** What was typed into proposed texts and is not in the set yet. */
  readonly #typed = new Map<string, Typed>();
  #sets: readonly ReviewSet[] = [];
  #files: readonly WaitingFile[] = [];
  #typing: NodeJS.Timeout | undefined;
  #taking: Promise<void> = Promise.resolve();
  #looking: NodeJS.Timeout | undefined;
  #isTelling = false;

  readonly onDidChange = this.#changed.event;

  constructor(folders: () => readonly string[], { report, log }: ReviewModelDeps) {
    this.#folders = folders;
    this.#report = report;
    this.#log = log;
  }

  /** Looks again whenever something happens to the files that it shows. */
  watch(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#lookSoon(document.uri)),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#lookSoon(uri)),
      vscode.workspace.onDidCreateFiles(({ files }) => this.#lookSoon(...files)),
      vscode.workspace.onDidDeleteFiles(({ files }) => this.#lookSoon(...files)),
      vscode.workspace.onDidRenameFiles(({ files }) => this.#lookSoon(...files.map(({ oldUri }) => oldUri))),
      // Other programs may have written what is not open here.
      vscode.window.onDidChangeWindowState(({ focused }) => focused && this.refresh()),
    );
  }

  /** `first`: before all others. */
  lay(set: ReviewSet, first = false): vscode.Disposable {
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

  /** Those whose changes are all decided, too. */
  get laid(): readonly ReviewSet[] {
    return this.#sets;
  }

  get sets(): readonly ReviewSet[] {
    return this.#sets.filter((set) => this.#files.some((file) => file.set === set));
  }

  /** How many changes wait for a decision, in conflict or not. */
  get waiting(): number {
    const real = this.#files.filter(({ set }) => !set.isSample);
    const of = ({ hunks, conflicts }: PendingFile) => Math.max(hunks.length + conflicts.length, 1);
    return real.reduce((sum, { pending }) => sum + of(pending), 0);
  }

  /** Of them: what cannot be accepted as it is. */
  get conflicts(): number {
    const real = this.#files.filter(({ set }) => !set.isSample);
    return real.reduce((sum, { pending }) => sum + conflictCount(pending), 0);
  }

  find(address: string): WaitingFile | undefined {
    return this.#files.find((file) => file.address === address);
  }

  /** What would stand there if it was accepted now; what was meant, where it cannot be. */
  proposedText({ address, change, pending }: WaitingFile): string | undefined {
    return this.#typed.get(address)?.text ?? pending.meant?.text ?? textAfter(change);
  }

  /** A person writes into a proposed text: it is the proposal from then on. */
  edit({ address }: WaitingFile, text: string, before: string): void {
    const from = this.#typed.get(address)?.from ?? before;
    this.#typed.set(address, { from, text });
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => void this.#takeTyped().catch(this.#report), rest);
  }

  /** All of these or none. @throws HumanError why nothing was accepted. */
  async accept(target: Target): Promise<boolean> {
    if (target.hunks.length === 0) throw new MessageError(message("changeConflict"));
    const { set, hunks } = await this.#withTyping(target);
    const accepted = await set.changes.accept(hunks);
    const isStuck = ({ pending }: WaitingFile) =>
      pending.problem !== undefined && pending.hunks.some(({ id }) => hunks.includes(id));
    if (accepted.outcome === "revised" && this.#files.some(isStuck))
      throw new MessageError(message("changeConflict"));
    return isDone(accepted);
  }

  async reject(target: Target, reason?: string): Promise<void> {
    const { set, hunks } = await this.#withTyping(target);
    if ((await set.changes.reject(hunks, reason)) === "revised")
      throw new MessageError(message("changeRevised"));
  }

  /** What stands aside in this file is given up. */
  async rejectConflicts({ set, address }: WaitingFile, reason?: string): Promise<void> {
    await this.#takeTyped();
    await set.changes.rejectAside(address, reason);
  }

  /** What can be decided of it: what is stuck is left. */
  wholeOf(set: ReviewSet): Target {
    const own = this.#files.filter((file) => file.set === set && file.pending.problem === undefined);
    return { set, hunks: own.flatMap((file) => allOf(file).hunks) };
  }

  /** @throws HumanError why nothing was accepted. */
  async acceptAll(set: ReviewSet): Promise<void> {
    await this.accept(this.wholeOf(set));
  }

  /** All that waits of it is given up, what is stuck too. */
  async rejectAll({ changes }: ReviewSet): Promise<void> {
    await this.#takeTyped();
    for (const call of new Set(changes.pending.flatMap(({ calls }) => calls))) await changes.rejectCall(call);
  }

  /** Looks at the files again. Nobody has asked for it: where they cannot be looked at, that stands in the log. */
  refresh(): void {
    const failed = (error: unknown) =>
      this.#log.error("Proposed changes could not be looked at again.", error);
    for (const { changes } of this.#sets) changes.refresh().catch(failed);
  }

  /** Changes that wait, where they stand in a real file now. */
  hunksIn(document: vscode.TextDocument): HunkInFile[] {
    return this.#filesOf(document.uri).flatMap((file) => {
      const { change, pending } = file;
      if (!("edits" in change) || pending.problem !== undefined) return [];
      const edits = this.#followed.of(change, document);
      return edits === undefined ? [] : placesIn(pending, edits).map((place) => ({ file, place }));
    });
  }

  /** Where a real file and what is proposed for it do not go together: as they were when it was looked at last. */
  conflictsIn(document: vscode.TextDocument): HunkInFile[] {
    return this.#filesOf(document.uri).flatMap((file) =>
      this.conflictsOf(file).map((place) => ({ file, place })),
    );
  }

  conflictsOf({ pending }: WaitingFile): readonly HunkPlace[] {
    return pending.problem === undefined ? conflictPlaces(pending) : [stuckPlace];
  }

  /** The hunk under the cursor, in a real file or in one of the review's documents. */
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
    this.#followed.dispose();
    this.#changed.dispose();
  }

  #filesOf(uri: vscode.Uri): readonly WaitingFile[] {
    const name = uri.toString();
    return this.#files.filter(({ change, set }) => uriOf(change.file, set)?.toString() === name);
  }

  /** What was typed is decided about, not what stood there before; of a file that is meant as a whole, all of it. */
  async #withTyping({ set, hunks }: Target): Promise<Target> {
    if (this.#typed.size === 0) return { set, hunks };
    const isWhole = ({ address, pending }: WaitingFile) =>
      this.#typed.has(address) && pending.hunks.every(({ id }) => hunks.includes(id));
    const whole = this.#files.filter((file) => file.set === set && isWhole(file));
    const gone = new Set(whole.flatMap((file) => allOf(file).hunks));
    await this.#takeTyped();
    const now = whole.flatMap(({ address }) => {
      const file = this.find(address);
      return file === undefined ? [] : allOf(file).hunks;
    });
    return { set, hunks: [...hunks.filter((id) => !gone.has(id)), ...now] };
  }

  /** One after the other: two at once would each think that the other's is newer, and leave it standing for ever. */
  #takeTyped(): Promise<void> {
    clearTimeout(this.#typing);
    const taken = this.#taking.then(() => this.#takeAll());
    this.#taking = taken.catch(() => {});
    return taken;
  }

  async #takeAll(): Promise<void> {
    const typed = [...this.#typed];
    for (const [address, taken] of typed) {
      const file = this.find(address);
      await file?.set.changes.edit(address, taken.text, taken.from);
      const now = this.#typed.get(address);
      if (now === taken) this.#typed.delete(address);
      else if (now !== undefined) this.#typed.set(address, { from: taken.text, text: now.text });
    }
    if (typed.length > 0) this.#tell();
  }

  #lookSoon(...uris: readonly vscode.Uri[]): void {
    if (!uris.some((uri) => this.#isConcerned(uri))) return;
    clearTimeout(this.#looking);
    this.#looking = setTimeout(() => this.refresh(), rest);
  }

  #isConcerned(uri: vscode.Uri): boolean {
    if (this.#files.length === 0) return false;
    if (this.#filesOf(uri).length > 0) return true;
    const file = toFileName(uri);
    const isTarget = ({ change, pending }: WaitingFile) => {
      const to = change.kind === "move" ? change.to : pending.meant?.file;
      return to !== undefined && to.folder === file?.folder && to.path === file.path;
    };
    return this.#files.some(isTarget);
  }

  /** Once for everything that happens in one go, and in a task of its own: there is much to draw. */
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
    // A task that somebody goes on with in the chat is there twice.
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
    this.#followed.keepOnly(new Set(this.#files.map(({ change }) => change)));
    this.#tell();
  }

  #show(set: ReviewSet, pending: PendingFile): WaitingFile {
    const { id: address, change, meant } = pending;
    const folders = this.#folders();
    const led = meant && { to: pathOf(meant.file, folders) };
    return { ...namesOf(change, folders), ...led, address, change, set, pending };
  }
}

export function namesOf(change: FileChange, folders: readonly string[]): Pick<ShownChange, "path" | "to"> {
  const path = pathOf(change.file, folders);
  return { path, to: change.kind === "move" ? pathOf(change.to, folders) : path };
}

/** Of a sample there is no file, nor of a folder that has left the window. */
export const uriOf = (file: FileName, { isSample }: ReviewSet): vscode.Uri | undefined =>
  isSample ? undefined : findUri(file);

export const allOf = ({ set, pending }: WaitingFile): Target => ({
  set,
  hunks: pending.hunks.map(({ id }) => id),
});

export const oneOf = ({ set }: WaitingFile, { id }: Pick<PendingHunk, "id">): Target => ({
  set,
  hunks: [id],
});

/** @throws HumanError why nothing was written. False: a person was asked, and said no. */
export function isDone(accepted: Accepted): boolean {
  if (accepted.outcome === "refused") throw new MessageError(accepted.why);
  if (accepted.outcome === "revised") throw new MessageError(message("changeRevised"));
  return accepted.outcome === "done";
}

const targetOf = (set: ReviewSet, hunk: string | undefined): Target | undefined =>
  hunk === undefined ? undefined : { set, hunks: [hunk] };
