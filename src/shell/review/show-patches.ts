// Opens changes to look at: all files in one multi-file diff, or one file with a hunk in sight. Only ever because a person
// asked for it.
import * as vscode from "vscode";
import { conflictCount } from "../../core/changes/pending-counts.ts";
import type { FileChange } from "../../core/patch/model.ts";
import { findUri } from "../workspace/file-uris.ts";
import type { ReviewDocuments } from "./documents.ts";
import { namesOf, type ReviewModel, uriOf, type WaitingFile } from "./review-model.ts";
import { inPlaceOfEarlier } from "./review-tabs.ts";
import { changesInWords, conflictsInWords, countsInWords, evidenceInWords } from "./risk-words.ts";

type Sides = readonly [vscode.Uri | undefined, vscode.Uri | undefined];

/** False where nothing waits. */
export async function showWaiting(
  files: readonly WaitingFile[],
  desk: ReviewModel,
  documents: ReviewDocuments,
): Promise<boolean> {
  const [first] = files;
  if (first === undefined) return false;
  const rows = files.map((file): readonly [vscode.Uri, ...Sides] => {
    const sides = documents.sidesOf(file);
    return [labelOf(uriOf(file.change.file, file.set), sides), ...sides];
  });
  const closeEarlier = inPlaceOfEarlier(files);
  try {
    await vscode.commands.executeCommand("vscode.changes", titleOf(files), rows);
  } catch {
    // Editors built on an older VS Code have no multi-file diff.
    await showFile(first, desk, documents);
  }
  await closeEarlier();
  return true;
}

/** Where there is no such file its text is what it is called by. */
const labelOf = (file: vscode.Uri | undefined, [before, after]: Sides): vscode.Uri =>
  file ?? after ?? before ?? vscode.Uri.file("/");

/**
 * How much there is when it is opened, what deserves a look, and what the person's checks say. VS Code adds how many files
 * that are.
 */
function titleOf(files: readonly WaitingFile[]): string {
  const free = files.filter(({ pending }) => pending.problem === undefined);
  const changes = free.flatMap(({ pending }) => pending.hunks.map(({ flags }) => flags));
  const conflicts = files.reduce((sum, { pending }) => sum + conflictCount(pending), 0);
  return [
    ...(changes.length === 0 && conflicts > 0 ? [] : [changesInWords(changes.length)]),
    ...(conflicts === 0 ? [] : [conflictsInWords(conflicts)]),
    ...countsInWords(changes),
    ...[...new Set(files.map(({ set }) => set))].flatMap(evidenceInWords),
  ].join(" · ");
}

/** What a call did. False where that is not kept any more. */
export async function showDone(
  call: string,
  changes: readonly FileChange[],
  folders: readonly string[],
  documents: ReviewDocuments,
): Promise<boolean> {
  const rows = changes.map((change, at): readonly [vscode.Uri, ...Sides] => {
    const names = namesOf(change, folders);
    const sides = documents.sidesOfDone({ ...names, address: `${call}/${at}`, change });
    return [labelOf(findUri(change.file), sides), ...sides];
  });
  if (rows.length === 0) return false;
  await vscode.commands.executeCommand("vscode.changes", vscode.l10n.t("Changes of a Patch"), rows);
  return true;
}

/** What a response has changed in a proposal. */
export async function showRevision(
  file: WaitingFile,
  before: string,
  documents: ReviewDocuments,
): Promise<void> {
  const [then, now] = documents.sidesOfRevision(file, before);
  await vscode.commands.executeCommand("vscode.diff", then, now, vscode.l10n.t("{0} (revised)", file.to));
}

export async function showFile(
  file: WaitingFile,
  desk: ReviewModel,
  documents: ReviewDocuments,
  hunk?: string,
): Promise<void> {
  const { command, arguments: [...given] = [] } = showingOf(file, desk, documents, hunk);
  await vscode.commands.executeCommand(command, ...given);
}

/** As VS Code's own command: it knows of a click or a key in a list whether the focus stays there. */
export function showingOf(
  file: WaitingFile,
  desk: ReviewModel,
  documents: ReviewDocuments,
  hunk?: string,
): vscode.Command {
  const [live, proposed] = documents.sidesOf(file);
  const nothing = (path: string) => vscode.Uri.from({ scheme: "patchbay-base", path: `/${path}`, query: "" });
  const place = desk.placesOf(file).find((each) => each.hunk === hunk);
  const at = new vscode.Position(place?.after.first ?? 0, 0);
  const title =
    file.path === file.to
      ? vscode.l10n.t("{0} (proposed)", file.to)
      : vscode.l10n.t("{0} → {1} (proposed)", file.path, file.to);
  const options = place === undefined ? {} : { selection: new vscode.Range(at, at) };
  return {
    command: "vscode.diff",
    title,
    arguments: [live ?? nothing(file.path), proposed ?? nothing(file.to), title, options],
  };
}
