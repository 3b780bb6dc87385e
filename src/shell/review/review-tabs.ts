// Tabs of reviews. VS Code lets nobody change the title of one, so a review that is asked for again takes the place of the
// one before, and once all of it is decided its tab goes, as those of VS Code's own chat do.
import * as vscode from "vscode";
import type { ChangeSet } from "../../core/changes/change-set.ts";
import { isOfReview, sidesShown } from "./is-reviewing.ts";
import type { ReviewModel, WaitingFile } from "./review-model.ts";

/** Closes what shows nothing that waits any more. Of a conversation that is shown nowhere, changes still wait. */
export function closeDecided(desk: Pick<ReviewModel, "files" | "onDidChange">): vscode.Disposable {
  /** All that waits or has waited in this window, and whose it is. */
  const known = new Map<string, ChangeSet>();
  const isDecided = (address: string) =>
    known.get(address)?.pending.every(({ id }) => id !== address) === true;
  function look(): void {
    for (const { address, set } of desk.files) known.set(address, set.changes);
    const tabs = reviewTabs();
    void close(tabs.filter((tab) => addressesOf(tab).every(isDecided)));
    const shown = new Set(tabs.flatMap(addressesOf));
    for (const address of known.keys()) if (isDecided(address) && !shown.has(address)) known.delete(address);
  }
  return vscode.Disposable.from(desk.onDidChange(look), vscode.window.tabGroups.onDidChangeTabs(look));
}

/** A review of several files is about to be shown: tabs that showed these, and no others, go once it is there. */
export function inPlaceOfEarlier(files: readonly WaitingFile[]): () => Promise<void> {
  const addresses = new Set(files.map(({ address }) => address));
  const isEarlier = (tab: vscode.Tab) =>
    !(tab.input instanceof vscode.TabInputTextDiff) && addressesOf(tab).every((each) => addresses.has(each));
  const earlier = new Set(reviewTabs().filter(isEarlier));
  // One in italics was replaced by VS Code itself.
  return () => close(reviewTabs().filter((tab) => earlier.has(tab)));
}

/**
 * What stood open when the window was loaded again: VS Code asks for the sides before anybody can answer, and shows nothing
 * in them. They go, and what a person has looked at is opened again once it is known what waits of it.
 */
export function renewRestored(
  desk: ReviewModel,
  show: (files: readonly WaitingFile[]) => Promise<unknown>,
  report: (error: unknown) => void,
): vscode.Disposable {
  const left = reviewTabs();
  const active = vscode.window.tabGroups.activeTabGroup.activeTab;
  const looked = active !== undefined && left.includes(active) ? active : undefined;
  void close(left.filter((tab) => tab !== looked));
  if (looked === undefined) return new vscode.Disposable(() => {});
  const addresses = new Set(addressesOf(looked));
  const listening = desk.onDidChange(() => {
    const files = desk.files.filter(({ address }) => addresses.has(address));
    if (files.length === 0) return;
    listening.dispose();
    renew(looked, files).catch(report);
  });
  return listening;

  async function renew(tab: vscode.Tab, files: readonly WaitingFile[]): Promise<void> {
    // VS Code closes no tab that is closed already.
    if (!reviewTabs().includes(tab)) return;
    // Who has gone elsewhere meanwhile stays there.
    const isLookedAt = tab.isActive && tab.group.isActive;
    await close([tab]);
    if (isLookedAt) await show(files);
  }
}

/** Those that VS Code closes without a question. */
const reviewTabs = (): readonly vscode.Tab[] =>
  vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(isReview);

const addressesOf = ({ input }: vscode.Tab): readonly string[] =>
  sidesShown(input).map(({ query }) => query.split("&", 1)[0] ?? "");

const isReview = ({ input, isDirty }: vscode.Tab): boolean => !isDirty && sidesShown(input).some(isOfReview);

async function close(tabs: readonly vscode.Tab[]): Promise<void> {
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}
