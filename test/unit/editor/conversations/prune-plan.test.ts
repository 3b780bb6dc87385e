import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { whatToPrune } from "../../../../src/editor/conversations/delete-old-conversations.ts";
import { emptySummary } from "../../../../src/store/conversation-summary.ts";
import { addTurn, libraryOn, logOf, temporaryFolder } from "../../store/store-support.ts";

const day = 24 * 60 * 60 * 1000;
const aged = (id: string, days: number) => ({ ...emptySummary(id), updatedAt: -days * day });
const ids = (found: ReturnType<typeof whatToPrune>) =>
  found.map(({ summary, why }) => `${summary.id} ${why}`);
const here = { now: 0, open: new Set<string>() };

test("whatToPrune returns closed conversations beyond their days, oldest first, and none for zero days", () => {
  const list = [aged("new", 1), aged("oldest", 90), aged("old", 31)];
  const sizes = new Map([["oldest", 5]]);
  const bounds = { keepDays: 30, maxBytes: 1000 };
  assert.deepEqual(ids(whatToPrune(list, sizes, bounds, here)), ["oldest old", "old old"]);
  assert.deepEqual(ids(whatToPrune(list, sizes, { ...bounds, keepDays: 0 }, here)), []);
  assert.deepEqual(ids(whatToPrune(list, sizes, bounds, { ...here, open: new Set(["oldest"]) })), [
    "old old",
  ]);
});

test("whatToPrune removes no more than needed to fit and never an open conversation", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(100), { maxLength: 20 }),
      fc.nat(1000),
      fc.nat(19),
      (bytes, maxBytes, opened) => {
        const list = bytes.map((_, at) => aged(`c${at}`, at));
        const sizes = new Map(bytes.map((size, at) => [`c${at}`, size]));
        const open = new Set([`c${opened}`]);
        const pruned = whatToPrune(list, sizes, { keepDays: 0, maxBytes }, { now: 0, open });
        assert.ok(!pruned.some(({ summary }) => open.has(summary.id)));
        const left =
          bytes.reduce((sum, size) => sum + size, 0) - pruned.reduce((sum, each) => sum + each.bytes, 0);
        const rest = list.length - pruned.length;
        assert.ok(left <= maxBytes || rest <= 1, "what is left fits, or is open");
        const last = pruned.at(-1);
        if (last !== undefined) assert.ok(left + last.bytes > maxBytes, "and the last one had to go");
      },
    ),
  );
});

test("library.sizes counts everything that deletion would remove", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  const journal = await library.create("c");
  await addTurn(journal, "1");
  await journal.changes.put("x".repeat(1500));
  await journal.close();
  await addTurn(await library.create("d"), "1");
  const before = await library.sizes();
  assert.deepEqual([...before.keys()].sort(), ["c", "d"]);
  assert.ok((before.get("c") ?? 0) > 1500);
  appendFileSync(logOf(folder, "c"), Buffer.alloc(77));
  assert.equal(((await library.sizes()).get("c") ?? 0) - (before.get("c") ?? 0), 77);
});
