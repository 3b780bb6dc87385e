import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { nodeFileSystem } from "../../../../src/core/store/file-system.ts";
import {
  addConversation,
  addTurn,
  collect,
  ended,
  libraryOn,
  logOf,
  started,
  temporaryFolder,
  text,
} from "./store-support.ts";

test("a window goes on with the latest conversation of its own workspace, sent or only typed", async (t) => {
  const folder = temporaryFolder(t);
  const here = libraryOn(folder, nodeFileSystem, "file:///here");
  const there = libraryOn(folder, nodeFileSystem, "file:///there");
  await addConversation(here, "asked-here", "1");
  await addConversation(there, "asked-there", "1");
  const typed = await there.create("typed-there");
  await typed.writeDraft("And then");
  await typed.close();
  assert.equal(await here.latest(), "asked-here");
  const places = (await here.list()).map(({ id, place }) => [id, place]);
  assert.deepEqual(Object.fromEntries(places), {
    "asked-here": "file:///here",
    "asked-there": "file:///there",
    "typed-there": "file:///there",
  });
});

test("a branch says which conversation it came from", async (t) => {
  const library = libraryOn(temporaryFolder(t));
  await addConversation(library, "trunk", "1", "2");
  const branch = await library.branch("trunk", { turn: "2", place: "before" });
  assert.equal((await library.list()).find(({ id }) => id === branch)?.branchOf, "trunk");
});

test("the list shows title, turns, model and times, newest first", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  const old = await library.create("old");
  await old.append(started("1", "  \n\nWhat   is\tthis?\nIt breaks."), { durable: true });
  await old.append(ended("1", 5000), { durable: true });
  const fresh = await library.create("fresh");
  await fresh.append(started("1", `Please ${"explain ".repeat(30)}`), { durable: true });
  await fresh.append(ended("1", 6000), { durable: true });
  const listed = await library.list();
  assert.deepEqual(
    listed.map(({ id, turns, model, updatedAt }) => ({ id, turns, model, updatedAt })),
    [
      { id: "fresh", turns: 1, model: "svc-k3", updatedAt: 6000 },
      { id: "old", turns: 1, model: "svc-k3", updatedAt: 5000 },
    ],
  );
  assert.equal(listed[1]?.title, "What is this?");
  assert.match(listed[0]?.title ?? "", /^Please (explain ){4,}explain…$/);
});

test("the list is the same without its index, with a stale one and with a broken one", async (t) => {
  const folder = temporaryFolder(t);
  await addConversation(libraryOn(folder), "a", "1", "2");
  await addConversation(libraryOn(folder), "b", "1");
  const expected = await libraryOn(folder).list();
  const index = join(folder, "index.json");
  const stale = readFileSync(index);
  for (const content of [undefined, "", "null", '{"version":1,"entries":{"a":7}}', '{"version":1}']) {
    if (content === undefined) rmSync(index);
    else writeFileSync(index, content);
    assert.deepEqual(await libraryOn(folder).list(), expected);
  }
  await addConversation(libraryOn(folder), "a2", "1");
  writeFileSync(index, stale);
  assert.equal((await libraryOn(folder).list()).length, 3);
});

test("an index of a newer version is left alone", async (t) => {
  const folder = temporaryFolder(t);
  const older = libraryOn(folder);
  await addConversation(older, "a", "1");
  await older.close();
  const newer = '{"version":99,"better":true}';
  writeFileSync(join(folder, "index.json"), newer);
  const library = libraryOn(folder);
  assert.equal((await library.list()).length, 1);
  await library.rename("a", "Other");
  assert.equal(readFileSync(join(folder, "index.json"), "utf8"), newer);
});

test("a damaged conversation stays in the list and harms no other", async (t) => {
  const folder = temporaryFolder(t);
  for (const id of ["a", "b"]) await addConversation(libraryOn(folder), id, "1");
  writeFileSync(logOf(folder, "a"), Buffer.alloc(100));
  const listed = await libraryOn(folder).list();
  assert.deepEqual(listed.map(({ id, damaged }) => [id, damaged]).sort(), [
    ["a", true],
    ["b", false],
  ]);
});

