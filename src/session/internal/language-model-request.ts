// Translates requests of other extensions, made through VS Code's language model API, into requests of our client. The
// extensions keep the conversation and run the tools. Pure.

import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type CleanContent, type CleanText, verbatim } from "../../conversation/events.ts";
import type { Route } from "../../conversation/models.ts";
import { cleanText } from "../../files/privacy.ts";
import type { OutputItem } from "../../service/reply.ts";
import type { Outgoing } from "../../service/request.ts";
import { readArguments } from "../../service/response-items.ts";
import { present } from "../../util/present.ts";
import { forModel } from "../../util/sentences.ts";
import type {
  LanguageModelLimits,
  LanguageModelMessage,
  LanguageModelPart,
  OfferedTool,
} from "../language-model-chat.ts";
import { assistantItem, imagesItem, toMessages, userItem } from "./history.ts";
import { callAgain, callText, resultText, toolInstructions, withoutMark } from "./text-calls.ts";

type CleanPart =
  | CleanContent
  | Extract<LanguageModelPart, { kind: "call" }>
  | (Omit<Extract<LanguageModelPart, { kind: "result" }>, "text"> & { readonly text: CleanText });

type CleanTextContent = Extract<CleanContent, { kind: "text" }>;

type CleanResult = Extract<CleanPart, { kind: "result" }>;

interface CleanMessage extends Pick<LanguageModelMessage, "role"> {
  readonly parts: readonly CleanPart[];
}

export interface LanguageModelQuestion extends LanguageModelLimits {
  readonly model: string;
  readonly route: Route;
  readonly messages: readonly LanguageModelMessage[];
  readonly tools: readonly OfferedTool[];
  /** The model must call one of the tools. */
  readonly mustCall?: boolean;
  /** The model's last answer to this question, which contained a call that could not be read. */
  readonly unread?: string;
}

export interface LanguageModelRequest {
  readonly outgoing: Outgoing;
  /** The position of its reply in the conversation. */
  readonly place: string;
  /** The suffix for the tags of calls in text. */
  readonly mark: string;
  /** All parts of the request in the order in which a cache sees them. */
  readonly pieces: readonly string[];
  /** The request without the first `known` pieces. */
  rest(known: number): Outgoing;
}

/** Content read by other extensions is cleaned like everything that is read here. */
async function cleaned(
  messages: readonly LanguageModelMessage[],
  signal: AbortSignal,
): Promise<CleanMessage[]> {
  const clean = async (text: string) => (await cleanText(text, signal)).text;
  const cleanPart = async (part: LanguageModelPart): Promise<CleanPart> =>
    part.kind === "text" || part.kind === "result" ? { ...part, text: await clean(part.text) } : part;
  const all: CleanMessage[] = [];
  for (const { role, parts } of messages) all.push({ role, parts: await Promise.all(parts.map(cleanPart)) });
  return all;
}

export async function languageModelRequest(
  question: LanguageModelQuestion,
  replies: LanguageModelReplies,
  signal: AbortSignal,
): Promise<LanguageModelRequest> {
  const {
    model,
    route,
    mustCall = false,
    unread,
    maxOutputTokens,
    effort,
    cacheTtl,
    reasoning,
    text,
  } = question;
  const tools = question.tools.filter(({ name }) => fit.test(name));
  const messages = await cleaned(question.messages, signal);
  const asText = areToolsText(question);
  const others = messages.filter(({ role }) => role !== "system");
  const conversation = replies.conversationOf(openingOf(others));
  const mark = replies.markOf(conversation);
  const instructions = [
    ...messages.filter(({ role }) => role === "system").flatMap(({ parts }) => parts.map(textOf)),
    ...(asText ? [toolInstructions(tools, mark)] : []),
  ].join("\n\n");
  const history = inputOf(others, replies, conversation, asText ? textForm(mark) : itemForm);
  const place = replies.placeOf(conversation, history);
  // Added at the end, so that everything before it was sent already and is cached.
  const input = [
    ...history,
    ...(unread === undefined ? [] : [assistantItem(unread), own(callAgain)]),
    ...(unread === undefined && mustCall ? [own(callOne)] : []),
  ];
  const definitions = tools.map(definition);
  /** The request without the first `known` pieces, of which everything before the input is the first. */
  const rest = (known: number): Outgoing => {
    const items = input.slice(Math.max(0, known - 1));
    const told = known === 0 ? instructions : "";
    if (route === "chat") return { route, model, request: { model, messages: toMessages(told, items) } };
    const request = {
      model,
      input: items,
      ...(told !== "" && { instructions: told }),
      ...(definitions.length > 0 && known === 0 && { tools: definitions }),
      ...present({ maxOutputTokens, effort, cacheTtl, reasoning, text }),
      cacheId: replies.cacheIdOf(history),
    };
    return { route, model, request };
  };
  const before = JSON.stringify([route, model, asText ? [] : definitions, instructions]);
  return { outgoing: rest(0), place, mark, pieces: [before, ...input], rest };
}

