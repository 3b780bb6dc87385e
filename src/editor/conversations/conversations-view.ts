// The list of conversations: those of this workspace first, then groups for other workspaces and for archived ones,
// branches below their origin. conversation-commands.ts has the commands.

import * as vscode from "vscode";
import type { Activity } from "../../session/session-registry.ts";
import type { ConversationSummary } from "../../store/conversation-summary.ts";
import { groupRows } from "../../usage/usage-rows.ts";
import { ago } from "../../util/numbers-and-times.ts";
import { commands, views } from "../manifest.ts";
import { focusedRow, followFocusedRow } from "../ui/focused-row.ts";

/** Groups with a row of their own. */
type Group = "other" | "archived";

type Placed = Pick<ConversationSummary, "id" | "archived" | "place" | "branchOf">;

interface ConversationTree<Summary> {
  /** All conversations of a group, including branches; without a group, those of this workspace. */
  inGroup(group: Group | undefined): readonly Summary[];
  /** Those of them that are not below another one. */
  roots(group: Group | undefined): readonly Summary[];
  branchesOf(id: string): readonly Summary[];
}

/** Structures the list. Computed once for all rows, which VS Code requests one by one. Pure. */
export function conversationTree<Summary extends Placed>(
  all: readonly Summary[],
  here: string,
): ConversationTree<Summary> {
  const groupOf = ({ archived, place }: Summary): Group | undefined =>
    archived ? "archived" : place === here ? undefined : "other";
  const groups = groupRows(all, groupOf);
  const byId = new Map(all.map((summary) => [summary.id, summary]));
  /** A branch is a root if its origin is not in the same group. */
  const trunkOf = (summary: Summary): string | undefined => {
    const trunk = summary.branchOf === undefined ? undefined : byId.get(summary.branchOf);
    return trunk !== undefined && groupOf(trunk) === groupOf(summary) ? trunk.id : undefined;
  };
  const branches = groupRows(all, trunkOf);
  const inGroup = (group: Group | undefined) => groups.get(group) ?? [];
  return {
    inGroup,
    roots: (group) => inGroup(group).filter((summary) => trunkOf(summary) === undefined),
    branchesOf: (id) => branches.get(id) ?? [],
  };
}

interface ConversationsDeps {
  /** Loads the library on demand. */
  list(): Promise<readonly ConversationSummary[]>;
  /** Id of the conversation open in the chat. */
  current(): string | undefined;
  /** What is going on in it, or has ended without being looked at. */
  activity(id: string): Activity | undefined;
  /** Whether it has something to stop. */
  isRunning(id: string): boolean;
  /** The current workspace; conversations begun elsewhere are listed separately. */
  readonly place: string;
}

export interface ConversationsView extends vscode.Disposable {
  refresh(): void;
  /** The conversation a command refers to, if any: a row of this list, or by key the one with the focus. */
  chosen(argument: unknown): ConversationSummary | undefined;
}

interface Item {
  readonly summary: ConversationSummary;
}
type Node = Group | Item;

export function createConversationsView(deps: ConversationsDeps): ConversationsView {
  const changed = new vscode.EventEmitter<void>();
  /** Only rows handed out here are accepted (threats A8). */
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
  // VS Code keeps a row collapsed when it gets its first child; with another id it counts as a new row.
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

/** Icon and label for activity in a conversation that is not being looked at. */
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
