// The file system fails at every call there is, one after the other, and afterwards everything the store said it
// had saved is there, undamaged; and what it said it had not is there too, once the disk works again.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { hashOf } from "../../../src/changes/proposal.ts";
import { importVisible } from "../../../src/session/internal/sanitize-import.ts";
import { StoreError } from "../../../src/store/documents.ts";
import { type FileSystem, nodeFileSystem } from "../../../src/store/file-system.ts";
import type { NewRecord } from "../../../src/store/journal-records.ts";
import { createLibrary, type Library } from "../../../src/store/library.ts";
import { type Failure, failingFileSystem } from "./failing-file-system.ts";
import { ended, started, text } from "./store-support.ts";

interface Promised {
  /** Turns whose end was acknowledged. */
  readonly saved: Set<string>;
  /** Turns that were appended at all. */
  readonly said: Set<string>;
  /** Texts of changes by their names. */
  readonly texts: Map<string, string>;
  draft: string;
}

const open = (fs: FileSystem, folder: string): Library =>
  createLibrary({ fs, folder, place: "", now: () => Date.now(), arriving: importVisible });

/** Does one thing; a failure is a sentence for people or a bug. */
async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const sentence = error instanceof StoreError || (error instanceof Error && "code" in error);
    assert.ok(sentence, String(error));
    return undefined;
  }
}

/** A short life: two turns, a draft, the text of a change, a rename; closed; opened again; one more turn; the list. */
async function live(
  fs: FileSystem & { heal?: () => void },
  folder: string,
  healBeforeEnd: boolean,
): Promise<Promised> {
  const promised: Promised = { saved: new Set(), said: new Set(), texts: new Map(), draft: "" };
  const library = open(fs, folder);
  const turn = async (journal: Awaited<ReturnType<Library["open"]>>, id: string) => {
    const append = (record: NewRecord, durable: boolean) =>
      attempt(() => journal.append(record, { durable }).then(() => true));
    promised.said.add(id);
    const done = [await append(started(id), true), await append(text(id, `answer ${id}`), false)];
    done.push(await append(ended(id), true));
    if (done.at(-1)) promised.saved.add(id);
  };
  const first = await attempt(() => library.create("c"));
  if (first !== undefined) {
    await turn(first, "1");
    const draft = await attempt(() => first.writeDraft("draft").then(() => "draft"));
    promised.draft = draft ?? "";
    const isKept = await attempt(() => first.changes.put("proposed").then(() => true));
    if (isKept === true) promised.texts.set(hashOf("proposed"), "proposed");
    await turn(first, "2");
    await attempt(() => library.rename("c", "Name"));
    if (healBeforeEnd) {
      fs.heal?.();
      await turn(first, "after");
    }
    await attempt(() => first.close());
  }
  await attempt(() => library.close());
  const second = open(fs, folder);
  const again = await attempt(() => second.open("c"));
  if (again !== undefined && again.readOnly === undefined) {
    await turn(again, "3");
    await attempt(() => again.close());
  }
  await attempt(() => second.list());
  await attempt(() => second.close());
  return promised;
}

async function check(folder: string, promised: Promised, expectAll: boolean, name: string): Promise<void> {
  const library = open(nodeFileSystem, folder);
  try {
    if (promised.saved.size === 0 && !expectAll) return;
    const journal = await library.open("c");
    const whole = journal.records.filter(({ type }) => type === "ended").map((record) => record["turn"]);
    assert.equal(new Set(whole).size, whole.length, `${name}: a turn stands there twice`);
    for (const turn of expectAll ? promised.said : promised.saved)
      assert.ok(whole.includes(turn), `${name}: lost ${turn}`);
    assert.equal(journal.repair, undefined, `${name}: damaged`);
    // A lock that could not be removed keeps others out for the five seconds in which it is seen to be silent.
    assert.notEqual(journal.readOnly?.kind ?? "elsewhere", "damaged", name);
    for (const [hash, content] of promised.texts)
      assert.equal(await journal.changes.get(hash), content, name);
    if (promised.draft !== "") assert.equal(await journal.readDraft(), promised.draft, name);
    await journal.close();
    const listed = await library.list();
    assert.equal(
      listed.find(({ id }) => id === "c")?.turns,
      new Set(journal.records.filter(({ type }) => type === "started").map((record) => record["turn"])).size,
      name,
    );
    const litter = readdirSync(folder, { recursive: true }).filter((entry) =>
      String(entry).includes(".corrupt-"),
    );
    assert.deepEqual(litter, [], name);
  } finally {
    await library.close();
  }
}

async function run(
  failure: Failure | undefined,
  healBeforeEnd: boolean,
): Promise<{ calls: number; failed: number }> {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-fail-"));
  try {
    const fs = failingFileSystem(failure);
    const promised = await live(fs, folder, healBeforeEnd);
    fs.heal();
    await check(
      folder,
      promised,
      healBeforeEnd && promised.said.has("after"),
      JSON.stringify({ failure, failed: fs.failed }),
    );
    return { calls: fs.calls, failed: fs.failed.length };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const codes = ["ENOSPC", "EIO", "EACCES"];
// The short run takes every seventh call in each of the four ways, each way beginning at another.
const long = process.env["PATCHBAY_LONG"] !== undefined;

for (const [name, forGood, half] of [
  ["once", false, false],
  ["once, in the middle of a write", false, true],
  ["from then on", true, false],
  ["from then on, in the middle of a write", true, true],
] as const) {
  test(`the library loses and damages nothing it has saved when any call fails ${name}`, async () => {
    const { calls } = await run(undefined, false);
    for (let at = long ? 1 : 1 + (forGood ? 1 : 0) + (half ? 2 : 0); at <= calls; at += long ? 1 : 7) {
      const tried = long ? codes : [codes[at % codes.length] ?? "EIO"];
      for (const code of tried) await run({ at, code, forGood, half }, false);
    }
  });
}

test("the library saves what the disk refused before, once the disk works again", async () => {
  const { calls } = await run(undefined, true);
  for (let at = 1; at <= calls; at += long ? 1 : 11)
    for (const half of [false, true]) await run({ at, code: "ENOSPC", forGood: true, half }, true);
});
