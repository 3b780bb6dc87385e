// A record of a journal, checked as it is read: a disk can hold anything.
import * as z from "zod/mini";
import { ConversationEvent } from "./events.ts";

const raw = z.array(z.string());

export const StoredRecord = z.union([
  ConversationEvent,
  z.object({ type: z.literal("replay"), turn: z.string(), items: raw, maker: z.optional(z.string()) }),
  z.object({
    type: z.literal("opened"),
    at: z.number(),
    instructions: z.string(),
    chatInstructions: z.string(),
    tools: raw,
    cacheId: z.string(),
  }),
  z.object({ type: z.literal("simplified"), at: z.number(), form: z.enum(["no-search", "plain"]) }),
  z.object({
    type: z.literal("choices"),
    at: z.number(),
    webSearch: z.optional(z.boolean()),
    cacheTier: z.optional(z.enum(["default", "5m", "1h"])),
    outputLimit: z.optional(z.nullable(z.number())),
    tools: z.optional(z.record(z.string(), z.enum(["auto", "ask", "off"]))),
  }),
]);
