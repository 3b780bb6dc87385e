// A client whose every word is kept: events, problems, log lines at the finest level. Its key is a canary that must
// not be found in any of them, in no encoding and not in parts.
import assert from "node:assert/strict";
import type { Reply, ReplyEvent } from "../../src/core/api/reply.ts";
import {
  type ClientNeeds,
  createServiceClient,
  type ServiceClient,
} from "../../src/core/api/service-client.ts";
import type { ClientSettings } from "../../src/core/api/settings.ts";

export const canary = "sk-Canary7Qf3Zx9Lm2Vt8Rw5Kp1";

export interface Watched extends Disposable {
  readonly client: ServiceClient;
  /** Milliseconds that were waited for; the waiting itself takes no time. */
  readonly waited: readonly number[];
  readonly lines: readonly string[];
  /** One turn on Responses, to its end. */
  turn(signal?: AbortSignal, onEvent?: (event: ReplyEvent) => void): Promise<Turn>;
  /** Keeps what a test got otherwise. */
  keep(value: unknown): void;
  assertNoCanary(): void;
}

export interface Turn {
  readonly reply: Reply;
  readonly events: readonly ReplyEvent[];
}

export function watch(
  baseUrl: string,
  settings: ClientSettings = {},
  needs: Partial<ClientNeeds> = {},
): Watched {
  const waited: number[] = [];
  const lines: string[] = [];
  const kept: string[] = [];
  const write = (message: string, cause?: unknown) => {
    lines.push(message);
    if (cause instanceof Error)
      lines.push(cause.stack ?? "", JSON.stringify(cause, Object.getOwnPropertyNames(cause)));
  };
  const client = createServiceClient({
    connection: async () => ({ baseUrl, key: canary }),
    settings: () => settings,
    log: { debug: write, info: write, warn: write, error: write },
    random: () => 0.5,
    wait: async (milliseconds) => void waited.push(milliseconds),
    environment: {},
    ...needs,
  });
  return {
    client,
    waited,
    lines,
    async turn(signal = new AbortController().signal, onEvent = () => {}) {
      const events: ReplyEvent[] = [];
      const message = JSON.stringify({ type: "message", role: "user", content: "Hi" });
      for await (const event of client.respond({ input: [message] }, signal)) {
        events.push(event);
        kept.push(JSON.stringify(event));
        onEvent(event);
      }
      const ended = events.filter((event) => event.type === "ended");
      assert.equal(ended.length, 1, "exactly one outcome");
      const last = events.at(-1);
      assert.ok(last?.type === "ended", "and it is the last");
      return { reply: last.reply, events };
    },
    keep: (value) => void kept.push(JSON.stringify(value)),
    assertNoCanary() {
      const everything = [...lines, ...kept].join("\n");
      for (const form of canaryForms) assert.ok(!everything.includes(form), `found ${form}`);
    },
    [Symbol.dispose]: () => client.dispose(),
  };
}

/** The key, its halves, and what base64 makes of it at any offset. */
const canaryForms = [
  canary,
  canary.slice(0, canary.length / 2),
  canary.slice(canary.length / 2),
  encodeURIComponent(canary),
  Buffer.from(canary).toString("base64").slice(0, -4),
  Buffer.from(`Bearer ${canary}`).toString("base64").slice(12, -4),
  Buffer.from(`x${canary}`).toString("base64").slice(4, -4),
  Buffer.from(canary).toString("hex"),
];
