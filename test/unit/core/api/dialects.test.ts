// One conversation in every form that a service may give it: whatever the words, framing and omissions, the same
// text, the same call, the same end.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reply } from "../../../../src/core/api/reply.ts";
import { profile, profileNames } from "../../../sim/profiles.ts";
import { call, incomplete, reasoning, text } from "../../../sim/script.ts";
import { oneReply } from "../../../support/one-turn.ts";
import { usingSimulator } from "../../../support/using-simulator.ts";

const readable = profileNames.filter((name) => name !== "2xx-error");

for (const name of readable) {
  for (const route of ["responses", "chat"] as const) {
    test(`${route}: a ${name} service is read to its end, with its text and its call`, async () => {
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
