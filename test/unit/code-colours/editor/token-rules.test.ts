// What the page takes from a colour theme.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  codeColoursOf,
  readTokenRules,
} from "../../../../src/code-colours/editor/internal/highlighter-colours.ts";
import { parseLoosely } from "../../../../src/util/json.ts";

const coloursOf = (tokenColors: unknown) => codeColoursOf(readTokenRules(tokenColors));
const rule = (scope: string | string[], foreground: unknown) => ({ scope, settings: { foreground } });

test("codeColoursOf uses the most specific scope for each kind of word", () => {
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

test("codeColoursOf prefers the later of two equally specific rules, so a user's rules override the theme's", () => {
  assert.deepEqual(coloursOf([rule("comment", "#111"), rule("comment", "#222")]), { comment: "#222" });
});

test("codeColoursOf ignores invalid colours, missing scopes and nested scopes", () => {
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

test("parseLoosely accepts comments and trailing commas", () => {
  const text = '\uFEFF{ // a "theme"\n "name": "a // b, ] /* c */ \\"d\\"", /* x, */ "list": [1, 2,\n ], }';
  assert.deepEqual(parseLoosely(text), { name: 'a // b, ] /* c */ "d"', list: [1, 2] });
});
