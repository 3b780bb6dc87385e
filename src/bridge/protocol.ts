// Every message between host and page, in both directions, parsed where it arrives. The direction is in the name.
// The page asks one question, `ready`, and may ask it again at any time; the answer is the whole truth.
import * as z from "zod/mini";
import { ConversationEvent } from "../core/conversation/events.ts";
import { Problem, ProblemAction } from "../core/conversation/problem.ts";
import { Conversation } from "../core/conversation/state.ts";

/** Longer than any prompt a person types, short enough that a hostile page cannot flood the host. */
const text = z.string().check(z.maxLength(1024 * 1024));

export const ToHost = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({ type: z.literal("send"), prompt: text }),
  z.object({ type: z.literal("stop") }),
  z.object({ type: z.literal("draft"), text }),
  z.object({ type: z.literal("choose-model"), model: z.string() }),
  z.object({ type: z.literal("act"), action: ProblemAction }),
]);
export type ToHost = z.infer<typeof ToHost>;

/** What stands around the conversation. */
export const Surroundings = z.object({
  model: z.string(),
  models: z.array(z.object({ id: z.string(), label: z.string() })),
  /** Why nothing can be sent yet: no base address, no key. */
  problem: z.optional(Problem),
});
export type Surroundings = z.infer<typeof Surroundings>;

export const ToPage = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("snapshot"),
    seq: z.number(),
    conversation: Conversation,
    draft: z.string(),
    surroundings: Surroundings,
  }),
  z.object({ type: z.literal("events"), seq: z.number(), events: z.array(ConversationEvent) }),
  z.object({ type: z.literal("surroundings"), surroundings: Surroundings }),
]);
export type ToPage = z.infer<typeof ToPage>;
