// What the badge of the chat counts: decisions that open conversations wait for, of real sessions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isWaitingTool } from "../../../../src/conversation/reduce.ts";
import { followConversation } from "../../../../src/editor/status/notifications.ts";
import { call } from "../../../sim/script.ts";
import { createFolderWorkspace } from "../../../support/folder-workspace.ts";
import { openTestApp } from "../../../support/test-app.ts";

test("the badge counts an open question once, however often its conversation is opened and left", async (t) => {
  const app = await openTestApp(t, { workspace: createFolderWorkspace(), defaultModel: () => "svc-k3" });
  app.sim.reply(call("ask_user", { question: "Which database?" }, { callId: "q" }));
  const asked = new Promise<void>((resolve) =>
    app.session.onEvent((event) => isWaitingTool(event) && resolve()),
  );
  void app.session.send({ prompt: "Set up the store." });
  await asked;
  await app.restart();
  const { id } = app.session;
  assert.equal(app.session.status, "needs-review");

  const badges: number[] = [];
  const following = followConversation({
    surfaces: { session: app.session, follow: () => ({ dispose() {} }) },
    registry: app.registry,
    when: () => "never",
    isChatVisible: () => true,
    badge: (count) => void badges.push(count),
    statusChanged: () => {},
    open: async () => {},
    report: assert.fail,
  });
  t.after(() => following.dispose());
  const closed = () =>
    new Promise<void>((resolve) => {
      const listening = app.registry.onChange(() => {
        if (app.registry.find(id) !== undefined) return;
        listening.dispose();
        resolve();
      });
    });
  assert.deepEqual(badges, [1]);
  for (let times = 0; times < 2; times++) {
    const left = closed();
    await app.newConversation();
    await left;
    assert.equal(badges.at(-1), 0);
    await app.open(id);
    assert.equal(badges.at(-1), 1);
  }
});
