// What a test demands where it asks through a helper, and what takes nothing from it; tools that are told to be quiet, and
// settings that run nothing.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { flagsIn, flagsOf } from "../../support/risk.ts";

describe("flagsOf for tests that ask through a helper", () => {
  for (const [path, before, after] of [
    [
      "tests/test_a.py",
      "def test_a():\n    out = run()\n    _check_output(out, 1)\n    end()\n",
      "def test_a():\n    end()\n",
    ],
    [
      "a_test.go",
      "func TestA(t *testing.T) {\n\tcheckContains(t, run(), one)\n\tend()\n}\n",
      "func TestA(t *testing.T) {\n\tend()\n}\n",
    ],
    ["test/a.test-d.ts", "expectType<A>(run());\nend();\n", "end();\n"],
  ] as const)
    test(`flags one that goes from ${path}`, () => {
      assert.deepEqual(flagsIn(path, before, after), ["test-weakened"]);
    });

  test("does not flag a helper in place of what it does", () => {
    const before = 'func TestA(t *testing.T) {\n\tif !has(run(), "a") {\n\t\tt.Errorf("no a")\n\t}\n}\n';
    const after = 'func TestA(t *testing.T) {\n\tcheckHas(t, run(), "a")\n}\n';
    assert.deepEqual(flagsIn("a_test.go", before, after), []);
  });

  test("does not take a call that runs a program for one", () => {
    assert.deepEqual(
      flagsIn("tests/test_a.py", "check_output(one)\ncheck_call(two)\nend()\n", "end()\n"),
      [],
    );
  });
});

describe("flagsOf for what takes nothing from a test", () => {
  test("does not flag a new test that is skipped", () => {
    const one = "def test_a():\n    assert run() == 1\n";
    const skipped = "\n@pytest.mark.skip\ndef test_b():\n    assert run() == 2\n";
    assert.deepEqual(flagsIn("tests/test_a.py", one, `${one}${skipped}`), []);
    assert.deepEqual(flagsIn("tests/test_a.py", one, `@pytest.mark.skip\n${one}`), ["test-weakened"]);
  });

  test("flags a test that is skipped where a new one comes beside it", () => {
    for (const [path, before, after] of [
      [
        "test/a.test.ts",
        'it("a", () => {\n  expect(a()).toBe(1);\n});\n',
        'it.skip("a", () => {\n  expect(a()).toBe(1);\n});\n',
      ],
      [
        "test/a.test.ts",
        'describe("a", () => {\n  it("c", () => expect(c()).toBe(1));\n});\n',
        'describe.skip("a", () => {\n  it("c", () => expect(c()).toBe(1));\n});\n',
      ],
    ] as const) {
      const added = 'it("b", () => {\n  expect(b()).toBe(2);\n});\n';
      assert.deepEqual(flagsIn(path, before, `${added}${after}`), ["test-weakened"], after);
    }
  });

  test("does not flag a literal that is wrapped below a table of cases", () => {
    const table =
      '@pytest.mark.parametrize("a", [\n    (1, 2),\n])\ndef test_a(a):\n    assert run(a) == 1\n';
    const before = `${table}    write(\n        dent(\n            """\n    a\n            """\n        )\n    )\n`;
    const after = `${table}    write(dent("""\n    a\n            """))\n`;
    assert.ok(!flagsIn("tests/test_a.py", before, after).includes("test-weakened"));
  });
});

test("flagsOf flags a rule that a comment switches off", () => {
  for (const note of ["/*eslint no-empty:0*/", "/* eslint no-empty: off */"])
    assert.deepEqual(flagsIn("src/a.js", "run();\n", `${note}\nrun();\n`), ["check-silenced"], note);
  assert.deepEqual(flagsIn("src/a.js", "run();\n", '/* eslint no-empty: "error" */\nrun();\n'), []);
});

