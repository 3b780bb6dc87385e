// What a change to a build file or to the settings of a tool is: a package, data, or something that runs.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { flagsOf } from "../../support/risk.ts";

const flags = (path: string, before: string, after: string) => [
  ...new Set(flagsOf({ path, before, after }).flatMap((hunk) => hunk.flags)),
];
const lines = (...all: readonly string[]) => `${all.join("\n")}\n`;

type Case = readonly [what: string, path: string, before: string, after: string];

function telling(expected: readonly string[], cases: readonly Case[]): void {
  for (const [what, path, before, after] of cases)
    test(`${path}: ${what}`, () => assert.deepEqual(flags(path, before, after), expected));
}

const sbt = (line: string) => lines("lazy val root = project.settings(", '  name := "a",', `  ${line}`, ")");
const clj = (version: string, more = "") =>
  lines(
    '(defproject a "1"',
    '  :description "b"',
    `  :dependencies [[org.clojure/clojure "${version}"]`,
    `                 ${more}[a/b "1"]]`,
    "  :plugins",
    '    [[lein-a "1"]]',
    "  :prep-tasks [])",
  );
const cabal = (package_: string, option: string) =>
  lines(
    "name: a",
    "library",
    "  build-depends:",
    `    base >= ${package_},`,
    "    text",
    `  ghc-options: ${option}`,
  );
const rebar = (deps: string, options: string) =>
  lines(`{deps, [`, `  ${deps}`, `]}.`, `{erl_opts, [${options}]}.`);
const rock = (url: string, type: string) =>
  lines("source = {", `  url = ${url},`, "}", "build = {", `  type = ${type},`, "}");

describe("flagsOf for packages of a build file", () => {
  telling(
    ["dependency"],
    [
      [
        "a library in place of another one",
        "build.sbt",
        sbt('libraryDependencies += "a" %% "b" % "1" % "test"'),
        sbt('libraryDependencies += "c" %% "d" % "2" % Test'),
      ],
      [
        "a version of a plugin",
        "project/plugins.sbt",
        'addSbtPlugin("a" % "b" % "1.0")\n',
        'addSbtPlugin("a" % "b" % "1.1")\n',
      ],
      ["a plugin that goes", "project/plugins.sbt", 'addSbtPlugin("a" % "b" % "1.0")\n', "\n"],
      [
        "a version that is computed with",
        "project/plugins.sbt",
        'val a =\n  Option(b("C")).getOrElse("1.0")\n',
        'val a =\n  Option(b("C")).getOrElse("1.1")\n',
      ],
      ["a library that comes", "project.clj", clj("1.10.0"), clj("1.10.0", '[c/d "2"]\n                 ')],
      ["a version", "project.clj", clj("1.10.0"), clj("1.11.0-alpha1")],
      ["a bound", "a.cabal", cabal("4.6 && < 5", "-Wall"), cabal("4.8 && < 5", "-Wall")],
      ["a library", "rebar.config", rebar('{a, "1.0"}', ""), rebar('{a, "1.0"}, {b, {git, "c", "d"}}', "")],
      [
        "a version among others",
        "gradle/versions.gradle",
        "ext {\n    ktor_version = '2.3.3'\n}\n",
        "ext {\n    ktor_version = '2.3.6'\n}\n",
      ],
      [
        "a version of a plugin",
        "build.gradle",
        "plugins {\n    id 'a' version '6.4.2'\n}\n",
        "plugins {\n    id 'a' version '6.5.0'\n}\n",
      ],
      [
        "a version on a line of its own",
        "src/A.csproj",
        '<Project>\n<ItemGroup>\n<PackageReference Include="a">\n<Version>1.0</Version>\n</PackageReference>\n</ItemGroup>\n</Project>\n',
        '<Project>\n<ItemGroup>\n<PackageReference Include="a">\n<Version>1.1</Version>\n</PackageReference>\n</ItemGroup>\n</Project>\n',
      ],
      [
        "a package",
        "pubspec.yaml",
        "name: a\ndependencies:\n  http: ^1.0.0\n",
        "name: a\ndependencies:\n  http: ^1.1.0\n",
      ],
      [
        "a package of a pod",
        "A.podspec",
        "Pod::Spec.new do |s|\nend\n",
        "Pod::Spec.new do |s|\n  s.dependency 'B', '~> 1'\nend\n",
      ],
      [
        "an extra",
        "setup.cfg",
        "[options.extras_require]\ndev =\n    a\n",
        "[options.extras_require]\ndev =\n    a\n    b\n",
      ],
    ],
  );

  telling(
    ["executable-config", "dependency"],
    [
      ["a plugin that comes", "project/plugins.sbt", "\n", '\naddSbtPlugin("a" % "b" % "1.0")\n'],
      ["a plugin that comes", "build.gradle", "plugins {\n}\n", "plugins {\n    id 'a' version '6.4.2'\n}\n"],
      [
        "a plugin that comes",
        "project.clj",
        clj("1"),
        clj("1").replace('[[lein-a "1"]]', '[[lein-a "1"]\n     [lein-b "2"]]'),
      ],
      ["code beside a library", "project.clj", clj("1"), clj("1", "~(evil) ")],
      [
        "what runs in place of a library",
        "build.sbt",
        sbt('libraryDependencies += "a" % "b" % "1"'),
        sbt("fork := run(1)"),
      ],
    ],
  );
});

