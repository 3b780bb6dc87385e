// Of a diff only what it says of some files, however git writes their names.
import assert from "node:assert/strict";
import { test } from "node:test";
import { onlyFiles } from "../../../src/tools/attached-text.ts";

const changed = (path: string, line = "new") =>
  `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-old\n+${line}\n`;
const added =
  "diff --git a/new.txt b/new.txt\nnew file mode 100644\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+one\n";
const renamed =
  "diff --git a/before.txt b/after.txt\nsimilarity index 100%\nrename from before.txt\nrename to after.txt\n";
const binary =
  "diff --git a/logo.png b/logo.png\nindex 1..2 100644\nBinary files a/logo.png and b/logo.png differ\n";
const quoted =
  'diff --git "a/\\303\\244.txt" "b/\\303\\244.txt"\n--- "a/\\303\\244.txt"\n+++ "b/\\303\\244.txt"\n@@ -1 +1 @@\n-a\n+b\n';
const whole = [changed("src/a.ts"), changed("a.ts"), added, renamed, binary, quoted].join("");

for (const [file, section] of [
  ["src/a.ts", changed("src/a.ts")],
  ["a.ts", changed("a.ts")],
  ["new.txt", added],
  ["before.txt", renamed],
  ["after.txt", renamed],
  ["logo.png", binary],
  ["ä.txt", quoted],
  ["other.ts", ""],
] as const)
  test(`onlyFiles returns exactly the section of a diff about ${file}`, () => {
    assert.equal(onlyFiles(whole, new Set([file])), section);
  });

test("onlyFiles ignores file names within the lines of another file", () => {
  const trap = changed("src/a.ts", "++ b/secret.txt");
  assert.equal(onlyFiles(trap, new Set(["secret.txt"])), "");
});
