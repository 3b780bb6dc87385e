import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readApplyTo } from "../../../src/session/internal/apply-to-patterns.ts";

const fitting = (patterns: readonly string[], paths: readonly string[]) => {
  const fits = readApplyTo(patterns) ?? assert.fail();
  return paths.filter(fits);
};

describe("readApplyTo", () => {
  it("fits paths as VS Code does: at any depth, unless a slash comes first", () => {
    const paths = ["a.ts", "src/a.ts", "packages/one/src/a.ts", "src/a.py"];
    assert.deepEqual(fitting(["**"], paths), paths);
    assert.deepEqual(fitting(["**/*.ts"], paths), paths.slice(0, 3));
    assert.deepEqual(fitting(["*.py"], paths), ["src/a.py"]);
    assert.deepEqual(fitting(["src/**/*.ts"], paths), ["src/a.ts", "packages/one/src/a.ts"]);
    assert.deepEqual(fitting(["/src/**"], paths), ["src/a.ts", "src/a.py"]);
    assert.deepEqual(fitting(["./src/*.py"], paths), ["src/a.py"]);
  });

  it("splits at commas, but not inside braces", () => {
    assert.deepEqual(fitting(["**/*.{ts,py}, docs/**"], ["a.ts", "b.py", "docs/c.md", "d.go"]), [
      "a.ts",
      "b.py",
      "docs/c.md",
    ]);
  });

  it("refuses none, one that cannot be read, and more than anybody writes", () => {
    for (const patterns of [
      [],
      [""],
      [" , "],
      ["[a"],
      [Array(60).fill("a").join(",")],
      ["a".repeat(501)],
      ["{a,b}".repeat(20)],
    ])
      assert.equal(readApplyTo(patterns), undefined, JSON.stringify(patterns).slice(0, 60));
  });
});
