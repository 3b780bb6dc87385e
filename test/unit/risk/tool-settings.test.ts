// What a change to the settings of a tool is: data, or something that is loaded or run with it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { flagsIn } from "../../support/risk.ts";

type Row = readonly [path: string, before: string, after: string];
const isRun = ([path, before, after]: Row) => flagsIn(path, before, after).includes("executable-config");

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const project = (...lines: readonly string[]) =>
  `<Project>\n  <PropertyGroup>\n${lines.map((line) => `    ${line}\n`).join("")}  </PropertyGroup>\n</Project>\n`;
const mix = (applications: string, deps: string) =>
  `defmodule A do\n  def application do\n    [applications: [${applications}]]\n  end\n\n  defp deps do\n    [${deps}]\n  end\nend\n`;

const data: readonly Row[] = [
  [
    "tsconfig.spec.json",
    "",
    json({ extends: "./tsconfig.json", compilerOptions: { sourceMap: true, jsx: "react" } }),
  ],
  ["tsconfig.json", json({ references: [{ path: "a" }] }), json({ references: [{ path: "b" }] })],
  ["analysis_options.yaml", "include: package:a/b.yaml\n", "include: package:c/d.yaml\n"],
  ["analysis_options.yaml", "analyzer:\n  exclude:\n    - a/**\n", "analyzer:\n  exclude:\n    - b/**\n"],
  [".golangci.yml", "run:\n  timeout: 1m\n", "run:\n  timeout: 1m\n  skip-dirs:\n    - custom/scripts\n"],
  [".golangci.yml", "issues:\n", "issues:\n  exclude-rules:\n    - path: a.go\n      linters: errcheck\n"],
  [".pylintrc", "[MESSAGES]\nenable=a\n", "[MESSAGES]\nenable=import-error\n"],
  ["ruff.toml", "line-length = 80\n", 'line-length = 80\nextend-select = ["I"]\n'],
  [".coveragerc", "[run]\n", "[run]\ninclude = a/*\n"],
  [".swiftlint.yml", "included:\n  - a\n", "included:\n  - b\n"],
  [".eslintrc.json", json({ parserOptions: { project: "a" } }), json({ parserOptions: { project: "b" } })],
  ["package.json", json({ jest: { testMatch: ["a"] } }), json({ jest: { testMatch: ["b"] } })],
  ["package.json", json({ ava: { files: ["a"] } }), json({ ava: { files: ["b"] } })],
  [
    "pyproject.toml",
    '[tool.ruff]\nlint.a."b/c.py" = [\n  "D"\n]\n',
    '[tool.ruff]\nlint.a."b/c.py" = [\n  "E"\n]\n',
  ],
  ["pyproject.toml", '[project]\nname = "a"\n', '[project]\nname = "a"\ndynamic = ["version"]\n'],
  ["Cargo.toml", "[features]\na = []\n", '[features]\na = ["b"]\n'],
  ["Cargo.toml", "[profile.release]\nlto = true\n", "[profile.release]\nlto = false\n"],
  [
    "composer.json",
    json({ extra: { "branch-alias": { a: "1" } } }),
    json({ extra: { "branch-alias": { a: "2" } } }),
  ],
  ["setup.cfg", "[tool:isort]\nline_length = 80\n", "[tool:isort]\nprofile = black\n"],
  [
    "A.csproj",
    project("</PropertyGroup>", "<ItemGroup>"),
    project("</PropertyGroup>", "<ItemGroup>", '<Service Include="{a}" />'),
  ],
  ["A.xcodeproj/project.pbxproj", "  LastUpgradeCheck = 1300;\n", "  LastUpgradeCheck = 1320;\n"],
  ["psalm.xml", '<psalm\n  errorLevel="1"\n>\n</psalm>\n', '<psalm\n  errorLevel="2"\n>\n</psalm>\n'],
  ["package.json", json({ xo: { esnext: true } }), json({ xo: { esnext: false } })],
  ["A.csproj", project(), project("<NoWarn>$(NoWarn);IDE0032</NoWarn>")],
  ["A.csproj", project(), project("<CheckEolTargetFramework>false</CheckEolTargetFramework>")],
  ["A.csproj", project(), project("<OutputType>Exe</OutputType>", "<SignAssembly>true</SignAssembly>")],
  [
    "Directory.Build.props",
    project(),
    project("</PropertyGroup>", "<PropertyGroup Condition=\"'$(CI)' == 'true'\">"),
  ],
  [".github/dependabot.yml", "updates:\n  - ignore:\n      - a\n", "updates:\n  - ignore:\n      - b\n"],
  ["renovate.json", json({ schedule: ["a"] }), json({ schedule: ["b"], labels: ["c"] })],
  ["renovate.json", json({}), json({ packageRules: [{ description: "a", enabled: false }] })],
  [".eslintrc.yml", "root: true\n", "root: true\noverrides:\n  - files: [a]\n    env:\n      b: true\n"],
  [
    ".eslintrc.yml",
    "overrides:\n  - files:\n      - a\n    parserOptions:\n      ecmaVersion: 6\n",
    "overrides:\n  - files:\n      - a\n    parserOptions:\n      ecmaVersion: 2017\n",
  ],
  [
    ".formatter.exs",
    "[\n  inputs: []\n]\n",
    '[\n  inputs: ["{lib,test}/**/*.ex"],\n  locals_without_parens: [plug: 1]\n]\n',
  ],
  [
    "global.json",
    json({ sdk: { version: "8.0.1" } }),
    json({ sdk: { version: "8.0.1", allowPrerelease: true } }),
  ],
  [
    "A.csproj",
    project("<PackageReleaseNotes>", "Changes in 2:", "</PackageReleaseNotes>"),
    project(
      "<PackageReleaseNotes>",
      "Changes in 3:",
      "* All is well.",
      "",
      "Changes in 2:",
      "</PackageReleaseNotes>",
    ),
  ],
  ["test/fixtures/a/package.json", json({ scripts: { a: "b" } }), json({ scripts: { a: "c" } })],
  [".vscode/settings.json", json({ "editor.tabSize": 2 }), json({ "editor.tabSize": 4 })],
  [".vscode/extensions.json", json({ recommendations: ["a"] }), json({ recommendations: ["b"] })],
  [".npmrc", "save-exact=true\n", "save-exact=true\npackage-lock=false\n"],
  ["docs/.vitepress/config.js", "const PAGE =\n  'a'\n", "const PAGE = 'b'\n"],
  [
    "docs/.vitepress/config.ts",
    "export default {\n  nav: [\n  ],\n}\n",
    "export default {\n  nav: [\n    { text: 'a', link: '/b' },\n  ],\n}\n",
  ],
  ["mix.exs", mix(":a, :b", '{:c, github: "d/c"},\n     {:e, "~> 1.0"}'), mix(":a", '{:e, "~> 1.0"}')],
];

