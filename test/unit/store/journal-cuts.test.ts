// What is cut off is gone from the disk; what is said meanwhile, and the draft, are not.
import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { hashOf } from "../../../src/changes/proposal.ts";
import type { OpenJournal } from "../../../src/store/journal-records.ts";
import type { Library } from "../../../src/store/library.ts";
import { addTurn, ended, libraryOn, logOf, onDisk, started, temporaryFolder } from "./store-support.ts";

test("a cut removes its turns from the disk and keeps the changes that undo patches", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  const journal = await library.create("c");
  await journal.append(started("1"), { durable: true });
  await journal.append(ended("1"), { durable: true });
  await journal.append(started("2", "the secret question"), { durable: true });
  await library.rename("c", "A name");
  await journal.append({ type: "opened", instructions: "new ones" }, { durable: true });
  await journal.changes.put("before");
  await journal.changes.write(`what was accepted: ${hashOf("before")}`, false);
  await journal.cut("2");
  assert.deepEqual(
    journal.records.map(({ type }) => type),
    ["started", "ended", "opened"],
  );
  assert.equal(journal.summary.turns, 1);
  assert.equal(journal.summary.title, "A name");
  assert.equal(await journal.changes.read(), `what was accepted: ${hashOf("before")}`);
  assert.equal(await journal.changes.get(hashOf("before")), "before");
  await addTurn(journal, "3");
  await journal.close();
  for (const name of readdirSync(join(folder, "conversations", "c"), {
    recursive: true,
    withFileTypes: true,
  })) {
    if (!name.isFile()) continue;
    assert.equal(readFileSync(join(name.parentPath, name.name)).includes("secret"), false);
  }
  assert.equal((await libraryOn(folder).open("c")).records.length, 6);
});

test("records appended during a cut follow it, and the bytes before the cut stay unchanged", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  const journal = await library.create("c");
  for (let turn = 1; turn <= 6; turn += 1) await addTurn(journal, String(turn));
  const before = readFileSync(logOf(folder, "c"));
  for (const turn of ["6", "5", "4"])
    await Promise.all([
      journal.cut(turn),
      library.rename("c", `Without ${turn}`),
      addTurn(journal, `after ${turn}`),
    ]);
  await journal.close();
  const again = await libraryOn(folder).open("c");
  assert.equal(again.summary.title, "Without 4");
  assert.equal(again.repair, undefined);
  const turns = again.records.filter(({ type }) => type === "ended").map((record) => record["turn"]);
  assert.deepEqual(turns, ["1", "2", "3", "after 4"]);
  const after = readFileSync(logOf(folder, "c"));
  const shared = before.indexOf('"turn":"4"');
  const lineStart = before.lastIndexOf(10, shared) + 1;
  assert.deepEqual(after.subarray(0, lineStart), before.subarray(0, lineStart));
});

