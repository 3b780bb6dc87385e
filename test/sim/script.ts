// The words a script is written in: `sim.reply(text("Hello"), usage({...}), cutAfter(40))`. Each gives one part;
// faults (faults.ts) and whole answers (answers.ts) are parts too.
import type { Delivery } from "./delivery.ts";
import type { Form } from "./form.ts";
import type { JsonObject } from "./json.ts";
import type { Citation, Ending, Piece, Source, TextPart } from "./turn.ts";
import type { Usage } from "./usage.ts";

export type Event = JsonObject;

export type Fault = {
  readonly part: "fault";
  readonly name: string;
  readonly change: (delivery: Delivery) => Delivery;
};

/** A whole answer of HTTP in place of a turn. */
export type Answer = { readonly part: "answer"; readonly delivery: Delivery };

export type Part =
  | { readonly part: "piece"; readonly piece: Piece }
  | { readonly part: "ending"; readonly ending: Ending }
  | { readonly part: "usage"; readonly usage: Partial<Usage> | null }
  | { readonly part: "form"; readonly form: Partial<Form> }
  | { readonly part: "events"; readonly change: (events: readonly Event[]) => readonly Event[] }
  | Answer
  | Fault;

type PiecePart = Extract<Part, { part: "piece" }>;

const piece = (made: Piece): PiecePart => ({ part: "piece", piece: made });

/** Assistant text, as one message item. Citations link words of it. */
export function text(words: string, ...citations: readonly Citation[]): PiecePart {
  return message({ kind: "text", text: words, citations });
}

export function refusal(words: string): PiecePart {
  return message({ kind: "refusal", text: words });
}

/** One message item with several content parts. */
export function message(...parts: readonly TextPart[]): PiecePart {
  return piece({ kind: "message", parts });
}

/** Said on the way, or the answer itself. */
export function inPhase(phase: "commentary" | "final_answer", said: PiecePart): PiecePart {
  return said.piece.kind === "message" ? piece({ ...said.piece, phase }) : said;
}

export function cite(url: string, title: string, words: string): Citation {
  return { url, title, words };
}

/** A reasoning item: a summary, or several, or raw reasoning; `encrypted: ""` leaves the opaque content out. */
export function reasoning(
  what: string | { readonly summary?: readonly string[]; readonly raw?: string; readonly encrypted?: string },
): PiecePart {
  if (typeof what === "string") return piece({ kind: "reasoning", summary: [what] });
  return piece({ ...what, kind: "reasoning", summary: what.summary ?? [] });
}

/** A function call; arguments as an object, or as the exact string. */
export function call(
  name: string,
  args: JsonObject | string = {},
  more: { readonly namespace?: string; readonly callId?: string } = {},
): PiecePart {
  return piece({
    ...more,
    kind: "call",
    name,
    arguments: typeof args === "string" ? args : JSON.stringify(args),
  });
}

/** An `apply_patch` custom call. On Chat completions it becomes the function `apply_patch` with `{input}`. */
export function patchCall(patch: string, more: { readonly callId?: string } = {}): PiecePart {
  return piece({ ...more, kind: "patch", input: patch });
}

export function search(
  query: string,
  sources: readonly Source[] = [],
  results?: readonly JsonObject[],
): PiecePart {
  return piece({ kind: "search", query, sources, ...(results === undefined ? {} : { results }) });
}

/** An item of any type, sent as it is. */
export function item(raw: JsonObject): PiecePart {
  return piece({ kind: "item", item: raw });
}

export function incomplete(reason = "max_output_tokens"): Part {
  return { part: "ending", ending: { kind: "incomplete", reason } };
}

export function failed(message_ = "The model had an error.", code = "server_error"): Part {
  return { part: "ending", ending: { kind: "failed", code, message: message_ } };
}

/** An `error` record in the stream; `thenFailed` sends `response.failed` behind it. */
export function errorEvent(
  message_: string,
  code = "server_error",
  shape: "flat" | "nested" = "flat",
  thenFailed = false,
): Part {
  return { part: "ending", ending: { kind: "error", code, message: message_, shape, thenFailed } };
}

/** Overrides figures of the computed usage; `null` reports none. */
export function usage(figures: Partial<Usage> | null): Part {
  return { part: "usage", usage: figures };
}

export function form(change: Partial<Form>): Part {
  return { part: "form", form: change };
}

/** Neighbouring calls arrive interleaved: all are opened, their deltas alternate, then all are closed. */
export function interleaved(): Part {
  return form({ interleaved: true });
}

/** Changes the list of events (or chat chunks) before it is encoded. */
export function events(change: (events: readonly Event[]) => readonly Event[]): Part {
  return { part: "events", change };
}
