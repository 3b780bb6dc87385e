// Checks that execute what is proposed, locked in: they run as in the folder itself and change nothing of it. The program of the
// sandbox is brought along; where it cannot be had, or does not hold, none of these checks runs.
import assert from "node:assert/strict";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, type TestContext, test } from "node:test";
import fc from "fast-check";
import type { Check, CheckRun } from "../../../src/checks/check.ts";
import { FolderChecks } from "../../../src/checks/internal/folder-checks.ts";
import { readerProgram } from "../../../src/checks/internal/reader-program.ts";
import { findSandbox, type SandboxState } from "../../../src/checks/internal/sandbox/sandbox.ts";
import { createConfinement } from "../../../src/checks/internal/try-sandbox.ts";
import { inEnglish } from "../../../src/conversation/english.ts";
import { silentLog } from "../../../src/util/log.ts";
import { copyThread } from "../../support/copy-thread.ts";
import { type FolderFiles, pictureOf, writeFolder } from "../../support/folder-picture.ts";
import { ownFolder, withVariable } from "../../support/one-test.ts";
import { canBeNobody, isRoot, passAsOrdinaryUser } from "../../support/ordinary-user.ts";
import { prepareBubblewrap } from "../../support/tools.mjs";

const never = new AbortController().signal;

const project: FolderFiles = {
  "package.json": '{"workspaces":["packages/*"]}',
  "src/a.js": "module.exports = 'disk'",
  "src/use.js": "console.log(require('./a.js'), require('own'), require('dep'))",
  "packages/own/package.json": '{"name":"own","main":"index.js"}',
  "packages/own/index.js": "module.exports = 'disk'",
  "node_modules/own": "-> ../packages/own",
  "node_modules/dep/index.js": "module.exports = 'dep'",
};

const check = (command: string): Check => ({
  ...{ id: command, name: "c", command, kind: "tests", folder: "f", blind: [], isConfined: true },
});

function setUp(t: Pick<TestContext, "after">, state: SandboxState, files: FolderFiles = project) {
  const home = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), "patchbay-confined-"));
  const [folder, outside] = [join(home, "workspace"), join(home, "outside")];
  writeFolder(folder, files);
  writeFolder(outside, { "victim.js": "outside" });
  const checks = new FolderChecks({
    copyThread: copyThread(),
    ...{ folder, storage: join(home, "storage"), isLeftOut: () => false, unsaved: () => [] },
    programOf: (reader) => readerProgram(reader, folder, [folder]),
    sandbox: async () => (state.kind === "works" ? state.sandbox : undefined),
  });
  t.after(async () => {
    await checks.close();
    fs.rmSync(home, { recursive: true, force: true });
  });
  const run = (command: string, proposed: readonly (readonly [string, string | null])[] = []) =>
    checks.withCopy(proposed, (copy) => copy.run(check(command), never), never);
  const baseline = (command: string) =>
    checks.withCopy([], (copy) => copy.baseline(check(command), never), never);
  /** As far as it could run here. */
  const said = (done: CheckRun, expected: string) => {
    if (state.kind === "works") assert.equal(done.output.trim(), expected, JSON.stringify(done));
    else assert.deepEqual([done.end, done.output], ["sandbox", ""]);
  };
  return { home, folder, outside, checks, run, baseline, said };
}

