// The corpus, spoilt by chance: fields lost or of another kind, records lost, doubled and swapped. What comes of such a
// reply is anybody's guess; what holds of every reply is not.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseJson } from "../../../src/util/json.ts";
import { type Played, play, summary } from "../../support/play-stream.ts";
import { streamCases } from "../../support/stream-case.ts";

type Path = readonly (string | number)[];
type Chance = (below: number) => number;

const cases = streamCases()
  .filter((one) => !one.isLarge && one.encoded !== true && one.bytes().length < 8_000)
  .map(({ route, bytes }) => ({
    route,
    records: Buffer.from(bytes())
      .toString()
      .split(/\r\n\r\n|\n\n|\r\r/),
  }));

const odd: readonly unknown[] = [
  null,
  0,
  -1,
  1.5,
  "",
  "x",
  "0",
  "completed",
  "in_progress",
  "\ud83d",
  "__proto__",
  true,
  [],
  [null],
  [[]],
  {},
  { type: "output_text", text: "Z" },
];

function pathsIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  const inside = Object.entries(value).flatMap(([key, held]) =>
    pathsIn(held, [...at, Array.isArray(value) ? Number(key) : key]),
  );
  return at.length === 0 ? inside : [at, ...inside];
}

function spoil(value: unknown, chance: Chance): unknown {
  const paths = pathsIn(value);
  const path = paths[chance(paths.length)] ?? [];
  const key = path.at(-1);
  let holder = value as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) holder = holder[step] as typeof holder;
  if (key === undefined) return value;
  if (chance(3) > 0) holder[key] = structuredClone(odd[chance(odd.length)]);
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
  return value;
}

function spoilRecord(record: string, chance: Chance): string[] {
  const roll = chance(20);
  if (roll === 0) return [];
  if (roll === 1) return [record, record];
  const [, head = "", data = ""] = /^((?:event:.*\n)?data: ?)(\{.*\})$/s.exec(record) ?? [];
  const value = parseJson(data);
  if (value === undefined || roll < 10) return [record];
  return [head + JSON.stringify(spoil(spoil(value, chance), chance))];
}

function swap(records: string[], chance: Chance): string[] {
  const [one, other] = [chance(records.length), chance(records.length)];
  const [first = "", second = ""] = [records[one], records[other]];
  return records.length < 2 || chance(6) > 0 ? records : records.with(one, second).with(other, first);
}

/** Xorshift: the same seed, the same damage. */
function chanceOf(seed: number): Chance {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return below === 0 ? 0 : (state >>> 0) % below;
  };
}

/** The same characters: parts may have begun in another order than they stand in. */
const letters = (text: string) => [...text].sort().join("");

function hold({ reply, shown, fault, visible }: Played): void {
  const { status, text, refusal = "", calls, runnable, items } = reply;
  assert.equal(letters(shown.text), letters(text), "what was shown is what was kept");
  assert.equal(letters(shown.refusal), letters(refusal));
  assert.ok(text.isWellFormed());
  assert.ok(visible || text === "");
  assert.equal(fault === undefined, status === "completed" || status === "incomplete");
  assert.ok(status === "completed" || runnable.length === 0);
  for (const { callId, name, kind, input } of runnable) {
    assert.ok(callId !== "" && name !== "" && calls.some((call) => call.callId === callId));
    if (kind === "function" && input.trim() !== "") JSON.parse(input);
  }
  assert.equal(new Set(runnable.map(({ callId }) => callId)).size, runnable.length);
  for (const { raw } of items) JSON.parse(raw);
}

test("a randomly corrupted stream yields a consistent reply however its bytes are split", async () => {
  const seeds = fc.integer({ min: 1, max: 0x7fffffff });
  await fc.assert(
    fc.asyncProperty(seeds, async (seed) => {
      const chance = chanceOf(seed);
      const { route, records } = cases[chance(cases.length)] ?? { route: "chat", records: [] };
      const spoilt = swap(
        records.flatMap((record) => spoilRecord(record, chance)),
        chance,
      );
      const bytes = Buffer.from(`${spoilt.join("\n\n")}\n\n`);
      const whole = await play(route, [bytes], "clean");
      hold(whole);
      const size = 1 + chance(40);
      const cuts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const arrived = await play(route, cuts, "clean");
      assert.deepEqual(summary(arrived.reply), summary(whole.reply));
      assert.deepEqual(arrived.events, whole.events, "what is shown, and in which order");
    }),
    { numRuns: process.env["PATCHBAY_LONG"] === undefined ? 200 : 15_000 },
  );
});

const item = { id: "m", type: "message", role: "assistant", status: "in_progress" };

async function said(records: readonly object[]): Promise<string> {
  const bytes = Buffer.from(records.map((record) => `data: ${JSON.stringify(record)}\n\n`).join(""));
  const played = await play("responses", [bytes], "clean");
  hold(played);
  return played.reply.text;
}

test("a delta after a complete item is kept at the end of the stream", async () => {
  const whole = { ...item, content: "One. " };
  const records = [
    { type: "response.output_item.done", output_index: 0, item: whole },
    { type: "response.output_text.delta", item_id: "m", content_index: 1, delta: "Two." },
  ];
  assert.equal(await said(records), "One. Two.");
});

test("a complete text beside an empty content list replaces its deltas without duplication", async () => {
  const records = [
    { type: "response.output_item.added", output_index: 0, item: { ...item, content: [] } },
    { type: "response.output_text.delta", item_id: "m", content_index: 0, delta: "One." },
    { type: "response.output_item.done", output_index: 0, item: { ...item, content: [], text: "One." } },
  ];
  assert.equal(await said(records), "One.");
});

test("a text after a call is shown after it even if both arrive at once", async () => {
  const deltas = [
    { content: "Before. " },
    { tool_calls: [{ index: 0, id: "c1", function: { name: "f", arguments: "{}" } }] },
    { content: "After." },
  ];
  const records = deltas.map((delta) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`);
  const { events } = await play("chat", [Buffer.from(records.join(""))], "clean");
  assert.deepEqual(
    events.map((event) => event.type),
    ["text", "call", "call-input", "text"],
  );
});
