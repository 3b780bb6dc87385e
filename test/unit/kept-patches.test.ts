// Patches on the real disk: what waits when a window goes waits in the next one, and what was accepted in an earlier one is
// taken back in a later one.
import assert from "node:assert/strict";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { placing } from "../../src/changes/line-origins.ts";
import { Origins } from "../../src/changes/stored-origins.ts";
import { patchCall, text } from "../sim/script.ts";
import {
  acceptPatch,
  type PatchDecider,
  patchesIn,
  rejectPatch,
  rowsTold,
  turnPatch,
} from "../support/decide-patches.ts";
import { english, verbatim } from "../support/english.ts";
import { createFolderWorkspace, type FolderWorkspace } from "../support/folder-workspace.ts";
import { openTestApp, type TestApp } from "../support/test-app.ts";

interface PatchFixture {
  readonly app: TestApp;
  readonly workspace: FolderWorkspace;
  readonly decider: PatchDecider;
  /** Has the model propose it; answers its call. */
  propose(...lines: readonly string[]): Promise<string>;
  /** And a person accept it. */
  apply(...lines: readonly string[]): Promise<string>;
  /** Another window has it, later. */
  later(): Promise<void>;
  /** Status and message of each row. */
  rows(): readonly (readonly [string, string])[];
}

async function openPatchFixture(t: TestContext): Promise<PatchFixture> {
  const workspace = createFolderWorkspace();
  const app = await openTestApp(t, { workspace, defaultModel: () => "svc-k3" });
  const rows = () => patchesIn(app.session.state.turns);
  const room: PatchFixture = {
    app,
    workspace,
    get decider() {
      const { patches, onEvent } = app.session;
      return { changes: patches.changes, onEvent };
    },
    rows: () => rows().map(({ status, message }) => [status, english(message)] as const),
    async propose(...lines) {
      app.sim.reply(patchCall(["*** Begin Patch", ...lines, "*** End Patch"].join("\n")));
      app.sim.reply(text("Done."));
      assert.equal((await app.session.send({ prompt: "Change it." }))?.status, "done");
      return rows().at(-1)?.call ?? "";
    },
    async apply(...lines) {
      const call = await room.propose(...lines);
      assert.deepEqual(await acceptPatch(room.decider, call), { outcome: "done" });
      return call;
    },
    async later() {
      await app.restart();
      const { session } = app;
      await session.patches.changes.refresh();
      await rowsTold(() => session.state.turns, session.patches.changes);
    },
  };
  return room;
}

const bytes = { one: "one\ntwo\nthree\n", zwei: "one\nzwei\nthree\n" };
const update = ["*** Update File: a.ts", "@@", " one", "-two", "+zwei", " three"];

test("a pending patch keeps its hunks in the next window and can be decided there", async (t) => {
  const room = await openPatchFixture(t);
  const { workspace, propose, later } = room;
  workspace.write("work/a.ts", bytes.one);
  const first = await propose(...update, "*** Add File: b.ts", "+b");
  const second = await propose("*** Delete File: a.ts");
  const before = room.decider.changes.pending.map(({ id, hunks, change }) => [id, hunks, change.kind]);
  await later();
  assert.deepEqual(
    room.decider.changes.pending.map(({ id, hunks, change }) => [id, hunks, change.kind]),
    before,
  );
  assert.deepEqual(
    room.rows().map(([status]) => status),
    ["proposed", "proposed"],
  );
  assert.equal(room.app.session.status, "needs-review");
  await rejectPatch(room.decider, second, "keep it");
  await later();
  assert.deepEqual(await acceptPatch(room.decider, first), { outcome: "done" });
  assert.equal(workspace.text("work/b.ts"), "b\n");
  assert.equal(room.app.session.status, "idle");
  await later();
  assert.deepEqual(room.decider.changes.pending, []);
  assert.equal(room.decider.changes.noteOf(second)?.reason, "keep it");
});

