// The form of every record of a journal, checked as it is read: a disk can hold anything. Its types are in record.ts.
import * as z from "zod/mini";
import { ConversationEvent } from "./events.ts";
import { permissions } from "./permission.ts";
import { cacheTiers, simplerForms } from "./record.ts";

const raw = z.array(z.string());

/** What stays the same for the conversation's life; a later one takes the place of the first. */
const Opened = z.object({
  type: z.literal("opened"),
  at: z.number(),
  instructions: z.string(),
  /** The same for models that cannot use tools. */
  chatInstructions: z.string(),
  /** Raw JSON of each tool definition, in the order in which it is sent. */
  tools: raw,
  /** One value for a whole conversation improves the cache hit rate; it names nobody and no place. */
  cacheId: z.string(),
});

/**
 * What a turn adds to the history: raw items, sent back byte for byte. Never shown to the page: reasoning may be
 * encrypted, and the page has no use for it.
 */
const Replay = z.object({
  type: z.literal("replay"),
  turn: z.string(),
  items: raw,
  /** Under which key and address the service made them (api/call.ts); absent of what is ours, and in older journals. */
  maker: z.optional(z.string()),
});

/** What the user has chosen for this conversation; of each choice the latest counts. */
const Choices = z.object({
  type: z.literal("choices"),
  at: z.number(),
  webSearch: z.optional(z.boolean()),
  cacheTier: z.optional(z.enum(cacheTiers)),
  /** `null`: none, whatever the settings say. */
  outputLimit: z.optional(z.nullable(z.number())),
  /** Empty: none is asked for, whatever the settings say. */
  effort: z.optional(z.string()),
  /** Responses are JSON. */
  json: z.optional(z.boolean()),
  /** What tools of others may do, by their whole names; all that were chosen, each time. */
  tools: z.optional(z.record(z.string(), z.enum(permissions))),
});

/** The service refused its own earlier items, and a person agreed: from now on they are sent in a simpler form. */
const Simplified = z.object({ type: z.literal("simplified"), at: z.number(), form: z.enum(simplerForms) });

export const StoredRecord = z.union([ConversationEvent, Replay, Opened, Simplified, Choices]);
