// One table of faults for all users of the append log and of the document: calls that fail, damaged bytes, a kill.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { StoreError } from "../../../src/store/documents.ts";
import { sealedLine } from "../../../src/store/internal/sealed-line.ts";
import { type Failure, failingFileSystem } from "./failing-file-system.ts";
import { type KeptFile, type KillPoint, keptFiles, killPhases, type OpenedFile } from "./kept-files.ts";
import { temporaryFolder } from "./store-support.ts";

const numbers = [1, 2, 3];

async function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    assert.ok(error instanceof StoreError || (error instanceof Error && "code" in error), String(error));
    return false;
  }
}

const copiesIn = (folder: string) =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.includes(".corrupt-"));

/** As a later process finds it. */
async function found(file: KeptFile, folder: string) {
  const opened = await file.open(folder);
  const read = await opened.read();
  const { told } = opened;
  await opened.close();
  return { read, told };
}

/** Everything that was acknowledged is there, once and in order, and nothing that was never added. */
function assertKept(file: KeptFile, read: readonly number[], saved: readonly number[], what: string): void {
  if (file.kind === "document") {
    assert.ok((read[0] ?? 0) >= (saved.at(-1) ?? 0), `${what}: ${read} instead of ${saved}`);
    return;
  }
  assert.deepEqual(read, [...new Set(read)].sort(), `${what}: doubled or out of order`);
  for (const number of saved) assert.ok(read.includes(number), `${what}: ${number} is lost`);
}

/** The disk fails while three are added; then it works again, and a process that lives on adds a fourth. */
async function addTo(file: KeptFile, folder: string, failure: Failure | undefined, livesOn: boolean) {
  const fs = failingFileSystem(failure);
  const saved: number[] = [];
  const opened: { it?: OpenedFile } = {};
  await succeeds(async () => {
    opened.it = await file.open(folder, fs);
  });
  const { it } = opened;
  if (it !== undefined) {
    const done = await Promise.all(numbers.map((number) => succeeds(() => it.add(number))));
    saved.push(...numbers.filter((_, at) => done[at]));
    const { calls } = fs;
    fs.heal();
    if (livesOn) {
      await it.add(4);
      // What the disk refused waits in a log, and only the newest in a document.
      const all = file.kind === "log" ? [...numbers, 4] : [4];
      assert.deepEqual(await it.read(), all, JSON.stringify(failure));
      saved.splice(0, saved.length, ...all);
    }
    await it.close();
    return { calls, failed: fs.failed, saved };
  }
  return { calls: fs.calls, failed: fs.failed, saved };
}

for (const file of keptFiles)
  test(`${file.name} keeps what it acknowledged, and once, when any call fails`, async (t) => {
    const root = temporaryFolder(t);
    const { calls } = await addTo(file, join(root, "whole"), undefined, false);
    for (const [forGood, half] of [
      [false, false],
      [false, true],
      [true, false],
      [true, true],
    ] as const)
      for (let at = 1; at <= calls; at += 1) {
        const failure = { at, code: at % 2 === 0 ? "ENOSPC" : "EIO", forGood, half };
        const folder = join(root, "failing");
        mkdirSync(folder);
        const { failed, saved } = await addTo(file, folder, failure, at % 3 === 0);
        const what = JSON.stringify({ failure, failed });
        const { read, told } = await found(file, folder);
        assertKept(file, read, saved, what);
        assert.equal(told, 0, `${what}: a refusal is no damage`);
        assert.deepEqual(copiesIn(folder), [], what);
        rmSync(folder, { recursive: true });
      }
  });

const step = 5;

