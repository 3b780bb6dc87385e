// The service's models as language models of VS Code, for other extensions and the built-in chat: only where the user
// wants it, because whoever asks then spends the user's tokens. Asking for a count never asks the service.
import * as vscode from "vscode";
import type { Model } from "../../core/conversation/models.ts";
import type { Problem } from "../../core/conversation/problem.ts";
import { commands, languageModelVendor } from "../manifest.ts";
import { showInformation } from "../notify.ts";
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
      if (!names.some((name) => change.affectsConfiguration(name))) return;
      const wasOffered = registered !== undefined;
      follow();
      if (!wasOffered && registered !== undefined) void showDoor();
    }),
  );
  return new vscode.Disposable(() => {
    registered?.dispose();
    listening.dispose();
  });
}

/**
 * VS Code's chat asks for a sign-in of its own until its list of models was opened once; nothing tells so there, and the
 * setting alone changes nothing that can be seen.
 */
async function showDoor(): Promise<void> {
  const { t } = vscode.l10n;
  const door = "workbench.action.chat.manage";
  const isOpen = (await vscode.commands.getCommands(true)).includes(door);
  const isOff = vscode.workspace.getConfiguration("chat").get("disableAIFeatures") === true;
  if (!isOpen || isOff) {
    await showInformation(
      t("VS Code's chat is switched off here. Other extensions can use the models of Patchbay."),
    );
    return;
  }
  const manage = t("Manage Models…");
  const said = t(
    "VS Code's chat can use the models of Patchbay. Open its list of models once to switch them on.",
  );
  if ((await showInformation(said, manage)) === manage) await vscode.commands.executeCommand(door);
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
