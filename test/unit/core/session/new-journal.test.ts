// A conversation without a file: what waits for one has an end, and whoever goes on with a task while its file is being made
// finds it in the list.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { ConversationRecord } from "../../../../src/core/conversation/record.ts";
import { NewJournal } from "../../../../src/core/session/new-journal.ts";
import type { ConversationJournal } from "../../../../src/core/session/recorder.ts";
import { english } from "../../../support/english.ts";
import { full } from "../store/person-support.ts";

const MiB = 1024 * 1024;
const text = (number: number, length: number): ConversationRecord => ({
  ...{ type: "text", turn: "t", part: String(number), delta: "x".repeat(length) },
});

test("what waits for a file that cannot be made is bounded, which is said for good, and the rest is saved in order", async (t) => {
  const saved: string[] = [];
  let isFull = true;
  const file: Pick<ConversationJournal, "append" | "close"> = {
    append: async (record) => void saved.push("part" in record ? record.part : record.type),
    close: async () => {},
  };
  const make = async () => {
    if (isFull) throw full;
    return file as ConversationJournal;
  };
  const journal = new NewJournal("c", make);
  t.after(() => journal.close());
  const refused = async (number: number, length: number) => {
    await assert.rejects(journal.append(text(number, length), { durable: true }), /the disk is full/);
    await setImmediate();
  };
  for (const number of [1, 2, 3]) await refused(number, 10 * MiB);
  assert.match(english(journal.unsaved), /the disk is full/);
  await refused(4, 10 * MiB);
  assert.match(english(journal.unsaved), /the disk is too slow\. New messages won't be kept\.$/);
  // Nothing that follows what was dropped, however short: it would stand where it does not belong.
  await refused(5, 1);
  isFull = false;
  await journal.append(text(6, 1), { durable: true });
  await journal.append(text(7, 1), { durable: true });
  assert.deepEqual(saved, ["1", "2", "3", "7"]);
  assert.match(english(journal.unsaved), /too slow/);
});

test("a cut takes away its turn alone, also once something was dropped", async (t) => {
  const saved: string[] = [];
  let isFull = true;
  const file: Pick<ConversationJournal, "append" | "close"> = {
    append: async (record) => void saved.push("part" in record ? record.part : record.type),
    close: async () => {},
  };
  const journal = new NewJournal("c", async () => {
    if (isFull) throw full;
    return file as ConversationJournal;
  });
  t.after(() => journal.close());
  const refused = async (record: ConversationRecord) => {
    await assert.rejects(journal.append(record, { durable: true }));
    await setImmediate();
  };
  await refused(text(1, 10));
  const asked = { turn: "late", at: 1, model: "svc-k3", route: "responses", prompt: "" } as const;
  await refused({ type: "started", ...asked });
  for (const number of [2, 3, 4, 5]) await refused(text(number, 10 * MiB));
  await journal.cutFrom("late");
  isFull = false;
  await journal.append(text(6, 1), { durable: true });
  assert.deepEqual(saved, ["1"]);
});

test("a task that is gone on with while its file is being made is a conversation of the list", async (t) => {
  const done: string[] = [];
  let make = () => {};
  const file: Pick<ConversationJournal, "append" | "goOn" | "close"> = {
    append: async (record) => void done.push(record.type),
    goOn: async () => void done.push("goes on"),
    close: async () => {},
  };
  const made = new Promise<ConversationJournal>((resolve) => {
    make = () => resolve(file as ConversationJournal);
  });
  const create = (_: string, isTask: () => boolean) => {
    done.push(isTask() ? "a task" : "listed");
    return made;
  };
  const journal = new NewJournal("c", create, "task");
  t.after(() => journal.close());
  const appended = journal.append(text(1, 1), { durable: true });
  await setImmediate();
  const goneOn = journal.goOn();
  make();
  await Promise.all([appended, goneOn]);
  assert.deepEqual(done, ["a task", "text", "goes on"]);
  assert.equal(journal.isTask, false);
});
