// The store under the assistant, on a real disk, over real HTTP: what a person sees when a conversation is edited, and
// after the window was gone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeFileSystem } from "../../../../src/core/store/file-system.ts";
import { text } from "../../../sim/script.ts";
import { ask, full, lastInput, openDesk } from "./person-support.ts";
import { temporaryFolder } from "./store-support.ts";

test("an edited question is gone from the disk and from the wire, and the new one takes its place", async (t) => {
  const folder = temporaryFolder(t);
  const desk = await openDesk(t, { folder });
  await ask(desk, "First.", "One.");
  await ask(desk, "My password is canary-1.", "Noted canary-2.");
  const turn = desk.session.state.turns[1]?.id ?? "";
  desk.sim.reply(text("Better."));
  const over = desk.ended();
  desk.session.edit(turn, "Second.");
  await over;
  assert.doesNotMatch(lastInput(desk), /canary/);
  assert.match(lastInput(desk), /First.*One.*Second/s);
  assert.doesNotMatch(desk.log(), /canary/);
  await ask(desk, "Third.", "Three.");
  const sent = desk.sim.requests.at(-1)?.raw;
  const shown = desk.session.state;
  await desk.close();
  const again = await openDesk(t, { folder, sim: desk.sim });
  assert.deepEqual(again.session.state, shown);
  await ask(again, "Fourth.", "Four.");
  const input = JSON.parse(String(sent)).input.length;
  assert.equal(JSON.parse(String(again.sim.requests.at(-1)?.raw)).input.length, input + 2);
  assert.deepEqual(desk.errors, []);
});

test("a disk that refuses to forget still knows what was cut off", async (t) => {
  const folder = temporaryFolder(t);
  const fs = { ...nodeFileSystem };
  const desk = await openDesk(t, { folder, fs });
  await ask(desk, "First.", "One.");
  const rename = fs.rename;
  fs.rename = () => Promise.reject(Object.assign(new Error("EIO"), { code: "EIO" }));
  desk.sim.reply(text("Other."));
  const over = desk.ended();
  desk.session.regenerate(desk.session.state.turns[0]?.id ?? "");
  await over;
  assert.match(desk.log(), /One\./);
  await desk.close();
  fs.rename = rename;
  const again = await openDesk(t, { folder, sim: desk.sim, fs });
  assert.equal(again.session.state.turns.length, 1);
  assert.doesNotMatch(again.log(), /One\./);
  assert.match(desk.errors.join(), /could not be removed from the disk/);
});

test("what was sent after a reopening begins with the very bytes that were sent before it", async (t) => {
  const folder = temporaryFolder(t);
  const desk = await openDesk(t, { folder });
  await ask(desk, "First ünïcode 😀.", "One\n\n漢字.");
  await ask(desk, "Second.", "Two.");
  await desk.close();
  const again = await openDesk(t, { folder, sim: desk.sim });
  await ask(again, "Third.", "Three.");
  const [, before, after] = desk.sim.requests.map(({ raw }) => raw.toString());
  const upToInput = (raw = "") => raw.slice(0, raw.indexOf("Second.") + "Second.".length);
  assert.ok(after?.startsWith(upToInput(before)));
});

test("what is attached is written when it changes, not with every word of the draft", async (t) => {
  const written: string[] = [];
  const open: typeof nodeFileSystem.open = async (path, mode) => {
    const file = await nodeFileSystem.open(path, mode);
    if (mode === "create") written.push(/(draft|attached)\.json/.exec(path)?.[1] ?? "");
    return file;
  };
  const desk = await openDesk(t, { fs: { ...nodeFileSystem, open } });
  desk.session.draft.attach({ kind: "text", name: "a", text: "words" });
  const { id } = desk.session.state;
  for (const draft of ["One", "One two"]) {
    desk.session.draft.write(draft);
    await desk.newConversation();
    await desk.open(id);
  }
  assert.deepEqual(
    written.filter((name) => name === "attached"),
    ["attached"],
  );
  assert.ok(written.filter((name) => name === "draft").length >= 2);
  assert.equal(desk.session.draft.attachments.length, 1);
});

test("what is attached while no file can be made for it is not left behind, and kept once one can be", async (t) => {
  const fs = { ...nodeFileSystem };
  const desk = await openDesk(t, { fs });
  fs.stat = () => Promise.reject(full);
  desk.session.draft.attach({ kind: "text", name: "kept", text: "words" });
  const { id } = desk.session.state;
  await assert.rejects(desk.newConversation(), /the disk is full/);
  fs.stat = nodeFileSystem.stat;
  await desk.newConversation();
  await desk.open(id);
  assert.deepEqual(
    desk.session.draft.attachments.map(({ label }) => label),
    ["kept"],
  );
});
