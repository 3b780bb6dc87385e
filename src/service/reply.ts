// The events and reply of every generating operation, one vocabulary for both routes, and the receipts of what was
// exchanged. Independent of the transport and of dialects.

import { createHash } from "node:crypto";
import type { ConversationEvent } from "../conversation/events.ts";
import type { Message } from "../conversation/messages.ts";
import type { Problem } from "../conversation/problem.ts";
import type { Usage } from "../conversation/state.ts";
import { present } from "../util/present.ts";
import type { HeaderReader } from "./internal/fault.ts";
import { formsOf, hideIn } from "./internal/hide-key-in-replies.ts";

/** What is shown is an event of the conversation from the start; only the turn that it belongs to is added there. */
type Shown<Type extends ConversationEvent["type"]> = Readonly<
  Omit<Extract<ConversationEvent, { type: Type }>, "turn">
>;

/** Deltas are for display; `ended.reply` is authoritative. Exactly one `ended` comes, as the last. */
export type ReplyEvent =
  | Shown<"text">
  | Shown<"refusal">
  | Shown<"reasoning">
  | Shown<"replaced">
  | { readonly type: "call"; readonly item: string; readonly name: string }
  | { readonly type: "call-input"; readonly item: string; readonly delta: string }
  | {
      readonly type: "search";
      readonly item: string;
      readonly status: string;
      readonly query?: string;
      readonly sources: readonly Source[];
      /** Images that were found. */
      readonly images: readonly Source[];
    }
  /** The sources of a text, once it is complete. */
  | { readonly type: "cited"; readonly part: string; readonly citations: readonly Citation[] }
  /** One output item, complete and final. */
  | { readonly type: "item"; readonly item: OutputItem }
  /** Before a request is repeated; early enough to show a countdown. */
  | { readonly type: "waiting"; readonly seconds: number; readonly reason: Message }
  | { readonly type: "receipt"; readonly receipt: Receipt }
  /** The service refused something optional; it was omitted or changed, and the request sent again. */
  | (Shown<"note"> & { readonly field: string })
  /** `sent` rebuilds the bytes of the last request, for display. */
  | { readonly type: "ended"; readonly reply: Reply; readonly sent?: () => string };

/** The body of a reply in which nothing was understood (requirements G7), without secrets and encrypted content. */
export interface UnreadBody {
  /** As the service named it, if at all. */
  readonly contentType: string;
  /** The size of everything that was received. */
  readonly bytes: number;
  readonly text: string;
}

type CallKind = "function" | "custom";

export interface Source {
  readonly url: string;
  readonly title?: string;
}

/** "Output items are passed back unchanged": `raw` is sent back, `view` is for our own use. */
export interface OutputItem {
  /** The exact JSON text as received. */
  readonly raw: string;
  readonly view: ItemView;
}

export type ItemView =
  | { readonly kind: "message"; readonly parts: readonly MessagePart[] }
  /** Its encrypted content is opaque and stays in `raw`. */
  | { readonly kind: "reasoning"; readonly summary: readonly string[]; readonly text: string }
  | {
      readonly kind: "call";
      readonly id: string;
      readonly callId: string;
      readonly name: string;
      readonly namespace?: string;
      readonly call: CallKind;
      readonly input: string;
      /** The call is finished, and its input is a string. */
      readonly isReady: boolean;
    }
  /** Image results, whose shape the interface does not show. Query and sources are reported by events. */
  | { readonly kind: "search"; readonly results: readonly unknown[] }
  | { readonly kind: "other"; readonly type: string; readonly bytes: number };

export interface MessagePart {
  readonly type: "text" | "refusal";
  readonly text: string;
  readonly citations: readonly Citation[];
}

export interface Citation {
  readonly url: string;
  readonly title?: string;
  readonly start?: number;
  readonly end?: number;
}

export interface ToolCall {
  readonly item: string;
  readonly callId: string;
  readonly name: string;
  readonly namespace?: string;
  readonly kind: CallKind;
  /** JSON for a function, raw text for a custom tool. */
  readonly input: string;
  /** It was written as text in the reply, as anybody could have written it, and never runs. */
  readonly isWords?: boolean;
}

export type ReplyStatus = "completed" | "incomplete" | "failed" | "interrupted" | "stopped";

export interface Reply {
  readonly status: ReplyStatus;
  readonly id?: string;
  readonly model?: string;
  readonly text: string;
  /** The model's refusal, in place of a response; never part of `text`. */
  readonly refusal?: string;
  /** Items that were received completely, in order. */
  readonly items: readonly OutputItem[];
  /** Calls that were received completely. */
  readonly calls: readonly ToolCall[];
  /** The calls that may run: reply and item completed, the id is new, the input can be read. */
  readonly runnable: readonly ToolCall[];
  readonly usage?: Usage;
  /** The cache lifetime that was requested. */
  readonly askedTtl?: "5m" | "1h";
  /** The cache options the service says it applied. */
  readonly cache?: { readonly mode?: string; readonly ttl: string };
  /** The service's own reason for an early end, or its unknown status. */
  readonly reason?: string;
  readonly problem?: Problem;
  /** For a conversation: the origin that was asked, and the maker, derived from key and address (call.ts). */
  readonly by?: { readonly origin: string; readonly maker: string };
  /** Where nothing in it was understood: how it began. */
  readonly unread?: UnreadBody;
  /** HTTP requests made for this reply. */
  readonly requests: number;
  /** completed_at − created_at, when the service reports both. */
  readonly milliseconds?: number;
  /** finish_reason of a chat reply, verbatim. */
  readonly finish?: string;
}

