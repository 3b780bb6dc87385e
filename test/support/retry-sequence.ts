// The retry corpus: what a service may answer again and again, on real sockets, with the waiting in a test's hands.
// `waits` are the milliseconds between requests; chance is fixed in the middle.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReplyEvent } from "../../src/service/reply.ts";
import { type Answer, json, startFaultServer } from "./fault-server.ts";
import { clientOf } from "./simulated-client.ts";

export interface RetrySequence {
  readonly name: string;
  /** In order; the last again and again. */
  readonly answers: readonly Answer[];
  readonly status: string;
  /** Absent: it is asked once. */
  readonly waits?: readonly number[];
  /** The problem's kind. */
  readonly problem?: string;
  readonly text?: string;
  /** Seconds from now, of the problem. */
  readonly retryIn?: number;
}

export const now = Date.UTC(2026, 8, 1, 12, 0, 0);
export const httpDate = (seconds: number) => new Date(now + seconds * 1000).toUTCString();
export const key = "sk-test-0123456789";

export const refuse = (
  status: number,
  error: object = { message: "No." },
  headers: Record<string, string> = {},
) => json(status, { error }, headers);
export const after = (value: string, status = 429) =>
  refuse(status, { message: "Busy." }, { "retry-after": value });

export const failedAs = (problem: string) => ({ status: "failed", problem });
export const cutBy = (problem: string) => ({ status: "interrupted", problem });
export const thrice: readonly number[] = [500, 1000];

export function retrySequence({
  name,
  answers,
  status,
  waits = [],
  problem,
  text = "",
  retryIn,
}: RetrySequence): void {
  test(`retry: ${name}`, async () => {
    await using server = await startFaultServer(...answers);
    const { events, waited } = await respond(server.url);
    const last = events.at(-1);
    assert.ok(last?.type === "ended");
    const { reply } = last;
    assert.deepEqual([reply.status, reply.text, reply.problem?.kind], [status, text, problem]);
    assert.deepEqual(waited, waits);
    assert.equal(reply.requests, waits.length + 1);
    assert.equal(server.requests.length, reply.requests);
    assert.equal(reply.problem?.retryAt, retryIn === undefined ? undefined : now + retryIn * 1000);
    const told = events.flatMap((event) => (event.type === "waiting" ? [event.seconds * 1000] : []));
    assert.deepEqual(told, waits, "a countdown can be shown");
    assert.equal(events.filter((event) => event.type === "ended").length, 1);
  });
}

export async function respond(baseUrl: string, chance = 0.5) {
  const waited: number[] = [];
  const client = clientOf(
    { url: baseUrl, key },
    {
      now: () => now,
      random: () => chance,
      wait: async (milliseconds) => void waited.push(milliseconds),
    },
  );
  const events: ReplyEvent[] = [];
  const message = '{"type":"message","role":"user","content":"Hi"}';
  for await (const event of client.respond({ input: [message] }, new AbortController().signal))
    events.push(event);
  client.dispose();
  return { events, waited };
}
