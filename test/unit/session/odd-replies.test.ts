// Replies that are cut, repeated or of kinds that nobody knows: nothing runs twice or from what is unfinished, and the
// conversation can always go on.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cutAfterEvents, holdBefore } from "../../sim/delivery-faults.ts";
import { json, raw, status as refuse } from "../../sim/http-answers.ts";
import { call, incomplete, item, text } from "../../sim/script.ts";
import { asking } from "../../support/asking.ts";
import { english, verbatim } from "../../support/english.ts";
import { lastBody, outputs, reading, startTalk } from "../../support/talk.ts";

const readCall = {
  type: "function_call",
  id: "fc_1",
  call_id: "same",
  name: "read_file",
  arguments: '{"path":"a.ts"}',
  status: "completed",
};

test("two calls with the same id in a reply run once and get one output", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "x\n");
  talk.sim.reply(item(readCall), item({ ...readCall, id: "fc_2" }));
  talk.sim.reply(text("Once."));
  await talk.ask("Read.");
  assert.equal(outputs(lastBody(talk)).length, 1);
  assert.equal(talk.last().status, "done");
  talk.sim.done();
});

test("a repeated reply runs no call again", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "x\n");
  talk.sim.reply(item(readCall));
  talk.sim.reply(item(readCall));
  const turn = await talk.ask("Read.");
  assert.equal(turn.status, "failed");
  assert.match(english(turn.problem), /repeated earlier tool calls/);
  talk.sim.reply(text("Better."));
  assert.equal((await talk.ask("And now?")).status, "done");
  talk.sim.done();
});

test("a call that reuses the id of an earlier reply runs and gets an output of its own", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "x\n");
  talk.workspace.write("work/b.ts", "y\n");
  talk.sim.reply(call("read_file", { path: "a.ts" }, { callId: "read_file:0" }));
  talk.sim.reply(call("read_file", { path: "b.ts" }, { callId: "read_file:0" }));
  talk.sim.reply(text("Both."));
  const turn = await talk.ask("Read.");
  assert.deepEqual(reading(turn), ["read_file done", "read_file done", "text Both."]);
  const all = outputs(lastBody(talk));
  assert.deepEqual(
    all.map(([id]) => id),
    ["read_file:0", "read_file:0"],
  );
  assert.match(String(all[0]?.[1]), /x/);
  assert.match(String(all[1]?.[1]), /y/);
  talk.sim.done();
});

test("an item of an unknown type is sent back unchanged", async () => {
  const talk = await startTalk();
  const odd = {
    type: "computer_call",
    id: "cu_1",
    call_id: "odd",
    action: { type: "screenshot" },
    status: "completed",
  };
  talk.sim.reply(item(odd), call("list_files", {}, { callId: "c1" }));
  talk.sim.reply(text("Right."));
  const turn = await talk.ask("Do something odd.");
  const { input } = lastBody(talk);
  assert.deepEqual(
    input.find(({ type }) => type === "computer_call"),
    odd,
  );
  assert.deepEqual(
    outputs(lastBody(talk)).map(([id]) => id),
    ["c1"],
  );
  assert.equal(turn.status, "done");
  talk.sim.done();
});

test("a response cut at the output limit keeps its text, and Continue requests the rest", async () => {
  const talk = await startTalk();
  talk.sim.reply(text("The beginning"), incomplete());
  const turn = await talk.ask("Tell me a story.");
  assert.equal(turn.status, "incomplete");
  assert.deepEqual(turn.problem?.actions, ["continue", "raise-limit"]);
  talk.sim.reply(text(" and the end."));
  await talk.conversation.retry("continue", asking());
  assert.equal(talk.last().continues, true);
  assert.deepEqual(reading(talk.last()), ["text  and the end."]);
  assert.match(JSON.stringify(lastBody(talk).input), /The beginning.*Continue exactly/);
  talk.sim.done();
});

test("a chat response cut at the service's own limit does not offer to raise the limit", async () => {
  const talk = await startTalk();
  talk.sim.reply(text("The beginning"), incomplete());
  const turn = await talk.ask("Tell me a story.", "svc-k2.6");
  assert.equal(turn.status, "incomplete");
  assert.deepEqual(turn.problem?.actions, ["continue"]);
  talk.sim.done();
});

test("calls of an incomplete response never run, and the next question still works", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "x\n");
  talk.sim.reply(call("read_file", { path: "a.ts" }, { callId: "c1" }), incomplete());
  const turn = await talk.ask("Read.");
  assert.equal(turn.status, "incomplete");
  assert.deepEqual(talk.workspace.handedOut, []);
  talk.sim.reply(text("Ok."));
  assert.equal((await talk.ask("Again.")).status, "done");
  talk.sim.done();
});