/** Every way in which a disk spoils a file, at each of many places. */
function* spoilt(whole: Buffer): Generator<readonly [what: string, bytes: Buffer]> {
  for (let at = 0; at < whole.length; at += step) {
    const flipped = Buffer.from(whole);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    yield [`byte ${at} is another`, flipped];
    yield [`it ends at ${at}`, whole.subarray(0, at)];
    yield [`zeros from ${at} on`, Buffer.concat([whole.subarray(0, at), Buffer.alloc(whole.length - at)])];
  }
  yield ["bad UTF-8 behind it", Buffer.concat([whole, Buffer.alloc(100, 0xc3)])];
  yield ["a line of another program behind it", Buffer.concat([whole, Buffer.from("{}\n")])];
  yield ["a checksum that holds over no JSON", Buffer.concat([whole, sealedLine('{"seq":x}')])];
}

/** A list of a later version is left alone, and that is tested elsewhere. */
const isLater = (bytes: Buffer): boolean => /"version":[2-9]/.test(bytes.toString("latin1"));

async function withThree(file: KeptFile, t: TestContext) {
  const folder = temporaryFolder(t);
  const opened = await file.open(folder);
  for (const number of numbers) await opened.add(number);
  await opened.close();
  return { folder, whole: readFileSync(join(folder, file.path)) };
}

for (const file of keptFiles)
  test(`${file.name} reports damage once, keeps a copy of it and all that is whole, and goes on`, async (t) => {
    const { folder, whole } = await withThree(file, t);
    const path = join(folder, file.path);
    let reported = 0;
    for (const [what, bytes] of spoilt(whole)) {
      if (isLater(bytes)) continue;
      for (const name of copiesIn(folder)) rmSync(join(folder, name));
      writeFileSync(path, bytes);
      const { read, told } = await found(file, folder);
      const copies = copiesIn(folder).map((name) => readFileSync(join(folder, name)));
      if (told > 0) {
        reported += 1;
        assert.equal(told, 1, what);
        assert.ok(
          copies.some((copy) => copy.equals(bytes)),
          `${what}: no copy`,
        );
      } else if (file.kind === "document") assert.deepEqual(read, [3], `${what}: it is not told`);
      if (file.kind === "log") {
        assert.ok(
          read.every((number) => numbers.includes(number)),
          `${what}: ${read} was never written`,
        );
        if (what.startsWith("byte ")) assert.ok(read.length >= 1, `${what}: ${read} is all that is left`);
      }
      const again = await found(file, folder);
      assert.deepEqual(again, { read, told: 0 }, `${what}: the second time`);
      const opened = await file.open(folder);
      await opened.add(9);
      assert.deepEqual((await opened.read()).slice(-1), [9], what);
      await opened.close();
      const later = await found(file, folder);
      assert.deepEqual([later.read.at(-1), later.told], [9, 0], `${what}: after it went on`);
    }
    assert.ok(reported > 10, `${reported} were reported`);
  });

/** Resolves with what the process had acknowledged when it died. */
async function liveAndDie(point: KillPoint): Promise<readonly number[]> {
  const args = [".build/unit/store/kept-files.process.mjs", JSON.stringify(point)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (piece) => {
    said += piece;
  });
  const [, signal] = await once(child, "close");
  assert.equal(signal, "SIGKILL", `${JSON.stringify(point)}: it ended otherwise`);
  return said.split("\n").slice(0, -1).map(Number);
}

for (const [at, file] of keptFiles.entries())
  test(`${file.name} keeps what it acknowledged when its process is killed in any phase`, async (t) => {
    const folder = temporaryFolder(t);
    mkdirSync(dirname(join(folder, file.path)), { recursive: true });
    const saved: number[] = [];
    // A log is never renamed while it only grows.
    const phases = file.kind === "log" ? killPhases.slice(0, 2) : killPhases;
    for (const phase of phases)
      for (const pass of [0, 2]) {
        saved.push(...(await liveAndDie({ folder, file: at, phase, pass })));
        const { read, told } = await found(file, folder);
        assertKept(file, read, saved, `${phase}, ${pass}`);
        assert.equal(told, 0, `${phase}: a death is no damage`);
      }
    assert.deepEqual(copiesIn(folder), []);
  });
