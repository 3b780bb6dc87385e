// A conversation in two windows: the second takes it over, and the first reads along.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { nodeFileSystem } from "../../../src/store/file-system.ts";
import { holdBefore } from "../../sim/delivery-faults.ts";
import { text } from "../../sim/script.ts";
import { english } from "../../support/english.ts";
import type { Shown } from "../../support/test-app.ts";
import { addConversation, addTurn, ended, libraryOn, started, temporaryFolder } from "./store-support.ts";
import { openWindow, type Window, words } from "./window-support.ts";

const requestIn = (folder: string) => join(folder, "conversations", "c", "lock.asked");

test("a journal that is handed over has every record once and is written by the window that asked", async (t) => {
  const folder = temporaryFolder(t);
  const first = await libraryOn(folder).create("c");
  await addTurn(first, "1");
  const second = await libraryOn(folder).open("c");
  const third = await libraryOn(folder).open("c");
  let requests = 0;
  first.onDidChange(({ type }) => {
    if (type !== "asked-for") return;
    requests += 1;
    // What is appended at the last moment goes along.
    void first.append(started("2"), { durable: false });
    void first.handOver();
  });
  await second.takeOver();
  assert.equal(requests, 1);
  assert.equal(second.readOnly, undefined);
  assert.deepEqual([first.readOnly?.kind, third.readOnly?.kind], ["elsewhere", "elsewhere"]);
  await assert.rejects(first.append(started("x"), { durable: true }), /another window/);
  await second.append(ended("2"), { durable: true });
  const all = (await second.read(() => true)).map(({ type, turn }) => `${type} ${turn}`);
  assert.deepEqual(all.slice(1), ["started 1", "text 1", "ended 1", "started 2", "ended 2"]);
  assert.equal(existsSync(requestIn(folder)), false);
});

test("a journal that is not handed over stays where it is, and the window that asked is told", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
  const folder = temporaryFolder(t);
  const first = await libraryOn(folder).create("c");
  await addTurn(first, "1");
  const second = await libraryOn(folder).open("c");
  const told = assert.rejects(second.takeOver(), /has not handed over/);
  let isTold = false;
  void told.finally(() => {
    isTold = true;
  });
  while (!isTold) {
    t.mock.timers.tick(250);
    await setImmediate();
  }
  await told;
  assert.equal(second.readOnly?.kind, "elsewhere");
  assert.equal(existsSync(requestIn(folder)), false);
  await addTurn(first, "2");
});

test("a request of a window that has died keeps nobody from writing", async (t) => {
  const folder = temporaryFolder(t);
  await addConversation(libraryOn(folder), "c", "1");
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  writeFileSync(requestIn(folder), JSON.stringify({ token: "gone", pid, host: hostname() }));
  const journal = await libraryOn(folder).open("c");
  assert.equal(journal.readOnly, undefined);
  assert.equal(existsSync(requestIn(folder)), false);
});

const nextReread = ({ session }: Shown): Promise<void> =>
  new Promise((resolve) => {
    const listening = session.onReread(() => {
      listening.dispose();
      resolve();
    });
  });

const promptsIn = ({ shown }: Window) => words(shown).map(([prompt, status]) => `${prompt} ${status}`);

