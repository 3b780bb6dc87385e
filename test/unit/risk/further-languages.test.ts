// Each flag in Elixir, Erlang, Clojure, Haskell, Lua, Dart, Make and scripts without an ending, and beside each flag what only
// looks like it; also what a signature may gain without being another one.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { flagsOf } from "../../support/risk.ts";

const flags = (path: string, before: string, after: string | undefined) =>
  flagsOf({ path, before, after }).flatMap((hunk) => hunk.flags);
const lines = (...all: readonly string[]) => `${all.join("\n")}\n`;

type Case = readonly [what: string, path: string, before: string, after: string | undefined];

function flagging(flag: string, cases: readonly Case[], others: readonly Case[]): void {
  for (const [what, path, before, after] of cases)
    test(`flags ${what} in ${path}`, () => assert.ok(flags(path, before, after).includes(flag)));
  for (const [what, path, before, after] of others)
    test(`does not flag ${what} in ${path}`, () => assert.ok(!flags(path, before, after).includes(flag)));
}

const ex = (more: string) =>
  lines("defmodule ATest do", '  test "a" do', "    assert a() == 1", "  end", more, "end");
const exTest = lines('  test "b" do', "    assert b() == 2", "  end");
const cljTest = (name: string) => lines(`(deftest ${name}`, `  (is (= 1 (${name}))))`, "");
const suite = (body: string) =>
  lines(
    "init_per_suite(Config) ->",
    "\tcase found() of",
    `\t\ttrue -> ${body};`,
    "\t\tfalse -> Config",
    "\tend.",
  );
const rust = (more: string) =>
  lines(
    "pub fn a() -> u8 {",
    "    1",
    "}",
    "",
    "#[test]",
    "fn one() {",
    "    let a = a();",
    "    let b = a;",
    "    let c = b;",
    "    assert_eq!(c, 1);",
    "}",
    more,
  );
const fixture = (row: string) =>
  `@pytest.fixture(params=[\n${row}    pytest.param(1, id="one"),\n])\ndef a(request):\n    return request.param\n`;
const raising = (first: string, second: string) =>
  `def test_a():\n    with pytest.raises(${first}:\n        run()\n${second}`;
const skipping = (name: string) =>
  lines(
    "    /**",
    "     * @test",
    "     */",
    `    public function ${name}(): void`,
    "    {",
    "        $this->markTestSkipped('a');",
    "        $this->assertSame(1, a());",
    "    }",
  );

describe("flagsOf for tests in further languages", () => {
  flagging(
    "test-weakened",
    [
      ["a test that goes", "test/a_test.exs", ex(exTest), ex("")],
      ["a test that is skipped", "test/a_test.exs", ex(exTest), ex(`  @tag :skip\n${exTest}`)],
      ["a test that goes", "integration_test/pg/a.ex", ex(exTest), undefined],
      ["a test that goes", "test/a/cookies.clj", cljTest("a") + cljTest("b"), cljTest("a")],
      ["a suite that is skipped", "test/a_SUITE.erl", suite("Config"), suite("skip")],
      [
        "a test that goes",
        "spec/a_spec.lua",
        'it("a", function()\n  assert.equal(1, a())\nend)\nb()\n',
        "b()\n",
      ],
      [
        "a test that goes",
        "test/ASpec.hs",
        'main = do\n  it "a" $ a `shouldBe` 1\n  b\n',
        "main = do\n  b\n",
      ],
      ["a test that goes", "test/a_test.dart", "test('a', () {\n  expect(a, 1);\n});\nb();\n", "b();\n"],
      [
        "tests beside the code",
        "src/a.rs",
        rust(lines("", "#[test]", "fn two() {", "    assert_eq!(a(), 2);", "}")),
        rust(""),
      ],
      ["a row of parameters", "tests/conftest.py", fixture('    pytest.param(2, id="two"),\n'), fixture("")],
      [
        "a text that is no longer matched",
        "tests/test_a.py",
        raising('A, match="b")', ""),
        raising("A)", ""),
      ],
      [
        "a part of what was compared",
        "tests/test_a.py",
        'def test_a():\n    assert a(b) == (("c",), ("d",))\n',
        'def test_a():\n    assert a(b)[0] == ("c",)\n',
      ],
      ["a test of types", "test/a.test-d.ts", "import a from '..';\na.register(b);\n", undefined],
      [
        "what tries again",
        "tests/ATest.php",
        lines("class ATest", "{", "}"),
        lines(
          "class ATest",
          "{",
          "    protected function setUp(): void",
          "    {",
          "        $this->retryOnException(A::class, 1);",
          "    }",
          "}",
        ),
      ],
      [
        "what skips before each test",
        "tests/ATest.php",
        lines("class ATest", "{", "}"),
        lines(
          "class ATest",
          "{",
          "    protected function setUp(): void",
          "    {",
          "        $this->markTestSkipped('a');",
          "    }",
          "}",
        ),
      ],
    ],
    [
      [
        "a text that is matched where it was looked for",
        "tests/test_a.py",
        raising("A) as info", '    assert "b" in str(info)\n'),
        raising('A, match="b")', ""),
      ],
      [
        "new tests that are skipped",
        "tests/ATest.php",
        lines("class ATest", "{", "}"),
        lines("class ATest", "{", skipping("a"), skipping("b"), "}"),
      ],
      [
        "a helper that goes",
        "src/test/java/org/ThrowableAssert.java",
        lines(
          "public class ThrowableAssert {",
          "    void throwsMessage(String a) {",
          "        assertEquals(a, b);",
          "    }",
          "}",
        ),
        undefined,
      ],
    ],
  );
});

