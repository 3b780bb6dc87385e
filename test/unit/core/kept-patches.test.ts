// Patches that were carried out, taken back by a window that was opened later.
import assert from "node:assert/strict";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createAppliedPatches } from "../../../src/core/session/applied-patches.ts";
import { patchCall, text } from "../../sim/script.ts";
import { type Desk, openDesk } from "../../support/desk.ts";
import { english, verbatim } from "../../support/english.ts";
import { createFolderWorkspace, type FolderWorkspace } from "../../support/folder-workspace.ts";

interface PatchDesk {
  readonly desk: Desk;
  readonly workspace: FolderWorkspace;
  /** Has the model propose it and a person accept it; answers its call. */
  apply(...lines: readonly string[]): Promise<string>;
  /** As another window has it, later. */
  later(): Promise<ReturnType<typeof createAppliedPatches>>;
}

async function openPatchDesk(t: TestContext): Promise<PatchDesk> {
  const workspace = createFolderWorkspace();
  const desk = await openDesk(t, { workspace, defaultModel: () => "svc-k3" });
  return {
    desk,
    workspace,
    async apply(...lines) {
      desk.sim.reply(patchCall(["*** Begin Patch", ...lines, "*** End Patch"].join("\n")));
      desk.sim.reply(text("Done."));
      let call = "";
      const listening = desk.session.onEvent((event) => {
        if (event.type !== "patch" || event.status !== "proposed") return;
        call = event.call;
        desk.session.decide(call, { kind: "accept" });
      });
      assert.equal((await desk.session.send({ prompt: "Change it." }))?.status, "done");
      listening.dispose();
      return call;
    },
    async later() {
      await desk.restart();
      return createAppliedPatches({ session: () => desk.session, workspace });
    },
  };
}

const update = ["*** Update File: a.ts", "@@", " one", "-two", "+zwei", " three"];

test("edits, moves, deletions and new files of an earlier window are taken back, byte for byte, once", async (t) => {
  const { desk, workspace, apply, later } = await openPatchDesk(t);
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
  const applied = await later();
  assert.equal(desk.session.patches.proposal(call), undefined);
  assert.equal(applied.has(call), true);
  assert.match(await applied.print([call]), /\+zwei/);
  await applied.takeBack([call]);
  assert.equal(workspace.text("work/a.ts"), "one\r\ntwo\r\nthree\r\n");
  assert.equal(workspace.text("work/deleted.ts"), "\ufeffdeleted");
  assert.equal(workspace.text("work/moved.ts"), "moved\n");
  assert.equal(workspace.text("work/elsewhere.ts"), undefined);
  assert.equal(workspace.text("work/added.ts"), undefined);
  assert.equal(workspace.text("work/foreign.ts"), "foreign\n");
  assert.equal(applied.has(call), false);
  assert.equal((await later()).has(call), false);
});

test("the conversation says of a patch that it was taken back, in this window and in later ones", async (t) => {
  const { desk, workspace, apply, later } = await openPatchDesk(t);
  workspace.write("work/a.ts", "one\ntwo\nthree\n");
  const call = await apply(...update);
  desk.sim.reply(text("Anything else?"));
  await desk.session.send({ prompt: "Thank you." });
  const fates = () =>
    desk.session.state.turns.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "patch" ? [part.status, part.files[0]?.path] : [])),
    );
  assert.deepEqual(fates(), ["applied", "a.ts"]);
  await createAppliedPatches({ session: () => desk.session, workspace }).takeBack([call]);
  assert.deepEqual(fates(), ["undone", "a.ts"]);
  await later();
  assert.deepEqual(fates(), ["undone", "a.ts"]);
});

test("whoever says no to the editor's own question has rejected the patch", async (t) => {
  const { desk, workspace, apply } = await openPatchDesk(t);
  workspace.write("work/a.ts", "one\ntwo\nthree\n");
  workspace.declines = true;
  await apply(...update);
  const [turn] = desk.session.state.turns;
  const patch = turn?.parts.find((part) => part.type === "patch");
  assert.equal(patch?.status, "rejected");
  assert.match(patch?.output ?? "", /^The user rejected this patch\. Nothing was changed\./);
});

