// Reviews that stood open when the window was loaded again. VS Code asks for their sides before anybody can answer, and
// shows nothing in them: they go, and what a person has looked at is opened again once it is known what waits of it.
import * as vscode from "vscode";
import { isOfReview, sidesShown } from "./is-reviewing.ts";
import type { ReviewModel, WaitingFile } from "./review-model.ts";

export function renewRestored(
  desk: ReviewModel,
  show: (files: readonly WaitingFile[]) => Promise<unknown>,
): vscode.Disposable {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const left = all.flatMap(({ tabs }) => tabs).filter(isReview);
  const active = activeTabGroup.activeTab;
  const looked = active !== undefined && left.includes(active) ? active : undefined;
  void close(left.filter((tab) => tab !== looked));
  if (looked === undefined) return new vscode.Disposable(() => {});
  const addresses = new Set(sidesShown(looked.input).map(({ query }) => query));
  const listening = desk.onDidChange(async () => {
    const files = desk.files.filter(({ address }) => addresses.has(address));
    if (files.length === 0) return;
    listening.dispose();
    // Who has gone elsewhere meanwhile stays there.
    const isLookedAt = looked.isActive && looked.group.isActive;
    await close([looked]);
    if (isLookedAt) await show(files);
  });
  return listening;
}

const isReview = ({ input, isDirty }: vscode.Tab): boolean => !isDirty && sidesShown(input).some(isOfReview);

async function close(tabs: readonly vscode.Tab[]): Promise<void> {
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}