const ruby = (body: string) => lines("def a", "  b = c", "rescue A, B", body, "end");
const python = (given: string) =>
  lines(
    "try:",
    "    a = b()",
    "except Exception:",
    "    # Nothing.",
    `    return ${given}`,
    "else:",
    "    return a",
  );

describe("flagsOf for errors in further languages", () => {
  const fresh = (what: string, path: string, after: string): Case => [what, path, "\n", after];
  flagging(
    "errors-swallowed",
    [
      fresh("a call whose failure nobody reads", "lua/a.lua", "local function a()\n  pcall(b, 1)\nend\n"),
      fresh(
        "whatever is caught",
        "src/a.erl",
        "a() ->\n\ttry b() of\n\t\tC -> C\n\tcatch _:_ ->\n\t\t%% No.\n\t\tnone\n\tend.\n",
      ),
      fresh("whatever is rescued", "lib/a.ex", "try do\n  b()\nrescue\n  _ -> nil\nend\n"),
      fresh("a command that may fail", "Makefile", "a:\n\tcp b c || true\n"),
      fresh("a command whose failure is ignored", "Makefile", "a:\n\t-cp b c\n"),
      fresh("a command that may fail", "bin/run", "#!/usr/bin/env bash\nread -r a || true\n"),
      [
        "a result that is not asked for",
        "src/a.cpp",
        "void a() {\n  if (std::fflush(f) != 0) b();\n}\n",
        "void a() {\n  (void)std::fflush(f);\n}\n",
      ],
      [
        "a result in place of an error",
        "a.go",
        'func a() (string, error) {\n\tif err != nil {\n\t\treturn "", err\n\t}\n}\n',
        "func a() (string, error) {\n\tif err != nil {\n\t\treturn name, nil\n\t}\n}\n",
      ],
      ["a value in place of an error", "lib/a.rb", ruby("  raise C"), ruby("  d[:e] = nil")],
      fresh("a value for every exception", "a.py", python("A(None)")),
    ],
    [
      fresh("words that may not be there", "bin/run", "#!/bin/sh\na=$(grep -v b c | grep d || true)\n"),
      fresh(
        "a call that is asked",
        "lua/a.lua",
        "local ok = pcall(b)\nif not pcall(c) then\nend\nlocal d =\n  pcall(e)\n",
      ),
      fresh(
        "one exception",
        "src/a.erl",
        "a() ->\n\ttry b() catch\n\t\terror:badarg ->\n\t\t\tnone\n\tend.\n",
      ),
      fresh("what tidies up, and a flag", "Makefile", "A = b \\\n\t-Wall \\\n\t-lc\nclean:\n\t-rm -f a\n"),
      fresh("a parameter that is not used", "src/a.cpp", "void a(int b) {\n  (void)b;\n}\nint c(void);\n"),
      fresh("an exception that is answered", "a.py", python("failed(500)")),
      [
        "an error that is given",
        "a.go",
        "func a() {\n}\n",
        "func a() (error, any) {\n\tif err != nil {\n\t\treturn err, nil\n\t}\n}\n",
      ],
    ],
  );
});

