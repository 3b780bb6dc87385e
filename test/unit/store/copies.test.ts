// Conversations that are copied: branches, bundles, and what of a conversation travels.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { hashOf } from "../../../src/changes/proposal.ts";
import { nodeFileSystem } from "../../../src/store/file-system.ts";
import { encodeRecord, type JournalRecord, type NewRecord } from "../../../src/store/journal-records.ts";
import type { Library } from "../../../src/store/library.ts";
import {
  addConversation,
  addTurn,
  bundleOf,
  collect,
  ended,
  libraryOn,
  logOf,
  onDisk,
  pieces,
  started,
  temporaryFolder,
  text,
} from "./store-support.ts";

test("a branch contains the turns before its place and nothing after it", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  const journal = await library.create("a");
  await journal.append(started("1"), { durable: true });
  await journal.append(ended("1"), { durable: true });
  await journal.append(started("2", "the canary"), { durable: true });
  const id = await library.branch("a", { turn: "2", place: "before" });
  const branch = await library.open(id);
  assert.deepEqual(
    branch.records.map((record) => record["turn"]),
    ["1", "1"],
  );
  assert.equal(onDisk(dirname(logOf(folder, id))).includes("canary"), false);
  await addTurn(branch, "2b");
  await library.remove("a");
  assert.equal((await branch.read(() => true)).filter(({ type }) => type === "ended").length, 2);
});

test("a journal that has lost its head loses nothing else when it is branched or exported", async (t) => {
  const folder = temporaryFolder(t);
  const first = libraryOn(folder);
  await addConversation(first, "a", "1", "2");
  await first.close();
  const log = logOf(folder, "a");
  const lines = readFileSync(log, "utf8").split("\n");
  for (const broken of ["", "broken\n"]) {
    writeFileSync(log, broken + lines.slice(1).join("\n"));
    const library = libraryOn(folder);
    const bundle = await exported(library, "a", true);
    const branch = await library.open(await library.branch("a", { turn: "1", place: "after" }));
    assert.equal(branch.readOnly, undefined);
    assert.deepEqual(said(branch), [started("1"), text("1", "Answer 1"), ended("1")]);
    const there = libraryOn(temporaryFolder(t));
    const imported = await there.open(await there.importBundle(pieces(bundle)));
    const seen = imported.records.flatMap(({ type, ...fields }) => (type === "text" ? fields["delta"] : []));
    assert.deepEqual(seen, ["Answer 1", "Answer 2"]);
    assert.equal(imported.records[0]?.type, "started");
    await library.close();
  }
});

test("a branch omits cut turns and keeps the opened record", async (t) => {
  const library = libraryOn(temporaryFolder(t));
  const journal = await library.create("a");
  await addTurn(journal, "1");
  await addTurn(journal, "2");
  await journal.append({ type: "cut", turn: "2", at: 1 }, { durable: true });
  await addTurn(journal, "3");
  await journal.append({ type: "opened", instructions: "later" }, { durable: true });
  const turnsOf = async (place: "before" | "after", turn: string) => {
    const branch = await library.open(await library.branch("a", { turn, place }));
    return branch.records.map(({ type, ...fields }) => (type === "opened" ? type : fields["turn"]));
  };
  assert.deepEqual(await turnsOf("after", "1"), ["1", "1", "1", "opened"]);
  assert.deepEqual(await turnsOf("before", "3"), ["1", "1", "1", "opened"]);
  assert.deepEqual(await turnsOf("after", "3"), ["1", "1", "1", "3", "3", "3", "opened"]);
  await assert.rejects(turnsOf("before", "2"), /no longer exists/);
});

test("search and export omit cut turns that are still on disk", async (t) => {
  const library = libraryOn(temporaryFolder(t));
  const journal = await library.create("a");
  await addTurn(journal, "1", "a canary");
  await addTurn(journal, "2", "a canary");
  await journal.append({ type: "cut", turn: "2", at: 1 }, { durable: true });
  const hits = await collect(library.search("canary", new AbortController().signal));
  assert.deepEqual(
    hits.map(({ turn }) => turn),
    ["1"],
  );
  assert.equal((await exported(library, "a", true)).toString().split("canary").length, 2);
});

