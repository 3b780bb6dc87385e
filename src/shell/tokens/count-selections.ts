// What is selected, counted by the service without being asked, where a person has set that drafts are. Through the same
// guard as what is sent; never in a folder that is not trusted. After the first refusal it stays quiet.
import * as vscode from "vscode";
import type { Session } from "../../core/session/session.ts";
import type { TokenCounts } from "../../core/tokens/token-counts.ts";
import { pathInWorkspace } from "../attach/attach-uri.ts";
import { selectionOf } from "../attach/selection-of.ts";
import type { SelectionCount } from "../status/selection-count.ts";

export interface CountSelectionsDeps {
  session(): Pick<Session, "choices" | "read">;
  readonly counts: Pick<TokenCounts, "byService">;
  readonly selection: Pick<SelectionCount, "current" | "learn" | "onDidChange">;
  mode(): "local" | "onDemand" | "auto";
  /** Only a pause, not each of the lines that are being selected. */
  readonly pause?: number;
}

/** Nobody selects a book to learn how long it is; a click counts that. */
const maxLetters = 100_000;

export function countSelections(deps: CountSelectionsDeps): vscode.Disposable {
  const { session, counts, selection, mode, pause = 800 } = deps;
  let work = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isRefused = false;

  async function count(signal: AbortSignal): Promise<void> {
    const selected = selection.current;
    const editor = vscode.window.activeTextEditor;
    const { model } = session().choices;
    if (selected === undefined || editor?.document !== selected.document || selected.counted.has(model))
      return;
    const [only, more] = selected.selections;
    if (only === undefined || more !== undefined || pathInWorkspace(editor.document.uri) === undefined)
      return;
    if (editor.document.getText(only).length > maxLetters) return;
    const wish = selectionOf({ document: editor.document, selection: only });
    const { view, content } = await session().read(wish, signal);
    // What is cut or held back is not what is selected.
    if (signal.aborted || view.bytes === 0 || view.notes !== undefined) return;
    const counted = await counts.byService(model, [content], signal);
    if (signal.aborted) return;
    if ("problem" in counted) isRefused = true;
    else if (selection.current === selected) selection.learn(model, counted.tokens);
  }

  const listening = selection.onDidChange(() => {
    clearTimeout(timer);
    work.abort();
    if (isRefused || mode() !== "auto" || !vscode.workspace.isTrusted) return;
    work = new AbortController();
    const { signal } = work;
    timer = setTimeout(() => {
      count(signal).catch(() => {
        isRefused = true;
      });
    }, pause);
  });
  return {
    dispose() {
      clearTimeout(timer);
      work.abort();
      listening.dispose();
    },
  };
}
