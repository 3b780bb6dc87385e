// A conversation as host and page see it. Made by `reduce` and by nothing else; every object is replaced when
// it changes and kept identical when it does not, so that a view can compare by reference.

import * as z from "zod/mini";
import { Message } from "../messages/schema.ts";
import { AttachmentView } from "./attachment.ts";
import { Citations, Ending, OtherPart, RequestFacts, SearchPart } from "./events.ts";
import { routes } from "./models.ts";
import { Problem } from "./problem.ts";
import { Receipt } from "./receipt.ts";
import { PatchPart, ToolPart } from "./tool-use.ts";
import { Usage } from "./usage.ts";

export const Part = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("text"),
    id: z.string(),
    text: z.string(),
    citations: z.optional(Citations),
  }),
  z.object({ type: z.literal("refusal"), id: z.string(), text: z.string() }),
  z.object({
    type: z.literal("reasoning"),
    id: z.string(),
    text: z.string(),
    took: z.optional(z.number()),
  }),
  SearchPart,
  OtherPart,
  ToolPart,
  PatchPart,
  z.object({ type: z.literal("note"), id: z.string(), notes: z.array(Message) }),
]);
export type Part = Readonly<z.infer<typeof Part>>;

export const RequestUsage = z.extend(Usage, RequestFacts);
export type RequestUsage = Readonly<z.infer<typeof RequestUsage>>;

export const Turn = z.object({
  id: z.string(),
  at: z.number(),
  model: z.string(),
  route: z.enum(routes),
  prompt: z.string(),
  attachments: z.array(AttachmentView),
  /** Goes on with the turn before it. */
  continues: z.boolean(),
  /** Its answer is a hand-over text: the history goes on from that, once it is done. */
  compacts: z.optional(z.boolean()),
  /** JSON was asked for. */
  json: z.optional(z.boolean()),
  /** A person has it left out of what is sent. */
  excluded: z.optional(z.boolean()),
  parts: z.array(Part),
  status: z.union([z.literal("running"), Ending]),
  waiting: z.optional(z.object({ until: z.number(), reason: Message })),
  /** One row per request the turn made. */
  usage: z.array(RequestUsage),
  receipts: z.array(Receipt),
  endedAt: z.optional(z.number()),
  reason: z.optional(z.string()),
  problem: z.optional(Problem),
});
export type Turn = Readonly<z.infer<typeof Turn>>;

export const Conversation = z.object({ id: z.string(), turns: z.array(Turn) });
export type Conversation = Readonly<z.infer<typeof Conversation>>;
