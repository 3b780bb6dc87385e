// Ways in which a change could get around a rule: by hiding what runs, by the shape of a line, or under another name.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { flagsIn } from "../../support/risk.ts";

const pom = (description: string, plugin = "exec") =>
  `<?xml version="1.0"?>\n<project>\n  <description>${description}</description>\n  <scm>\n    <url>a</url>\n  </scm>\n  <distributionManagement>\n    <url>b</url>\n  </distributionManagement>\n  <build>\n    <plugins>\n      <plugin>\n        <artifactId>${plugin}</artifactId>\n      </plugin>\n    </plugins>\n  </build>\n</project>\n`;

describe("flagsOf for pom.xml", () => {
  for (const hidden of ["a", "<![CDATA[<!--]]>", "<?a <!-- ?>", "<!-- <a -->", "<!--", '<a b="<">', "<!a"])
    test(`sees a plugin below ${hidden}`, () => {
      assert.deepEqual(flagsIn("pom.xml", pom(hidden), pom(hidden, "other")), ["executable-config"]);
    });

  test("sees what is run from a literal section", () => {
    const of = (script: string) =>
      pom("a", "exec").replace(
        "exec<",
        `exec</artifactId>\n<a>\n<![CDATA[\n${script}\n]]>\n</a>\n<artifactId>a<`,
      );
    assert.deepEqual(flagsIn("pom.xml", of("one"), of("two")), ["executable-config"]);
  });

  test("sees where releases are sent", () => {
    for (const url of ["a", "b"])
      assert.deepEqual(
        flagsIn("pom.xml", pom("a"), pom("a").replace(`<url>${url}<`, "<url>c<")),
        ["executable-config"],
        url,
      );
  });

  test("takes a description for what it is", () => {
    assert.deepEqual(flagsIn("pom.xml", pom("a"), pom("<![CDATA[b]]>")), []);
  });

  test("sees what comes out of a comment, or may", () => {
    const plugin = "<plugin>\n<artifactId>exec</artifactId>\n</plugin>";
    const of = (text: string) => `<project>\n<build>\n<plugins>\n${text}\n</plugins>\n</build>\n</project>\n`;
    for (const [one, other] of [
      [`<!--\n${plugin}\n-->`, plugin],
      [`<!-- a\n${plugin}\n-->`, `<!-- a -->\n${plugin}\n<!-- -->`],
    ] as const)
      for (const [before, after] of [
        [one, other],
        [other, one],
      ] as const)
        assert.deepEqual(
          flagsIn("pom.xml", of(before), of(after)),
          ["executable-config", "executable-config"],
          before,
        );
    assert.deepEqual(flagsIn("pom.xml", of(plugin), of(`<!-- b -->\n${plugin}`)), []);
  });

  test("knows nothing of a file with a document type, or below the end of what it did not read", () => {
    for (const begun of ["<!DOCTYPE a [<!ENTITY b '<!--'>]>", `<a b="${"c".repeat(500)}"></a>`]) {
      const of = (name: string) => `<project>${begun}\n<name>${name}</name>\n</project>\n`;
      assert.deepEqual(flagsIn("pom.xml", of("one"), of("two")), ["executable-config"], begun.slice(0, 20));
    }
  });

  test("does not name what is nested too deeply", () => {
    const deep = (text: string) => `<project><name>${"<a>".repeat(300)}\n${text}\n`;
    assert.deepEqual(flagsIn("pom.xml", deep("one"), deep("two")), ["executable-config"]);
  });
});

