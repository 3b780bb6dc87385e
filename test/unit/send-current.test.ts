import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { holdBefore } from "../sim/delivery-faults.ts";
import { call, type Part, patchCall, text } from "../sim/script.ts";
import { createFolderWorkspace } from "../support/folder-workspace.ts";
import { openTestApp, type TestApp } from "../support/test-app.ts";

test("sendCurrent asks about the current files of a patch that no longer fits and ignores an unknown patch", async (t) => {
  const workspace = createFolderWorkspace();
  const app = await openTestApp(t, { workspace, defaultModel: () => "svc-k3" });
  workspace.write("work/a.ts", "one\n");
  app.session.onEvent((event) => {
    if (event.type === "patch" && event.status === "proposed")
      app.session.decide(event.call, { kind: "reject" });
  });
  app.sim.reply(patchCall("*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+two\n*** End Patch"));
  app.sim.reply(text("As you wish."));
  await app.session.send({ prompt: "Change it." });
  const [patch] = app.session.state.turns.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "patch" ? [part.call] : [])),
  );
  workspace.write("work/a.ts", "three\n");
  app.sim.reply(text("Fine."));
  await app.session.sendCurrent(patch ?? "");
  const { prompt, attachments } = app.session.state.turns.at(-1) ?? assert.fail();
  assert.match(prompt, /have changed/);
  assert.deepEqual(
    attachments.map(({ kind, path }) => [kind, path]),
    [["file", "a.ts"]],
  );
  assert.match(app.sim.requests.at(-1)?.raw.toString("utf8") ?? "", /three/);
  const asked = app.sim.requests.length;
  assert.equal(await app.session.sendCurrent("another"), undefined);
  assert.equal(app.sim.requests.length, asked);
});

describe("feedback on a rejected edit", () => {
  const words = "Keep the old name.";

  async function propose(t: TestContext, ...replies: readonly (readonly Part[])[]) {
    const workspace = createFolderWorkspace();
    workspace.write("work/a.ts", "one\n");
    const app = await openTestApp(t, { workspace, defaultModel: () => "svc-k3" });
    const { session, sim } = app;
    const proposed = new Promise<string>((resolve) =>
      session.onEvent((event) => {
        if (event.type === "patch" && event.status === "proposed") resolve(event.call);
      }),
    );
    sim.reply(patchCall("*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+two\n*** End Patch"));
    for (const reply of replies) sim.reply(...reply);
    const turn = session.send({ prompt: "Change it." });
    const call = await proposed;
    const reject = async () => {
      await session.patches.changes.rejectCall(call, words);
      return session.sendFeedback(words);
    };
    const row = () => session.state.turns[0]?.parts.find((part) => part.type === "patch");
    return { session, sim, turn, reject, row };
  }
  const asked = ({ requests }: TestApp["sim"]) => requests.map(({ body }) => JSON.stringify(body["input"]));
  const isTold = (input = "") => input.includes(`The user said: ${words}`);

  test("is sent at once as the next question and shown in the row of the patch", async (t) => {
    const { session, sim, turn, reject, row } = await propose(t, [text("Done.")]);
    await turn;
    session.draft.write("not yet");
    sim.reply(text("As you wish."));
    assert.equal((await reject())?.status, "done");
    assert.equal(session.state.turns.at(-1)?.prompt, words);
    assert.match(asked(sim).at(-1) ?? "", /was rejected by the user/);
    assert.deepEqual(row()?.message, { code: "patchFeedback", args: { words } });
    assert.equal(session.draft.text, "not yet");
  });

  test("is sent with the next request of a running response instead of as a question", async (t) => {
    const held = holdBefore(1);
    const { session, sim, turn, reject } = await propose(
      t,
      [call("list_files", {}), held],
      [text("As you wish.")],
    );
    const said = reject();
    await session.patches.changes.refresh();
    held.release();
    await turn;
    assert.equal(await said, undefined);
    assert.deepEqual(asked(sim).map(isTold), [false, false, true]);
    assert.equal(session.state.turns.length, 1);
  });

  test("is sent as the next question when the running response makes no more requests", async (t) => {
    const held = holdBefore(1);
    const { session, sim, turn, reject } = await propose(t, [text("Done."), held], [text("As you wish.")]);
    const said = reject();
    await session.patches.changes.refresh();
    held.release();
    await turn;
    assert.equal((await said)?.prompt, words);
    assert.deepEqual(asked(sim).map(isTold), [false, false, true]);
  });

  test("is sent with the next question when the response was stopped", async (t) => {
    const { session, sim, turn, reject } = await propose(t, [text("Done."), holdBefore(1)]);
    const said = reject();
    await session.patches.changes.refresh();
    session.stop();
    await turn;
    assert.equal(await said, undefined);
    sim.reply(text("Yes."));
    await session.send({ prompt: "And now?" });
    assert.equal(isTold(asked(sim).at(-1)), true);
  });
});
