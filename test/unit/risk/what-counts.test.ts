// What a change is weighed by, one small change at a time: what stands in notes and literals, which names are public, how
// much an assertion demands, and which part of a config file a line belongs to.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { flagsOf } from "../../support/risk.ts";

const flagged = (path: string, before: string, after: string) =>
  flagsOf({ path, before, after }).map(({ flags }) => flags);

describe("flagsOf for comments and literals", () => {
  test("ignores a comment within a signature", () => {
    const naming = (note: string) => `export function a(x /* ${note} */) {}\n`;
    assert.deepEqual(flagged("src/a.ts", naming("old"), naming("new")), [[]]);
  });

  test("flags a change of quotes as format-only", () => {
    assert.deepEqual(flagged("src/a.ts", "call('x');\n", 'call("x");\n'), [["format-only"]]);
  });

  test("does not flag blanks inside a regular expression as format-only", () => {
    assert.deepEqual(flagged("src/a.ts", "call(/x y/);\n", "call(/x  y/);\n"), [[]]);
  });
});

describe("flagsOf for public names", () => {
  test("flags a changed export, not a new one beside it", () => {
    const rest = "prepare();\n".repeat(8);
    const before = `exports.one = 1;\n${rest}`;
    const after = `exports.one = (x) => x;\n${rest}exports.other = 2;\n`;
    assert.deepEqual(flagged("src/a.js", before, after), [["public-api"], []]);
  });

  test("compares only the beginning of a long signature", () => {
    const listing = (row: number, type: string) =>
      `export type A = {\n${Array.from({ length: 90 }, (_, at) => `  a${at}: ${at === row ? type : "string"};\n`).join("")}};\n`;
    const changing = (row: number) => flagged("src/a.ts", listing(row, "string"), listing(row, "number"));
    assert.deepEqual([changing(10), changing(80)], [[["public-api"]], [[]]]);
  });

  test("looks for a function in the first 200 characters of an exported value", () => {
    const giving = (name: string) => `export const f = ${name} => 1;\n`;
    const changing = (length: number) =>
      flagged("src/a.ts", giving("x".repeat(length)), giving("y".repeat(length)));
    assert.deepEqual([changing(190), changing(200)], [[["public-api"]], [[]]]);
  });
});

describe("flagsOf for assertions", () => {
  const weighed = (path: string, before: string, after: string) => flagged(path, before, after).flat();

  test("does not flag an additional weaker assertion", () => {
    const after = "expect(c).toBe(1);\nexpect(b).toBeDefined();\n";
    assert.deepEqual(weighed("test/a.test.ts", "expect(a).toBe(1);\n", after), []);
  });

  test("flags an assertion weakened to mere existence", () => {
    const after = "expect(a).toEqual(expect.anything());\n";
    assert.deepEqual(weighed("test/a.test.ts", "expect(a).toContain(1);\n", after), ["test-weakened"]);
  });

  test("does not flag a value assertion replaced by an expected error", () => {
    const before = "def test_a():\n    assert run() == 1\n";
    const after = "def test_a():\n    with pytest.raises(ValueError):\n        run()\n";
    assert.deepEqual(weighed("tests/test_a.py", before, after), []);
  });

  test("flags an assertion that is always true", () => {
    const asserting = (demand: string) => `#[test]\nfn a() {\n    assert!(${demand});\n}\n`;
    assert.deepEqual(weighed("tests/a.rs", asserting("run().is_ok()"), asserting("true")), ["test-weakened"]);
  });
});

describe("flagsOf for config files", () => {
  test("does not flag the version of a Python project", () => {
    const versioned = (version: string) => `[project]\nversion = "${version}"\n`;
    assert.deepEqual(flagged("pyproject.toml", versioned("1"), versioned("2")), [[]]);
  });
});

describe("flagsOf for lines that go", () => {
  const lines = (count: number, name = "step") =>
    Array.from({ length: count }, (_, at) => `  ${name}${at % 2 === 0 ? at : ""}();\n`).join("");
  const gone = (before: string, after: string) =>
    flagged("src/a.ts", before, after).map((flags) => flags.includes("large-deletion"));

  test("counts lines that stand elsewhere as well, and empty ones", () => {
    const repeated = "  close(connection);\n".repeat(20);
    const before = `start();\n${repeated}${"\n  next(connection);\n".repeat(5)}end();\nclose(connection);\n`;
    assert.deepEqual(gone(before, "start();\nend();\n  close(connection);\n").includes(true), true);
  });

  test("does not count a run that moves, nor one that is only a little longer", () => {
    const moving = lines(40, "move");
    const rest = lines(9, "rest");
    assert.deepEqual(gone(`${moving}${rest}`, `${rest}${moving}`), [false, false]);
    assert.deepEqual(gone(`a();\n${lines(29)}b();\n`, "a();\nb();\n"), [false]);
    assert.deepEqual(gone(`a();\n${lines(30)}b();\n`, "a();\nb();\n"), [true]);
  });

  test("takes changes beside each other as one, and tells it at the larger one", () => {
    const before = `a();\n${lines(12, "one")}kept();\n${lines(20, "two")}b();\n`;
    assert.deepEqual(gone(before, "a();\nkept();\nb();\n"), [false, true]);
  });
});
