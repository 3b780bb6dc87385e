// A history in the form that the interface shows, and in no other: messages, function calls and their outputs. For a
// service that refuses its own earlier items, or cannot read them any more because they were made under another key.
// What a person has seen stays; what only the service could read goes. Pure, and the same every time.

import { itemType, messageParts, viewItem } from "../api/response-items.ts";
import { verbatim } from "../conversation/content.ts";
import type { HistoryForm } from "../conversation/record.ts";
import type { Turn } from "../conversation/state.ts";
import { type Message, message } from "../messages/message.ts";
import { asString, isObject, type JsonObject, parseJson } from "../util/json.ts";
import { userItem } from "./history.ts";

/** Stands behind what changes the beginning of all later requests. */
export const startsAnew = message("noteAnew");

/** What is said of each form, once in a conversation. */
export const formNotes: Readonly<Record<Exclude<HistoryForm, "whole">, readonly Message[]>> = {
  plain: [message("noteForgets"), startsAnew],
  "no-search": [message("noteSearches")],
};

/** Whether a conversation says so already. */
export const isFormNoted = (turns: readonly Turn[], form: HistoryForm): boolean =>
  form !== "whole" &&
  turns.some(({ parts }) =>
    parts.some((part) => part.type === "note" && part.notes[0]?.code === formNotes[form][0]?.code),
  );

export const leavesOut = (form: HistoryForm, items: readonly string[]): boolean =>
  form === "plain" ? canBeSimpler(items) : form === "no-search" && hasSearches(items);

export function inForm(form: HistoryForm, items: readonly string[]): readonly string[] {
  if (form === "plain") return simplify(items);
  return form === "no-search" ? items.filter((raw) => !isSearch(raw)) : [...items];
}

/** Without them there would be less to refuse. */
export const hasSearches = (items: readonly string[]): boolean => items.some(isSearch);

function isSearch(raw: string): boolean {
  const item = raw.includes("web_search_call") ? parseJson(raw) : undefined;
  return isObject(item) && itemType(item) === "web_search_call";
}

export const canBeSimpler = (items: readonly string[]): boolean =>
  items.some((raw) => {
    const plain = simpler(raw);
    return plain.length !== 1 || plain[0] !== raw;
  });

function simplify(items: readonly string[]): string[] {
  const plain = items.flatMap(simpler).map((raw) => ({ raw, ...pairOf(raw) }));
  // A call of a kind that nobody knows has gone, and an answer to nothing is refused. Ids may come again.
  const open = new Set<string>();
  return plain.flatMap(({ raw, call, answers }) => {
    if (call !== undefined) open.add(call);
    return answers === undefined || open.delete(answers) ? [raw] : [];
  });
}

function pairOf(raw: string): { readonly call?: string | undefined; readonly answers?: string | undefined } {
  const item = raw.includes('"call_id"') ? parseJson(raw) : undefined;
  if (!isObject(item)) return {};
  const id = asString(item["call_id"]);
  return itemType(item) === "function_call_output" ? { answers: id } : { call: id };
}

function simpler(raw: string): readonly string[] {
  const item = parseJson(raw);
  if (!isObject(item)) return [];
  const type = itemType(item);
  if (type === "message" && item["role"] !== "user") return asUserItems(item);
  if (type === "message" || type === "function_call" || type === "function_call_output") return [raw];
  const view = viewItem(item, raw);
  if (view.kind === "call") {
    const { callId, name, input } = view;
    const call = { type: "function_call", call_id: callId, name, arguments: JSON.stringify({ input }) };
    return callId === "" ? [] : [JSON.stringify(call)];
  }
  if (!type.endsWith("_output")) return [];
  const callId = asString(item["call_id"]);
  const output = asString(item["output"]);
  if (callId === undefined || output === undefined) return [];
  return [JSON.stringify({ type: "function_call_output", call_id: callId, output })];
}

/** Requirements E11: the interface shows messages of the user alone. */
function asUserItems(item: JsonObject): readonly string[] {
  const text = messageParts(item)
    .map((part) => part.text)
    .join("");
  return text.trim() === ""
    ? []
    : [userItem([{ kind: "text", text: verbatim(`[The assistant answered:]\n${text}`) }])];
}
