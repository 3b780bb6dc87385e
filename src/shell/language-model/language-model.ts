// The service's models as language models of VS Code, for other extensions and the built-in chat: only where the user
// wants it, because whoever asks then spends the user's tokens. Asking for a count never asks the service.
import * as vscode from "vscode";
import type { Model } from "../../core/conversation/models.ts";
import type { Problem } from "../../core/conversation/problem.ts";
import { commands, languageModelVendor } from "../manifest.ts";
import type { ForeignAnswers } from "./foreign-answers.ts";

export interface LanguageModelNeeds {
  isEnabled(): boolean;
  models(): readonly Model[];
  /** VS Code wants a number; the service publishes none. */
  maxInputTokens(): number;
  /** Why nothing can be sent right now. */
  problem(): Promise<Problem | undefined>;
  readonly onDidChange: vscode.Event<void>;
  /** Loaded with the first question. */
  open(): Promise<ForeignAnswers>;
}

/** Interface, "Limits": the default of the one model that says it. */
const outputTokens = 131_072;

export function registerLanguageModel(needs: LanguageModelNeeds): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let registered: vscode.Disposable | undefined;

  function follow(): void {
    // Forks of VS Code have come without it.
    const canBe = typeof vscode.lm?.registerLanguageModelChatProvider === "function";
    if (needs.isEnabled() === (registered !== undefined) || !canBe) {
      changed.fire();
      return;
    }
    registered?.dispose();
    registered = needs.isEnabled()
      ? vscode.lm.registerLanguageModelChatProvider(languageModelVendor, provider)
      : undefined;
  }

  const provider: vscode.LanguageModelChatProvider = {
    onDidChangeLanguageModelChatInformation: changed.event,
    async provideLanguageModelChatInformation({ silent }) {
      // Nobody has said yet that this folder's code may use the key: its extensions and settings could do the asking.
      if (!vscode.workspace.isTrusted) return [];
      const problem = await needs.problem();
      if (problem === undefined) return needs.models().map((model) => informationOf(model, needs));
      if (!silent) await vscode.commands.executeCommand(commands.manageConnection);
      return [];
    },
    async provideLanguageModelChatResponse({ id }, messages, options, progress, token) {
      const model = needs.models().find((each) => each.id === id);
      if (!vscode.workspace.isTrusted)
        throw vscode.LanguageModelError.NoPermissions(
          vscode.l10n.t("Trust this folder to use the models of Patchbay in it."),
        );
      if (model === undefined) throw vscode.LanguageModelError.NotFound(id);
      await (await needs.open()).respond(model, { messages, options, progress, token });
    },
    provideTokenCount: async ({ id }, text) => (await needs.open()).count(id, text),
  };

  follow();
  const listening = vscode.Disposable.from(
    changed,
    needs.onDidChange(() => changed.fire()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      const names = ["patchbay.languageModel", "patchbay.models"];
      if (names.some((name) => change.affectsConfiguration(name))) follow();
    }),
  );
  return new vscode.Disposable(() => {
    registered?.dispose();
    listening.dispose();
  });
}

function informationOf(model: Model, needs: LanguageModelNeeds): vscode.LanguageModelChatInformation {
  const { id, label, route, contextWindow, vision = true } = model;
  return {
    id,
    name: label,
    family: id,
    version: "1",
    detail: "Patchbay",
    maxInputTokens: contextWindow ?? needs.maxInputTokens(),
    maxOutputTokens: outputTokens,
    capabilities: { imageInput: vision, toolCalling: route === "responses" },
  };
}
