// Everything that can happen to a conversation. This union is the specification: a turn yields these events,
// the journal stores them, the bridge carries them, and `reduce` is the only place that acts on them.
// Knows neither the wire nor the page.

import * as z from "zod/mini";
import { Message } from "../messages/schema.ts";
import { AttachmentView } from "./attachment.ts";
import { routes } from "./models.ts";
import { Problem } from "./problem.ts";
import { Receipt } from "./receipt.ts";
import { PatchPart, PatchState, ToolPart } from "./tool-use.ts";
import { Usage } from "./usage.ts";

const turn = z.string();
/** Unique within its turn: which request of the turn, and which part of its reply. */
const part = z.string();

const Source = z.object({ url: z.string(), title: z.optional(z.string()) });
export type Source = Readonly<z.infer<typeof Source>>;

/** Where a text names what it is based on: from and to which of its characters, as far as that was said. */
const Citation = z.object({
  url: z.string(),
  title: z.optional(z.string()),
  start: z.optional(z.number()),
  end: z.optional(z.number()),
});
export type Citation = Readonly<z.infer<typeof Citation>>;
export const Citations = z.array(Citation);

export const SearchPart = z.object({
  type: z.literal("search"),
  id: z.string(),
  status: z.string(),
  query: z.optional(z.string()),
  sources: z.array(Source),
  /** Pictures that were found; absent in what was saved before. */
  images: z.optional(z.array(Source)),
});
export type SearchPart = Readonly<z.infer<typeof SearchPart>>;

/** Of a kind that nobody knows, or of a known one in a form that could not be read (requirements D2). */
export const OtherPart = z.object({
  type: z.literal("other"),
  id: z.string(),
  /** The service's own word for it. */
  kind: z.string(),
  bytes: z.number(),
  /** Its beginning, without what is encrypted; its own bytes are kept elsewhere. */
  json: z.string(),
});
export type OtherPart = Readonly<z.infer<typeof OtherPart>>;

/** How a turn ended. Exactly one `ended` comes, last. */
export const Ending = z.enum(["done", "incomplete", "stopped", "failed", "interrupted"]);
export type Ending = z.infer<typeof Ending>;

/** What the service said of one request besides its figures. */
export const RequestFacts = {
  at: z.optional(z.number()),
  model: z.optional(z.string()),
  /** The cache lifetime it says it applied. */
  ttl: z.optional(z.string()),
  /** The one that was asked for; absent: none, so that the service's default holds. */
  askedTtl: z.optional(z.string()),
  milliseconds: z.optional(z.number()),
  /** What its input was estimated at here, before the service counted it (requirements I9). */
  estimate: z.optional(z.number()),
};

export const ConversationEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("started"),
    turn,
    at: z.number(),
    model: z.string(),
    route: z.enum(routes),
    prompt: z.string(),
    attachments: z.optional(z.array(AttachmentView)),
    /** Goes on with the answer before it, without a new question. */
    continues: z.optional(z.boolean()),
    /** Asks for a hand-over text; where it is done, the history goes on from that. */
    compacts: z.optional(z.boolean()),
    /** JSON was asked for. */
    json: z.optional(z.boolean()),
  }),
  z.object({ type: z.literal("text"), turn, part, delta: z.string() }),
  z.object({ type: z.literal("refusal"), turn, part, delta: z.string() }),
  /** `took`: milliseconds, once it is over. */
  z.object({
    type: z.literal("reasoning"),
    turn,
    part,
    delta: z.string(),
    took: z.optional(z.number()),
  }),
  /** The final form of a part contradicts what was shown: deltas are for the eye, the snapshot is the truth. */
  z.object({ type: z.literal("replaced"), turn, part, text: z.string() }),
  /** What a text is based on, once it is whole. */
  z.object({ type: z.literal("cited"), turn, part, citations: Citations }),
  // What is no text is told as the part that it is, whole each time.
  z.extend(SearchPart, { turn }),
  z.extend(OtherPart, { turn }),
  z.extend(ToolPart, { turn }),
  /** `from`: its files before this one are those that were told; while a patch arrives, only what is new is told. */
  z.extend(PatchPart, { turn, from: z.optional(z.int().check(z.nonnegative())) }),
  z.extend(PatchState, { turn }),
  /** One per request: a turn with tools makes several. */
  z.object({ type: z.literal("usage"), turn, usage: Usage, ...RequestFacts }),
  z.object({ type: z.literal("receipt"), turn, receipt: Receipt }),
  /** The service asks for patience; the next event of the turn ends the waiting. */
  z.object({ type: z.literal("waiting"), turn, until: z.number(), reason: Message }),
  z.object({ type: z.literal("note"), turn, notes: z.array(Message) }),
  z.object({
    type: z.literal("ended"),
    turn,
    at: z.number(),
    ending: Ending,
    /** The service's own word for it, shown verbatim: `max_output_tokens`, a finish reason. */
    reason: z.optional(z.string()),
    problem: z.optional(Problem),
  }),
  /** A person has it left out of what is sent from now on; it stays in sight. */
  z.object({ type: z.literal("excluded"), turn, at: z.number() }),
  /** This turn and all that follow it are no longer part of the conversation: it was edited or asked again. */
  z.object({ type: z.literal("cut"), turn, at: z.number() }),
]);
export type ConversationEvent = Readonly<z.infer<typeof ConversationEvent>>;
