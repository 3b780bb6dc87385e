import assert from "node:assert/strict";
import { test } from "node:test";
import { shownLength } from "../../../../src/page/markdown/parse/half-written-blocks.ts";

const waits = [
  "-",
  "--",
  "- ",
  "* *",
  "1",
  "12.",
  "#",
  "### ",
  "```",
  "```ts",
  "~~~",
  "===",
  "> ",
  "> - ",
  "|--",
  "$$",
];
for (const line of [...waits, "\\[", "[", "[label", "[label]", "[label]: https://ex", "- [ ]", "   ", "**"]) {
  test(`shownLength holds back the line "${line}"`, () => {
    assert.equal(shownLength(`text\n${line}`, false), "text\n".length);
  });
}

for (const line of [
  "- a",
  "1. a",
  "# a",
  "a",
  "**bold",
  "--flag",
  "[link](",
  "> quote",
  "| a",
  "12.5",
  "$5",
]) {
  test(`shownLength shows the line "${line}" as it grows`, () => {
    assert.equal(shownLength(`text\n${line}`, false), `text\n${line}`.length);
  });
}

test("shownLength shows a complete line", () => assert.equal(shownLength("text\n---\n", false), 9));

test("shownLength holds back only a possible closing line inside a fence", () => {
  assert.equal(shownLength("- item\n[1, 2", true), 12);
  assert.equal(shownLength("code\n``", true), 5);
});
