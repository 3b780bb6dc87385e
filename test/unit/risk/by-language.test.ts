// Each flag in the words of the languages and files that are used most: one small change of every kind, as real ones write
// it, and beside them changes that only look alike.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { flagsOf } from "../../support/risk.ts";

type Case = readonly [path: string, before: string, after: string];

const has = (flag: string, [path, before, after]: Case): boolean =>
  flagsOf({ path, before, after }).some(({ flags }) => flags.some((each) => each === flag));

function flagging(flag: string, cases: readonly Case[], others: readonly Case[]): void {
  test("flags each", () => {
    assert.deepEqual(
      cases.filter((each) => !has(flag, each)),
      [],
    );
  });
  test("flags none of the others", () => {
    assert.deepEqual(
      others.filter((each) => has(flag, each)),
      [],
    );
  });
}

describe("flagsOf for tests in each framework", () => {
  flagging(
    "test-weakened",
    [
      [
        "tests/a_test.cc",
        "TEST(A, B) {\n  int x = f();\n  EXPECT_EQ(x, 1);\n  g();\n}\n",
        "TEST(A, B) {\n  int x = f();\n  g();\n}\n",
      ],
      [
        "tests/a_test.cc",
        "TEST(A, B) {\n  EXPECT_EQ(x, 1);\n}\n",
        "TEST(A, DISABLED_B) {\n  EXPECT_EQ(x, 1);\n}\n",
      ],
      [
        "tests/a_test.cc",
        "TEST(A, B) {\n  EXPECT_EQ(x, 1);\n}\n",
        'TEST(A, B) {\n  GTEST_SKIP() << "later";\n  EXPECT_EQ(x, 1);\n}\n',
      ],
      [
        "tests/a.cpp",
        'TEST_CASE("a") {\n  REQUIRE(f() == 1);\n}\n',
        'TEST_CASE("a") {\n  REQUIRE(f() > 0);\n}\n',
      ],
      [
        "tests/ATest.php",
        "  public function testA(): void\n  {\n    $this->assertSame(1, f());\n  }\n",
        '  public function testA(): void\n  {\n    $this->markTestSkipped("x");\n    $this->assertSame(1, f());\n  }\n',
      ],
      [
        "tests/ATest.php",
        "  public function testA(): void\n  {\n    $this->assertSame(1, f());\n    g();\n  }\n",
        "  public function testA(): void\n  {\n    g();\n  }\n",
      ],
      [
        "Tests/ATests.swift",
        "func testA() {\n  XCTAssertEqual(a, 1)\n  g()\n}\n",
        "func testA() {\n  g()\n}\n",
      ],
      [
        "Tests/ATests.swift",
        "@Test func a() {\n  #expect(a == 1)\n}\n",
        '@Test(.disabled("x")) func a() {\n  #expect(a == 1)\n}\n',
      ],
      ["index.test-d.ts", "expectType<A>(a);\nexpectError(b());\n", "expectType<A>(a);\n"],
      [
        "test/a.bats",
        '@test "a" {\n  run x\n  [ "$status" -eq 0 ]\n}\n',
        '@test "a" {\n  skip "x"\n  run x\n  [ "$status" -eq 0 ]\n}\n',
      ],
      [
        "src/commonTest/kotlin/ATest.kt",
        "@Test fun a() {\n  assertEquals(1, a)\n}\n",
        "@Ignore @Test fun a() {\n  assertEquals(1, a)\n}\n",
      ],
    ],
    [
      [
        "tests/a_test.cc",
        "TEST(A, B) {\n  EXPECT_EQ(x, 1);\n}\n",
        "TEST(A, B) {\n  EXPECT_EQ(x, 1);\n}\n\nTEST(A, C) {\n  GTEST_SKIP();\n  EXPECT_EQ(x, 2);\n}\n",
      ],
      [
        "a.test.ts",
        'test("a", () => { expect(1).toBe(1); });\nfoo();\n',
        'test("a", () => { expect(1).toBe(1); });\ntest.skip("b", () => { expect(2).toBe(2); });\nbar();\n',
      ],
      [
        "a_test.go",
        "func TestA(t *testing.T) {\n\tx()\n}\n",
        'func TestA(t *testing.T) {\n\ty()\n}\n\nfunc TestB(t *testing.T) {\n\tt.Skip("x")\n}\n',
      ],
      [
        "a_test.go",
        'var t = []struct{a, b string}{\n\t{"a", "b"},\n\t{"c", "d"},\n}\n',
        'var t = []struct{a, b string}{\n\t{\n\t\t"a",\n\t\t"b",\n\t},\n\t{"c", "d"},\n}\n',
      ],
    ],
  );
});

