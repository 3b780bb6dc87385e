import assert from "node:assert/strict";
import { test } from "node:test";
import { shownLength } from "../../../../src/webview/markdown/undecided.ts";

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
  test(`the line "${line}" waits for what comes`, () => {
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
  test(`the line "${line}" is shown as it grows`, () => {
    assert.equal(shownLength(`text\n${line}`, false), `text\n${line}`.length);
  });
}

test("a complete line never waits", () => assert.equal(shownLength("text\n---\n", false), 9));

test("inside a fence only what could close it waits", () => {
  assert.equal(shownLength("- item\n[1, 2", true), 12);
  assert.equal(shownLength("code\n``", true), 5);
});
