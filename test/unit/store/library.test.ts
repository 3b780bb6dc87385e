import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { titleFrom } from "../../../src/store/conversation-summary.ts";
import { sealed } from "../../../src/store/documents.ts";
import { type FileSystem, nodeFileSystem } from "../../../src/store/file-system.ts";
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

test("library.latest returns the latest conversation of its own workspace", async (t) => {
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

test("a branch is listed with the conversation it came from", async (t) => {
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

test("an index of a newer version is not overwritten", async (t) => {
  const folder = temporaryFolder(t);
  const older = libraryOn(folder);
  await addConversation(older, "a", "1");
  await older.close();
  const newer = sealed({ version: 99, better: true });
  writeFileSync(join(folder, "index.json"), newer);
  const library = libraryOn(folder);
  assert.equal((await library.list()).length, 1);
  await library.rename("a", "Other");
  assert.equal(readFileSync(join(folder, "index.json"), "utf8"), newer);
});

test("a damaged conversation stays in the list and affects no other", async (t) => {
  const folder = temporaryFolder(t);
  for (const id of ["a", "b"]) await addConversation(libraryOn(folder), id, "1");
  writeFileSync(logOf(folder, "a"), Buffer.alloc(100));
  const listed = await libraryOn(folder).list();
  assert.deepEqual(listed.map(({ id, damaged }) => [id, damaged]).sort(), [
    ["a", true],
    ["b", false],
  ]);
});

test("the list counts only turns on disk and is up to date after each turn", async (t) => {
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

test("a change in one window is reported to the other", async (t) => {
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

test("a rename and the archived state persist, and an archived conversation is not the latest", async (t) => {
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

test("library.rename checks only the file of its own conversation", async (t) => {
  const folder = temporaryFolder(t);
  const looked: string[] = [];
  const stat: FileSystem["stat"] = (path) => {
    looked.push(path);
    return nodeFileSystem.stat(path);
  };
  const library = libraryOn(folder, { ...nodeFileSystem, stat });
  for (const id of ["a", "b"]) await addConversation(library, id, "1");
  await library.rename("a", "A better name");
  looked.length = 0;
  await library.rename("b", "Another name");
  assert.deepEqual(
    ["a", "b"].map((id) => looked.includes(logOf(folder, id))),
    [false, true],
  );
});

test("a conversation with an unsent draft or attachments is listed until both are empty", async (t) => {
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

test("unsent conversations take their first words as title, which the index does not store", async (t) => {
  const folder = temporaryFolder(t);
  for (const [id, words] of [
    ["a", "\n  Why is   the build slow?\nIt takes minutes."],
    ["b", "Rename the parser"],
  ] as const) {
    const journal = await libraryOn(folder).create(id);
    await journal.writeDraft(words);
    await journal.close();
  }
  const titles = async () =>
    Object.fromEntries((await libraryOn(folder).list()).map(({ id, title }) => [id, title]));
  assert.deepEqual(await titles(), { a: "Why is the build slow?", b: "Rename the parser" });
  assert.deepEqual(
    await titles(),
    { a: "Why is the build slow?", b: "Rename the parser" },
    "also a second time",
  );
  assert.doesNotMatch(readFileSync(join(folder, "index.json"), "utf8"), /build|parser/);
});

test("a draft without words takes its title from sent questions, then from attachments", async (t) => {
  const folder = temporaryFolder(t);
  const attached = JSON.stringify([
    { kind: "file", path: "src/cart.ts" },
    { kind: "text", name: "Pasted text", text: "x" },
  ]);
  const sent = JSON.stringify([{ turn: "t", words: "Why is it slow?", attached: [] }]);
  for (const [id, waiting] of [
    ["a", { attached }],
    ["b", { attached, sent }],
    ["c", { attached: "no JSON" }],
  ] as const) {
    const journal = await libraryOn(folder).create(id);
    await journal.writeAttached(waiting.attached);
    if ("sent" in waiting) await journal.writeSent(waiting.sent);
    await journal.close();
  }
  const titles = (await libraryOn(folder).list()).map(({ id, title }) => [id, title]).sort();
  assert.deepEqual(titles, [
    ["a", "cart.ts, Pasted text"],
    ["b", "Why is it slow?"],
    ["c", ""],
  ]);
});

test("a conversation id is a name, never a path", async (t) => {
  const library = libraryOn(temporaryFolder(t));
  for (const id of ["..", "a/b", "a\\b", "", ".gone-1", "-", "a".repeat(65)])
    await assert.rejects(async () => library.open(id), /not the name/);
  await assert.rejects(library.open("missing"), /no longer exists/);
});

test("search finds text across deltas, case and line breaks, once per turn", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  const journal = await library.create("a");
  await journal.append(started("1", "How?"), { durable: true });
  for (const delta of ["Use the Wag", "tail\n  Scan", "ner. The wagtail scanner."])
    await journal.append(text("1", delta), { durable: false });
  await journal.append(text("1", "wagtail scanner", "b"), { durable: false });
  await journal.append({ type: "replaced", turn: "1", part: "b", text: "corrected" }, { durable: false });
  await journal.append(ended("1"), { durable: true });
  const hits = await collect(library.search("WAGTAIL scanner", new AbortController().signal));
  assert.equal(hits.length, 1);
  const [hit] = hits;
  assert.equal(hit?.excerpt.slice(hit.start, hit.start + hit.length), "Wagtail Scanner");
  assert.equal(hit?.turn, "1");
  assert.equal((await collect(library.search("corrected", new AbortController().signal))).length, 1);
  for (const nothing of ["wag.ail", "(", " ", "ö"])
    assert.deepEqual(await collect(library.search(nothing, new AbortController().signal)), []);
});

test("search treats the special characters of patterns as text", async (t) => {
  const library = libraryOn(temporaryFolder(t));
  const journal = await library.create("a");
  await journal.append(started("1", "Is the well-known file-3f2a/b_c (2026-11-21) used?"), { durable: true });
  for (const words of ["well-known", "file-3f2a/b_c", "(2026-11-21)", "used?"])
    assert.equal((await collect(library.search(words, new AbortController().signal))).length, 1, words);
});

test("an aborted search stops", async (t) => {
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

test("titleFrom names a slash command and its file, which shortening keeps", () => {
  const deep = "packages/checkout/src/features/basket/internal";
  const wrong = "Type 'string' is not assignable to type 'number' in what this returns to its caller";
  assert.equal(titleFrom(`/explain ${deep}/cart.ts:10–16`), "Explain cart.ts:10–16");
  assert.equal(titleFrom("/refactor my cart.ts:3"), "Refactor my cart.ts:3");
  const [one, other] = ["a.ts:1", "b.ts:2"].map((place) => titleFrom(`/fix ${wrong} (${deep}/${place})`));
  assert.match(one ?? "", /^Fix a\.ts:1: Type 'string' .*…$/);
  assert.match(other ?? "", /^Fix b\.ts:2: Type 'string' .*…$/);
  assert.equal(titleFrom("/tests"), "Tests");
  assert.equal(titleFrom("/why is it (so)?"), "Why is it (so)?");
  assert.equal(titleFrom("What is /etc for?"), "What is /etc for?");
});
