// Commands about tokens: counts at the user's request, and the menu of the status bar. Also reports an invalid price
// table when it is written, not only when a price is missing.
import * as vscode from "vscode";
import { builtInModels } from "../../conversation/models.ts";
import { pathInWorkspace, selectionOf } from "../../editor/attach/attach-uri.ts";
import { localize } from "../../editor/localize.ts";
import { showWarning } from "../../editor/notify.ts";
import type { Settings } from "../../editor/settings/settings.ts";
import type { SelectionCount } from "../../editor/status/selection-count.ts";
import { createStatusMenu } from "../../editor/status/status-menu.ts";
import type { ReadOnlyDocuments } from "../../editor/ui/documents.ts";
import type { Service } from "../../host/services.ts";
import type { Session } from "../../session/session.ts";
import { forModel } from "../../util/sentences.ts";
import type { TokenCounts } from "../token-counts.ts";
import { agreeToSend, createEstimateCommands } from "./internal/estimate-commands.ts";

interface CountSelectionsDeps {
  session(): Pick<Session, "choices" | "read">;
  readonly counts: Pick<TokenCounts, "byService">;
  readonly selection: Pick<SelectionCount, "current" | "learn" | "onDidChange">;
  mode(): "local" | "onDemand" | "auto";
  /** Counts only after a pause, not for every step of a selection. */
  readonly pause?: number;
}

/** A longer selection is counted only on a click. */
const maxLetters = 100_000;

/**
 * Counts the selection with the service automatically, if the user has enabled that for drafts. Uses the same guard as
 * sending, and never runs in an untrusted folder. Stops after the first refusal.
 */
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
    // A truncated or withheld text is not what is selected.
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

interface TokenDeps {
  readonly service: Service;
  readonly settings: Settings;
  readonly documents: ReadOnlyDocuments;
  readonly selection: SelectionCount;
  /** Number of pending changes. */
  toReview(): number;
}

export function createTokens({ service, settings, documents, selection, toReview }: TokenDeps) {
  const { surfaces, counts } = service;
  const session = () => surfaces.session;
  const watch = vscode.workspace.onDidChangeConfiguration((change) => {
    const read = change.affectsConfiguration("patchbay.pricing") ? service.pricing() : undefined;
    if (read !== undefined && "message" in read) void showWarning(localize(read.message));
  });
  const counting = countSelections({ session, counts, selection, mode: settings.estimateMode });
  return {
    commands: {
      ...createEstimateCommands({
        session,
        counts,
        documents,
        selection,
        mode: settings.estimateMode,
        agree: agreeToSend,
      }).commands,
      ...createStatusMenu({
        session,
        toReview,
        runs: () => service.registry.sessions.filter(({ isRunning }) => isRunning).length,
        others: () => service.registry.others(session()),
      }),
    },
    dispose: () => vscode.Disposable.from(watch, counting).dispose(),
  };
}

const maxCharacters = 4 * 1024 * 1024;

/**
 * Returns the result of the tool that counts for other chats (registered in main/register.ts). `input` was written by
 * some model.
 */
export function countTokens(
  input: unknown,
  counts: Pick<TokenCounts, "about">,
  defaultModel: string,
): string {
  const { text, model } =
    typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
  if (typeof text !== "string") return forModel("The argument text has to be a string.");
  if (text.length > maxCharacters) return forModel(`The text is longer than ${maxCharacters} characters.`);
  const known = builtInModels.find(({ id }) => id === model)?.id ?? defaultModel;
  const { tokens } = counts.about(known, [{ kind: "text", text }]);
  return JSON.stringify({ tokens, model: known, exact: false });
}