const run: readonly Row[] = [
  ["tsconfig.json", json({}), json({ compilerOptions: { plugins: [{ name: "a" }] } })],
  ["analysis_options.yaml", "analyzer:\n", "analyzer:\n  plugins: [a]\n"],
  ["analysis_options.yaml", "analyzer:\n", "analyzer: {plugins: [a]}\n"],
  [".golangci.yml", "linters-settings:\n", "linters-settings:\n  custom:\n    a:\n      path: b.so\n"],
  [".pylintrc", "[MAIN]\n", "[MAIN]\ninit-hook=a()\n"],
  [".pylintrc", "[MAIN]\nload-plugins=\n    a\n", "[MAIN]\nload-plugins=\n    a,\n    b\n"],
  [
    ".flake8",
    "[flake8:local-plugins]\nextension =\n    A = b:C\n",
    "[flake8:local-plugins]\nextension =\n    A = d:C\n",
  ],
  [".eslintrc.json", json({ rules: {} }), json({ rules: {}, extends: "a" })],
  [".eslintrc.yml", "root: true\n", "root: true\nplugins: [a]\n"],
  [
    "package.json",
    json({ jest: { testMatch: ["a"] } }),
    json({ jest: { testMatch: ["a"], transform: { a: "b" } } }),
  ],
  ["package.json", json({ ava: { files: ["a"] } }), json({ ava: { files: ["a"], require: ["b"] } })],
  ["pyproject.toml", "[build-system]\n", '[build-system]\n"build-back\\u0065nd" = "a"\n'],
  ["composer.json", json({ extra: { laravel: "a" } }), json({ extra: { laravel: "b" } })],
  ["A.xcodeproj/project.pbxproj", '  shellScript = "a";\n', '  shellScript = "b";\n'],
  ["phpunit.xml", '<phpunit\n  bootstrap="a"\n>\n</phpunit>\n', '<phpunit\n  bootstrap="b"\n>\n</phpunit>\n'],
  ["A.csproj", project(), project("<PreBuildEvent>a</PreBuildEvent>")],
  [
    "A.csproj",
    project(),
    project("<CustomBeforeMicrosoftCommonTargets>a</CustomBeforeMicrosoftCommonTargets>"),
  ],
  ["A.csproj", project(), project("<RestoreSources>a</RestoreSources>")],
  ["A.csproj", project(), project("<A>$([System.IO.File]::ReadAllText(b))</A>")],
  [
    ".github/dependabot.yml",
    "updates:\n  - b: c\n",
    "updates:\n  - insecure-external-code-execution: allow\n",
  ],
  ["renovate.json", json({}), json({ postUpgradeTasks: { commands: ["a"] } })],
  [".vscode/settings.json", json({}), json({ "python.defaultInterpreterPath": "a" })],
  [".vscode/tasks.json", json({ tasks: [] }), json({ tasks: [{ command: "a" }] })],
  [".npmrc", "\n", "\nscript-shell=a\n"],
  [
    "docs/.vitepress/config.js",
    "export default {\n}\n",
    "export default {\n  head: [['script', {}, 'a()']],\n}\n",
  ],
  [".formatter.exs", "[\n]\n", "[\n  plugins: [A]\n]\n"],
  [".formatter.exs", "[\n]\n", "[\n  inputs: files()\n]\n"],
  [".eslintrc.yml", "overrides:\n  - files: [a]\n", "overrides:\n  - files: [a]\n    parser: b\n"],
  ["global.json", json({}), json({ "msbuild-sdks": { A: "1" }, tools: { dotnet: "2" } })],
  ["mix.exs", mix(":a", '{:b, "1"}'), mix(":a", '{:b, System.get_env("C")}')],
  ["test/fixtures/.github/workflows/a.yml", "a: 1\n", "a: 2\n"],
  [".travis.yml", "a: 1\n", "a: 1\n\n"],
  [".github/workflows/a.yml", "a: 1\n", "# b\na: 1\n"],
];

describe("flagsOf for settings that are data", () => {
  for (const row of data)
    test(`${row[0]}: ${row[2].replace(/\s+/g, " ").slice(0, 80)}`, () => assert.ok(!isRun(row)));
});

describe("flagsOf for settings that load or start something", () => {
  for (const row of run)
    test(`${row[0]}: ${row[2].replace(/\s+/g, " ").slice(0, 80)}`, () => assert.ok(isRun(row)));
});

test("flagsOf tells of form and of what runs in the file of a build service", () => {
  assert.deepEqual(flagsIn(".travis.yml", "a: 1\nb: 2\n", "a: 1\n\nb: 2\n"), [
    "executable-config",
    "format-only",
  ]);
});