describe("flagsOf for what runs in a build file", () => {
  telling(
    ["executable-config"],
    [
      ["a task", "build.sbt", sbt("fork := true"), sbt("fork := evil()")],
      ["a list that is computed", "build.sbt", "\n", '\nlibraryDependencies ++= { "id".!!; Nil }\n'],
      ["a task", "project.clj", clj("1"), clj("1").replace(":prep-tasks []", ':prep-tasks ["shell" "id"]')],
      ["code in a description", "project.clj", clj("1"), clj("1").replace('"b"', "~(slurp x)")],
      ["an option of the compiler", "a.cabal", cabal("1", "-Wall"), cabal("1", "-F -pgmF evil")],
      ["what is built with", "a.cabal", "build-type: Simple\n", "build-type: Custom\n"],
      ["a transformation", "rebar.config", rebar("", ""), rebar("", "{parse_transform, evil}")],
      ["a way to build", "a-1.rockspec", rock('"a"', '"builtin"'), rock('"a"', '"command"')],
      [
        "a call in a source",
        "a-1.rockspec",
        rock('"a"', '"builtin"'),
        rock('io.popen("id"):read()', '"builtin"'),
      ],
      ["a command with another name", "Rakefile", 'sh "a"\n', 'sh "b"\n'],
      ["an executable", "pubspec.yaml", "name: a\n", "name: a\nexecutables:\n  b: c\n"],
    ],
  );
});

describe("flagsOf for what a build file says of a project", () => {
  telling(
    [],
    [
      ["its own version", "build.sbt", sbt('version := "1.0"'), sbt('version := "1.1"')],
      [
        "its license",
        "project.clj",
        clj("1").replace(":desc", ':license "A"\n  :desc'),
        clj("1").replace(":desc", ':license "B"\n  :desc'),
      ],
      [
        "its source",
        "a-1.rockspec",
        rock("'https://a/' .. B .. '.zip'", '"builtin"'),
        rock("'git://a'", '"builtin"'),
      ],
      [
        "a page about it",
        "A.podspec",
        'Pod::Spec.new do |s|\n  s.social_media_url   = "a"\nend\n',
        "Pod::Spec.new do |s|\nend\n",
      ],
      [
        "a framework",
        "src/A.csproj",
        "<Project>\n<TargetFramework>net6.0</TargetFramework>\n</Project>\n",
        "<Project>\n<TargetFramework>net8.0</TargetFramework>\n</Project>\n",
      ],
      ["a topic", "pubspec.yaml", "name: a\ntopics:\n  - b\n", "name: a\ntopics:\n  - c\n"],
    ],
  );
});

describe("flagsOf for settings that load nothing", () => {
  telling(
    [],
    [
      [
        "a stricter check",
        "tsconfig.json",
        '{\n  "compilerOptions": {\n    "lib": [\n      "a"\n    ]\n  }\n}\n',
        '{\n  "compilerOptions": {\n    "noUncheckedIndexedAccess": true,\n    "lib": [\n      "b"\n    ]\n  }\n}\n',
      ],
      [
        "a version of the language",
        ".eslintrc.json",
        '{\n  "parserOptions": {\n    "ecmaVersion": 2018\n  }\n}\n',
        '{\n  "parserOptions": {\n    "ecmaVersion": 2021\n  }\n}\n',
      ],
      [
        "a rule about imports",
        ".eslintrc.json",
        '{\n  "rules": {\n    "import/order": "warn"\n  }\n}\n',
        '{\n  "rules": {\n    "import/order": "error"\n  }\n}\n',
      ],
      [
        "a rule that is on",
        "analysis_options.yaml",
        "include: package:a/b.yaml\nlinter:\n  rules:\n  - a\n",
        "include: package:a/b.yaml\nlinter:\n  rules:\n  - a\n  - b\n",
      ],
      [
        "how grave an error is",
        "analysis_options.yaml",
        "analyzer:\n  errors:\n    todo: ignore\n",
        "analyzer:\n  errors:\n    todo: ignore\n    require_trailing_commas: warning\n",
      ],
      [
        "a rule below a quoted name",
        ".eslintrc.yml",
        "rules:\n  '@a/no-unused-vars':\n    - warn\n",
        "rules:\n  '@a/no-unused-vars':\n    - error\n",
      ],
      [
        "endings that are measured",
        "package.json",
        '{\n  "xo": {\n    "rules": {\n      "a": "off"\n    }\n  }\n}\n',
        '{\n  "xo": {\n  },\n  "nyc": {\n    "extension": [\n      ".ts"\n    ]\n  }\n}\n',
      ],
      ["a part of a page", "docs/.vitepress/components/A.vue", "<p>a</p>\n", "<p>b</p>\n"],
    ],
  );
  telling(
    ["check-silenced"],
    [
      [
        "one more code",
        "setup.cfg",
        "[flake8]\nignore = E203, W503\n",
        "[flake8]\nignore = E203, W503, E731\n",
      ],
      [
        "an error that is off",
        "pyproject.toml",
        '[tool.mypy]\nfiles = ["a"]\n',
        '[tool.mypy]\nfiles = ["a"]\ndisable_error_code = "type-abstract"\n',
      ],
      [
        "a check that is off",
        "tsconfig.json",
        '{\n  "compilerOptions": {\n  }\n}\n',
        '{\n  "compilerOptions": {\n    "strict": false\n  }\n}\n',
      ],
      [
        "a rule that is off",
        "Tests/.swiftlint.yml",
        "excluded:\n  - a\n",
        "excluded:\n  - a\ndisabled_rules:\n  - line_length\n",
      ],
    ],
  );
});

