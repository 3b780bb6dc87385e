// The rows of the fault matrix that are about storage and about windows, each under its number. Row 67 has a file of
// its own (kill.test.ts), the rest of 61–75 needs an editor and is tested in one.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createServiceClient } from "../../../../src/core/api/service-client.ts";
import { type Assistant, createAssistant } from "../../../../src/core/assistant.ts";
import type { ConversationEvent } from "../../../../src/core/conversation/events.ts";
import { defaultConversationSettings } from "../../../../src/core/conversation-settings.ts";
import { shelfOf } from "../../../../src/core/conversation-shelf.ts";
import { type FileSystem, nodeFileSystem } from "../../../../src/core/store/file-system.ts";
import type { Library } from "../../../../src/core/store/library.ts";
import { WriterLock } from "../../../../src/core/store/lock.ts";
import { encodeRecord } from "../../../../src/core/store/record-line.ts";
import { replaceText } from "../../../../src/core/store/replace-file.ts";
import { silentLog } from "../../../../src/core/util/log.ts";
import { noWorkspace } from "../../../../src/core/workspace.ts";
import { drip, holdBefore } from "../../../sim/faults.ts";
import { text } from "../../../sim/script.ts";
import { type Simulator, startSimulator } from "../../../sim/simulator.ts";
import { addTurn, libraryOn, logOf, started, temporaryFolder } from "./store-support.ts";

interface Window {
  readonly sim: Simulator;
  readonly assistant: Assistant;
  readonly events: ConversationEvent[];
  readonly errors: string[];
  /** Resolves with the first event of this kind that comes from now on. */
  next(type: ConversationEvent["type"]): Promise<void>;
}

interface WindowOptions {
  readonly folder: string;
  readonly sim: Simulator;
  readonly fs: FileSystem;
  now(): number;
}

async function openWindow(t: TestContext, options: Partial<WindowOptions> = {}): Promise<Window> {
  const { folder = temporaryFolder(t), fs = nodeFileSystem, now = Date.now } = options;
  const sim = options.sim ?? (await startSimulator());
  const events: ConversationEvent[] = [];
  const errors: string[] = [];
  const client = createServiceClient({
    connection: async () => ({ baseUrl: sim.url, key: sim.key }),
    settings: () => ({}),
    log: silentLog,
    wait: async () => {},
  });
  const assistant = await createAssistant({
    ...{ client, shelf: shelfOf(libraryOn(folder, fs)), workspace: noWorkspace, now, newId: randomUUID },
    settings: () => defaultConversationSettings,
    log: { ...silentLog, error: (message, cause) => void errors.push(`${message} ${String(cause)}`) },
    defaultModel: () => "svc-k3",
  });
  assistant.onEvent((event) => events.push(event));
  t.after(async () => {
    await assistant.close().catch(() => undefined);
    client.dispose();
    await sim.close();
  });
  const next = (type: ConversationEvent["type"]) =>
    new Promise<void>((resolve) => {
      const listening = assistant.onEvent((event) => {
        if (event.type !== type) return;
        listening.dispose();
        resolve();
      });
    });
  return { sim, assistant, events, errors, next };
}

const words = (assistant: Assistant) =>
  assistant.conversation.turns.map(({ prompt, status, parts }) => [
    prompt,
    status,
    parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
  ]);

test("row 61: Stop at twenty moments of an answer: one outcome, and what was seen is what is kept", async (t) => {
  const folder = temporaryFolder(t);
  const window = await openWindow(t, { folder });
  const { sim, assistant, events } = window;
  const answer = Array.from({ length: 60 }, (_, at) => `word${at} `).join("");
  for (let moment = 0; moment < 20; moment += 1) {
    sim.reply(text(answer), drip(200, 1));
    events.length = 0;
    let seen = 0;
    const listening = assistant.onEvent(({ type }) => {
      if (type === "text" || moment === 0) seen += 1;
      if (seen === Math.max(1, moment)) assistant.stop();
    });
    const turn = await assistant.send({ prompt: `Question ${moment}` });
    listening.dispose();
    assert.equal(events.filter(({ type }) => type === "ended").length, 1);
    assert.equal(events.at(-1)?.type, "ended");
    assert.ok(turn?.status === "stopped" || turn?.status === "done", turn?.status);
    const shown = events.map((event) => (event.type === "text" ? event.delta : "")).join("");
    assert.ok(answer.startsWith(shown));
  }
  const before = words(assistant);
  await assistant.close();
  const again = await openWindow(t, { folder, sim });
  assert.deepEqual(words(again.assistant), before);
});

