// A conversation's history in the form that is sent: Responses items as raw JSON, append-only, byte for byte. "Output
// items are passed back unchanged" (interface, "Input items"): a parsed copy would lose unknown fields and change
// bytes, and with them the cached prefix. Pure.

import { type CleanContent, type HistoryForm, verbatim } from "../../conversation/events.ts";
import { type Message, message } from "../../conversation/messages.ts";
import type { Turn } from "../../conversation/state.ts";
import { takeOutSecrets } from "../../files/privacy.ts";
import type { ItemView, OutputItem, Reply } from "../../service/reply.ts";
import type { ChatMessage, ContentPart } from "../../service/request.ts";
import { callOutput, identityOf, itemType, messageParts, viewItem } from "../../service/response-items.ts";
import { asArray, asString, isObject, type JsonObject, parseJson } from "../../util/json.ts";
import { forModel } from "../../util/sentences.ts";

/** Content is a plain string unless there is an image, as the interface shows it (requirements B4). */
export function userItem(content: readonly CleanContent[]): string {
  if (content.every((part) => part.kind === "text"))
    return JSON.stringify({
      type: "message",
      role: "user",
      content: content.map(({ text }) => text).join("\n\n"),
    });
  const parts = content.map((part) =>
    part.kind === "text"
      ? { type: "input_text", text: part.text }
      : { type: "input_image", image_url: part.url, detail: "auto" },
  );
  return JSON.stringify({ type: "message", role: "user", content: parts });
}

/** Images that tools have returned. */
export const imagesItem = (urls: readonly string[]): string =>
  userItem([
    { kind: "text", text: verbatim("[Images that the tools answered with:]") },
    ...urls.map((url) => ({ kind: "image" as const, url })),
  ]);

/** The maker of items that were made here from the text of a chat model: nothing in them is only for the service. */
export const madeHere = "";

/** The response of a chat model, for a model that reads items. */
export const assistantItem = (text: string): string =>
  JSON.stringify({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });

/**
 * Text that was shown but whose item was never completed. No item is invented for it (requirements G5); the model is
 * told, on behalf of Patchbay, what the person has seen.
 */
export const cutOffItem = (text: string): string =>
  userItem([
    {
      kind: "text",
      text: verbatim(
        `[Patchbay: your last reply was cut off before its end. The user has seen this much of it:]\n${text}`,
      ),
    },
  ]);

/** What the person's checks have found in the model's proposal. */
export const findingsItem = (report: string, wish: keyof typeof afterFindings): string =>
  userItem([
    {
      kind: "text",
      text: verbatim(
        `[Patchbay: ${report}\nWhat is new was not there without your changes. ${afterFindings[wish]}]`,
      ),
    },
  ]);

/** Earlier text of the turn is shown as a step, so the text that follows is the response. */
const afterFindings = forModel({
  mend: "Mend it, or say why it stays. End with the whole answer: the user sees what you said before as a step.",
  tell: "Change nothing more. End with the whole answer as it is true now: what is different and where, and what of this is left.",
});

/** The items of a reply that can be sent back so that the service accepts all of them; `known`: the calls before it. */
export function itemsToKeep(reply: Reply, known: ReadonlySet<string>): readonly OutputItem[] {
  const seen = new Set<string>();
  const whole = reply.status === "completed";
  const kept = reply.items.filter(({ view }) => {
    if (view.kind !== "call") return true;
    // Faults, row 57: a call that is sent twice counts as one.
    if (view.callId === "" || seen.has(view.callId) || known.has(identityOf({ ...view, item: view.id })))
      return false;
    seen.add(view.callId);
    return whole || view.call === "custom" || parseJson(view.input) !== undefined;
  });
  if (whole) return kept;
  // Reasoning is only accepted together with the items it led to.
  const last = kept.findLastIndex(({ view }) => view.kind !== "reasoning" && view.kind !== "search");
  return kept.slice(0, last + 1);
}

/** The part of a reply's text that no kept item contains. */
export function textWithoutItem(reply: Reply, kept: readonly OutputItem[]): string {
  const held = kept.map(({ view }) => textOfView(view)).join("");
  return reply.text.startsWith(held) ? reply.text.slice(held.length) : reply.text;
}

