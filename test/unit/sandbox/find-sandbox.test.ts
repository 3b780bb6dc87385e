// Which bubblewrap is taken, and that one is judged by what it does.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { findSandbox } from "../../../src/checks/internal/sandbox/sandbox.ts";
import { ownFolder } from "../../support/one-test.ts";

const flags = "--args --as-pid-1 --cap-drop --die-with-parent --json-status-fd --seccomp";

/** A folder with a program called bwrap, which says of itself that it can everything and then does this. */
function setUp(t: TestContext, script: string, help = flags) {
  const base = ownFolder(t, "find");
  const storage = join(base, "storage");
  const programs = join(base, "programs");
  mkdirSync(programs);
  const bubblewrap = join(programs, "bwrap");
  writeFileSync(bubblewrap, `#!/bin/sh\n[ "$1" = --help ] && echo "${help}" && exit\n${script}\n`, {
    mode: 0o755,
  });
  const find = (more: Partial<Parameters<typeof findSandbox>[0]>) =>
    findSandbox({ storage, workspaceFolders: [], ...more });
  return { base, storage, programs, bubblewrap, find };
}

/** Starts the command without any sandbox, and says that all is well. */
const without = `
trap '' PIPE
while [ "$1" != -- ]; do shift; done; shift
cat <&3 > /dev/null; cat <&4 > /dev/null
echo '{ "child-pid": '$$' }' >&5
"$@"
echo '{ "exit-code": '$?' }' >&5`;

describe("findSandbox", () => {
  test("refuses a program that does not confine although it claims to", async (t) => {
    const { bubblewrap, storage, find } = setUp(t, without);
    const state = await find({ bubblewrap });
    assert.ok(state.kind === "none", state.kind);
    assert.equal(state.why, "leaks", state.detail);
    assert.match(state.detail, /namespace is shared/);
    assert.match(state.detail, /not filtered/);
    assert.deepEqual(readdirSync(storage), [], "the trial is removed");
  });
  test("reports the error of a program that could not start", async (t) => {
    const { bubblewrap, find } = setUp(t, "echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1");
    const state = await find({ bubblewrap });
    assert.ok(state.kind === "none", state.kind);
    assert.ok(["refused", "apparmor", "namespaces"].includes(state.why), state.why);
    assert.match(state.detail, /setting up uid map: Permission denied/);
    assert.equal(state.remedy !== undefined, state.why !== "refused");
  });
  test("refuses a program without the needed options, and names them", async (t) => {
    const { bubblewrap, find } = setUp(t, "", "--args --cap-drop");
    const state = await find({ bubblewrap });
    assert.ok(state.kind === "none", state.kind);
    assert.equal(state.why, "outdated");
    assert.match(state.detail, /--seccomp/);
  });
  test("starts no program from a workspace", async (t) => {
    const { base, programs, find } = setUp(t, 'echo started > "$0.started"');
    const state = await find({ path: programs, workspaceFolders: [base, "/usr"] });
    assert.ok(state.kind === "none", state.kind);
    assert.equal(state.why, "missing");
    assert.equal(existsSync(join(programs, "bwrap.started")), false);
  });
});
