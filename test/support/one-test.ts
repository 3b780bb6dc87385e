// What lives as long as one test: a folder of its own, a variable of the environment.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** `name`: what is told of it where it is left behind. */
export function ownFolder(t: Pick<TestContext, "after">, name: string): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), `patchbay-${name}-`));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function withVariable(t: Pick<TestContext, "after">, name: string, value: string): void {
  const before = process.env[name];
  process.env[name] = value;
  t.after(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
}
