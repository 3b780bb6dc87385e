// The Pending edits view: turn, file, hunk, each with its state, and a checkbox while it waits. A native tree, so that
// keyboard and screen reader work as everywhere. Shows and hears; what is decided is decided elsewhere.
import * as vscode from "vscode";
import type { PatchFile, PatchHunk } from "../../core/conversation/tool-use.ts";
import { commands, views } from "../manifest.ts";
import { hunksOf, isPending, type PatchInReview } from "./patches.ts";

export type ReviewNode =
  | { readonly kind: "turn"; readonly patches: readonly PatchInReview[] }
  | { readonly kind: "file"; readonly patch: PatchInReview; readonly file: PatchFile }
  | {
      readonly kind: "hunk";
      readonly patch: PatchInReview;
      readonly file: PatchFile;
      readonly hunk: PatchHunk;
    };

export interface ReviewTreeNeeds {
  patches(): readonly PatchInReview[];
  takes(call: string, hunk: string): boolean;
  isSettled(call: string, hunk: string): boolean;
  /** Somebody has written into the proposed text. */
  isEdited(call: string, path: string): boolean;
  /** Why a file of a waiting patch no longer fits; nothing where it does. */
  staleness(patch: PatchInReview, file: PatchFile): string | undefined;
  tick(node: ReviewNode, on: boolean): void;
  canTakeBack(call: string): boolean;
}

export interface ReviewTree extends vscode.Disposable {
  refresh(): void;
  /** The node a command was called on; only what was handed out here is believed (threats A8). */
  nodeOf(argument: unknown): ReviewNode | undefined;
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
      getTreeItem: (node) => itemOf(node, needs),
    },
  });
  const listening = view.onDidChangeCheckboxState(({ items }) => {
    for (const [node, state] of items) needs.tick(node, state === vscode.TreeItemCheckboxState.Checked);
  });
  return {
    refresh() {
      const waiting = needs.patches().filter(isPending);
      const value = waiting.reduce((sum, patch) => sum + hunksOf(patch).length, 0);
      const tooltip = vscode.l10n.t("{0} changes wait for your review", value);
      view.badge = value === 0 ? undefined : { value, tooltip };
      changed.fire();
    },
    nodeOf(argument) {
      const node = argument === "selected" ? view.selection[0] : argument;
      return typeof node === "object" && node !== null && own.has(node) ? (node as ReviewNode) : undefined;
    },
    dispose: () => vscode.Disposable.from(view, listening, changed).dispose(),
  };
}

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
      // A file that is one hunk says everything itself.
      if (file.hunks.length === 1 && file.hunks[0]?.id === file.path) return [];
      return file.hunks.map((hunk): ReviewNode => ({ kind: "hunk", patch, file, hunk }));
    }
    case "hunk":
      return [];
    default:
      return node satisfies never;
  }
}

function itemOf(node: ReviewNode, needs: ReviewTreeNeeds): vscode.TreeItem {
  switch (node.kind) {
    case "turn":
      return turnItem(node.patches, needs);
    case "file":
      return fileItem(node, needs);
    case "hunk":
      return hunkItem(node, needs);
    default:
      return node satisfies never;
  }
}

function turnItem(patches: readonly PatchInReview[], needs: ReviewTreeNeeds): vscode.TreeItem {
  const [first] = patches;
  const waits = patches.some(isPending);
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(
    vscode.l10n.t("Turn {0}", first?.turnNumber ?? 0),
    waits ? Expanded : Collapsed,
  );
  item.id = first?.turn ?? "";
  item.description = first?.prompt.split("\n", 1)[0] ?? "";
  item.tooltip = first?.prompt ?? "";
  item.iconPath = new vscode.ThemeIcon(waits ? "bell-dot" : "comment-discussion");
  const canGoBack = patches.some(({ call }) => needs.canTakeBack(call));
  item.contextValue = waits ? "turn.pending" : canGoBack ? "turn.applied" : "turn";
  return item;
}