describe("flagsOf for what a comment hides", () => {
  for (const path of ["build.gradle", "build.gradle.kts", "Package.swift", "deno.jsonc", "package.json5"])
    test(`sees in ${path} that it no longer does`, () => {
      const [begin, end] = path.includes("json") ? ['{\n"name": "a",\n', "\n}\n"] : ["a()\n", "\nb()\n"];
      const hidden = path.includes("json") ? '"x": "evil",' : "evil()";
      const before = `${begin}/*\n${hidden}\n*/${end}`;
      const found = flagsIn(path, before, `${begin}${hidden}${end}`);
      assert.deepEqual(found, ["executable-config", "executable-config"]);
    });

  test("sees what begins a comment behind a package", () => {
    const of = (line: string) => `a()\n${line}\nb()\n/* c */\n`;
    assert.deepEqual(flagsIn("build.gradle", of("api 'a'"), of("api 'b' /*")), [
      "executable-config",
      "dependency",
    ]);
  });

  test("sees the end of a comment in what looks like one, and one within another", () => {
    const of = (line: string) => `/*\n${line}evil()\n*/\n`;
    assert.deepEqual(flagsIn("build.gradle", of(""), of("//*/\n")), ["executable-config"]);
    assert.deepEqual(flagsIn("a.gradle.kts", of("/* a\n"), of("")), ["executable-config"]);
    assert.deepEqual(flagsIn("Package.swift", "#if false\nevil()\n#endif\n", "evil()\n").length, 2);
  });

  test("leaves a comment alone that begins and ends in its line", () => {
    for (const line of ["/* a */", "// src/* a", "/** a */ // b"])
      assert.deepEqual(flagsIn("build.gradle", "a()\n", `a()\n${line}\n`), [], line);
    assert.deepEqual(flagsIn("build.gradle", "/*\n a\n*/\n", "/*\n b\n*/\n"), []);
    assert.deepEqual(flagsIn("a.csproj", "<A>\n", "<A>\n<!-- a -->\n"), []);
  });
});

describe("flagsOf for Cargo.toml", () => {
  for (const key of ['"build"', "'build'", "  build", '"b\\u0075ild"'])
    test(`sees what is built under ${key}`, () => {
      const of = (line: string) => `[package]\nname = "a"\n${line}\n`;
      assert.deepEqual(flagsIn("Cargo.toml", of(""), of(`${key} = "evil.rs"`)), ["executable-config"]);
    });

  test("takes a package in a list for no key", () => {
    const of = (version: string) => `[project]\ndependencies = [\n  "a==${version}",\n]\n`;
    assert.deepEqual(flagsIn("pyproject.toml", of("1"), of("2")), ["dependency"]);
  });
});

describe("flagsOf for .rubocop.yml", () => {
  const config = "AllCops:\n  TargetRubyVersion: 3\n";
  for (const [what, after] of [
    ["code in a value", config.replace("3", "<%= `a` %>")],
    ["code in a comment", `${config}# <% system('a') %>\n`],
    ["an escaped key", `${config}"\\x72equire": ./a.rb\n`],
    ["a key with a question mark", `${config}? require\n: ./a.rb\n`],
    ["a key after another end of line", `${config.trimEnd()} # a\rrequire: ./a.rb\n`],
  ] as const)
    test(`sees ${what}`, () => {
      assert.ok(flagsIn(".rubocop.yml", config, after).includes("executable-config"));
    });

  test("sees a change within a template", () => {
    const of = (line: string) => `${config}# <%\n# ${line}\n# %>\n`;
    assert.deepEqual(flagsIn(".rubocop.yml", of("one"), of("two")), ["executable-config"]);
  });

  test("leaves a comment, a version and a rule alone", () => {
    for (const after of [`${config}# a\n`, config.replace("3", "4"), `---\n${config}Lint/A:\n  Max: 2\n`])
      assert.deepEqual(flagsIn(".rubocop.yml", config, after), [], after);
  });
});

