// A window with several folders: two on disk of the same name, one in memory, one that cannot be written to.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { runHostTests, severalFolders } from "../support/host-tests.mjs";
import { judgedNow } from "../support/suspects.mjs";

test("the host test runner passes the suites of a window with several folders", async () => {
  const { passed, failed, output } = await judgedNow(
    await runHostTests({ suites: ".build/several", folders: severalFolders }),
  );
  assert.ok(failed === 0 && passed > 0, output);
});
