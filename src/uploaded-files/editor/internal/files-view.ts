// The list of uploaded files whose ids the user has entered, each with the conversations that contain it.
// uploaded-files.ts has the commands; nothing here asks the service.
import * as vscode from "vscode";
import { localize } from "../../../editor/localize.ts";
import { commands, views } from "../../../editor/manifest.ts";
import { focusedRow, followFocusedRow } from "../../../editor/ui/focused-row.ts";
import { ago } from "../../../util/numbers-and-times.ts";
import type { FileEntry } from "../../file-ledger.ts";
import type { FileUse, UploadedFiles } from "../../uploaded-files.ts";

export interface FilesView extends vscode.Disposable {
  refresh(): void;
  /** The files a command was called on: a row with all selected ones, or by key the one with the focus. */
  chosen(argument: unknown, all: unknown): readonly FileEntry[];
  /** The conversation that a row represents. */
  conversationOf(argument: unknown): string | undefined;
}

interface EntryNode {
  readonly entry: FileEntry;
  readonly deleting: boolean;
}
interface UseNode {
  /** Absent: it is in no conversation. */
  readonly use: FileUse | undefined;
}
type Node = EntryNode | UseNode;

/** Milliseconds between redraws, since many files may be deleted at once. */
const drawEvery = 250;

export function createFilesView(files: UploadedFiles): FilesView {
  const changed = new vscode.EventEmitter<void>();
  /** Only rows handed out here are accepted (threats A8). */
  const own = new WeakMap<object, FileEntry>();
  const ownUses = new WeakMap<object, string>();
  let timer: NodeJS.Timeout | undefined;

  async function entries(): Promise<Node[]> {
    const list = await files.list();
    view.message = list.length === 0 ? "" : quotaSentence();
    return list.map((entry) => {
      const node = { entry, deleting: files.isDeleting(entry.id) };
      own.set(node, entry);
      return node;
    });
  }

  async function uses({ entry }: EntryNode): Promise<Node[]> {
    const found = await files.usesOf(entry.id, AbortSignal.timeout(30_000));
    if (found.length === 0) return [{ use: undefined }];
    return found.map((use) => {
      const node = { use };
      ownUses.set(node, use.conversation);
      return node;
    });
  }

  const view = vscode.window.createTreeView<Node>(views.files, {
    canSelectMany: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: async (node) => {
        if (node === undefined) return entries();
        return "entry" in node ? uses(node) : [];
      },
      getTreeItem: (node) => ("entry" in node ? entryItem(node) : useItem(node)),
    },
  });

  const focused = followFocusedRow(view, nameOf);

  const ofOurs = <T>(map: WeakMap<object, T>, item: unknown): T | undefined =>
    typeof item === "object" && item !== null ? map.get(item) : undefined;
  const entryOf = (item: unknown): FileEntry[] => {
    const entry = ofOurs(own, item);
    return entry === undefined ? [] : [entry];
  };
  return {
    refresh() {
      timer ??= setTimeout(() => {
        timer = undefined;
        changed.fire();
      }, drawEvery);
    },
    chosen(argument, all) {
      if (argument === focusedRow) {
        // As in VS Code's own lists: if the focused row is selected, all selected rows are meant.
        const rows = focused.node === undefined ? [] : [focused.node];
        return (view.selection.some((row) => rows.includes(row)) ? view.selection : rows).flatMap(entryOf);
      }
      return Array.isArray(all) ? all.flatMap(entryOf) : entryOf(argument);
    },
    conversationOf: (argument) => ofOurs(ownUses, argument),
    dispose() {
      clearTimeout(timer);
      vscode.Disposable.from(view, focused, changed).dispose();
    },
  };
}

/** Stable name of a row. */
const nameOf = (node: Node): string => ("entry" in node ? node.entry.id : `use ${node.use?.conversation}`);

/** Requirements K8: no number is computed, because the service offers no way to query one. */
const quotaSentence = (): string =>
  vscode.l10n.t(
    "Uploaded files count against your organization's storage, 10 GiB by default; how much is used cannot be read here.",
  );

const icons: Readonly<Record<FileEntry["state"], string>> = {
  listed: "file",
  deleted: "pass",
  absent: "circle-slash",
  failed: "error",
  unsure: "question",
};

function entryItem({ entry, deleting }: EntryNode): vscode.TreeItem {
  const { id, state } = entry;
  const item = new vscode.TreeItem(id, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = id;
  item.description = deleting ? vscode.l10n.t("being deleted") : stateWords(entry);
  item.tooltip = [id, stateWords(entry), entry.message && localize(entry.message)]
    .filter((line) => line !== undefined)
    .join("\n");
  item.iconPath = new vscode.ThemeIcon(deleting ? "loading~spin" : icons[state]);
  item.contextValue = `file.${state}`;
  item.accessibilityInformation = { label: `${id}, ${item.description}` };
  return item;
}

export function stateWords({ state, addedAt, changedAt }: FileEntry): string {
  const t = vscode.l10n.t;
  switch (state) {
    case "listed":
      return t("added {0}", ago(addedAt, vscode.env.language));
    case "deleted":
      return t("deleted {0}", ago(changedAt ?? addedAt, vscode.env.language));
    case "absent":
      return t("not there, or deleted before");
    case "failed":
      return t("not deleted");
    case "unsure":
      return t("may be deleted");
    default:
      return state satisfies never;
  }
}

function useItem(node: UseNode): vscode.TreeItem {
  const { use } = node;
  const t = vscode.l10n.t;
  if (use === undefined) {
    const item = new vscode.TreeItem(t("In no conversation on this computer"));
    item.iconPath = new vscode.ThemeIcon("dash");
    return item;
  }
  const item = new vscode.TreeItem(use.title === "" ? t("Conversation") : use.title);
  item.iconPath = new vscode.ThemeIcon("comment-discussion");
  item.tooltip = t("This conversation contains the ID.");
  item.command = { command: commands.openFileUse, title: t("Open Conversation"), arguments: [node] };
  return item;
}
