// Messages and tools as VS Code hands them to a language model, in the words of the core. They come from other
// extensions, so nothing about their form is sure; what is newer than our types is known by its form alone.
import * as vscode from "vscode";
import { maxOutputLimit } from "../../core/conversation/output-limit.ts";
import { cleanSchema } from "../../core/tools/clean-schema.ts";
import type {
  LanguageModelLimits,
  LanguageModelMessage,
  LanguageModelPart,
} from "../../core/turn/language-model-request.ts";
import type { OfferedTool } from "../../core/turn/text-calls.ts";
import { asObject } from "../../core/util/json.ts";
import { present } from "../../core/util/present.ts";
import { answerOf, imageOf } from "../tools/tool-result.ts";

export const languageModelMessages = (
  messages: readonly vscode.LanguageModelChatRequestMessage[],
): LanguageModelMessage[] =>
  messages.map(({ role, content }) => ({ role: roleOf(role), parts: content.flatMap(partOf) }));

export const languageModelTools = (tools: readonly vscode.LanguageModelChatTool[] = []): OfferedTool[] =>
  tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    parameters: inputSchema && cleanParameters(inputSchema),
  }));

/** The host checks what its tool is called with: where its schema can't be told whole, anything may be tried. */
function cleanParameters(schema: object): object {
  const cleaned = cleanSchema(asObject(schema) ?? {});
  return cleaned.ok ? cleaned.schema : { type: "object" };
}

/**
 * Of the options that somebody may set, those that the interface shows, under its own names; and what a person has chosen
 * beside the model, which newer editors hand on. `include` does nothing without web search, which is not offered here.
 */
export function languageModelLimits(
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

/** There is a third role, which our types do not know yet: what the model is told before anything else. */
const system = 3;

function roleOf(role: number): LanguageModelMessage["role"] {
  if (role === vscode.LanguageModelChatMessageRole.Assistant) return "assistant";
  return role === system ? "system" : "user";
}

function partOf(part: unknown): LanguageModelPart[] {
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
