// What goes out with later questions: nothing that was refused, a word behind what was stopped or failed, nothing that a
// person has left out; the same after a restart; and every call is answered, said or both.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cutAfterEvents, holdBefore } from "../../sim/delivery-faults.ts";
import { status as refuse } from "../../sim/http-answers.ts";
import { call, events, item, patchCall, text } from "../../sim/script.ts";
import { asking } from "../../support/asking.ts";
import { english } from "../../support/english.ts";
import { lastBody, outputs, reading, startTalk, type Talk } from "../../support/talk.ts";

async function stopped(talk: Talk, question: string): Promise<void> {
  const hold = holdBefore(8);
  talk.sim.reply(text("A long answer. ".repeat(50)), hold);
  const arrives = talk.onEvent((event) => {
    if (event.type === "text") talk.stop();
  });
  await talk.ask(question);
  arrives.dispose();
  hold.release();
  assert.equal(talk.last().status, "stopped");
}

/** The next question is answered, in the same window and in another; answers what both have sent. */
async function nextRequest(talk: Talk, question = "What time is it?"): Promise<string> {
  const later = talk.reopen();
  talk.sim.reply(text("Noon."));
  assert.equal((await talk.ask(question)).status, "done");
  const { raw } = lastBody(talk);
  talk.sim.reply(text("Noon."));
  await later.ask(question);
  const input = (body: string) => JSON.stringify((JSON.parse(body) as { input: unknown }).input);
  assert.equal(input(lastBody(later).raw), input(raw), "another window sends the same");
  return raw;
}

test("a refused question is not sent again with the next one", async () => {
  const talk = await startTalk();
  talk.sim.reply(refuse(400, { message: "prompt_cache_breakpoint is not supported." }));
  assert.equal((await talk.ask("Look at prompt_cache_breakpoint.")).status, "failed");
  assert.doesNotMatch(await nextRequest(talk, "Hello"), /prompt_cache_breakpoint/);
  talk.sim.done();
});

test("a question that reached no service is not sent again", async () => {
  const talk = await startTalk();
  const { address } = talk;
  talk.address = "http://127.0.0.1:9";
  assert.equal((await talk.ask("Rename every file.")).status, "failed");
  talk.address = address;
  assert.doesNotMatch(await nextRequest(talk), /Rename/);
});

test("a stopped question is sent with a note right behind it that the user stopped it", async () => {
  const talk = await startTalk();
  await stopped(talk, "Rename every file to x.");
  assert.match(
    await nextRequest(talk),
    /Rename every file to x.*The user stopped this request.*What time is it/,
  );
});

test("a failed question is sent with a note that it was cut off", async () => {
  const talk = await startTalk();
  talk.sim.reply(text("Half of the answer"), cutAfterEvents(5));
  await talk.ask("Rename every file.");
  assert.match(await nextRequest(talk), /Rename every file.*was cut off before it was done.*What time is it/);
});

test("an excluded turn stays visible and is not sent again, in any window and after a later edit", async () => {
  const talk = await startTalk();
  await stopped(talk, "Rename every file to x.");
  const [first] = talk.conversation.state.turns;
  assert.match(await nextRequest(talk), /Rename every file/);
  await talk.conversation.exclude(first?.id ?? "");
  assert.doesNotMatch(await nextRequest(talk, "And now?"), /Rename every file/);
  assert.equal(talk.conversation.state.turns[0]?.prompt, "Rename every file to x.");
  const second = talk.conversation.state.turns[1];
  talk.sim.reply(text("Later."));
  await talk.conversation.edit(second?.id ?? "", "What day is it?", asking());
  assert.doesNotMatch(lastBody(talk).raw, /Rename every file/);
  assert.deepEqual(talk.reopen().conversation.state, talk.conversation.state);
  assert.doesNotMatch(await nextRequest(talk), /Rename every file/);
});

test("exclude ignores a turn that is done and an unknown id", async () => {
  const talk = await startTalk();
  talk.sim.reply(text("Hello."));
  const { id } = await talk.ask("Hello?");
  await talk.conversation.exclude(id);
  await talk.conversation.exclude("nobody");
  assert.equal(talk.last().excluded, undefined);
  assert.match(await nextRequest(talk), /Hello\?/);
});

test("a continued turn is sent without the note that it was stopped", async () => {
  const talk = await startTalk();
  await stopped(talk, "Tell me a story.");
  talk.sim.reply(text("The end."));
  await talk.conversation.retry("continue", asking());
  assert.doesNotMatch(lastBody(talk).raw, /It is over/);
  assert.doesNotMatch(await nextRequest(talk), /It is over/);
});