test("a cut that leaves what is before it unread does what one does that reads everything", async (t) => {
  // Whoever wants no questions has to read all of them again.
  let number = 0;
  const withoutQuestions = (type: string) => type !== "started";
  const lines: Record<string, (journal: OpenJournal, library: Library) => Promise<void>> = {
    turn: (journal) => {
      number += 1;
      return addTurn(journal, String(number));
    },
    title: (_, library) => library.rename("c", "A name"),
    archived: (_, library) => library.archive("c", true),
    opened: (journal) => journal.append({ type: "opened", instructions: "new" }, { durable: false }),
    waits: (journal) => journal.changes.write("[]", true),
  };
  const kinds = Object.keys(lines);
  const drawn = fc.array(fc.constantFrom(...kinds), { minLength: 2, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(drawn, drawn, fc.nat(8), async (before, since, which) => {
      const folder = temporaryFolder(t);
      const first = libraryOn(folder);
      const journal = await first.create("c");
      await addTurn(journal, "first");
      for (const kind of before) await lines[kind]?.(journal, first);
      await addTurn(journal, "last");
      await first.close();
      const other = temporaryFolder(t);
      cpSync(folder, other, { recursive: true });
      const cuts = [folder, other].map(async (place, at) => {
        const library = libraryOn(place);
        const open = await library.open("c", at === 0 ? undefined : withoutQuestions);
        const turns = open.records.flatMap(({ type, turn }) => (type === "ended" ? [String(turn)] : []));
        for (const kind of since) if (kind !== "turn") await lines[kind]?.(open, library);
        await addTurn(open, "since");
        await open.cut([...turns, "since"][which % (turns.length + 1)]);
        const { summary } = open;
        const types = open.records.map(({ type }) => type).filter(withoutQuestions);
        await addTurn(open, "after");
        await library.close();
        const again = await libraryOn(place).open("c");
        return { summary, types, again: again.records, repair: again.repair, read: again.summary };
      });
      const [quick, whole] = await Promise.all(cuts);
      assert.equal(quick?.repair, undefined);
      assert.deepEqual(quick, whole);
      assert.deepEqual(readFileSync(logOf(folder, "c")), readFileSync(logOf(other, "c")));
    }),
    { numRuns: 30 },
  );
});

test("a copy that a repair set aside stays until a cut removes it", async (t) => {
  const folder = temporaryFolder(t);
  const place = join(folder, "conversations", "c");
  const setAside = () => readdirSync(place).filter((name) => name.includes(".corrupt-")).length;
  const library = libraryOn(folder);
  const first = await library.create("c");
  await addTurn(first, "1");
  await addTurn(first, "2", "the secret answer");
  await first.close();
  writeFileSync(logOf(folder, "c"), `${readFileSync(logOf(folder, "c"))}no record\n`);
  const second = await library.open("c");
  assert.ok(second.repair !== undefined);
  await addTurn(second, "3");
  // There is nothing to be cut off.
  await second.cut();
  await second.close();
  assert.equal(setAside(), 1);
  const third = await library.open("c");
  await third.cut("2");
  assert.equal(setAside(), 0);
  await library.close();
  assert.doesNotMatch(onDisk(folder), /secret/);
});

test("cut() completes a recorded cut and removes the copy that a repair set aside", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  const first = await library.create("c");
  for (const turn of ["1", "2"]) await addTurn(first, turn, `answer ${turn}`);
  await first.append({ type: "cut", turn: "2", at: 1 }, { durable: true });
  await first.close();
  writeFileSync(logOf(folder, "c"), `${readFileSync(logOf(folder, "c"))}no record\n`);
  const second = await library.open("c");
  assert.ok(second.repair !== undefined);
  await second.cut();
  await library.close();
  assert.match(onDisk(folder), /answer 1/);
  assert.doesNotMatch(onDisk(folder), /answer 2/);
});

test("a read-only window cannot cut and keeps the copy that a repair set aside", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  const journal = await library.create("c");
  await addTurn(journal, "1");
  const copy = join(folder, "conversations", "c", "log.corrupt-1.jsonl");
  writeFileSync(copy, "what was damaged");
  await assert.rejects((await libraryOn(folder).open("c")).cut("1"), /another window/);
  assert.equal(readFileSync(copy, "utf8"), "what was damaged");
});

test("readDraft returns the newest of several drafts, also after reopening", async (t) => {
  const folder = temporaryFolder(t);
  const journal = await libraryOn(folder).create("c");
  await Promise.all(["a", "ab", "abc"].map((draft) => journal.writeDraft(draft)));
  assert.equal(await journal.readDraft(), "abc");
  await journal.close();
  const again = await libraryOn(folder).open("c");
  assert.equal(await again.readDraft(), "abc");
  await again.writeDraft("");
  assert.equal(await again.readDraft(), "");
});

test("readDraft ignores a damaged file", async (t) => {
  const folder = temporaryFolder(t);
  const journal = await libraryOn(folder).create("c");
  await journal.writeDraft("abc");
  writeFileSync(join(folder, "conversations", "c", "draft.json"), '{"text":');
  const again = await libraryOn(folder).open("c");
  assert.equal(await again.readDraft(), "");
});
