import assert from "node:assert/strict";
import { test } from "node:test";
import type { Turn } from "../../../src/conversation/state.ts";
import { createNextInputEstimate } from "../../../src/usage/token-counts.ts";

const turn = (id: string, rest: Partial<Turn> = {}): Turn => ({
  id,
  at: 0,
  model: "svc-k2.6",
  route: "chat",
  prompt: "four",
  attachments: [],
  continues: false,
  parts: [{ type: "text", id: "t", text: "sixsix" }],
  status: "done",
  usage: [],
  receipts: [],
  ...rest,
});

/** One token for each character, and how often anybody was asked. */
function counting() {
  let characters = 0;
  const again = createNextInputEstimate((_, contents) => {
    const length = contents.reduce((sum, each) => sum + (each.kind === "text" ? each.text.length : 100), 0);
    characters += length;
    return length;
  });
  return { again, scanned: () => characters };
}

test("the next input estimate covers all turns and attachments, and is 0 for an empty conversation", () => {
  const { again } = counting();
  assert.equal(again([], "m"), 0);
  assert.equal(again([turn("a"), turn("b")], "m"), 20);
  const attachments = [
    { kind: "file", label: "a.ts", bytes: 400 },
    { kind: "image", label: "a.png", bytes: 40_000 },
    { kind: "image", label: "gone.png", bytes: 0 },
  ];
  assert.equal(again([turn("a", { attachments })], "m"), 10 + 100 + 100);
});

test("the next input estimate adds only what follows the last reported usage", () => {
  const { again, scanned } = counting();
  const usage = [{ input: 10 }, { input: 60_000, output: 500, reasoning: 200 }];
  const turns = [...Array.from({ length: 40 }, (_, at) => turn(`${at}`)), turn("said", { usage })];
  assert.equal(again(turns, "m"), 60_300);
  assert.equal(scanned(), 0);
  assert.equal(again([...turns, turn("stopped")], "m"), 60_310);
  assert.equal(scanned(), 10);
  const whole = turn("whole", { usage, route: "responses" });
  assert.equal(again([whole], "m"), 60_500);
  // A request of which nothing was reported is not taken for none.
  assert.equal(again([turn("a"), turn("b", { usage: [{ input: 10 }, {}] })], "m"), 20);
});
