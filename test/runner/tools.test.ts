// Proves that the setup of VS Code and its browser starts from whatever an earlier run left, and says what is wrong.
import { strict as assert } from "node:assert";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { quietly } from "../support/processes.mjs";

const prepare = 'import("./test/support/tools.mjs").then((it) => it.prepareTools()).then(console.log)';

function prepareIn(folder: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  return quietly(process.execPath, ["-e", prepare], { env: { PATCHBAY_VSCODE_TEST: folder, ...env } });
}

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-tools-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("prepareTools removes what an interrupted setup left incomplete", async (t) => {
  const folder = emptyFolder(t);
  // No process has this number: Linux and macOS count lower.
  mkdirSync(join(folder, "server.part-99999999", "out"), { recursive: true });
  const offline = { npm_config_registry: "http://127.0.0.1:9", npm_config_fetch_retries: "0" };
  await assert.rejects(prepareIn(folder, offline), /could not be had/);
  assert.deepEqual(readdirSync(folder), []);
});

test("prepareTools fetches nothing on a second setup", async () => {
  const shared = process.env["PATCHBAY_VSCODE_TEST"] ?? ".vscode-test";
  const said = await prepareIn(shared, { npm_config_registry: "http://127.0.0.1:9" });
  assert.doesNotMatch(said, /fetching/);
});

test("prepareTools reports a missing browser by the path in CHROME_PATH", async (t) => {
  const missing = join(emptyFolder(t), "chrome");
  assert.equal(existsSync(missing), false);
  await assert.rejects(
    prepareIn(emptyFolder(t), { CHROME_PATH: missing, npm_config_registry: "http://127.0.0.1:9" }),
    new RegExp(`CHROME_PATH names ${missing}, which is not a program`),
  );
});

test("findVsCode and prepareTools refuse unknown versions", async () => {
  const refused = /PATCHBAY_VSCODE is current or oldest, not older/;
  const find = 'import("./test/support/vscode-target.mjs").then((it) => it.findVsCode())';
  for (const script of [find, prepare])
    await assert.rejects(
      quietly(process.execPath, ["-e", script], {
        env: { PATCHBAY_VSCODE: "older", VSCODE_TEST_TARGET: "web" },
      }),
      refused,
    );
});

test("the oldest server build is the version that package.json allows", () => {
  const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as { engines: { vscode: string } };
  const [, version] =
    /oldest: \{ server: "4\.(\d+\.\d+)"/.exec(readFileSync("test/support/tools.mjs", "utf8")) ?? [];
  assert.equal(`^1.${version}`, engines.vscode);
});
