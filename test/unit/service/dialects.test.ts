// One conversation in every form that a service may give it: whatever the words, framing and omissions, the same
// text, the same call, the same end.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reply } from "../../../src/service/reply.ts";
import type { ClientSettings } from "../../../src/service/settings.ts";
import { profile, steadyProfileNames } from "../../sim/profiles.ts";
import { call, incomplete, reasoning, text } from "../../sim/script.ts";
import { oneReply } from "../../support/one-turn.ts";
import { usingSimulator } from "../../support/using-simulator.ts";

const long = Array.from({ length: 100 }, (_, index) => `Sentence ${index}.`).join(" ");

/**
 * How each ends, and after how many requests: the first is answered, the next four are refused once, then one is cut and
 * one stands still, which alone is not waited for long.
 */
const flakyReplies: readonly (readonly [status: string, requests: number, settings?: ClientSettings])[] = [
  ["completed", 1],
  ...Array.from({ length: 4 }, () => ["completed", 2] as const),
  ["interrupted", 1],
  ["completed", 1],
  ["interrupted", 1, { idleSeconds: 0.3 }],
  ["completed", 1],
];

for (const name of steadyProfileNames) {
  for (const route of ["responses", "chat"] as const) {
    test(`${route}: replies of a ${name} service are read with their text, call and status`, async () => {
      await using sim = await usingSimulator({ profile: profile(name) });
      const ask = (): Promise<Reply> => oneReply({ baseUrl: sim.url, key: sim.key, route, prompt: "Hi" });
      sim.reply(
        reasoning("Hm."),
        text("Héllo 👋 wörld."),
        call("read_file", { path: "a.ts" }, { callId: "c1" }),
      );
      const reply = await ask();
      assert.deepEqual(
        [reply.status, reply.text, reply.problem],
        ["completed", "Héllo 👋 wörld.", undefined],
      );
      assert.deepEqual(
        reply.runnable.map((one) => [one.name, one.callId, one.input]),
        [["read_file", "c1", '{"path":"a.ts"}']],
      );
      sim.reply(text("Cut"), incomplete());
      const cut = await ask();
      assert.deepEqual([cut.status, cut.text], ["incomplete", "Cut"]);
    });
  }
}

for (const route of ["responses", "chat"] as const)
  test(`${route}: requests to a flaky service are retried if nothing was shown, and shown text is kept`, async () => {
    await using sim = await usingSimulator({ profile: profile("flaky"), assistant: () => [text(long)] });
    const asked = { baseUrl: sim.url, key: sim.key, route, prompt: "Hi", deps: { wait: async () => {} } };
    for (const [status, requests, settings = {}] of flakyReplies) {
      const reply = await oneReply({ ...asked, settings });
      assert.deepEqual([reply.status, reply.requests], [status, requests], JSON.stringify(reply.problem));
      assert.ok(reply.text === long || (status === "interrupted" && long.startsWith(reply.text)), reply.text);
    }
    assert.deepEqual(sim.complaints, []);
  });
