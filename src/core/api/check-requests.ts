// What the connection check and the detection of features have in common: the tiny requests that they make, and how these are
// agreed to and written down.
import type { Message } from "../messages/message.ts";
import type { Receipt, ReplyEvent } from "./reply.ts";
import type { ChatRequest, ResponsesRequest } from "./request.ts";

export interface CheckPlan {
  readonly steps: readonly Message[];
  /** At most; fewer when nothing is refused. */
  readonly requests: number;
  /** About, input and output together. */
  readonly tokens: number;
}

/** Told what requests come to that belong to no turn – counts, deletions, checks –: they are written down like all others. */
export interface Notes {
  receipt(receipt: Receipt): void;
  /** Answers the same events. */
  reply(events: AsyncGenerator<ReplyEvent, void>): AsyncGenerator<ReplyEvent, void>;
}

export const noNotes: Notes = { receipt: () => undefined, reply: (events) => events };

/** Whichever of them is there: a service need not have them all. */
export const chatModels = ["svc-k2.6", "svc-k2.7-code"] as const;

export const shortWords = "Answer with the one word ok.";

export const say = (role: string, content: string): string =>
  JSON.stringify({ type: "message", role, content });

export const shortQuestion = {
  input: [say("user", shortWords)],
  instructions: "This is a test of the connection. Call no tools.",
  maxOutputTokens: 64,
} satisfies ResponsesRequest;

export const shortChat = (model: string): ChatRequest => ({
  model,
  messages: [{ role: "user", content: shortWords }],
});

const description = "Not for this test.";

export const testPatchTool = JSON.stringify({
  type: "custom",
  name: "apply_patch",
  description,
  format: { type: "grammar", syntax: "lark", definition: 'start: "none"' },
});

export const testNamespace = JSON.stringify({
  type: "namespace",
  name: "check",
  description,
  tools: [
    {
      type: "function",
      name: "nothing",
      description,
      strict: false,
      parameters: { type: "object", properties: {}, additionalProperties: false },
    },
  ],
});