test("a list asked for while turns run counts only what is on disk, and catches up", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  const other = libraryOn(folder);
  const journal = await library.create("a");
  for (let turn = 1; turn <= 5; turn += 1) {
    await addTurn(journal, String(turn));
    assert.equal((await other.list())[0]?.turns, turn);
    assert.equal((await library.list())[0]?.turns, turn);
  }
});

test("what one window does is told to the other", async (t) => {
  const folder = temporaryFolder(t);
  const here = libraryOn(folder);
  await addConversation(here, "a", "1");
  t.mock.timers.enable({ apis: ["setInterval"] });
  const there = libraryOn(folder);
  await there.list();
  const told = new Promise<void>((resolve) => there.onDidChange(resolve));
  await here.rename("a", "Renamed");
  t.mock.timers.tick(1000);
  await told;
  assert.equal((await there.list())[0]?.title, "Renamed");
});

test("renaming and archiving survive, and an archived one is not the latest", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  await addConversation(library, "a", "1");
  await library.rename("a", "A better name");
  await library.archive("a", true);
  const [summary] = await libraryOn(folder).list();
  assert.equal(summary?.title, "A better name");
  assert.equal(summary?.archived, true);
  assert.equal(await libraryOn(folder).latest(), undefined);
  await library.archive("a", false);
  assert.equal(await libraryOn(folder).latest(), "a");
});

test("a question that was never sent is found again by its draft, or by what is attached to it", async (t) => {
  const folder = temporaryFolder(t);
  const journal = await libraryOn(folder).create("a");
  await journal.writeDraft("Not sent yet");
  const second = libraryOn(folder);
  assert.equal(await second.latest(), "a");
  const again = await second.open("a");
  assert.equal(await again.readDraft(), "Not sent yet");
  await again.writeAttached("A list");
  await again.writeDraft("");
  const third = libraryOn(folder);
  assert.equal(await third.latest(), "a");
  const last = await third.open("a");
  assert.equal(await last.readAttached(), "A list");
  assert.equal(await last.readDraft(), "");
  await last.writeAttached("");
  assert.deepEqual(await libraryOn(folder).list(), []);
});

test("an id is a name, never a path", async (t) => {
  const library = libraryOn(temporaryFolder(t));
  for (const id of ["..", "a/b", "a\\b", "", ".gone-1", "-", "a".repeat(65)])
    await assert.rejects(async () => library.open(id), /not the name/);
  await assert.rejects(library.open("missing"), /no longer exists/);
});

test("search finds what deltas spell together, in either case, across line breaks, once per turn", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  const journal = await library.create("a");
  await journal.append(started("1", "How?"), { durable: true });
  for (const delta of ["Use the Wag", "tail\n  Scan", "ner. The wagtail scanner."])
    await journal.append(text("1", delta), { durable: false });
  await journal.append(text("1", "wagtail scanner", "b"), { durable: false });
  await journal.append({ type: "replaced", turn: "1", part: "b", text: "corrected" }, { durable: false });
  await journal.append(ended("1"), { durable: true });
  const hits = await collect(library.search("WAGTAIL scanner", AbortSignal.timeout(10_000)));
  assert.equal(hits.length, 1);
  const [hit] = hits;
  assert.equal(hit?.excerpt.slice(hit.start, hit.start + hit.length), "Wagtail Scanner");
  assert.equal(hit?.turn, "1");
  assert.equal((await collect(library.search("corrected", AbortSignal.timeout(10_000)))).length, 1);
  for (const nothing of ["wag.ail", "(", " ", "ö"])
    assert.deepEqual(await collect(library.search(nothing, AbortSignal.timeout(10_000))), []);
});

test("what stands between words for a pattern is searched as it is written", async (t) => {
  const library = libraryOn(temporaryFolder(t));
  const journal = await library.create("a");
  await journal.append(started("1", "Is the well-known file-3f2a/b_c (2026-11-21) used?"), { durable: true });
  for (const words of ["well-known", "file-3f2a/b_c", "(2026-11-21)", "used?"])
    assert.equal((await collect(library.search(words, AbortSignal.timeout(10_000)))).length, 1, words);
});

test("a search that is called off stops", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  for (const id of ["a", "b", "c"]) await addConversation(library, id, "1");
  const off = new AbortController();
  let hits = 0;
  for await (const _ of library.search("Question", off.signal)) {
    hits += 1;
    off.abort();
  }
  assert.equal(hits, 1);
});
