// What reads the sources of changes to weigh them, by language and by file of settings. The other rows are in parsers.ts.
import { lineEdits } from "../../../src/patch/edits.ts";
import { risksOf } from "../../../src/risk/file-risk.ts";
import { languageOf, readSource } from "../../../src/risk/internal/source.ts";
import type { Parser } from "./parsers.ts";

const programs = [
  "a.test.ts",
  "a.ts",
  "a.py",
  "a.go",
  "a.rs",
  "A.java",
  "A.cs",
  "Tests.cs",
  "test_a.py",
  "a.gradle",
  "a.hpp",
  "a_test.cc",
  "a.php",
  "a.swift",
  "a.sh",
  "a.rb",
  "a.toml",
  "a.ex",
  "a.erl",
  "a.clj",
  "a.hs",
  "a.lua",
  "a.dart",
  "Makefile",
];

export const riskParsers: readonly Parser[] = [
  // One language each: what seven of them leave behind together is collected in the middle of a measurement.
  ...programs.map((path) => ({
    file: "risk/internal/source.ts",
    run: (text: string) => readSource(text, languageOf(path), new Map()),
    units: ["a", " ", "\n", '"', "'", "\\'", "/", "/*", "*/", '"a"', '"""', "=/[", "#", "//\n"],
  })),
  // One language each here as well: together they would hold the thread longer than any of them does.
  ...programs.map((path) => ({
    file: "risk/file-risk.ts",
    run: (text: string) => flagged(path, text),
    // Each of them is read by all flags, so that half the text shows as much.
    size: 4_000,
    units: [
      ...["a", " ", "\n", "\r", "{", "catch {\n", "except:\n", "expect(a)\n", "def a(\n", ".catch(() =>"],
      ...["_, _ := a(", "pub fn a(", "a: 1,\n", ", ", "type A = ", "\\'"],
      ...[
        "catch { return a",
        "except A: a = ",
        'app.get("a"',
        "namespace A",
        "module.exports = {a,",
        "[1, 2],\n",
      ],
      ...[
        "try?",
        "|| true",
        "@a(",
        "runCatching {",
        "suppress(A,",
        "rescue A\n",
        "TEST(A, ",
        "EXPECT_EQ(",
        "#if 0\n",
      ],
      ...["tests := []struct{\n", "retries", "tolerance", "as unknown ", "(\n"],
    ],
  })),
  ...["package.json", "setup.py"].map((path) => ({
    file: "risk/internal/config-files.ts",
    run: (text: string) => flagged(path, text),
    units: ["a", " ", "\n", '"', "'", "\\", "/*", "*/", "//", "{", "[", '"a":', "a=", "(", "),", "/**/"],
  })),
  ...["build.sbt", "project.clj", "a.cabal", "rebar.config", "a.rockspec", "setup.cfg"].map((path) => ({
    file: "risk/internal/build-files.ts",
    run: (text: string) => flagged(path, text),
    units: ["a", " ", "\n", '"1.0"', "a := ", ":plugins\n", "a:\n", "{deps,\n", "a = {\n", "[a]\n", " % a"],
  })),
  ...["tsconfig.json", ".eslintrc.yml", "pubspec.yaml"].map((path) => ({
    file: "risk/internal/manifest-sections.ts",
    run: (text: string) => flagged(path, text),
    units: ["a", " ", "\n", '{"a":', "[", "}", "- ", "- a:\n", "a:\n", " a: b\n", "\\"],
  })),
  {
    file: "risk/internal/module-names.ts",
    run: (text) => flagged("a.ex", text),
    units: ["def a(", "def a(b, c \\\\ 1)\n", "(\n", ","],
  },
  {
    file: "risk/internal/signatures.ts",
    run: (text) => flagged("a.py", `${text}):\n`),
    head: "def a(",
    units: ["a: b, ", "a=", "[", "->"],
  },
  {
    file: "risk/internal/config-files.ts",
    run: (text) => flagged("pom.xml", text),
    units: ["<a>", "<a ", "<a/>", "</a>", "<!--", "<![CDATA[", "<?", "<a '", "<a \"'"],
  },
  {
    file: "risk/internal/config-files.ts",
    run: (text) => flagged("A.csproj", text),
    head: "<Project>\n",
    units: ["\n", " \n", "  ", "<A />\n", "<A>", "</A>\n", "<!--", '<A a="'],
  },
  {
    file: "risk/internal/config-files.ts",
    run: (text) => flagged("build.gradle", text),
    head: "api ",
    units: ["'", "\\'", "implementation ", "(", "a "],
  },
  {
    file: "risk/internal/rules.ts",
    run: (text) => flagged("tests/a.rs", text),
    head: "#[cfg(a)]",
    units: ["#[]", "#[test]", "#[cfg(a)]", "]", "#[test]\n\n"],
  },
  {
    file: "risk/internal/rules.ts",
    run: (text) => flagged("a.go", `${text}\nfunc b() {\n\t_ = a()\n}\n`),
    head: "func a()",
    units: [" ", ")", " a)", "{}"],
  },
  {
    file: "risk/internal/signatures.ts",
    run: (text) => flagged("A.cs", `${text};\n}\n}\n`),
    head: "namespace A {\npublic class B {\npublic B(int a",
    units: ["):this(", ") : ", " "],
  },
];

function flagged(path: string, text: string): unknown {
  const edits = lineEdits("", text);
  return risksOf({ path, before: undefined, after: text, edits, isOutside: false });
}
