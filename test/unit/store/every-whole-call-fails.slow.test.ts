// The file system fails at every call of what is done to a conversation as a whole: changes kept, cut, branch, export,
// import, archive, delete. Each of them happens or does not; nothing in between is ever listed or opened.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { hashOf } from "../../../src/changes/proposal.ts";
import { importVisible } from "../../../src/session/internal/sanitize-import.ts";
import { type FileSystem, nodeFileSystem } from "../../../src/store/file-system.ts";
import type { OpenJournal } from "../../../src/store/journal-records.ts";
import { createLibrary, type Library } from "../../../src/store/library.ts";
import { type Failure, failingFileSystem } from "./failing-file-system.ts";
import { addTurn, started } from "./store-support.ts";

const long = process.env["PATCHBAY_LONG"] !== undefined;
const newFolder = () => mkdtempSync(join(tmpdir(), "patchbay-whole-"));

const open = (fs: FileSystem, folder: string): Library =>
  createLibrary({
    ...{ fs, folder, place: "" },
    now: () => Date.now(),
    arriving: importVisible,
  });

async function prepare(folder: string): Promise<void> {
  const library = open(nodeFileSystem, folder);
  const journal = await library.create("c");
  for (const turn of ["1", "2", "3"]) await addTurn(journal, turn);
  await journal.append(started("4"), { durable: true });
  await journal.append({ type: "ended", turn: "4", at: 1, ending: "done" }, { durable: true });
  await addTurn(await library.create("unwanted"), "1");
  await library.close();
}

/** What was told to have been done. */
interface Done {
  cut?: boolean;
  branch?: string;
  bundle?: Buffer;
  imported?: string;
  archived?: boolean;
  removed?: boolean;
  changes?: boolean;
}

async function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    assert.ok(error instanceof Error && ("code" in error || error.name === "HumanError"), String(error));
    return false;
  }
}

async function live(fs: FileSystem, folder: string): Promise<Done> {
  const done: Done = {};
  const library = open(fs, folder);
  let journal: OpenJournal | undefined;
  await succeeds(async () => {
    journal = await library.open("c");
  });
  await succeeds(async () => {
    if (journal === undefined) return;
    await journal.changes.put("before");
    await journal.changes.write(`what waits: ${hashOf("before")}`, true);
    done.changes = true;
  });
  if (journal !== undefined) done.cut = await succeeds(async () => journal?.cut("3"));
  await succeeds(async () => {
    done.branch = await library.branch("c", { turn: "1", place: "after" });
  });
  await succeeds(async () => {
    const pieces: Uint8Array[] = [];
    for await (const piece of library.exportBundle("c", { reasoning: true })) pieces.push(piece);
    done.bundle = Buffer.concat(pieces);
  });
  await succeeds(async () => {
    if (done.bundle === undefined) return;
    const { bundle } = done;
    const id = await library.importBundle(
      (async function* () {
        yield bundle;
      })(),
    );
    done.imported = id;
  });
  done.archived = await succeeds(() => library.archive("c", true));
  done.removed = await succeeds(() => library.remove("unwanted"));
  await succeeds(async () => journal?.close());
  await succeeds(() => library.close());
  return done;
}

async function check(folder: string, done: Done, name: string): Promise<void> {
  const library = open(nodeFileSystem, folder);
  try {
    const listed = await library.list();
    const turnsOf = async (id: string) => {
      const journal = await library.open(id);
      assert.equal(journal.repair, undefined, `${name}: ${id} is damaged`);
      const ends = journal.records.filter(({ type }) => type === "ended").map((record) => record["turn"]);
      await journal.close();
      return ends.join("");
    };
    const turns = await turnsOf("c");
    assert.ok(turns === "12" || (turns === "1234" && done.cut !== true), `${name}: ${turns}`);
    if (done.branch !== undefined) assert.equal(await turnsOf(done.branch), "1", name);
    if (done.imported !== undefined) assert.ok(["12", "1234"].includes(await turnsOf(done.imported)), name);
    if (done.archived) assert.equal(listed.find(({ id }) => id === "c")?.archived, true, name);
    if (done.removed) assert.ok(!listed.some(({ id }) => id === "unwanted"), name);
    if (done.changes) await checkChanges(library, name);
    // Whatever is listed besides came to be whole, although nobody was told.
    for (const { id, damaged } of listed) {
      assert.equal(damaged, false, `${name}: ${id}`);
      assert.match(await turnsOf(id), /^1(2(34)?)?$/, `${name}: ${id}`);
    }
  } finally {
    await library.close();
  }
}

async function checkChanges(library: Library, name: string): Promise<void> {
  const journal = await library.open("c");
  assert.equal(await journal.changes.read(), `what waits: ${hashOf("before")}`, name);
  assert.equal(await journal.changes.get(hashOf("before")), "before", name);
  await journal.close();
}

async function run(prepared: string, failure: Failure | undefined): Promise<number> {
  const folder = newFolder();
  try {
    cpSync(prepared, folder, { recursive: true });
    const fs = failingFileSystem(failure);
    const done = await live(fs, folder);
    fs.heal();
    await check(folder, done, JSON.stringify({ failure, failed: fs.failed.slice(0, 3) }));
    return fs.calls;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const forGood of [false, true])
  test(`a whole-conversation operation is done fully or not at all when any call fails ${forGood ? "from then on" : "once"}`, async () => {
    const prepared = newFolder();
    try {
      await prepare(prepared);
      const calls = await run(prepared, undefined);
      const step = long ? 1 : 8;
      for (let at = forGood ? 2 : 1; at <= calls; at += step)
        for (const half of long ? [false, true] : [at % 2 === 0])
          await run(prepared, { at, code: "EIO", forGood, half });
    } finally {
      rmSync(prepared, { recursive: true, force: true });
    }
  });
