// Messages and tools as VS Code hands them to a language model, in the words of the core. They come from other
// extensions, so nothing about their form is sure; what is newer than our types is known by its form alone.
import * as vscode from "vscode";
import type { ForeignMessage, ForeignPart, ForeignTool } from "../../core/turn/foreign-request.ts";
import { asObject } from "../../core/util/json.ts";
import { textOfResult } from "../tools/tool-result.ts";

export const foreignMessages = (
  messages: readonly vscode.LanguageModelChatRequestMessage[],
): ForeignMessage[] =>
  messages.map(({ role, content }) => ({ role: roleOf(role), parts: content.flatMap(partOf) }));

export const foreignTools = (tools: readonly vscode.LanguageModelChatTool[] = []): ForeignTool[] =>
  tools.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema }));

/** There is a third role, which our types do not know yet: what the model is told before anything else. */
const system = 3;

function roleOf(role: number): ForeignMessage["role"] {
  if (role === vscode.LanguageModelChatMessageRole.Assistant) return "assistant";
  return role === system ? "system" : "user";
}

function partOf(part: unknown): ForeignPart[] {
  if (part instanceof vscode.LanguageModelTextPart) return [{ kind: "text", text: part.value }];
  if (part instanceof vscode.LanguageModelToolCallPart) {
    const { callId: id, name, input } = part;
    return [{ kind: "call", id, name, input }];
  }
  if (part instanceof vscode.LanguageModelToolResultPart)
    return [{ kind: "result", id: part.callId, text: textOfResult(part) }];
  const { mimeType, data } = asObject(part) ?? {};
  if (typeof mimeType !== "string" || !(data instanceof Uint8Array)) return [];
  const bytes = Buffer.from(data);
  if (/^image\/[\w.+-]+$/.test(mimeType))
    return [{ kind: "image", url: `data:${mimeType};base64,${bytes.toString("base64")}` }];
  return /^text\/|[/+]json$/.test(mimeType) ? [{ kind: "text", text: bytes.toString("utf8") }] : [];
}
