// Attachments from the editor: picked after `@`, dropped into the page, or added by a command. Only requests are
// created here; when sending, `src/session` decides what may be read and how much of it is sent.
import * as vscode from "vscode";
import type { AttachKind } from "../../bridge/view-state.ts";
import { HumanError } from "../../conversation/messages.ts";
import type { Attachment } from "../../conversation/state.ts";
import type { FileSuggestion, FileSuggestions } from "../../files/file-suggestions.ts";
import { pictureEndings } from "../../files/refusal.ts";
import type { ConversationSummary } from "../../store/conversation-summary.ts";
import { parsedUrl } from "../../util/parsed-url.ts";
import { plainText, withoutIcons } from "../../util/text.ts";
import { wait } from "../../util/timeouts.ts";
import { titleOf } from "../conversations/conversations-view.ts";
import { editorInUse } from "../text-editors.ts";
import {
  checkedOutPull,
  chooseBranch,
  chooseCommit,
  type DiffToRead,
  gitRepository,
} from "../workspace/git.ts";
import {
  attachDropped,
  attachNamed,
  attachUri,
  documentAttachment,
  pathInWorkspace,
  selectionOf,
  tellUnreadable,
} from "./attach-uri.ts";
import { searchResults } from "./internal/search-results.ts";
import type { ReadTerminal } from "./terminal-text.ts";

interface DiffChoice extends vscode.QuickPickItem {
  choose(): Promise<DiffToRead | undefined>;
}

/** More than a request takes. */
const mostLetters = 4_000_000;
/** Milliseconds in which the other extension may ask GitHub, since the list waits for it. */
const pullPatience = 1000;
const longestTitle = 100;

/** Attaches a diff: what has changed since the last commit, what a branch adds, a commit, a pull request. */
async function pickDiff(): Promise<readonly Attachment[]> {
  const t = vscode.l10n.t;
  const repository = await gitRepository(vscode.window.activeTextEditor?.document.uri);
  const ofStage = (name: string, staged: boolean): DiffChoice => ({
    label: name,
    choose: async () => ({ name, read: () => repository.diff(staged) }),
  });
  const choices: DiffChoice[] = [
    ofStage(t("Staged changes"), true),
    ofStage(t("Unstaged changes"), false),
    { label: t("This branch against its base"), choose: () => chooseBranch(repository) },
    { label: t("A commit…"), choose: () => chooseCommit(repository) },
  ];
  const ofPull = async (signal: AbortSignal): Promise<DiffChoice[]> => {
    const pull = await Promise.race([
      checkedOutPull(repository.rootUri),
      wait(pullPatience, signal).then(() => undefined),
    ]);
    if (pull === undefined) return [];
    const name = `#${pull.number} ${plainText(pull.title, longestTitle)}`;
    const choose = async () => {
      const branch = await chooseBranch(repository);
      // Git's base need not be the pull request's, so the name says what was compared.
      return branch && { ...branch, name: `${name} (${branch.name})` };
    };
    return [{ label: t("Pull request {0}", withoutIcons(name)), choose }];
  };
  const closed = new AbortController();
  const items = ofPull(closed.signal).then((more) => [...choices, ...more]);
  const picked = await vscode.window.showQuickPick(items, { title: t("Add Changes") });
  closed.abort();
  const chosen = await picked?.choose();
  if (chosen === undefined) return [];
  const text = await chosen.read(mostLetters);
  if (text.trim() === "") throw new HumanError(t("{0}: there is no difference.", chosen.name));
  return [{ kind: "diff", name: chosen.name, text, root: repository.rootUri.toString() }];
}

// Pickers for what is in the workspace: files, a folder, a symbol of the open file, pictures.

interface FileItem extends vscode.QuickPickItem {
  readonly attachment: Attachment;
}

/** Each letter queries the index of all files, the same one that completes `@`; selected files stay selected. */
async function pickFiles(suggest: FileSuggestions["suggest"]): Promise<readonly Attachment[]> {
  const picker = vscode.window.createQuickPick<FileItem>();
  picker.title = vscode.l10n.t("Add Files");
  picker.canSelectMany = true;
  let typing = new AbortController();
  const list = async (query: string) => {
    typing.abort();
    typing = new AbortController();
    const { signal } = typing;
    picker.busy = true;
    try {
      for await (const { items } of suggest(query, signal)) {
        signal.throwIfAborted();
        const selected = picker.selectedItems;
        const known = new Set(selected.map(({ label }) => label));
        picker.items = [...selected, ...items.filter(({ label }) => !known.has(label)).map(itemOf)];
        picker.selectedItems = selected;
      }
      picker.busy = false;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  try {
    return await new Promise((resolve, reject) => {
      picker.onDidChangeValue((query) => void list(query).catch(reject));
      picker.onDidAccept(() => resolve(picker.selectedItems.map(({ attachment }) => attachment)));
      picker.onDidHide(() => resolve([]));
      picker.show();
      list("").catch(reject);
    });
  } finally {
    typing.abort();
    picker.dispose();
  }
}

/** The index has matched it already, by other rules than the picker's filter. */
const itemOf = ({ label, attachment }: FileSuggestion): FileItem => ({ label, attachment, alwaysShow: true });

async function pickFolder(): Promise<readonly Attachment[]> {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  const chosen = await vscode.window.showOpenDialog({
    ...(root && { defaultUri: root }),
    title: vscode.l10n.t("Add Folder"),
    canSelectFiles: false,
    canSelectFolders: true,
  });
  return attachAll(chosen ?? []);
}

async function pickImages(): Promise<readonly Attachment[]> {
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t("Add Images"),
    canSelectMany: true,
    filters: { [vscode.l10n.t("Images")]: [...pictureEndings] },
  });
  return attachAll(chosen ?? []);
}

