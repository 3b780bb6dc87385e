// Which pending changes a person has had on the screen: in their file, or in a diff. Kept for this window only, since what
// was on a screen yesterday is nothing to rely on.
import * as vscode from "vscode";
import { onDidChangeVisibleEditors, visibleEditors } from "../../text-editors.ts";
import { schemes } from "../shown-change.ts";
import { hunksInFile } from "./hunk-thread-contents.ts";
import type { ReviewModel } from "./review-model.ts";
import type { WaitingFile } from "./review-targets.ts";

export interface SeenChanges extends vscode.Disposable {
  has(file: WaitingFile, hunk: string): boolean;
}

/** Milliseconds on the screen before it counts: scrolling past is not looking. */
const glance = 400;

/** `changed`: something was seen for the first time. */
export function watchSeen(reviewModel: ReviewModel, changed: () => void): SeenChanges {
  /** By file of the proposal; a change that was altered has another id. */
  const seen = new Map<string, Set<string>>();
  let looking: NodeJS.Timeout | undefined;

  function look(): void {
    looking = undefined;
    let isNew = false;
    for (const editor of visibleEditors())
      for (const { file, first, last, hunk } of placesIn(editor)) {
        const own = seen.get(file.address) ?? new Set<string>();
        seen.set(file.address, own);
        const isOn = editor.visibleRanges.some(({ start, end }) => start.line <= last && end.line >= first);
        if (!isOn || own.has(hunk)) continue;
        own.add(hunk);
        isNew = true;
      }
    const waiting = new Set(reviewModel.files.map(({ address }) => address));
    for (const address of seen.keys()) if (!waiting.has(address)) seen.delete(address);
    if (isNew) changed();
  }

  function placesIn({ document }: vscode.TextEditor) {
    const { scheme, query } = document.uri;
    if (scheme === schemes.base) return [];
    if (scheme !== schemes.review)
      return hunksInFile(document, reviewModel).map(({ file, place: { hunk, before } }) => ({
        ...{ file, hunk, first: before.first },
        last: Math.max(before.first, before.last - 1),
      }));
    const file = reviewModel.find(query);
    if (file === undefined) return [];
    return reviewModel.placesOf(file).map(({ hunk, after }) => ({
      ...{ file, hunk, first: after.first },
      last: Math.max(after.first, after.last - 1),
    }));
  }

  function lookSoon(): void {
    if (reviewModel.files.length > 0) looking ??= setTimeout(look, glance);
  }
  const listening = vscode.Disposable.from(
    onDidChangeVisibleEditors(lookSoon),
    vscode.window.onDidChangeTextEditorVisibleRanges(lookSoon),
    reviewModel.onDidChange(lookSoon),
  );
  return {
    has: ({ address }, hunk) => seen.get(address)?.has(hunk) === true,
    dispose() {
      clearTimeout(looking);
      listening.dispose();
    },
  };
}