describe("flagsOf for errors in each language", () => {
  flagging(
    "errors-swallowed",
    [
      ["a.py", "import x\nf()\n", "import x\nwith contextlib.suppress(KeyError):\n    f()\n"],
      ["a.rb", "begin\n  f\nrescue A\n  log\nend\n", "begin\n  f\nrescue A\n\nrescue B\n  log\nend\n"],
      ["a.rs", "let a = f()?;\n", "let a = f().ok();\n"],
      ["a.rs", "f()?;\n", "let _ = f();\n"],
      ["A.cs", "try { F(); }\ncatch { throw; }\n", "try { F(); }\ncatch { return; }\n"],
      [
        "A.cs",
        "try\n{\n  F();\n}\ncatch\n{\n  throw;\n}\n",
        "try\n{\n  F();\n}\ncatch\n{\n  // x\n  return;\n}\n",
      ],
      ["a.js", "x();\n", "fs.unlink(p, () => {});\n"],
      ["a.js", "x();\n", 's.on("error", () => {});\n'],
      ["a.go", "\tif err := f(); err != nil {\n\t\treturn err\n\t}\n", "\t_ = f()\n"],
      ["a.go", "\tif err != nil {\n\t\treturn err\n\t}\n", "\tif err != nil {\n\t\tcontinue\n\t}\n"],
      ["a.cpp", "try { f(); } catch (...) { throw; }\n", "try { f(); } catch (...) {}\n"],
      ["a.php", "$a = fopen($b);\n", "$a = @fopen($b);\n"],
      ["a.php", "try { f(); } catch (A $e) { throw $e; }\n", "try { f(); } catch (A $e) { return null; }\n"],
      ["a.swift", "let a = try f()\n", "let a = try? f()\n"],
      ["a.sh", "rm x\n", "rm x || true\n"],
      ["A.kt", "val a = f()\n", "val a = runCatching { f() }.getOrNull()\n"],
      ["a.go", "\tif err != nil {\n\t\treturn err\n\t}\n", "\tif err != nil {\n\t\treturn nil\n\t}\n"],
      ["a.js", "f((err) => {\n  if (err) throw err;\n});\n", "f((err) => {\n  if (err) return;\n});\n"],
    ],
    [
      ["a.go", "\tif err != nil {\n\t\treturn nil\n\t}\n", "\tif err != nil {\n\t\treturn nil, err\n\t}\n"],
      ["a.js", "f((err) => {\n});\n", "f((err) => {\n  if (err) return cb(err);\n});\n"],
      ["a.rs", "g();\n", 'let _ = write!(out, "a");\n'],
    ],
  );
});

describe("flagsOf for form in each kind of file", () => {
  flagging(
    "format-only",
    [
      ["a.yml", "a: 1", "a: 1\n"],
      ["a.toml", "a = 1", "a = 1\n"],
      ["a.toml", "a=1\n", "a = 1\n"],
      ["a.toml", '[t]\na = [\n  "x", "y"\n]\n', '[t]\na = [\n  "x",\n  "y",\n]\n'],
      ["build.gradle", 'dependencies {\n    api "a:b:1"\n}\n', 'dependencies {\n  api "a:b:1"\n}\n'],
      [
        "a.gemspec",
        'Gem::Specification.new do |s|\n  s.name = "a"\nend\n',
        'Gem::Specification.new do |s|\n  s.name    = "a"\nend\n',
      ],
      ["A.csproj", "<Project>\n<A />\n</Project>\n", "<Project>\n  <A />\n</Project>\n"],
      ["a.sh", "if a; then\n\tb\nfi\n", "if a; then\n  b\nfi\n"],
      ["a.c", "//x\nint a;\n", "// x\nint a;\n"],
      ["a.ts", "/**\n * a\n * b\n */\nf();\ng();\n", "/**\n * a\n *\n * b\n */\nf();\nh();\n"],
      ["a.ts", "/**\n * a b\n * c\n */\nf();\ng();\n", "/**\n * a b c\n */\nf();\nh();\n"],
      ["a.cpp", "f(buffer<char>& a);\n", "f(buffer<char> & a);\n"],
      ["a.cpp", "auto f(a b)\n    -> c;\n", "auto f(a b) -> c;\n"],
      ["A.kt", `throw A(\n    "x \${a} y")\n`, `throw A(\n  "x \${a} y",\n)\n`],
      ["a.py", 'raise A(f"{b} c")\n', 'raise A(\n    f"{b} c"\n)\n'],
    ],
    [
      ["a.sh", "rm -rf /tmp/a\n", "rm -rf /tmp/ a\n"],
      ["a.sh", "cat <<EOF\n\tb\nEOF\n", "cat <<EOF\n  b\nEOF\n"],
    ],
  );
});

