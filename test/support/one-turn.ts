// One prompt through the product's own client and reduction, nothing else, so that any server and any corpus can
// be pointed at it.

import type { Reply, ReplyStatus, ToolCall } from "../../src/core/api/reply.ts";
import {
  type ClientDeps,
  createServiceClient,
  type ServiceClient,
} from "../../src/core/api/service-client.ts";
import type { ClientSettings } from "../../src/core/api/settings.ts";
import type { Problem } from "../../src/core/conversation/problem.ts";
import type { Usage } from "../../src/core/conversation/usage.ts";
import { silentLog } from "../../src/core/util/log.ts";

export interface OneTurn {
  readonly baseUrl: string;
  readonly key: string;
  readonly route: "responses" | "chat";
  readonly prompt: string;
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

export async function oneTurn(turn: OneTurn): Promise<OneTurnResult> {
  const { status, text, calls, runnable, usage, problem, requests, refusal, reason } = await oneReply(turn);
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
  const { baseUrl, key, route, prompt, signal, settings = {}, deps = {} } = turn;
  const client = createServiceClient({
    connection: async () => ({ baseUrl, key }),
    settings: () => settings,
    log: silentLog,
    ...deps,
  });
  try {
    return await oneReplyOf(client, route, prompt, signal);
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
): Promise<Reply> {
  const message = JSON.stringify({ type: "message", role: "user", content: prompt });
  const events =
    route === "responses"
      ? client.respond({ input: [message] }, signal)
      : client.chat({ model: "svc-k2.6", messages: [{ role: "user", content: prompt }] }, signal);
  for await (const event of events) if (event.type === "ended") return event.reply;
  throw new Error("The client ended without telling how.");
}
