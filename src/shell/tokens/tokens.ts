// Commands about tokens: the counts a person asks for, the menu of the status bar; and a word on prices that cannot be
// used, when they are written and not when one is missed.
import * as vscode from "vscode";
import type { Service } from "../../services.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import { showWarning } from "../notify.ts";
import type { ReadOnlyDocuments } from "../read-only-documents.ts";
import type { Settings } from "../settings.ts";
import type { SelectionCount } from "../status/selection-count.ts";
import { createStatusMenu } from "../status/status-menu.ts";
import { countSelections } from "./count-selections.ts";
import { agreeToSend, createEstimateCommands } from "./estimate-commands.ts";

export interface TokenDeps {
  readonly service: Service;
  readonly settings: Settings;
  readonly documents: ReadOnlyDocuments;
  readonly selection: SelectionCount;
  /** Changes that wait for a review. */
  toReview(): number;
}

export function createTokens({ service, settings, documents, selection, toReview }: TokenDeps) {
  const { surfaces, counts } = service;
  const session = () => surfaces.session;
  const watch = vscode.workspace.onDidChangeConfiguration((change) => {
    const read = change.affectsConfiguration("patchbay.pricing") ? service.pricing() : undefined;
    if (read !== undefined && "message" in read) void showWarning(inReaderLanguage(read.message));
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