test("row 62: Stop in the same tick as the end has one outcome", async (t) => {
  const { sim, assistant, events } = await openWindow(t);
  sim.reply(text("All of it."));
  assistant.onEvent(({ type }) => {
    if (type === "usage" || type === "ended") assistant.stop();
  });
  await assistant.send({ prompt: "Question" });
  assert.equal(events.filter(({ type }) => type === "ended").length, 1);
  assert.equal(words(assistant)[0]?.[2], "All of it.");
});

test("row 63: a question asked while an answer comes waits for it, and both are kept", async (t) => {
  const folder = temporaryFolder(t);
  const { sim, assistant } = await openWindow(t, { folder });
  sim.reply(text("First answer."));
  sim.reply(text("Second answer."));
  await Promise.all([assistant.send({ prompt: "First" }), assistant.send({ prompt: "Second" })]);
  await assistant.close();
  const again = await openWindow(t, { folder, sim });
  assert.deepEqual(words(again.assistant), [
    ["First", "done", "First answer."],
    ["Second", "done", "Second answer."],
  ]);
});

test("row 66: a window that closes in the middle of an answer: interrupted, with what was seen and the draft", async (t) => {
  const folder = temporaryFolder(t);
  const { sim, assistant, next } = await openWindow(t, { folder });
  const held = holdBefore(8);
  sim.reply(text("The beginning of an answer that never ends."), held);
  const seen = next("text");
  const turn = assistant.send({ prompt: "Question" });
  await seen;
  assistant.setDraft("half a thou");
  await assistant.close();
  held.release();
  await turn;
  const [, , shown = ""] = words(assistant)[0] ?? [];
  const again = await openWindow(t, { folder, sim });
  assert.deepEqual(words(again.assistant), [["Question", "interrupted", shown]]);
  assert.equal(again.assistant.draft, "half a thou");
});

test("row 68: a clock that jumps an hour, forth and back, moves no turn and loses no lock", async (t) => {
  const folder = temporaryFolder(t);
  const jumps = [0, 3_600_000, -3_600_000, 0];
  let clock = 1_700_000_000_000;
  const { sim, assistant, errors } = await openWindow(t, { folder, now: () => clock });
  for (const [number, jump] of jumps.entries()) {
    clock += jump;
    sim.reply(text(`Answer ${number}`));
    await assistant.send({ prompt: `Question ${number}` });
  }
  await assistant.close();
  assert.deepEqual(errors, []);
  const again = await openWindow(t, { folder, sim });
  assert.deepEqual(
    words(again.assistant).map(([prompt]) => prompt),
    ["Question 0", "Question 1", "Question 2", "Question 3"],
  );
});

test("row 70: three windows with one conversation: the lists agree, and each turn is there once", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const folder = temporaryFolder(t);
  const windows = [libraryOn(folder), libraryOn(folder), libraryOn(folder)] as const;
  const writer = await windows[0].create("c");
  await addTurn(writer, "1");
  const told = windows
    .slice(1)
    .map((library) => new Promise<void>((resolve) => library.onDidChange(resolve)));
  await Promise.all(windows.map((library) => library.list()));
  const readers = await Promise.all(windows.slice(1).map((library) => library.open("c")));
  assert.deepEqual(
    readers.map(({ readOnly }) => readOnly?.kind),
    ["elsewhere", "elsewhere"],
  );
  await addTurn(writer, "2");
  await windows[0].rename("c", "Named");
  t.mock.timers.tick(1000);
  await Promise.all(told);
  for (const library of windows)
    assert.deepEqual(
      (await library.list()).map(({ title, turns }) => [title, turns]),
      [["Named", 2]],
    );
  await writer.close();
  const promoted = new Promise<void>((resolve) => {
    for (const reader of readers) reader.onDidChange(({ type }) => type === "state" && resolve());
  });
  t.mock.timers.tick(1000);
  await promoted;
  const next = readers.find(({ readOnly }) => readOnly === undefined);
  assert.ok(next);
  await addTurn(next, "3");
  const ends = await next.read((type) => type === "ended");
  assert.deepEqual(
    ends.map((record) => record["turn"]),
    ["1", "2", "3"],
  );
});

test("row 73: opening and closing a conversation leaves no timer, handle or listener behind", async (t) => {
  const folder = temporaryFolder(t);
  await addTurn(await libraryOn(folder).create("c"), "1");
  const library = libraryOn(temporaryFolder(t));
  const cycle = async () => {
    const journal = await library.create("c");
    const listening = [journal.onDidChange(() => {}), library.onDidChange(() => {})];
    await addTurn(journal, "1");
    for (const each of listening) each.dispose();
    await journal.close();
  };
  await cycle();
  const before = process.getActiveResourcesInfo().length;
  for (let count = 0; count < 100; count += 1) await cycle();
  await setImmediate();
  assert.ok(process.getActiveResourcesInfo().length <= before);
});