function fileItem(node: Extract<ReviewNode, { kind: "file" }>, needs: ReviewTreeNeeds): vscode.TreeItem {
  const { patch, file } = node;
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const many = file.hunks.length > 20;
  const folding = children(node).length === 0 ? None : isPending(patch) && !many ? Expanded : Collapsed;
  const name = file.to ?? file.path;
  const item = new vscode.TreeItem(name.slice(name.lastIndexOf("/") + 1), folding);
  item.id = `${patch.call}\n${file.path}`;
  const stale = isPending(patch) ? needs.staleness(patch, file) : undefined;
  const state = stale === undefined ? stateOf(patch) : vscode.l10n.t("stale");
  const counts = `+${file.added} −${file.removed}`;
  const edited = needs.isEdited(patch.call, file.path) ? vscode.l10n.t("edited by you") : "";
  item.description = [words[file.change](), counts, state, edited, name]
    .filter((part) => part !== "")
    .join(" · ");
  item.tooltip = [
    file.to === undefined ? file.path : `${file.path} → ${file.to}`,
    stale,
    file.caution,
    file.problem,
    patch.message,
  ]
    .filter((line) => line !== undefined)
    .join("\n");
  item.iconPath = new vscode.ThemeIcon(file.caution === undefined ? icons[file.change] : "warning");
  item.command = openCommand(node);
  return checked(item, "file", node, needs);
}

function hunkItem(node: Extract<ReviewNode, { kind: "hunk" }>, needs: ReviewTreeNeeds): vscode.TreeItem {
  const { patch, file, hunk } = node;
  const line = hunk.line === undefined ? "" : vscode.l10n.t("Line {0}", hunk.line);
  const item = new vscode.TreeItem(`${line}  +${hunk.added} −${hunk.removed}`.trim());
  item.id = `${patch.call}\n${file.path}\n${hunk.id}`;
  const settled = isPending(patch) && needs.isSettled(patch.call, hunk.id);
  const taken = needs.takes(patch.call, hunk.id);
  const fate = settled ? (taken ? vscode.l10n.t("accepted") : vscode.l10n.t("rejected")) : fateOf(hunk);
  const said = [fate, firstChange(hunk.diff)].filter((part) => part !== "");
  item.description = said.join(" · ");
  item.tooltip = [hunk.note, hunk.diff].filter((part) => part !== undefined).join("\n");
  const counts = vscode.l10n.t("{0} added, {1} removed", hunk.added, hunk.removed);
  item.accessibilityInformation = { label: [line, counts, ...said].join(", ") };
  item.command = openCommand(node);
  return checked(item, "hunk", node, needs);
}

function checked(
  item: vscode.TreeItem,
  kind: string,
  { patch, file, hunk }: { patch: PatchInReview; file: PatchFile; hunk?: PatchHunk },
  needs: ReviewTreeNeeds,
): vscode.TreeItem {
  item.contextValue = isPending(patch) ? `${kind}.pending` : kind;
  if (!isPending(patch)) return item;
  const hunks = hunk === undefined ? file.hunks : [hunk];
  const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
  item.checkboxState = hunks.some(({ id }) => needs.takes(patch.call, id)) ? Checked : Unchecked;
  return item;
}

const openCommand = (node: ReviewNode): vscode.Command => ({
  command: commands.openChange,
  title: vscode.l10n.t("Show Change"),
  arguments: [node],
});

/** The line that says most about a hunk, in a list. */
function firstChange(diff: string | undefined): string {
  const line = diff?.split("\n").find((each) => /^[+-].*\S/.test(each)) ?? "";
  return line.slice(1).trim().slice(0, 80);
}

function fateOf({ status }: PatchHunk): string {
  const fates = {
    pending: "",
    applied: vscode.l10n.t("applied"),
    rejected: vscode.l10n.t("rejected"),
    failed: vscode.l10n.t("failed"),
  };
  return fates[status];
}

function stateOf({ status }: PatchInReview): string {
  const states = {
    arriving: "",
    proposed: "",
    applying: vscode.l10n.t("being applied"),
    applied: vscode.l10n.t("applied"),
    rejected: vscode.l10n.t("rejected"),
    failed: vscode.l10n.t("failed"),
    stopped: vscode.l10n.t("never decided"),
    unsure: vscode.l10n.t("unsure"),
  };
  return states[status];
}

const words = {
  add: () => vscode.l10n.t("new"),
  update: () => "",
  delete: () => vscode.l10n.t("deleted"),
  move: () => vscode.l10n.t("moved"),
} as const;

const icons = {
  add: "diff-added",
  update: "diff-modified",
  delete: "diff-removed",
  move: "diff-renamed",
} as const;
