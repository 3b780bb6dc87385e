// Serves language model requests of other extensions. Loaded with the first request.
import * as vscode from "vscode";
import { type Model, maxOutputLimit } from "../../conversation/models.ts";
import type { Problem } from "../../conversation/problem.ts";
import type { Usage } from "../../conversation/state.ts";
import type {
  LanguageModelChat,
  LanguageModelEvent,
  LanguageModelLimits,
  LanguageModelMessage,
  LanguageModelPart,
  OfferedTool,
} from "../../session/language-model-chat.ts";
import type { AskPerson, SpendPrices } from "../../session/spend-guard.ts";
import { answerOf, imageOf } from "../../tools/editor/tool-result.ts";
import { cleanSchema } from "../../tools/tool-table.ts";
import type { TokenCounts } from "../../usage/token-counts.ts";
import { asObject } from "../../util/json.ts";
import { present } from "../../util/present.ts";
import { localize } from "../localize.ts";
import { askToSend } from "../ui/show-problem.ts";

/**
 * Converts VS Code's messages and tools for a language model into our own. They come from other extensions,
 * so nothing about their shape is certain; what is newer than our typings is recognized by its shape alone.
 */
const languageModelMessages = (
  messages: readonly vscode.LanguageModelChatRequestMessage[],
): LanguageModelMessage[] =>
  messages.map(({ role, content }) => ({ role: roleOf(role), parts: content.flatMap(readPart) }));

const languageModelTools = (tools: readonly vscode.LanguageModelChatTool[] = []): OfferedTool[] =>
  tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    parameters: inputSchema && cleanParameters(inputSchema),
  }));

/** The editor validates tool arguments itself, so if a schema cannot be converted, any arguments are allowed. */
function cleanParameters(schema: object): object {
  const cleaned = cleanSchema(asObject(schema) ?? {});
  return cleaned.ok ? cleaned.schema : { type: "object" };
}

/**
 * Picks the options that the interface supports, under its names, from those a caller may set, and from those the user
 * has chosen next to the model, which newer editors pass on. `include` has no effect without web search, which is not
 * offered here.
 */
function languageModelLimits(
  options: Pick<vscode.ProvideLanguageModelChatResponseOptions, "modelOptions"> & {
    readonly modelConfiguration?: Readonly<Record<string, unknown>>;
  },
): LanguageModelLimits {
  const { modelOptions = {}, modelConfiguration } = options;
  const most = modelOptions["max_output_tokens"];
  const reasoning = asObject(modelOptions["reasoning"]);
  const effort = reasoning?.["effort"] ?? modelConfiguration?.["effort"];
  const ttl = asObject(modelOptions["prompt_cache_options"])?.["ttl"];
  return present({
    maxOutputTokens:
      Number.isInteger(most) && Number(most) > 0 ? Math.min(Number(most), maxOutputLimit) : undefined,
    effort: typeof effort === "string" ? effort : undefined,
    cacheTtl: tiers.find((tier) => tier === ttl),
    reasoning,
    text: asObject(modelOptions["text"]),
  });
}

/** Interface, "Cache options object". */
const tiers = ["5m", "1h"] as const;

/** The system role, which our typings do not have yet. */
const system = 3;

function roleOf(role: number): LanguageModelMessage["role"] {
  if (role === vscode.LanguageModelChatMessageRole.Assistant) return "assistant";
  return role === system ? "system" : "user";
}

function readPart(part: unknown): LanguageModelPart[] {
  if (part instanceof vscode.LanguageModelTextPart) return [{ kind: "text", text: part.value }];
  if (part instanceof vscode.LanguageModelToolCallPart) {
    const { callId: id, name, input } = part;
    return [{ kind: "call", id, name, input }];
  }
  if (part instanceof vscode.LanguageModelToolResultPart) {
    const { output: text, images } = answerOf(part);
    return [{ kind: "result", id: part.callId, text, images }];
  }
  const url = imageOf(part);
  if (url !== undefined) return [{ kind: "image", url }];
  const { mimeType, data } = asObject(part) ?? {};
  const isText = typeof mimeType === "string" && /^text\/|[/+]json$/.test(mimeType);
  return isText && data instanceof Uint8Array
    ? [{ kind: "text", text: Buffer.from(data).toString("utf8") }]
    : [];
}

export interface LanguageModelAnswers {
  respond(model: Model, call: Call): Promise<void>;
  /** Prices of input and output, by the user's table. */
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
  // Interface, "tool_choice": a tool call cannot be enforced, so the model is asked for one if it supports tools at
  // all.
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
      const part = responsePartOf(event);
      if (part !== undefined) progress.report(part);
      if (event.type === "ended" && event.problem !== undefined) throw errorOf(event.problem);
    }
  } catch (error) {
    // Who has cancelled is told nothing more.
    if (!over.signal.aborted) throw error;
  } finally {
    cancelled.dispose();
  }
}

/** The request may be cancelled while the user is being asked. */
const askPerson: AskPerson = async (question, signal) => {
  if (signal.aborted) return undefined;
  const stopped = new Promise<undefined>((resolve) =>
    signal.addEventListener("abort", () => resolve(undefined), { once: true }),
  );
  return Promise.race([askToSend(vscode.l10n.t("Patchbay in VS Code's chat"), question), stopped]);
};

/** Not in our typings yet: where the editor supports them, it shows reasoning and usage. */
const newer = vscode as unknown as {
  readonly LanguageModelThinkingPart?: new (text: string, id: string) => vscode.LanguageModelResponsePart;
  readonly LanguageModelDataPart?: new (
    data: Uint8Array,
    mimeType: string,
  ) => vscode.LanguageModelResponsePart;
};

function responsePartOf(event: LanguageModelEvent): vscode.LanguageModelResponsePart | undefined {
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

/** In the format that VS Code's chat reads. Figures that were not reported are omitted. */
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
 * VS Code's chat shows an error's stack if it has one, and creates a new one for errors of its own class. To show only
 * the message, the error has neither; its `code` is the one that class would have. That chat shows none of our buttons,
 * so the message says where to set a key.
 */
function errorOf({ kind, message, actions }: Problem): Error {
  const wayOut = vscode.l10n.t("To change the key, run “Patchbay: Connection…”.");
  const sentence = localize(message);
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
