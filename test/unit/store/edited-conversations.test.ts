// The store under the assistant, on a real disk, over real HTTP: what a person sees when a conversation is edited, and
// after the window was gone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeFileSystem } from "../../../src/store/file-system.ts";
import { text } from "../../sim/script.ts";
import { ask, full, lastInput, openTestApp } from "./person-support.ts";
import { temporaryFolder } from "./store-support.ts";

test("an edited question is removed from the disk and from requests and replaced by the new one", async (t) => {
  const folder = temporaryFolder(t);
  const app = await openTestApp(t, { folder });
  await ask(app, "First.", "One.");
  await ask(app, "My password is canary-1.", "Noted canary-2.");
  const turn = app.session.state.turns[1]?.id ?? "";
  app.sim.reply(text("Better."));
  const over = app.ended();
  app.session.edit(turn, "Second.");
  await over;
  assert.doesNotMatch(lastInput(app), /canary/);
  assert.match(lastInput(app), /First.*One.*Second/s);
  assert.doesNotMatch(app.log(), /canary/);
  await ask(app, "Third.", "Three.");
  const sent = app.sim.requests.at(-1)?.raw;
  const shown = app.session.state;
  await app.close();
  const again = await openTestApp(t, { folder, sim: app.sim });
  assert.deepEqual(again.session.state, shown);
  await ask(again, "Fourth.", "Four.");
  const input = JSON.parse(String(sent)).input.length;
  assert.equal(JSON.parse(String(again.sim.requests.at(-1)?.raw)).input.length, input + 2);
  assert.deepEqual(app.errors, []);
});

test("a cut that could not rewrite the file is reported and completed at the next opening", async (t) => {
  const folder = temporaryFolder(t);
  const fs = { ...nodeFileSystem };
  const app = await openTestApp(t, { folder, fs });
  await ask(app, "First.", "One.");
  const rename = fs.rename;
  fs.rename = () => Promise.reject(Object.assign(new Error("EIO"), { code: "EIO" }));
  app.sim.reply(text("Other."));
  const over = app.ended();
  app.session.retry("regenerate", app.session.state.turns[0]?.id ?? "");
  await over;
  assert.match(app.log(), /One\./);
  await app.close();
  fs.rename = rename;
  const again = await openTestApp(t, { folder, sim: app.sim, fs });
  assert.equal(again.session.state.turns.length, 1);
  assert.doesNotMatch(again.log(), /One\./);
  assert.match(app.errors.join(), /could not be removed from the disk/);
});

test("a reopened conversation begins its request with the bytes sent before", async (t) => {
  const folder = temporaryFolder(t);
  const app = await openTestApp(t, { folder });
  await ask(app, "First ünïcode 😀.", "One\n\n漢字.");
  await ask(app, "Second.", "Two.");
  await app.close();
  const again = await openTestApp(t, { folder, sim: app.sim });
  await ask(again, "Third.", "Three.");
  const [, before, after] = app.sim.requests.map(({ raw }) => raw.toString());
  const upToInput = (raw = "") => raw.slice(0, raw.indexOf("Second.") + "Second.".length);
  assert.ok(after?.startsWith(upToInput(before)));
});

test("attachments of a draft are saved when they change, not with every change of its text", async (t) => {
  const written: string[] = [];
  const open: typeof nodeFileSystem.open = async (path, mode) => {
    const file = await nodeFileSystem.open(path, mode);
    if (mode === "create") written.push(/(draft|attached)\.json/.exec(path)?.[1] ?? "");
    return file;
  };
  const app = await openTestApp(t, { fs: { ...nodeFileSystem, open } });
  app.session.draft.attach({ kind: "text", name: "a", text: "words" });
  const { id } = app.session.state;
  for (const draft of ["One", "One two"]) {
    app.session.draft.write(draft);
    await app.newConversation();
    await app.open(id);
  }
  assert.deepEqual(
    written.filter((name) => name === "attached"),
    ["attached"],
  );
  assert.ok(written.filter((name) => name === "draft").length >= 2);
  assert.equal(app.session.draft.attachments.length, 1);
});

test("a draft attachment that cannot be saved keeps its conversation open until it can", async (t) => {
  const fs = { ...nodeFileSystem };
  const app = await openTestApp(t, { fs });
  fs.stat = () => Promise.reject(full);
  app.session.draft.attach({ kind: "text", name: "kept", text: "words" });
  const { id } = app.session.state;
  await assert.rejects(app.newConversation(), /the disk is full/);
  fs.stat = nodeFileSystem.stat;
  await app.newConversation();
  await app.open(id);
  assert.deepEqual(
    app.session.draft.attachments.map(({ label }) => label),
    ["kept"],
  );
});
