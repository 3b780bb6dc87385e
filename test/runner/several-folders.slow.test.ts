// A window with several folders: two on disk of the same name, one in memory, one that cannot be written to.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { runHostTests } from "../support/host-tests.mjs";
import { judgedNow } from "../support/suspects.mjs";

test("patches find their files in a window with several folders, on disk and elsewhere", async () => {
  const folders = ["one/shop", "two/shop", "test-memory:/memory", "test-fixed:/fixed"];
  const { passed, failed, output } = await judgedNow(
    await runHostTests({ suites: ".build/several", folders }),
  );
  assert.ok(failed === 0 && passed > 0, output);
});