describe("flagsOf for settings", () => {
  const isRun = (path: string, before: string, after: string) =>
    flagsIn(path, before, after).includes("executable-config");

  test("does not flag those that run nothing", () => {
    const project = (name: string, more = "") =>
      `<Project Sdk="A.Sdk">\n  <PropertyGroup>\n    <VersionPrefix>${name}</VersionPrefix>\n  </PropertyGroup>\n  <ItemGroup>\n${more}  </ItemGroup>\n</Project>\n`;
    assert.ok(!isRun("src/A.csproj", `\ufeff${project("1.0")}`, project("1.1")));
    const file = '    <Compile Include="Cart.cs" />\r\n';
    assert.ok(!isRun("src/A.csproj", project("1.0"), project("1.0", file)));
    assert.ok(!isRun("pyproject.toml", '[tool.ruff]\ntarget = "3.8"\n', "[tool.ruff]\n"));
    assert.ok(
      !isRun("Cargo.toml", '[package]\nname = "a"\n', '[package]\nname = "a"\n\n[lib]\nbench = false\n'),
    );
  });

  test("flags those that do", () => {
    const project = (more: string) => `<Project Sdk="A.Sdk">\n${more}</Project>\n`;
    assert.ok(isRun("src/A.csproj", project(""), project('  <Exec Command="run" />\n')));
    assert.ok(isRun("src/A.csproj", project(""), project('  <Compile Include="$(Run)" />\n')));
    assert.ok(isRun("src/A.csproj", project(""), project("").replace("A.Sdk", "B.Sdk")));
    const target = '<Target>\n<Exec Command="run" />\n</Target>\n';
    assert.ok(isRun("src/A.csproj", "<Project>\n</Project>", `<Project>\n\n${target}</Project>\n`));
    const blank = Array.from({ length: 12 }, (_, length) => `${" ".repeat(length)}\n`).join("");
    assert.ok(isRun("src/A.csproj", "<Project>\n", `<Project>\n${blank}<Target />\n`));
    const version = "  <Version>1.0</Version>\n";
    assert.ok(isRun("src/A.csproj", project(""), project(`${version}\n${target}`)));
    assert.ok(
      isRun("pyproject.toml", "[tool.pytest.ini_options]\n", '[tool.pytest.ini_options]\naddopts = "-p a"\n'),
    );
    assert.ok(isRun("Cargo.toml", '[lib]\nname = "a"\n', '[lib]\nname = "a"\nproc-macro = true\n'));
  });
});

describe("flagsOf for tests that ask for less than before", () => {
  const isWeaker = (path: string, before: string, after: string) =>
    flagsIn(path, before, after).includes("test-weakened");

  test("flags times and ceilings that are raised", () => {
    for (const [path, before, after] of [
      [
        "test/a.test.ts",
        'it("a", async () => {\n  await run();\n}, 30000);\n',
        'it("a", async () => {\n  await run();\n}, 120_000);\n',
      ],
      [
        "test/a.test.ts",
        'it("a", { timeout: 30 * 1000 }, run);\n',
        'it("a", { timeout: 60 * 1000 }, run);\n',
      ],
      ["test/a.test.ts", "expect(size).toBeLessThan(2000);\n", "expect(size).toBeLessThan(3000);\n"],
      ["ATest.java", "assertTrue(took < limit * 1.2);\n", "assertTrue(took < limit * 1.8);\n"],
      ["test/a_test.rb", "assert_operator took, :<, 5\n", "assert_operator took, :<, (MAC ? 8 : 5)\n"],
      [
        "test/a.test.ts",
        "const CEILINGS: Record<string, number> = {\n  one: 10,\n  two: 20,\n};\n",
        "const CEILINGS: Record<string, number> = {\n  one: 10,\n  two: 25,\n};\n",
      ],
      [
        "Tests/ATests.swift",
        "        waitForExpectations(timeout: 3, handler: nil)\n",
        "        waitForExpectations(timeout: 5, handler: nil)\n",
      ],
      [
        "Tests/ATests.swift",
        "        wait(for: [done], timeout: 3)\n",
        "        wait(for: [done], timeout: 5)\n",
      ],
    ] as const) {
      assert.ok(isWeaker(path, before, after), before);
      assert.ok(!isWeaker(path, after, before), after);
    }
    assert.ok(
      !isWeaker("test/a.test.ts", "const sizes = {\n  one: 10,\n};\n", "const sizes = {\n  one: 11,\n};\n"),
    );
    assert.ok(!isWeaker("test/a.test.ts", "open({ timeout: 100 });\n", "open({ timeout: 200 });\n"));
  });

  test("flags tests that only run where a variable is set", () => {
    const suite = (options: string) => `describe("a", { ${options} }, () => {\n  it("b", run);\n});\n`;
    assert.ok(isWeaker("test/a.test.js", suite("timeout: 5"), suite("timeout: 5, skip: !process.env.ALL")));
    const rust = (first: string) => `#[test]\nfn a() {\n${first}    assert_eq!(run(), 1);\n}\n`;
    const asked = '    if env::var("ALL").is_err() {\n        return;\n    }\n';
    assert.ok(isWeaker("tests/a.rs", rust(""), rust(asked)));
  });

  test("flags a deleted file of tests in whatever words it asks", () => {
    for (const [path, before] of [
      [
        "core/src/test/scala/EncoderSuite.scala",
        'class EncoderSuite extends Base {\n  laws("a", of[Int])\n}\n',
      ],
      ["tests/derive_ui/flatten.rs", "fn main() {\n    run();\n}\n"],
    ] as const)
      assert.ok(
        flagsOf({ path, before, after: undefined }).some((hunk) => hunk.flags.includes("test-weakened")),
        path,
      );
  });

  test("does not flag the same demands in other words", () => {
    const before =
      'ask(app)\n  .get("/")\n  .expect("done", function(){\n    calls.should.eql(["a"]);\n    done();\n  })\n';
    const after = 'ask(app)\n  .get("/")\n  .expect(200, ["a"], done)\n';
    assert.ok(!isWeaker("test/app.js", before, after));
    const tried = "  try {\n    read()\n    fail()\n  } catch (expected: LostException) {\n  }\n";
    assert.ok(!isWeaker("src/test/ATest.kt", tried, "  assertThrows<LostException> {\n    read()\n  }\n"));
  });
});