/** The image is not loaded here; the service does that. */
async function enterImageUrl(): Promise<readonly Attachment[]> {
  const { t } = vscode.l10n;
  const isFit = (text: string) => {
    const address = parsedUrl(text);
    return address?.protocol === "https:" && address.username + address.password === "";
  };
  const entered = await vscode.window.showInputBox({
    title: t("Add Image from URL"),
    prompt: t("The service loads the image from this URL when you send."),
    placeHolder: "https://",
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === "" || isFit(text.trim()) ? undefined : t("An https:// URL without a user name."),
  });
  const url = entered?.trim() ?? "";
  if (!isFit(url)) return [];
  const { host, pathname } = new URL(url);
  return [{ kind: "image", name: pathname.split("/").at(-1)?.slice(0, 200) || host, url }];
}

async function pickSymbol(): Promise<readonly Attachment[]> {
  const editor = editorInUse();
  const path = editor && pathInWorkspace(editor.document.uri);
  if (editor === undefined || path === undefined)
    throw new HumanError(vscode.l10n.t("Open a file of this workspace first."));
  const found = await vscode.commands.executeCommand<(vscode.DocumentSymbol | vscode.SymbolInformation)[]>(
    "vscode.executeDocumentSymbolProvider",
    editor.document.uri,
  );
  const items = (found ?? []).flatMap((symbol) => symbolItems(symbol, ""));
  if (items.length === 0) throw new HumanError(vscode.l10n.t("{0} has no symbols.", path));
  const title = vscode.l10n.t("Add Symbol");
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  if (picked === undefined) return [];
  const { start, end } = picked.range;
  return [{ kind: "selection", path, start: start.line + 1, end: end.line + 1 }];
}

interface SymbolItem extends vscode.QuickPickItem {
  readonly range: vscode.Range;
}

function symbolItems(
  symbol: vscode.DocumentSymbol | vscode.SymbolInformation,
  container: string,
): SymbolItem[] {
  const range = "range" in symbol ? symbol.range : symbol.location.range;
  const children = "children" in symbol ? symbol.children : [];
  const lines = vscode.l10n.t("lines {0}–{1}", range.start.line + 1, range.end.line + 1);
  const path = container === "" ? symbol.name : `${container}.${symbol.name}`;
  return [
    {
      label: withoutIcons(symbol.name),
      description: container === "" ? lines : `${withoutIcons(container)} · ${lines}`,
      range,
    },
    ...children.flatMap((child) => symbolItems(child, path)),
  ];
}

async function attachAll(uris: readonly vscode.Uri[]): Promise<readonly Attachment[]> {
  return (await Promise.all(uris.map((uri) => attachUri(uri, tellUnreadable)))).flatMap((each) => each ?? []);
}

export const attachKinds = [
  "file",
  "folder",
  "symbol",
  "selection",
  "terminal",
  "diff",
  "search",
  "conversation",
  "image",
  "image-url",
] as const satisfies readonly AttachKind[];

export interface Attach {
  pick(kind: AttachKind): Promise<readonly Attachment[]>;
  dropped(uris: readonly string[]): Promise<readonly Attachment[]>;
  openEditors(): Promise<readonly Attachment[]>;
}

interface AttachDeps {
  list(): Promise<readonly ConversationSummary[]>;
  readonly readTerminal: ReadTerminal;
  /** Suggests files of the workspace by what is typed of their names. */
  readonly suggest: FileSuggestions["suggest"];
}

export function createAttach({ list, readTerminal, suggest }: AttachDeps): Attach {
  return {
    dropped: attachDropped,
    async pick(kind) {
      switch (kind) {
        case "file":
          return pickFiles(suggest);
        case "folder":
          return pickFolder();
        case "symbol":
          return pickSymbol();
        case "selection":
          return [selection()];
        case "problems":
          return [{ kind }];
        case "terminal":
          return [(await readTerminal()).attachment];
        case "diff":
          return pickDiff();
        case "search":
          return [await searchResults()];
        case "conversation":
          return pickConversation(list);
        case "image":
          return pickImages();
        case "image-url":
          return enterImageUrl();
        default:
          return kind satisfies never;
      }
    },
    async openEditors() {
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      const uris = tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []));
      const isUntitled = ({ scheme }: vscode.Uri) => scheme === "untitled";
      const untitled = new Set(uris.filter(isUntitled).map((uri) => uri.toString()));
      const written = vscode.workspace.textDocuments.filter(
        (document) => untitled.has(document.uri.toString()) && document.getText().trim() !== "",
      );
      const named = await attachNamed(uris.filter((uri) => !isUntitled(uri)));
      return [...named, ...written.map((document) => documentAttachment(document))];
    },
  };
}

/** The selected lines of the editor that was used last, or all of it if nothing is selected. */
function selection(): Attachment {
  const editor = editorInUse();
  if (editor === undefined) throw new HumanError(vscode.l10n.t("No editor is open."));
  return selectionOf(editor);
}

async function pickConversation(
  list: () => Promise<readonly ConversationSummary[]>,
): Promise<readonly Attachment[]> {
  const items = (await list()).map((summary) => ({ label: withoutIcons(titleOf(summary)), summary }));
  const title = vscode.l10n.t("Add Earlier Conversation");
  const picked = await vscode.window.showQuickPick(items, { title });
  return picked === undefined
    ? []
    : [{ kind: "conversation", id: picked.summary.id, name: titleOf(picked.summary) }];
}
