// Which checks a folder seems to have, what a setting may say, and which of what is proposed a check could run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { mostSeconds, readRows, runsByItself } from "../../../../src/core/checks/check.ts";
import { mayRun } from "../../../../src/core/checks/may-run.ts";
import { scriptBody, suggestChecks } from "../../../../src/core/checks/suggest.ts";
import type { FileChange } from "../../../../src/core/patch/model.ts";

const suggest = async (files: Readonly<Record<string, string>>) => {
  const top = { names: Object.keys(files), read: async (name: string) => files[name] };
  return (await suggestChecks(top)).map(({ name, kind, command }) => [name, kind, command].join(" | "));
};
const scripts = (all: Readonly<Record<string, string>>) => JSON.stringify({ scripts: all });

test("scripts of a package, by the package manager that the folder has", async () => {
  const files = {
    "package.json": scripts({ typecheck: "tsc", lint: "eslint .", test: "vitest run", build: "x" }),
  };
  const rows = (runner: string) => [
    `types | static | ${runner} typecheck`,
    `lint | static | ${runner} lint`,
    `tests | tests | ${runner} test`,
  ];
  assert.deepEqual(await suggest(files), rows("npm run"));
  assert.deepEqual(await suggest({ ...files, "pnpm-lock.yaml": "" }), rows("pnpm run"));
  assert.deepEqual(await suggest({ ...files, "yarn.lock": "" }), rows("yarn run"));
});

test("scripts that are none, and that never end, are left out; a compiler is never fetched", async () => {
  const none = scripts({ test: 'echo "Error: no test specified" && exit 1', lint: "eslint --watch ." });
  assert.deepEqual(await suggest({ "package.json": none }), []);
  assert.deepEqual(await suggest({ "tsconfig.json": "{}" }), [
    "types | static | npx --no-install tsc --noEmit -p .",
  ]);
  assert.deepEqual(await suggest({ "tsconfig.json": '{"references": []}' }), [
    "types | static | npx --no-install tsc -b",
  ]);
});

test("other languages, and what a Makefile has", async () => {
  assert.deepEqual(await suggest({ "Cargo.toml": "" }), [
    "cargo check | static | cargo check --all-targets",
    "cargo test | tests | cargo test",
  ]);
  assert.deepEqual(await suggest({ "go.mod": "" }), [
    "go vet | static | go vet ./...",
    "go test | tests | go test ./...",
  ]);
  assert.deepEqual(
    await suggest({ "pyproject.toml": "[tool.ruff]\n[tool.mypy]\n[tool.pytest.ini_options]\n" }),
    ["ruff | static | ruff check .", "mypy | static | mypy .", "pytest | tests | pytest -q"],
  );
  assert.deepEqual(await suggest({ "setup.py": "" }), ["syntax | static | python3 -m compileall -q -f ."]);
  assert.deepEqual(await suggest({ Makefile: "lint:\n\truff\ntest: x\n\tgo\nCC:=gcc\n" }), [
    "lint | static | make lint",
    "tests | tests | make test",
  ]);
  assert.deepEqual(await suggest({ "readme.md": "" }), []);
});

test("the body of a script, with what runs around it, is part of what is accepted", () => {
  const file = scripts({ pretypecheck: "gen", typecheck: "tsc", "check:types": "tsc -b" });
  assert.equal(scriptBody("npm run typecheck", file), "gen && tsc");
  assert.equal(scriptBody("npm run --silent check:types", file), "tsc -b");
  assert.equal(scriptBody("pnpm -r run typecheck", file), "gen && tsc");
  assert.equal(scriptBody("npx tsc", file), undefined);
  assert.equal(scriptBody("npm run gone", file), undefined);
});

test("rows of the settings: whatever has another form is left out", () => {
  assert.deepEqual(readRows("x"), []);
  assert.deepEqual(
    readRows([
      { name: " types ", command: " tsc ", kind: "static", files: "*.ts", timeoutSeconds: 5 },
      { name: "t", command: "x", kind: "tests", automatic: true },
      ...[1, null, {}, { name: "", command: "x" }, { name: "x", command: "a\nb" }],
      { name: "odd", command: "x", kind: "?", timeoutSeconds: -1, automatic: "yes", files: 3 },
      {
        ...{ name: "list", command: "x", kind: "static" },
        ignoredFiles: [
          "generated/",
          "./a/b.ts",
          3,
          "../out",
          "/etc",
          "a/../../b",
          ".git/config",
          "C:\\x",
          "",
        ],
      },
    ]),
    [
      { name: "types", command: "tsc", kind: "static", files: "*.ts", timeoutSeconds: 5 },
      { name: "t", command: "x", kind: "tests", automatic: true },
      { name: "odd", command: "x", kind: "static" },
      { name: "list", command: "x", kind: "static", ignoredFiles: ["generated", "a/b.ts"] },
    ],
  );
  assert.ok(runsByItself({ name: "a", command: "a", kind: "static" }));
  assert.ok(!runsByItself({ name: "a", command: "a", kind: "tests" }));
  assert.ok(runsByItself({ name: "a", command: "a", kind: "tests", automatic: true }));
});

test("a check may run for as long as its row says, else tests for longer than others", () => {
  const row = { name: "a", command: "a" };
  assert.equal(mostSeconds({ ...row, kind: "tests", timeoutSeconds: 5 }), 5);
  assert.equal(mostSeconds({ ...row, kind: "tests" }), 600);
  assert.equal(mostSeconds({ ...row, kind: "static" }), 300);
});

test("a check waits for what it could run, and for nothing else", () => {
  const change = (path: string) =>
    ({ kind: "add", file: { folder: "f", path }, text: "" }) as unknown as FileChange;
  const files = (paths: readonly string[], command = "npm run lint", body?: string) =>
    mayRun({ command, kind: "static", ...(body !== undefined && { body }) }, paths.map(change));
  const runs = [
    ...[
      "package.json",
      "eslint.config.mjs",
      "packages/a/vite.config.ts",
      ".eslintrc.js",
      "build.rs",
      "Makefile",
    ],
    ...[
      "eslint-rules/no-x.js",
      "tools/check.mjs",
      "tests/conftest.py",
      "my_macros/src/lib.rs",
      ".github/workflows/a.yml",
    ],
  ];
  for (const path of runs) assert.deepEqual(files([path]), [path]);
  for (const path of ["src/a.ts", "src/config.ts", "README.md", "src/macros.ts", "lib/tools.py"])
    assert.deepEqual(files([path]), []);
  assert.deepEqual(files(["ci/verify.js"], "npm run lint", "node ./ci/verify.js --all"), ["ci/verify.js"]);
  assert.deepEqual(files(["src/a.ts", "package.json", "src/b.ts"]), ["package.json"]);
});