const elixir = (one: string) =>
  lines("defmodule A do", `  def ${one} do`, "    1", "  end", "", "  defp b(c), do: c", "end");
const erlang = (list: string) => lines("-module(a).", "-export([b/1,", `\t${list}]).`, "b(X) -> X.");
const haskell = (list: string, type: string) =>
  lines("module A (", `    ${list}`, "    ) where", "", `b :: ${type}`, "b = c", "", "d :: Int", "d = 1");
const luaModule = (head: string) =>
  lines("local M = {}", `function M.${head}`, "  return 1", "end", "function M._b(c)", "end", "return M");
const dart = (member: string) =>
  lines("export 'src/a.dart';", "class A {", `  ${member}`, "  int _c(int d) => d;", "}");
const kotlin = (note: string) => lines(`@RequiresOptIn(message = "${note}")`, "annotation class A");
const annotated = lines("", `@RequiresOptIn(message = "b")`, "annotation class B");

describe("flagsOf for public names in further languages", () => {
  flagging(
    "public-api",
    [
      ["a function that goes", "lib/a.ex", elixir("a(b)"), elixir("c(b)")],
      ["another number of values", "lib/a.ex", elixir("a(b)"), elixir("a(b, c)")],
      ["a function that is no longer shown", "src/a.erl", erlang("c/2"), erlang("d/2")],
      ["another type", "src/A.hs", haskell("b", "Int -> Int"), haskell("b", "Int -> Text")],
      ["a type of another kind", "src/A.hs", "type A = [B]\n", "data A = A { b :: [B] }\n"],
      ["another number of values", "lua/a.lua", luaModule("a(b)"), luaModule("a(c, b)")],
      [
        "a file that is no longer shown",
        "lib/a.dart",
        dart("int a() => 1;"),
        dart("int a() => 1;").replace("a.dart", "b.dart"),
      ],
      ["another parameter", "lib/a.dart", dart("int a(int b) => 1;"), dart("int a(String b) => 1;")],
      ["a function that goes", "src/a.clj", "(defn a [b] b)\n(defn c [d] d)\n", "(defn a [b] b)\n"],
      ["a parameter that must be given", "a.py", "def a(b):\n    go()\n", "def a(b, c):\n    go()\n"],
      ["another type of a parameter", "a.py", "def a(b: int):\n    go()\n", "def a(b: str):\n    go()\n"],
      [
        "parameters in another order",
        "src/A.java",
        "public class A {\n    public void a(int b, int c) {\n    }\n}\n",
        "public class A {\n    public void a(int c, int b) {\n    }\n}\n",
      ],
      [
        "a keyword of Ruby",
        "lib/a.rb",
        "class A\n  def a(b)\n  end\nend\n",
        "class A\n  def a(b:)\n  end\nend\n",
      ],
    ],
    [
      [
        "one more value that has another in its place",
        "lib/a.ex",
        elixir("a(b)"),
        elixir("a(b, c \\\\ nil)"),
      ],
      ["what is private", "lib/a.ex", elixir("a(b)"), elixir("a(b)").replace("defp b(c)", "defp b(c, _)")],
      ["another line of the list", "src/a.erl", erlang("c/2"), erlang("c/2,\n\td/0")],
      [
        "what is not in the list",
        "src/A.hs",
        haskell("b", "Int"),
        haskell("b", "Int").replace("d :: Int", "d :: Text"),
      ],
      [
        "what begins with a line",
        "lua/a.lua",
        luaModule("a(b)"),
        luaModule("a(b)").replace("_b(c)", "_b(c, d)"),
      ],
      [
        "what begins with a line",
        "lib/a.dart",
        dart("int a() => 1;"),
        dart("int a() => 1;").replace("_c(int d)", "_c(String d)"),
      ],
      [
        "a parameter that need not be given",
        "a.py",
        "def a(b):\n    go()\n",
        "def a(b, *, c=False):\n    go()\n",
      ],
      [
        "a parameter that need not be given",
        "src/a.ts",
        "export function a(b: B): C {\n}\n",
        "export function a(b: B, c?: D): C {\n}\n",
      ],
      [
        "a parameter with a value",
        "src/A.kt",
        "class A {\n    var b: Int = 1\n}\n",
        "class A(val c: Boolean = false) {\n    var b: Int = 1\n}\n",
      ],
      [
        "a type beside a name",
        "a.py",
        "def a(b) -> bytes:\n    go()\n",
        "def a(b: object) -> bytes:\n    go()\n",
      ],
      [
        "one more interface",
        "src/A.java",
        "public class A {\n}\n",
        "public class A implements Serializable {\n}\n",
      ],
      [
        "the name of a parameter",
        "src/A.java",
        "public class A {\n    public void a(Map<B, C> b) {\n    }\n}\n",
        "public class A {\n    public void a(\n            Map<B, C> c) {\n    }\n}\n",
      ],
      ["an annotation below another one", "src/A.kt", kotlin("a"), `${kotlin("c")}${annotated}`],
      [
        "a fuller name of a class",
        "lib/a.rb",
        "class A < B\n  def c\n  end\nend\n",
        "class A < ::D::B\n  def c\n  end\nend\n",
      ],
      [
        "a word before a method",
        "lib/a.rb",
        "class A\n  def c(*)\n  end\nend\n",
        "class A\n  ruby2_keywords def c(*)\n  end\nend\n",
      ],
      ["a playground", "playground/src/a.ts", "export function a(b: B) {\n}\n", undefined],
    ],
  );
});

