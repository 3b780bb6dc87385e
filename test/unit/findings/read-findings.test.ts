import assert from "node:assert/strict";
import { test } from "node:test";
import { readFindings } from "../../../src/findings/internal/read-findings.ts";

const one = {
  file: "a.ts",
  line: 3,
  lastLine: 4,
  code: "  if (a = b) {",
  severity: "error",
  reason: "It assigns\ninstead of comparing.",
  suggestion: "Write `===`.",
};
const inBlock = (value: unknown) =>
  `Here is what I found.\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`;

test("readFindings reads a finding with lines from 0 and its reason on one line", () => {
  const { findings, unread } = readFindings(inBlock([one]), ["a.ts"]);
  assert.deepEqual(unread, []);
  assert.deepEqual(findings, [
    {
      file: "a.ts",
      first: 2,
      last: 3,
      code: "  if (a = b) {",
      severity: "error",
      title: "It assigns instead of comparing",
      reason: "It assigns instead of comparing.",
      suggestion: "Write `===`.",
    },
  ]);
});

test("readFindings accepts missing optional fields and a response that is only the list", () => {
  const { lastLine: _, suggestion: __, ...least } = one;
  for (const answer of [JSON.stringify([least]), inBlock([{ ...least, suggestion: null }])]) {
    const { findings } = readFindings(answer, ["a.ts"]);
    assert.deepEqual([findings[0]?.first, findings[0]?.last], [2, 2]);
    assert.equal("suggestion" in (findings[0] ?? {}), false);
  }
});

test("readFindings takes the title from the model, or else from the start of the reason, cut at a word", () => {
  const reason = "A text that is no number becomes NaN here, travels on unseen and is shown to whoever pays.";
  const title = (more: object) =>
    readFindings(inBlock([{ ...one, reason, ...more }]), ["a.ts"]).findings[0]?.title;
  assert.equal(title({ title: "NaN travels\non unseen." }), "NaN travels on unseen");
  for (const none of [{}, { title: null }, { title: " " }])
    assert.equal(title(none), "A text that is no number becomes NaN here, travels on…");
});

test("readFindings reads an empty list as no findings", () => {
  assert.deepEqual(readFindings(inBlock([]), ["a.ts"]), { findings: [], unread: [] });
});

for (const [name, answer] of [
  ["prose", "The code is fine."],
  ["nothing", ""],
  ["a block that is cut off", '```json\n[{"file": "a.ts"'],
  ["an object instead of a list", inBlock({ findings: [one] })],
  ["two lists", inBlock([one]) + inBlock([])],
] as const)
  test(`readFindings reports ${name} as unread`, () => {
    const { findings, unread } = readFindings(answer, ["a.ts"]);
    assert.deepEqual(findings, []);
    assert.deepEqual(
      unread.map(({ why }) => why),
      ["form"],
    );
  });

test("readFindings sorts unsure findings last and treats a missing confidence as proven", () => {
  const { findings } = readFindings(
    inBlock([
      { ...one, confidence: "unsure", reason: "First." },
      { ...one, confidence: "certain", reason: "Second." },
      { ...one, confidence: "likely", reason: "Third." },
      { ...one, reason: "Fourth." },
    ]),
    ["a.ts"],
  );
  assert.deepEqual(
    findings.map(({ reason, isUnproven }) => [reason, isUnproven]),
    [
      ["Second.", undefined],
      ["Third.", undefined],
      ["Fourth.", undefined],
      ["First.", true],
    ],
  );
});

for (const [name, change] of [
  ["a severity of its own", { severity: "blocker" }],
  ["no line", { line: undefined }],
  ["a line before the first", { line: 0 }],
  ["an end before its beginning", { lastLine: 2 }],
  ["a line in words", { line: "three" }],
  ["a confidence of its own", { confidence: "very" }],
  ["no reason", { reason: " " }],
  ["a field that nobody asked for", { fix: "rm" }],
] as const)
  test(`readFindings reports a finding with ${name} and reads the one beside it`, () => {
    const { findings, unread } = readFindings(inBlock([{ ...one, ...change }, one]), ["a.ts"]);
    assert.equal(findings.length, 1);
    assert.equal(unread.length, 1);
    assert.equal(unread[0]?.why, "form");
    assert.match(unread[0]?.words ?? "", /a\.ts/);
  });

test("readFindings reports a finding about a file that was not sent", () => {
  const { findings, unread } = readFindings(inBlock([one]), ["b.ts"]);
  assert.deepEqual([findings.length, unread[0]?.why], [0, "file"]);
});

test("readFindings ignores code in other blocks and fences in strings", () => {
  const fenced = { ...one, suggestion: "```ts\nif (a === b) {\n```" };
  const { findings, unread } = readFindings(`\`\`\`ts\nconst a = 1;\n\`\`\`\n${inBlock([fenced])}`, ["a.ts"]);
  assert.deepEqual([findings.length, unread.length], [1, 0]);
});