const textOfView = (view: OutputItem["view"]): string =>
  view.kind !== "message" ? "" : view.parts.map(({ type, text }) => (type === "text" ? text : "")).join("");

type CallView = Extract<ItemView, { kind: "call" }>;

/** How calls, their results and the words of others are written for a model whose interface shows no tools. */
export interface CallForm {
  call(call: CallView): string;
  /** `call`: undefined if the history does not contain it. */
  result(call: CallView | undefined, output: string): string;
  /** What the user said or attached. */
  said(text: string): string;
}

/** For a model that was told of no tools (requirements J2, J9). */
const asReport: CallForm = {
  call: ({ name, input }) => `[I called ${name}:]\n${input}`,
  result: (_, output) => `[The tool answered:]\n${output}`,
  said: (text) => text,
};

/**
 * The full history for each request (interface, chat completions), without empty content. Derived from the same items,
 * so that a conversation can change its model at any time.
 */
export function toMessages(
  instructions: string,
  items: readonly string[],
  form: CallForm = asReport,
): ChatMessage[] {
  const messages: ChatMessage[] = instructions === "" ? [] : [{ role: "system", content: instructions }];
  const calls = new Map<string, CallView>();
  for (const raw of items) {
    const item = parseJson(raw);
    const message = isObject(item) ? toMessage(item, raw, form, calls) : undefined;
    if (message === undefined || isEmpty(message.content)) continue;
    const last = messages.at(-1);
    if (last?.role === message.role) messages[messages.length - 1] = joined(last, message);
    else messages.push(message);
  }
  return messages;
}

/** Reasoning is dropped, because it means something only to the model that wrote it. `calls`: those before it, by id. */
function toMessage(
  item: JsonObject,
  raw: string,
  form: CallForm,
  calls: Map<string, CallView>,
): ChatMessage | undefined {
  const type = itemType(item);
  if (type === "message") {
    const role = item["role"] === "assistant" ? "assistant" : "user";
    return { role, content: role === "assistant" ? textOf(item) : contentOf(item, form) };
  }
  const view = viewItem(item, raw);
  if (view.kind === "call") {
    calls.set(view.callId, view);
    return { role: "assistant", content: form.call(view) };
  }
  if (!type.endsWith("_output")) return undefined;
  const call = calls.get(asString(item["call_id"]) ?? "");
  return { role: "user", content: form.result(call, asString(item["output"]) ?? "") };
}

const textOf = (item: JsonObject): string =>
  messageParts(item)
    .map(({ text }) => text)
    .join("");

function contentOf(item: JsonObject, { said }: CallForm): ChatMessage["content"] {
  const parts = asArray(item["content"]).filter(isObject);
  if (!parts.some(({ image_url: url }) => typeof url === "string")) return said(textOf(item));
  return parts.flatMap((part): ContentPart[] => {
    const { text, image_url: url } = part;
    if (typeof url === "string") return [{ type: "image_url", image_url: { url } }];
    return typeof text === "string" && text.trim() !== "" ? [{ type: "text", text: said(text) }] : [];
  });
}

const isEmpty = (content: ChatMessage["content"]): boolean =>
  typeof content === "string" ? content.trim() === "" : content.length === 0;

function joined(first: ChatMessage, second: ChatMessage): ChatMessage {
  const { role } = first;
  if (typeof first.content === "string" && typeof second.content === "string")
    return { role, content: `${first.content}\n\n${second.content}` };
  return { role, content: [...partsOf(first.content), ...partsOf(second.content)] };
}

