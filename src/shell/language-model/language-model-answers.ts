// What other extensions ask of a language model, answered by the core: loaded with the first question.
import * as vscode from "vscode";
import type { Model } from "../../core/conversation/models.ts";
import type { Problem } from "../../core/conversation/problem.ts";
import type { Usage } from "../../core/conversation/usage.ts";
import type { AskPerson } from "../../core/session/confirmations.ts";
import type { LanguageModelChat, LanguageModelEvent } from "../../core/session/language-model-chat.ts";
import type { SpendPrices } from "../../core/session/spend-guard.ts";
import type { TokenCounts } from "../../core/tokens/token-counts.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import { askToSend } from "../show-problem.ts";
import { languageModelLimits, languageModelMessages, languageModelTools } from "./language-model-messages.ts";

export interface LanguageModelAnswers {
  respond(model: Model, call: Call): Promise<void>;
  /** Of input and output, by the person's own table. */
  price(model: string): string | undefined;
  count(model: string, text: string | vscode.LanguageModelChatRequestMessage): number;
}

export const createLanguageModelAnswers = (
  languageModelChat: LanguageModelChat,
  counts: Pick<TokenCounts, "about">,
  prices: SpendPrices,
): LanguageModelAnswers => ({
  respond: (model, call) => respond(languageModelChat, model, call),
  price(model) {
    const rates = prices.rates(model);
    const { t } = vscode.l10n;
    return (
      rates &&
      t("{0} in, {1} out per million tokens", prices.amount(rates.input), prices.amount(rates.output))
    );
  },
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
  languageModelChat: LanguageModelChat,
  { id, route }: Model,
  { messages, options, progress, token }: Call,
): Promise<void> {
  // Interface, "tool_choice": nobody can make the model call a tool. It is asked to, where it knows tools at all.
  const mustCall = options.toolMode === vscode.LanguageModelChatToolMode.Required;
  const over = new AbortController();
  const cancelled = token.onCancellationRequested(() => over.abort());
  if (token.isCancellationRequested) over.abort();
  const question = {
    model: id,
    route,
    messages: languageModelMessages(messages),
    tools: languageModelTools(options.tools),
    mustCall,
    ...languageModelLimits(options),
  };
  try {
    for await (const event of languageModelChat.ask(question, askPerson, over.signal)) {
      const part = partOf(event);
      if (part !== undefined) progress.report(part);
      if (event.type === "ended" && event.problem !== undefined && !over.signal.aborted)
        throw errorOf(event.problem);
    }
  } finally {
    cancelled.dispose();
  }
}

/** It may be called off while somebody is asked. */
const askPerson: AskPerson = async (question, signal) => {
  if (signal.aborted) return undefined;
  const stopped = new Promise<undefined>((resolve) =>
    signal.addEventListener("abort", () => resolve(undefined), { once: true }),
  );
  return Promise.race([askToSend(vscode.l10n.t("Patchbay in VS Code's chat"), question), stopped]);
};

/** Newer than our types: where the editor has them, it shows thoughts and figures. */
const newer = vscode as unknown as {
  readonly LanguageModelThinkingPart?: new (text: string, id: string) => vscode.LanguageModelResponsePart;
  readonly LanguageModelDataPart?: new (
    data: Uint8Array,
    mimeType: string,
  ) => vscode.LanguageModelResponsePart;
};

function partOf(event: LanguageModelEvent): vscode.LanguageModelResponsePart | undefined {
  switch (event.type) {
    case "text":
      return new vscode.LanguageModelTextPart(event.text);
    case "reasoning":
      return newer.LanguageModelThinkingPart && new newer.LanguageModelThinkingPart(event.text, event.part);
    case "call":
      return new vscode.LanguageModelToolCallPart(event.id, event.name, event.input);
    case "usage":
      return newer.LanguageModelDataPart && new newer.LanguageModelDataPart(figuresOf(event.usage), "usage");
    default:
      return undefined;
  }
}

/** In the words that VS Code's chat reads. Figures that were not reported stay away. */
function figuresOf({ input, output, cached, total }: Usage): Uint8Array {
  const figures = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: total ?? (input ?? 0) + (output ?? 0),
    ...(cached !== undefined && { prompt_tokens_details: { cached_tokens: cached } }),
  };
  return new TextEncoder().encode(JSON.stringify(figures));
}

/**
 * VS Code's chat shows the whole stack where an error has one, and an error of its own class gets a new one on the way:
 * so that a person reads the sentence alone, it has neither. The code is what that class would have. That chat has no button
 * of ours, so it says where a key is set.
 */
function errorOf({ kind, message, actions }: Problem): Error {
  const wayOut = vscode.l10n.t("To change the key, run “Patchbay: Set API Key…”.");
  const sentence = inReaderLanguage(message);
  const error = new Error(actions.includes("set-key") ? `${sentence} ${wayOut}` : sentence);
  error.stack = "";
  if (kind === "auth" || kind === "no-key") return Object.assign(error, { code: "NoPermissions" });
  return kind === "not-found" ? Object.assign(error, { code: "NotFound" }) : error;
}

const partsOf = (message: vscode.LanguageModelChatRequestMessage) =>
  languageModelMessages([message]).flatMap(({ parts }) =>
    parts.map((part) =>
      part.kind === "image"
        ? part
        : { kind: "text" as const, text: "text" in part ? part.text : JSON.stringify(part) },
    ),
  );