const refusing = (code: string): FileSystem => {
  const refuse = () => Promise.reject(Object.assign(new Error(code), { code }));
  return {
    ...nodeFileSystem,
    makeFolder: refuse,
    rename: refuse,
    open: (path, mode) => (mode === "read" ? nodeFileSystem.open(path, mode) : refuse()),
  };
};

for (const [row, code, sentence] of [
  [76, "ENOSPC", /History is not being saved: the disk is full/],
  [77, "EROFS", /History is not being saved: its folder refuses access/],
  [77, "EACCES", /History is not being saved: its folder refuses access/],
] as const)
  test(`row ${row}: storage that answers ${code}: the conversation goes on, and it is said why it is not saved`, async (t) => {
    const folder = temporaryFolder(t);
    const first = await openWindow(t, { folder });
    first.sim.reply(text("Saved."));
    await first.assistant.send({ prompt: "Before" });
    const id = first.assistant.conversation.id;
    await first.assistant.close();
    const kept = readFileSync(logOf(folder, id));
    const { sim, assistant, errors } = await openWindow(t, { folder, sim: first.sim, fs: refusing(code) });
    sim.reply(text("Only here."));
    await assistant.send({ prompt: "After" });
    assert.deepEqual(words(assistant), [
      ["Before", "done", "Saved."],
      ["After", "done", "Only here."],
    ]);
    assert.match(errors.join("\n"), sentence);
    assert.deepEqual(readFileSync(logOf(folder, id)), kept);
  });

for (const [what, spoil] of [
  ["truncated in the middle of a line", (bytes: Buffer) => bytes.subarray(0, bytes.length - 40)],
  ["emptied", () => Buffer.alloc(0)],
  ["filled with zeros", (bytes: Buffer) => Buffer.alloc(bytes.length)],
  ["filled with bad UTF-8", (bytes: Buffer) => Buffer.alloc(bytes.length, 0xc3)],
  [
    "zeroed in its second half",
    (bytes: Buffer) => Buffer.concat([bytes.subarray(0, bytes.length >> 1), Buffer.alloc(bytes.length >> 1)]),
  ],
] as const)
  test(`row 78: a journal that was ${what} is repaired, its bytes are kept, and no other is touched`, async (t) => {
    const folder = temporaryFolder(t);
    const library = libraryOn(folder);
    for (const id of ["mine", "other"]) {
      const journal = await library.create(id);
      for (const turn of ["1", "2", "3"]) await addTurn(journal, turn);
      await journal.close();
    }
    await library.close();
    const other = readFileSync(logOf(folder, "other"));
    const spoilt = spoil(readFileSync(logOf(folder, "mine")));
    writeFileSync(logOf(folder, "mine"), spoilt);
    const again = libraryOn(folder);
    assert.equal((await again.list()).length, 2);
    const journal = await again.open("mine");
    assert.equal(journal.readOnly, undefined);
    if (journal.repair !== undefined) {
      assert.deepEqual(readFileSync(journal.repair.original), spoilt);
      assert.equal(dirname(journal.repair.original), dirname(logOf(folder, "mine")));
    }
    const kept = journal.records.length;
    await addTurn(journal, "4");
    await journal.close();
    const finally_ = await again.open("mine");
    assert.equal(finally_.records.length, kept + 3);
    assert.equal(finally_.repair, undefined);
    assert.deepEqual(readFileSync(logOf(folder, "other")), other);
  });

test("row 79: without its index, with an old one and with a wrong one, the list is what the journals say", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  for (const id of ["a", "b"]) await addTurn(await library.create(id), "1");
  await library.close();
  const path = join(folder, "index.json");
  const old = readFileSync(path);
  const grown = libraryOn(folder);
  await addTurn(await grown.open("a"), "2");
  await addTurn(await grown.create("c"), "1");
  await grown.close();
  const list = async () => (await libraryOn(folder).list()).map(({ id, turns }) => `${id}${turns}`).sort();
  const right = ["a2", "b1", "c1"];
  for (const index of [undefined, old, Buffer.from("{}"), Buffer.from('{"version":1,"entries":{"x":{}}}')]) {
    if (index === undefined) unlinkSync(path);
    else writeFileSync(path, index);
    assert.deepEqual(await list(), right);
  }
});

test("row 80: two windows that write one conversation in turns lose nothing of either", async (t) => {
  const folder = temporaryFolder(t);
  const turns = 12;
  const write = async (library: Library, name: string) => {
    for (let turn = 0; turn < turns; ) {
      const journal = await library.create("c");
      if (journal.readOnly === undefined)
        await addTurn(journal, `${name}${turn}`).then(
          () => {
            turn += 1;
          },
          () => undefined,
        );
      await journal.close();
      await setImmediate();
    }
  };
  await Promise.all([write(libraryOn(folder), "a"), write(libraryOn(folder), "b")]);
  const journal = await libraryOn(folder).open("c");
  const ends = (await journal.read((type) => type === "ended")).map((record) => String(record["turn"]));
  const all = ["a", "b"].flatMap((name) => Array.from({ length: turns }, (_, turn) => `${name}${turn}`));
  assert.deepEqual([...new Set(ends)].sort(), all.sort());
  assert.equal(journal.repair, undefined);
});

