// While a patch arrives: the places it has come to so far are marked in files that are open anyway, and where the chat is
// out of sight a notification says what is going on and can stop it. For the eye only: nothing is placed or applied.
import * as vscode from "vscode";
import type { Conversation } from "../../core/conversation/state.ts";
import type { PatchFile } from "../../core/conversation/tool-use.ts";
import { onDidChangeVisibleEditors, visibleEditors } from "../editors.ts";
import { withoutLinks } from "../without-links.ts";
import { locateLines, oldLinesOf } from "./old-lines.ts";

export interface ArrivingDeps {
  /** What a patch calls the file of a document. */
  pathOf(uri: vscode.Uri): string | undefined;
  /** Whether the conversation can be seen somewhere. */
  isChatVisible(): boolean;
  stop(): void;
}

export interface Arriving extends vscode.Disposable {
  update(conversation: Conversation | undefined): void;
}

/** What is longer is not searched at every piece that arrives. */
const maxText = 2_000_000;

export function createArriving({ pathOf, isChatVisible, stop }: ArrivingDeps): Arriving {
  const comes = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.rangeHighlightBackground"),
    // Themes of high contrast have lines instead of backgrounds, the others no lines.
    borderColor: new vscode.ThemeColor("editor.rangeHighlightBorder"),
    borderStyle: "dotted",
    borderWidth: "1px",
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.modifiedForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  let files: readonly PatchFile[] = [];
  let ended: (() => void) | undefined;

  function mark(editor: vscode.TextEditor): void {
    const path = files.length === 0 ? undefined : pathOf(editor.document.uri);
    const own = path === undefined ? [] : files.filter((file) => file.path === path);
    const text = own.length === 0 ? "" : editor.document.getText();
    const ranges = text.length > maxText ? [] : own.flatMap(({ hunks }) => hunks.flatMap(placed(text)));
    editor.setDecorations(comes, ranges);
  }

  function tell(): void {
    if (files.length === 0) {
      ended?.();
      ended = undefined;
    } else if (ended === undefined && !isChatVisible()) ended = notify(files, stop);
  }

  const listening = onDidChangeVisibleEditors((editors) => {
    if (files.length > 0) editors.forEach(mark);
  });
  return {
    update(conversation) {
      const before = files;
      files = conversation === undefined ? [] : arrivingIn(conversation);
      if (files.length === 0 && before.length === 0) return;
      visibleEditors().forEach(mark);
      tell();
    },
    dispose() {
      ended?.();
      vscode.Disposable.from(listening, comes).dispose();
    },
  };
}

function arrivingIn({ turns }: Conversation): readonly PatchFile[] {
  const last = turns.at(-1);
  if (last?.status !== "running") return [];
  return last.parts.flatMap((part) =>
    part.type === "patch" && part.status === "arriving" ? part.files : [],
  );
}

const placed =
  (text: string) =>
  ({ diff }: { diff?: string | undefined }): vscode.Range[] => {
    const lines = locateLines(text, oldLinesOf(diff ?? ""));
    return lines === undefined
      ? []
      : [new vscode.Range(lines.first, 0, Math.max(lines.first, lines.last - 1), 0)];
  };

/** Answers what ends it. */
function notify(files: readonly PatchFile[], stop: () => void): () => void {
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const title = withoutLinks(vscode.l10n.t("Patchbay is writing an edit of {0}", files[0]?.path ?? ""));
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  void vscode.window.withProgress(options, (_, token) => {
    token.onCancellationRequested(stop);
    return over;
  });
  return end;
}
