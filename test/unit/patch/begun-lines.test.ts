// A line of which a patch has only the beginning: which of the file's lines is meant.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hunkForModel } from "../../../src/patch/internal/hunk-refusal-text.ts";

const told = (text: string, whole: string): string =>
  hunkForModel({
    kind: "not-found",
    path: "a.txt",
    number: 1,
    nearest: undefined,
    appliedAt: [],
    hunk: { line: 3, anchors: [], lines: [{ kind: "removed", text }], atEndOfFile: false },
    excerpt: { first: 0, lines: [], whole },
  });

describe("a file line that only begins like the patch line", () => {
  const long = "x\n  const total = sum(prices);\nconst total = sum(prices) + tax;\n";

  test("is named, the first of several, at any indentation", () => {
    assert.match(
      told("const total = sum(", long),
      /"const total = sum\(" .*line 2 of the file and others only begin so\. Read that line/,
    );
    assert.match(
      told("\tconst total = sum(prices) + …", long),
      /line 3 of the file only begins so\. Read that line/,
    );
  });

  test("is not mentioned when the file has the whole line, has it in mid-line, or the line is too short", () => {
    for (const text of ["const total = sum(prices);", "total = sum(prices)", "const", "nothing of the kind"])
      assert.doesNotMatch(told(text, long), /begins so/);
  });

  test("is looked for quickly in a file with very long lines", () => {
    assert.doesNotMatch(told("abcdefgh", "xabcdefgh".repeat(500_000)), /begins so/);
    assert.doesNotMatch(told("abcdefgh", `${" ".repeat(300)}abcdefgh;`.repeat(10_000)), /begins so/);
  });
});
