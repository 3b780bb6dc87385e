// Calls in the text of a chat model's reply, made into what the Responses operation would have reported: text without
// them, rows while a patch arrives, and items for the history. Calls that the service reports although no tool was sent
// are answered in the same way.
import type { OutputItem, Reply, ReplyEvent, ToolCall } from "../../service/reply.ts";
import { readArguments } from "../../service/response-items.ts";
import { present } from "../../util/present.ts";
import { wellFormed } from "../../util/text.ts";
import { assistantItem } from "./history.ts";
import { type CallsInText, nameInBlock, TextCalls, toolNamed } from "./text-calls.ts";

/** Of a block that cannot be read, as much is repeated to the model. */
const longestUnread = 4_000;

/** What a reply has called, before it has an id. */
type Made = Omit<ToolCall, "callId"> & { readonly isRunnable: boolean };

export class WrittenCalls {
  readonly #offered: CallsInText | undefined;
  readonly #ids: string;
  readonly #readers = new Map<string, { readonly calls: TextCalls; readonly patch: PatchLines }>();

  /** `offered`: undefined if the model was told of no tools. `ids`: the beginning of the ids of its calls. */
  constructor(offered: CallsInText | undefined, ids: string) {
    this.#offered = offered;
    this.#ids = ids;
  }

  /** What is shown of an event: text once it is known not to be a call, and a patch line by line. */
  show(event: ReplyEvent): readonly ReplyEvent[] {
    const offered = this.#offered;
    if (offered === undefined) return [event];
    if (event.type === "text") {
      const reader = this.#readers.get(event.part) ?? this.#begin(event.part, offered);
      const delta = reader.calls.push(event.delta);
      return [...(delta === "" ? [] : [{ ...event, delta }]), ...reader.patch.take(reader.calls.block)];
    }
    if (event.type === "replaced")
      return [{ ...event, text: this.#begin(event.part, offered).calls.push(event.text) }];
    if (event.type !== "ended") return [event];
    const left = [...this.#readers].flatMap(([part, { calls }]): ReplyEvent[] => {
      const { text } = calls.end();
      return text === "" ? [] : [{ type: "text", part, delta: text }];
    });
    return [...left, event];
  }

  #begin(part: string, { mark }: CallsInText) {
    const reader = { calls: readerFor(mark), patch: new PatchLines(mark) };
    this.#readers.set(part, reader);
    return reader;
  }

  /** The whole text of a reply decides, not its deltas. A reply that was cut off has called nothing. */
  replyOf(received: Reply): Reply {
    const { text, calls: inText } = this.#read(received);
    const native = received.calls.map((call): Made => {
      const isRunnable = received.runnable.some(({ item }) => item === call.item);
      return { ...call, ...toolNamed(this.#offered ?? { tools: [] }, call.name), isRunnable };
    });
    const made = [...native, ...inText];
    if (made.length === 0) return text === received.text ? received : { ...received, text };
    const isWhole = received.status === "completed";
    const calls = made.map(({ isRunnable: _, ...call }, number): ToolCall => {
      // A call without an id is not kept, and its row says that it was cut off.
      return { ...call, callId: isWhole ? `${this.#ids}-${number}` : "" };
    });
    const runnable = isWhole ? calls.filter((_, number) => made[number]?.isRunnable === true) : [];
    const items = [
      ...(isWhole && text.trim() !== "" ? [messageItem(text.trimEnd())] : []),
      ...calls.map(callItem),
    ];
    return { ...received, text, items, calls: isWhole ? calls : [], runnable };
  }

  #read({ text: received, status }: Reply): { readonly text: string; readonly calls: readonly Made[] } {
    if (this.#offered === undefined) return { text: received, calls: [] };
    const reader = readerFor(this.#offered.mark);
    const shown = reader.push(received);
    const block = reader.block.join("");
    const { calls, isUnread, isFenced, text } = reader.end();
    const offered = this.#offered;
    const made = calls.map(({ name, input }, number): Made => {
      const call = { kind: "function", ...toolNamed(offered, name), input: JSON.stringify(input) } as const;
      return { ...call, item: `written-${number}`, isRunnable: true };
    });
    // An example in a code block is no call, but nobody ends with one unasked.
    const isMeant = isUnread || (isFenced && status === "completed");
    const unread = isMeant ? [unreadCall(block)] : [];
    return { text: `${shown}${text}`, calls: [...made, ...unread] };
  }
}

const readerFor = (mark: string): TextCalls => new TextCalls(undefined, mark, { isPatched: true });

const unreadCall = (block: string): Made => ({
  item: "written-0",
  kind: "function",
  name: nameInBlock(block),
  input: JSON.stringify({ unread: wellFormed(block.slice(0, longestUnread)) }),
  isWords: true,
  isRunnable: false,
});

function messageItem(text: string): OutputItem {
  const raw = assistantItem(text);
  return { raw, view: { kind: "message", parts: [{ type: "text", text, citations: [] }] } };
}

/** As the interface shows a call, so that a model that takes tools can read it as well. */
function callItem({ item: id, callId, name, namespace, input: given }: ToolCall): OutputItem {
  const input = readArguments(given) === undefined ? JSON.stringify({ unread: given }) : given || "{}";
  const view = { kind: "call", id, callId, name, call: "function", input, isReady: true } as const;
  const owner = present({ namespace });
  const raw = { type: "function_call", call_id: callId, name, ...owner, arguments: input };
  return { raw: JSON.stringify(raw), view: { ...view, ...owner } };
}

/** The lines of a patch, if it is the first call of a reply, for its row. Display only. */
class PatchLines {
  readonly #opening: string;
  readonly #closing: string;
  #read = 0;
  /** The last line, in pieces. */
  #held: string[] = [];
  #at: "start" | "patch" | "over" = "start";

  constructor(mark: string) {
    this.#opening = `<apply_patch_${mark}>`;
    this.#closing = `</apply_patch_${mark}>`;
  }

  take(block: readonly string[]): readonly ReplyEvent[] {
    if (this.#at === "over" || block.length === this.#read) return [];
    const news = block.slice(this.#read).join("");
    this.#read = block.length;
    const end = news.lastIndexOf("\n") + 1;
    if (end === 0) {
      this.#held.push(news);
      return [];
    }
    const lines = `${this.#held.join("")}${news.slice(0, end)}`.split(/(?<=\n)/);
    this.#held = [news.slice(end)];
    const item = "written-0";
    const events: ReplyEvent[] = [];
    if (this.#at === "start") {
      const isPatch = lines.shift()?.trim() === this.#opening;
      this.#at = isPatch ? "patch" : "over";
      if (!isPatch) return [];
      events.push({ type: "call", item, name: "apply_patch" });
    }
    const over = lines.findIndex((line) => line.startsWith(this.#closing));
    if (over >= 0) this.#at = "over";
    const delta = (over < 0 ? lines : lines.slice(0, over)).join("");
    return delta === "" ? events : [...events, { type: "call-input", item, delta }];
  }
}
