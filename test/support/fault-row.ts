// The one way to test a row of the fault matrix (faults.md §3). A row is given a watched client, whose key is a canary,
// and has passed only when that client was used, none of its words (events, problems, results, log lines at the finest
// level with every body traced) holds the key in any form, and every problem is told in a sentence. test/support/proofs.mjs
// fails for a row that was tested in any other way.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { english } from "./english.ts";
import { type Answer, startFaultServer } from "./fault-server.ts";
import { type Watched, watch } from "./watched-client.ts";

export interface Row {
  /** A client that the row is judged by. */
  readonly watch: typeof watch;
  readonly t: TestContext;
}

export function faultRow(row: number, name: string, run: (row: Row) => Promise<void>): void {
  test(`row ${row}: ${name}`, async (t) => {
    const clients: Watched[] = [];
    const watching: typeof watch = (baseUrl, settings, deps) => {
      const watched = watch(baseUrl, { trace: "bodies", ...settings }, deps);
      clients.push(watched);
      return watched;
    };
    try {
      await run({ watch: watching, t });
    } finally {
      for (const watched of clients) watched[Symbol.dispose]();
    }
    assert.ok(
      clients.some((watched) => watched.asked > 0),
      "the canary was used",
    );
    for (const watched of clients) {
      watched.assertNoCanary();
      watched.assertReadable();
    }
  });
}

/** One reply whose requests are answered one after the other, the last answer again and again. */
export interface AnswerRow {
  readonly row: number;
  readonly name: string;
  readonly answers: readonly Answer[];
  /** On how many requests; one unless told. */
  readonly requests?: number;
  readonly status: string;
  readonly text?: string;
  readonly says?: RegExp;
  readonly kind?: string;
}

export function answerRow({ row, name, answers, requests = 1, status, text = "", says, kind }: AnswerRow) {
  faultRow(row, name, async ({ watch }) => {
    await using server = await startFaultServer(...answers);
    const { reply } = await watch(server.url).turn();
    assert.deepEqual([reply.status, reply.text], [status, text]);
    assert.equal(server.requests.length, requests);
    if (says !== undefined) assert.match(english(reply.problem), says);
    if (kind !== undefined) assert.equal(reply.problem?.kind, kind);
    if (says === undefined && kind === undefined) assert.equal(reply.problem, undefined);
  });
}