describe("flagsOf for settings that run something", () => {
  flagging(
    "executable-config",
    [
      [".github/actions/a/action.yml", "a: 1\n", "a: 2\n"],
      [".eslintrc.json", '{\n  "plugins": [\n    "a"\n  ]\n}\n', '{\n  "plugins": [\n    "b"\n  ]\n}\n'],
    ],
    [
      [".github/workflows/test/a.json", '{"a": 1}\n', '{"a": 2}\n'],
      [".github/ISSUE_TEMPLATE/bug.yml", "a: 1\n", "a: 2\n"],
      [
        "pom.xml",
        "<project>\n <parent>\n  <groupId>a</groupId>\n  <version>1.0-SNAPSHOT</version>\n </parent>\n</project>\n",
        "<project>\n <parent>\n  <groupId>a</groupId>\n  <version>1.0</version>\n </parent>\n</project>\n",
      ],
      [
        "build.gradle.kts",
        "dependencies {\n}\n",
        'dependencies {\n  implementation("a:b:1") { isTransitive = false }\n}\n',
      ],
      [
        "a.gemspec",
        "x do |s|\nend\n",
        'x do |s|\n  s.add_dependency "a", "~> 1" if RUBY_VERSION >= "3.0"\nend\n',
      ],
      ["pom.xml", "<project>\n <!--\n a\n -->\n</project>\n", "<project>\n <!-- b\n a\n c -->\n</project>\n"],
      [
        ".eslintrc.json",
        '{\n  "rules": {\n    "a": "error"\n  }\n}\n',
        '{\n  "rules": {\n    "a": "warn"\n  }\n}\n',
      ],
      [".golangci.yml", "linters:\n  enable:\n    - a\n", "linters:\n  enable:\n    - b\n"],
      [".prettierrc", '{\n  "semi": true\n}\n', '{\n  "semi": false\n}\n'],
      ["Makefile", "a:\n\tb\n\n\nc:\n", "a:\n\tb\n\nc:\n"],
      [
        "setup.cfg",
        "[metadata]\nclassifier =\n    A :: B\n",
        "[metadata]\nclassifier =\n    A :: B\n    A :: C\n",
      ],
    ],
  );
});

describe("flagsOf for packages", () => {
  flagging(
    "dependency",
    [
      [
        "pom.xml",
        "<project>\n <parent>\n  <groupId>a</groupId>\n  <version>1.0</version>\n </parent>\n <version>3</version>\n</project>\n",
        "<project>\n <parent>\n  <groupId>a</groupId>\n  <version>1.1</version>\n </parent>\n <version>3</version>\n</project>\n",
      ],
      [
        "build.gradle.kts",
        "dependencies {\n}\n",
        'dependencies {\n  implementation("a:b:1") { isTransitive = false }\n}\n',
      ],
      [
        "a.gemspec",
        "x do |s|\nend\n",
        'x do |s|\n  s.add_dependency "a", "~> 1" if RUBY_VERSION >= "3.0"\nend\n',
      ],
    ],
    [
      [
        "pom.xml",
        "<project>\n <parent>\n  <groupId>a</groupId>\n  <version>1.0-SNAPSHOT</version>\n </parent>\n</project>\n",
        "<project>\n <parent>\n  <groupId>a</groupId>\n  <version>1.0</version>\n </parent>\n</project>\n",
      ],
      ["build.gradle", '/*\n * a\n */\napi "a:b:1"\n', '/*\n * a\n * b */\napi "a:b:1"\n'],
    ],
  );
});

describe("flagsOf for names and entries of a package", () => {
  flagging(
    "public-api",
    [
      [
        "package.json",
        '{\n  "name": "a",\n  "exports": {\n    "types": "./a.d.ts"\n  }\n}\n',
        '{\n  "name": "a",\n  "exports": {\n    "types": "./b.d.ts"\n  }\n}\n',
      ],
      ["a.h", "int a(int b);\n", "int a(long b);\n"],
      ["A.swift", "public func a(_ b: Int) {\n}\n", "public func a(_ b: String) {\n}\n"],
    ],
    [
      ["a.h", "int a(int b);\n", "extern int a(int b);\n"],
      ["a.h", "inline A::A(int b)\n    : c(b)\n{\n}\n", "inline A::A(int b)\n    : d(b)\n{\n}\n"],
      [
        "A.swift",
        "public struct A {\n    public let a: Int\n}\n",
        "public struct A {\n    public let a: Int\n\n    init(a: Int) {\n        self.a = a\n    }\n}\n",
      ],
    ],
  );
});

describe("flagsOf for compilers", () => {
  flagging(
    "check-silenced",
    [
      ["a.cpp", "f();\n", '#pragma GCC diagnostic ignored "-Wall"\nf();\n'],
      ["CMakeLists.txt", "add_compile_options(-Wall)\n", "add_compile_options(-Wall -Wno-unused)\n"],
    ],
    [],
  );
});
