// Proves when the locked dependencies are installed, by an npm that only writes down that it was called, and what both
// commands say when they cannot be had.
import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";

const works = 'echo "$@" >> calls; mkdir -p node_modules';

/** A project that has nothing but what a clone has before its first command, and an npm of ours before all others. */
function clone(t: TestContext, npm: string) {
  const root = mkdtempSync(join(tmpdir(), "patchbay-install-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const file of ["package.json", "package-lock.json"]) cpSync(file, join(root, file));
  for (const folder of ["test/run.mjs", "test/support"])
    cpSync(folder, join(root, folder), { recursive: true });
  mkdirSync(join(root, "bin"));
  const setNpm = (script: string) => {
    writeFileSync(join(root, "bin", "npm"), `#!/bin/sh\n${script}\n`);
    chmodSync(join(root, "bin", "npm"), 0o755);
  };
  setNpm(npm);
  const node = (...args: readonly string[]) => {
    const env = { ...process.env, PATH: `${join(root, "bin")}:/usr/bin:/bin` };
    return spawnSync(process.execPath, args, { cwd: root, env, encoding: "utf8" });
  };
  const installed = (version?: string) => {
    const what = `it.installDependencies(process.cwd(), ${JSON.stringify(version)})`;
    const { status, stderr } = node("-e", `import("./test/support/install.mjs").then((it) => ${what})`);
    return { status, stderr };
  };
  const calls = () =>
    existsSync(join(root, "calls")) ? readFileSync(join(root, "calls"), "utf8").trim().split("\n") : [];
  return { root, node, setNpm, installed, calls };
}

test("installDependencies installs once, and again when the lock file changes", (t) => {
  const { root, installed, calls } = clone(t, works);
  for (let round = 0; round < 2; round += 1) assert.deepEqual(installed(), { status: 0, stderr: "" });
  assert.deepEqual(calls(), ["ci --ignore-scripts --no-audit --no-fund --loglevel=error"]);
  writeFileSync(join(root, "package-lock.json"), "{}");
  installed();
  assert.equal(calls().length, 2);
});

test("installDependencies starts over after a failed installation", (t) => {
  const { root, installed, calls, setNpm } = clone(t, works);
  installed();
  writeFileSync(join(root, "package-lock.json"), "{}");
  setNpm("exit 7");
  assert.equal(installed().status, 1);
  cpSync("package-lock.json", join(root, "package-lock.json"));
  setNpm(works);
  installed();
  assert.equal(calls().length, 2);
});

for (const command of ["test/run.mjs", "test/support/start.mjs"])
  test(`${command} fails with one sentence when the dependencies cannot be installed`, (t) => {
    const { node } = clone(t, "echo 'npm error network' >&2; exit 1");
    const { status, stderr } = node(command);
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^npm error network\n\n?The locked dependencies could not be had\. What npm says .*\n$/,
    );
  });

test("installDependencies reports that npm is missing and points to the PATH", (t) => {
  const { root } = clone(t, works);
  rmSync(join(root, "bin", "npm"));
  // Whatever npm this machine has must not be found either.
  const said = spawnSync(
    process.execPath,
    ["-e", 'import("./test/support/install.mjs").then((it) => it.installDependencies(process.cwd()))'],
    { cwd: root, env: { PATH: join(root, "bin") }, encoding: "utf8" },
  );
  assert.match(said.stderr, /npm could not be started .* is it on the PATH\?/);
});

test("installDependencies refuses an old Node and names both versions", (t) => {
  const { installed, calls } = clone(t, works);
  assert.match(
    installed("18.20.4").stderr,
    /Node 20\.18\.0 or newer is needed here; this is Node 18\.20\.4\./,
  );
  assert.equal(installed("20.17.9").status, 1);
  assert.deepEqual(calls(), []);
  for (const newer of ["20.18.0", "22.0.0"]) assert.equal(installed(newer).status, 0);
});