describe("a confined check", () => {
  let storage: string;
  let state: SandboxState;

  before(async () => {
    storage = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), "patchbay-trial-"));
    const [brought] = await prepareBubblewrap();
    state = await findSandbox({
      ...{ storage, workspaceFolders: [] },
      ...(brought !== undefined && { bubblewrap: brought.program }),
    });
    console.log(`  Checks are locked in here: ${state.kind === "works" ? "yes" : `no, ${state.detail}`}`);
  });

  after(() => fs.rmSync(storage, { recursive: true, force: true }));

  test("sees the proposal at the folder's own path, with workspace packages and installed dependencies", async (t) => {
    const { folder, run, said } = setUp(t, state);
    const proposed = [
      ["src/a.js", "module.exports = 'proposed'"],
      ["packages/own/index.js", "module.exports = 'proposed too'"],
    ] as const;
    said(
      await run("node src/use.js; pwd; echo $PWD/src/a.js", proposed),
      "proposed proposed too dep\n.\nsrc/a.js",
    );
    said(await run(`ls ${folder}/src`, proposed), "a.js\nuse.js");
  });

  test("sees proposed changes to dependencies", async (t) => {
    const { run, said } = setUp(t, state);
    said(
      await run("node src/use.js", [["node_modules/dep/index.js", "module.exports = 'mine'"]]),
      "disk disk mine",
    );
    said(await run("node src/use.js"), "disk disk dep");
  });

  test("changes neither the folder nor anything beside it", async (t) => {
    const { home, folder, outside, run } = setUp(t, state);
    const picture = () => [pictureOf(folder), pictureOf(outside)];
    const first = picture();
    const command = fc.constantFrom(
      ...["echo x > src/a.js", "rm -rf *", "rm -rf node_modules/dep", "echo x > node_modules/dep/index.js"],
      ...["mkdir -p node_modules/.cache && echo x > node_modules/.cache/x", `echo x > ${outside}/victim.js`],
      ...[`rm -rf ${outside}`, `ln -sf ${outside} src/link && echo x > src/link/victim.js`, "rm -rf ../*"],
      ...[`rm -rf src && ln -s ${outside} src`, `rm -rf node_modules && ln -s ${outside} node_modules`],
      ...["chmod -R 777 . ", "touch -d 2001-01-01 package.json", "mv packages gone", `echo x > ${home}/new`],
      ...["ln node_modules/dep/index.js hard && echo x > hard", "cp -a node_modules nm && rm -rf nm/own"],
    );
    const path = fc.constantFrom(
      "src/a.js",
      "src/new.js",
      "node_modules/dep/index.js",
      "packages/own/index.js",
    );
    const proposed = fc
      .array(fc.tuple(path, fc.constantFrom(null, "proposed")), { maxLength: 3 })
      .map((all) => [...new Map(all)]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(command, { minLength: 1, maxLength: 3 }),
        proposed,
        async (commands, texts) => {
          await run(commands.join("; "), texts);
          assert.deepEqual(picture(), first);
        },
      ),
      { numRuns: Number(process.env["PATCHBAY_LAW_RUNS"] ?? 12) },
    );
  });

  if (canBeNobody(import.meta.filename))
    test("changes as little when an ordinary user runs it", async () => {
      await passAsOrdinaryUser(import.meta.filename, /changes neither the folder/, {
        PATCHBAY_LAW_RUNS: "6",
      });
    });
  else if (isRoot) console.log("  This machine lets nobody but root run these tests.");

  test("keeps a cache for the next run only when nothing is proposed", async (t) => {
    const { run, baseline, said } = setUp(t, state);
    said(await baseline("echo honest > $GOCACHE-a && cat $GOCACHE-a"), "honest");
    said(await run("(echo forged > $GOCACHE-a) 2> /dev/null; cat $GOCACHE-a", [["src/a.js", "x"]]), "honest");
    said(await baseline("cat $GOCACHE-a; echo"), "honest");
  });

  test("does not run without a sandbox, and ends with that reason", async (t) => {
    const { folder, run } = setUp(t, { kind: "none", why: "missing", detail: "" });
    const done = await run(`echo ran; echo ran > ${folder}/ran`);
    assert.deepEqual([done.end, done.output], ["sandbox", ""]);
    assert.equal(fs.existsSync(join(folder, "ran")), false);
  });
});

describe("createConfinement", () => {
  test("names the cause when there is no sandbox", async (t) => {
    const storage = ownFolder(t, "none");
    withVariable(t, "PATH", storage);
    const confinement = createConfinement({ storage, log: silentLog, workspaceFolders: () => [] });
    const state = await confinement.state();
    if (state.kind === "none") assert.match(inEnglish(state.why), /^There is no sandbox/);
    assert.equal((await confinement.sandbox()) === undefined, state.kind === "none");
  });
});
