// Schemas of messages and problems read from the disk or received by the page; anything without a known code is
// rejected.
import * as z from "zod/mini";
import { type Code, catalogue } from "./english.ts";
import type { Message as AMessage, Argument as AnArgument } from "./messages.ts";

const isCode = (code: unknown): code is Code => typeof code === "string" && Object.hasOwn(catalogue, code);

const Argument: z.ZodMiniType<AnArgument> = z.lazy(() =>
  z.union([
    z.string(),
    z.number(),
    z.object({ milliseconds: z.number() }),
    z.object({ at: z.number() }),
    Message,
    z.array(Message),
  ]),
);

export type Message = AMessage;
export const Message: z.ZodMiniType<AMessage> = z.object({
  code: z.custom<Code>(isCode),
  args: z.optional(z.record(z.string(), Argument)),
});

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
  /** Nothing is wrong: it stopped at a limit. */
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
  /** The same without streaming. */
  "retry-whole",
  "continue",
  "raise-limit",
  "proxy-help",
  "connection-check",
  "detect-features",
  "open-log",
  /** Answers to a question of the host: send as intended, or keep the draft. */
  "send-anyway",
  "keep-draft",
  /** Sends without what was asked about. */
  "leave-out",
  /** Opens the texts that the question is about, and leaves it open. */
  "read-whole",
  /** Summarizes the conversation first and continues from that. */
  "compact",
  "cancel",
  /** Sends without the largest attachments. */
  "trim",
  /** Sends the turn again without what only the earlier key could read. */
  "drop-reasoning",
  "remove-attachments",
  "choose-model",
]);
export type ProblemAction = z.infer<typeof ProblemAction>;

/**
 * What went wrong, as data: one sentence for people and what they can do about it. Created in one place
 * (service/internal/fault-to-problem.ts for the service), shown in one place (the page's problem card), never thrown.
 */
export const Problem = z.object({
  kind: ProblemKind,
  /** One complete sentence; its arguments contain neither the key nor control characters. */
  message: Message,
  /** Further facts that help to understand it. */
  hints: z.optional(z.array(Message)),
  actions: z.array(ProblemAction),
  status: z.optional(z.number()),
  /** The service's own text, plain, at most 2,000 characters. */
  detail: z.optional(z.string()),
  requestId: z.optional(z.string()),
  /** Milliseconds since the epoch; set if the service stated when to retry. */
  retryAt: z.optional(z.number()),
});
export type Problem = Readonly<z.infer<typeof Problem>>;

/** All its messages. */
export const sentencesOf = ({
  message,
  hints = [],
}: Pick<Problem, "message" | "hints">): readonly Message[] => [message, ...hints];
