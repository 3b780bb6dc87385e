// The way to a file stands still before anything is written, on a real disk: what was turned lately is waited for, what
// goes on turning is refused, and folders in which somebody merely writes hold nothing up. Only the clock is the test's.
import assert from "node:assert/strict";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import {
  type DiskPath,
  SymlinkRaceGuard,
} from "../../../../src/editor/workspace/internal/symlink-race-guard.ts";

let root = "";
let waits = 0;
/** What else happens in a wait. */
let meanwhile = () => {};
let now = 0;

const clock = {
  now: () => now,
  async wait() {
    waits += 1;
    meanwhile();
  },
};

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-steady-")));
  for (const folder of ["src/deep", "elsewhere/deep"]) mkdirSync(at(folder), { recursive: true });
  writeFileSync(at("src/deep/old.ts"), "old\n");
  [waits, meanwhile, now] = [0, () => {}, Date.now() + 3_600_000];
});
afterEach(() => rmSync(root, { recursive: true }));

const at = (path: string): string => join(root, path);
const place = (path: string): DiskPath => ({ folder: root, path });
const file = () => [place("src/deep/old.ts")];

/** All that was there before is too old to count when this has just happened. */
function justNow(happen: () => void): void {
  const probe = at("probe");
  writeFileSync(probe, "");
  const before = statSync(probe).ctimeMs;
  while (statSync(probe).ctimeMs < before + 30) utimesSync(probe, 1, 1);
  now = Date.now() + 235;
  happen();
}

const turn = () => {
  renameSync(at("src"), at("aside"));
  symlinkSync(at("elsewhere"), at("src"));
};
const turnBack = () => {
  unlinkSync(at("src"));
  renameSync(at("aside"), at("src"));
};

test("a symlink race guard does not wait for a path without recent changes", async () => {
  const places = ["src/deep/old.ts", "src/deep/new.ts", "src/new/er/new.ts", "new.ts"].map(place);
  const { turned } = await new SymlinkRaceGuard(clock).takeSnapshot(places);
  assert.deepEqual([turned, waits], [undefined, 0]);
});

test("a symlink race guard does not wait for a folder in which only files are written", async () => {
  justNow(() => {
    writeFileSync(at("src/deep/old.ts"), "written\n");
    writeFileSync(at("src/deep/built.js"), "built\n");
    rmSync(at("src/deep/built.js"));
  });
  const { turned } = await new SymlinkRaceGuard(clock).takeSnapshot(file());
  assert.deepEqual([turned, waits], [undefined, 0]);
});

for (const [what, happen, step] of [
  ["a folder that was renamed", () => [turn(), turnBack()], "src/deep/old.ts"],
  ["a folder that was just made", () => mkdirSync(at("src/made")), "src/made/new.ts"],
  ["a folder that was just taken away", () => renameSync(at("src"), at("gone")), "src/deep/new.ts"],
  ["a link that was just made", () => symlinkSync(at("src"), at("link")), "link/deep/old.ts"],
  ["a file that was renamed", () => renameSync(at("src/deep/old.ts"), at("src/deep/x.ts")), "src/deep/x.ts"],
  ["a name that was just freed", () => rmSync(at("src/deep/old.ts")), "src/deep/old.ts"],
] as const)
  test(`a symlink race guard waits once for ${what} and accepts it if unchanged`, async () => {
    justNow(happen);
    const { turned } = await new SymlinkRaceGuard(clock).takeSnapshot([place(step)]);
    assert.deepEqual([turned, waits], [undefined, 1]);
  });

for (const [what, happen] of [
  ["turned", turn],
  ["turned away and back", () => [turn(), turnBack()]],
  ["taken away", () => renameSync(at("src"), at("gone"))],
  ["made anew", () => [rmSync(at("src"), { recursive: true }), mkdirSync(at("src"))]],
] as const)
  test(`a symlink race guard refuses a folder that is ${what} again during the wait`, async () => {
    justNow(() => [turn(), turnBack()]);
    meanwhile = happen;
    assert.equal((await new SymlinkRaceGuard(clock).takeSnapshot(file())).turned, at("src"));
  });

test("a symlink race guard refuses a link whose target folder is swapped during the wait", async () => {
  symlinkSync("src", at("link"));
  justNow(() => [turn(), turnBack()]);
  meanwhile = () => [turn(), turnBack()];
  assert.equal(
    (await new SymlinkRaceGuard(clock).takeSnapshot([place("link/deep/old.ts")])).turned,
    at("src"),
  );
});

