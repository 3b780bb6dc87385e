// Two windows with one conversation: the second reads along, turn by turn, keeps what waits in its own box, and takes
// nothing from the first.
import assert from "node:assert/strict";
import { test } from "node:test";
import { text } from "../../../sim/script.ts";
import { english } from "../../../support/english.ts";
import { libraryOn, temporaryFolder } from "./store-support.ts";
import { openWindow, type Window, words } from "./window-support.ts";

test("a conversation that another window has open is read along, and nothing is asked in it here", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const folder = temporaryFolder(t);
  const writer = await openWindow(t, { folder });
  const { sim } = writer;
  const say = async ({ shown }: Window, prompt: string) => {
    sim.reply(text(`Answer to ${prompt}`));
    return shown.session.send({ prompt });
  };
  await say(writer, "One?");
  const reader = await openWindow(t, { folder, sim });
  const prompts = () => words(reader.shown).map(([prompt]) => prompt);
  assert.deepEqual(prompts(), ["One?"]);
  assert.match(
    english(reader.shown.session.readOnly),
    /open in another window .* Each answer appears once it has ended\.$/,
  );
  await assert.rejects(reader.shown.session.send({ prompt: "Mine?" }), /open in another window/);
  assert.equal(reader.shown.session.draft.text, "Mine?", "the words are in the box again");
  assert.equal(sim.requests.length, 1);
  const reset = () => new Promise<void>((resolve) => reader.shown.session.onReread(resolve));
  const read = reset();
  await say(writer, "Two?");
  t.mock.timers.tick(1000);
  await read;
  assert.deepEqual(prompts(), ["One?", "Two?"]);
  assert.equal(reader.shown.session.draft.text, "Mine?");
  const promoted = reset();
  await writer.shown.close();
  t.mock.timers.tick(1000);
  await promoted;
  assert.equal(reader.shown.session.readOnly, undefined);
  assert.equal((await say(reader, "Three?"))?.status, "done");
  const again = await openWindow(t, { folder, sim });
  await reader.shown.close();
  assert.deepEqual(
    words(again.shown).map(([prompt]) => prompt),
    ["One?", "Two?", "Three?"],
  );
});

test("reading along goes on while words and attachments wait here; what waits in the other window is its own", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const folder = temporaryFolder(t);
  const earlier = await openWindow(t, { folder });
  const { sim } = earlier;
  const say = async ({ shown }: Window, prompt: string) => {
    sim.reply(text(`Answer to ${prompt}`));
    return shown.session.send({ prompt });
  };
  await say(earlier, "One?");
  earlier.shown.session.draft.attach({ kind: "text", name: "theirs", text: "a" });
  await earlier.shown.close();
  const writer = await openWindow(t, { folder, sim });
  const waiting = ({ shown }: Window) => shown.session.draft.attachments.map(({ label }) => label);
  assert.deepEqual(waiting(writer), ["theirs"]);
  const reader = await openWindow(t, { folder, sim });
  assert.deepEqual(waiting(reader), []);
  reader.shown.session.draft.attach({ kind: "text", name: "mine", text: "b" });
  const reset = () => new Promise<void>((resolve) => reader.shown.session.onReread(resolve));
  for (const prompt of ["Two?", "Three?"]) {
    const read = reset();
    await say(writer, prompt);
    t.mock.timers.tick(1000);
    await read;
    reader.shown.session.draft.write(`After ${prompt}`);
  }
  assert.deepEqual(
    words(reader.shown).map(([prompt]) => prompt),
    ["One?", "Two?", "Three?"],
  );
  const promoted = reset();
  await writer.shown.close();
  t.mock.timers.tick(1000);
  await promoted;
  assert.deepEqual([reader.shown.session.draft.text, waiting(reader)], ["After Three?", ["mine"]]);
  assert.deepEqual(reader.errors, []);
});

test("who only reads along leaves the draft of the other window alone", async (t) => {
  const folder = temporaryFolder(t);
  const writer = await openWindow(t, { folder });
  writer.sim.reply(text("Answer."));
  await writer.shown.session.send({ prompt: "One?" });
  const reader = await openWindow(t, { folder, sim: writer.sim });
  writer.shown.session.draft.write("What I was about to ask");
  await writer.shown.close();
  await reader.shown.close();
  const later = await openWindow(t, { folder, sim: writer.sim });
  assert.equal(later.shown.session.draft.text, "What I was about to ask");
});

test("what is typed beside a conversation that another window has deleted does not bring it back", async (t) => {
  const folder = temporaryFolder(t);
  const writer = await openWindow(t, { folder });
  writer.sim.reply(text("Answer."));
  await writer.shown.session.send({ prompt: "One?" });
  const { id } = writer.shown.session.state;
  const reader = await openWindow(t, { folder, sim: writer.sim });
  assert.match(
    english(reader.shown.session.readOnly),
    /open in another window .* Each answer appears once it has ended\.$/,
  );
  await writer.shown.newConversation();
  await libraryOn(folder).remove(id);
  reader.shown.session.draft.write("Late words");
  await assert.rejects(reader.shown.newConversation(), /does not exist any more/);
  reader.shown.session.draft.write("");
  await reader.shown.newConversation();
  assert.deepEqual(await libraryOn(folder).list(), []);
});
