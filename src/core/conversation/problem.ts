// What went wrong, as data: one sentence for people and what they can do about it. Made in one place
// (core/api/errors.ts for the service), shown in one place (the page's problem card), never thrown.
import * as z from "zod/mini";

const ProblemKind = z.enum([
  "not-configured",
  "no-key",
  "auth",
  "bad-request",
  "not-found",
  "too-large",
  "busy",
  "quota",
  "server",
  "network",
  "timeout",
  "redirect",
  "protocol",
  /** Nothing is wrong: it stopped where it was told to. */
  "limit",
  "refused-locally",
  "bug",
]);
export type ProblemKind = z.infer<typeof ProblemKind>;

/** A button. The host decides what it does; the page only shows it. */
export const ProblemAction = z.enum([
  "set-base-url",
  "set-key",
  "retry",
  /** The same without a stream. */
  "retry-whole",
  "continue",
  "raise-limit",
  "proxy-help",
  "connection-check",
  "open-log",
  /** Answers to a question of the host: go on as meant, or leave the draft as it is. */
  "send-anyway",
  "keep-draft",
  /** Sends without the largest of what is attached. */
  "trim",
  /** Sends the turn again without what only the earlier key could read. */
  "drop-reasoning",
  "remove-attachments",
  "choose-model",
]);
export type ProblemAction = z.infer<typeof ProblemAction>;

/** What a question of the host is about, so that it can be put in the reader's language. */
const Asks = z.discriminatedUnion("about", [
  z.object({
    about: z.literal("spending"),
    uncached: z.number(),
    limit: z.number(),
    /** About, of the input alone, by the user's own prices, with its currency. */
    cost: z.optional(z.string()),
    /** Labels of attachments without which it would be less. */
    trim: z.array(z.string()),
  }),
  z.object({ about: z.literal("first-use"), name: z.string(), path: z.string() }),
]);

export const Problem = z.object({
  kind: ProblemKind,
  /** One sentence, complete by itself, already free of the key and of control characters. */
  message: z.string(),
  actions: z.array(ProblemAction),
  status: z.optional(z.number()),
  /** The service's own words, at most 2,000 characters, plain text. */
  detail: z.optional(z.string()),
  requestId: z.optional(z.string()),
  /** Milliseconds since the epoch; set when the service said when to come back. */
  retryAt: z.optional(z.number()),
  asks: z.optional(Asks),
});
export type Problem = Readonly<z.infer<typeof Problem>>;
