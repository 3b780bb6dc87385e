// A window that goes away in the middle of accepting: the next one looks at the files, says how many were written, and what
// is left can be taken back or finished. Nothing is repeated by itself.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { memoryChangeStore, Texts } from "../../../src/changes/change-store.ts";
import { settleInterrupted } from "../../../src/changes/internal/change-saver.ts";
import { ChangeSetState } from "../../../src/changes/internal/change-set-state.ts";
import { absentPath } from "../../../src/changes/internal/proposal-views.ts";
import { hashOf } from "../../../src/changes/proposal.ts";
import { message } from "../../../src/conversation/messages.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { patchCall, text } from "../../sim/script.ts";
import { asking } from "../../support/asking.ts";
import { patchesIn, rowsTold } from "../../support/decide-patches.ts";
import { english } from "../../support/english.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { startTalk, type Talk } from "../../support/talk.ts";
import { hunkIds, patch } from "../session/patch-talk.ts";

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

test("a window that closed before it wrote any file leaves all changes pending", async () => {
  const { later, changes, row, texts } = await gone(0);
  assert.deepEqual([row().status, hunkIds(later).length, changes.halfWritten], ["proposed", 3, undefined]);
  assert.deepEqual(await changes.accept(hunkIds(later)), { outcome: "done" });
  assert.deepEqual(texts(), ["A\n", "B\n", "C\n"]);
});

test("files that were all written before the window closed are accepted and not written again", async () => {
  const { later, changes, row, texts } = await gone(3);
  assert.deepEqual([row().status, hunkIds(later), changes.halfWritten], ["applied", [], undefined]);
  assert.equal(later.workspace.applied, 0);
  assert.deepEqual(await changes.undo(["call_h"]), { outcome: "done", left: [] });
  assert.deepEqual(texts(), ["a\n", "b\n", undefined]);
});

for (const written of [1, 2]) {
  test(`the next window says that ${written} of 3 files were written, and finishes the rest on request`, async () => {
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

  test(`undo after ${written} of 3 files were written restores them and leaves the rest pending`, async () => {
    const { later, changes, texts } = await gone(written);
    assert.deepEqual(await changes.undo(["call_h"]), { outcome: "done", left: [] });
    assert.deepEqual(texts(), ["a\n", "b\n", undefined]);
    assert.equal(hunkIds(later).length, 3 - written);
  });
}

test("a half-written acceptance is still reported in the window after next, until part of it is decided", async () => {
  const { later } = await gone(1);
  const { changes, row, told } = await opened(later);
  assert.equal(english(row().message), "Only 1 of 3 files were written.");
  const [first = ""] = changes.pending.flatMap(({ hunks }) => hunks.map(({ id }) => id));
  assert.equal(await changes.reject([first]), "done");
  await told();
  assert.deepEqual([row().message, changes.halfWritten], [undefined, undefined]);
  assert.deepEqual(await changes.finish(), { outcome: "revised" });
});

test("finishing a half-written acceptance skips a file edited meanwhile and writes the others", async () => {
  const { later, changes, texts } = await gone(1);
  later.workspace.write("work/b.ts", "mine\n");
  assert.deepEqual(await changes.finish(), { outcome: "done" });
  assert.deepEqual(texts(), ["A\n", "mine\n", "C\n"]);
});

test("finishing a half-written acceptance keeps the reason of an unwritable file and writes the others", async () => {
  const { later, changes, texts } = await gone(1);
  const why = message("editsReadOnly", { name: "b.ts" });
  later.workspace.locked.set("work/b.ts", why);
  assert.deepEqual(await changes.finish(), { outcome: "done" });
  assert.deepEqual(texts(), ["A\n", "b\n", "C\n"]);
  assert.deepEqual(
    changes.pending.map(({ refused }) => refused),
    [why],
  );
});

test("finishing a half-written acceptance reports unfit, not revised, when no remaining file fits", async () => {
  const { later, changes, texts } = await gone(2);
  later.workspace.write("work/c.ts", "mine\n");
  assert.deepEqual(await changes.finish(), { outcome: "unfit" });
  assert.deepEqual(texts(), ["A\n", "B\n", "mine\n"]);
});

test("finishing a half-written acceptance leaves changes pending that were not part of it", async () => {
  const { later, changes, texts } = await gone(2);
  later.workspace.write("work/d.ts", "d\n");
  later.sim.reply(patchCall(patch("*** Update File: d.ts", "@@", "-d", "+D"), { callId: "call_d" }));
  later.sim.reply(text("Done."));
  await later.ask("And the other.");
  assert.deepEqual(await changes.finish(), { outcome: "done" });
  assert.deepEqual([...texts(), later.workspace.text("work/d.ts")], ["A\n", "B\n", "C\n", "d\n"]);
});

test("a proposal that was saved without a row before a crash is not proposed twice on retry", async () => {
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
  assert.equal((await later.conversation.retry("retry", asking()))?.status, "done");
  const { changes } = later.conversation;
  assert.deepEqual(await changes.accept(hunkIds(later)), { outcome: "done" });
  assert.equal(talk.workspace.text("work/a.ts"), "first\nbetween\nlast\n");
});

describe("a deletion interrupted by a closing window", () => {
  /** `requireAccepted`: the file was deleted before the window was gone. */
  async function begun(isDone: boolean) {
    const workspace = createFolderWorkspace();
    const talk = await startTalk({ workspace });
    talk.decide = () => undefined;
    workspace.write("work/a.ts", "a\n");
    talk.sim.reply(patchCall(patch("*** Delete File: a.ts"), { callId: "call_d" }));
    talk.sim.reply(text("Done."));
    await talk.ask("Delete it.");
    const writing = new Promise<void>((resolve) => {
      workspace.beforeApply = () => {
        if (isDone) rmSync(join(workspace.root, "work/a.ts"));
        resolve();
      };
    });
    workspace.goes = true;
    void talk.conversation.changes.accept(hunkIds(talk));
    await writing;
    workspace.beforeApply = () => {};
    workspace.goes = false;
    return opened(talk);
  }

  test("stays pending when the file still exists", async () => {
    const { later, row } = await begun(false);
    assert.deepEqual([row().status, hunkIds(later).length], ["proposed", 1]);
    assert.equal(later.workspace.text("work/a.ts"), "a\n");
  });

  test("is accepted when the file is gone", async () => {
    const { later, row } = await begun(true);
    assert.deepEqual([row().status, hunkIds(later)], ["applied", []]);
  });
});

describe("a written file whose previous text is lost", () => {
  test("stays pending, since what was accepted of it is unknown", async () => {
    const workspace = createFolderWorkspace();
    workspace.write("work/a.ts", "a\n");
    const texts = new Texts(memoryChangeStore());
    const state = new ChangeSetState(texts, () => "proposal");
    const { changes } = await planPatch(patch("*** Update File: a.ts", "@@", "-a", "+A"), workspace);
    for (const change of changes)
      state.enter({ change, ids: ["hunk"] }, { call: "call", turn: "turn" }, () => absentPath);
    workspace.write("work/a.ts", "A\n");
    const file = { folder: "work", path: "a.ts" };
    const settle = (before: string) => {
      const kept = { before: { file, text: before }, after: texts.keep({ file, text: "A\n" }) };
      const intention = { files: [{ proposal: "proposal", hunks: ["proposal/0"], ...kept }] };
      return settleInterrupted(intention, state, texts, { world: () => workspace });
    };
    assert.deepEqual([...(await settle(hashOf("lost")))], []);
    assert.equal(state.open.length, 1);
  });
});
