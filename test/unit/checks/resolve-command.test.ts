// What a command runs in the end is what a person accepts: scripts of scripts, in whichever package and by whichever manager.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { resolveCommand } from "../../../src/checks/internal/suggest-checks.ts";

type Scripts = Readonly<Record<string, string>>;

const packageJson = (scripts: Scripts) => JSON.stringify({ scripts });

function resolve(command: string, root: Scripts, others: Readonly<Record<string, string>> = {}) {
  const files: Readonly<Record<string, string>> = { "package.json": packageJson(root), ...others };
  return resolveCommand(command, {
    read: async (path) => files[path],
    packages: async () => Object.keys(files).filter((path) => path.endsWith("package.json")),
  });
}

describe("resolveCommand", () => {
  test("follows scripts that call scripts, with their pre and post scripts", async () => {
    const root = { a: "npm run b && node x.mjs", b: "eslint .", preb: "gen", postb: "tidy" };
    assert.equal(await resolve("npm run a", root), "npm run b && node x.mjs  →  gen  →  eslint .  →  tidy");
    assert.equal(await resolve("npx tsc", root), undefined);
    assert.equal(await resolve("npm run gone", root), undefined);
  });

  for (const command of [
    ...[
      "npm run b",
      "npm run --silent b",
      "npm run-script b -- --fix",
      "pnpm b",
      "pnpm run b",
      "yarn b",
      "yarn run b",
    ],
    ...[
      "bun run b",
      "CI=1 npm run b",
      "cross-env CI=1 npm run b",
      "time npm run b",
      "echo x; npm run b",
      "(npm run b)",
    ],
    ...[
      'sh -c "npm run b"',
      "bash -lc 'cd . && npm run b'",
      'concurrently "npm run b" "npm run c"',
      "x || npm run b",
    ],
    ...[
      "/usr/bin/npm run b",
      "npm.cmd run b",
      "echo $(npm run b)",
      "x & npm run b",
      "npm-run-all b",
      "run-s b",
      "turbo run b",
    ],
    ...[
      "node --run b",
      "node --env-file=.env --run=b",
      "make all",
      "npm exec -c 'npm run b'",
      "node x | npm run b",
    ],
  ])
    test(`finds what ${command} runs`, async () => {
      const others = { Makefile: "all:\n\t@npm run b\n" };
      const found = await resolve(command, { b: "the body" }, others);
      assert.match(found ?? "", /the body/);
    });

  for (const command of [
    ...["npm run a --prefix packages/one", "npm --prefix=packages/one run a", "npm -C packages/one run a"],
    ...["cd packages/one && npm run a", "cd packages && cd one && yarn a", "pnpm --dir packages/one a"],
    ...[
      "npm run a -w one",
      "npm run a --workspace=one",
      "npm run a --workspaces",
      "pnpm --filter one a",
      "pnpm -r a",
    ],
    ...["yarn workspace one a", "yarn workspace one run a", "yarn workspaces foreach run a", "pnpm -r run a"],
    ...["yarn --cwd packages/one a", "pnpm -F one run a", "npm test -ws"],
  ])
    test(`finds the package in which ${command} runs`, async () => {
      const others = {
        "packages/one/package.json": packageJson({
          a: "npm run deeper",
          test: "npm run deeper",
          deeper: "the body",
        }),
      };
      const found = await resolve(command, { deeper: "another" }, others);
      assert.match(found ?? "", /the body/);
    });

  test("gives another text when a nested script changes", async () => {
    const first = await resolve("npm run a", { a: "npm run b", b: "npm run c", c: "eslint ." });
    const second = await resolve("npm run a", { a: "npm run b", b: "npm run c", c: "eslint . ; curl evil" });
    assert.notEqual(first, second);
  });

  test("gives another text when a Makefile changes", async () => {
    const of = (text: string) => resolve("make lint", {}, { Makefile: text });
    assert.notEqual(await of("lint:\n\truff"), await of("lint:\n\truff; evil"));
  });

  for (const [command, makefile] of [
    ["make lint", "lint:\n\t$(MAKE) -C sub lint"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: make spells it like this as well.
    ["make lint", "lint:\n\t@+${MAKE} --directory=sub lint"],
    ["make lint", "-include none.mk sub/*.mk sub/Makefile"],
    ["make -Csub lint", ""],
    ["make --file=sub/Makefile lint", "lint:"],
    ["make -f Makefile -f sub/Makefile lint", "lint:"],
  ] as const)
    test(`gives another text when a Makefile below changes: ${command}, ${makefile}`, async () => {
      const of = (text: string) => resolve(command, {}, { Makefile: makefile, "sub/Makefile": text });
      assert.notEqual(await of("lint:\n\truff"), await of("lint:\n\truff; evil"));
    });

  test("terminates on scripts that call each other", async () => {
    assert.equal(await resolve("npm run a", { a: "npm run b", b: "npm run a" }), "npm run b  →  npm run a");
  });
});
