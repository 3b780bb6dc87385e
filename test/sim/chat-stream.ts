// The chunks and the whole reply of Chat completions, as pure functions of a turn, in every variation of the form.
import { cutIntoDeltas, type Form } from "./form.ts";
import type { JsonObject } from "./json.ts";
import { number } from "./response-items.ts";
import type { Piece, Turn } from "./turn.ts";
import { chatUsage, type Usage } from "./usage.ts";

export interface ChatContext {
  readonly serial: number;
  readonly createdAt: number;
  readonly model: string;
  readonly usage: Usage | null;
  /** The request had `stream_options.include_usage`. */
  readonly usageAsked: boolean;
}

interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export function chatChunks(turn: Turn, context: ChatContext, form: Form): readonly JsonObject[] {
  const head = {
    id: `chatcmpl-${number(context.serial)}`,
    object: "chat.completion.chunk",
    created: context.createdAt,
    model: context.model,
  };
  const chunk = (delta: JsonObject, finish: string | null = null, more: JsonObject = {}): JsonObject => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: finish, ...more }],
  });
  const said = deltas(turn, form).map((delta) => chunk(delta));
  const { ending } = turn;
  if (ending.kind === "failed" || ending.kind === "error")
    return [...said, { error: { message: ending.message, type: ending.code, code: ending.code } }];

  const reason = form.finishReason === "default" ? finishReason(turn) : form.finishReason;
  const usage = context.usage === null ? undefined : chatUsage(context.usage, form.cachedTokens);
  const place =
    form.chatUsage === "when-asked" ? (context.usageAsked ? "own-chunk" : "none") : form.chatUsage;
  if (reason !== null) {
    const finish = chunk({}, reason, usage !== undefined && place === "in-choice" ? { usage } : {});
    said.push(usage !== undefined && place === "finish-chunk" ? { ...finish, usage } : finish);
  }
  if (usage !== undefined && place === "own-chunk") said.push({ ...head, choices: [], usage });
  return said;
}

export function chatObject(turn: Turn, context: ChatContext, form: Form): JsonObject {
  const calls = toolCalls(turn);
  const reasoning = reasoningText(turn);
  return {
    id: `chatcmpl-${number(context.serial)}`,
    object: "chat.completion",
    created: context.createdAt,
    model: context.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: spoken(turn),
          ...(reasoning === "" ? {} : { [form.reasoningKey]: reasoning }),
          ...(calls.length === 0 ? {} : { tool_calls: calls.map(wholeCall) }),
        },
        finish_reason: form.finishReason === "default" ? finishReason(turn) : form.finishReason,
      },
    ],
    ...(context.usage === null ? {} : { usage: chatUsage(context.usage, form.cachedTokens) }),
  };
}

function wholeCall({ id, name, arguments: args }: ToolCall): JsonObject {
  return { id, type: "function", function: { name, arguments: args } };
}

function deltas(turn: Turn, form: Form): readonly JsonObject[] {
  const content = form.emptyContent === "absent" ? {} : { content: form.emptyContent === "null" ? null : "" };
  const thoughts = cutIntoDeltas(reasoningText(turn), form.deltas).map((text) => ({
    ...content,
    [form.reasoningKey]: text,
  }));
  const words = cutIntoDeltas(spoken(turn), form.deltas).map((text): JsonObject => ({ content: text }));
  const calls = callDeltas(toolCalls(turn), form).map((delta) => ({ ...content, ...delta }));
  const role = form.role === "never" ? [] : [{ role: "assistant", content: "" }];
  return form.role === "late"
    ? [...thoughts, ...role, ...words, ...calls]
    : [...role, ...thoughts, ...words, ...calls];
}

function callDeltas(calls: readonly ToolCall[], form: Form): readonly JsonObject[] {
  const perCall = calls.map((call, index) => oneCall(call, index, form));
  if (form.chatCalls !== "interleaved") return perCall.flat().map((entry) => ({ tool_calls: [entry] }));
  const longest = Math.max(0, ...perCall.map((entries) => entries.length));
  return Array.from({ length: longest }, (_, step) => perCall.flatMap((entries) => entries[step] ?? []))
    .flat()
    .map((entry) => ({ tool_calls: [entry] }));
}

function oneCall(call: ToolCall, index: number, form: Form): readonly JsonObject[] {
  const place = form.chatCalls === "no-index" ? {} : { index };
  const id = form.chatCalls === "no-id" ? {} : { id: call.id };
  const pieces = cutIntoDeltas(call.arguments, form.deltas).map((text) => ({
    ...place,
    function: { arguments: text },
  }));
  const start = { ...place, ...id, type: "function" };
  switch (form.chatCalls) {
    case "whole":
    case "no-index":
      return [{ ...start, function: { name: call.name, arguments: call.arguments } }];
    case "name-late":
      return [
        { ...start, function: { arguments: "" } },
        ...pieces,
        { ...place, function: { name: call.name } },
      ];
    case "split":
    case "no-id":
    case "interleaved":
      return [{ ...start, function: { name: call.name, arguments: "" } }, ...pieces];
    default:
      return form.chatCalls satisfies never;
  }
}

function finishReason(turn: Turn): string {
  if (turn.ending.kind === "incomplete")
    return turn.ending.reason === "max_output_tokens" ? "length" : turn.ending.reason;
  return toolCalls(turn).length > 0 ? "tool_calls" : "stop";
}

/** Ids look like `read_file:0`, as at comparable services. */
function toolCalls(turn: Turn): readonly ToolCall[] {
  const calls: ToolCall[] = [];
  const add = (name: string, args: string, id: string | undefined) =>
    calls.push({ id: id ?? `${name}:${calls.length}`, name, arguments: args });
  for (const piece of turn.pieces) {
    if (piece.kind === "call") add(piece.name, piece.arguments, piece.callId);
    if (piece.kind === "patch") add("apply_patch", JSON.stringify({ input: piece.input }), piece.callId);
  }
  return calls;
}

function reasoningText(turn: Turn): string {
  return turn.pieces
    .map((piece) => (piece.kind === "reasoning" ? (piece.raw ?? piece.summary.join("\n\n")) : ""))
    .join("");
}

function spoken(turn: Turn): string {
  const words = (piece: Piece) =>
    piece.kind === "message" ? piece.parts.map((part) => part.text).join("") : "";
  return turn.pieces.map(words).join("");
}