/** The interface shows no tools for chat models, so their definitions, calls and outputs are sent as text. */
export const areToolsText = ({ route, tools }: Pick<LanguageModelQuestion, "route" | "tools">): boolean =>
  route === "chat" && tools.length > 0;

const own = (words: string): string => userItem([{ kind: "text", text: verbatim(words) }]);

/** Interface, "tool_choice": a tool call cannot be enforced, so the model is asked for one. */
const callOne = forModel("Call one of the tools now, and answer with nothing else.");

/** Requirements B22: the characters a tool name may contain. */
const fit = /^[A-Za-z0-9_-]{1,64}$/;

const definition = ({ name, description, parameters = {} }: OfferedTool): string =>
  JSON.stringify({
    type: "function",
    name,
    description,
    strict: false,
    parameters: { type: "object", properties: {}, ...parameters },
  });

/** Everything asked before the first reply. */
function openingOf(messages: readonly CleanMessage[]): string[] {
  const first = messages.findIndex(({ role }) => role === "assistant");
  return messages.slice(0, first < 0 ? undefined : first).flatMap(({ parts }) => questionItems(parts));
}

const isContent = (part: CleanPart): part is CleanContent => part.kind === "text" || part.kind === "image";

function questionItems(parts: readonly CleanPart[]): string[] {
  const shown = parts.filter(isContent);
  const hasContent = shown.some((part) => part.kind === "image" || part.text.trim() !== "");
  return hasContent ? [userItem(shown)] : [];
}

/** Every call has exactly one output, right after the calls (requirements E7); an output without a call is left out. */
function inputOf(
  messages: readonly CleanMessage[],
  replies: LanguageModelReplies,
  conversation: string,
  { callItem, resultItem, said, keeps }: Form,
): string[] {
  const input: string[] = [];
  const add = (items: readonly string[]) => {
    for (const item of items) input.push(item);
  };
  for (const [at, { role, parts }] of messages.entries()) {
    if (role === "user") {
      add(questionItems(parts.map((part) => (part.kind === "text" ? said(part) : part))));
      continue;
    }
    const calls = parts.filter((part) => part.kind === "call");
    const text = parts.filter(isContent).map(textOf).join("");
    const kept = keeps ? replies.find(replies.placeOf(conversation, input), text, calls) : undefined;
    // The kept items contain the text of the reply.
    if (kept !== undefined) add(kept.map(({ raw }) => raw));
    else add([...(text.trim() === "" ? [] : [assistantItem(text)]), ...calls.map(callItem)]);
    add(outputsOf(calls, resultsAfter(messages, at), resultItem));
  }
  return input;
}

/**
 * The results for the calls of a message. The search ends at the next message that may contain calls, because ids may
 * repeat.
 */
function resultsAfter(messages: readonly CleanMessage[], at: number): readonly CleanResult[] {
  const later = messages.slice(at + 1);
  const next = later.findIndex(({ role }) => role === "assistant");
  return later
    .slice(0, next < 0 ? undefined : next)
    .flatMap(({ parts }) => parts.filter((part) => part.kind === "result"));
}

function outputsOf(
  calls: readonly LanguageModelCall[],
  results: readonly CleanResult[],
  resultItem: Form["resultItem"],
): string[] {
  const answers = calls.map(({ id }) => results.findLast((each) => each.id === id));
  const images = answers.flatMap((answer) => answer?.images ?? []);
  const outputs = calls.map((call, at) => resultItem(call, answers[at]?.text || noAnswer));
  return images.length === 0 ? outputs : [...outputs, imagesItem(images)];
}

const textOf = (part: CleanPart): string => (part.kind === "text" ? part.text : "");

const noAnswer = verbatim(forModel("The tool gave no answer."));

