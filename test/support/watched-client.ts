// A client whose every word is kept: events, problems, results, log lines at the finest level. Its key is a canary that
// must not be found in any of them, in no encoding and not in parts.
import assert from "node:assert/strict";
import type { Reply, ReplyEvent } from "../../src/service/reply.ts";
import {
  type ClientDeps,
  createServiceClient,
  type ServiceClient,
} from "../../src/service/service-client.ts";
import type { ClientSettings } from "../../src/service/settings.ts";

export const canary = "sk-Canary7Qf3Zx9Lm2Vt8Rw5Kp1";

export interface Watched extends Disposable {
  /** Whatever it answers is kept. */
  readonly client: ServiceClient;
  /** How often the key was asked for. */
  readonly asked: number;
  /** Milliseconds that were waited for; the waiting itself takes no time. */
  readonly waited: readonly number[];
  readonly lines: readonly string[];
  /** One turn, to its end. */
  turn(given?: TurnOptions): Promise<Turn>;
  assertNoCanary(): void;
  /** Every problem is told in one plain sentence. */
  assertReadable(): void;
}

export interface TurnOptions {
  /** Responses unless told. */
  readonly route?: "responses" | "chat";
  readonly prompt?: string;
  readonly signal?: AbortSignal;
  onEvent?(event: ReplyEvent): void;
}

export interface Turn {
  readonly reply: Reply;
  readonly events: readonly ReplyEvent[];
}

export function watch(
  baseUrl: string,
  settings: ClientSettings = {},
  deps: Partial<ClientDeps> = {},
): Watched {
  const waited: number[] = [];
  const lines: string[] = [];
  const kept: string[] = [];
  const keep = <T>(value: T): T => {
    kept.push(JSON.stringify(value) ?? "");
    return value;
  };
  let asked = 0;
  const client = keeping(
    createServiceClient({
      connection: async () => {
        asked++;
        return { baseUrl, key: canary };
      },
      settings: () => settings,
      log: writeTo(lines),
      random: () => 0.5,
      wait: async (milliseconds) => void waited.push(milliseconds),
      environment: {},
      ...deps,
    }),
    keep,
  );
  return {
    client,
    get asked() {
      return asked;
    },
    waited,
    lines,
    turn: (given = {}) => turn(client, given),
    assertNoCanary() {
      const everything = [...lines, ...kept].join("\n");
      for (const form of canaryForms) assert.ok(!everything.includes(form), `found ${form}`);
    },
    assertReadable() {
      for (const [, message = '""'] of kept.join("\n").matchAll(problemMessage))
        assertSentence(JSON.parse(message));
    },
    [Symbol.dispose]: () => client.dispose(),
  };
}

function writeTo(lines: string[]): ClientDeps["log"] {
  const write = (message: string, cause?: unknown) => {
    lines.push(message);
    if (cause instanceof Error)
      lines.push(cause.stack ?? "", JSON.stringify(cause, Object.getOwnPropertyNames(cause)));
  };
  return { debug: write, info: write, warn: write, error: write };
}

function keeping(client: ServiceClient, keep: <T>(value: T) => T): ServiceClient {
  async function* each(events: AsyncGenerator<ReplyEvent, void>): AsyncGenerator<ReplyEvent, void> {
    for await (const event of events) yield keep(event);
  }
  return {
    ...client,
    respond: (...given) => each(client.respond(...given)),
    chat: (...given) => each(client.chat(...given)),
    estimate: async (...given) => keep(await client.estimate(...given)),
    deleteFile: async (...given) => keep(await client.deleteFile(...given)),
    checkKey: async (...given) => keep(await client.checkKey(...given)),
    checkConnection: async (...given) => keep(await client.checkConnection(...given)),
    detectFeatures: async (...given) => keep(await client.detectFeatures(...given)),
  };
}

async function turn(
  client: ServiceClient,
  { route = "responses", prompt = "Hi", signal = new AbortController().signal, onEvent }: TurnOptions,
): Promise<Turn> {
  const events: ReplyEvent[] = [];
  const item = JSON.stringify({ type: "message", role: "user", content: prompt });
  const arriving =
    route === "responses"
      ? client.respond({ input: [item] }, signal)
      : client.chat({ model: "svc-k2.6", messages: [{ role: "user", content: prompt }] }, signal);
  for await (const event of arriving) {
    events.push(event);
    onEvent?.(event);
  }
  assert.equal(events.filter((event) => event.type === "ended").length, 1, "exactly one outcome");
  const last = events.at(-1);
  assert.ok(last?.type === "ended", "and it is the last");
  return { reply: last.reply, events };
}

const problemMessage = /"problem":\{"kind":"[\w-]+","message":("(?:[^"\\]|\\.)*")/g;

function assertSentence(message: string): void {
  assert.match(message, /^[A-Z].*[.!?…]$/, "one whole sentence");
  assert.ok(message.length <= 500 && !/[<>]/.test(message), message);
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
