import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { minimatch } from "minimatch";

const cases = [
  ["*.log", "logs/app.log"],
  ["node_modules", "packages/a/node_modules"],
  ["build/", "build"],
  ["dist/", "packages/dist/x.js"],
  ["#backup", "#backup"],
  ["#*", "#notes"],
  ["!keep.txt", "other.txt"],
  ["!keep.txt", "keep.txt"],
  ["!keep.*", "keep.txt"],
  ["{a..c}.txt", "b.txt"],
  ["[id]", "[id]"],
  ["app/[id]", "app/i"],
  ["a/**", "a"],
  ["**/a/**", "a"],
  ["(draft)", "(draft)"],
  ["+(a|b)", "ab"],
  ["a/../b", "b"],
  ["a//b", "a/b"],
  ["[[:upper:]]*", "Ab"],
  ["**.md", "a/b.md"],
];
const isExcluded = (pattern, path) =>
  (pattern.includes("*") ? [pattern] : [pattern, `**/${pattern}`, `**/${pattern}/**`]).some((each) =>
    minimatch(path, each, { dot: true }),
  );
const written = JSON.parse(readFileSync("src/filesystem/exclude-cases.json", "utf8"));
assert.deepEqual(
  written.map(({ pattern, path, excluded }) => [pattern, path, excluded]),
  cases.map(([pattern, path]) => [pattern, path, isExcluded(pattern, path)]),
);
const hash = createHash("sha256");
for (const name of ["index.ts", "lib.ts", "README.md", "package.json"])
  hash.update(readFileSync(`src/filesystem/${name}`));
assert.equal(
  hash.digest("hex"),
  "f6ffc9d9a9fbdb0660bd27633810b7cdf4892d7ccd535898f006e4628afff8db",
  "nothing else is changed",
);