test("a bundle contains no path of this machine and joins the workspace that imports it", async (t) => {
  const here = libraryOn(temporaryFolder(t), nodeFileSystem, "file:///home/somebody/work");
  await addConversation(here, "a", "1");
  const branch = await here.branch("a", { turn: "1", place: "after" });
  const bundle = await exported(here, branch, true);
  assert.equal(bundle.includes("somebody"), false);
  const there = libraryOn(temporaryFolder(t), nodeFileSystem, "file:///there");
  const id = await there.importBundle(pieces(bundle));
  const [summary] = await there.list();
  assert.equal(summary?.id, id);
  assert.equal(summary.place, "file:///there");
  assert.equal(summary.branchOf, undefined);
});

async function exported(library: Library, id: string, reasoning: boolean): Promise<Buffer> {
  return Buffer.concat(await collect(library.exportBundle(id, { reasoning })));
}

async function addThoughtfulTurn(library: Library): Promise<void> {
  const journal = await library.create("a");
  await journal.append(started("1"), { durable: true });
  const thought = { type: "reasoning", turn: "1", part: "r" };
  await journal.append({ ...thought, delta: "secret thought" }, { durable: false });
  await journal.append({ ...thought, type: "replaced", text: "secret thought" }, { durable: false });
  const items = ['{"type":"reasoning","encrypted_content":"secret cipher"}', '{"type":"message"}'];
  await journal.append({ type: "replay", items }, { durable: false });
  await journal.changes.put("secret file");
  await journal.changes.write("secret patch", true);
  await journal.append(ended("1"), { durable: true });
  await journal.close();
}

/** Without what only the store knows. */
const said = ({ records }: { readonly records: readonly JournalRecord[] }) =>
  records.map(({ seq: _, ...record }) => record);

const chip = { kind: "imported", label: "Imported", bytes: 0 };

test("importBundle restores exactly what the transcript shows", async (t) => {
  const library = libraryOn(temporaryFolder(t));
  await addThoughtfulTurn(library);
  await library.rename("a", "Thoughts");
  const bundle = await exported(library, "a", true);
  for (const size of [1, 1000]) {
    const elsewhere = libraryOn(temporaryFolder(t));
    const id = await elsewhere.importBundle(pieces(bundle, size));
    const there = await elsewhere.open(id);
    const thought = { turn: "1", part: "r" };
    assert.deepEqual(said(there), [
      { ...started("1"), attachments: [chip] },
      { type: "replay", turn: "1", items: ['{"type":"message","role":"user","content":"Question 1"}'] },
      { type: "reasoning", ...thought, delta: "secret thought" },
      { type: "replaced", ...thought, text: "secret thought" },
      ended("1"),
    ]);
    assert.equal(there.summary.title, "Thoughts");
    assert.equal(await there.changes.read(), "");
    assert.equal(await there.changes.get(hashOf("secret file")), undefined);
  }
});

test("a bundle without reasoning contains no reasoning, encrypted or not, and no files of the user", async (t) => {
  const library = libraryOn(temporaryFolder(t));
  await addThoughtfulTurn(library);
  const bundle = (await exported(library, "a", false)).toString("latin1");
  assert.equal(bundle.includes("secret"), false);
  assert.equal(bundle.includes(Buffer.from("secret file").toString("base64")), false);
  assert.ok(bundle.includes("message"));
});

test("importBundle refuses an incomplete or damaged bundle and leaves no files", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  await addThoughtfulTurn(library);
  const bundle = await exported(library, "a", true);
  const changed = Buffer.from(bundle);
  changed[bundle.length >> 1] = 0;
  const withoutEnd = bundle.subarray(0, bundle.lastIndexOf('{"seq"'));
  const newer = encodeRecord(0, { type: "store-head", version: 9 });
  const cutAtLine = bundle.subarray(0, bundle.indexOf('"type":"ended"') - 8);
  for (const [bytes, sentence] of [
    [cutAtLine, /damaged/],
    [Buffer.from("Dear diary\n"), /not an exported/],
    [Buffer.alloc(0), /not an exported/],
    [bundle.subarray(0, -5), /damaged/],
    [changed, /damaged/],
    [withoutEnd, /damaged/],
    [newer, /newer version/],
  ] as const)
    await assert.rejects(library.importBundle(pieces(bytes)), sentence);
  assert.deepEqual(readdirSync(join(folder, "conversations")), ["a"]);
});

