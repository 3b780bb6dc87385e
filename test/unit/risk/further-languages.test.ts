// Each flag in Elixir, Erlang, Clojure, Haskell, Lua, Dart, Make and scripts without an ending, and beside each flag what only
// looks like it; also what a signature may gain without being another one.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { flagsOf } from "../../support/risk.ts";

const flags = (path: string, before: string, after: string | undefined) =>
  flagsOf({ path, before, after }).flatMap((hunk) => hunk.flags);

type Case = readonly [what: string, path: string, before: string, after: string | undefined];

function flagging(flag: string, cases: readonly Case[], others: readonly Case[]): void {
  for (const [what, path, before, after] of cases)
    test(`flags ${what} in ${path}`, () => assert.ok(flags(path, before, after).includes(flag)));
  for (const [what, path, before, after] of others)
    test(`does not flag ${what} in ${path}`, () => assert.ok(!flags(path, before, after).includes(flag)));
}

describe("flagsOf for form in further languages", () => {
  flagging(
    "format-only",
    [
      ["blanks", "lib/a.ex", "a(%B{}=c)\n", "a(%B{} = c)\n"],
      ["lines of a list", "rebar.config", '{deps, [{a, "1"}]}.\n', '{deps, [\n  {a, "1"}\n]}.\n'],
      ["blanks in a table", "lua/a.lua", "local a = {}\nb.c = {}\n", "local a = { }\n\nb.c = { }\n"],
      ["a chain", "lib/a.rb", "A = b(1).c(2).freeze\n", "A =\n  b(1)\n  .c(2)\n  .freeze\n"],
      ["a head", "gradlew", "a ( ) {\n    b\n}\n", "a () {\n    b\n}\n"],
      ["lines of a call", "src/a.clj", "(a b\n   c)\n", "(a b c)\n"],
    ],
    [
      ["a name that falls apart", "src/a.clj", "(a-b c)\n", "(a - b c)\n"],
      ["a literal", "lib/a.ex", "a(~s{b  c})\n", "a(~s{b c})\n"],
      ["a long literal", "lua/a.lua", "a([[b  c]])\n", "a([[b c]])\n"],
      ["indentation", "src/A.hs", "a = do\n  b\n  c\n", "a = do\n  b\nc\n"],
      ["a pragma", "src/A.hs", "{-# LANGUAGE A #-}\na = 1\n", "{-# LANGUAGE B #-}\na = 1\n"],
      ["two statements", "lib/a.ex", "a\nb\n", "a b\n"],
    ],
  );
});
