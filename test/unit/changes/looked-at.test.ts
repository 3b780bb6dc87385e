// What is seen of a change set while the files below it change: when it is told, and when a plan is refused as stale.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { planPatch } from "../../../src/patch/plan.ts";
import { english } from "../../support/english.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { startTalk } from "../../support/talk.ts";
import { edit, nobody, numbers, patch, patchOf, propose, talkWith } from "../session/patch-talk.ts";

const both = patch("*** Update File: a.ts", "@@", "-a", "+A", "*** Update File: b.ts", "@@", "-b", "+B");

async function planned() {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "a\nrest\n");
  workspace.write("work/b.ts", "b\nrest\n");
  const talk = await startTalk({ workspace });
  const { changes } = talk.conversation;
  const plan = await planPatch(both, workspace);
  const propose = () =>
    changes.propose(
      plan.changes.map((change) => ({ change, ids: [change.file.path] })),
      { call: "call", turn: "turn" },
    );
  return { workspace, changes, propose };
}

describe("a plan for two files", () => {
  test("is stale as a whole when one of the files has changed since", async () => {
    const { workspace, changes, propose } = await planned();
    workspace.write("work/a.ts", "typed\nrest\n");
    assert.equal(await propose(), "stale");
    assert.deepEqual(changes.pending, []);
    workspace.write("work/a.ts", "a\nrest\n");
    assert.equal(await propose(), "kept");
    await changes.refresh();
    assert.equal(changes.pending.length, 2);
  });
});

describe("a file with pending changes", () => {
  test("fires one change event when it changes, and none when it does not", async () => {
    const { workspace, changes, propose } = await planned();
    await propose();
    await changes.refresh();
    const { revision } = changes;
    let told = 0;
    changes.onDidChange(() => (told += 1));
    await changes.refresh();
    assert.deepEqual([told, changes.revision], [0, revision]);
    workspace.write("work/a.ts", "a\nrest\ntyped\n");
    workspace.write("work/b.ts", "b\nrest\ntyped\n");
    await changes.refresh();
    assert.deepEqual([told, changes.revision], [1, revision]);
  });

  test("is not read again when a file is saved that has no accepted changes", async () => {
    const { workspace, changes, propose } = await planned();
    await propose();
    await changes.refresh();
    let told = 0;
    changes.onDidChange(() => (told += 1));
    workspace.write("work/a.ts", "a\nrest\ntyped\n");
    await changes.saved({ folder: "work", path: "a.ts" });
    assert.equal(told, 0);
    await changes.refresh();
    assert.equal(told, 1);
  });

  test("is rejected although a conflict is just being taken back and the file read again", async () => {
    for (const readsFirst of [false, true]) {
      const talk = await talkWith();
      talk.decide = nobody;
      await propose(talk, edit);
      const { changes } = talk.conversation;
      const { workspace } = talk;
      const file = { folder: "work", path: "a.ts" };
      workspace.type(file, "all new\n");
      await changes.refresh();
      assert.equal(changes.pending[0]?.conflicts.length, 1);
      const { read } = workspace;
      let answer = () => {};
      const answered = new Promise<void>((resolve) => {
        answer = resolve;
      });
      const looking: Promise<void>[] = [];
      await new Promise<void>((begun) => {
        workspace.read = async (name) => {
          const early = readsFirst ? await read(name) : undefined;
          begun();
          await answered;
          return early ?? read(name);
        };
        looking.push(changes.refresh());
      });
      workspace.type(file, numbers);
      const rejecting = changes.rejectCall("call_p");
      looking.push(changes.refresh());
      answer();
      await Promise.all([...looking, rejecting]);
      assert.deepEqual(changes.pending, []);
      assert.equal(patchOf(talk.last()).status, "rejected");
      assert.equal(workspace.text("work/a.ts"), numbers);
    }
  });

  test("reports that it is no longer text", async () => {
    const { workspace, changes, propose } = await planned();
    await propose();
    await changes.refresh();
    assert.deepEqual(
      changes.pending.map(({ problem }) => problem),
      [undefined, undefined],
    );
    workspace.write("work/a.ts", Buffer.from([0, 1, 2, 0]));
    await changes.refresh();
    assert.match(english(changes.pending[0]?.problem) ?? "", /text/);
  });
});
