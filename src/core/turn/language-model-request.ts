// What other extensions ask through VS Code's own language models, in the words of our client. They hold the conversation
// and run the tools. Pure.

import type { Outgoing } from "../api/request.ts";
import { type CleanContent, type CleanText, type Content, verbatim } from "../conversation/content.ts";
import type { Route } from "../conversation/models.ts";
import { cleanText } from "../files/secrets.ts";
import { present } from "../util/present.ts";
import { assistantItem, imagesItem, toMessages, userItem } from "./history.ts";
import type { LanguageModelCall, LanguageModelReplies } from "./language-model-replies.ts";
import { callAgain, callText, type OfferedTool, resultText, toolInstructions } from "./text-calls.ts";

export type LanguageModelPart =
  | Content
  | ({ readonly kind: "call" } & LanguageModelCall)
  | {
      readonly kind: "result";
      readonly id: string;
      readonly text: string;
      /** As data URLs: an output of a tool is text, so that they follow it as the user's. */
      readonly images?: readonly string[];
    };

type CleanPart =
  | CleanContent
  | Extract<LanguageModelPart, { kind: "call" }>
  | (Omit<Extract<LanguageModelPart, { kind: "result" }>, "text"> & { readonly text: CleanText });

type CleanResult = Extract<CleanPart, { kind: "result" }>;

interface CleanMessage extends Pick<LanguageModelMessage, "role"> {
  readonly parts: readonly CleanPart[];
}

export interface LanguageModelMessage {
  readonly role: "system" | "user" | "assistant";
  readonly parts: readonly LanguageModelPart[];
}

/** Of the model that speaks Responses; chat completions show none of these. */
export interface LanguageModelLimits {
  readonly maxOutputTokens?: number;
  /** Empty: the model's own. */
  readonly effort?: string;
  readonly cacheTtl?: "5m" | "1h";
  /** As whoever asks has put them. */
  readonly reasoning?: Readonly<Record<string, unknown>>;
  readonly text?: Readonly<Record<string, unknown>>;
}

export interface LanguageModelQuestion extends LanguageModelLimits {
  readonly model: string;
  readonly route: Route;
  readonly messages: readonly LanguageModelMessage[];
  readonly tools: readonly OfferedTool[];
  /** The model has to call one of them. */
  readonly mustCall?: boolean;
  /** Its last answer to this, in which a call could not be read. */
  readonly unread?: string;
}

export type LanguageModelRequest = Outgoing & {
  /** Where the reply to it will stand. */
  readonly place: string;
  /** The same for all requests of one conversation. */
  readonly conversation: string;
};

/** What others have read goes the way of everything that is read here. */
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
  const instructions = [
    ...messages.filter(({ role }) => role === "system").flatMap(({ parts }) => parts.map(textOf)),
    ...(asText ? [toolInstructions(tools)] : []),
  ].join("\n\n");
  const others = messages.filter(({ role }) => role !== "system");
  const { input: history, conversation } = inputOf(others, replies, asText ? textForm : itemForm);
  const place = replies.placeOf(conversation, history);
  // At the end, so that what stands before it is what was sent before, and cached.
  const input = [
    ...history,
    ...(unread === undefined ? [] : [assistantItem(unread), own(callAgain)]),
    ...(unread === undefined && mustCall ? [own(callOne)] : []),
  ];
  if (route === "chat")
    return {
      route,
      model,
      place,
      conversation,
      request: { model, messages: toMessages(instructions, input) },
    };
  const request = {
    model,
    input,
    ...(instructions !== "" && { instructions }),
    ...(tools.length > 0 && { tools: tools.map(definition) }),
    ...present({ maxOutputTokens, effort, cacheTtl, reasoning, text }),
    cacheId: replies.cacheIdOf(history),
  };
  return { route, model, place, conversation, request };
}

/** The interface shows no tools for chat models: what they are offered, call and hear goes as text. */
export const areToolsText = ({ route, tools }: Pick<LanguageModelQuestion, "route" | "tools">): boolean =>
  route === "chat" && tools.length > 0;

const own = (words: string): string => userItem([{ kind: "text", text: verbatim(words) }]);

/** Interface, "tool_choice": nobody can make the model call a tool, so it is asked to. */
const callOne = "Call one of the tools now, and answer with nothing else.";

/** Requirements B22: the characters that a name may have on the wire. */
const fit = /^[A-Za-z0-9_-]{1,64}$/;

const definition = ({ name, description, parameters = {} }: OfferedTool): string =>
  JSON.stringify({
    type: "function",
    name,
    description,
    strict: false,
    parameters: { type: "object", properties: {}, ...parameters },
  });

/** Every call has exactly one output, right after the calls (requirements E7); an output without a call is left out. */
function inputOf(
  messages: readonly CleanMessage[],
  replies: LanguageModelReplies,
  { callItem, resultItem, keeps }: Form,
): { readonly input: string[]; readonly conversation: string } {
  const input: string[] = [];
  let conversation: string | undefined;
  const add = (items: readonly string[]) => {
    for (const item of items) input.push(item);
  };
  for (const [at, { role, parts }] of messages.entries()) {
    const shown = parts.filter((part): part is CleanContent => part.kind === "text" || part.kind === "image");
    const hasContent = shown.some((part) => part.kind === "image" || part.text.trim() !== "");
    if (role === "user") {
      if (hasContent) input.push(userItem(shown));
      continue;
    }
    conversation ??= replies.conversationOf(input);
    const calls = parts.filter((part) => part.kind === "call");
    const text = shown.map(textOf).join("");
    const kept = keeps ? replies.find(replies.placeOf(conversation, input), text, calls) : undefined;
    // What the reply said stands in its own items.
    if (kept !== undefined) add(kept.map(({ raw }) => raw));
    else add([...(text.trim() === "" ? [] : [assistantItem(text)]), ...calls.map(callItem)]);
    add(outputsOf(calls, resultsAfter(messages, at), resultItem));
  }
  return { input, conversation: conversation ?? replies.conversationOf(input) };
}

/** What came of the calls of a message: the results up to the next one that may call, since ids may repeat. */
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

const noAnswer = verbatim("The tool gave no answer.");

/** How calls and what came of them stand in a request. */
interface Form {
  readonly callItem: (call: LanguageModelCall) => string;
  readonly resultItem: (call: LanguageModelCall, output: CleanText) => string;
  /** What the service has said itself goes back as it said it. */
  readonly keeps: boolean;
}

const itemForm: Form = {
  callItem: ({ id, name, input }) =>
    JSON.stringify({ type: "function_call", call_id: id, name, arguments: JSON.stringify(input) }),
  resultItem: ({ id }, output) => JSON.stringify({ type: "function_call_output", call_id: id, output }),
  keeps: true,
};

const textForm: Form = {
  callItem: (call) => assistantItem(callText(call)),
  resultItem: ({ name }, output) => own(resultText(name, output)),
  keeps: false,
};
