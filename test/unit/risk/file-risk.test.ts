// What decides about a change beside its own lines: others of the same file, lines that move, the length of the text.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inEnglish } from "../../../src/conversation/english.ts";
import { isInScope, namesFiles, namesIn } from "../../../src/risk/file-risk.ts";
import { countMessages, flagMessages } from "../../../src/risk/flags.ts";
import { flagsOf } from "../../support/risk.ts";

const flagged = (path: string, before: string, after: string | undefined) =>
  flagsOf({ path, before, after }).map(({ flags }) => flags);

test("a test that moves within its file is not flagged as weakened", () => {
  const moved = 'test("adds", () => {\n  expect(sum(1, 2)).toBe(3);\n});\n';
  const rest = Array.from({ length: 8 }, (_, at) => `const filler${at} = prepare(${at});\n`).join("");
  assert.deepEqual(flagged("test/sum.test.ts", `${moved}${rest}`, `${rest}${moved}`).flat(), []);
});

test("an assertion replaced by a nearby change is not flagged as removed", () => {
  const before = "def test_a():\n    assert dump(p)\n    r = dump(p)\n    p.close()\n    assert done(r)\n";
  const after =
    "def test_a():\n    r = load(dump(p))\n    p.close()\n    assert r.url == p.url\n    assert done(r) == 1\n";
  assert.deepEqual(flagged("tests/test_a.py", before, after).flat(), []);
});

test("a long file is examined around its changes", () => {
  const rest = 'const line = "a line of an ordinary file";\n'.repeat(12_000);
  const before = `${rest}expect(a).toBe(1);\n`;
  assert.deepEqual(flagged("test/long.test.ts", before, `${rest}expect(a).toBeDefined();\n`), [
    ["test-weakened"],
  ]);
});

test("Windows line ends are not flagged as hidden characters", () => {
  assert.deepEqual(flagged("src/a.ts", "a();\r\n", "a();\r\nb();\r\n"), [[]]);
});

test("an additional overload is not flagged as a public API change", () => {
  const before = "public class A {\n  public void run(int a) {\n  }\n}\n";
  const after =
    "public class A {\n  public void run(int a) {\n  }\n  public void run(int a, int b) {\n  }\n}\n";
  assert.deepEqual(flagged("src/A.java", before, after), [[]]);
});

test("a deleted test file is flagged as a weakened test", () => {
  const before = "def test_a():\n    assert one() == 1\n";
  assert.deepEqual(flagsOf({ path: "tests/test_a.py", before, after: undefined })[0]?.flags, [
    "test-weakened",
  ]);
});

test("a file that is emptied is flagged like a deleted one", () => {
  const before = `class PathSpec extends Spec {\n${"  // What it says.\n  addServlet(new Paths, root)\n".repeat(20)}}\n`;
  for (const after of [undefined, "", "\n"])
    assert.deepEqual(flagged("core/src/test/scala/PathSpec.scala", before, after).flat(), [
      ...["test-weakened", "large-deletion"],
    ]);
});

test("namesIn finds file names in a prompt", () => {
  assert.deepEqual(namesIn("Fix src/cart.ts, and look at README.md or test/ of src/sum.ts."), [
    ...["src/cart.ts", "README.md", "test/", "src/sum.ts"],
  ]);
});

for (const [path, asked, isMeant] of [
  ["test/cart.spec.ts", "src/cart.ts", true],
  ["tests/test_cart.py", "cart.py", true],
  ["src/test/java/CartTest.java", "src/main/java/Cart.java", true],
  ["test/cart.test.ts", "src/price.ts", false],
  ["src/cart.css", "src/cart.ts", false],
  ["test/.spec.ts", "src/", false],
] as const)
  test(`${path} is ${isMeant ? "" : "not "}meant where ${asked} is asked about`, () => {
    assert.equal(isInScope(path, [asked]), isMeant);
  });

test("a prompt that names no file does not limit the scope", () => {
  const paths = ["src/cart.ts", "src/sum.ts"];
  const limits = (question: string) => namesFiles(namesIn(question), paths);
  assert.deepEqual(
    [
      ...["Rename total to sum.", "Make it work with Node.js and/or Deno.", "Fix cart.ts."],
      ...["Fix src/other.ts.", "Fix all of src/"],
    ].map(limits),
    [false, false, true, true, true],
  );
});

test("flags are listed beside a change and counted for a review, most severe first", () => {
  assert.deepEqual(flagMessages(["public-api", "test-weakened", "public-api"], 3).map(inEnglish), [
    "⚠ test weakened",
    "public API, 3 references",
  ]);
  const changes = [["public-api"], ["test-weakened", "public-api"], ["format-only", "out-of-scope"]] as const;
  assert.deepEqual(countMessages(changes).map(inEnglish), [
    "1 test weakened",
    "2 public API changes",
    "1 format only",
  ]);
});
