// The list of uploaded files as far as a person has told their ids, and below each the conversations it stands in.
// What can be done with one is in files-commands.ts; nothing here asks the service.
import * as vscode from "vscode";
import type { FileEntry } from "../../core/ledger/file-ledger.ts";
import type { UploadedFiles, Use } from "../../core/ledger/uploaded-files.ts";
import { focusedRow, followFocusedRow } from "../focused-row.ts";
import { ago } from "../format-numbers.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import { commands, views } from "../manifest.ts";

export interface FilesView extends vscode.Disposable {
  refresh(): void;
  /** The files a command was called on: an item of this list with all that are selected, or by key the one with the focus. */
  chosen(argument: unknown, all: unknown): readonly FileEntry[];
  /** The conversation that an item of this list stands for. */
  conversationOf(argument: unknown): string | undefined;
}

interface EntryNode {
  readonly entry: FileEntry;
  readonly deleting: boolean;
}
interface UseNode {
  /** Absent: it stands in none. */
  readonly use: Use | undefined;
}
type Node = EntryNode | UseNode;

/** A thousand deletions are not a thousand drawings. */
const drawEvery = 250;

export function createFilesView(files: UploadedFiles): FilesView {
  const changed = new vscode.EventEmitter<void>();
  /** Only what was handed out here is believed when it comes back (threats A8). */
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
        // As in VS Code's own lists: what is selected goes together when the keyboard is on one of it.
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

/** The same for the same row, whenever it is drawn. */
const nameOf = (node: Node): string => ("entry" in node ? node.entry.id : `use ${node.use?.conversation}`);

/** Requirements K8: no number is computed; the service has no way to ask for one. */
export const quotaSentence = (): string =>
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
  item.tooltip = [id, stateWords(entry), entry.message && inReaderLanguage(entry.message)]
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