test("a turn with a refused follow-up request keeps its calls and omits the refused outputs", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "what the service refuses\n");
  talk.sim.reply(call("read_file", { path: "a.ts" }, { callId: "read_file:0" }));
  talk.sim.reply(refuse(400, { message: "No such content." }));
  assert.equal((await talk.ask("Read a.ts.")).status, "failed");
  const raw = await nextRequest(talk);
  assert.doesNotMatch(raw, /what the service refuses/);
  assert.match(raw, /Read a\.ts.*"call_id":"read_file:0".*is left out.*This request failed.*What time/);
  talk.sim.done();
});

test("an output that is refused and then accepted after Retry stays in the history", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "what the service refuses once\n");
  talk.sim.reply(call("read_file", { path: "a.ts" }));
  talk.sim.reply(refuse(400, { message: "No such content." }));
  await talk.ask("Read a.ts.");
  talk.sim.reply(refuse(400, { message: "No such content." }));
  await talk.conversation.retry("retry", asking());
  talk.sim.reply(text("I have read it."));
  await talk.conversation.retry("retry", asking());
  assert.match(lastBody(talk).raw, /what the service refuses once/);
  const raw = await nextRequest(talk);
  assert.match(raw, /what the service refuses once.*I have read it/);
  assert.doesNotMatch(raw, /It is over/);
  talk.sim.done();
});

test("a patch of an excluded turn is reported as news", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "one\n");
  const patch = "*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+ONE\n*** End Patch";
  talk.sim.reply(patchCall(patch));
  talk.sim.reply(text("Half of"), cutAfterEvents(5));
  talk.decide = () => ({ kind: "accept" });
  const { id } = await talk.ask("Edit.");
  await talk.conversation.exclude(id);
  const raw = await nextRequest(talk);
  assert.doesNotMatch(raw, /custom_tool_call/);
  assert.match(raw, /what became of your patches.*a\.ts.*was accepted/);
});

test("a call without an id gets a unique one and is answered under it", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "x\n");
  const nameless = { type: "function_call", id: "fc_1", name: "read_file", arguments: '{"path":"a.ts"}' };
  talk.sim.reply(item({ ...nameless, call_id: "", status: "completed" }));
  talk.sim.reply(item({ ...nameless, id: "fc_2", status: "completed" }));
  talk.sim.reply(text("Read twice."));
  assert.deepEqual(reading(await talk.ask("Read.")), [
    "read_file done",
    "read_file done",
    "text Read twice.",
  ]);
  const ids = outputs(lastBody(talk)).map(([id]) => String(id));
  assert.equal(new Set(ids).size, 2);
  assert.ok(ids.every((id) => id !== ""));
  talk.sim.done();
});

test("a dropped duplicate call gets a row of its own that says why", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "x\n");
  const one = { type: "function_call", call_id: "same", name: "read_file", status: "completed" };
  talk.sim.reply(
    item({ ...one, id: "fc_1", arguments: '{"path":"a.ts"}' }),
    item({ ...one, id: "fc_2", arguments: '{"path":"b.ts"}' }),
  );
  talk.sim.reply(item({ ...one, id: "fc_1", arguments: '{"path":"a.ts"}' }));
  const turn = await talk.ask("Read.");
  const rows = turn.parts.flatMap((part) =>
    part.type === "tool" ? [[part.status, english(part.message)]] : [],
  );
  assert.deepEqual(rows.map(([status]) => status).toSorted(), ["done", "failed", "failed"]);
  assert.ok(rows.some(([, why]) => /sent this call twice/.test(String(why))));
  assert.ok(rows.some(([, why]) => /already had a result/.test(String(why))));
  talk.sim.done();
});

test("a response streamed only in pieces, with an empty final output, is part of the next request", async () => {
  const talk = await startTalk();
  const emptied = events((all) =>
    all
      .filter(({ type }) => type !== "response.output_item.done")
      .map((event) =>
        event["type"] === "response.completed"
          ? { ...event, response: { ...(event["response"] as object), output: [] } }
          : event,
      ),
  );
  talk.sim.reply(text("Forty-two."), emptied);
  assert.deepEqual(reading(await talk.ask("How much?")), ["text Forty-two."]);
  assert.match(await nextRequest(talk), /How much\?.*Forty-two\..*What time/);
});
