// What is many things and not one text: turns, hunks, findings, sections, contents, pieces of an output. None may take more than in
// proportion to their number. What walks through one foreign text is in parsers.ts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LiveOutput } from "../../../src/commands/internal/command-output.ts";
import type { ConversationEvent } from "../../../src/conversation/events.ts";
import { emptyConversation, reduceAll } from "../../../src/conversation/reduce.ts";
import { createLineLocator } from "../../../src/editor/review/internal/streaming-preview.ts";
import { locateFindings } from "../../../src/findings/follow-lines.ts";
import { hideEncrypted } from "../../../src/inspect/internal/edit-and-compare.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { startFaultServer } from "../../support/fault-server.ts";
import { growthOf, toldGrowth } from "../../support/growth.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";
import { timeComputed } from "../../support/thread-time.ts";
import { watch } from "../../support/watched-client.ts";
import { workInThread } from "../../support/worker-thread.ts";

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** Each makes so many, and answers the work on them. */
const works: Readonly<Record<string, readonly [first: number, work: (count: number) => () => unknown]>> = {
  "reduceAll of turns": [
    1_000,
    (count) => {
      const events = times(count, (at): ConversationEvent[] => [
        { type: "started", turn: String(at), at, model: "m", route: "chat", prompt: "" },
        { type: "text", turn: String(at), part: "a", delta: "x" },
        { type: "ended", turn: String(at), at, ending: "done" },
      ]).flat();
      return () => reduceAll(emptyConversation("c"), events);
    },
  ],
  "createLineLocator of hunks in a file with as many lines": [
    2_000,
    (count) => {
      const lines = times(count, (row) => (row % 3 === 0 ? "}" : `row ${row}`));
      const hunks = times(count / 20, (at) => lines.slice(at * 20, at * 20 + 6));
      return () => hunks.map(createLineLocator(lines.join("\n")));
    },
  ],
  "locateFindings of missing findings in a file with as many lines": [
    4_000,
    (count) => {
      const lines = times(count, (at) => `    const value${at} = compute(${at}, "words of a line");\u0020`);
      const missing = times(count / 20, (at) => ({ first: at, last: at, code: `const gone${at}` }));
      return () => locateFindings(missing, lines);
    },
  ],
  "hideEncrypted of contents": [
    500,
    (count) => {
      const json = JSON.stringify(
        times(count, (at) => ({ type: "reasoning", encrypted_content: String(at).padStart(5) })),
      );
      return () => hideEncrypted(json);
    },
  ],
};

for (const [name, [first, work]] of Object.entries(works))
  test(`${name} takes linear time`, () => {
    const growth = growthOf(work, first);
    assert.ok(growth.isLinear, toldGrowth(growth));
  });

/** Four times as long if in proportion, sixteen if each piece reads all before it again. */
async function assertInProportion(work: (count: number) => Promise<void>, count: number): Promise<void> {
  const timeOf = (pieces: number) => timeComputed(() => work(pieces));
  const [few, many] = [await timeOf(count), await timeOf(4 * count)];
  assert.ok(many < 10 * few, `${few}, ${many} ms`);
}

test("an error body in very many pieces is read in time that grows as they do", async () => {
  const headers = "content-type: application/json\r\ntransfer-encoding: chunked";
  await assertInProportion(async (count) => {
    await using server = await startFaultServer((socket) => {
      socket.write(`HTTP/1.1 400 Some Words\r\n${headers}\r\n\r\n${"1\r\n}\r\n".repeat(count)}0\r\n\r\n`);
    });
    using watched = watch(server.url);
    const { reply } = await watched.turn();
    assert.equal(reply.problem?.kind, "bad-request");
  }, 8_000);
});

test("a patch of many sections for one file is planned in time that grows as they do", async (t) => {
  await workInThread(t);
  const text = times(100_000, (at) => `v${at}\n`).join("");
  await assertInProportion(async (count) => {
    const sections = times(count, (at) => `*** Update File: a.txt\n@@\n-v${at * 200}\n+x\n`).join("");
    const workspace = new MemoryWorkspace({ "a.txt": text });
    const { changes } = await planPatch(`*** Begin Patch\n${sections}*** End Patch\n`, workspace);
    assert.equal(changes[0]?.kind, "update");
  }, 45);
});

test("the output of a command inside of a private key is shown in time that grows as it does", async () => {
  const part = `${"MIIEpAIBAAKCAQEA0q7Zx".padEnd(64, "Ab9+/")}\n`.repeat(1500);
  await assertInProportion(async (count) => {
    const live = new LiveOutput();
    live.add("before\n-----BEGIN PRIVATE KEY-----\n");
    for (let at = 0; at < count; at++) {
      live.add(part);
      assert.equal(await live.text(), "before\n");
    }
  }, 40);
});
