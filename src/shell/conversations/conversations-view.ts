// The list of conversations: those of this workspace first, then other workspaces' and archived ones, branches
// below where they came from. What can be done with one is in conversation-commands.ts.
import * as vscode from "vscode";
import type { Activity } from "../../core/session/session-registry.ts";
import type { ConversationSummary } from "../../core/store/summary.ts";
import { focusedRow, followFocusedRow } from "../focused-row.ts";
import { ago } from "../format-numbers.ts";
import { commands, views } from "../manifest.ts";
import { conversationTree, type Group } from "./conversation-tree.ts";

export interface ConversationsDeps {
  /** Loads what is needed to answer. */
  list(): Promise<readonly ConversationSummary[]>;
  /** The one that is open in the chat. */
  current(): string | undefined;
  /** What goes on in one, or has ended while nobody looked. */
  activity(id: string): Activity | undefined;
  /** There is something to stop in it. */
  isRunning(id: string): boolean;
  /** Where this window is; what began elsewhere is listed apart. */
  readonly place: string;
}

export interface ConversationsView extends vscode.Disposable {
  refresh(): void;
  /** The conversation a command is about, if it says so: an item of this list, or by key the one with the focus. */
  chosen(argument: unknown): ConversationSummary | undefined;
}

interface Item {
  readonly summary: ConversationSummary;
}
type Node = Group | Item;

export function createConversationsView(deps: ConversationsDeps): ConversationsView {
  const changed = new vscode.EventEmitter<void>();
  /** Only what was handed out here is believed when it comes back (threats A8). */
  const own = new WeakMap<object, ConversationSummary>();
  let tree = conversationTree<ConversationSummary>([], deps.place);

  const nodes = (summaries: readonly ConversationSummary[]): Item[] =>
    summaries.map((summary) => {
      const item = { summary };
      own.set(item, summary);
      return item;
    });

  function children(node: Node | undefined): Node[] {
    if (node === undefined) {
      const groups = (["other", "archived"] as const).filter((group) => tree.inGroup(group).length > 0);
      return [...nodes(tree.roots(undefined)), ...groups];
    }
    return nodes(typeof node === "string" ? tree.roots(node) : tree.branchesOf(node.summary.id));
  }

  const view = vscode.window.createTreeView<Node>(views.conversations, {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      async getChildren(node) {
        if (node === undefined) tree = conversationTree(await deps.list(), deps.place);
        return children(node);
      },
      getTreeItem(node) {
        if (typeof node === "string") return groupItem(node, tree.inGroup(node).length);
        return conversationItem(node, {
          isOpen: node.summary.id === deps.current(),
          activity: deps.activity(node.summary.id),
          isRunning: deps.isRunning(node.summary.id),
          hasBranches: tree.branchesOf(node.summary.id).length > 0,
        });
      },
    },
  });
  const focused = followFocusedRow(view, (node) => (typeof node === "string" ? node : node.summary.id));
  return {
    refresh: () => changed.fire(),
    chosen(argument) {
      const item = argument === focusedRow ? focused.node : argument;
      return typeof item === "object" && item !== null ? own.get(item) : undefined;
    },
    dispose: () => vscode.Disposable.from(view, focused, changed).dispose(),
  };
}

function groupItem(group: Group, count: number): vscode.TreeItem {
  const label = group === "other" ? vscode.l10n.t("Other workspaces") : vscode.l10n.t("Archived");
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = group;
  item.description = String(count);
  item.iconPath = new vscode.ThemeIcon(group === "other" ? "folder-library" : "archive");
  return item;
}

function conversationItem(
  node: Item,
  {
    isOpen,
    activity,
    isRunning,
    hasBranches,
  }: { isOpen: boolean; activity: Activity | undefined; isRunning: boolean; hasBranches: boolean },
): vscode.TreeItem {
  const { summary } = node;
  const { None, Expanded } = vscode.TreeItemCollapsibleState;
  const title = titleOf(summary);
  const item = new vscode.TreeItem(title, hasBranches ? Expanded : None);
  // VS Code leaves a row as it was, folded, when it gets its first child: under another name it is a new one.
  item.id = hasBranches ? `${summary.id}/branches` : summary.id;
  const [icon, state] = activity === undefined ? [iconOf(summary), undefined] : activityInWords(activity);
  item.description = state ?? (isOpen ? vscode.l10n.t("open") : ago(summary.updatedAt, vscode.env.language));
  item.tooltip = [
    title,
    summary.turns === 1
      ? vscode.l10n.t("1 turn · {0}", summary.model ?? "–")
      : vscode.l10n.t("{0} turns · {1}", summary.turns, summary.model ?? "–"),
    new Date(summary.updatedAt).toLocaleString(vscode.env.language),
    ...(summary.damaged ? [vscode.l10n.t("Damaged. Open it to recover the rest.")] : []),
  ].join("\n");
  item.iconPath = new vscode.ThemeIcon(icon);
  item.contextValue = `conversation${summary.archived ? ".archived" : isRunning ? ".running" : ""}`;
  item.command = {
    command: commands.openConversation,
    title: vscode.l10n.t("Open Conversation"),
    arguments: [node],
  };
  return item;
}

/** The icon and the word of a row whose conversation goes on without being looked at. */
function activityInWords(activity: Activity): readonly [icon: string, word: string] {
  const { t } = vscode.l10n;
  switch (activity) {
    case "running":
      return ["loading~spin", t("Running")];
    case "needs-review":
      return ["bell-dot", t("Needs review")];
    case "failed":
      return ["error", t("Failed")];
    case "finished":
      return ["pass", t("Finished")];
  }
}

function iconOf({ damaged, branchOf }: ConversationSummary): string {
  if (damaged) return "warning";
  return branchOf === undefined ? "comment-discussion" : "git-branch";
}

export const titleOf = ({ title, turns }: Pick<ConversationSummary, "title" | "turns">): string => {
  if (title !== "") return title;
  return turns === 0 ? vscode.l10n.t("Draft") : vscode.l10n.t("Conversation");
};
