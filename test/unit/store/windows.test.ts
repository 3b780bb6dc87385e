// The rows of the fault matrix that are about windows, each under its number. Row 67 has a file of its own (kill.slow.test.ts).
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { drip, holdBefore } from "../../sim/delivery-faults.ts";
import { text } from "../../sim/script.ts";
import { addTurn, libraryOn, temporaryFolder } from "./store-support.ts";
import { openWindow, words } from "./window-support.ts";

test("row 61: a turn stopped at any of twenty moments ends once and is kept as it was shown", async (t) => {
  const folder = temporaryFolder(t);
  const window = await openWindow(t, { folder });
  const { sim, shown, events } = window;
  const answer = Array.from({ length: 60 }, (_, at) => `word${at} `).join("");
  let stops = 0;
  for (let moment = 0; moment < 20; moment += 1) {
    sim.reply(text(answer), drip(200, 1));
    events.length = 0;
    let seen = 0;
    const listening = shown.session.onEvent(({ type }) => {
      if (type === "text" || moment === 0) seen += 1;
      if (seen === Math.max(1, moment)) shown.session.stop();
    });
    const turn = await shown.session.send({ prompt: `Question ${moment}` });
    listening.dispose();
    assert.equal(events.filter(({ type }) => type === "ended").length, 1);
    assert.equal(events.at(-1)?.type, "ended");
    assert.ok(turn?.status === "stopped" || turn?.status === "done", turn?.status);
    if (turn.status === "stopped") stops += 1;
    const heard = events.map((event) => (event.type === "text" ? event.delta : "")).join("");
    assert.ok(answer.startsWith(heard));
  }
  assert.ok(stops > 0);
  const before = words(shown);
  await shown.close();
  const again = await openWindow(t, { folder, sim });
  assert.deepEqual(words(again.shown), before);
});

test("row 62: a stop in the same tick as the end of a turn leaves one outcome", async (t) => {
  const { sim, shown, events } = await openWindow(t);
  sim.reply(text("All of it."));
  shown.session.onEvent(({ type }) => {
    if (type === "usage" || type === "ended") shown.session.stop();
  });
  await shown.session.send({ prompt: "Question" });
  assert.equal(events.filter(({ type }) => type === "ended").length, 1);
  assert.equal(words(shown)[0]?.[2], "All of it.");
});

test("row 63: a question sent during a response waits for it, and both are kept", async (t) => {
  const folder = temporaryFolder(t);
  const { sim, shown } = await openWindow(t, { folder });
  sim.reply(text("First answer."));
  sim.reply(text("Second answer."));
  await Promise.all([shown.session.send({ prompt: "First" }), shown.session.send({ prompt: "Second" })]);
  await shown.close();
  const again = await openWindow(t, { folder, sim });
  assert.deepEqual(words(again.shown), [
    ["First", "done", "First answer."],
    ["Second", "done", "Second answer."],
  ]);
});

test("row 66: a window closed during a response keeps its text as interrupted, and the draft", async (t) => {
  const folder = temporaryFolder(t);
  const { sim, shown, next } = await openWindow(t, { folder });
  const held = holdBefore(8);
  sim.reply(text("The beginning of an answer that never ends."), held);
  const seen = next("text");
  const turn = shown.session.send({ prompt: "Question" });
  await seen;
  shown.session.draft.write("half a thou");
  await shown.close();
  held.release();
  await turn;
  const [, , said = ""] = words(shown)[0] ?? [];
  const again = await openWindow(t, { folder, sim });
  assert.deepEqual(words(again.shown), [["Question", "interrupted", said]]);
  assert.equal(again.shown.session.draft.text, "half a thou");
});

test("row 68: a clock that jumps by an hour reorders no turn and loses no lock", async (t) => {
  const folder = temporaryFolder(t);
  const jumps = [0, 3_600_000, -3_600_000, 0];
  let clock = 1_700_000_000_000;
  const { sim, shown, errors } = await openWindow(t, { folder, now: () => clock });
  for (const [number, jump] of jumps.entries()) {
    clock += jump;
    sim.reply(text(`Answer ${number}`));
    await shown.session.send({ prompt: `Question ${number}` });
  }
  await shown.close();
  assert.deepEqual(errors, []);
  const again = await openWindow(t, { folder, sim });
  assert.deepEqual(
    words(again.shown).map(([prompt]) => prompt),
    ["Question 0", "Question 1", "Question 2", "Question 3"],
  );
});

test("row 70: three windows with one conversation show the same list and each turn once", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const folder = temporaryFolder(t);
  const windows = [libraryOn(folder), libraryOn(folder), libraryOn(folder)] as const;
  const writer = await windows[0].create("c");
  await addTurn(writer, "1");
  const told = windows
    .slice(1)
    .map((library) => new Promise<void>((resolve) => library.onDidChange(resolve)));
  await Promise.all(windows.map((library) => library.list()));
  const readers = await Promise.all(windows.slice(1).map((library) => library.open("c")));
  assert.deepEqual(
    readers.map(({ readOnly }) => readOnly?.kind),
    ["elsewhere", "elsewhere"],
  );
  await addTurn(writer, "2");
  await windows[0].rename("c", "Named");
  t.mock.timers.tick(1000);
  await Promise.all(told);
  for (const library of windows)
    assert.deepEqual(
      (await library.list()).map(({ title, turns }) => [title, turns]),
      [["Named", 2]],
    );
  await writer.close();
  const promoted = new Promise<void>((resolve) => {
    for (const reader of readers) reader.onDidChange(({ type }) => type === "state" && resolve());
  });
  t.mock.timers.tick(1000);
  await promoted;
  const next = readers.find(({ readOnly }) => readOnly === undefined);
  assert.ok(next);
  await addTurn(next, "3");
  const ends = await next.read((type) => type === "ended");
  assert.deepEqual(
    ends.map((record) => record["turn"]),
    ["1", "2", "3"],
  );
});

test("row 73: opening and closing a conversation leaves no timer, handle or listener behind", async (t) => {
  const folder = temporaryFolder(t);
  await addTurn(await libraryOn(folder).create("c"), "1");
  const library = libraryOn(temporaryFolder(t));
  const cycle = async () => {
    const journal = await library.create("c");
    const listening = [journal.onDidChange(() => {}), library.onDidChange(() => {})];
    await addTurn(journal, "1");
    for (const each of listening) each.dispose();
    await journal.close();
  };
  await cycle();
  const active = () => process.getActiveResourcesInfo().length;
  const before = active();
  for (let count = 0; count < 100; count += 1) await cycle();
  // What is being closed is so some rounds later, and what stays open is not.
  for (let round = 0; round < 1000 && active() > before; round += 1) await setImmediate();
  assert.ok(active() <= before);
});
