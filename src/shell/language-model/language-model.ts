// The service's models as language models of VS Code, for other extensions and the built-in chat: only where the user
// wants it, because whoever asks then spends the user's tokens. Asking for a count never asks the service.
import * as vscode from "vscode";
import type { Model } from "../../core/conversation/models.ts";
import type { Problem } from "../../core/conversation/problem.ts";
import { commands, languageModelVendor } from "../manifest.ts";
import { showDoor } from "./enable-models.ts";
import type { LanguageModelAnswers } from "./language-model-answers.ts";
import { informationOf, type KnownOfModels } from "./model-information.ts";

export interface LanguageModelDeps extends KnownOfModels {
  isEnabled(): boolean;
  /** Of the folder. */
  isTrusted(): boolean;
  models(): readonly Model[];
  /** Why nothing can be sent right now. */
  problem(): Promise<Problem | undefined>;
  readonly onDidChange: vscode.Event<void>;
  /** The person has entered prices. */
  hasPrices(): boolean;
  /** What a person has asked for cannot be done. */
  report(error: unknown): void;
  /** Loaded with the first question, or for prices. */
  open(): Promise<LanguageModelAnswers>;
}

export function registerLanguageModel(deps: LanguageModelDeps): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let registered: vscode.Disposable | undefined;

  function follow(): void {
    // Forks of VS Code have come without it.
    const canBe = typeof vscode.lm?.registerLanguageModelChatProvider === "function";
    if (deps.isEnabled() === (registered !== undefined) || !canBe) {
      changed.fire();
      return;
    }
    registered?.dispose();
    registered = deps.isEnabled()
      ? vscode.lm.registerLanguageModelChatProvider(languageModelVendor, provider)
      : undefined;
  }

  const provider: vscode.LanguageModelChatProvider = {
    onDidChangeLanguageModelChatInformation: changed.event,
    async provideLanguageModelChatInformation({ silent }) {
      // Nobody has said yet that this folder's code may use the key: its extensions and settings could do the asking.
      if (!deps.isTrusted()) return [];
      const problem = await deps.problem();
      if (problem === undefined) {
        const prices = deps.hasPrices() ? await deps.open() : undefined;
        return deps.models().map((model) => informationOf(model, deps, prices?.price(model.id)));
      }
      if (!silent) await vscode.commands.executeCommand(commands.manageConnection);
      return [];
    },
    async provideLanguageModelChatResponse({ id }, messages, options, progress, token) {
      const model = deps.models().find((each) => each.id === id);
      if (!deps.isTrusted())
        throw vscode.LanguageModelError.NoPermissions(
          vscode.l10n.t("Trust this folder to use the models of Patchbay in it."),
        );
      if (model === undefined) throw vscode.LanguageModelError.NotFound(id);
      await (await deps.open()).respond(model, { messages, options, progress, token });
    },
    provideTokenCount: async ({ id }, text) => (await deps.open()).count(id, text),
  };

  follow();
  const listening = vscode.Disposable.from(
    changed,
    deps.onDidChange(() => changed.fire()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      const names = ["languageModel", "models", "pricing", "reasoning.effort"].map(
        (name) => `patchbay.${name}`,
      );
      if (!names.some((name) => change.affectsConfiguration(name))) return;
      const wasOffered = registered !== undefined;
      follow();
      if (!wasOffered && registered !== undefined) showDoor().catch(deps.report);
    }),
  );
  return new vscode.Disposable(() => {
    registered?.dispose();
    listening.dispose();
  });
}