const partsOf = (content: ChatMessage["content"]): readonly ContentPart[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

// A history in exactly the form the interface shows: messages, function calls and their outputs. For a service that
// refuses its own earlier items, or can no longer read them because they were made under another key. What a person has
// seen stays; what only the service could read is dropped. Deterministic.

/** Follows notes about changes to the beginning of all later requests. */
export const cacheRestartNote = message("noteAnew");

/** The notes for each form, shown once in a conversation. */
export const formNotes: Readonly<Record<Exclude<HistoryForm, "whole">, readonly Message[]>> = {
  plain: [message("noteForgets"), cacheRestartNote],
  "no-search": [message("noteSearches")],
};

/** Whether a conversation already contains the note. */
export const isFormNoted = (turns: readonly Turn[], form: HistoryForm): boolean =>
  form !== "whole" &&
  turns.some(({ parts }) =>
    parts.some((part) => part.type === "note" && part.notes[0]?.code === formNotes[form][0]?.code),
  );

export const omitsItems = (form: HistoryForm, items: readonly string[]): boolean =>
  form === "plain" ? canBeSimpler(items) : form === "no-search" && hasSearches(items);

export function inHistoryForm(form: HistoryForm, items: readonly string[]): readonly string[] {
  if (form === "plain") return simplify(items);
  return form === "no-search" ? items.filter((raw) => !isSearch(raw)) : [...items];
}

/** Whether there are searches that could be left out. */
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
  // Calls of unknown kinds were dropped, and an output without a call is refused. Ids may repeat.
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

/** Requirements E11: the interface shows only user messages. */
function asUserItems(item: JsonObject): readonly string[] {
  const text = messageParts(item)
    .map((part) => part.text)
    .join("");
  return text.trim() === ""
    ? []
    : [userItem([{ kind: "text", text: verbatim(`[The assistant answered:]\n${text}`) }])];
}

// Every call must have exactly one output, or the service refuses the whole conversation. The calls in a history that
// have none are found and answered. Raw items of any type are accepted.

interface Call {
  readonly callId: string;
  readonly custom: boolean;
}

/** Outputs for the open calls, in the order of the calls. */
export function answerOpenCalls(items: readonly string[], answer: (callId: string) => string): string[] {
  // An id may be used again in a later reply, so an output answers the latest call before it.
  const open: Call[] = [];
  for (const raw of items) {
    const { callId, isOutput, custom } = readCall(raw) ?? {};
    if (callId === undefined) continue;
    const answered = isOutput ? open.findLastIndex((each) => each.callId === callId) : -1;
    if (answered >= 0) open.splice(answered, 1);
    else if (!isOutput) open.push({ callId, custom: custom ?? false });
  }
  return open.map(({ callId, custom }) =>
    callOutput(
      { item: "", callId, name: "", kind: custom ? "custom" : "function", input: "" },
      takeOutSecrets(answer(callId)).text,
    ),
  );
}

/** How a message of the user begins. */
export const ofUser = '{"type":"message","role":"user"';

/**
 * Where these items can begin without those before: at a message of the user, or behind the outputs of a reply. No output
 * loses its call there.
 */
export function beginningsIn(items: readonly string[]): number[] {
  const open: string[] = [];
  let isBehindOutput = false;
  return items.flatMap((raw, at) => {
    const { callId = "", isOutput = false } = readCall(raw) ?? {};
    const isBeginning = open.length === 0 && !isOutput && (isBehindOutput || raw.startsWith(ofUser));
    const answered = isOutput ? open.lastIndexOf(callId) : -1;
    if (answered >= 0) open.splice(answered, 1);
    else if (!isOutput && callId !== "") open.push(callId);
    isBehindOutput = isOutput;
    return isBeginning ? [at] : [];
  });
}

/** The call ids in these items. */
export function callIds(items: readonly string[]): Set<string> {
  return new Set(items.flatMap((raw) => readCall(raw)?.callId ?? []));
}

/** Substrings of items that may be calls or outputs. Most items are text, so their JSON need not be parsed. */
const signsOfCall = ['"call_id"', "custom", "apply_patch"];

function readCall(raw: string): { callId: string; isOutput: boolean; custom: boolean } | undefined {
  const item = signsOfCall.some((sign) => raw.includes(sign)) ? parseJson(raw) : undefined;
  if (!isObject(item)) return undefined;
  const view = viewItem(item, raw);
  const isOutput = itemType(item).endsWith("_output");
  // Requirements F2: an item of an unknown kind is a call if it names a tool; otherwise the service runs it itself.
  const isCall = view.kind === "call" || asString(item["name"]) !== undefined;
  if (!isOutput && !isCall) return undefined;
  const callId = view.kind === "call" ? view.callId : (asString(item["call_id"]) ?? "");
  if (callId === "") return undefined;
  return { callId, isOutput, custom: view.kind === "call" && view.call === "custom" };
}