describe("flagsOf for a line with a package", () => {
  for (const [path, line] of [
    ["Rakefile", "classpath 'x'; system('curl x | sh')"],
    ["build.gradle", "system('a') # {:a, \"b\""],
    ["build.gradle", "api(project.exec { a })"],
    ["build.gradle", `classpath "a:\${b()}"`],
    ["a.gemspec", 's.add_dependency system "a"'],
    ["a.gemspec", 's.add_dependency "a#{b}"'],
    ["a.gemspec", "s.add_dependency system'curl x|sh'"],
    ["Podfile", "pod 'A', (eval'x')"],
    ["build.gradle", "implementation(file'x')"],
    ["a.csproj", '<PackageReference Include="a"/><Target><Exec Command="a"/></Target>'],
    ["a.csproj", '<PackageReference Include="a"/><Import Project="evil.targets"/>'],
    ["a.csproj", '<PackageReference Include="$([System.IO.File]::ReadAllText(a))"/>'],
    ["build.gradle", `api 'a'${" ".repeat(600)}, exec('b')`],
  ] as const)
    test(`sees what else runs in ${path}: ${line.replace(/\s+/g, " ")}`, () => {
      assert.deepEqual(flagsIn(path, "a\n", `a\n${line}\n`), ["executable-config", "dependency"]);
    });

  for (const [path, line] of [
    ["build.gradle", 'implementation("a:$b") {'],
    ["build.gradle", "api platform(project(':a')) // why"],
    ["build.gradle", "implementation group: 'a', name: 'b', version: '1'"],
    ["a.csproj", '<ItemGroup><PackageReference Include="a" Version="$(B)" /></ItemGroup>'],
    ["a.csproj", '<PackageReference Include="a"><Version>1</Version></PackageReference> <!-- b -->'],
    ["mix.exs", '{:a, "~> 1.0"},'],
    ["a.gemspec", 's.add_dependency "a", "~> 1"'],
    ["Podfile", "pod 'A', :git => 'x'"],
    ["Package.swift", '.package(url: "x", .upToNextMajor(from: "1.0")),'],
  ] as const)
    test(`takes ${line} for a package alone`, () => {
      assert.deepEqual(flagsIn(path, "a\n", `a\n${line}\n`), ["dependency"]);
    });
});

describe("flagsOf for other ways around a rule", () => {
  const tested = "def test_b():\n    assert a() == 1\n";
  const skipped = tested.replace("()", "(client)").replace("def", "@pytest.mark.skip\ndef");

  test("sees a test that is skipped beside a new one", () => {
    const after = skipped.replace("    assert", "    go()\n\ndef test_c():\n    assert");
    assert.ok(flagsIn("test_a.py", tested, after).includes("test-weakened"));
  });

  test("sees a test that is skipped under another name", () => {
    const after = `${skipped.replace("test_b", "test_b_old")}\n\ndef test_smoke():\n    assert 1 == 1\n`;
    assert.ok(flagsIn("test_a.py", tested, after).includes("test-weakened"));
    const java = "@Test\npublic void testA() {\n  assertEquals(1, a());\n}\n";
    const smoke = java.replace("testA", "testC").replace("a()", "1");
    const other = `@Disabled\n${java.replace("void testA", "static void testB")}${smoke}`;
    assert.ok(flagsIn("ATest.java", java, other).includes("test-weakened"));
  });

  test("leaves a new test alone that is skipped", () => {
    const after = `${tested}\n${skipped.replace("test_b", "test_c")}`;
    assert.deepEqual(flagsIn("test_a.py", tested, after), []);
  });

  const dropping = (call: string, below: string) =>
    flagsIn("a.go", `func g() {\n}\n\n${below} {\n}\n`, `func g() {\n\t_ = ${call}\n}\n\n${below} {\n}\n`);

  test("knows an error of Go by the end of its name", () => {
    assert.deepEqual(dropping("f()", "func f() *ParseError"), ["errors-swallowed"]);
    assert.deepEqual(dropping("f()", "func f() int"), []);
  });

  test("does not take the method of another type for one of the file", () => {
    assert.deepEqual(dropping("cmd.Run()", "func (b B) Run() int"), ["errors-swallowed"]);
  });

  test("sees parameters in another order", () => {
    const ruby = (given: string) => `class A\n  def f(${given})\n  end\nend\n`;
    assert.deepEqual(flagsIn("lib/a.rb", ruby("a, b"), ruby("b, a")), ["public-api"]);
    const go = (after: string) => flagsIn("a.go", "func F(a, b int) {\n}\n", `func F(${after} int) {\n}\n`);
    for (const after of ["b, a", "b, c", "c, a"]) assert.deepEqual(go(after), ["public-api"], after);
    assert.deepEqual(go("a, c"), []);
  });

  test("folds no change of what tests compare with", () => {
    const of = (path: string) => flagsIn(path, "a\n\nb\n", "a\nb\n");
    assert.deepEqual(of("docs/a.txt"), ["format-only"]);
    for (const path of ["a.approved.txt", "a.golden", "a/expected/b.txt", "fixtures/a.txt", "testdata/a.txt"])
      assert.deepEqual(of(path), [], path);
  });
});
