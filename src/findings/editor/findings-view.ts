// The tree of findings in the side bar.
import * as vscode from "vscode";
import { contextKeys, focusOf, views } from "../../editor/manifest.ts";
import type { Findings } from "./findings.ts";
import type { FindingNode } from "./internal/finding-tree.ts";

interface FindingsView extends vscode.Disposable {
  /** Brings it into view and focuses its first row. */
  show(): Promise<void>;
}

/**
 * The Findings view, shown while there is something in it. A native tree, so that keyboard and screen reader work as
 * everywhere.
 */
export function createFindingsView({
  rows,
  onDidChange,
}: Pick<Findings, "rows" | "onDidChange">): FindingsView {
  const changed = new vscode.EventEmitter<void>();
  const view = vscode.window.createTreeView<FindingNode>(views.findings, {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: (node) => [...(node === undefined ? rows.roots : rows.below(node))],
      getParent: rows.parentOf,
      getTreeItem: rows.itemOf,
    },
  });
  let isThere = false;
  async function refresh(): Promise<void> {
    changed.fire();
    const is = rows.roots.length > 0;
    if (is === isThere) return;
    isThere = is;
    await vscode.commands.executeCommand("setContext", contextKeys.hasFindings, is);
  }
  const listening = onDidChange(() => void refresh());
  return {
    async show() {
      await refresh();
      const [first] = rows.roots;
      if (first === undefined) return;
      await vscode.commands.executeCommand(focusOf(views.findings));
      await view.reveal(first, { focus: true, select: false });
    },
    dispose: () => vscode.Disposable.from(view, listening, changed).dispose(),
  };
}
