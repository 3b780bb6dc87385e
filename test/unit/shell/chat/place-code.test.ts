import assert from "node:assert/strict";
import { test } from "node:test";
import { namedFile, placeCode } from "../../../../src/shell/chat/place-code.ts";

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

test("code takes the place of the lines that begin and end as it does, at their indentation, and only where it differs", () => {
  const code = ["total() {", "  return sum(this.items);", "}", ""];
  assert.deepEqual(placeCode(file, code, undefined), {
    first: 6,
    end: 7,
    lines: ["    return sum(this.items);"],
  });
});

test("code takes the place of what is selected, whatever it begins with", () => {
  assert.deepEqual(placeCode(file, ["remove() {}"], { first: 5, end: 8 }), {
    first: 5,
    end: 8,
    lines: ["  remove() {}"],
  });
});

test("where it is not plain there is no place", () => {
  assert.equal(placeCode(file, ["clear() {", "}"], undefined), undefined);
  assert.equal(placeCode([...file, ...file], ["total() {", "}"], undefined), undefined);
  assert.equal(placeCode(file, ["total() {"], undefined), undefined);
  assert.equal(placeCode(file, [""], { first: 0, end: 1 }), undefined);
});

test("code that is there already changes nothing", () => {
  const { first, end, lines } = placeCode(file, file, undefined) ?? {};
  assert.deepEqual([first === end, lines], [true, []]);
});

test("a comment at the top may name the file", () => {
  assert.deepEqual(namedFile(["// src/cart.ts", "x"]), { path: "src/cart.ts", rest: ["x"] });
  assert.deepEqual(namedFile(["<!-- index.html -->"]), { path: "index.html", rest: [] });
  assert.deepEqual(namedFile(["# file: tools/run.py", "x"])?.path, "tools/run.py");
  assert.equal(namedFile(["// see the manual", "x"]), undefined);
  assert.equal(namedFile(["x()"]), undefined);
});