test("importBundle drops instructions, tools, choices, raw items and drafts", async (t) => {
  const library = libraryOn(temporaryFolder(t));
  const message = (role: string) => `{"type":"message","role":"${role}","content":"canary"}`;
  const opened = {
    type: "opened",
    at: 1,
    instructions: "canary",
    cacheId: "canary",
  };
  const hidden: NewRecord[] = [
    {
      type: "choices",
      at: 1,
      webSearch: true,
      cacheTier: "1h",
      outputLimit: 1,
      tools: { "mcp/canary": "auto" },
    },
    { type: "attached", at: 1, wishes: [{ kind: "file", path: "canary.ts" }] },
    { ...opened, tools: ['{"type":"function","name":"canary"}', '{"type":"web_search"}'] },
    { type: "simplified", at: 1, form: "plain" },
    ...["system", "developer", "user", "assistant"].map((role) => ({
      ...{ type: "replay", turn: "1", items: [message(role)] },
    })),
    { type: "replay", turn: "1", items: ['{"type":"message"}],"instructions":"canary","x":[{}'] },
    { type: "unheard-of", turn: "1", text: "canary" },
    { ...text("9", "canary of a turn that never began") },
    { ...started("2", "canary while another turn runs") },
    { ...text("1", "seen"), canary: "canary" },
  ];
  const bytes = bundleOf(
    { type: "store-head", version: 1, canary: "canary" },
    started("1"),
    ...hidden,
    ended("1"),
  );
  const id = await library.importBundle(pieces(bytes));
  const journal = await library.open(id);
  assert.deepEqual(said(journal), [
    { ...started("1"), attachments: [chip] },
    { type: "replay", turn: "1", items: ['{"type":"message","role":"user","content":"Question 1"}'] },
    text("1", "seen"),
    {
      ...{ type: "replay", turn: "1" },
      items: ['{"type":"message","role":"assistant","content":[{"type":"output_text","text":"seen"}]}'],
    },
    ended("1"),
  ]);
  await journal.close();
});

test("importBundle escapes hidden characters, also across two deltas, and keeps those within emoji", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  const records: NewRecord[] = [
    { type: "store-head", version: 1 },
    { type: "store-title", title: "a\u202eb" },
    started("1", "hi\u200b\u{e0041}\u001b[2K"),
    text("1", "👩"),
    text("1", "\u200d👧 x\u200d"),
    text("1", "y\ue000\u2028"),
    ended("1"),
  ];
  const id = await library.importBundle(pieces(bundleOf(...records)));
  const journal = await library.open(id);
  assert.equal(journal.summary.title, "a\\u{202E}b");
  assert.equal(journal.records[0]?.["prompt"], "hi\\u{200B}\\u{E0041}\\u{001B}[2K");
  assert.equal(journal.records[2]?.["delta"], "👩\u200d👧 x\\u{200D}y\ue000\\u{2028}");
  await journal.close();
  assert.doesNotMatch(readFileSync(logOf(folder, id), "utf8"), /[\u202e\u200b\u2028\u{e0041}]/u);
});

test("a branch of an imported conversation has the same records and the imported chip", async (t) => {
  const library = libraryOn(temporaryFolder(t));
  const head = { type: "store-head", version: 1 };
  const bytes = bundleOf(head, started("1"), text("1", "One."), ended("1"), started("2"), ended("2"));
  const id = await library.importBundle(pieces(bytes));
  const branch = await library.open(await library.branch(id, { turn: "1", place: "after" }));
  const whole = await library.open(id);
  assert.deepEqual(said(branch), said(whole).slice(0, 5));
  assert.deepEqual(branch.records[0]?.["attachments"], [chip]);
  await branch.close();
  await whole.close();
});

test("importBundle uses only the first head and shortens a long title", async (t) => {
  const library = libraryOn(temporaryFolder(t));
  const records: NewRecord[] = [
    { type: "store-head", version: 1 },
    { type: "store-head", version: 99, place: "/home/ann", at: 7 },
    { type: "store-title", title: `Title\n${"x".repeat(100_000)}` },
    started("1"),
    ended("1"),
  ];
  const bytes = bundleOf(...records);
  const id = await library.importBundle(pieces(bytes));
  const summary = await library.find(id);
  assert.ok((summary?.title.length ?? 0) <= 201, `${summary?.title.length} letters`);
  assert.doesNotMatch(summary?.title ?? "", /\n/);
  assert.equal(summary?.place, "");
  const journal = await library.open(id);
  assert.equal(journal.readOnly, undefined, "it can be gone on with");
  await journal.close();
});

test("exportBundle numbers all lines in sequence", async (t) => {
  const library = libraryOn(temporaryFolder(t));
  await addConversation(library, "a", "2", "3");
  const lines = (await exported(library, "a", true)).toString("utf8").trimEnd().split("\n");
  const numbers = lines.map((line) => (JSON.parse(line) as { seq: number }).seq);
  assert.deepEqual(numbers, [...numbers.keys()]);
});
