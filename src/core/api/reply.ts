// What every generating operation yields, whatever the wire looked like: one vocabulary for both routes.
// Knows no transport and no dialect.

import type { Problem } from "../conversation/problem.ts";
import type { Usage } from "../conversation/usage.ts";
import type { Message } from "../messages/message.ts";

/** Deltas are for the eye; `ended.reply` is the truth. Exactly one `ended` comes, last. */
export type ReplyEvent =
  | { readonly type: "text"; readonly part: string; readonly delta: string }
  | { readonly type: "refusal"; readonly part: string; readonly delta: string }
  | {
      readonly type: "reasoning";
      readonly part: string;
      readonly delta: string;
      readonly form: "summary" | "raw";
    }
  /** The final form of a part contradicts what was shown. */
  | { readonly type: "replace"; readonly part: string; readonly text: string }
  | { readonly type: "call"; readonly item: string; readonly name: string }
  | { readonly type: "call-input"; readonly item: string; readonly delta: string }
  | {
      readonly type: "search";
      readonly item: string;
      readonly status: string;
      readonly query?: string;
      readonly sources: readonly Source[];
      /** Pictures that were found. */
      readonly images: readonly Source[];
    }
  /** Where a text that is whole says what it is based on. */
  | { readonly type: "cited"; readonly part: string; readonly citations: readonly Citation[] }
  /** One output item, whole and final. */
  | { readonly type: "item"; readonly item: OutputItem }
  /** Before a request is repeated; long enough ahead that a countdown can be shown. */
  | { readonly type: "waiting"; readonly seconds: number; readonly reason: Message }
  | { readonly type: "receipt"; readonly receipt: Receipt }
  /** The service refused something optional; it was left out or changed, and the request sent again. */
  | { readonly type: "adapted"; readonly field: string; readonly note: Message }
  /** `sent` makes the bytes that went out last again, for whoever wants to look at them. */
  | { readonly type: "ended"; readonly reply: Reply; readonly sent?: () => string };

/** What came of a reply in which nothing was understood (requirements G7), without secrets and what is encrypted. */
export interface UnreadBody {
  /** As the service named it, if it did. */
  readonly contentType: string;
  /** Of all that came. */
  readonly bytes: number;
  readonly text: string;
}

export type CallKind = "function" | "custom";

export interface Source {
  readonly url: string;
  readonly title?: string;
}

/** "Output items are passed back unchanged": the bytes go back, the view is for us. */
export interface OutputItem {
  /** The exact JSON text as received. */
  readonly raw: string;
  readonly view: ItemView;
}

export type ItemView =
  | { readonly kind: "message"; readonly parts: readonly MessagePart[] }
  /** What is encrypted of it is opaque and stays in `raw`. */
  | { readonly kind: "reasoning"; readonly summary: readonly string[]; readonly text: string }
  | {
      readonly kind: "call";
      readonly id: string;
      readonly callId: string;
      readonly name: string;
      readonly namespace?: string;
      readonly call: CallKind;
      readonly input: string;
      /** Finished, with an input that can be read as it is. */
      readonly isReady: boolean;
    }
  /** Image results: their shape is not shown by the interface. Query and sources are told as they come. */
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
}

export type ReplyStatus = "completed" | "incomplete" | "failed" | "interrupted" | "stopped";

export interface Reply {
  readonly status: ReplyStatus;
  readonly id?: string;
  readonly model?: string;
  readonly text: string;
  /** What the model said instead of an answer; never part of `text`. */
  readonly refusal?: string;
  /** What was received whole, in order. */
  readonly items: readonly OutputItem[];
  /** Calls that were received whole. */
  readonly calls: readonly ToolCall[];
  /** Those of them that may run: the reply completed, the item too, the id is new, the input can be read. */
  readonly runnable: readonly ToolCall[];
  readonly usage?: Usage;
  /** The cache lifetime that was asked for in what was sent. */
  readonly askedTtl?: "5m" | "1h";
  /** The cache options the service says it applied. */
  readonly cache?: { readonly mode?: string; readonly ttl: string };
  /** The service's own word for an early end, or its unknown status. */
  readonly reason?: string;
  readonly problem?: Problem;
  /** Of a conversation: where it was asked, and under which key and address it was made (call.ts). */
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
  /** False when the reading ended before the body did. */
  readonly responseWhole: boolean;
  readonly model?: string;
  readonly responseId?: string;
  readonly at: number;
}