test("row 81: the lock of a dead process is nobody's at once, that of a silent one after five seconds", async (t) => {
  const path = join(temporaryFolder(t), "lock");
  let elapsed = 0;
  const claim = (pid: number, host: string) => writeFileSync(path, JSON.stringify({ token: "x", pid, host }));
  const { pid: dead } = spawnSync(process.execPath, ["-e", ""]);
  claim(dead, hostname());
  const first = new WriterLock(nodeFileSystem, path, () => elapsed);
  assert.equal(await first.acquire(), true);
  await first.release();
  for (const [pid, host] of [
    [process.pid, hostname()],
    [dead, "another-machine"],
  ] as const) {
    claim(pid, host);
    const lock = new WriterLock(nodeFileSystem, path, () => elapsed);
    assert.equal(await lock.acquire(), false);
    elapsed += 4999;
    assert.equal(await lock.acquire(), false);
    elapsed += 1;
    assert.equal(await lock.acquire(), true);
    await lock.release();
  }
});

test("row 82: a rename that an antivirus refuses is tried again; refused for good, the old file stands", async (t) => {
  for (const code of ["EPERM", "EBUSY", "EACCES"]) {
    const path = join(temporaryFolder(t), "file");
    writeFileSync(path, "old");
    let refusals = 5;
    const fs: FileSystem = {
      ...nodeFileSystem,
      rename: (from, to) =>
        refusals-- > 0
          ? Promise.reject(Object.assign(new Error(code), { code }))
          : nodeFileSystem.rename(from, to),
    };
    await replaceText(fs, path, "new");
    assert.equal(readFileSync(path, "utf8"), "new");
    refusals = Number.POSITIVE_INFINITY;
    await assert.rejects(replaceText(fs, path, "newer"), { code });
    assert.equal(readFileSync(path, "utf8"), "new");
    assert.deepEqual(readdirSync(dirname(path)), ["file"]);
  }
});

test("row 83: a conversation of a newer version is listed and read, and not a byte of it changes", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  await addTurn(await library.create("c"), "1");
  await library.close();
  const path = logOf(folder, "c");
  const old = readFileSync(path);
  const head = encodeRecord(0, { type: "store-head", version: 2, id: "c", at: 1 });
  const newer = Buffer.concat([
    head,
    old.subarray(old.indexOf(10) + 1),
    encodeRecord(4, { type: "hologram" }),
  ]);
  writeFileSync(path, newer);
  const again = libraryOn(folder);
  const journal = await again.open("c");
  assert.equal(journal.readOnly?.kind, "newer");
  for (const change of [
    () => journal.append(started("2"), { durable: true }),
    () => journal.cut("1"),
    () => again.rename("c", "Mine"),
    () => again.archive("c", true),
  ])
    await assert.rejects(change(), /newer version/);
  await journal.close();
  assert.equal((await again.list())[0]?.turns, 1);
  await again.close();
  assert.deepEqual(readFileSync(path), newer);
});

test("row 84: the list of a thousand conversations opens no journal when its index is right", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  for (let count = 0; count < 40; count += 1) await addTurn(await library.create(`c${count}`), "1");
  await library.close();
  const opened: string[] = [];
  const counting: FileSystem = {
    ...nodeFileSystem,
    open: (path, mode) => {
      opened.push(path);
      return nodeFileSystem.open(path, mode);
    },
  };
  const again = libraryOn(folder, counting);
  assert.equal((await again.list()).length, 40);
  assert.equal(opened.length, 0);
  await addTurn(await libraryOn(folder).open("c7"), "2");
  await again.list();
  assert.deepEqual(
    opened.filter((path) => path.endsWith("log.jsonl")),
    [logOf(folder, "c7")],
  );
});

test("row 85: a storage folder that is deleted while a window is open comes back with all of it", async (t) => {
  const folder = temporaryFolder(t);
  const { sim, assistant, errors } = await openWindow(t, { folder });
  sim.reply(text("One."));
  await assistant.send({ prompt: "First" });
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  sim.reply(text("Two."));
  await assistant.send({ prompt: "Second" });
  await assistant.close();
  assert.deepEqual(errors, []);
  const again = await openWindow(t, { folder, sim });
  assert.deepEqual(words(again.assistant), [
    ["First", "done", "One."],
    ["Second", "done", "Two."],
  ]);
});
