import assert from "node:assert/strict";
import { test } from "node:test";
import { patchCall, text } from "../../sim/script.ts";
import { openDesk } from "../../support/desk.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";

test("the files of a patch that no longer fits go out with a question about them; one that nobody knows asks nothing", async (t) => {
  const workspace = createFolderWorkspace();
  const desk = await openDesk(t, { workspace, defaultModel: () => "svc-k3" });
  workspace.write("work/a.ts", "one\n");
  desk.session.onEvent((event) => {
    if (event.type === "patch" && event.status === "proposed")
      desk.session.decide(event.call, { kind: "reject" });
  });
  desk.sim.reply(patchCall("*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+two\n*** End Patch"));
  desk.sim.reply(text("As you wish."));
  await desk.session.send({ prompt: "Change it." });
  const [patch] = desk.session.state.turns.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "patch" ? [part.call] : [])),
  );
  workspace.write("work/a.ts", "three\n");
  desk.sim.reply(text("Fine."));
  await desk.session.sendCurrent(patch ?? "");
  const { prompt, attachments } = desk.session.state.turns.at(-1) ?? assert.fail();
  assert.match(prompt, /have changed/);
  assert.deepEqual(
    attachments.map(({ kind, path }) => [kind, path]),
    [["file", "a.ts"]],
  );
  assert.match(desk.sim.requests.at(-1)?.raw.toString("utf8") ?? "", /three/);
  const asked = desk.sim.requests.length;
  assert.equal(await desk.session.sendCurrent("another"), undefined);
  assert.equal(desk.sim.requests.length, asked);
});
