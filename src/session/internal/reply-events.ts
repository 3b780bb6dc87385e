// Converts one reply of the service into events of its turn. The same for both operations, which the client has already
// unified.

import type { ConversationEvent } from "../../conversation/events.ts";
import { type Message, message } from "../../conversation/messages.ts";
import type { Problem } from "../../conversation/problem.ts";
import type { Ending } from "../../conversation/state.ts";
import type { ItemView, OutputItem, Reply, ReplyEvent } from "../../service/reply.ts";
import { imageResult } from "../../service/response-items.ts";
import { StreamingPatches } from "../../tools/patch-view.ts";
import { asArray, asObject, type JsonObject, parseJson } from "../../util/json.ts";
import { present } from "../../util/present.ts";
import { plainText } from "../../util/text.ts";

const endings: Record<Reply["status"], Ending> = {
  completed: "done",
  incomplete: "incomplete",
  failed: "failed",
  interrupted: "interrupted",
  stopped: "stopped",
};

/** What the events of one reply show in its turn. */
export class ReplyView {
  readonly #turn: string;
  readonly #request: number;
  readonly #thinking = new ThinkingTime();
  readonly #unrecognized = new UnrecognizedItems();
  readonly #patches = new StreamingPatches();

  /** `request` numbers the requests of a turn, so that parts of different replies never share an id. */
  constructor(turn: string, request: number) {
    this.#turn = turn;
    this.#request = request;
  }

