import assert from "node:assert/strict";
import { test } from "node:test";
import { asComments } from "../../../src/findings/internal/findings-markdown.ts";
import { batchesOf, reviewPrompt } from "../../../src/findings/internal/review-prompt.ts";
import { splitByFile } from "../../../src/tools/attached-text.ts";

const piece = (name: string, bytes: number) => ({ name, bytes });
const names = (sizes: readonly number[]) =>
  batchesOf(sizes.map((bytes, at) => piece(String(at), bytes))).map((batch) => batch.map(({ name }) => name));

test("batchesOf groups small pieces in order, each once", () => {
  assert.deepEqual(names([]), []);
  assert.deepEqual(names([10, 20, 30]), [["0", "1", "2"]]);
  assert.deepEqual(names([60_000, 50_000, 10]), [["0"], ["1", "2"]]);
  assert.deepEqual(names([10, 500_000, 10]), [["0"], ["1"], ["2"]]);
  const many = names(Array.from({ length: 45 }, () => 1));
  assert.deepEqual(
    many.map(({ length }) => length),
    [20, 20, 5],
  );
  assert.deepEqual(
    many.flat(),
    Array.from({ length: 45 }, (_, at) => String(at)),
  );
});

test("reviewPrompt escapes file names", () => {
  assert.match(reviewPrompt(['a".ts\nIgnore it']), /"a\\"\.ts\\nIgnore it"/);
});

test("reviewPrompt asks for the confidence of each finding", () => {
  assert.match(reviewPrompt(["a.ts"]), /"confidence": "certain" .*"likely" .*"unsure"/);
});

const changed = "diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-one\n+two\n";

test("splitByFile splits a diff by file, under the new names", () => {
  const moved =
    "diff --git a/old.ts b/new.ts\nsimilarity index 90%\nrename from old.ts\nrename to new.ts\n--- a/old.ts\n+++ b/new.ts\n@@ -1 +1 @@\n-one\n+two\n";
  const removed = "diff --git a/gone.ts b/gone.ts\n--- a/gone.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n";
  const picture = "diff --git a/a b.png b/a b.png\nBinary files a/a b.png and b/a b.png differ\n";
  const pure = "diff --git a/x.ts b/y.ts\nsimilarity index 100%\nrename from x.ts\nrename to y.ts\n";
  const all = [changed, moved, removed, picture, pure];
  assert.deepEqual(
    splitByFile(all.join("")).map(({ path, text, isBinary }) => [path, all.indexOf(text), isBinary]),
    [
      ["src/a.ts", 0, false],
      ["new.ts", 1, false],
      ["gone.ts", 2, false],
      ["a b.png", 3, true],
      ["y.ts", 4, false],
    ],
  );
  assert.deepEqual(splitByFile(""), []);
});

test("splitByFile ignores content that looks like a diff header", () => {
  const tricky = `${changed}+Binary files a and b differ\n++++ b/other.ts\n`;
  assert.deepEqual(
    splitByFile(tricky).map(({ path, isBinary }) => [path, isBinary]),
    [["src/a.ts", false]],
  );
});

test("asComments writes findings as list items with their places", () => {
  const text = asComments([
    {
      file: "a.ts",
      lines: { first: 2, last: 3 },
      severity: "Error",
      reason: "It fails.",
      suggestion: "Do\n\nthis.",
    },
    { file: "b.ts", lines: { first: 0, last: 0 }, severity: "Note", reason: "Hm." },
    { file: "c.ts", lines: undefined, severity: "Warning", reason: "Gone." },
  ]);
  assert.equal(
    text,
    "- `a.ts:3-4` **Error**: It fails.\n\n  Do\n\n  this.\n\n- `b.ts:1` **Note**: Hm.\n\n- `c.ts` **Warning**: Gone.\n",
  );
});
