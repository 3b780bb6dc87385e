// What went wrong, as data: one sentence for people and what they can do about it. Made in one place
// (core/api/fault-to-problem.ts for the service), shown in one place (the page's problem card), never thrown.

import * as z from "zod/mini";
import { Message } from "../messages/schema.ts";

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
  "detect-features",
  "open-log",
  /** Answers to a question of the host: go on as meant, or leave the draft as it is. */
  "send-anyway",
  "keep-draft",
  /** Has the conversation summarized first, and goes on from that. */
  "compact",
  "cancel",
  /** Sends without the largest of what is attached. */
  "trim",
  /** Sends the turn again without what only the earlier key could read. */
  "drop-reasoning",
  "remove-attachments",
  "choose-model",
]);
export type ProblemAction = z.infer<typeof ProblemAction>;

export const Problem = z.object({
  kind: ProblemKind,
  /** One sentence, complete by itself; what stands in it is free of the key and of control characters. */
  message: Message,
  /** What else helps to understand it. */
  hints: z.optional(z.array(Message)),
  actions: z.array(ProblemAction),
  status: z.optional(z.number()),
  /** The service's own words, at most 2,000 characters, plain text. */
  detail: z.optional(z.string()),
  requestId: z.optional(z.string()),
  /** Milliseconds since the epoch; set when the service said when to come back. */
  retryAt: z.optional(z.number()),
});
export type Problem = Readonly<z.infer<typeof Problem>>;

/** All of it that is said in sentences. */
export const sentencesOf = ({
  message,
  hints = [],
}: Pick<Problem, "message" | "hints">): readonly Message[] => [message, ...hints];
