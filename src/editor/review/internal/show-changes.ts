// Opens changes for viewing, only at the user's request: all files in one multi-file diff, or one file at a hunk.
// Closes their tabs once everything is decided.
import * as vscode from "vscode";
import type { ChangeSet } from "../../../changes/change-set.ts";
import { acceptableHunks } from "../../../changes/pending-changes.ts";
import type { FileChange } from "../../../patch/model.ts";
import { findUri } from "../../workspace/file-uris.ts";
import { isOfReview, sidesShown } from "../shown-change.ts";
import type { ReviewDocuments } from "./proposed-files.ts";
import type { ReviewModel } from "./review-model.ts";
import { countOf, displayPaths, uriOf, type WaitingFile } from "./review-targets.ts";
import { changesInWords, conflictsInWords, countsInWords, evidenceInWords } from "./risk-labels.ts";

/**
 * Closes tabs without pending changes, as VS Code's own chat does. Changes of a conversation that is not shown anywhere
 * are still pending.
 */
export function closeDecided(reviewModel: Pick<ReviewModel, "files" | "onDidChange">): vscode.Disposable {
  /** Everything that is or was pending in this window, with its change set. */
  const known = new Map<string, ChangeSet>();
  function look(): void {
    for (const { address, set } of reviewModel.files) known.set(address, set.changes);
    const sets = new Set(known.values());
    const waiting = new Set([...sets].flatMap(({ pending }) => pending.map(({ id }) => id)));
    const isDecided = (address: string) => known.has(address) && !waiting.has(address);
    const tabs = reviewTabs();
    void close(tabs.filter((tab) => addressesOf(tab).every(isDecided)));
    const shown = new Set(tabs.flatMap(addressesOf));
    for (const address of known.keys()) if (isDecided(address) && !shown.has(address)) known.delete(address);
  }
  return vscode.Disposable.from(reviewModel.onDidChange(look), vscode.window.tabGroups.onDidChangeTabs(look));
}

/**
 * Call before a review of several files is shown: the returned function closes the earlier tabs that show no other
 * files. VS Code cannot change the title of a tab, so a review opened again replaces its earlier tab.
 */
function closeEarlierTabs(files: readonly WaitingFile[]): () => Promise<void> {
  const addresses = new Set(files.map(({ address }) => address));
  const isEarlier = (tab: vscode.Tab) =>
    !(tab.input instanceof vscode.TabInputTextDiff) && addressesOf(tab).every((each) => addresses.has(each));
  const earlier = new Set(reviewTabs().filter(isEarlier));
  // A preview tab was already replaced by VS Code.
  return () => close(reviewTabs().filter((tab) => earlier.has(tab)));
}

/**
 * Handles tabs restored with the window: VS Code requests their documents before anyone can provide them, and shows
 * them empty. They are closed, and the one the user was looking at is opened again once it is known what is pending.
 */
export function reopenRestored(
  reviewModel: ReviewModel,
  show: (files: readonly WaitingFile[]) => Promise<unknown>,
  report: (error: unknown) => void,
): vscode.Disposable {
  const left = reviewTabs();
  const active = vscode.window.tabGroups.activeTabGroup.activeTab;
  const looked = active !== undefined && left.includes(active) ? active : undefined;
  void close(left.filter((tab) => tab !== looked));
  if (looked === undefined) return new vscode.Disposable(() => {});
  const addresses = new Set(addressesOf(looked));
  const listening = reviewModel.onDidChange(() => {
    const files = reviewModel.files.filter(({ address }) => addresses.has(address));
    if (files.length === 0) return;
    listening.dispose();
    renew(looked, files).catch(report);
  });
  return listening;

  async function renew(tab: vscode.Tab, files: readonly WaitingFile[]): Promise<void> {
    // VS Code throws if the tab is closed already.
    if (!reviewTabs().includes(tab)) return;
    // If the user has gone elsewhere meanwhile, do not reopen it.
    const isLookedAt = tab.isActive && tab.group.isActive;
    await close([tab]);
    if (isLookedAt) await show(files);
  }
}

/** Tabs that VS Code closes without asking. */
const reviewTabs = (): readonly vscode.Tab[] =>
  vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(isReview);

