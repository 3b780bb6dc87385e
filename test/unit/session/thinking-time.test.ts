// From the first word of a thought to whatever came next.
import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyConversation, joinDeltas, reduce } from "../../../src/conversation/reduce.ts";
import { ThinkingTime } from "../../../src/session/internal/reply-events.ts";

const thought = (part: string) => ({ type: "reasoning", part, delta: "Hm.", form: "summary" }) as const;
const word = { type: "text", part: "t", delta: "So." } as const;

test("ThinkingTime measures each reasoning part until something else begins", () => {
  const thinking = new ThinkingTime();
  const take = (event: Parameters<ThinkingTime["take"]>[2], now: number) =>
    thinking.take("1", 0, event, now).map((told) => ("took" in told ? [told.part, told.took] : []));
  assert.deepEqual(take(thought("a"), 1000), []);
  assert.deepEqual(take(thought("a"), 3000), []);
  assert.deepEqual(take(thought("b"), 5000), [["0/a", 4000]]);
  assert.deepEqual(take(word, 6500), [["0/b", 1500]]);
  assert.deepEqual(take(word, 9000), [], "nobody thinks any more");
});

test("the duration of a reasoning part is kept with its text by reduce and joinDeltas", () => {
  const delta = { type: "reasoning", turn: "1", part: "0/a", delta: "Hm." } as const;
  const end = { ...delta, delta: "", took: 4000 };
  const joined = joinDeltas(delta, end) ?? assert.fail();
  const started = { type: "started", turn: "1", at: 1, model: "m", route: "chat", prompt: "?" } as const;
  for (const events of [[delta, end], [joined]]) {
    const { turns } = [started, ...events].reduce(reduce, emptyConversation("c"));
    assert.deepEqual(turns[0]?.parts, [{ type: "reasoning", id: "0/a", text: "Hm.", took: 4000 }]);
  }
});
