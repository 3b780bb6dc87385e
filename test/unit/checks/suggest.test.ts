// Which checks a folder seems to have, and what a setting may say.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readRows, runsAutomatically, withAutomatic } from "../../../src/checks/check.ts";
import { timeoutOf } from "../../../src/checks/internal/check-timeout.ts";
import { suggestChecks } from "../../../src/checks/internal/suggest-checks.ts";

const suggest = async (files: Readonly<Record<string, string>>, installed?: readonly string[]) => {
  const top = {
    names: Object.keys(files),
    read: async (name: string) => files[name],
    ...(installed && { isInstalled: async (program: string) => installed.includes(program) }),
  };
  return (await suggestChecks(top)).map(({ name, kind, command }) => [name, kind, command].join(" | "));
};
const scripts = (all: Readonly<Record<string, string>>) => JSON.stringify({ scripts: all });

test("suggestChecks runs package scripts with the folder's package manager", async () => {
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

test("suggestChecks prefers the declared package manager, then an installed one, among several lock files", async () => {
  const locks = { "bun.lock": "", "package-lock.json": "", "pnpm-lock.yaml": "" };
  const manifest = { scripts: { lint: "eslint ." } };
  const lint = (runner: string) => [`lint | static | ${runner} run lint`];
  const named = { ...locks, "package.json": JSON.stringify({ ...manifest, packageManager: "bun@1.2.0" }) };
  assert.deepEqual(await suggest(named), lint("bun"));
  const unnamed = { ...locks, "package.json": JSON.stringify(manifest) };
  assert.deepEqual(await suggest(unnamed, ["npm", "bun"]), lint("npm"));
  assert.deepEqual(await suggest(unnamed, ["bun"]), lint("bun"));
});

test("suggestChecks leaves out programs that are not installed", async () => {
  const files = { "pyproject.toml": "[tool.ruff]\n[tool.mypy]\n", Makefile: "lint:\n", "go.mod": "" };
  assert.deepEqual(await suggest(files, ["mypy"]), ["mypy | static | mypy --no-pretty ."]);
});

test("suggestChecks lets mypy use the files that the project names", async () => {
  const files = 'files = ["src"]\n';
  const mypy = (command: string) => [`mypy | static | ${command}`];
  const project = (text: string) => suggest({ "pyproject.toml": text });
  assert.deepEqual(await project(`[tool.mypy]\n${files}`), mypy("mypy --no-pretty"));
  assert.deepEqual(await project(`[tool.mypy]\n[tool.other]\n${files}`), mypy("mypy --no-pretty ."));
  assert.deepEqual(await suggest({ "mypy.ini": "[mypy]\npackages = a\n" }), mypy("mypy --no-pretty"));
});

test("suggestChecks leaves out placeholder and watch scripts, and never fetches a compiler", async () => {
  const none = scripts({ test: 'echo "Error: no test specified" && exit 1', lint: "eslint --watch ." });
  assert.deepEqual(await suggest({ "package.json": none }), []);
  assert.deepEqual(await suggest({ "tsconfig.json": "{}" }), [
    "types | static | npx --no-install tsc --noEmit -p .",
  ]);
  assert.deepEqual(await suggest({ "tsconfig.json": '{"references": []}' }), [
    "types | static | npx --no-install tsc -b",
  ]);
});

test("suggestChecks knows other languages and Makefile targets", async () => {
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
    ["ruff | static | ruff check .", "mypy | static | mypy --no-pretty .", "pytest | tests | pytest -q"],
  );
  assert.deepEqual(await suggest({ "setup.py": "" }), ["syntax | static | python3 -I -m compileall -q -f ."]);
  assert.deepEqual(await suggest({ Makefile: "lint:\n\truff\ntest: x\n\tgo\nCC:=gcc\n" }), [
    "lint | static | make lint",
    "tests | tests | make test",
  ]);
  assert.deepEqual(await suggest({ "readme.md": "" }), []);
});

test("suggestChecks calls the compiler directly when a script only calls a supported version of it", async () => {
  const compiler = (version: string) => ({
    "node_modules/typescript/package.json": JSON.stringify({ version }),
  });
  const row = "types | static | node node_modules/typescript/bin/tsc --noEmit -p .";
  const types = async (script: Readonly<Record<string, string>>, version = "5.9.3") =>
    (await suggest({ "package.json": scripts(script), "tsconfig.json": "{}", ...compiler(version) }))[0];
  assert.equal(await types({}), row);
  assert.equal(await types({ typecheck: "tsc --noEmit -p ." }), row);
  assert.equal(
    await types({ typecheck: "tsc --noEmit -p .", pretypecheck: "gen" }),
    "types | static | npm run typecheck",
  );
  assert.equal(await types({ typecheck: "tsc" }), "types | static | npm run typecheck");
  assert.equal(await types({}, "8.0.0"), "types | static | npx --no-install tsc --noEmit -p .");
});

test("readRows keeps valid rows of the setting and leaves out malformed ones", () => {
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
  assert.ok(runsAutomatically({ name: "a", command: "a", kind: "static" }));
  assert.ok(!runsAutomatically({ name: "a", command: "a", kind: "tests" }));
  assert.ok(runsAutomatically({ name: "a", command: "a", kind: "tests", automatic: true }));
});

test("timeoutOf uses the row's timeout, and by default gives tests longer than other checks", () => {
  const row = { name: "a", command: "a" };
  assert.equal(timeoutOf({ ...row, kind: "tests", timeoutSeconds: 5 }), 5);
  assert.equal(timeoutOf({ ...row, kind: "tests" }), 600);
  assert.equal(timeoutOf({ ...row, kind: "static" }), 300);
});

test("withAutomatic makes chosen tests run automatically unless their row says otherwise", () => {
  const own = { name: "tests", command: "npm test", kind: "tests", note: "mine" };
  const manual = { name: "slow", command: "npm run slow", kind: "tests", automatic: false };
  const chosen = readRows([own, manual]).map((row) => ({ ...row, automatic: true }));
  const changed = withAutomatic([own, manual, "unread"], chosen);
  assert.deepEqual(changed, [{ ...own, automatic: true }, manual, "unread"]);
  assert.deepEqual(readRows(changed).map(runsAutomatically), [true, false]);
  assert.equal(withAutomatic(changed, chosen), undefined, "nothing is left to change");
  assert.equal(withAutomatic([own], []), undefined, "it was not chosen");
});
