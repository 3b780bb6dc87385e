// Two windows with one conversation: the second reads along, turn by turn, keeps what waits in its own box, and takes
// nothing from the first.
import assert from "node:assert/strict";
import { test } from "node:test";
import { text } from "../../../sim/script.ts";
import { libraryOn, temporaryFolder } from "./store-support.ts";
import { openWindow, type Window, words } from "./window-support.ts";

test("a conversation that another window has open is read along, and nothing is asked in it here", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const folder = temporaryFolder(t);
  const writer = await openWindow(t, { folder });
  const { sim } = writer;
  const say = async ({ assistant }: Window, prompt: string) => {
    sim.reply(text(`Answer to ${prompt}`));
    return assistant.send({ prompt });
  };
  await say(writer, "One?");
  const reader = await openWindow(t, { folder, sim });
  const prompts = () => words(reader.assistant).map(([prompt]) => prompt);
  assert.deepEqual(prompts(), ["One?"]);
  assert.match(reader.assistant.readOnly ?? "", /open in another window/);
  await assert.rejects(reader.assistant.send({ prompt: "Mine?" }), /open in another window/);
  assert.equal(reader.assistant.draft, "Mine?", "the words are in the box again");
  assert.equal(sim.requests.length, 1);
  const reset = () => new Promise<void>((resolve) => reader.assistant.onReset(resolve));
  const read = reset();
  await say(writer, "Two?");
  t.mock.timers.tick(1000);
  await read;
  assert.deepEqual(prompts(), ["One?", "Two?"]);
  assert.equal(reader.assistant.draft, "Mine?");
  const promoted = reset();
  await writer.assistant.close();
  t.mock.timers.tick(1000);
  await promoted;
  assert.equal(reader.assistant.readOnly, undefined);
  assert.equal((await say(reader, "Three?"))?.status, "done");
  const again = await openWindow(t, { folder, sim });
  await reader.assistant.close();
  assert.deepEqual(
    words(again.assistant).map(([prompt]) => prompt),
    ["One?", "Two?", "Three?"],
  );
});

test("reading along goes on while words and attachments wait here; what waits in the other window is its own", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const folder = temporaryFolder(t);
  const earlier = await openWindow(t, { folder });
  const { sim } = earlier;
  const say = async ({ assistant }: Window, prompt: string) => {
    sim.reply(text(`Answer to ${prompt}`));
    return assistant.send({ prompt });
  };
  await say(earlier, "One?");
  earlier.assistant.attach({ kind: "text", name: "theirs", text: "a" });
  await earlier.assistant.close();
  const writer = await openWindow(t, { folder, sim });
  const waiting = ({ assistant }: Window) => assistant.attachments.map(({ label }) => label);
  assert.deepEqual(waiting(writer), ["theirs"]);
  const reader = await openWindow(t, { folder, sim });
  assert.deepEqual(waiting(reader), []);
  reader.assistant.attach({ kind: "text", name: "mine", text: "b" });
  const reset = () => new Promise<void>((resolve) => reader.assistant.onReset(resolve));
  for (const prompt of ["Two?", "Three?"]) {
    const read = reset();
    await say(writer, prompt);
    t.mock.timers.tick(1000);
    await read;
    reader.assistant.setDraft(`After ${prompt}`);
  }
  assert.deepEqual(
    words(reader.assistant).map(([prompt]) => prompt),
    ["One?", "Two?", "Three?"],
  );
  const promoted = reset();
  await writer.assistant.close();
  t.mock.timers.tick(1000);
  await promoted;
  assert.deepEqual([reader.assistant.draft, waiting(reader)], ["After Three?", ["mine"]]);
  assert.deepEqual(reader.errors, []);
});

test("who only reads along leaves the draft of the other window alone", async (t) => {
  const folder = temporaryFolder(t);
  const writer = await openWindow(t, { folder });
  writer.sim.reply(text("Answer."));
  await writer.assistant.send({ prompt: "One?" });
  const reader = await openWindow(t, { folder, sim: writer.sim });
  writer.assistant.setDraft("What I was about to ask");
  await writer.assistant.close();
  await reader.assistant.close();
  const later = await openWindow(t, { folder, sim: writer.sim });
  assert.equal(later.assistant.draft, "What I was about to ask");
});

test("what is typed beside a conversation that another window has deleted does not bring it back", async (t) => {
  const folder = temporaryFolder(t);
  const writer = await openWindow(t, { folder });
  writer.sim.reply(text("Answer."));
  await writer.assistant.send({ prompt: "One?" });
  const { id } = writer.assistant.conversation;
  const reader = await openWindow(t, { folder, sim: writer.sim });
  assert.match(reader.assistant.readOnly ?? "", /open in another window/);
  await writer.assistant.newConversation();
  await libraryOn(folder).remove(id);
  reader.assistant.setDraft("Late words");
  await assert.rejects(reader.assistant.newConversation(), /does not exist any more/);
  reader.assistant.setDraft("");
  await reader.assistant.newConversation();
  assert.deepEqual(await libraryOn(folder).list(), []);
});