  take(event: ReplyEvent, now: number): readonly ConversationEvent[] {
    const [turn, request] = [this.#turn, this.#request];
    const thought = this.#thinking.take(turn, request, event, now);
    if (event.type === "ended") return thought;
    const shown = [...thought, ...toConversationEvents(turn, request, event, now)];
    const patch = this.#patches.take(turn, request, event);
    const more = patch === undefined ? [] : [patch];
    return [...shown, ...this.#unrecognized.take(turn, request, event), ...more];
  }
}

function toConversationEvents(
  turn: string,
  request: number,
  event: Exclude<ReplyEvent, { type: "ended" }>,
  now: number,
): ConversationEvent[] {
  const part = (name: string) => `${request}/${name}`;
  switch (event.type) {
    case "text":
    case "refusal":
    case "reasoning":
      return [{ type: event.type, turn, part: part(event.part), delta: event.delta }];
    case "replaced":
      return [{ type: "replaced", turn, part: part(event.part), text: event.text }];
    case "search": {
      const { status, query, sources, images } = event;
      const found = images.length === 0 ? {} : { images: [...images] };
      return [{ type: "search", turn, id: part(event.item), status, query, sources: [...sources], ...found }];
    }
    case "cited":
      return [{ type: "cited", turn, part: part(event.part), citations: [...event.citations] }];
    case "waiting":
      return [{ type: "waiting", turn, until: now + event.seconds * 1000, reason: event.reason }];
    case "note":
      return [{ type: "note", turn, notes: event.notes }];
    case "receipt":
      return [{ type: "receipt", turn, receipt: event.receipt }];
    default:
      return [];
  }
}

/** What a question has used, and how much it may use. */
export interface Spent {
  readonly tokens: number;
  readonly limit: number;
}

export type Ended = Extract<ConversationEvent, { type: "ended" }>;

export function toEnded(turn: string, reply: Reply, at: number): Ended {
  const { reason } = reply;
  const problem = reply.problem ?? problemOf(reply);
  return { type: "ended", turn, at, ending: endings[reply.status], ...present({ reason, problem }) };
}

/** The interface shows one reason; any other is quoted as received (requirements C5). */
function cutOffFor(reason: string | undefined): Message {
  const why = plainText((reason ?? "").replace(/\s+/g, " "), 200);
  return why === "" ? message("problemCutOff") : message("problemCutOffFor", { reason: why });
}

/** Finds problems in a reply that the service itself does not report as failed. */
export function problemOf({ status, reason, items, calls, text, refusal }: Reply): Problem | undefined {
  if (status === "incomplete") {
    const limited = reason === "max_output_tokens" || reason === "length";
    const why = limited ? message("problemLimit") : cutOffFor(reason);
    return {
      kind: "limit",
      message: why,
      actions: limited ? ["continue", "raise-limit"] : ["continue", "retry"],
    };
  }
  // Requirements C12: a completed reply without any content is not a response.
  const empty = items.length === 0 && calls.length === 0 && text.trim() === "" && refusal === undefined;
  if (status !== "completed" || !empty) return undefined;
  return { kind: "protocol", message: message("problemNothing"), actions: ["retry"] };
}

export function endWithoutCalls(reply: Reply, turn: string, step: number, at: number): Ended {
  const isSilent = reply.text.trim() === "" && reply.refusal === undefined;
  if (!isSilent || (reply.calls.length === 0 && step === 0)) return toEnded(turn, reply, at);
  const isRepeated = reply.calls.length > 0;
  const problem: Problem = {
    kind: "protocol",
    message: isRepeated ? message("problemRepeats") : message("problemNoFinal"),
    actions: ["continue", "retry"],
  };
  return { type: "ended", turn, at, ending: isRepeated ? "failed" : "incomplete", problem };
}

export function tooManySteps(turn: string, steps: number, at: number): Ended {
  const problem: Problem = {
    kind: "limit",
    message: message("problemSteps", { steps }),
    actions: ["continue"],
  };
  return { type: "ended", turn, at, ending: "incomplete", reason: "steps", problem };
}

/** Threats, LLM10: a model can request far more than the question a person agreed to send. */
export function tooMuch(turn: string, at: number): Ended {
  const problem: Problem = { kind: "limit", message: message("problemMuch"), actions: ["continue"] };
  return { type: "ended", turn, at, ending: "incomplete", reason: "much", problem };
}

/** Why a turn has ended that has used more tokens than a person allows; what continues it may use as many again. */
export const spentReason = "spent";

export function overLimit(turn: string, { tokens, limit }: Spent, at: number): Ended {
  const said = message("problemSpent", { tokens, limit });
  const problem: Problem = { kind: "limit", message: said, actions: ["continue"] };
  return { type: "ended", turn, at, ending: "incomplete", reason: spentReason, problem };
}

/**
 * Measures how long a model reasoned: from the first reasoning delta to whatever came next. The service does not report
 * this, and the page only sees joined deltas. Depends on event types, not on their content.
 */
export class ThinkingTime {
  #thought: { readonly part: string; readonly since: number } | undefined;

  /** `request` numbers the requests of a turn. */
  take(turn: string, request: number, event: ReplyEvent, now: number): ConversationEvent[] {
    const part = event.type === "reasoning" ? `${request}/${event.part}` : undefined;
    const over = this.#thought;
    // Events about the connection do not interrupt reasoning.
    if (over?.part === part || event.type === "receipt") return [];
    this.#thought = part === undefined ? undefined : { part, since: now };
    if (over === undefined) return [];
    return [{ type: "reasoning", turn, part: over.part, delta: "", took: Math.max(0, now - over.since) }];
  }
}

/** Showing more of something unknown is of no use. */
const longest = 4_000;

interface Unrecognized {
  readonly kind: string;
  readonly value: unknown;
}

/**
 * Shows what a reply contains that its other events do not report: items of unknown kinds, unreadable messages and
 * calls, image results, and reasoning without text (requirements D2, D3, D4, D7, F2). Display only: the item itself is
 * sent back unchanged, whatever is shown here. Encrypted content is counted and never shown (D5).
 */
class UnrecognizedItems {
  #count = 0;
  /** Whether reasoning text was shown since the last complete item. */
  #thoughtAloud = false;

  take(turn: string, request: number, event: ReplyEvent): ConversationEvent[] {
    if (event.type === "reasoning") this.#thoughtAloud = true;
    if (event.type !== "item") return [];
    const { view, raw } = event.item;
    if (view.kind === "reasoning") return this.#thoughts(turn, request, view);
    const unseen = unrecognizedPart(event.item);
    if (unseen === undefined) return [];
    const bytes = unseen.value === undefined ? Buffer.byteLength(raw) : sizeOf(unseen.value);
    const json = written(unseen.value ?? parseJson(raw)).slice(0, longest);
    const id = this.#name(request);
    return [{ type: "other", turn, id, kind: plainText(unseen.kind, 100), bytes, json }];
  }

  #thoughts(
    turn: string,
    request: number,
    { summary, text }: Extract<ItemView, { kind: "reasoning" }>,
  ): ConversationEvent[] {
    const wasAloud = this.#thoughtAloud || summary.join("") !== "" || text !== "";
    this.#thoughtAloud = false;
    return wasAloud ? [] : [{ type: "reasoning", turn, part: this.#name(request), delta: "" }];
  }

  #name(request: number): string {
    this.#count += 1;
    return `${request}/unseen-${this.#count}`;
  }
}

/** Requirements G7: the content of a reply that could not be understood at all, with the type the service gave it. */
export const unreadableReply = (turn: string, request: number, { unread }: Reply): ConversationEvent[] =>
  unread === undefined
    ? []
    : [
        {
          ...{ type: "other", turn, id: `${request}/unread`, kind: unread.contentType || "?" },
          ...{ bytes: unread.bytes, json: unread.text },
        },
      ];

/** `value` is set if only a part of the item is not recognized. */
function unrecognizedPart({ view, raw }: OutputItem): Unrecognized | undefined {
  switch (view.kind) {
    case "other":
      return { kind: view.type, value: undefined };
    case "message":
      return view.parts.length > 0 || saysNothing(asObject(parseJson(raw)) ?? {})
        ? undefined
        : { kind: "message", value: undefined };
    case "search":
      return unrecognizedResults(view.results);
    case "call":
    case "reasoning":
      return undefined;
    default:
      return view satisfies never;
  }
}

/** Image results are reported with their search. */
function unrecognizedResults(results: readonly unknown[]): Unrecognized | undefined {
  const unread = results.filter((result) => imageResult(result) === undefined);
  return unread.length === 0 ? undefined : { kind: "web_search_call.results", value: unread };
}

const saysNothing = ({ content }: JsonObject): boolean =>
  Array.isArray(content) && asArray(content).length === 0;

const sizeOf = (value: unknown): number => Buffer.byteLength(written(value, 0));

/** Empty if the value is nested too deeply to be serialized. */
function written(value: unknown, indent = 2): string {
  const open = (name: string, inner: unknown) =>
    name === "encrypted_content" ? `(${Buffer.byteLength(String(inner))} bytes)` : inner;
  try {
    return JSON.stringify(value, open, indent) ?? "";
  } catch {
    return "";
  }
}
