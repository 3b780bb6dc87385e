import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePatch, patchOfDiff } from "../../../src/patch/parse.ts";

const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

test("patchOfDiff converts a git diff into a patch of the same files", () => {
  const diff = [
    "diff --git a/src/a.ts b/src/a.ts",
    "index 1111111..2222222 100644",
    "--- a/src/a.ts",
    "+++ b/src/a.ts",
    "@@ -1,3 +1,3 @@ function f() {",
    " one",
    "--- two",
    "+-- TWO",
    " three",
    "\\ No newline at end of file",
    "diff --git a/new.ts b/new.ts",
    "--- /dev/null",
    "+++ b/new.ts",
    "@@ -0,0 +1,2 @@",
    "+first",
    "+",
    "diff --git a/old.ts b/old.ts",
    "--- a/old.ts",
    "+++ /dev/null",
    "@@ -1 +0,0 @@",
    "-gone",
    "diff --git a/from.ts b/to.ts",
    "rename from from.ts",
    "rename to to.ts",
    "",
  ].join("\n");
  const told = patchOfDiff(diff);
  assert.equal(
    told,
    patch(
      "*** Update File: src/a.ts",
      "@@ -1,3 +1,3 @@ function f() {",
      " one",
      "--- two",
      "+-- TWO",
      " three",
      "*** Add File: new.ts",
      "+first",
      "+",
      "*** Delete File: old.ts",
      "*** Update File: from.ts",
      "*** Move to: to.ts",
    ),
  );
  const read = parsePatch(told ?? "");
  assert.equal(read.kind, "patch");
});

test("patchOfDiff converts diff -u output with timestamps and CRLF line ends", () => {
  const diff = "--- a.ts\t2026-01-01\r\n+++ a.ts\t2026-01-02\r\n@@ -1,2 +1,2 @@\r\n-one\r\n+ONE\r\n\r\n";
  assert.equal(patchOfDiff(diff), patch("*** Update File: a.ts", "@@ -1,2 +1,2 @@", "-one", "+ONE", " "));
});

test("patchOfDiff ignores text that is not a complete diff", () => {
  for (const text of [
    "",
    "const a = 1;",
    "--- a.ts\n+++ a.ts\n@@ -1,3 +1,3 @@\n-one\n+ONE",
    "@@ -1 +1 @@\n-one\n+ONE",
    "--- a.ts\n+++ a.ts\n",
    "--- /dev/null\n+++ a.ts\n@@ -0,0 +1 @@\n context\n",
  ])
    assert.equal(patchOfDiff(text), undefined, text);
});