test("undo restores the edits, moves, deletions and new files of an earlier window byte for byte", async (t) => {
  const room = await openPatchFixture(t);
  const { workspace, apply, later } = room;
  workspace.write("work/a.ts", "one\r\ntwo\r\nthree\r\n");
  workspace.write("work/deleted-bytes.ts", "\ufeffdeleted");
  workspace.write("work/moved.ts", "moved\n");
  workspace.write("work/foreign.ts", "foreign\n");
  const call = await apply(
    ...update,
    "*** Delete File: deleted-bytes.ts",
    ...["*** Update File: moved.ts", "*** Move to: elsewhere.ts"],
    ...["*** Add File: added.ts", "+added"],
  );
  assert.equal(workspace.text("work/deleted-bytes.ts"), undefined);
  await later();
  assert.deepEqual(await turnPatch(room.decider, call, "undo"), { outcome: "done", left: [] });
  assert.equal(workspace.text("work/a.ts"), "one\r\ntwo\r\nthree\r\n");
  assert.equal(workspace.text("work/deleted-bytes.ts"), "\ufeffdeleted");
  assert.equal(workspace.text("work/moved.ts"), "moved\n");
  assert.equal(workspace.text("work/elsewhere.ts"), undefined);
  assert.equal(workspace.text("work/added.ts"), undefined);
  assert.equal(workspace.text("work/foreign.ts"), "foreign\n");
  await later();
  assert.deepEqual(
    room.rows().map(([status]) => status),
    ["undone"],
  );
  assert.deepEqual(await turnPatch(room.decider, call, "acceptAgain"), { outcome: "done", left: [] });
  assert.equal(workspace.text("work/a.ts"), "one\r\nzwei\r\nthree\r\n");
  assert.equal(workspace.text("work/elsewhere.ts"), "moved\n");
});

test("undo keeps text typed since and leaves a hunk whose lines were edited", async (t) => {
  const room = await openPatchFixture(t);
  const { workspace, apply, later } = room;
  workspace.write("work/a.ts", "one\ntwo\nthree\nfour\nfive\nsix\n");
  const call = await apply(...update);
  workspace.write("work/a.ts", "one\nzwei\nthree\nfour\nfive\nsix\nseven\n");
  await later();
  await turnPatch(room.decider, call, "undo");
  assert.equal(workspace.text("work/a.ts"), "one\ntwo\nthree\nfour\nfive\nsix\nseven\n");
  const again = await apply(...update);
  workspace.write("work/a.ts", "one\nzwei!\nthree\n");
  await later();
  const stayed = await room.decider.changes.undo([again]);
  assert.deepEqual(stayed.outcome === "done" && stayed.left.map(({ path, why }) => [path, why.code]), [
    ["a.ts", "editsTouched"],
  ]);
  assert.equal(workspace.text("work/a.ts"), "one\nzwei!\nthree\n");
  assert.equal(room.rows().at(-1)?.[0], "applied");
});

test("undo of several turns starts with the newest patch", async (t) => {
  const room = await openPatchFixture(t);
  const { workspace, apply, later } = room;
  workspace.write("work/a.ts", bytes.one);
  const first = await apply(...update);
  const second = await apply("*** Update File: a.ts", "@@", " one", "-zwei", "+deux", " three");
  await later();
  assert.deepEqual(await room.decider.changes.undo([first, second]), { outcome: "done", left: [] });
  assert.equal(workspace.text("work/a.ts"), bytes.one);
});

test("a declined undo keeps that patch and every older one applied", async (t) => {
  const room = await openPatchFixture(t);
  const { workspace, apply, later } = room;
  workspace.write("work/a.ts", bytes.one);
  const first = await apply(...update);
  const second = await apply("*** Update File: a.ts", "@@", " one", "-zwei", "+deux", " three");
  await later();
  workspace.declines = true;
  assert.deepEqual(await room.decider.changes.undo([first, second]), { outcome: "declined" });
  assert.equal(workspace.text("work/a.ts"), "one\ndeux\nthree\n");
  assert.deepEqual(
    room.rows().map(([status]) => status),
    ["applied", "applied"],
  );
  workspace.declines = false;
  assert.deepEqual(await room.decider.changes.undo([first, second]), { outcome: "done", left: [] });
});

test("undo changes nothing for a patch that the editor refused to apply", async (t) => {
  const room = await openPatchFixture(t);
  const { workspace, propose, later } = room;
  workspace.write("work/a.ts", bytes.one);
  const call = await propose(...update);
  workspace.refuses = verbatim("The editor is busy.");
  assert.equal((await acceptPatch(room.decider, call)).outcome, "refused");
  await later();
  assert.deepEqual(await room.decider.changes.undo([call]), { outcome: "done", left: [] });
  assert.equal(workspace.text("work/a.ts"), bytes.one);
  assert.equal(room.rows()[0]?.[0], "proposed");
});

const changesOf = ({ app }: PatchFixture) => join(app.folder, "conversations", app.session.id, "changes");