describe("flagsOf for checks that settings or attributes switch off", () => {
  test("flags one more of them", () => {
    for (const [path, before, after] of [
      [
        "build.gradle.kts",
        "ktlint(a)\n",
        'ktlint(a).editorConfigOverride(\n  mapOf("ktlint_standard_filename" to "disabled"),\n)\n',
      ],
      [
        "src/a.rs",
        "#[allow(dead_code, unused)]\nfn a() {}\n",
        "#[allow(dead_code, unused, unused_braces)]\nfn a() {}\n",
      ],
      [
        "src/a.rs",
        "quote! {\n    #[allow(dead_code)]\n}\n",
        "quote! {\n    #[allow(dead_code, unused)]\n}\n",
      ],
    ] as const) {
      assert.ok(flagsIn(path, before, after).includes("check-silenced"), path);
      assert.ok(!flagsIn(path, after, before).includes("check-silenced"), path);
    }
  });

  test("does not flag a rule that is on and has an option of nothing", () => {
    const rules = (more: string) => `{\n  "rules": {\n    "eol-last": "error"${more}\n  }\n}\n`;
    const isSilenced = (more: string) =>
      flagsIn(".eslintrc", rules(""), rules(more)).includes("check-silenced");
    assert.ok(!isSilenced(',\n    "no-unused-vars": ["error", { "vars": "all", "args": "none" }]'));
    assert.ok(!isSilenced(',\n    "indent": [2, 4, { "SwitchCase": 0 }]'));
    assert.ok(isSilenced(',\n    "no-unused-vars": ["off", { "args": "none" }]'));
  });
});

describe("flagsOf for what a project says of itself", () => {
  const runs = (path: string, before: string, after: string) =>
    flagsIn(path, before, after).includes("executable-config");
  const gem = (files: string, other = "") =>
    `Gem::Specification.new do |s|\n  s.files = Dir["lib/**/*.rb"] + [\n    "LICENSE",\n${files}  ]\n  s.extensions = [\n${other}  ]\nend\n`;
  const pom = (inner: string) => `<project>\n${inner}</project>\n`;
  const project = (section: string, line: string) => `[${section}]\n${line}\n`;

  test("does not flag it", () => {
    for (const [path, before, after] of [
      ["a.gemspec", gem('    "ideas.md"\n'), gem('    "ideas.md",\n    "NEWS.md"\n')],
      ["a.gemspec", "s.name = 'a'\n", "s.name = 'a'\ns.metadata['source_code_uri'] = 'b'\n"],
      ["pom.xml", pom("<scm>\n<tag>HEAD</tag>\n</scm>\n"), pom("<scm>\n<tag>a-1.0</tag>\n</scm>\n")],
      [
        "pyproject.toml",
        project("tool.poetry", 'license = "MIT"'),
        project("tool.poetry", 'license = "BSD"'),
      ],
      [
        "pyproject.toml",
        project("tool.pytest.ini_options", 'testpaths = ["a"]'),
        project("tool.pytest.ini_options", 'testpaths = ["b"]'),
      ],
      ["package.json", '{\n  "browserslist": ["a"]\n}\n', '{\n  "browserslist": ["b"]\n}\n'],
      [".gitattributes", "*.a text\n", "*.a text eol=lf\n*.b -diff linguist-generated=true\n"],
      ["gradle.properties", "VERSION_NAME=1.0\n", "VERSION_NAME=1.1\n"],
      ["lerna.json", '{\n  "version": "1.0"\n}\n', '{\n  "version": "1.1"\n}\n'],
      ["setup.cfg", "[options]\npackages = find:\n", "[options]\npackages = find:\nzip_safe = false\n"],
    ] as const)
      assert.ok(!runs(path, before, after), after);
  });

  test("flags what runs beside it", () => {
    for (const [path, before, after] of [
      ["a.gemspec", gem(""), gem("", '    "ext/extconf.rb"\n')],
      ["a.gemspec", "s.name = 'a'\n", "s.name = 'a'\ns.files = `run`.split\n"],
      ["a.gemspec", "s.name = 'a'\n", "s.name = 'a'\ns.metadata['a'] = run('b')\n"],
      [".gitattributes", "*.a text\n", "*.a text filter=b\n"],
      ["gradle.properties", "VERSION_NAME=1.0\n", "VERSION_NAME=1.0\norg.gradle.jvmargs=-javaagent:a.jar\n"],
      ["lerna.json", '{\n  "version": "1.0"\n}\n', '{\n  "version": "1.0",\n  "command": "a"\n}\n'],
      ["pyproject.toml", project("tool.poetry", 'build = "a.py"'), project("tool.poetry", 'build = "b.py"')],
    ] as const)
      assert.ok(runs(path, before, after), after);
  });
});
