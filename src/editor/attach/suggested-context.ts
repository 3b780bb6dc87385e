// What is in front of the user: the likely subject of a question, the file and its visible lines, topics for an empty
// conversation. Reads no contents; what may be read is decided when it is attached or sent.
import * as vscode from "vscode";
import type { Starter } from "../../bridge/view-state.ts";
import type { Attachment } from "../../conversation/state.ts";
import type { EditorLook } from "../../session/session-context.ts";
import { editorInUse } from "../text-editors.ts";
import { toFileName } from "../workspace/file-uris.ts";
import { watchUncommitted } from "../workspace/git.ts";
import { pathInWorkspace, selectionOf } from "./attach-uri.ts";

/** Debounce for selections that are being dragged. */
const restMilliseconds = 150;

export interface SuggestedContext extends vscode.Disposable {
  readonly current: Attachment | undefined;
}

/** Suggests the file of the editor that was used last, or its selection. Knows nothing of pages. */
export function createSuggestedContext(changed: () => void): SuggestedContext {
  let current = look();
  let timer: NodeJS.Timeout | undefined;

  function lookAgain(): void {
    timer = undefined;
    const next = look();
    if (JSON.stringify(next) === JSON.stringify(current)) return;
    current = next;
    changed();
  }
  const lookSoon = () => {
    timer ??= setTimeout(lookAgain, restMilliseconds);
  };
  const listening = vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(lookSoon),
    vscode.window.onDidChangeTextEditorSelection(lookSoon),
    vscode.workspace.onDidGrantWorkspaceTrust(lookSoon),
  );
  return {
    get current() {
      return current;
    },
    dispose() {
      clearTimeout(timer);
      listening.dispose();
    },
  };
}

/** Suggests nothing in an untrusted folder, and nothing outside of the workspace. */
function look(): Attachment | undefined {
  const editor = editorInUse();
  if (!vscode.workspace.isTrusted || editor === undefined) return undefined;
  return pathInWorkspace(editor.document.uri) === undefined ? undefined : selectionOf(editor);
}

interface EditorLooks extends vscode.Disposable {
  look(since: number): EditorLook;
}

/** More than anyone changes by hand between two questions. */
const maxKept = 200;

/**
 * Which file the user has in front of them, and which files have changed since a given time, for questions that tell
 * the model so. `src/session` decides what of it may be told.
 */
export function createEditorLooks(now: () => number = Date.now): EditorLooks {
  /** In order of time, the latest last. */
  const changes = new Map<string, { readonly uri: vscode.Uri; readonly at: number }>();
  const note = (uri: vscode.Uri) => {
    const key = uri.toString();
    changes.delete(key);
    changes.set(key, { uri, at: now() });
    const [oldest] = changes.keys();
    if (changes.size > maxKept && oldest !== undefined) changes.delete(oldest);
  };
  const listening = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (contentChanges.length > 0) note(document.uri);
  });
  return {
    look(since) {
      const active = activeFile();
      const changed = [...changes.values()].flatMap(({ uri, at }) =>
        at > since ? (toFileName(uri) ?? []) : [],
      );
      return { changed, ...(active !== undefined && { active }) };
    },
    dispose: () => void listening.dispose(),
  };
}

function activeFile(): EditorLook["active"] {
  const editor = editorInUse();
  if (editor === undefined) return undefined;
  const file = toFileName(editor.document.uri);
  if (file === undefined) return undefined;
  const [seen] = editor.visibleRanges;
  return { file, at: linesOf(editor.selection), visible: seen && linesOf(seen) };
}

const linesOf = ({ start, end }: vscode.Range) => ({ first: start.line + 1, last: end.line + 1 });

export interface Starters extends vscode.Disposable {
  readonly current: readonly Starter[];
}

/**
 * Topics offered in an empty conversation besides the open file: uncommitted changes and the project. Only offers them;
 * reads nothing.
 */
export function createStarters(changed: () => void): Starters {
  let hasChanges = false;
  let isGone = false;
  const listening = [
    vscode.workspace.onDidChangeWorkspaceFolders(changed),
    vscode.workspace.onDidGrantWorkspaceTrust(changed),
  ];
  const take = (isAny: boolean) => {
    if (isAny === hasChanges) return;
    hasChanges = isAny;
    changed();
  };
  watchUncommitted(take).then(
    (watching) => (isGone ? watching.dispose() : listening.push(watching)),
    // Git is disabled, so there are no changes to offer.
    () => undefined,
  );
  return {
    get current() {
      if (!vscode.workspace.isTrusted) return [];
      const hasProject = (vscode.workspace.workspaceFolders ?? []).length > 0;
      return [...(hasChanges ? (["changes"] as const) : []), ...(hasProject ? (["project"] as const) : [])];
    },
    dispose() {
      isGone = true;
      for (const each of listening) each.dispose();
    },
  };
}