test("a symlink race guard terminates on circular links and on links out of the folder", async () => {
  symlinkSync("there", at("here"));
  symlinkSync("here", at("there"));
  symlinkSync(tmpdir(), at("out"));
  const { turned } = await new SymlinkRaceGuard(clock).takeSnapshot([
    place("here/new.ts"),
    place("out/new.ts"),
  ]);
  assert.deepEqual([turned, waits], [undefined, 0]);
});

test("a symlink race guard detects a replaced folder with the same inode", async () => {
  const steady = new SymlinkRaceGuard(clock);
  const { way } = await steady.takeSnapshot([place("elsewhere/deep/new.ts")]);
  rmdirSync(at("elsewhere/deep"));
  mkdirSync(at("elsewhere/deep"));
  assert(way !== undefined);
  assert.equal(await steady.isUnchanged([place("elsewhere/deep/new.ts")], way), false);
});

test("a symlink race guard detects a swap between snapshot and write, and ignores new entries", async () => {
  const steady = new SymlinkRaceGuard(clock);
  const { way } = await steady.takeSnapshot(file());
  assert(way !== undefined);
  writeFileSync(at("src/deep/built.js"), "built\n");
  assert.equal(await steady.isUnchanged(file(), way), true);
  turn();
  assert.equal(await steady.isUnchanged(file(), way), false);
  turnBack();
  assert.equal(await steady.isUnchanged(file(), way), false);
});

for (const [what, hide] of [
  ["nothing else", () => {}],
  [
    "its times set back",
    () => utimesSync(at("src"), statSync(at("elsewhere")).atime, statSync(at("elsewhere")).mtime),
  ],
  ["a copy of what was written put in its place", () => writeFileSync(at("src/deep/new.ts"), "new\n")],
] as const)
  test(`a symlink race guard reports a folder swapped and restored around a write, with ${what}`, async () => {
    const steady = new SymlinkRaceGuard(clock);
    const places = [place("src/deep/new.ts")];
    const { way } = await steady.takeSnapshot(places);
    assert(way !== undefined);
    turn();
    writeFileSync(at("src/deep/new.ts"), "new\n");
    turnBack();
    hide();
    assert.equal(await steady.changedSince(places, way), at("src"));
  });

test("a symlink race guard reports a folder replaced by another with the same times", async () => {
  const steady = new SymlinkRaceGuard(clock);
  const places = [place("src/deep/old.ts")];
  const { way } = await steady.takeSnapshot(places);
  assert(way !== undefined);
  const { atime, mtime } = statSync(at("src"));
  renameSync(at("src"), at("gone"));
  mkdirSync(at("src/deep"), { recursive: true });
  writeFileSync(at("src/deep/old.ts"), "old\n");
  utimesSync(at("src"), atime, mtime);
  assert.equal(await steady.changedSince(places, way), at("src"));
});

test("a symlink race guard ignores its own writes and other writes beside them", async () => {
  const steady = new SymlinkRaceGuard(clock);
  const places = [place("src/deep/new.ts"), place("src/made/new.ts")];
  const { way } = await steady.takeSnapshot(places);
  assert(way !== undefined);
  writeFileSync(at("src/deep/new.ts"), "new\n");
  mkdirSync(at("src/made"));
  writeFileSync(at("src/made/new.ts"), "new\n");
  writeFileSync(at("src/built.js"), "built\n");
  rmSync(at("src/deep/old.ts"));
  assert.equal(await steady.changedSince(places, way), undefined);
});

test("a symlink race guard does not wait for a folder it has written to, until the folder is renamed", async () => {
  const steady = new SymlinkRaceGuard(clock);
  const next = [place("src/made/second.ts")];
  justNow(() => {
    mkdirSync(at("src/made"));
    writeFileSync(at("src/made/first.ts"), "first\n");
  });
  await steady.remember([place("src/made/first.ts")]);
  assert.equal((await steady.takeSnapshot(next)).turned, undefined);
  assert.equal(waits, 0);
  renameSync(at("src/made"), at("src/renamed"));
  renameSync(at("src/renamed"), at("src/made"));
  await steady.takeSnapshot(next);
  assert.equal(waits, 1);
});

test("a symlink race guard waits once and refuses nothing on a disk whose clock is an hour ahead", async () => {
  now = Date.now() - 3_600_000;
  const { turned } = await new SymlinkRaceGuard(clock).takeSnapshot([place("src/deep/new.ts")]);
  assert.deepEqual([turned, waits], [undefined, 1]);
});
