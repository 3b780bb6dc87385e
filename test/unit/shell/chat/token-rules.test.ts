// What the page takes from a colour theme.
import assert from "node:assert/strict";
import { test } from "node:test";
import { codeColoursOf, parseLoosely, readTokenRules } from "../../../../src/shell/chat/token-rules.ts";

const coloursOf = (tokenColors: unknown) => codeColoursOf(readTokenRules(tokenColors));
const rule = (scope: string | string[], foreground: unknown) => ({ scope, settings: { foreground } });

test("a word takes the colour of the scope that says most about it", () => {
  const colours = coloursOf([
    rule("string", "#111111"),
    rule(["comment", "punctuation.definition.comment"], "#222222"),
    rule("string.regexp", "#333333"),
    rule("keyword, storage", "#444444"),
    rule("entity.name", "#555555"),
  ]);
  assert.deepEqual(colours, {
    comment: "#222222",
    keyword: "#444444",
    string: "#111111",
    function: "#555555",
    type: "#555555",
    tag: "#555555",
    regexp: "#333333",
    meta: "#444444",
  });
});

test("of two rules that say as much the later one counts: a user's own stand behind the theme's", () => {
  assert.deepEqual(coloursOf([rule("comment", "#111"), rule("comment", "#222")]), { comment: "#222" });
});

test("what is no colour, no scope, or a scope within another one says nothing", () => {
  const odd = [
    null,
    1,
    "x",
    {},
    rule("comment", "red; background: url(x)"),
    rule("comment", 7),
    { scope: 1 },
  ];
  assert.deepEqual(coloursOf([...odd, rule("meta.import string", "#111111")]), {});
  assert.deepEqual(coloursOf(undefined), {});
  assert.deepEqual(coloursOf("./colours.tmTheme"), {});
});

test("themes are read as they are written: with comments, and commas too many", () => {
  const text = '\uFEFF{ // a "theme"\n "name": "a // b, ] /* c */ \\"d\\"", /* x, */ "list": [1, 2,\n ], }';
  assert.deepEqual(parseLoosely(text), { name: 'a // b, ] /* c */ "d"', list: [1, 2] });
});
