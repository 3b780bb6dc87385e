import assert from "node:assert/strict";
import { test } from "node:test";
import { createReferences } from "../../../../src/page/markdown/parse/link-definitions.ts";

const target = (href: string) => ({ href, title: "" });
const none = new Map();

function reader() {
  const drawn: string[] = [];
  return { drawn, again: () => drawn.push("again") };
}

test("references redraw only the readers of a label that is defined", () => {
  const references = createReferences();
  const [one, other] = [reader(), reader()];
  references.ask(one, (definitions) => definitions["A"]);
  references.ask(other, (definitions) => definitions["B"]);
  references.update(none, new Map([["A", target("x")]]));
  assert.deepEqual([one.drawn, other.drawn], [["again"], []]);
});

test("references redraw a reader when an open definition changes or is removed", () => {
  const references = createReferences();
  const one = reader();
  const ask = () => references.ask(one, (definitions) => definitions["A"]?.href);
  ask();
  references.update(none, new Map([["A", target("x")]]));
  assert.equal(ask(), "x");
  references.update(none, new Map([["A", target("xy")]]));
  assert.equal(ask(), "xy");
  references.update(none, none);
  assert.equal(ask(), undefined);
  assert.equal(one.drawn.length, 3);
});

test("references keep the first settled definition of a label", () => {
  const references = createReferences();
  const one = reader();
  references.update(new Map([["A", target("first")]]), none);
  references.update(new Map([["A", target("second")]]), new Map([["A", target("third")]]));
  assert.equal(
    references.ask(one, (definitions) => definitions["A"]?.href),
    "first",
  );
  assert.deepEqual(one.drawn, []);
});

test("references do not redraw a forgotten reader", () => {
  const references = createReferences();
  const one = reader();
  references.ask(one, (definitions) => definitions["A"]);
  references.forget(one);
  references.update(none, new Map([["A", target("x")]]));
  assert.deepEqual(one.drawn, []);
});