describe("flagsOf for settings that load something", () => {
  telling(
    ["executable-config"],
    [
      [
        "a plugin of the editor",
        "tsconfig.json",
        '{\n  "compilerOptions": {\n    "plugins": [\n      { "name": "a" }\n    ]\n  }\n}\n',
        '{\n  "compilerOptions": {\n    "plugins": [\n      { "name": "b" }\n    ]\n  }\n}\n',
      ],
      [
        "where a module is",
        "tsconfig.json",
        '{\n  "compilerOptions": {\n    "paths": {\n      "a": ["b"]\n    }\n  }\n}\n',
        '{\n  "compilerOptions": {\n    "paths": {\n      "a": ["c"]\n    }\n  }\n}\n',
      ],
      [
        "a parser",
        ".eslintrc.json",
        '{\n  "parserOptions": {\n    "parser": "a"\n  }\n}\n',
        '{\n  "parserOptions": {\n    "parser": "b"\n  }\n}\n',
      ],
      [
        "other settings of some files",
        ".eslintrc.json",
        '{\n  "overrides": [\n    {\n      "extends": [\n        "a"\n      ]\n    }\n  ]\n}\n',
        '{\n  "overrides": [\n    {\n      "extends": [\n        "b"\n      ]\n    }\n  ]\n}\n',
      ],
      [
        "an escaped key",
        ".eslintrc.json",
        '{\n  "root": true\n}\n',
        '{\n  "root": true,\n  "\\u0065xtends": "a"\n}\n',
      ],
      [
        "other settings of some files",
        ".eslintrc.yml",
        "overrides:\n  - files: a\n    extends:\n      - b\n",
        "overrides:\n  - files: a\n    extends:\n      - c\n",
      ],
      [
        "a plugin",
        "analysis_options.yaml",
        "analyzer:\n  plugins:\n    - a\n",
        "analyzer:\n  plugins:\n    - b\n",
      ],
      [
        "a plugin below a quoted key",
        "analysis_options.yaml",
        'analyzer:\n  "plugins":\n    - a\n',
        'analyzer:\n  "plugins":\n    - b\n',
      ],
      ["shared settings", "package.json", '{\n  "prettier": "a"\n}\n', '{\n  "prettier": "b"\n}\n'],
      [
        "what is required",
        "package.json",
        '{\n  "nyc": {\n    "require": [\n      "a"\n    ]\n  }\n}\n',
        '{\n  "nyc": {\n    "require": [\n      "b"\n    ]\n  }\n}\n',
      ],
      [
        "a key around it",
        "package.json",
        '{\n  "nyc": {\n    "require": ["a"]\n  }\n}\n',
        '{\n  "xy": {\n    "require": ["a"]\n  }\n}\n',
      ],
      ["a plugin", "setup.cfg", "[mypy]\nplugins =\n    a\n", "[mypy]\nplugins =\n    b\n"],
      [
        "a plugin",
        "setup.cfg",
        "[flake8:local-plugins]\nextension =\n    a\n",
        "[flake8:local-plugins]\nextension =\n    b\n",
      ],
      [
        "a program",
        "pyproject.toml",
        '[tool.mypy]\npython_executable = "a"\n',
        '[tool.mypy]\npython_executable = "b"\n',
      ],
    ],
  );
});
