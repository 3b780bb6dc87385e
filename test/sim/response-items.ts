// Output items of Responses: how each begins (skeleton) and how it ends (final). Pure.
import { createHash } from "node:crypto";
import type { JsonObject } from "./json.ts";
import type { Piece, TextPart } from "./turn.ts";

export interface ItemContext {
  /** Number of the reply; part of every id, so that ids are unique in a simulator and the same in every run. */
  readonly serial: number;
  readonly includeSources: boolean;
  readonly includeResults: boolean;
}

const prefixes = { message: "msg", reasoning: "rs", call: "fc", patch: "ctc", search: "ws", item: "item" };

export function itemId(piece: Piece, index: number, serial: number): string {
  if (piece.kind === "item" && typeof piece.item["id"] === "string") return piece.item["id"];
  return `${prefixes[piece.kind]}_${number(serial)}_${index}`;
}

export function number(serial: number): string {
  return String(serial).padStart(4, "0");
}

export function openItem(piece: Piece, index: number, context: ItemContext): JsonObject {
  const id = itemId(piece, index, context.serial);
  const status = "in_progress";
  switch (piece.kind) {
    case "message":
      return { id, type: "message", status, role: "assistant", content: [] };
    case "reasoning":
      return { id, type: "reasoning", status, summary: [], ...encryptedContent(piece, "") };
    case "call":
      return { ...callHead(piece, index, context), id, status, arguments: "" };
    case "patch":
      return { ...patchHead(piece, index, context), id, status, input: "" };
    case "search":
      return { id, type: "web_search_call", status, action: { type: "search", query: piece.query } };
    case "item":
      return { id, ...piece.item, status };
    default:
      return piece satisfies never;
  }
}

export function finalItem(piece: Piece, index: number, context: ItemContext, status: string): JsonObject {
  const id = itemId(piece, index, context.serial);
  switch (piece.kind) {
    case "message":
      return {
        id,
        type: "message",
        status,
        role: "assistant",
        content: piece.parts.map(finalPart),
        ...(piece.phase === undefined ? {} : { phase: piece.phase }),
      };
    case "reasoning":
      return {
        id,
        type: "reasoning",
        status,
        summary: piece.summary.map((text) => ({ type: "summary_text", text })),
        ...(piece.raw === undefined ? {} : { content: [{ type: "reasoning_text", text: piece.raw }] }),
        ...encryptedContent(piece, opaque(piece)),
      };
    case "call":
      return { ...callHead(piece, index, context), id, status, arguments: piece.arguments };
    case "patch":
      return { ...patchHead(piece, index, context), id, status, input: piece.input };
    case "search":
      return { id, type: "web_search_call", status, ...searched(piece, context) };
    case "item":
      return { id, status, ...piece.item };
    default:
      return piece satisfies never;
  }
}

type Kind<K extends Piece["kind"]> = Extract<Piece, { kind: K }>;

function callHead(piece: Kind<"call">, index: number, { serial }: ItemContext): JsonObject {
  return {
    type: "function_call",
    call_id: piece.callId ?? `call_${number(serial)}_${index}`,
    name: piece.name,
    ...(piece.namespace === undefined ? {} : { namespace: piece.namespace }),
  };
}

function patchHead(piece: Kind<"patch">, index: number, { serial }: ItemContext): JsonObject {
  return {
    type: "custom_tool_call",
    call_id: piece.callId ?? `call_${number(serial)}_${index}`,
    name: "apply_patch",
  };
}

function searched(piece: Kind<"search">, context: ItemContext): JsonObject {
  return {
    action: {
      type: "search",
      query: piece.query,
      // Interface, "Output items": sources are returned only when requested through `include`.
      ...(context.includeSources
        ? { sources: piece.sources.map(({ url, title }) => ({ type: "url", url, title })) }
        : {}),
    },
    ...(context.includeResults && piece.results !== undefined ? { results: piece.results } : {}),
  };
}

function encryptedContent(piece: Kind<"reasoning">, value: string): JsonObject {
  return piece.encrypted === "" ? {} : { encrypted_content: value };
}

function opaque(piece: Kind<"reasoning">): string {
  const seed = JSON.stringify([piece.summary, piece.raw ?? ""]);
  return piece.encrypted ?? `enc_${createHash("sha256").update(seed).digest("base64url")}`;
}

export function openPart(part: TextPart): JsonObject {
  if (part.kind === "refusal") return { type: "refusal", refusal: "" };
  return { type: "output_text", text: "", annotations: [], logprobs: [] };
}

export function finalPart(part: TextPart): JsonObject {
  if (part.kind === "refusal") return { type: "refusal", refusal: part.text };
  return { type: "output_text", text: part.text, annotations: annotations(part), logprobs: [] };
}

export function annotations(part: TextPart): readonly JsonObject[] {
  if (part.kind === "refusal") return [];
  return part.citations.map(({ url, title, words }) => {
    const found = part.text.indexOf(words);
    const start = Math.max(found, 0);
    const end = found < 0 ? part.text.length : found + words.length;
    return { type: "url_citation", start_index: start, end_index: end, url, title };
  });
}
