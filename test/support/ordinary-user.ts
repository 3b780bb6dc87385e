// Root may do what the user of an editor may not. Where the tests run as root, some of them are run once more by somebody else.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";

export const nobody = 65534;
export const isRoot = process.getuid?.() === 0;
export const asNobody = ["setpriv", "--reuid", String(nobody), "--regid", String(nobody), "--clear-groups"];

/** Whether this machine lets somebody else run Node, and read this file; always false for who is no root. */
export function canBeNobody(file = process.execPath): boolean {
  const code = "require('node:fs').accessSync(process.argv[1])";
  const [program = "", ...args] = [...asNobody, process.execPath, "-e", code, file];
  return isRoot && spawnSync(program, args).status === 0;
}

/** Runs those tests of a built file whose names match, as an ordinary user with a home of their own. */
export async function passAsOrdinaryUser(
  file: string,
  name: RegExp,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const home = mkdtempSync("/tmp/patchbay-nobody-");
  try {
    chownSync(home, nobody, nobody);
    const tests = [
      "--enable-source-maps",
      "--test-reporter=tap",
      `--test-name-pattern=/${name.source}/`,
      file,
    ];
    const [program = "", ...args] = [...asNobody, process.execPath, ...tests];
    const child = spawn(program, args, {
      // With this variable Node would take the tests for a part of those that run here.
      env: { ...process.env, ...env, NODE_TEST_CONTEXT: undefined, HOME: home, TMPDIR: home },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const pieces: string[] = [];
    child.stdout.setEncoding("utf8").on("data", (piece: string) => pieces.push(piece));
    const [code] = await once(child, "close");
    const output = pieces.join("");
    assert.equal(code, 0, output);
    assert.match(output, /^# pass [1-9]/m, output);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
