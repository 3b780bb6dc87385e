import assert from "node:assert/strict";
import { test } from "node:test";
import type { Turn } from "../../../src/core/conversation/state.ts";
import { sendCurrent } from "../../../src/core/send-current.ts";
import type { Asked } from "../../../src/core/turn/question.ts";

const turnWith = (...paths: readonly string[]): Turn => ({
  id: "1",
  at: 0,
  model: "svc-k3",
  route: "responses",
  prompt: "Fix it.",
  attachments: [],
  continues: false,
  status: "done",
  usage: [],
  receipts: [],
  parts: [
    {
      type: "patch",
      id: "p",
      call: "c",
      status: "failed",
      files: paths.map((path) => ({ path, change: "update", added: 1, removed: 1, hunks: [] })),
    },
  ],
});

function ask(call: string, ...paths: readonly string[]): readonly Asked[] {
  const asked: Asked[] = [];
  const send = (one: Asked) => {
    asked.push(one);
    return Promise.resolve(undefined);
  };
  sendCurrent({ conversation: { id: "c", turns: [turnWith(...paths)] }, send }, call);
  return asked;
}

test("the files of the patch that no longer fits go out with a question about them", () => {
  const [asked] = ask("c", "src/a.ts", "src/b.ts");
  assert.match(asked?.prompt ?? "", /have changed/);
  assert.deepEqual(asked?.attachments, [
    { kind: "file", path: "src/a.ts" },
    { kind: "file", path: "src/b.ts" },
  ]);
});

test("nothing is asked about a patch that nobody knows, or that named no file", () => {
  assert.deepEqual(ask("another", "src/a.ts"), []);
  assert.deepEqual(ask("c"), []);
});
