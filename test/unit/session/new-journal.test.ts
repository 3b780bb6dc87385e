// A conversation without a file: what waits for one has an end, and whoever goes on with a task while its file is being made
// finds it in the list.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { ConversationRecord } from "../../../src/conversation/events.ts";
import { NewJournal } from "../../../src/session/internal/new-journal.ts";
import type { ConversationJournal } from "../../../src/session/internal/recorder.ts";
import { english } from "../../support/english.ts";
import { full } from "../store/person-support.ts";

const MiB = 1024 * 1024;
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);
const text = (number: number, length: number): ConversationRecord => ({
  ...{ type: "text", turn: "t", part: String(number), delta: "x".repeat(length) },
});

test("NewJournal limits what waits for its file, reports the loss for good and saves the rest in order", async (t) => {
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
  // More at once than a person or a model sends would measure the machine.
  for (const number of range(1, 16)) await refused(number, 2 * MiB - 200);
  assert.match(english(journal.unsaved), /the disk is full/);
  await refused(17, 2 * MiB);
  assert.match(english(journal.unsaved), /the disk is too slow\. New messages won't be kept\.$/);
  // Nothing that follows what was dropped, however short: it would stand where it does not belong.
  await refused(18, 1);
  isFull = false;
  await journal.append(text(19, 1), { durable: true });
  await journal.append(text(20, 1), { durable: true });
  assert.deepEqual(saved, [...range(1, 16), 20].map(String));
  assert.match(english(journal.unsaved), /too slow/);
});

test("NewJournal.cutFrom removes only its own turn, also after records were dropped", async (t) => {
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

test("NewJournal.goOn turns a task into a listed conversation while its file is being made", async (t) => {
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
