// While a patch is streamed: decorates its places so far in files that are open, and if the chat is not visible, shows
// a notification that can stop it. Display only: nothing is located for applying or applied.

import * as vscode from "vscode";
import type { Conversation, PatchFile } from "../../../conversation/state.ts";
import type { LineRange } from "../../../patch/model.ts";
import { withoutLinks } from "../../notify.ts";
import { onDidChangeVisibleEditors, visibleEditors } from "../../text-editors.ts";

/** The lines of a diff that are in the current file. */
export const oldLinesOf = (diff: string): readonly string[] =>
  diff
    .split("\n")
    .filter((line) => line.startsWith(" ") || line.startsWith("-"))
    .map((line) => line.slice(1));

/**
 * Finds the lines of a hunk in a text: for display, never for applying. Returns `undefined` if they are missing, or
 * occur in more than one place. Pure.
 */
export function locateLines(text: string, lines: readonly string[]): LineRange | undefined {
  if (lines.length === 0) return undefined;
  const words = `\n${lines.join("\n")}\n`;
  const plain = `\n${text.replaceAll("\r\n", "\n")}\n`;
  const at = plain.indexOf(words);
  if (at === -1 || plain.indexOf(words, at + 1) !== -1) return undefined;
  const first = plain.slice(0, at).split("\n").length - 1;
  return { first, last: first + lines.length };
}

export interface StreamingPreviewDeps {
  /** The name of a document's file in a patch. */
  pathOf(uri: vscode.Uri): string | undefined;
  /** Whether the conversation is visible somewhere. */
  isChatVisible(): boolean;
  stop(): void;
}

interface StreamingPreview extends vscode.Disposable {
  update(conversation: Conversation | undefined): void;
}

/** Longer texts are not searched at every chunk. */
const maxText = 2_000_000;

export function createStreamingPreview({
  pathOf,
  isChatVisible,
  stop,
}: StreamingPreviewDeps): StreamingPreview {
  const comes = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.rangeHighlightBackground"),
    // High-contrast themes use lines instead of backgrounds; other themes have no lines.
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
      files = conversation === undefined ? [] : streamingIn(conversation);
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

function streamingIn({ turns }: Conversation): readonly PatchFile[] {
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

/** Returns a function that closes the notification. */
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
