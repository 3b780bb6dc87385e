// Counting what is being written: at once by ourselves, exactly by the service, and never unasked where that is not allowed.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { verbatim as asTyped } from "../../../src/conversation/events.ts";
import { nodeFileSystem } from "../../../src/store/file-system.ts";
import { openTokenCounts, type TokenCounts } from "../../../src/usage/token-counts.ts";
import { silentLog } from "../../../src/util/log.ts";
import { startSimulator } from "../../sim/simulator.ts";
import { startTimersOfUndici } from "../../support/fault-server.ts";
import { clientOf } from "../../support/simulated-client.ts";

const never = new AbortController().signal;
const words = (count: number) => [
  { kind: "text", text: asTyped("several plain words ".repeat(count)) } as const,
];

async function open(t: TestContext, mayAskUnasked = false) {
  const sim = await startSimulator();
  const folder = mkdtempSync(join(tmpdir(), "patchbay-counts-"));
  const client = clientOf(sim);
  const opened: TokenCounts[] = [];
  const again = async () => {
    const counts = await openTokenCounts({
      client,
      fs: nodeFileSystem,
      folder,
      log: silentLog,
      mayAskUnasked: () => mayAskUnasked,
    });
    opened.push(counts);
    return counts;
  };
  t.after(async () => {
    client.dispose();
    await sim.close();
    for (const counts of opened) await counts.saved();
    rmSync(folder, { recursive: true, force: true });
  });
  return { sim, again, counts: await again() };
}

test("token counts estimate a draft at once, without a request", async (t) => {
  const { sim, counts } = await open(t);
  const { tokens, exact } = counts.best("svc-k3", words(100));
  assert.ok(tokens > 100 && tokens < 1000, String(tokens));
  assert.equal(exact, false);
  counts.propose("svc-k3", words(100));
  assert.equal(sim.requests.length, 0);
});

test("token counts are exact for the model and text that the service has counted", async (t) => {
  const { sim, counts } = await open(t);
  let told = 0;
  counts.onCount(() => told++);
  const count = await counts.byService("svc-k3", words(100), never);
  assert.ok("tokens" in count);
  assert.deepEqual(counts.best("svc-k3", words(100)), { tokens: count.tokens, exact: true });
  assert.equal(counts.best("svc-k2.6", words(100)).exact, false);
  assert.equal(counts.best("svc-k3", words(101)).exact, false);
  assert.deepEqual([sim.requests.length, told], [1, 1]);
});

test("token counts read an image beside the draft once for twenty keystrokes", async (t) => {
  const { counts } = await open(t);
  await counts.byService("svc-k3", words(1), never);
  let looks = 0;
  const picture = {
    kind: "image",
    get url() {
      looks += 1;
      return "data:image/png;base64,AAAA";
    },
  } as const;
  for (let key = 1; key <= 20; key += 1)
    assert.equal(counts.best("svc-k3", [picture, ...words(key)]).exact, false);
  assert.equal(looks, 1);
});

test("token counts estimate an edited draft like a new one", async (t) => {
  const { counts, again } = await open(t);
  for (const text of ["one\ntwo", "one\n\ntwo three", "", "\n\none", "one\ntwo"])
    assert.deepEqual(
      counts.about("svc-k3", [{ kind: "text", text }]),
      (await again()).about("svc-k3", [{ kind: "text", text }]),
    );
});

test("token counts improve the estimate, also in the next window", async (t) => {
  const { counts, again } = await open(t);
  const miss = (tokens: number, of: number) => Math.abs(tokens - of) / of;
  const target = await counts.byService("svc-k3", words(500), never);
  assert.ok("tokens" in target);
  for (const length of [10, 40, 90, 160, 250]) await counts.byService("svc-k3", words(length), never);
  assert.ok(miss(counts.about("svc-k3", words(500)).tokens, target.tokens) < 0.05);
  counts.dispose();
  await counts.saved();
  const next = await again();
  assert.ok(miss(next.about("svc-k3", words(500)).tokens, target.tokens) < 0.05);
});

test("token counts ask the service after a pause in typing where automatic counting is allowed", async (t) => {
  const { sim, counts } = await open(t, true);
  const counted = new Promise<void>((resolve) => void counts.onCount(resolve));
  await startTimersOfUndici();
  t.mock.timers.enable({ apis: ["setTimeout"] });
  counts.propose("svc-k3", words(3));
  t.mock.timers.tick(799);
  counts.propose("svc-k3", words(4));
  t.mock.timers.tick(800);
  await counted;
  assert.equal(counts.best("svc-k3", words(4)).exact, true);
  assert.equal(sim.requests.length, 1);
});

test("token counts count a whole request as messages and name the parts left out", async (t) => {
  const { sim, counts } = await open(t);
  const item = (content: string) => JSON.stringify({ type: "message", role: "user", content });
  const request = {
    instructions: "Be brief.",
    input: [item("What is it?"), '{"type":"reasoning","id":"rs_1","summary":[]}'],
    tools: ['{"type":"web_search"}'],
  };
  const outgoing = { route: "responses", model: "svc-k3", request } as const;
  const { count, leftOut } = await counts.ofRequest(outgoing, never);
  assert.ok("tokens" in count && count.tokens > 0);
  assert.deepEqual(leftOut, ["tools", "reasoning"]);
  assert.deepEqual(sim.requests.at(-1)?.body["messages"], [
    { role: "system", content: "Be brief." },
    { role: "user", content: "What is it?" },
  ]);
  assert.ok(counts.aboutRequest(outgoing).tokens > 0);

  const messages = [{ role: "user" as const, content: "Hi" }];
  const chat = { route: "chat", model: "svc-k2.6", request: { model: "svc-k2.6", messages } } as const;
  assert.deepEqual((await counts.ofRequest(chat, never)).leftOut, []);
  assert.deepEqual(sim.requests.at(-1)?.body["messages"], messages);
  assert.ok(counts.aboutRequest(chat).tokens > 0);
});
