import assert from "node:assert/strict";
import { test } from "node:test";
import { readFindings } from "../../../../src/core/findings/read-findings.ts";

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

test("a finding is read with its lines from 0, its sentence in one line", () => {
  const { findings, unread } = readFindings(inBlock([one]), ["a.ts"]);
  assert.deepEqual(unread, []);
  assert.deepEqual(findings, [
    {
      file: "a.ts",
      first: 2,
      last: 3,
      code: "  if (a = b) {",
      severity: "error",
      reason: "It assigns instead of comparing.",
      suggestion: "Write `===`.",
    },
  ]);
});

test("what may be left out is left out, and an answer that is nothing but the list is one", () => {
  const { lastLine: _, suggestion: __, ...least } = one;
  for (const answer of [JSON.stringify([least]), inBlock([{ ...least, suggestion: null }])]) {
    const { findings } = readFindings(answer, ["a.ts"]);
    assert.deepEqual([findings[0]?.first, findings[0]?.last], [2, 2]);
    assert.equal("suggestion" in (findings[0] ?? {}), false);
  }
});

test("an empty list says that nothing was found", () => {
  assert.deepEqual(readFindings(inBlock([]), ["a.ts"]), { findings: [], unread: [] });
});

for (const [name, answer] of [
  ["prose", "The code is fine."],
  ["nothing", ""],
  ["a block that is cut off", '```json\n[{"file": "a.ts"'],
  ["an object instead of a list", inBlock({ findings: [one] })],
  ["two lists", inBlock([one]) + inBlock([])],
] as const)
  test(`${name} is no list, and is told`, () => {
    const { findings, unread } = readFindings(answer, ["a.ts"]);
    assert.deepEqual(findings, []);
    assert.deepEqual(
      unread.map(({ why }) => why),
      ["form"],
    );
  });

for (const [name, change] of [
  ["a severity of its own", { severity: "blocker" }],
  ["no line", { line: undefined }],
  ["a line before the first", { line: 0 }],
  ["an end before its beginning", { lastLine: 2 }],
  ["a line in words", { line: "three" }],
  ["no reason", { reason: " " }],
  ["a field that nobody asked for", { fix: "rm" }],
] as const)
  test(`a finding with ${name} is told, and the one beside it is read`, () => {
    const { findings, unread } = readFindings(inBlock([{ ...one, ...change }, one]), ["a.ts"]);
    assert.equal(findings.length, 1);
    assert.equal(unread.length, 1);
    assert.equal(unread[0]?.why, "form");
    assert.match(unread[0]?.words ?? "", /a\.ts/);
  });

test("what is said of a file that was not sent is told as that", () => {
  const { findings, unread } = readFindings(inBlock([one]), ["b.ts"]);
  assert.deepEqual([findings.length, unread[0]?.why], [0, "file"]);
});

test("code in another block is no list, and fences in a string end none", () => {
  const fenced = { ...one, suggestion: "```ts\nif (a === b) {\n```" };
  const { findings, unread } = readFindings(`\`\`\`ts\nconst a = 1;\n\`\`\`\n${inBlock([fenced])}`, ["a.ts"]);
  assert.deepEqual([findings.length, unread.length], [1, 0]);
});
