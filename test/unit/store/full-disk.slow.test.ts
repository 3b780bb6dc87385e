// A disk that refuses: the chat goes on in memory and says so, and what was said reaches the disk once that works again.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { nodeFileSystem } from "../../../src/store/file-system.ts";
import { lostHere } from "../../../src/store/internal/repair-conversation.ts";
import { english } from "../../support/english.ts";
import { failingFileSystem } from "./failing-file-system.ts";
import { ask, full, lastInput, openTestApp, shown } from "./person-support.ts";
import { addTurn, ended, libraryOn, started, temporaryFolder, text as words } from "./store-support.ts";

test("a full disk is reported and allows new conversations, and all is saved once there is room", async (t) => {
  const folder = temporaryFolder(t);
  const fs = { ...nodeFileSystem };
  const library = libraryOn(folder, fs);
  const app = await openTestApp(t, { folder, library });
  const told: (string | undefined)[] = [];
  app.session.onChange(() => told.push(english(app.session.unsaved)));
  const open = fs.open;
  fs.open = async (path, mode) => ({ ...(await open(path, mode)), write: () => Promise.reject(full) });
  const firstId = app.session.id;
  await ask(app, "First.", "One.");
  assert.match(english(app.session.unsaved), /History is not being saved: the disk is full/);
  assert.equal(told.at(-1), english(app.session.unsaved));
  await app.newConversation();
  assert.equal(app.session.unsaved, undefined);
  const secondId = app.session.id;
  await ask(app, "Second.", "Two.");
  // What no disk holds is read again from memory.
  await app.open(firstId);
  assert.deepEqual(shown(app), [["First.", "One."]]);
  await ask(app, "Third.", "Three.");
  assert.match(lastInput(app), /First.*One.*Third/s);
  await app.open(secondId);
  app.session.onChange(() => told.push(english(app.session.unsaved)));
  fs.open = open;
  await ask(app, "Fourth.", "Four.");
  assert.equal(app.session.unsaved, undefined);
  assert.equal(told.at(-1), "");
  const expected = [
    [secondId, "Second.", "Fourth."],
    [firstId, "First.", "Third."],
  ];
  await library.close();
  for (const [id = "", ...prompts] of expected) {
    const journal = await libraryOn(folder).open(id);
    assert.equal(journal.repair, undefined);
    const said = journal.records.filter(({ type }) => type === "started").map((record) => record["prompt"]);
    assert.deepEqual(said, prompts);
    const ends = journal.records.filter(({ type }) => type === "ended");
    assert.equal(ends.length, 2);
  }
});

test("records that wait for the disk are retried by a timer, also after the journal is closed", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const folder = temporaryFolder(t);
  const fs = { ...nodeFileSystem };
  const library = libraryOn(folder, fs);
  const open = fs.open;
  fs.open = async (path, mode) => ({ ...(await open(path, mode)), write: () => Promise.reject(full) });
  const journal = await library.create("c");
  await assert.rejects(addTurn(journal, "1"), /the disk is full/);
  await journal.close();
  const saved = new Promise<void>((resolve) => journal.onDidChange(() => resolve()));
  fs.open = open;
  t.mock.timers.tick(5000);
  await saved;
  // Nobody had it open any more: another window may write now.
  await library.close();
  const again = await libraryOn(folder).open("c");
  assert.equal(again.readOnly, undefined);
  assert.deepEqual(
    again.records.map(({ type }) => type),
    ["started"],
  );
});

test("a journal keeps records that wait within its memory limit, and reports and marks what it drops", async (t) => {
  const folder = temporaryFolder(t);
  const fs = { ...nodeFileSystem };
  const journal = await libraryOn(folder, fs).create("c");
  await addTurn(journal, "1");
  const open = fs.open;
  const refuse = () => Promise.reject(full);
  fs.open = async (path, mode) => ({ ...(await open(path, mode)), write: refuse });
  await journal.close();
  const held = await libraryOn(folder, fs).open("c");
  const large = "x".repeat(5 * 1024 * 1024);
  const kept = ["a", "b", "c", "d", "e", "f"];
  await assert.rejects(held.append(started("2"), { durable: true }), /the disk is full/);
  for (const part of kept) await assert.rejects(held.append(words("2", large, part), { durable: false }));
  await assert.rejects(held.append(words("2", large, "g"), { durable: false }), /the disk is too slow/);
  assert.match(held.problem?.message ?? "", /the disk is too slow/);
  fs.open = open;
  await held.append(ended("2"), { durable: true });
  assert.equal(held.problem, undefined);
  await held.close();
  const app = await openTestApp(t, { folder });
  await app.open("c");
  const parts = app.session.state.turns[1]?.parts ?? [];
  assert.deepEqual(
    parts.map((part) => ("text" in part ? part.text.length : part.type === "note" && part.notes[0]?.code)),
    [...kept.map(() => large.length), lostHere.code],
  );
});

test("a conversation whose file cannot be checked reports why it is not saved and is saved later", async (t) => {
  const folder = temporaryFolder(t);
  const fs = { ...nodeFileSystem };
  const app = await openTestApp(t, { folder, fs });
  fs.stat = () => Promise.reject(Object.assign(new Error("EACCES"), { code: "EACCES" }));
  await ask(app, "First.", "One.");
  assert.match(english(app.session.unsaved), /its folder refuses access/);
  fs.stat = nodeFileSystem.stat;
  await ask(app, "Second.", "Two.");
  assert.equal(app.session.unsaved, undefined);
  assert.match(app.log(), /First.*One.*Second.*Two/s);
});

test("a disk that fails every call stops no conversation", async (t) => {
  const fs = failingFileSystem({ at: 1, code: "EIO", forGood: true, half: false });
  const app = await openTestApp(t, { fs });
  await ask(app, "First.", "One.");
  await ask(app, "Second.", "Two.");
  assert.equal(app.session.state.turns.length, 2);
  assert.match(lastInput(app), /First.*One.*Second/s);
  assert.ok(app.errors.length > 0);
  assert.ok(app.errors.every((error) => /History is not being saved: the disk reports EIO/.test(error)));
});

/** As if we were root, among mounts of our own. */
const apart = (...command: string[]) => spawnSync("unshare", ["-Urm", ...command]);
const mayMount = apart("true").status === 0;

for (const [way, sentence] of [
  ["full", /the disk is full/],
  ["read-only", /its folder refuses access/],
] as const)
  test(`a library on a real disk that is ${way} for a while loses, doubles and reorders nothing`, {
    skip: !mayMount,
  }, async (t) => {
    const folder = temporaryFolder(t);
    const mounted = `mount -t tmpfs -o size=256k tmpfs "$0" && exec "$1" .build/unit/store/full-disk.process.mjs "$0" ${way}`;
    const run = apart("sh", "-c", mounted, folder, process.execPath);
    assert.equal(run.status, 0, String(run.stderr));
    const { refusals, isSaid, isOver, said, isWhole } = JSON.parse(String(run.stdout));
    for (const refusal of refusals) assert.match(refusal, sentence);
    assert.deepEqual([refusals.length, isSaid, isOver, isWhole], [2, true, true, true]);
    // A turn whose question was refused has nothing else to say in this test.
    assert.deepEqual(said, [
      "started 1",
      "text 1",
      "ended 1",
      "started 2",
      "started 3",
      "started 4",
      "text 4",
      "ended 4",
    ]);
  });
