// Which proposed files are said to be outside of what was asked: only where somebody has said which files are meant.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call, patchCall, text } from "../../sim/script.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { openTestApp } from "../../support/test-app.ts";

const patch = patchCall(
  [
    ...["*** Begin Patch", "*** Update File: src/cart.ts", "@@", "-cart", "+basket"],
    ...["*** Update File: src/sum.ts", "@@", "-sum", "+total", "*** End Patch"],
  ].join("\n"),
);

for (const [prompt, read, outside] of [
  ["Rename cart to basket.", undefined, []],
  ["Make it run on Node.js and/or Deno.", undefined, []],
  ["Rename it in src/cart.ts.", undefined, ["src/sum.ts"]],
  ["Rename it in cart.ts.", undefined, ["src/sum.ts"]],
  ["Rename it in src/cart.ts.", "src/sum.ts", []],
  ["Rename it in src/.", undefined, []],
] as const)
  test(`the scope check for "${prompt}"${read === undefined ? "" : ` and ${read} read`} flags ${outside.join(", ") || "nothing"}`, async (t) => {
    const workspace = createFolderWorkspace();
    workspace.write("work/src/cart.ts", "cart\n");
    workspace.write("work/src/sum.ts", "sum\n");
    const app = await openTestApp(t, { workspace, defaultModel: () => "svc-k3" });
    if (read !== undefined) app.sim.reply(call("read_file", { path: read }));
    app.sim.reply(patch);
    app.sim.reply(text("Done."));
    await app.session.send({ prompt });
    const { pending } = app.session.patches.changes;
    assert.equal(pending.length, 2);
    const flagged = pending.filter(({ hunks }) => hunks.some(({ flags }) => flags.includes("out-of-scope")));
    assert.deepEqual(
      flagged.map(({ change }) => change.file.path),
      outside,
    );
  });