/** How calls and their results are written in a request. */
interface Form {
  readonly callItem: (call: LanguageModelCall) => string;
  readonly resultItem: (call: LanguageModelCall, output: CleanText) => string;
  /** What the user said or attached. */
  readonly said: (content: CleanTextContent) => CleanTextContent;
  /** Whether the service's own items are sent back unchanged. */
  readonly keeps: boolean;
}

const itemForm: Form = {
  callItem: ({ id, name, input }) =>
    JSON.stringify({ type: "function_call", call_id: id, name, arguments: JSON.stringify(input) }),
  resultItem: ({ id }, output) => JSON.stringify({ type: "function_call_output", call_id: id, output }),
  said: (content) => content,
  keeps: true,
};

const textForm = (mark: string): Form => ({
  callItem: (call) => assistantItem(callText(call, mark)),
  resultItem: ({ name }, output) => own(resultText(name, withoutMark(output, mark), mark)),
  said: (content) => ({ ...content, text: verbatim(withoutMark(content.text, mark)) }),
  keeps: false,
});

const maxReplies = 200;
const maxCharacters = 16 * 1024 * 1024;

export interface LanguageModelCall {
  readonly id: string;
  readonly name: string;
  readonly input: object;
}

interface Kept {
  readonly place: string;
  readonly items: readonly OutputItem[];
  readonly characters: number;
}

/**
 * Replies to other extensions, kept so that they are sent back unchanged (interface, "Input items"): the editor returns
 * only texts, names and arguments. A reply is found by its position in a conversation and by its content, never by an
 * id alone: ids repeat, and nothing of one conversation may get into another. In memory only and limited.
 */
export class LanguageModelReplies {
  #kept: Kept[] = [];
  #characters = 0;
  readonly #salt: string;

  /** `salt`: random for each window. */
  constructor(salt: string) {
    this.#salt = salt;
  }

  /** The position of a reply to this input: in this conversation, right after its last item. */
  placeOf(conversation: string, input: readonly string[]): string {
    return this.#hash(`${conversation}\n${input.at(-1)}`);
  }

  /**
   * Identifies a conversation by everything asked before its first reply: the first item alone is often the same for a
   * whole folder (VS Code's agent begins with the workspace).
   */
  conversationOf(opening: readonly string[]): string {
    return this.#hash(opening.join("\n"));
  }

  /**
   * The suffix for the tags of calls in text. An author of a file that gets into the conversation cannot know it, and
   * it stays the same as long as the conversation begins the same way. After a restart it is different: that costs one
   * cache miss, and tags with an earlier mark have no meaning any more.
   */
  markOf(conversation: string): string {
    return this.#hash(`mark\n${conversation}`).slice(0, 12);
  }

  keep(place: string, items: readonly OutputItem[]): void {
    if (items.length === 0) return;
    const characters = items.reduce((sum, { raw }) => sum + raw.length, 0);
    this.#kept.push({ place, items, characters });
    this.#characters += characters;
    while (this.#kept.length > maxReplies || this.#characters > maxCharacters)
      this.#characters -= this.#kept.shift()?.characters ?? 0;
  }

  /** The latest reply at this position with these calls, or with this text if it made none. */
  find(place: string, text: string, calls: readonly LanguageModelCall[]): readonly OutputItem[] | undefined {
    return this.#kept.findLast((kept) => kept.place === place && isSame(kept.items, text, calls))?.items;
  }

  /**
   * The same for all conversations that begin alike, whose beginning may be cached; has no meaning beyond this window.
   */
  cacheIdOf([first = ""]: readonly string[]): string {
    return this.#hash(first).slice(0, 32);
  }

  #hash(text: string): string {
    return createHash("sha256").update(this.#salt).update(text).digest("hex");
  }
}

function isSame(items: readonly OutputItem[], text: string, calls: readonly LanguageModelCall[]): boolean {
  const made = items.flatMap(({ view }) => (view.kind === "call" ? [view] : []));
  if (made.length !== calls.length) return false;
  if (made.length === 0) return textOfItems(items) === text;
  return made.every(({ callId, name, input }, at) => {
    const call = calls[at];
    return callId === call?.id && name === call.name && isDeepStrictEqual(readArguments(input), call.input);
  });
}

const textOfItems = (items: readonly OutputItem[]): string =>
  items
    .flatMap(({ view }) => (view.kind === "message" ? view.parts : []))
    .map(({ text }) => text)
    .join("");
