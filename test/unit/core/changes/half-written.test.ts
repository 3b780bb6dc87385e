// A window that goes away in the middle of accepting: the next one looks at the files, says how many were written, and what
// is left can be taken back or finished. Nothing is repeated by itself.
import assert from "node:assert/strict";
import { test } from "node:test";
import { patchCall, text } from "../../../sim/script.ts";
import { asking } from "../../../support/asking.ts";
import { patchesIn, rowsTold } from "../../../support/decide-patches.ts";
import { english } from "../../../support/english.ts";
import { createFolderWorkspace } from "../../../support/folder-workspace.ts";
import { startTalk, type Talk } from "../../../support/talk.ts";
import { hunkIds, patch } from "../turn/patch-talk.ts";

const sent = patch(
  ...["*** Update File: a.ts", "@@", "-a", "+A"],
  ...["*** Update File: b.ts", "@@", "-b", "+B"],
  ...["*** Add File: c.ts", "+C"],
);
const names = ["a.ts", "b.ts", "c.ts"] as const;

/** Proposed, and accepted by a window that goes after it has written these many of the three files. */
async function gone(written: number) {
  const workspace = createFolderWorkspace();
  const talk = await startTalk({ workspace });
  talk.decide = () => undefined;
  workspace.write("work/a.ts", "a\n");
  workspace.write("work/b.ts", "b\n");
  talk.sim.reply(patchCall(sent, { callId: "call_h" }));
  talk.sim.reply(text("Done."));
  await talk.ask("Change all three.");
  const contents = ["A\n", "B\n", "C\n"];
  const writing = new Promise<void>((resolve) => {
    workspace.beforeApply = () => {
      for (const [at, name] of names.entries())
        if (at < written) workspace.write(`work/${name}`, contents[at] ?? "");
      resolve();
    };
  });
  // The window that goes hears no outcome.
  workspace.goes = true;
  void talk.conversation.changes.accept(hunkIds(talk));
  await writing;
  workspace.beforeApply = () => {};
  workspace.goes = false;
  const texts = () => names.map((name) => workspace.text(`work/${name}`));
  return { ...(await opened(talk)), texts };
}

/** By the next window. */
async function opened(talk: Talk) {
  const later = talk.reopen();
  later.decide = () => undefined;
  const { changes } = later.conversation;
  await changes.refresh();
  await new Promise(setImmediate);
  const told = () => rowsTold(() => later.conversation.state.turns, changes);
  await told();
  const row = () => patchesIn(later.conversation.state.turns)[0] ?? assert.fail();
  return { later, changes, row, told };
}

test("where nothing was written all of it waits on", async () => {
  const { later, changes, row, texts } = await gone(0);
  assert.deepEqual([row().status, hunkIds(later).length, changes.halfWritten], ["proposed", 3, undefined]);
  assert.deepEqual(await changes.accept(hunkIds(later)), { outcome: "done" });
  assert.deepEqual(texts(), ["A\n", "B\n", "C\n"]);
});

test("where all of it was written it is accepted, and nothing is written again", async () => {
  const { later, changes, row, texts } = await gone(3);
  assert.deepEqual([row().status, hunkIds(later), changes.halfWritten], ["applied", [], undefined]);
  assert.equal(later.workspace.applied, 0);
  assert.equal(await changes.undo(["call_h"]), true);
  assert.deepEqual(texts(), ["a\n", "b\n", undefined]);
});

for (const written of [1, 2]) {
  test(`where ${written} of 3 files were written, that is said, and the rest is finished`, async () => {
    const { later, changes, row, told, texts } = await gone(written);
    assert.equal(english(row().message), `Only ${written} of 3 files were written.`);
    assert.equal(later.workspace.applied, 0, "nothing is repeated by itself");
    assert.equal(hunkIds(later).length, 3 - written);
    assert.deepEqual(await changes.finish(), { outcome: "done" });
    await told();
    assert.deepEqual(texts(), ["A\n", "B\n", "C\n"]);
    assert.deepEqual([row().status, row().message], ["applied", undefined]);
    assert.deepEqual(await changes.finish(), { outcome: "revised" }, "there is nothing left to finish");
  });

  test(`where ${written} of 3 files were written, they are taken back and the rest still waits`, async () => {
    const { later, changes, texts } = await gone(written);
    assert.equal(await changes.undo(["call_h"]), true);
    assert.deepEqual(texts(), ["a\n", "b\n", undefined]);
    assert.equal(hunkIds(later).length, 3 - written);
  });
}

test("it is known in the window after the next as well, until something of it is decided", async () => {
  const { later } = await gone(1);
  const { changes, row, told } = await opened(later);
  assert.equal(english(row().message), "Only 1 of 3 files were written.");
  const [first = ""] = changes.pending.flatMap(({ hunks }) => hunks.map(({ id }) => id));
  assert.equal(await changes.reject([first]), "done");
  await told();
  assert.deepEqual([row().message, changes.halfWritten], [undefined, undefined]);
  assert.deepEqual(await changes.finish(), { outcome: "revised" });
});

test("what somebody has typed into the rest meanwhile is not written over: it is a conflict, and the others are finished", async () => {
  const { later, changes, texts } = await gone(1);
  later.workspace.write("work/b.ts", "mine\n");
  assert.deepEqual(await changes.finish(), { outcome: "done" });
  assert.deepEqual(texts(), ["A\n", "mine\n", "C\n"]);
});

test("what was not part of what was being written waits on when that is finished", async () => {
  const { later, changes, texts } = await gone(2);
  later.workspace.write("work/d.ts", "d\n");
  later.sim.reply(patchCall(patch("*** Update File: d.ts", "@@", "-d", "+D"), { callId: "call_d" }));
  later.sim.reply(text("Done."));
  await later.ask("And the other.");
  assert.deepEqual(await changes.finish(), { outcome: "done" });
  assert.deepEqual([...texts(), later.workspace.text("work/d.ts")], ["A\n", "B\n", "C\n", "d\n"]);
});

test("what was proposed in the moment in which the window went, and stands in no row, is not proposed twice", async () => {
  const talk = await startTalk();
  talk.decide = () => undefined;
  talk.workspace.write("work/a.ts", "first\nlast\n");
  const insert = patch("*** Update File: a.ts", "@@", " first", "+between");
  talk.sim.reply(patchCall(insert, { callId: "call_1" }));
  talk.sim.reply(text("Done."));
  await talk.ask("Change it.");
  const untilRow = talk.lines.findIndex((line) => line.includes('"call_1"'));
  const later = talk.reopen(talk.lines.slice(0, untilRow));
  later.decide = () => undefined;
  assert.equal(later.last().status, "interrupted");
  later.sim.reply(patchCall(insert, { callId: "call_2" }));
  later.sim.reply(text("Done."));
  assert.equal((await later.conversation.again("retry", asking()))?.status, "done");
  const { changes } = later.conversation;
  assert.deepEqual(await changes.accept(hunkIds(later)), { outcome: "done" });
  assert.equal(talk.workspace.text("work/a.ts"), "first\nbetween\nlast\n");
});
