// Patches on the real disk: what waits when a window goes waits in the next one, and what was accepted in an earlier one is
// taken back in a later one.
import assert from "node:assert/strict";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { standingOf } from "../../../src/core/changes/line-provenance.ts";
import { Origins } from "../../../src/core/changes/origins.ts";
import { patchCall, text } from "../../sim/script.ts";
import {
  acceptPatch,
  type PatchDecider,
  patchesIn,
  rejectPatch,
  rowsTold,
  turnPatch,
} from "../../support/decide-patches.ts";
import { english, verbatim } from "../../support/english.ts";
import { createFolderWorkspace, type FolderWorkspace } from "../../support/folder-workspace.ts";
import { openTestApp, type TestApp } from "../../support/test-app.ts";

interface PatchDesk {
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

async function openPatchDesk(t: TestContext): Promise<PatchDesk> {
  const workspace = createFolderWorkspace();
  const app = await openTestApp(t, { workspace, defaultModel: () => "svc-k3" });
  const rows = () => patchesIn(app.session.state.turns);
  const room: PatchDesk = {
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

test("what waits in a conversation waits in the next window, hunk by hunk as before, and is decided there", async (t) => {
  const room = await openPatchDesk(t);
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

test("edits, moves, deletions and new files of an earlier window are taken back, byte for byte, once", async (t) => {
  const room = await openPatchDesk(t);
  const { workspace, apply, later } = room;
  workspace.write("work/a.ts", "one\r\ntwo\r\nthree\r\n");
  workspace.write("work/deleted.ts", "\ufeffdeleted");
  workspace.write("work/moved.ts", "moved\n");
  workspace.write("work/foreign.ts", "foreign\n");
  const call = await apply(
    ...update,
    "*** Delete File: deleted.ts",
    ...["*** Update File: moved.ts", "*** Move to: elsewhere.ts"],
    ...["*** Add File: added.ts", "+added"],
  );
  assert.equal(workspace.text("work/deleted.ts"), undefined);
  await later();
  assert.equal(await turnPatch(room.decider, call, "undo"), true);
  assert.equal(workspace.text("work/a.ts"), "one\r\ntwo\r\nthree\r\n");
  assert.equal(workspace.text("work/deleted.ts"), "\ufeffdeleted");
  assert.equal(workspace.text("work/moved.ts"), "moved\n");
  assert.equal(workspace.text("work/elsewhere.ts"), undefined);
  assert.equal(workspace.text("work/added.ts"), undefined);
  assert.equal(workspace.text("work/foreign.ts"), "foreign\n");
  await later();
  assert.deepEqual(
    room.rows().map(([status]) => status),
    ["undone"],
  );
  assert.equal(await turnPatch(room.decider, call, "acceptAgain"), true);
  assert.equal(workspace.text("work/a.ts"), "one\r\nzwei\r\nthree\r\n");
  assert.equal(workspace.text("work/elsewhere.ts"), "moved\n");
});

test("what was typed since stays where it is, and keeps its lines from being taken back", async (t) => {
  const room = await openPatchDesk(t);
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
  await assert.rejects(room.decider.changes.undo([again]), /same lines of a\.ts have changed since/);
  assert.equal(workspace.text("work/a.ts"), "one\nzwei!\nthree\n");
  assert.equal(room.rows().at(-1)?.[0], "applied");
});

test("going back over several turns begins with the newest", async (t) => {
  const room = await openPatchDesk(t);
  const { workspace, apply, later } = room;
  workspace.write("work/a.ts", bytes.one);
  const first = await apply(...update);
  const second = await apply("*** Update File: a.ts", "@@", " one", "-zwei", "+deux", " three");
  await later();
  assert.equal(await room.decider.changes.undo([first, second]), true);
  assert.equal(workspace.text("work/a.ts"), bytes.one);
});

test("whoever says no on the way back keeps that patch and every older one", async (t) => {
  const room = await openPatchDesk(t);
  const { workspace, apply, later } = room;
  workspace.write("work/a.ts", bytes.one);
  const first = await apply(...update);
  const second = await apply("*** Update File: a.ts", "@@", " one", "-zwei", "+deux", " three");
  await later();
  workspace.declines = true;
  assert.equal(await room.decider.changes.undo([first, second]), false);
  assert.equal(workspace.text("work/a.ts"), "one\ndeux\nthree\n");
  assert.deepEqual(
    room.rows().map(([status]) => status),
    ["applied", "applied"],
  );
  workspace.declines = false;
  assert.equal(await room.decider.changes.undo([first, second]), true);
});

test("a patch that the editor refused, or a person rejected, has no way back", async (t) => {
  const room = await openPatchDesk(t);
  const { workspace, propose, later } = room;
  workspace.write("work/a.ts", bytes.one);
  const call = await propose(...update);
  workspace.refuses = verbatim("The editor is busy.");
  assert.equal((await acceptPatch(room.decider, call)).outcome, "refused");
  await later();
  assert.equal(await room.decider.changes.undo([call]), true);
  assert.equal(workspace.text("work/a.ts"), bytes.one);
  assert.equal(room.rows()[0]?.[0], "proposed");
});

const changesOf = ({ app }: PatchDesk) => join(app.folder, "conversations", app.session.id, "changes");

test("texts that are gone or damaged are never applied: what was accepted cannot be taken back, and says so", async (t) => {
  const room = await openPatchDesk(t);
  const { workspace, apply, later } = room;
  workspace.write("work/a.ts", bytes.one);
  const call = await apply(...update);
  for (const name of readdirSync(changesOf(room))) writeFileSync(join(changesOf(room), name), "evil");
  await later();
  await assert.rejects(room.decider.changes.undo([call]), /no longer available/);
  rmSync(changesOf(room), { recursive: true });
  await later();
  await assert.rejects(room.decider.changes.undo([call]), /no longer available/);
  assert.equal(workspace.text("work/a.ts"), bytes.zwei);
});

test("what waits and has lost its texts cannot be accepted, and its row says that it is lost", async (t) => {
  const room = await openPatchDesk(t);
  const { workspace, propose, later } = room;
  workspace.write("work/a.ts", bytes.one);
  const call = await propose(...update);
  rmSync(changesOf(room), { recursive: true });
  await later();
  assert.deepEqual(room.decider.changes.pending, []);
  assert.deepEqual([...room.decider.changes.fatesOf(call).values()], ["conflict"]);
  assert.equal(room.rows()[0]?.[0], "conflict");
  assert.equal(workspace.text("work/a.ts"), bytes.one);
});

test("row 103: where the disk keeps nothing, what is proposed goes on in memory and is decided there", async (t) => {
  const room = await openPatchDesk(t);
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

test("a later window knows which call has written a line, and nothing of what was taken back", async (t) => {
  const room = await openPatchDesk(t);
  room.workspace.write("work/a.ts", bytes.one);
  const call = await room.apply(...update);
  await room.later();
  const { changes } = room.app.session.patches;
  const file = { folder: "work", path: "a.ts" };
  const [written] = await changes.writtenIn(file);
  assert.equal(written?.call, call);
  assert.equal(written?.turn, room.app.session.state.turns[0]?.id);
  assert.deepEqual(standingOf(written ?? assert.fail(), `typed\n${bytes.zwei}`), [{ first: 2, last: 3 }]);
  await changes.undo([call]);
  assert.deepEqual(await changes.writtenIn(file), []);
});

test("any window knows who has written a line, with which model and what the checks said of it then", async (t) => {
  const room = await openPatchDesk(t);
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
  assert.deepEqual(found && standingOf(found.written, `typed\n${bytes.zwei}`), [{ first: 2, last: 3 }]);
  assert.deepEqual(
    await origins.writtenIn({ ...file, path: "b.ts" }, new Set()),
    [],
    "what waits is in no file",
  );
  assert.deepEqual(await origins.writtenIn(file, new Set([id])), []);
  await app.session.patches.changes.undo([call]);
  assert.deepEqual(await origins.writtenIn(file, new Set()), []);
});