test("what was typed since stays where it is, and keeps its lines from being taken back", async (t) => {
  const { workspace, apply, later } = await openPatchDesk(t);
  workspace.write("work/a.ts", "one\ntwo\nthree\nfour\nfive\nsix\n");
  const call = await apply(...update);
  workspace.write("work/a.ts", "one\nzwei\nthree\nfour\nfive\nsix\nseven\n");
  const applied = await later();
  await applied.takeBack([call]);
  assert.equal(workspace.text("work/a.ts"), "one\ntwo\nthree\nfour\nfive\nsix\nseven\n");
  const again = await apply(...update);
  workspace.write("work/a.ts", "one\nzwei!\nthree\n");
  const last = await later();
  await assert.rejects(last.takeBack([again]), /changed in the same lines since/);
  assert.equal(workspace.text("work/a.ts"), "one\nzwei!\nthree\n");
  assert.equal(last.has(again), true);
});

test("going back over several turns begins with the newest", async (t) => {
  const { workspace, apply, later } = await openPatchDesk(t);
  workspace.write("work/a.ts", "one\ntwo\nthree\n");
  const first = await apply(...update);
  const second = await apply("*** Update File: a.ts", "@@", " one", "-zwei", "+deux", " three");
  await (await later()).takeBack([first, second]);
  assert.equal(workspace.text("work/a.ts"), "one\ntwo\nthree\n");
});

test("whoever says no on the way back keeps that patch and every older one", async (t) => {
  const { workspace, apply, later } = await openPatchDesk(t);
  workspace.write("work/a.ts", "one\ntwo\nthree\n");
  const first = await apply(...update);
  const second = await apply("*** Update File: a.ts", "@@", " one", "-zwei", "+deux", " three");
  const applied = await later();
  workspace.declines = true;
  assert.equal(await applied.takeBack([first, second]), false);
  assert.equal(workspace.text("work/a.ts"), "one\ndeux\nthree\n");
  assert.deepEqual([applied.has(first), applied.has(second)], [true, true]);
  workspace.declines = false;
  assert.equal(await applied.takeBack([first, second]), true);
});

test("a patch that the editor refused, or a person rejected, has no way back", async (t) => {
  const { desk, workspace, apply, later } = await openPatchDesk(t);
  workspace.write("work/a.ts", "one\ntwo\nthree\n");
  workspace.refuses = verbatim("The editor is busy.");
  const call = await apply(...update);
  assert.equal(workspace.text("work/a.ts"), "one\ntwo\nthree\n");
  assert.equal((await later()).has(call), false);
  assert.equal(desk.session.patches.keptPatches?.has(call), false);
});

const snapshots = ({ desk }: PatchDesk) => join(desk.folder, "conversations", desk.session.id, "snapshots");

test("snapshots that are gone or damaged are never applied: the patch cannot be taken back, and says so", async (t) => {
  const room = await openPatchDesk(t);
  const { workspace, apply, later } = room;
  workspace.write("work/a.ts", "one\ntwo\nthree\n");
  const call = await apply(...update);
  for (const name of readdirSync(snapshots(room))) writeFileSync(join(snapshots(room), name), "evil");
  await assert.rejects((await later()).takeBack([call]), /not kept any more/);
  rmSync(snapshots(room), { recursive: true });
  await assert.rejects((await later()).takeBack([call]), /not kept any more/);
  assert.equal(workspace.text("work/a.ts"), "one\nzwei\nthree\n");
});

test("row 103: where nothing can be kept a person is asked once more, and the patch waits for the yes", async (t) => {
  const room = await openPatchDesk(t);
  const { desk, workspace } = room;
  const { sim } = desk;
  workspace.write("work/a.ts", "one\ntwo\nthree\n");
  await room.apply("*** Add File: b.ts", "+b");
  rmSync(snapshots(room), { recursive: true });
  writeFileSync(snapshots(room), "a file where the folder should be");
  const asked: (string | undefined)[] = [];
  const answers = ["accept", "reject"] as const;
  desk.session.onEvent((event) => {
    if (event.type !== "patch" || event.status !== "proposed") return;
    asked.push(english(event.message));
    assert.equal(workspace.text("work/a.ts"), "one\ntwo\nthree\n");
    const kind = asked.length === 2 ? answers[1] : answers[0];
    desk.session.decide(event.call, { kind });
  });
  const patch = ["*** Begin Patch", ...update, "*** End Patch"].join("\n");
  for (const wanted of ["one\ntwo\nthree\n", "one\nzwei\nthree\n"]) {
    sim.reply(patchCall(patch));
    sim.reply(text("Done."));
    await desk.session.send({ prompt: "Change it." });
    assert.equal(workspace.text("work/a.ts"), wanted);
  }
  assert.equal(asked.length, 4);
  for (const [index, message] of asked.entries())
    assert.match(message ?? "", index % 2 === 0 ? /^$/ : /cannot be taken back later/);
});