test("a conversation that is taken over ends its turn, and its queue and both drafts go along", async (t) => {
  const folder = temporaryFolder(t);
  const first = await openWindow(t, { folder });
  const { sim } = first;
  sim.reply(text("One."));
  await first.shown.session.send({ prompt: "One?" });
  const second = await openWindow(t, { folder, sim });
  assert.equal(second.shown.session.takeOver.state, "offered");
  assert.equal(first.shown.session.takeOver.state, undefined);
  second.shown.session.draft.write("Typed in the second.");

  const held = holdBefore(8);
  sim.reply(text("An answer that is still being written."), held);
  const begun = first.next("text");
  const running = first.shown.session.send({ prompt: "Two?" });
  await begun;
  const queued = first.shown.session.send({ prompt: "Three?" });
  first.shown.session.draft.write("Typed in the first.");

  const [handedOver, arrived] = [nextReread(first.shown), nextReread(second.shown)];
  const taken = second.shown.session.takeOver.ask();
  assert.equal(second.shown.session.takeOver.state, "asked");
  await taken;
  held.release();
  assert.equal((await running)?.status, "interrupted");
  assert.equal(await queued, undefined);
  await Promise.all([handedOver, arrived]);
  assert.deepEqual(promptsIn(second), ["One? done", "Two? interrupted"]);
  assert.deepEqual(promptsIn(first), promptsIn(second));
  assert.equal(second.shown.session.readOnly, undefined);
  assert.equal(second.shown.session.takeOver.state, "done");
  assert.match(english(first.shown.session.readOnly), /open in another window/);
  assert.equal(
    second.shown.session.draft.text,
    "Typed in the first.\n\nThree?\n\nTyped in the second.",
    "nothing is lost or doubled",
  );

  sim.reply(text("Four."));
  const heard = new Promise<void>((resolve) =>
    first.shown.session.onRemoteEvent(({ type }) => type === "ended" && resolve()),
  );
  assert.equal((await second.shown.session.send({ prompt: "Four?" }))?.status, "done");
  await heard;
  assert.deepEqual(promptsIn(first), ["One? done", "Two? interrupted", "Four? done"]);

  second.shown.session.draft.write("Newer.");
  const back = nextReread(first.shown);
  await first.shown.session.takeOver.ask();
  await back;
  assert.equal(first.shown.session.readOnly, undefined);
  assert.equal(first.shown.session.draft.text, "Newer.");
  sim.reply(text("Five."));
  assert.equal((await first.shown.session.send({ prompt: "Five?" }))?.status, "done");
  await second.shown.close();
  await first.shown.close();
  const later = await openWindow(t, { folder, sim });
  assert.deepEqual(promptsIn(later), ["One? done", "Two? interrupted", "Four? done", "Five? done"]);
  assert.deepEqual([...first.errors, ...second.errors], []);
});

test("what a window was about to save while it asked is not written over the text that is left for it", async (t) => {
  const folder = temporaryFolder(t);
  let left = async () => {};
  const first = await openWindow(t, {
    folder,
    fs: {
      ...nodeFileSystem,
      async rename(from, to) {
        await nodeFileSystem.rename(from, to);
        if (basename(to) === "draft.json") await left();
      },
    },
  });
  const { sim } = first;
  sim.reply(text("One."));
  await first.shown.session.send({ prompt: "One?" });
  const second = await openWindow(t, { folder, sim });
  const { draft, takeOver } = second.shown.session;
  draft.write("Typed in the second.");
  first.shown.session.draft.write("Typed in the first.");
  await first.shown.session.draft.save();
  let times = 0;
  left = async () => {
    times += 1;
    // As the timer would.
    await draft.save();
  };
  const arrived = nextReread(second.shown);
  await takeOver.ask();
  await arrived;
  assert.ok(times > 0, "the first window has left its text");
  assert.equal(draft.text, "Typed in the first.\n\nTyped in the second.");
  await draft.save();
  await second.shown.close();
  await first.shown.close();
  const later = await openWindow(t, { folder, sim });
  assert.equal(later.shown.session.draft.text, "Typed in the first.\n\nTyped in the second.");
});

test("a conversation that was handed over returns once the other window has closed it", async (t) => {
  const folder = temporaryFolder(t);
  const first = await openWindow(t, { folder });
  const { sim } = first;
  sim.reply(text("One."));
  await first.shown.session.send({ prompt: "One?" });
  const journal = await libraryOn(folder).open(first.shown.session.id);
  const handedOver = nextReread(first.shown);
  await journal.takeOver();
  await handedOver;
  assert.match(english(first.shown.session.readOnly), /open in another window/);
  const back = nextReread(first.shown);
  await journal.close();
  await back;
  sim.reply(text("Two."));
  assert.equal((await first.shown.session.send({ prompt: "Two?" }))?.status, "done");
  assert.deepEqual(promptsIn(first), ["One? done", "Two? done"]);
});
