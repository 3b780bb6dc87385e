// What a person sees of a conversation that the disk has damaged, or whose file has become shorter.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { lostHere, lostQuestion } from "../../../src/store/internal/repair-conversation.ts";
import { english } from "../../support/english.ts";
import { ask, openTestApp, shown } from "./person-support.ts";
import { addConversation, libraryOn, logOf, temporaryFolder } from "./store-support.ts";

test("row 78: a damaged conversation reports its repair once, with the number of turns left", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  await addConversation(library, "mine", "1", "2", "3");
  await library.close();
  const bytes = readFileSync(logOf(folder, "mine"));
  const where = bytes.indexOf('"turn":"2"');
  writeFileSync(logOf(folder, "mine"), bytes.fill(0, where, where + 10));
  const opened = await openTestApp(t, { folder });
  assert.deepEqual(shown(opened), [
    ["Question 1", "Answer 1"],
    ["", `${english(lostQuestion)} Answer 2`],
    ["Question 3", "Answer 3"],
  ]);
  assert.match(english(opened.session.repaired), /turns left: 3\)/);
  await opened.close();
  const again = await openTestApp(t, { folder });
  assert.deepEqual(shown(again), shown(opened));
  assert.deepEqual(again.session.repaired, []);
});

for (const [what, spoil] of [
  ["cut at a line", (bytes: Buffer) => bytes.subarray(0, bytes.indexOf('{"seq":7'))],
  ["cut within a line", (bytes: Buffer) => bytes.subarray(0, bytes.indexOf('{"seq":7') + 30)],
  ["emptied", () => Buffer.alloc(0)],
  ["replaced by an older copy", (bytes: Buffer) => bytes.subarray(0, bytes.indexOf('{"seq":4'))],
] as const)
  test(`row 78: a conversation whose file was ${what} reports its missing end once and keeps a copy of the file`, async (t) => {
    const folder = temporaryFolder(t);
    const library = libraryOn(folder);
    await addConversation(library, "mine", "1", "2", "3");
    await library.close();
    const left = spoil(readFileSync(logOf(folder, "mine")));
    const turns = left.toString().split(/"type":"started".*\n/).length - 1;
    if (what.startsWith("replaced")) rmSync(logOf(folder, "mine"));
    writeFileSync(logOf(folder, "mine"), left);
    const looking = libraryOn(folder);
    assert.equal((await looking.list())[0]?.damaged, true);
    const opened = await looking.open("mine");
    assert.equal(opened.repair?.isCutShort, true);
    assert.deepEqual(readFileSync(opened.repair?.original ?? ""), left);
    await looking.close();
    assert.equal((await libraryOn(folder).list())[0]?.damaged, false);
    writeFileSync(logOf(folder, "mine"), left);
    const app = await openTestApp(t, { folder });
    await app.open("mine");
    assert.match(english(app.session.repaired), new RegExp(`end .* is missing .*turns left: ${turns}\\)`));
    assert.equal(app.session.state.turns.length, turns);
    const notes = app.session.state.turns.at(-1)?.parts.filter(({ type }) => type === "note") ?? [];
    assert.equal(notes.length, turns > 0 ? 1 : 0);
    await app.open("other").catch(() => undefined);
    await app.newConversation();
    await app.open("mine");
    assert.deepEqual(app.session.repaired, []);
  });

test("a cut is not reported as damage when the window dies before the index is updated", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  await addConversation(library, "mine", "1", "2", "3");
  await library.close();
  const index = readFileSync(join(folder, "index.json"));
  const cutting = libraryOn(folder);
  const again = await cutting.open("mine");
  await again.cut("2");
  await again.close();
  await cutting.close();
  // The window died before the index heard of it.
  writeFileSync(join(folder, "index.json"), index);
  const looking = libraryOn(folder);
  assert.equal((await looking.list())[0]?.damaged, false);
  assert.equal((await looking.open("mine")).repair, undefined);
});

test("a damaged conversation that cannot be repaired is shown and branched with all that is left", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  await addConversation(library, "mine", "1", "2", "3");
  const bytes = readFileSync(logOf(folder, "mine"));
  // The end of one turn and the beginning of the next.
  const where = bytes.indexOf('{"seq":6');
  bytes.fill(0, where, bytes.indexOf('{"seq":8') - 1);
  writeFileSync(logOf(folder, "mine"), bytes);
  mkdirSync(join(folder, "conversations", "mine", "lock"));
  const expected = [
    ["Question 1", "Answer 1"],
    ["Question 2", `Answer 2 ${english(lostHere)}`],
    ["", `${english(lostQuestion)} Answer 3`],
  ];
  const app = await openTestApp(t, { folder });
  await app.open("mine");
  assert.match(english(app.session.readOnly), /is damaged and cannot be repaired right now/);
  assert.deepEqual(shown(app), expected);
  await app.branch("3");
  assert.equal(app.session.readOnly, undefined);
  assert.deepEqual(shown(app), expected);
  await ask(app, "Go on?", "On.");
  assert.equal(app.session.state.turns.length, 4);
});