/** Kept to prove later that the service handled the request. How to verify it is not published. */
export interface Receipt {
  readonly operation: string;
  readonly nonce: string;
  readonly timestamp: string;
  readonly signature: string;
  /** SHA-256 (hex) of the exact bytes of both bodies. */
  readonly requestSha256: string;
  readonly responseSha256: string;
  /** False when reading stopped before the end of the body. */
  readonly responseWhole: boolean;
  readonly model?: string;
  readonly responseId?: string;
  readonly at: number;
}

/** Waits for the final reply and ignores all events before it. */
export async function finalReply(events: AsyncGenerator<ReplyEvent, void>): Promise<Reply> {
  for await (const event of events) if (event.type === "ended") return event.reply;
  throw new Error("A reply has one last event.");
}

// Receipts: what was sent and received, and the service's signature for it. Recorded but not verified, because the
// procedure is not published (interface, "Authentication" 3 and 5). The bytes are kept in memory for a while.

const longest = 4 * 1024;

interface ReceiptParts {
  readonly operation: string;
  readonly nonce: string | undefined;
  readonly header: HeaderReader;
  readonly sent: Uint8Array | undefined;
  readonly received: Digested | undefined;
  /** Where the bytes are kept for a while. */
  readonly keep: ReceiptBytes | undefined;
  readonly model?: string | undefined;
  readonly responseId?: string | undefined;
  readonly at: number;
  /** Keys that must not be stored, even if the service repeats them. */
  readonly keys: readonly string[];
}

/**
 * `undefined` unless both headers are present: a request with an invalid nonce is answered without them, which is not
 * an error.
 */
export function receiptOf(parts: ReceiptParts): Receipt | undefined {
  const { operation, nonce, header, sent, received, keep, model, responseId, at, keys } = parts;
  const timestamp = header("svc-request-timestamp");
  const signature = header("svc-request-signature");
  if (nonce === undefined || received === undefined || !timestamp || !signature) return undefined;
  const forms = formsOf(keys);
  const bytes = Buffer.from(received.bytes ?? []);
  const response = forms.some((form) => bytes.includes(form)) ? undefined : received.bytes;
  const request = sent ?? new Uint8Array();
  keep?.keep(nonce, present({ request, response }));
  const receipt: Receipt = present({
    operation,
    nonce,
    timestamp: timestamp.slice(0, longest),
    signature: signature.slice(0, longest),
    requestSha256: createHash("sha256").update(request).digest("hex"),
    responseSha256: received.sha256,
    responseWhole: received.whole,
    model,
    responseId,
    at,
  });
  return hideIn(receipt, forms) as Receipt;
}

export interface Digested {
  readonly sha256: string;
  /** False when reading stopped before the end of the body. */
  readonly whole: boolean;
  /** Absent when there were too many to keep. */
  readonly bytes?: Uint8Array;
}

const maxKept = 4 * 1024 * 1024;

export class ReplyDigest {
  readonly #hash = createHash("sha256");
  #kept: Uint8Array[] | undefined = [];
  #length = 0;

  update(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#length += chunk.length;
    if (this.#length > maxKept) this.#kept = undefined;
    // A copy, because the chunk is a view of a larger buffer.
    this.#kept?.push(Buffer.from(chunk));
  }

  result(whole: boolean): Digested {
    const sha256 = this.#hash.copy().digest("hex");
    return { sha256, whole, ...(this.#kept && { bytes: Buffer.concat(this.#kept) }) };
  }
}

interface Exchanged {
  readonly request?: Uint8Array;
  /** Absent when it was too long to keep. */
  readonly response?: Uint8Array;
}

/** Each request contains its whole conversation, so more than a few long ones would only take up memory. */
const maxBytes = 8 * 1024 * 1024;
const maxReceipts = 50;

export class ReceiptBytes {
  readonly #kept = new Map<string, Exchanged>();
  #bytes = 0;

  keep(nonce: string, exchanged: Exchanged): void {
    this.#forget(nonce);
    this.#kept.set(nonce, exchanged);
    this.#bytes += sizeOf(exchanged);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= maxReceipts && this.#bytes <= maxBytes) return;
      this.#forget(oldest);
    }
  }

  /** By the nonce of its receipt; `undefined` when nothing is kept for it. */
  of(nonce: string): Exchanged | undefined {
    return this.#kept.get(nonce);
  }

  #forget(nonce: string): void {
    const known = this.#kept.get(nonce);
    if (known === undefined) return;
    this.#kept.delete(nonce);
    this.#bytes -= sizeOf(known);
  }
}

const sizeOf = ({ request, response }: Exchanged): number => (request?.length ?? 0) + (response?.length ?? 0);