test("a refusal for size or an unknown model offers to remove attachments or choose another model", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "x\n");
  const refusals: readonly (readonly [number, string, readonly string[]])[] = [
    [413, "Too long.", ["remove-attachments", "choose-model", "retry"]],
    [400, "This exceeds the context window.", ["remove-attachments", "choose-model", "retry"]],
    [404, "No such model.", ["choose-model", "retry"]],
    [400, "The model svc-k3 does not exist.", ["retry", "remove-attachments", "choose-model"]],
    [400, "Something else.", ["retry", "remove-attachments"]],
  ];
  for (const [status, message, actions] of refusals) {
    talk.sim.reply(refuse(status, { message, type: "invalid_request_error" }));
    const turn = await talk.ask({ prompt: "Read.", attachments: [{ kind: "file", path: "a.ts" }] });
    assert.deepEqual(turn.problem?.actions, actions, message);
  }
  talk.sim.reply(refuse(404, { message: "Gone." }));
  assert.deepEqual((await talk.ask("Chat.", "svc-k2.6")).problem?.actions, ["choose-model", "retry"]);
});

test("every request has a usage row, also when it was stopped, cut off or refused", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "x\n");
  talk.sim.reply(call("read_file", { path: "a.ts" }));
  talk.sim.reply(refuse(400, { message: "No." }));
  assert.equal((await talk.ask("Read.")).usage.length, 2);
  assert.deepEqual(Object.keys(talk.last().usage[1] ?? {}), ["at", "cause"]);
  talk.sim.reply(text("Half of it"), cutAfterEvents(5));
  assert.equal((await talk.ask("Cut.")).usage.length, 1);
  const hold = holdBefore(8);
  talk.sim.reply(text("A long answer. ".repeat(50)), hold);
  const asked = talk.ask("Stop.");
  const arrives = talk.onEvent((event) => {
    if (event.type === "text") talk.stop();
  });
  await asked;
  arrives.dispose();
  hold.release();
  assert.equal(talk.last().status, "stopped");
  assert.equal(talk.last().usage.length, 1);
  talk.problem = { kind: "no-key", message: verbatim("There is no key."), actions: [] };
  assert.deepEqual((await talk.ask("Unsent.")).usage, []);
});

/** Bytes in which nothing is what anybody expects, with the key and something encrypted among them. */
const gibberish = (key: string) =>
  `data: {"zork":"${key}"}\n\ndata: {"blorb":{"encrypted_content":"b3BhcXVl"}}\n\n`;

for (const [model, what] of [
  ["svc-k3", "Responses"],
  ["svc-k2.6", "chat"],
] as const)
  test(`an unreadable reply is shown masked, also after a restart, and not retried automatically (${what})`, async () => {
    const talk = await startTalk();
    talk.sim.reply(raw(gibberish(talk.key)));
    const turn = await talk.ask("Hello?", model);
    assert.ok(turn.problem?.actions.includes("retry-whole"));
    assert.equal(talk.sim.requests.length, 1);
    for (const each of [talk, talk.reopen()]) {
      const [part] = each.last().parts;
      assert.ok(part?.type === "other" && part.kind === "text/event-stream");
      assert.equal(part.bytes, gibberish(talk.key).length);
      assert.match(part.json, /^data: \{"zork":"\[hidden\]"\}\n\ndata: \{"blorb"/);
      assert.doesNotMatch(part.json, /b3BhcXVl/);
    }
    assert.ok(!talk.lines.join("").includes(talk.key));
    talk.sim.reply(text("Hello."));
    await talk.conversation.retry("retry-whole", asking(model));
    assert.deepEqual(reading(talk.last()), ["text Hello."]);
    assert.doesNotMatch(lastBody(talk).raw, /zork/, "it is for the eye alone");
  });

test("a long unreadable reply keeps only its beginning and no part of the key", async () => {
  const talk = await startTalk();
  const around = JSON.stringify({ zork: "", key: "" }).length - '"}'.length;
  // All of the key, five or twelve characters of it, nothing of it before the cut.
  for (const before of [16_300, 16_384 - around - 5, 16_384 - around - 12, 40_000]) {
    talk.sim.reply(json({ zork: "x".repeat(before), key: talk.key }));
    const [part] = (await talk.ask("Hello?")).parts;
    assert.ok(part?.type === "other" && part.bytes > before && part.json.length <= 16_384);
    assert.ok(part.json.startsWith('{"zork":"xxx'));
    assert.ok(!part.json.includes(talk.key.slice(0, 4)));
  }
});

test("a partly readable reply keeps no raw bytes", async () => {
  const talk = await startTalk();
  talk.sim.reply(text("Some of it."), cutAfterEvents(4));
  assert.deepEqual(
    (await talk.ask("Hello?")).parts.filter(({ type }) => type === "other"),
    [],
  );
});
