// Which commands execute nothing of what is proposed: those of a table, word for word, and no others.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { asReadOnlyCommand, readerOf } from "../../../src/checks/check.ts";

const compiler = "node node_modules/typescript/bin/tsc";

describe("readerOf", () => {
  for (const command of [
    ...[
      `${compiler} --noEmit -p .`,
      `${compiler} --noEmit --pretty false`,
      `${compiler} -p src/tsconfig.json --noEmit`,
    ],
    ...["python3 -I -m compileall -q -f .", "python3 -I -m py_compile a.py src/b.py"],
  ])
    test(`accepts ${command}`, () => assert.notEqual(readerOf(command), undefined));

  for (const command of [
    ...[
      "npx tsc --noEmit",
      "npm run typecheck",
      "tsc --noEmit",
      "./node_modules/.bin/tsc --noEmit",
      "cargo check",
    ],
    ...[
      compiler,
      `${compiler} --noEmit -b`,
      `${compiler} --noEmit --watch`,
      `${compiler} --noEmit --outDir /x`,
    ],
    ...[`${compiler} --noEmit -p ../other`, `${compiler} --noEmit -p /etc`, `${compiler} --noEmit && x`],
    ...[
      `${compiler} --noEmit $(x)`,
      `${compiler} --noEmit -p "a b"`,
      `${compiler} --noEmit -p`,
      `${compiler} --noEmit a.ts`,
    ],
    ...[
      `FOO=1 ${compiler} --noEmit`,
      `${compiler} --noEmit --generateTrace x`,
      `${compiler} --noEmit --__proto__`,
    ],
    ...[
      "python3 -m compileall .",
      "python -I -m compileall .",
      "python3 -I -m compileall -j 2 .",
      "python3 -I -m pkg",
    ],
    ...[
      "python3 -I -c pass",
      "python3 -I -m compileall ../x",
      "node tools/check.mjs",
      "node node_modules/typescript/bin/tscx --noEmit",
    ],
    ...["make check", "eslint .", "ruff check .", "mypy ."],
  ])
    test(`rejects ${command}`, () => assert.equal(readerOf(command), undefined));

  test("keeps the compiler from writing to places named in a configuration", () => {
    const { args = [] } = readerOf(`${compiler} --noEmit -p .`) ?? {};
    assert.deepEqual(args.slice(3), [
      ...["--incremental", "--tsBuildInfoFile", "{temporary}/state.tsbuildinfo", "--generateTrace", "null"],
    ]);
  });
});

describe("asReadOnlyCommand", () => {
  test("recognizes a script that only calls the compiler", () => {
    assert.equal(asReadOnlyCommand("tsc --noEmit"), `${compiler} --noEmit`);
    for (const script of ["tsc", "tsc --noEmit && x", "tsc -b", "vue-tsc --noEmit"])
      assert.equal(asReadOnlyCommand(script), undefined);
  });
});
