// What other extensions ask of a language model, answered by the core: loaded with the first question.
import * as vscode from "vscode";
import type { Model } from "../../core/conversation/models.ts";
import type { Problem } from "../../core/conversation/problem.ts";
import type { ForeignChat } from "../../core/foreign-chat.ts";
import type { TokenCounts } from "../../core/token-counts.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import { foreignMessages, foreignTools } from "./foreign-messages.ts";

export interface ForeignAnswers {
  respond(model: Model, call: Call): Promise<void>;
  count(model: string, text: string | vscode.LanguageModelChatRequestMessage): number;
}

export const createForeignAnswers = (
  foreignChat: ForeignChat,
  counts: Pick<TokenCounts, "about">,
): ForeignAnswers => ({
  respond: (model, call) => respond(foreignChat, model, call),
  count: (model, text) =>
    counts.about(model, typeof text === "string" ? [{ kind: "text", text }] : partsOf(text)).tokens,
});

interface Call {
  readonly messages: readonly vscode.LanguageModelChatRequestMessage[];
  readonly options: vscode.ProvideLanguageModelChatResponseOptions;
  readonly progress: vscode.Progress<vscode.LanguageModelResponsePart>;
  readonly token: vscode.CancellationToken;
}

async function respond(
  foreignChat: ForeignChat,
  { id, route }: Model,
  { messages, options, progress, token }: Call,
): Promise<void> {
  // Interface, "tool_choice": the model decides whether to call a tool; nobody can make it.
  if (options.toolMode === vscode.LanguageModelChatToolMode.Required)
    throw new Error(vscode.l10n.t("The service knows no way to make the model call a tool."));
  const over = new AbortController();
  const cancelled = token.onCancellationRequested(() => over.abort());
  if (token.isCancellationRequested) over.abort();
  const question = {
    model: id,
    route,
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
