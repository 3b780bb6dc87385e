// Further ways in which each language weakens a test, drops an error, shows a name or silences a tool, and changes next to
// them that do none of this.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { flagsIn } from "../../support/risk.ts";

type Case = readonly [what: string, path: string, before: string, after: string];

function flagging(flag: string, cases: readonly Case[], others: readonly Case[]): void {
  for (const [what, path, before, after] of cases)
    test(`flags ${what}`, () => assert.ok(flagsIn(path, before, after).includes(flag)));
  for (const [what, path, before, after] of others)
    test(`does not flag ${what}`, () => assert.ok(!flagsIn(path, before, after).includes(flag)));
}

const rowsOfGo = (...rows: readonly string[]) =>
  `func TestRead(t *testing.T) {\n\tcases := []struct {\n\t\tgiven string\n\t\tgood bool\n\t}{\n${rows
    .map((row) => `\t\t{\n\t\t\tgiven: \`${row}\n  more\n\`,\n\t\t\tgood: true,\n\t\t},\n`)
    .join("")}\t}\n\trun(t, cases)\n}\n`;
const parameters = (...rows: readonly string[]) =>
  `@RunWith(Parameterized.class)\npublic class SumTest {\n  @Parameters\n  public static Object[][] all() {\n    return new Object[][] {\n${rows.map((row) => `      { ${row} },\n`).join("")}    };\n  }\n}\n`;
const specOf = (line: string) => `it "shows" do\n  ${line}\n  page.name.must_equal "a"\nend\n`;
const copied = (first: string, second: string) =>
  `def test_a():\n    ${first}\n    one()\n    two()\n    three()\n\ndef test_b():\n    ${second}\n    four()\n`;

describe("flagsOf for tests in further words", () => {
  flagging(
    "test-weakened",
    [
      ["a case with several lines that goes", "read_test.go", rowsOfGo("a", "b", "c"), rowsOfGo("a", "c")],
      ["fewer parameters of a whole class", "SumTest.java", parameters("1, 2", "2, 3"), parameters("1, 2")],
      [
        "an expectation of Minitest",
        "test/page_spec.rb",
        specOf("page.size.wont_equal 2"),
        specOf("go(page)"),
      ],
      [
        "a test of shoulda that goes",
        "test/page_test.rb",
        'context "a page" do\n  should "open" do\n    go\n  end\n  should "close" do\n    go\n  end\nend\n',
        'context "a page" do\n  should "open" do\n    go\n  end\nend\n',
      ],
      [
        "a test of Rust that one system no longer has",
        "tests/pool.rs",
        "#[test]\nfn a() {\n    assert_eq!(a(), 1);\n}\n",
        "#[cfg(not(windows))]\n#[test]\nfn a() {\n    assert_eq!(a(), 1);\n}\n",
      ],
      [
        "one more platform on which a test is left out",
        "test/pool_test.rb",
        "def test_trim\n  skip_on :jruby\n  assert_equal 1, trim\nend\n",
        "def test_trim\n  skip_on :windows, :jruby\n  assert_equal 1, trim\nend\n",
      ],
      [
        "a condition that leaves out more",
        "tests/test_pool.py",
        "@pytest.mark.skipif(on_windows, reason=why)\ndef test_a():\n    assert a() == 1\n",
        "@pytest.mark.skipif(on_windows or on_mac, reason=why)\ndef test_a():\n    assert a() == 1\n",
      ],
      [
        "an assertion that two tests had and one has now",
        "tests/test_pool.py",
        copied("assert total() == 10", "assert total() == 10"),
        `${copied("zero()", "five()")}\ndef test_c():\n    assert total() == 10\n`,
      ],
    ],
    [
      [
        "a new test of Rust for one system",
        "tests/pool.rs",
        "#[test]\nfn a() {\n    assert_eq!(a(), 1);\n}\n",
        "#[test]\nfn a() {\n    assert_eq!(a(), 1);\n}\n\n#[cfg(windows)]\n#[test]\nfn b() {\n    assert_eq!(b(), 1);\n}\n",
      ],
      ["cases that come", "read_test.go", rowsOfGo("a"), rowsOfGo("a", "b")],
      [
        "a method that moves under another name",
        "src/test/java/AllTest.java",
        "class AllTest {\n    @Test\n    void testOld() {\n        assertEquals(1, first());\n        assertEquals(2, second());\n    }\n\n    @Test\n    void testStays() {\n        assertEquals(3, third());\n    }\n\n    int one;\n    int two;\n    int three;\n}\n",
        "class AllTest {\n    @Test\n    void testStays() {\n        assertEquals(3, third());\n    }\n\n    int one;\n    int two;\n    int three;\n\n    @Test\n    void testNew() {\n        assertEquals(1, first());\n        assertEquals(2, second());\n    }\n}\n",
      ],
      [
        "a snapshot in place of which an element is looked for",
        "test/page.test.tsx",
        'it("a", async () => {\n  await sleep(1)\n  expect(box.text).toMatchInlineSnapshot(`"a: 1"`)\n})\n',
        'it("a", async () => {\n  await screen.findByText("a: 1")\n})\n',
      ],
      [
        "a helper of Go that goes as a whole",
        "read_test.go",
        "func TestA(t *testing.T) {\n\trun(t)\n}\n\nfunc create(t *testing.T) string {\n\tif err := write(); err != nil {\n\t\tt.Fatal(err)\n\t}\n\treturn name\n}\n",
        "func TestA(t *testing.T) {\n\trun(t)\n}\n",
      ],
      [
        "a new test that expects an exception in its own way",
        "src/commonTest/LoadTest.kt",
        "class LoadTest {\n    @Test\n    fun one() {\n        assertSame(a, b)\n    }\n}\n",
        "class LoadTest {\n    @Test\n    fun one() {\n        assertSame(a, b)\n    }\n\n    @Test\n    fun two() {\n        try {\n            load()\n        } catch (_: Stopped) {}\n        assertSame(c, d)\n    }\n}\n",
      ],
      [
        "a skipped new test beside another text of the one above",
        "tests/test_run.py",
        '@mark\ndef test_a():\n    """Fails."""\n    assert run() == 1\n',
        '@mark\ndef test_a():\n    """Fails on main."""\n    assert run() == 1\n\n\n@pytest.mark.skipif(no_shell, reason=why)\ndef test_b():\n    assert run() == 2\n',
      ],
    ],
  );
});

describe("flagsOf for errors in further words", () => {
  const fresh = (what: string, path: string, after: string): Case => [what, path, "\n", after];
  flagging(
    "errors-swallowed",
    [
      fresh(
        "a class of errors that Ruby drops",
        "lib/a.rb",
        "begin\n  io.close\nrescue IOError\n  # Gone.\nend\n",
      ),
      fresh(
        "several of them, for a value",
        "lib/a.rb",
        'def word\n  read\nrescue EOFError, IOError => e\n  ""\nend\n',
      ),
      fresh(
        "a value of Java in place of a result",
        "src/A.java",
        "try {\n  return wrap(v);\n} catch (Exception e) {\n  return v; // as it is\n}\n",
      ),
      fresh(
        "a value of Kotlin in its place",
        "src/A.kt",
        "val a = try {\n  read()\n} catch (e: IOException) {\n  before\n}\n",
      ),
      fresh("a file of Ruby that is missing", "lib/a.rb", "begin\n  require 'fast'\nrescue LoadError\nend\n"),
      fresh(
        "a constant of Ruby in its place",
        "lib/a.rb",
        "begin\n  host = peer.last\nrescue Errno::ENOTCONN\n  host = LOCALHOST\nend\n",
      ),
      fresh(
        "a value of C# in its place",
        "src/A.cs",
        "try { return Wrap(v); }\ncatch (Exception ex) {\n  return v;\n}\n",
      ),
    ],
    [
      fresh(
        "a failure that was expected",
        "tests/a/index.js",
        "try {\n  require('./b');\n  failures++;\n} catch (e) {\n  // good\n}\n",
      ),
      fresh(
        "a value that tells the error",
        "src/A.java",
        "try {\n  return ok();\n} catch (Exception e) {\n  return e.text;\n}\n",
      ),
      fresh(
        "an error that Ruby raises again",
        "lib/a.rb",
        "begin\n  go\nrescue IOError\n  close\n  raise\nend\n",
      ),
      fresh("a count of Go", "a.go", "func a() {\n\t_ = runtime.Callers(0, found)\n}\n"),
      fresh(
        "a result of a function next to it that gives no error",
        "a.go",
        "func a() {\n\ti, res, _ = parse(text, i)\n}\n\nfunc parse(text string, i int) (int, Result, bool) {\n\treturn i, res, true\n}\n",
      ),
    ],
  );
});

describe("flagsOf for public names in further words", () => {
  flagging(
    "public-api",
    [
      [
        "a method of Kotlin that says nothing of itself",
        "src/Box.kt",
        "class Box {\n    fun open(a: Int) {}\n}\n",
        "class Box {\n    fun open(a: Long) {}\n}\n",
      ],
      [
        "a class of PHP that goes",
        "src/Mail.php",
        "class Mail\n{\n    public function send()\n    {\n    }\n}\n",
        "",
      ],
      [
        "a member that TypeScript demands now",
        "src/a.ts",
        "export interface A {\n  one: string\n}\n",
        "export interface A {\n  one: string\n  two: string\n}\n",
      ],
    ],
    [
      [
        "a function within a method",
        "src/a.py",
        "class A:\n    def run(self):\n        def inner(a):\n            return a\n\n        return inner(1)\n",
        "class A:\n    def run(self):\n        def other(a):\n            return a\n\n        return other(1)\n",
      ],
      [
        "what a constructor of C# calls",
        "src/A.cs",
        "namespace A\n{\n    public class B : C\n    {\n        public B(int a)\n            : this(a, false)\n        { }\n    }\n}\n",
        "namespace A\n{\n    public class B : C\n    {\n        public B(int a)\n            : base(a)\n        { }\n    }\n}\n",
      ],
      [
        "a block of Ruby",
        "lib/a.rb",
        "class A\n  def each\n  end\nend\n",
        "class A\n  def each(&block)\n  end\nend\n",
      ],
      ["brackets around one result of Go", "a.go", "func A() (*B) {\n}\n", "func A() *B {\n}\n"],
      [
        "the order of modifiers of Kotlin",
        "src/A.kt",
        "public inline suspend fun a(b: C) {\n}\n",
        "public suspend inline fun a(b: C) {\n}\n",
      ],
      [
        "what Kotlin hides",
        "src/Box.kt",
        "class Box {\n    private fun open(a: Int) {}\n}\n",
        "class Box {\n    private fun open(a: Long) {}\n}\n",
      ],
      [
        "a body of one expression",
        "src/Box.kt",
        "class Box {\n    fun name(): String = one\n}\n",
        "class Box {\n    fun name(): String = two\n}\n",
      ],
      [
        "the name of a parameter or a receiver of Go",
        "a.go",
        "func (a Box) Open(_ Context, n, m int) error {\n\treturn nil\n}\n",
        "func (b Box) Open(c Context, x int, y int) error {\n\treturn nil\n}\n",
      ],
      [
        "the name of a parameter of Ruby",
        "lib/a.rb",
        "class Box\n  def open(by, size = 1)\n  end\nend\n",
        "class Box\n  def open(store, size = 1)\n  end\nend\n",
      ],
      [
        "the name of a lifetime",
        "src/a.rs",
        "pub struct Part<'r>(pub &'r [u8]);\npub fn all(&self) -> Parts {\n}\n",
        "pub struct Part<'t>(pub &'t [u8]);\npub fn all(&self) -> Parts<'_> {\n}\n",
      ],
      [
        "one more value of a type",
        "src/a.ts",
        'export type A =\n  | "one"\n  | (string & {});\n',
        'export type A =\n  | "one"\n  | "two"\n  | (string & {});\n',
      ],
      [
        "a member that may be missing",
        "src/a.ts",
        "export interface A {\n  one: string\n}\n",
        "export interface A {\n  one: string\n  two?: ((id: string) => void) | undefined\n}\n",
      ],
      ["an example", "examples/box/main.rs", "pub fn open(a: u8) {}\n", "pub fn open(a: u16) {}\n"],
    ],
  );
});

describe("flagsOf for literals in further words", () => {
  const verbatim = (name: string) =>
    `var a = @"{\n  ""One"": ""b"",\n  ""Two"": 2\n}";\nRun(a, Mode.${name});\nvar b = @"c ""d"" e";\n`;

  test("reads two quotes in a literal of C# as one", () => {
    assert.deepEqual(flagsIn("src/A.cs", verbatim("One"), verbatim("Two")), []);
  });

  test("sees a change in a literal that never ends", () => {
    assert.deepEqual(flagsIn("src/a.go", "a := `one\ntwo\n", "a := `one\nthree\n"), []);
  });

  test("takes either kind of quotes of Ruby for the same where nothing is computed", () => {
    assert.deepEqual(flagsIn("lib/a.rb", "go 'a'\n", 'go "a"\n'), ["format-only"]);
    assert.deepEqual(flagsIn("lib/a.rb", "go 'a#{b}'\n", 'go "a#{b}"\n'), []);
  });
});

describe("flagsOf for settings in further words", () => {
  const project = (...lines: readonly string[]) =>
    `<Project>\n  <ItemGroup>\n    <PackageReference Include="A" Version="1.0.0" />\n${lines.join("")}  </ItemGroup>\n</Project>\n`;
  const pom = (line: string) =>
    `<project xmlns="a"\n  b="c">\n  <properties>\n    <kotlin.version>1</kotlin.version>\n  </properties>\n  <contributors>\n    <contributor>\n      <name>A</name>\n    </contributor>\n  </contributors>\n  <build>\n    <plugins>\n      <plugin>\n        <artifactId>exec</artifactId>\n      </plugin>\n    </plugins>\n  </build>\n${line}</project>\n`;
  const gradle = (...lines: readonly string[]) =>
    `dependencies {\n${lines.map((line) => `    ${line}\n`).join("")}}\n`;

  for (const [what, path, before, after, expected] of [
    [
      "a package and what runs beside it",
      "build.gradle",
      gradle("implementation 'a:b:1'"),
      gradle("implementation 'a:b:2'", "exec { run() }"),
      ["executable-config", "dependency"],
    ],
    [
      "what is compiled with, in older words",
      "build.gradle",
      gradle('compile "a:b:$one"', "c()"),
      gradle("c()"),
      ["dependency"],
    ],
    [
      "an item beside a package",
      "src/A.csproj",
      project(),
      project('    <Target Name="B" />\n'),
      ["executable-config"],
    ],
    [
      "a version among the properties of Maven",
      "pom.xml",
      pom(""),
      pom("").replace(">1<", ">2<"),
      ["dependency"],
    ],
    ["people whom Maven names", "pom.xml", pom(""), pom("").replace(">A<", ">B<"), []],
    ["a plugin of Maven", "pom.xml", pom(""), pom("").replace("exec", "ant"), ["executable-config"]],
    [
      "what a package is built with",
      "pyproject.toml",
      '[build-system]\nrequires = ["a"]\n',
      '[build-system]\nrequires = ["b"]\n',
      ["executable-config", "dependency"],
    ],
    ["other quotes around a package", "Gemfile", 'gem "a"\n', "gem 'a'\n", ["format-only"]],
    ["why a package is there", "requirements/dev.txt", "a==1  # via b, c\n", "a==1  # via b\n", []],
    [
      "a rule of RuboCop that is off",
      ".rubocop.yml",
      "Lint/A:\n  Max: 2\n",
      "Lint/A:\n  Enabled: false\n",
      ["check-silenced"],
    ],
    ["what RuboCop loads", ".rubocop.yml", "require:\n  - a\n", "require:\n  - b\n", ["executable-config"]],
    [
      "a file that RuboCop reads again",
      ".rubocop.yml",
      "AllCops:\n  Exclude:\n    - a.rb\n    - b.rb\n",
      "AllCops:\n  Exclude:\n    - a.rb\n",
      [],
    ],
    [
      "numbers of warnings",
      "src/A.csproj",
      project(),
      project("    <NoWarn>1591,1573</NoWarn>\n"),
      ["check-silenced"],
    ],
    [
      "a rule of ktlint that is off",
      ".editorconfig",
      "[*.kt]\n",
      "[*.kt]\nktlint_standard_indent = disabled\n",
      ["check-silenced"],
    ],
    [
      "an attribute by its full name",
      "src/A.cs",
      "class A { }\n",
      '[System.Diagnostics.CodeAnalysis.SuppressMessage("A", "B")]\nclass A { }\n',
      ["check-silenced"],
    ],
  ] as const)
    test(`tells ${what}`, () => assert.deepEqual([...new Set(flagsIn(path, before, after))], expected));
});
