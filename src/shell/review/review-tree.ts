// The Pending Changes view: conversation, file, change. A native tree, so that keyboard and screen reader work as
// everywhere: the arrow keys go along it, Enter opens. Shows and hears; what is decided is decided elsewhere. Below what waits
// stands what a review has found.
import * as vscode from "vscode";
import { type FindingNode, type FindingRows, isFindingNode } from "../findings/finding-rows.ts";
import { focusedRow, followFocusedRow } from "../focused-row.ts";
import { views } from "../manifest.ts";
import { checksBelow } from "./check-rows.ts";
import type { References } from "./references.ts";
import { hunksBelow, itemOf, nameOf, type ReviewNode } from "./review-items.ts";
import type { ReviewModel } from "./review-model.ts";

export interface ReviewTree extends vscode.Disposable {
  refresh(): void;
  /** The node a command was called on; only what was handed out here is believed (threats A8). */
  nodeOf(argument: unknown): ReviewNode | undefined;
  /** Goes to the first row that waits. False where none does. */
  focus(): Promise<boolean>;
}

type Node = ReviewNode | FindingNode;
/** What is opened as a change. */
export type ChangeNode = Extract<ReviewNode, { readonly kind: "file" | "hunk" }>;

export function createReviewTree(
  desk: Pick<ReviewModel, "files" | "sets" | "waiting">,
  findings: FindingRows,
  references: References,
  openCommand: (node: ChangeNode) => vscode.Command,
): ReviewTree {
  const changed = new vscode.EventEmitter<void>();
  const own = new WeakSet<object>();
  const known = (nodes: ReviewNode[]): ReviewNode[] => {
    for (const node of nodes) own.add(node);
    return nodes;
  };
  const childrenOf = (node: Node | undefined): Node[] => {
    if (node === undefined) return [...known(rowsBelow(node, desk)), ...findings.roots];
    return isFindingNode(node) ? [...findings.below(node)] : known(rowsBelow(node, desk));
  };
  const view = vscode.window.createTreeView<Node>(views.review, {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: childrenOf,
      getParent: (node) => (isFindingNode(node) ? findings.parentOf(node) : parentOf(node)),
      getTreeItem: (node) =>
        isFindingNode(node) ? findings.itemOf(node) : itemOf(node, desk.files, references),
      // Where a change stands is looked up for the row that is opened, not for all that are shown.
      resolveTreeItem(item, node) {
        if (node.kind === "file" || node.kind === "hunk") item.command = openCommand(node);
        return item;
      },
    },
  });
  const focused = followFocusedRow(view, (node) =>
    isFindingNode(node) ? findings.nameOf(node) : nameOf(node),
  );
  return {
    refresh() {
      const value = desk.waiting;
      const tooltip = vscode.l10n.t("{0} changes to review", value);
      view.badge = value === 0 ? undefined : { value, tooltip };
      changed.fire();
    },
    nodeOf(argument) {
      const node = argument === focusedRow ? focused.node : argument;
      return typeof node === "object" && node !== null && own.has(node) ? (node as ReviewNode) : undefined;
    },
    async focus() {
      const [file] = desk.files;
      const [found] = findings.roots;
      if (file === undefined) {
        if (found !== undefined) await view.reveal(found, { focus: true, select: false });
        return found !== undefined;
      }
      const [hunk] = hunksBelow(file);
      const first: ReviewNode = hunk === undefined ? { kind: "file", file } : { kind: "hunk", file, hunk };
      await view.reveal(first, { focus: true, select: false });
      return true;
    },
    dispose: () => vscode.Disposable.from(view, focused, changed).dispose(),
  };
}

function rowsBelow(node: ReviewNode | undefined, desk: Pick<ReviewModel, "files" | "sets">): ReviewNode[] {
  switch (node?.kind) {
    case undefined:
      return desk.sets.map((set) => ({ kind: "set", set }));
    case "set": {
      const files = desk.files.filter(({ set }) => set === node.set);
      return [...checksBelow(node.set), ...files.map((file) => ({ kind: "file", file }) as const)];
    }
    case "file":
      return hunksBelow(node.file).map((hunk) => ({ kind: "hunk", file: node.file, hunk }));
    case "hunk":
    case "check":
      return [];
    default:
      return node satisfies never;
  }
}

function parentOf(node: ReviewNode): ReviewNode | undefined {
  if (node.kind === "set") return undefined;
  if (node.kind === "check") return { kind: "set", set: node.set };
  const { file } = node;
  return node.kind === "hunk" ? { kind: "file", file } : { kind: "set", set: file.set };
}
