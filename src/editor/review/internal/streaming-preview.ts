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

type LocateLines = (lines: readonly string[]) => LineRange | undefined;

/**
 * Finds the lines of hunks in a text: for display, never for applying. The returned function returns `undefined` if they
 * are missing, or occur in more than one place. Pure.
 */
export function createLineLocator(text: string): LocateLines {
  const all = text.split(/\r?\n/);
  const places = new Map<string, number[]>();
  for (const [at, line] of all.entries()) {
    const known = places.get(line);
    if (known === undefined) places.set(line, [at]);
    else known.push(at);
  }
  return (lines) => {
    // A hunk may lie only where the line of it lies that the text has least often.
    let rarest: { readonly at: number; readonly places: readonly number[] } | undefined;
    for (const [at, line] of lines.entries()) {
      const found = places.get(line) ?? [];
      if (rarest === undefined || found.length < rarest.places.length) rarest = { at, places: found };
    }
    if (rarest === undefined) return undefined;
    const { at, places: candidates } = rarest;
    const isAt = (first: number) => lines.every((line, below) => all[first + below] === line);
    const [place, another] = firstTwo(candidates, (candidate) => isAt(candidate - at));
    return place === undefined || another !== undefined
      ? undefined
      : { first: place - at, last: place - at + lines.length };
  };
}

function firstTwo(all: readonly number[], isMeant: (each: number) => boolean): readonly number[] {
  const found: number[] = [];
  for (const each of all) if (found.length < 2 && isMeant(each)) found.push(each);
  return found;
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

/** Longer texts are not searched. */
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
  /** One for each text, as a patch arrives in many pieces. */
  let located = new WeakMap<
    vscode.TextDocument,
    { readonly version: number; readonly locate: LocateLines }
  >();
  let ended: (() => void) | undefined;

  function mark(editor: vscode.TextEditor): void {
    const path = files.length === 0 ? undefined : pathOf(editor.document.uri);
    const own = path === undefined ? [] : files.filter((file) => file.path === path);
    const ranges =
      own.length === 0 ? [] : own.flatMap(({ hunks }) => hunks.flatMap(placed(locatorOf(editor.document))));
    editor.setDecorations(comes, ranges);
  }

  function locatorOf(document: vscode.TextDocument): LocateLines {
    const { version } = document;
    const known = located.get(document);
    if (known?.version === version) return known.locate;
    const text = document.getText();
    const locate = text.length > maxText ? () => undefined : createLineLocator(text);
    located.set(document, { version, locate });
    return locate;
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
      if (files.length === 0) located = new WeakMap();
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
  (locate: LocateLines) =>
  ({ diff }: { diff?: string | undefined }): vscode.Range[] => {
    const lines = locate(oldLinesOf(diff ?? ""));
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
