import assert from "node:assert/strict";
import { test } from "node:test";
import { patchCall, text } from "../../sim/script.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { openTestApp } from "../../support/test-app.ts";

test("the files of a patch that no longer fits go out with a question about them; one that nobody knows asks nothing", async (t) => {
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
