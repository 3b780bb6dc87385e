// A question that has used more tokens than a person allows stops before its next request, and nothing of it is lost.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Turn } from "../../../src/conversation/state.ts";
import { cutAfterEvents, holdBefore } from "../../sim/delivery-faults.ts";
import { call, type Part, text, usage } from "../../sim/script.ts";
import { asking } from "../../support/asking.ts";
import { english } from "../../support/english.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { lastBody, startTalk, type Talk } from "../../support/talk.ts";
import { openTestApp, prompts } from "../../support/test-app.ts";

const uses = (uncached: number, cached = 0) =>
  usage({ input: uncached + cached, cached, written: 0, output: 10, reasoning: 0 });

async function cappedTalk(limit: number | null, model = "svc-k3") {
  const talk = await startTalk({ settings: { stopRunAboveTokens: limit } });
  talk.workspace.write("work/a.ts", "one\ntwo\nthree\nfour\nfive\n");
  let calls = 0;
  const step = (...parts: readonly Part[]) => {
    calls += 1;
    talk.sim.reply(call("read_file", { path: "a.ts", end_line: calls }, { callId: `c${calls}` }), ...parts);
  };
  return { talk, step, goOn: () => talk.conversation.retry("continue", asking(model)) };
}

const shown = ({ status, reason, problem }: Turn) => [status, reason, english(problem), problem?.actions];
const capped = (tokens: number, limit: number) => [
  ...["incomplete", "spent"],
  `This question has used ${tokens} tokens, more than your limit of ${limit}. Continue?`,
  ["continue"],
];
const history = (talk: Talk) => talk.conversation.recorder.transcript.history({ goesOn: true });

describe("spend.stopRunAboveTokens", () => {
  it("ends the turn before its next request, and Continue goes on from there with as much again", async () => {
    const { talk, step, goOn } = await cappedTalk(250);
    step(uses(100));
    step(uses(100, 5000));
    step(uses(40));
    const turn = await talk.ask("Look at a.ts.");
    assert.deepEqual(shown(turn), capped(270, 250), "what was read from the cache does not count");
    assert.equal(talk.bodies().length, 3);
    const before = history(talk);
    assert.equal(before.filter((item) => item.includes("function_call_output")).length, 3);
    step(uses(200));
    talk.sim.reply(text("Done."), uses(200));
    const next = await goOn();
    assert.deepEqual([next?.status, next?.continues], ["done", true]);
    const [, , third, fourth] = talk.bodies();
    assert.deepEqual(fourth?.input.slice(0, third?.input.length), third?.input);
    talk.sim.done();
  });

  it("lets the last answer through, and nothing stops where no limit is set", async () => {
    for (const limit of [150, null]) {
      const { talk, step } = await cappedTalk(limit);
      step(uses(100));
      talk.sim.reply(text("Done."), uses(1000));
      assert.equal((await talk.ask("Look.")).status, "done");
    }
  });

  it("counts on after the window was closed in the middle, until a person continues from the limit", async () => {
    const { talk, step } = await cappedTalk(250);
    step(uses(150));
    talk.sim.reply(text("I am in the middle of it."), cutAfterEvents(3));
    assert.equal((await talk.ask("Look.")).status, "interrupted");
    const later = talk.reopen();
    later.sim.reply(call("read_file", { path: "a.ts" }, { callId: "d1" }), uses(150));
    const next = await later.conversation.retry("continue", asking());
    const [, , said] = shown(next ?? assert.fail());
    assert.match(String(said), /^This question has used \d+ tokens, more than your limit of 250\./);
    later.sim.reply(text("Done."), uses(240));
    assert.equal((await later.reopen().conversation.retry("continue", asking()))?.status, "done");
  });

  it("counts all input of a chat model, which reports no cache", async () => {
    const { talk, step } = await cappedTalk(100, "svc-k2.6");
    step(usage({ input: 120, output: 10 }));
    const turn = await talk.ask("Look.", "svc-k2.6");
    assert.equal(turn.reason, "spent");
  });

  it("leaves what was said meanwhile in the queue, and the continued turn hands it over", async () => {
    const { talk, step, goOn } = await cappedTalk(100);
    const { queue } = talk.conversation.deps;
    void queue.add("said", { prompt: "Use tabs.", delivery: "step" });
    step(uses(200));
    await talk.ask("Look.");
    assert.equal(queue.list.length, 1);
    step(uses(10));
    talk.sim.reply(text("Done."), uses(10));
    assert.equal((await goOn())?.status, "done");
    assert.equal(queue.list.length, 0);
    assert.match(lastBody(talk).raw, /Use tabs\./);
  });

  it("counts each of two sessions that work at once for itself, and Continue in the one goes on there alone", async (t) => {
    const workspace = createFolderWorkspace();
    workspace.write("work/a.ts", "one\n");
    const app = await openTestApp(t, { workspace, defaultModel: () => "svc-k3" });
    app.settings = { ...app.settings, stopRunAboveTokens: 250 };
    const one = app.session;
    const other = (await app.registry.create()).session;
    const reads = call("read_file", { path: "a.ts" });
    const held = holdBefore(8);
    app.sim.reply(text("I begin."), reads, uses(200), held);
    const begun = new Promise<void>((resolve) => one.onEvent(({ type }) => type === "text" && resolve()));
    const first = one.send({ prompt: "One." });
    await begun;
    app.sim.reply(reads, uses(300));
    const second = await other.send({ prompt: "Other." });
    assert.deepEqual(second && shown(second), capped(310, 250));
    app.sim.reply(text("One is done."), uses(10));
    held.release();
    assert.equal((await first)?.status, "done", "what the other has used is not counted here");
    const asked = app.sim.requests.length;
    app.sim.reply(text("Other is done."), uses(10));
    assert.equal((await other.retry("continue"))?.status, "done");
    assert.equal(app.sim.requests.length, asked + 1);
    assert.deepEqual(prompts({ session: one }), ["One."]);
  });
});
