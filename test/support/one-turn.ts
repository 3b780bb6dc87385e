// One prompt through the product's own client and reduction, nothing else, so that any server can be pointed at it.

import type { Problem } from "../../src/conversation/problem.ts";
import type { Usage } from "../../src/conversation/state.ts";
import { finalReply, type Reply, type ReplyStatus, type ToolCall } from "../../src/service/reply.ts";
import type { ClientDeps, ServiceClient } from "../../src/service/service-client.ts";
import type { ClientSettings } from "../../src/service/settings.ts";
import { clientOf } from "./simulated-client.ts";

export interface OneTurn {
  readonly baseUrl: string;
  readonly key: string;
  readonly route: "responses" | "chat";
  readonly prompt: string;
  /** Raw JSON of tools that go along where the route has any. */
  readonly tools?: readonly string[];
  readonly signal?: AbortSignal;
  readonly settings?: ClientSettings;
  /** Clock, chance, log, environment: what a test wants to hold in its hands. */
  readonly deps?: Partial<ClientDeps>;
}

export interface OneTurnResult {
  readonly status: ReplyStatus;
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly runnable: readonly ToolCall[];
  readonly usage: Usage | undefined;
  readonly problem?: Problem;
  readonly requests: number;
  /** What the model said instead of an answer. */
  readonly refusal?: string;
  /** The service's own word for an early end. */
  readonly reason?: string;
}

export const oneTurn = async (turn: OneTurn): Promise<OneTurnResult> => resultOf(await oneReply(turn));

/** What most of those who ask want to know of a reply. */
export function resultOf(reply: Reply): OneTurnResult {
  const { status, text, calls, runnable, usage, problem, requests, refusal, reason } = reply;
  return {
    status,
    text,
    calls,
    runnable,
    usage,
    requests,
    ...(problem === undefined ? {} : { problem }),
    ...(refusal === undefined ? {} : { refusal }),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** The whole reply, for tests that ask for more. */
export async function oneReply(turn: OneTurn): Promise<Reply> {
  const { baseUrl, key, route, prompt, tools, signal, settings = {}, deps = {} } = turn;
  const client = clientOf({ url: baseUrl, key }, { settings: () => settings, ...deps });
  try {
    return await oneReplyOf(client, route, prompt, signal, tools);
  } finally {
    client.dispose();
  }
}

/** The same of a client that is there already. */
export async function oneReplyOf(
  client: ServiceClient,
  route: OneTurn["route"],
  prompt: string,
  signal = new AbortController().signal,
  tools: readonly string[] = [],
): Promise<Reply> {
  const message = JSON.stringify({ type: "message", role: "user", content: prompt });
  const events =
    route === "responses"
      ? client.respond({ input: [message], ...(tools.length > 0 && { tools }) }, signal)
      : client.chat({ model: "svc-k2.6", messages: [{ role: "user", content: prompt }] }, signal);
  return finalReply(events);
}
