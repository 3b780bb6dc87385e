import assert from "node:assert/strict";
import { test } from "node:test";
import { namedFile, placeCode } from "../../../../src/editor/chat/internal/propose-code.ts";

const file = [
  "class Cart {",
  "  add(item) {",
  "    this.items.push(item);",
  "  }",
  "",
  "  total() {",
  "    return 0;",
  "  }",
  "}",
];

test("placeCode replaces the lines with the same first and last line, indented, only where they differ", () => {
  const code = ["total() {", "  return sum(this.items);", "}", ""];
  assert.deepEqual(placeCode(file, code, undefined), {
    first: 6,
    end: 7,
    lines: ["    return sum(this.items);"],
  });
});

test("placeCode replaces the selection regardless of its text", () => {
  assert.deepEqual(placeCode(file, ["remove() {}"], { first: 5, end: 8 }), {
    first: 5,
    end: 8,
    lines: ["  remove() {}"],
  });
});

test("placeCode returns undefined for a missing or ambiguous place", () => {
  assert.equal(placeCode(file, ["clear() {", "}"], undefined), undefined);
  assert.equal(placeCode([...file, ...file], ["total() {", "}"], undefined), undefined);
  assert.equal(placeCode(file, ["total() {"], undefined), undefined);
  assert.equal(placeCode(file, [""], { first: 0, end: 1 }), undefined);
});

test("placeCode returns an empty edit for code that is already there", () => {
  const { first, end, lines } = placeCode(file, file, undefined) ?? {};
  assert.deepEqual([first === end, lines], [true, []]);
});

test("namedFile reads a file name from a comment at the top", () => {
  assert.deepEqual(namedFile(["// src/cart.ts", "x"]), { path: "src/cart.ts", rest: ["x"] });
  assert.deepEqual(namedFile(["<!-- index.html -->"]), { path: "index.html", rest: [] });
  assert.deepEqual(namedFile(["# file: tools/run.py", "x"])?.path, "tools/run.py");
  assert.equal(namedFile(["// see the manual", "x"]), undefined);
  assert.equal(namedFile(["x()"]), undefined);
});
