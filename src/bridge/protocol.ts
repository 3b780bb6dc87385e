// Every message between host and page, in both directions, parsed where it arrives. The direction is in the name.
// The page asks one question, `ready`, and may ask it again at any time; the answer is the whole truth, except that
// the turns above a long conversation's end follow in windows (`earlier`).
import * as z from "zod/mini";
import { Decision } from "../core/conversation/decision.ts";
import { ConversationEvent } from "../core/conversation/events.ts";
import { ProblemAction } from "../core/conversation/problem.ts";
import { Conversation, Turn } from "../core/conversation/state.ts";
import { Surroundings } from "./surroundings.ts";

/** Longer than any prompt a person types, short enough that a hostile page cannot flood the host. */
const text = z.string().check(z.maxLength(1024 * 1024));
const name = z.string().check(z.maxLength(1024));

/** What can be done with one turn. The host decides what it means; the page shows what the host is able to do. */
export const TurnAction = z.enum(["regenerate", "retry", "continue", "branch", "inspect"]);
export type TurnAction = z.infer<typeof TurnAction>;

/** What can be done with the edits of one patch. */
export const CallAction = z.enum(["review", "undo"]);
export type CallAction = z.infer<typeof CallAction>;

export const ToHost = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  /** The page has the turns from this index on and asks for the ones above. */
  z.object({ type: z.literal("earlier"), before: z.int().check(z.positive()) }),
  z.object({ type: z.literal("send"), prompt: text }),
  z.object({ type: z.literal("stop") }),
  z.object({ type: z.literal("draft"), text }),
  z.object({ type: z.literal("choose-model"), model: name }),
  z.object({ type: z.literal("act"), action: ProblemAction }),
  z.object({ type: z.literal("act-on-turn"), turn: name, action: TurnAction }),
  /** Asks the question of a turn again in other words; what followed it is given up or branched by the host. */
  z.object({ type: z.literal("edit-turn"), turn: name, prompt: text }),
  /** The answer to a tool or a patch that asks; the host takes it only while that one is asking. */
  z.object({ type: z.literal("decide"), call: name, decision: Decision }),
  z.object({ type: z.literal("act-on-call"), call: name, action: CallAction }),
  z.object({
    type: z.literal("open-file"),
    path: z.string().check(z.maxLength(4096)),
    line: z.optional(z.int()),
  }),
  z.object({ type: z.literal("copy"), text }),
  z.object({ type: z.literal("open-link"), url: z.string().check(z.maxLength(8192)) }),
]);
export type ToHost = z.infer<typeof ToHost>;

export const ToPage = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("snapshot"),
    seq: z.number(),
    /** The end of the conversation: as many turns as a person can look at first. */
    conversation: Conversation,
    /** How many turns stand above them. */
    above: z.number(),
    draft: z.string(),
    surroundings: Surroundings,
  }),
  z.object({
    type: z.literal("earlier"),
    conversation: z.string(),
    /** Index of the first of these turns in the conversation. */
    first: z.number(),
    turns: z.array(Turn),
  }),
  z.object({ type: z.literal("events"), seq: z.number(), events: z.array(ConversationEvent) }),
  z.object({ type: z.literal("surroundings"), surroundings: Surroundings }),
]);
export type ToPage = z.infer<typeof ToPage>;
