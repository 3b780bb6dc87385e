// A racer that swaps a folder for a link around each write, and hides it: turned back at once, times set back, behind a
// new entry, or with a copy where the write should have gone. Whatever was led outside is told. A real disk; only the
// clock is the test's, so that nothing waits. PATCHBAY_LONG=1 makes it 10,000 swaps.
import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SymlinkRaceGuard } from "../../../../src/editor/workspace/internal/symlink-race-guard.ts";
import { draws } from "../../../support/draws.ts";
import { random } from "../../../support/random-text.ts";

const swaps = process.env["PATCHBAY_LONG"] === undefined ? 400 * draws : 10_000;

test(`a symlink race guard reports every one of ${swaps} hidden swaps that led a write outside`, async (t) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-race-")));
  t.after(() => rmSync(root, { recursive: true }));
  const [outside, folder, aside] = ["outside", "work/folder", "work/aside"].map((name) => join(root, name));
  assert.ok(outside !== undefined && folder !== undefined && aside !== undefined);
  mkdirSync(outside);
  mkdirSync(folder, { recursive: true });
  const pick = random(14);
  const steady = new SymlinkRaceGuard({ now: () => Date.now() + 3_600_000, wait: async () => {} });
  let escaped = 0;
  const untold: string[] = [];
  for (let swap = 0; swap < swaps; swap++) {
    const name = `${swap}.txt`;
    const places = [{ folder: join(root, "work"), path: `folder/${name}` }];
    const { way } = await steady.takeSnapshot(places);
    assert.ok(way !== undefined);
    assert.ok(await steady.isUnchanged(places, way));
    const { atime, mtime } = statSync(folder);
    renameSync(folder, aside);
    symlinkSync(outside, folder);
    await writeFile(join(folder, name), "new\n");
    unlinkSync(folder);
    renameSync(aside, folder);
    const hiding = ["at once", "times", "entry", "copy and times"][pick(4)] ?? "";
    if (hiding.includes("copy")) writeFileSync(join(folder, name), "new\n");
    if (hiding === "entry") writeFileSync(join(folder, `probe-${swap}`), "");
    if (hiding.includes("times")) utimesSync(folder, atime, mtime);
    if (!existsSync(join(outside, name))) continue;
    escaped += 1;
    const isThere = existsSync(join(folder, name));
    const turned = await steady.changedSince(places, way);
    if (isThere && turned === undefined) untold.push(`${swap} ${hiding}`);
  }
  assert.equal(escaped, swaps);
  assert.deepEqual(untold, []);
});
