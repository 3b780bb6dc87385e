// Tools that answer too late, twice, never, or with far too much; and decisions that nobody waits for any more.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { HostAnswer, HostTool } from "../../../src/tools/tool-table.ts";
import { call, text } from "../../sim/script.ts";
import { asking } from "../../support/asking.ts";
import { reading, startTalk, type Talk } from "../../support/talk.ts";
import { workInThread } from "../../support/worker-thread.ts";

const tools = { user: new Map([["slow", "auto" as const]]), workspace: new Map() };
const named = (name: string, run: HostTool["call"]): HostTool => ({
  ...{ namespace: "slow", name, description: "Is slow.", parameters: {}, readOnly: true, call: run },
});
const slow = (name: string) => call(name, {}, { namespace: "slow", callId: `call-${name}` });

/** Stops the turn as soon as a tool runs. */
function stopAtTool(talk: Talk): void {
  talk.onEvent((event) => {
    if (event.type === "tool" && event.status === "running") setImmediate(() => talk.stop());
  });
}

test("a tool that never returns holds up neither a stop nor the closing of the window", async () => {
  const talk = await startTalk({
    hostTools: [named("never", () => new Promise(() => {}))],
    settings: { tools },
  });
  stopAtTool(talk);
  talk.sim.reply(slow("never"));
  const turn = await talk.ask("Wait.");
  assert.deepEqual([turn.status, ...reading(turn)], ["stopped", "slow/never stopped"]);
  talk.sim.reply(slow("never"));
  const stop = new AbortController();
  const second = talk.conversation.send({ prompt: "Again." }, asking("svc-k3", stop));
  talk.conversation.recorder.closing();
  stop.abort();
  assert.equal((await second)?.status === "done", false);
  await talk.conversation.close();
});

test("a tool result after a stop is dropped, and its call is sent with one output", async () => {
  let answer: (text: HostAnswer) => void = () => {};
  const late = named("late", () => new Promise((resolve) => (answer = resolve)));
  const talk = await startTalk({ hostTools: [late], settings: { tools } });
  stopAtTool(talk);
  talk.sim.reply(slow("late"));
  await talk.ask("Wait.");
  const before = [talk.events.length, talk.lines.length];
  answer({ output: "too late" });
  await new Promise(setImmediate);
  assert.deepEqual([talk.events.length, talk.lines.length], before);
  talk.sim.reply(text("Ok."));
  await talk.ask("And now?");
  const { raw, input } = talk.bodies().at(-1) ?? assert.fail();
  assert.doesNotMatch(raw, /too late/);
  const outputs = input.filter(({ type }) => type === "function_call_output");
  assert.deepEqual(
    outputs.map((item) => item["call_id"]),
    ["call-late"],
  );
});

test("a tool that throws, returns no text or too much gives the model a bounded output", async (t) => {
  await workInThread(t);
  const talk = await startTalk({
    settings: { tools },
    hostTools: [
      named("throws", () => {
        throw new Error("At once.");
      }),
      named("odd", async () => ({ output: 7 as unknown as string })),
      named("huge", async () => ({ output: "x".repeat(30_000_000) })),
      named("empty", async () => ({ output: "" })),
    ],
  });
  talk.sim.reply(slow("throws"), slow("odd"), slow("huge"), slow("empty"));
  talk.sim.reply(text("Well."));
  const turn = await talk.ask("All of them.");
  assert.equal(turn.status, "done", JSON.stringify(turn.problem));
  const outputs = (talk.bodies().at(-1)?.input ?? []).filter(({ type }) => type === "function_call_output");
  assert.equal(outputs.length, 4);
  for (const { output } of outputs)
    assert.ok(
      typeof output === "string" && output.length > 0 && output.length < 70_000,
      String(output).slice(0, 80),
    );
});

test("a decision that is repeated, late or for another call changes nothing", async () => {
  let ran = 0;
  const once = named("once", async () => ({ output: `ran ${++ran}` }));
  const asked = { user: new Map([["slow", "ask" as const]]), workspace: new Map() };
  const talk = await startTalk({ hostTools: [once], settings: { tools: asked } });
  const answers: boolean[] = [];
  talk.decide = (event) => {
    answers.push(talk.conversation.decisions.decide("no such call", { kind: "accept" }));
    answers.push(talk.conversation.decisions.decide(event.call, { kind: "reject" }));
    answers.push(talk.conversation.decisions.decide(event.call, { kind: "accept" }));
    return { kind: "accept" };
  };
  talk.sim.reply(slow("once"));
  talk.sim.reply(text("Done."));
  const turn = await talk.ask("Change it.");
  assert.deepEqual(reading(turn), ["slow/once refused", "text Done."]);
  assert.deepEqual(answers, [false, true, false]);
  assert.equal(talk.conversation.decisions.decide("call-once", { kind: "accept" }), false);
  await talk.conversation.close();
  assert.equal(talk.conversation.decisions.decide("call-once", { kind: "accept" }), false);
  assert.equal(ran, 0);
});
