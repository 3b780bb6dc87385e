// A conversation that was made elsewhere: what the model is told of it, however its answers ended.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { importVisible } from "../../../src/session/internal/sanitize-import.ts";

const key = ["ghp", "f".repeat(36)].join("_");
const said = `It was ${key} in the end.`;

/** What the model would be told of one turn. */
function itemsOf(turn: object, ending: string, type: "text" | "refusal" = "text"): readonly string[] {
  const arriving = importVisible();
  const records = [
    { type: "started", turn: "t", at: 0, model: "svc-k3", route: "responses", prompt: said, ...turn },
    { type, turn: "t", part: "p", delta: said },
    { type: "ended", turn: "t", at: 0, ending },
  ];
  const taken = records.flatMap((record, seq) => arriving.take({ ...record, seq }));
  return [...taken, ...arriving.end()].flatMap((record) => (record["items"] ?? []) as string[]);
}

describe("an imported response", () => {
  for (const ending of ["done", "incomplete", "failed", "stopped"])
    for (const type of ["text", "refusal"] as const)
      test(`is sent without its secrets: ${type}, ${ending}`, () => {
        const items = itemsOf({}, ending, type);
        assert.equal(items.length, 2);
        for (const item of items) {
          assert.match(item, /It was .* in the end/);
          assert.ok(!item.includes(key));
        }
      });

  test("is sent without its secrets where it is a summary", () => {
    const items = itemsOf({ compacts: true, prompt: "" }, "done");
    assert.ok(items.some((item) => item.includes("in the end")));
    for (const item of items) assert.ok(!item.includes(key));
  });
});

test("an imported question is kept without its secrets, since a summary tells it again", () => {
  const arriving = importVisible();
  const steered = { type: "steered", turn: "t", id: "s", at: 0, prompt: said, attachments: [] };
  const started = { type: "started", turn: "t", at: 0, model: "svc-k3", route: "responses", prompt: said };
  const records = [started, steered].flatMap((record, seq) => arriving.take({ ...record, seq }));
  const prompts = [...records, ...arriving.end()].flatMap(({ prompt }) => prompt ?? []);
  assert.equal(prompts.length, 2);
  for (const prompt of prompts) assert.match(String(prompt), /^It was (?!ghp).* in the end\.$/);
});
