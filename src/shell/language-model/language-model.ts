// The service's models as language models of VS Code, for other extensions and the built-in chat: only where the user
// wants it, because whoever asks then spends the user's tokens. Asking for a count never asks the service.
import * as vscode from "vscode";
import type { Model } from "../../core/conversation/models.ts";
import type { Problem } from "../../core/conversation/problem.ts";
import type { ForeignChat } from "../../core/foreign-chat.ts";
import type { TokenCounts } from "../../core/token-counts.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import { commands, languageModelVendor } from "../manifest.ts";
import { foreignMessages, foreignTools } from "./foreign-messages.ts";

export interface LanguageModelNeeds {
  isEnabled(): boolean;
  models(): readonly Model[];
  /** VS Code wants a number; the service publishes none. */
  maxInputTokens(): number;
  /** Why nothing can be sent right now. */
  problem(): Promise<Problem | undefined>;
  readonly onDidChange: vscode.Event<void>;
  /** Loaded with the first question. */
  open(): Promise<{ readonly foreignChat: ForeignChat; readonly counts: Pick<TokenCounts, "about"> }>;
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
      const problem = await needs.problem();
      if (problem === undefined) return needs.models().map((model) => informationOf(model, needs));
      if (!silent) await vscode.commands.executeCommand(commands.manageConnection);
      return [];
    },
    provideLanguageModelChatResponse: (model, messages, options, progress, token) =>
      respond(needs, model, { messages, options, progress, token }),
    async provideTokenCount({ id }, text) {
      const { counts } = await needs.open();
      const parts = typeof text === "string" ? [{ kind: "text" as const, text }] : partsOf(text);
      return counts.about(id, parts).tokens;
    },
  };

  follow();
  const listening = vscode.Disposable.from(
    changed,
    needs.onDidChange(() => changed.fire()),
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

interface Call {
  readonly messages: readonly vscode.LanguageModelChatRequestMessage[];
  readonly options: vscode.ProvideLanguageModelChatResponseOptions;
  readonly progress: vscode.Progress<vscode.LanguageModelResponsePart>;
  readonly token: vscode.CancellationToken;
}

async function respond(
  needs: LanguageModelNeeds,
  { id }: vscode.LanguageModelChatInformation,
  { messages, options, progress, token }: Call,
): Promise<void> {
  // Interface, "tool_choice": the model decides whether to call a tool; nobody can make it.
  if (options.toolMode === vscode.LanguageModelChatToolMode.Required)
    throw new Error(vscode.l10n.t("The service knows no way to make the model call a tool."));
  const model = needs.models().find((each) => each.id === id);
  if (model === undefined) throw vscode.LanguageModelError.NotFound(id);
  const { foreignChat } = await needs.open();
  const over = new AbortController();
  const cancelled = token.onCancellationRequested(() => over.abort());
  if (token.isCancellationRequested) over.abort();
  const question = {
    model: id,
    route: model.route,
    messages: foreignMessages(messages),
    tools: foreignTools(options.tools),
  };
  try {
    for await (const event of foreignChat.ask(question, over.signal)) {
      if (event.type === "text") progress.report(new vscode.LanguageModelTextPart(event.text));
      if (event.type === "call")
        progress.report(new vscode.LanguageModelToolCallPart(event.id, event.name, event.input));
      if (event.type === "ended" && event.problem !== undefined && !over.signal.aborted)
        throw errorOf(event.problem);
    }
  } finally {
    cancelled.dispose();
  }
}

function errorOf({ kind, message }: Problem): Error {
  const sentence = inReaderLanguage(message);
  if (kind === "auth" || kind === "no-key") return vscode.LanguageModelError.NoPermissions(sentence);
  return kind === "not-found" ? vscode.LanguageModelError.NotFound(sentence) : new Error(sentence);
}

const partsOf = (message: vscode.LanguageModelChatRequestMessage) =>
  foreignMessages([message]).flatMap(({ parts }) =>
    parts.map((part) =>
      part.kind === "image"
        ? part
        : { kind: "text" as const, text: "text" in part ? part.text : JSON.stringify(part) },
    ),
  );
