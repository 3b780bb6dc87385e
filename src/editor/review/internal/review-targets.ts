// What waits for a review: files and hunks of the sessions, and what a command is about.
import type * as vscode from "vscode";
import type { ChangeSet } from "../../../changes/change-set.ts";
import {
  countPending,
  type PendingCounts,
  type PendingFile,
  type PendingHunk,
} from "../../../changes/pending-changes.ts";
import type { AcceptOutcome } from "../../../changes/proposal.ts";
import { MessageError, SaidInRow } from "../../../conversation/english.ts";
import { message } from "../../../conversation/messages.ts";
import { pathOf } from "../../../files/refusal.ts";
import type { FileChange, FileName } from "../../../patch/model.ts";
import type { Session } from "../../../session/session.ts";
import type { Disposable } from "../../../util/disposables.ts";
import { findUri } from "../../workspace/file-uris.ts";
import type { ShownChange } from "../shown-change.ts";
import type { HunkPlace } from "./hunk-places.ts";

/** Source of changes: the session in use, which may switch. */
export interface ReviewedSession {
  readonly session: Session;
  follow(listener: (session: Session) => Disposable): Disposable;
}

/** Changes that are reviewed together. */
export interface ReviewSet {
  readonly name: string;
  readonly changes: ChangeSet;
  /** The session that can be asked about them; absent for a sample. */
  readonly session?: Session;
  /** Set if it was asked for between the lines and is reviewed there. */
  readonly isInFile?: true;
  /** For trying the review out; not counted. */
  readonly isSample: boolean;
}

/** A file with pending changes, as it is shown. */
export interface WaitingFile extends ShownChange {
  readonly set: ReviewSet;
  readonly pending: PendingFile;
}

/** A pending change and its current place in a real file. */
export interface HunkInFile {
  readonly file: WaitingFile;
  readonly place: HunkPlace;
}

/** Hunks of one set. */
export interface Target {
  readonly set: ReviewSet;
  readonly hunks: readonly string[];
}

export function displayPaths(
  change: FileChange,
  folders: readonly string[],
): Pick<ShownChange, "path" | "to"> {
  const path = pathOf(change.file, folders);
  return { path, to: change.kind === "move" ? pathOf(change.to, folders) : path };
}

/** `undefined` for a sample, and for a folder that was removed from the window. */
export const uriOf = (file: FileName, { isSample }: ReviewSet): vscode.Uri | undefined =>
  isSample ? undefined : findUri(file);

/** The target of a link. */
export const realNameOf = ({ file, permission }: FileChange): FileName => ({
  ...file,
  path: permission.real,
});

export const countOf = (files: readonly WaitingFile[]): PendingCounts =>
  countPending(files.map(({ pending }) => pending));

export const allHunksOf = ({ set, pending }: WaitingFile): Target => ({
  set,
  hunks: pending.hunks.map(({ id }) => id),
});

export const targetOfHunk = ({ set }: WaitingFile, { id }: Pick<PendingHunk, "id">): Target => ({
  set,
  hunks: [id],
});

/** @throws HumanError why nothing was written. False if the user was asked and declined. */
export function requireAccepted(accepted: AcceptOutcome): boolean {
  if (accepted.outcome === "refused")
    throw accepted.isInRows ? new SaidInRow(accepted.why) : new MessageError(accepted.why);
  if (accepted.outcome === "revised") throw new SaidInRow(message("changeRevised"));
  if (accepted.outcome === "unfit") throw new SaidInRow(message("changeConflict"));
  return accepted.outcome === "done";
}

export const targetOf = (set: ReviewSet, hunk: string | undefined): Target | undefined =>
  hunk === undefined ? undefined : { set, hunks: [hunk] };
