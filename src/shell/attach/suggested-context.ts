// What a person most likely asks about: the file of the editor that was used last, or what is selected in it. Only named
// here; what may be read is decided when it is attached. Knows nothing of pages.
import * as vscode from "vscode";
import type { Attachment } from "../../core/conversation/attachment.ts";
import { editorInUse } from "../editors.ts";
import { pathInWorkspace } from "./attach-uri.ts";
import { selectionOf } from "./selection-of.ts";

/** A selection that is being dragged is looked at once it rests. */
const restMilliseconds = 150;

export interface SuggestedContext extends vscode.Disposable {
  readonly current: Attachment | undefined;
}

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

/** Nothing of a folder that is not trusted, and nothing that lies outside. */
function look(): Attachment | undefined {
  const editor = editorInUse();
  if (!vscode.workspace.isTrusted || editor === undefined) return undefined;
  return pathInWorkspace(editor.document.uri) === undefined ? undefined : selectionOf(editor);
}