const addressesOf = ({ input }: vscode.Tab): readonly string[] =>
  sidesShown(input).map(({ query }) => query.split("&", 1)[0] ?? "");

const isReview = ({ input, isDirty }: vscode.Tab): boolean => !isDirty && sidesShown(input).some(isOfReview);

async function close(tabs: readonly vscode.Tab[]): Promise<void> {
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}

type Sides = readonly [vscode.Uri | undefined, vscode.Uri | undefined];

/** False if nothing is pending. */
export async function showWaiting(
  files: readonly WaitingFile[],
  reviewModel: ReviewModel,
  documents: ReviewDocuments,
): Promise<boolean> {
  const [first] = files;
  if (first === undefined) return false;
  const rows = files.map((file): readonly [vscode.Uri, ...Sides] => {
    const sides = documents.sidesOf(file);
    return [labelOf(uriOf(file.change.file, file.set), sides), ...sides];
  });
  const closeEarlier = closeEarlierTabs(files);
  try {
    await vscode.commands.executeCommand("vscode.changes", titleOf(files), rows);
  } catch {
    // Editors built on an older VS Code have no multi-file diff.
    await showFile(first, reviewModel, documents);
  }
  await closeEarlier();
  return true;
}

/** The URI that labels an entry; for a file that does not exist, that of its text. */
const labelOf = (file: vscode.Uri | undefined, [before, after]: Sides): vscode.Uri =>
  file ?? after ?? before ?? vscode.Uri.file("/");

/**
 * Number of changes, what deserves attention, and the results of the user's checks, at the time of opening. VS Code
 * adds the number of files.
 */
function titleOf(files: readonly WaitingFile[]): string {
  const { changes, conflicts } = countOf(files);
  const flags = files.flatMap(({ pending }) => acceptableHunks(pending).map((hunk) => hunk.flags));
  return [
    ...(changes === conflicts ? [] : [changesInWords(changes)]),
    ...(conflicts === 0 ? [] : [conflictsInWords(conflicts)]),
    ...countsInWords(flags),
    ...[...new Set(files.map(({ set }) => set))].flatMap(evidenceInWords),
  ].join(" · ");
}

/** Shows what a call changed. False if that is no longer stored. */
export async function showDone(
  call: string,
  changes: readonly FileChange[],
  folders: readonly string[],
  documents: ReviewDocuments,
): Promise<boolean> {
  const rows = changes.map((change, at): readonly [vscode.Uri, ...Sides] => {
    const names = displayPaths(change, folders);
    const sides = documents.sidesOfDone({ ...names, address: `${call}/${at}`, change });
    return [labelOf(findUri(change.file), sides), ...sides];
  });
  if (rows.length === 0) return false;
  await vscode.commands.executeCommand("vscode.changes", vscode.l10n.t("Changes of a Patch"), rows);
  return true;
}

/** Shows what a response has changed in a proposal. */
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
  reviewModel: ReviewModel,
  documents: ReviewDocuments,
  hunk?: string,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  const { command, arguments: [...given] = [] } = showingOf(file, reviewModel, documents, hunk, options);
  await vscode.commands.executeCommand(command, ...given);
}

/** Uses VS Code's own command, which knows from a click or a key in a list whether the focus stays there. */
export function showingOf(
  file: WaitingFile,
  reviewModel: ReviewModel,
  documents: ReviewDocuments,
  hunk?: string,
  wanted: vscode.TextDocumentShowOptions = {},
): vscode.Command {
  const [live, proposed] = documents.sidesOf(file);
  const nothing = (path: string) => vscode.Uri.from({ scheme: "patchbay-base", path: `/${path}`, query: "" });
  const place = reviewModel.placesOf(file).find((each) => each.hunk === hunk);
  const at = new vscode.Position(place?.after.first ?? 0, 0);
  const title =
    file.path === file.to
      ? vscode.l10n.t("{0} (proposed)", file.to)
      : vscode.l10n.t("{0} → {1} (proposed)", file.path, file.to);
  const options = { ...wanted, ...(place !== undefined && { selection: new vscode.Range(at, at) }) };
  return {
    command: "vscode.diff",
    title,
    arguments: [live ?? nothing(file.path), proposed ?? nothing(file.to), title, options],
  };
}
