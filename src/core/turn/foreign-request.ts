// What other extensions ask through VS Code's own language models, in the words of our client. They hold the conversation
// and run the tools; what came back from the service is kept here by the ids of its calls, so that "output items are
// passed back unchanged" (interface, "Input items") although the editor knows only names and arguments. Pure.
import { createHash } from "node:crypto";
import type { OutputItem } from "../api/reply.ts";
import type { CleanContent, CleanText, Content } from "../conversation/content.ts";
import type { Route } from "../conversation/models.ts";
import { cleanText } from "../tools/secrets.ts";
import { assistantItem, toMessages, userItem } from "./history.ts";
import type { Outgoing } from "./service-request.ts";

export type ForeignPart =
  | Content
  | { readonly kind: "call"; readonly id: string; readonly name: string; readonly input: object }
  | { readonly kind: "result"; readonly id: string; readonly text: string };

type CleanPart =
  | CleanContent
  | Extract<ForeignPart, { kind: "call" }>
  | { readonly kind: "result"; readonly id: string; readonly text: CleanText };

interface CleanMessage extends Pick<ForeignMessage, "role"> {
  readonly parts: readonly CleanPart[];
}

export interface ForeignMessage {
  readonly role: "system" | "user" | "assistant";
  readonly parts: readonly ForeignPart[];
}

export interface ForeignTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: object | undefined;
}

export interface ForeignQuestion {
  readonly model: string;
  readonly route: Route;
  readonly messages: readonly ForeignMessage[];
  readonly tools: readonly ForeignTool[];
}

/** Conversations of others are not ours to keep: the latest replies, in memory only. */
const mostReplies = 200;

export class ForeignReplies {
  readonly #byCall = new Map<string, readonly OutputItem[]>();
  readonly #salt: string;

  /** `salt`: random, of this window. */
  constructor(salt: string) {
    this.#salt = salt;
  }

  /** Only a reply with calls comes back in pieces; of another its text is all there is. */
  keep(items: readonly OutputItem[]): void {
    for (const { view } of items) if (view.kind === "call") this.#byCall.set(view.callId, items);
    for (const id of this.#byCall.keys()) {
      if (this.#byCall.size <= mostReplies) break;
      this.#byCall.delete(id);
    }
  }

  of(call: string): readonly OutputItem[] | undefined {
    return this.#byCall.get(call);
  }

  /** The same for the life of a conversation, which is known by how it begins; of no meaning beyond this window. */
  cacheIdOf([first = ""]: readonly string[]): string {
    return createHash("sha256").update(this.#salt).update(first).digest("hex").slice(0, 32);
  }
}

/** What others have read goes the way of everything that is read here. */
async function cleaned(messages: readonly ForeignMessage[], signal: AbortSignal): Promise<CleanMessage[]> {
  const clean = async (text: string) => (await cleanText(text, signal)).text;
  const cleanPart = async (part: ForeignPart): Promise<CleanPart> =>
    part.kind === "text" || part.kind === "result" ? { ...part, text: await clean(part.text) } : part;
  const all: CleanMessage[] = [];
  for (const { role, parts } of messages) all.push({ role, parts: await Promise.all(parts.map(cleanPart)) });
  return all;
}

export async function foreignRequest(
  question: ForeignQuestion,
  replies: ForeignReplies,
  signal: AbortSignal,
): Promise<Outgoing> {
  const { model, route, tools } = question;
  const messages = await cleaned(question.messages, signal);
  const instructions = messages
    .filter(({ role }) => role === "system")
    .flatMap(({ parts }) => parts.map(textOf))
    .join("\n\n");
  const input = answered(
    messages.flatMap((message) => (message.role === "system" ? [] : itemsOf(message, replies))),
  );
  if (route === "chat")
    return { route, model, request: { model, messages: toMessages(instructions, input) } };
  const request = {
    model,
    input,
    ...(instructions !== "" && { instructions }),
    ...(tools.length > 0 && { tools: tools.filter(({ name }) => fit.test(name)).map(definition) }),
    cacheId: replies.cacheIdOf(input),
  };
  return { route, model, request };
}

/** Requirements B22: the characters that a name may have on the wire. */
const fit = /^[A-Za-z0-9_-]{1,64}$/;

const definition = ({ name, description, parameters = {} }: ForeignTool): string =>
  JSON.stringify({
    type: "function",
    name,
    description,
    strict: false,
    parameters: { type: "object", properties: {}, ...parameters },
  });

function itemsOf({ role, parts }: CleanMessage, replies: ForeignReplies): string[] {
  const results = parts.flatMap((part) => (part.kind === "result" ? [resultItem(part.id, part.text)] : []));
  const said = parts.filter((part): part is CleanContent => part.kind === "text" || part.kind === "image");
  const isSaid = said.some((part) => part.kind === "image" || part.text.trim() !== "");
  if (role === "user") return [...results, ...(isSaid ? [userItem(said)] : [])];
  const calls = parts.filter((part) => part.kind === "call");
  const kept = new Set(calls.flatMap(({ id }) => replies.of(id) ?? []));
  // What the reply said stands in its own items.
  if (kept.size > 0) return [...kept].map(({ raw }) => raw);
  const text = said.map(textOf).join("");
  return [...(text.trim() === "" ? [] : [assistantItem(text)]), ...calls.map(callItem)];
}

const textOf = (part: CleanPart): string => (part.kind === "text" ? part.text : "");

const callItem = ({ id, name, input }: Extract<CleanPart, { kind: "call" }>): string =>
  JSON.stringify({ type: "function_call", call_id: id, name, arguments: JSON.stringify(input) });

const resultItem = (id: string, output: CleanText | ""): string =>
  JSON.stringify({ type: "function_call_output", call_id: id, output: output || noAnswer });

const noAnswer = "The tool gave no answer.";

/** Every call has exactly one output, right after the calls (requirements E7); an output without a call is left out. */
function answered(items: readonly string[]): string[] {
  const parsed = items.map((raw) => ({ raw, item: JSON.parse(raw) as Readonly<Record<string, unknown>> }));
  const outputs = new Map(
    parsed.flatMap(({ raw, item }) =>
      item["type"] === "function_call_output" ? [[item["call_id"], raw] as const] : [],
    ),
  );
  const all: string[] = [];
  let open: string[] = [];
  const close = () => {
    for (const id of open) all.push(outputs.get(id) ?? resultItem(id, ""));
    open = [];
  };
  for (const { raw, item } of parsed) {
    if (item["type"] === "function_call_output") continue;
    const isCall = item["type"] === "function_call";
    if (!isCall && item["type"] !== "reasoning") close();
    all.push(raw);
    if (isCall) open.push(String(item["call_id"]));
  }
  close();
  return all;
}
