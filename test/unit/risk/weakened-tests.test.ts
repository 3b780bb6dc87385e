// What a test demands where it asks through a helper, and what takes nothing from it; tools that are told to be quiet, and
// settings that run nothing.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { flagsIn } from "../../support/risk.ts";

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