describe("flagsOf for what further tools keep quiet", () => {
  flagging(
    "check-silenced",
    [
      ["a file", "lib/a.dart", "a();\n", "// ignore_for_file: unused_field\na();\n"],
      [
        "a warning",
        "src/a.erl",
        "-compile(export_all).\n",
        "-compile(export_all).\n-compile(nowarn_export_all).\n",
      ],
      ["one more rule", "lib/a.rb", "a # rubocop:disable A/B\n", "a # rubocop:disable A/B, A/C\n"],
      ["a line", "lua/a.lua", "a()\n", "a() -- luacheck: ignore\n"],
      ["a check", "lib/a.ex", "a()\n", "# credo:disable-for-next-line\na()\n"],
      ["a warning", "src/A.hs", "a = 1\n", "{-# OPTIONS_GHC -Wno-orphans #-}\na = 1\n"],
      ["a warning", "a.py", "import warnings\n", 'import warnings\nwarnings.simplefilter("ignore")\n'],
    ],
    [
      [
        "a warning that is an error",
        "a.py",
        "import warnings\n",
        'import warnings\nwarnings.simplefilter("error")\n',
      ],
      [
        "a reason with a comma",
        "src/a.js",
        "a(); // eslint-disable-line no-undef -- it is global\n",
        "a(); // eslint-disable-line no-undef -- it is global, here\n",
      ],
      [
        "what Git ignores",
        "eslint.config.js",
        "\n",
        "module.exports = a({ ignores: require('a').fromGit() })\n",
      ],
    ],
  );
});

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

const many = (count: number, name = "a") =>
  Array.from({ length: count }, (_, at) => `  ${name}(${at});\n`).join("");

describe("flagsOf for what goes from a file", () => {
  flagging(
    "large-deletion",
    [
      [
        "a small file of code as a whole",
        "cmd/a.go",
        `package main\n\nfunc a() {\n${many(20)}}\n`,
        undefined,
      ],
      [
        "a third of a file in two parts",
        "src/a.ts",
        `${many(20)}keep();\nkeep(1);\nkeep(2);\nkeep(3);\n${many(20, "b")}${many(20, "c")}`,
        `keep();\nkeep(1);\nkeep(2);\nkeep(3);\n${many(20, "c")}`,
      ],
    ],
    [
      [
        "a few lines of code as a whole",
        "cmd/a.go",
        `package main\n\n${"// a\n".repeat(30)}func a() {\n}\n`,
        undefined,
      ],
      ["a tenth of a file", "src/a.ts", `${many(40)}${many(400, "b")}`, many(400, "b")],
      ["a page of text", "README.md", many(60), undefined],
    ],
  );
});
