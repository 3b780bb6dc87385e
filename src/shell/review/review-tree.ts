// The Pending edits view: turn, file, hunk. A native tree, so that keyboard and screen reader work as everywhere: the
// arrow keys go along it, Space ticks, Enter opens. Shows and hears; what is decided is decided elsewhere.
import * as vscode from "vscode";
import { focusedRow, followFocusedRow } from "../focused-row.ts";
import { views } from "../manifest.ts";
import { isPending, type PatchInReview } from "./patches.ts";
import { hunksBelow, itemOf, nameOf, type ReviewNode, type RowNeeds } from "./review-items.ts";

export interface ReviewTreeNeeds extends RowNeeds {
  patches(): readonly PatchInReview[];
  /** How many changes wait for a decision. */
  waiting(): number;
  tick(node: ReviewNode, on: boolean): void;
  /** What shows a file or a change. */
  openCommand(node: Exclude<ReviewNode, { kind: "turn" }>): vscode.Command;
}

export interface ReviewTree extends vscode.Disposable {
  refresh(): void;
  /** The node a command was called on; only what was handed out here is believed (threats A8). */
  nodeOf(argument: unknown): ReviewNode | undefined;
  /** Goes to the first row that waits. False where none does. */
  focus(): Promise<boolean>;
  /** Ticks what is not ticked, and the other way round. */
  turnTick(argument: unknown): Promise<void>;
}

export function createReviewTree(needs: ReviewTreeNeeds): ReviewTree {
  const changed = new vscode.EventEmitter<void>();
  const own = new WeakSet<object>();
  const known = (nodes: ReviewNode[]): ReviewNode[] => {
    for (const node of nodes) own.add(node);
    return nodes;
  };
  const view = vscode.window.createTreeView<ReviewNode>(views.review, {
    manageCheckboxStateManually: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: (node) => known(node === undefined ? turns(needs.patches()) : children(node)),
      getParent: (node) => parentOf(node, needs.patches()),
      getTreeItem: (node) => itemOf(node, needs),
      // Where a change stands is looked up for the row that is opened, not for all that are shown.
      resolveTreeItem(item, node) {
        if (node.kind !== "turn") item.command = needs.openCommand(node);
        return item;
      },
    },
  });
  const focused = followFocusedRow(view, nameOf);
  const listening = view.onDidChangeCheckboxState(({ items }) => {
    for (const [node, state] of items) needs.tick(node, state === vscode.TreeItemCheckboxState.Checked);
  });

  function nodeOf(argument: unknown): ReviewNode | undefined {
    const node = argument === focusedRow ? focused.node : argument;
    return typeof node === "object" && node !== null && own.has(node) ? (node as ReviewNode) : undefined;
  }

  return {
    refresh() {
      const value = needs.waiting();
      const tooltip = vscode.l10n.t("{0} changes wait for your review", value);
      view.badge = value === 0 ? undefined : { value, tooltip };
      changed.fire();
    },
    nodeOf,
    async focus() {
      const patch = needs.patches().find(isPending);
      const [file] = patch?.files ?? [];
      if (patch === undefined || file === undefined) return false;
      const [hunk] = hunksBelow(file);
      const place = { patch, file };
      const first =
        hunk === undefined
          ? ({ kind: "file", ...place } as const)
          : ({ kind: "hunk", ...place, hunk } as const);
      await view.reveal(first, { focus: true, select: false });
      return true;
    },
    async turnTick(argument) {
      const node = nodeOf(argument);
      if (node?.kind === "turn") await vscode.commands.executeCommand("list.toggleExpand");
      else if (node !== undefined) needs.tick(node, itemOf(node, needs).checkboxState === unticked);
    },
    dispose: () => vscode.Disposable.from(view, focused, listening, changed).dispose(),
  };
}

const unticked = vscode.TreeItemCheckboxState.Unchecked;

/** The newest turn first: it is the one that waits. */
function turns(patches: readonly PatchInReview[]): ReviewNode[] {
  const ids = [...new Set(patches.map(({ turn }) => turn))].reverse();
  return ids.map((id) => ({ kind: "turn", patches: patches.filter(({ turn }) => turn === id) }));
}

function children(node: ReviewNode): ReviewNode[] {
  switch (node.kind) {
    case "turn":
      return node.patches.flatMap((patch) =>
        patch.files.map((file): ReviewNode => ({ kind: "file", patch, file })),
      );
    case "file": {
      const { patch, file } = node;
      return hunksBelow(file).map((hunk): ReviewNode => ({ kind: "hunk", patch, file, hunk }));
    }
    case "hunk":
      return [];
    default:
      return node satisfies never;
  }
}

function parentOf(node: ReviewNode, patches: readonly PatchInReview[]): ReviewNode | undefined {
  if (node.kind === "turn") return undefined;
  const { patch, file } = node;
  return node.kind === "hunk"
    ? { kind: "file", patch, file }
    : { kind: "turn", patches: patches.filter(({ turn }) => turn === patch.turn) };
}
