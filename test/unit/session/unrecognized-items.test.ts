// What no other event tells: it is seen all the same, goes back as it came, and what is encrypted stays where it is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { incomplete, item, reasoning, text } from "../../sim/script.ts";
import { english } from "../../support/english.ts";
import { lastBody, outputs, reading, startTalk } from "../../support/talk.ts";

test("a reply with only an unknown item shows it without encrypted content and keeps it unchanged", async () => {
  const talk = await startTalk();
  const odd = { type: "foo_call", id: "f1", status: "completed", deep: { encrypted_content: "c2VjcmV0" } };
  talk.sim.reply(item(odd));
  const turn = await talk.ask("Foo.");
  assert.deepEqual(reading(turn), ["other foo_call"]);
  const [part] = turn.parts;
  assert.ok(part?.type === "other");
  assert.equal(part.bytes, JSON.stringify(odd).length);
  assert.match(part.json, /"status": "completed"/);
  assert.doesNotMatch(JSON.stringify(turn), /c2VjcmV0/);
  assert.match(talk.lines.join("\n"), /c2VjcmV0/);
  assert.deepEqual(reading(talk.reopen().last()), ["other foo_call"]);
});

test("an unreadable message and the image results of a search are shown as raw parts", async () => {
  const talk = await startTalk();
  talk.sim.reply(
    item({
      type: "web_search_call",
      id: "ws",
      status: "completed",
      action: { type: "search", query: "cats" },
      results: [{ picture: "https://example.test/cat.png" }],
    }),
    item({ type: "message", id: "m1", role: "assistant", body: ["Hello"] }),
    item({ type: "message", id: "m2", role: "assistant", content: [] }),
  );
  const turn = await talk.ask("Cats?");
  assert.deepEqual(reading(turn), ["search cats", "other web_search_call.results", "other message"]);
  assert.match(JSON.stringify(turn.parts), /cat\.png.*Hello/);
});

test("a very long item is shown with its beginning and its size", async () => {
  const talk = await startTalk();
  talk.sim.reply(item({ type: "blob", id: "b", data: "x".repeat(100_000) }));
  const [part] = (await talk.ask("Blob.")).parts;
  assert.ok(part?.type === "other");
  assert.ok(part.bytes > 100_000 && part.json.length <= 4_000);
});

test("reasoning without text is shown as an empty part, and reasoning with text as its text", async () => {
  const talk = await startTalk();
  talk.sim.reply(reasoning({ summary: [], encrypted: "b3BhcXVl" }), text("So."));
  assert.deepEqual(reading(await talk.ask("Think.")), ["reasoning ", "text So."]);
  talk.sim.reply(reasoning("Aloud."), reasoning({ raw: "Raw." }), text("So."));
  assert.deepEqual(reading(await talk.ask("Again.")), ["reasoning Aloud.", "reasoning Raw.", "text So."]);
});

test("the problem of an incomplete response names the service's reason", async () => {
  const talk = await startTalk();
  const messages: (string | undefined)[] = [];
  for (const reason of ["content_filter", "max_output_tokens", ""]) {
    talk.sim.reply(text("And then"), incomplete(reason));
    messages.push(english((await talk.ask("Tell.")).problem));
  }
  assert.deepEqual(messages, [
    "The service cut off the response: content_filter.",
    "The response reached the output limit.",
    "The service cut off the response.",
  ]);
});

test("a call of apply_patch is recognized by its name, for any item type and form of input", async () => {
  const patch = "*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** End Patch";
  for (const [type, input] of [
    ["tool_call", { input: patch }],
    ["tool_call", { input: { patch } }],
    ["custom_tool_call", { input: JSON.stringify({ input: patch }) }],
    ["vendor:patch_call", { arguments: JSON.stringify({ patch }) }],
  ] as const) {
    const talk = await startTalk();
    talk.workspace.write("work/a.ts", "x\n");
    talk.decide = () => ({ kind: "accept" });
    talk.sim.reply(item({ type, id: "i", name: "apply_patch", call_id: "c", status: "completed", ...input }));
    const turn = await talk.ask("Change it.");
    assert.deepEqual(reading(turn), ["patch applied"], `${type} ${JSON.stringify(input)}`);
    assert.deepEqual(
      outputs(lastBody(talk)).map(([id]) => id),
      ["c"],
    );
  }
});

test("a call of an unknown type for another tool is shown as a raw part and answered", async () => {
  const talk = await startTalk();
  talk.sim.reply(item({ type: "tool_call", id: "i", name: "click", call_id: "c", x: 1 }), text("Clicked."));
  const turn = await talk.ask("Click.");
  assert.deepEqual(reading(turn), ["other tool_call", "text Clicked."]);
  assert.match(talk.lines.join("\n"), /cannot run calls of this kind/);
});