test("undo reports a missing record and changes nothing when the saved texts are damaged or deleted", async (t) => {
  const room = await openPatchFixture(t);
  const { workspace, apply, later } = room;
  workspace.write("work/a.ts", bytes.one);
  const call = await apply(...update);
  async function said() {
    const done = await room.decider.changes.undo([call]);
    return done.outcome === "done" ? english(done.said) : undefined;
  }
  for (const name of readdirSync(changesOf(room))) writeFileSync(join(changesOf(room), name), "evil");
  await later();
  assert.equal(await said(), "Not all of it was undone. The record of this edit is no longer available.");
  rmSync(changesOf(room), { recursive: true });
  await later();
  assert.equal(await said(), "Not all of it was undone. The record of this edit is no longer available.");
  assert.equal(workspace.text("work/a.ts"), bytes.zwei);
});

test("a pending patch whose saved texts are deleted becomes a conflict and cannot be accepted", async (t) => {
  const room = await openPatchFixture(t);
  const { workspace, propose, later } = room;
  workspace.write("work/a.ts", bytes.one);
  const call = await propose(...update);
  rmSync(changesOf(room), { recursive: true });
  await later();
  assert.deepEqual(room.decider.changes.pending, []);
  assert.deepEqual([...room.decider.changes.statusesOf(call).values()], ["conflict"]);
  assert.equal(room.rows()[0]?.[0], "conflict");
  assert.equal(workspace.text("work/a.ts"), bytes.one);
});

test("row 103: a patch is proposed and decided in memory when the disk cannot keep it", async (t) => {
  const room = await openPatchFixture(t);
  const { workspace, propose } = room;
  workspace.write("work/a.ts", bytes.one);
  const waiting = await propose("*** Add File: b.ts", "+b");
  rmSync(changesOf(room), { recursive: true });
  writeFileSync(changesOf(room), "a file where the folder should be");
  const call = await propose(...update);
  assert.equal(room.decider.changes.pending.length, 2);
  assert.deepEqual(await acceptPatch(room.decider, call), { outcome: "done" });
  assert.deepEqual(await acceptPatch(room.decider, waiting), { outcome: "done" });
  assert.equal(workspace.text("work/a.ts"), bytes.zwei);
  assert.equal(workspace.text("work/b.ts"), "b\n");
});

test("writtenIn reports the call that wrote a line in a later window, and nothing of an undone patch", async (t) => {
  const room = await openPatchFixture(t);
  room.workspace.write("work/a.ts", bytes.one);
  const call = await room.apply(...update);
  await room.later();
  const { changes } = room.app.session.patches;
  const file = { folder: "work", path: "a.ts" };
  const [written] = await changes.writtenIn(file);
  assert.equal(written?.call, call);
  assert.equal(written?.turn, room.app.session.state.turns[0]?.id);
  const live = `typed\n${bytes.zwei}`;
  assert.deepEqual(placing.run({ ...(written ?? assert.fail()), live }), [{ first: 2, last: 3 }]);
  await changes.undo([call]);
  assert.deepEqual(await changes.writtenIn(file), []);
});

test("Origins reports the conversation, call and model that wrote a line, and nothing after undo", async (t) => {
  const room = await openPatchFixture(t);
  const { app, workspace } = room;
  workspace.write("work/a.ts", bytes.one);
  const call = await room.apply(...update);
  await room.propose("*** Add File: b.ts", "+b");
  const { id, state } = app.session;
  const { library } = app;
  const origins = new Origins({ list: () => library.list(), changes: library.changes.bind(library) });
  const file = { folder: "work", path: "a.ts" };
  const [found, ...others] = await origins.writtenIn(file, new Set());
  assert.deepEqual(others, []);
  assert.deepEqual(
    [found?.conversation.id, found?.written.call, found?.written.turn],
    [id, call, state.turns[0]?.id],
  );
  assert.equal(found?.written.model, "svc-k3");
  assert.ok((found?.written.acceptance?.at ?? 0) > 0);
  const live = `typed\n${bytes.zwei}`;
  assert.deepEqual(found && placing.run({ ...found.written, live }), [{ first: 2, last: 3 }]);
  assert.deepEqual(
    await origins.writtenIn({ ...file, path: "b.ts" }, new Set()),
    [],
    "what waits is in no file",
  );
  assert.deepEqual(await origins.writtenIn(file, new Set([id])), []);
  await app.session.patches.changes.undo([call]);
  assert.deepEqual(await origins.writtenIn(file, new Set()), []);
});
