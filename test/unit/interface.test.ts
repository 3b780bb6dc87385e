// Every rule of the interface and every requirement of the client stands in test/fixtures/interface with the tests
// that prove it: a rule per line, its proofs indented below. A proof is the title of a test as its source spells
// it, "streams <case>", "patch <case>", "retry <sequence>", "faults <row>" or "bench <name>". A rule without a proof fails, and so does a proof that
// no test gives any more.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = process.cwd();
const read = (...path: string[]) => readFileSync(join(root, ...path), "utf8");

interface Rule {
  readonly name: string;
  readonly proofs: readonly string[];
}

function rulesOf(file: string): Rule[] {
  const rules: { name: string; proofs: string[] }[] = [];
  for (const line of read("test/fixtures/interface", file).split("\n")) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    if (/^\s/.test(line)) rules.at(-1)?.proofs.push(line.trim());
    else rules.push({ name: line, proofs: [] });
  }
  return rules;
}

const sourcesOf = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true })
    .map(String)
    .filter((name) => /\.(test|suite)\.ts$/.test(name))
    .map((name) => read(folder, name));
const sources = sourcesOf("test/unit");
/** What needs an editor or a page is proved there. */
const allSources = [...sources, ...["test/host", "test/page", "test/ui"].flatMap(sourcesOf)];

/** Titles as they stand in the sources, templates unfilled. */
const titles = new Set([
  ...allSources
    .flatMap((source) => [...source.matchAll(/\b(?:test|it|\w+Test)\(\s*("[^"\n]*"|`[^`\n]*`)/g)])
    .map(([, title = ""]) => title.slice(1, -1)),
  ...sources
    .flatMap((source) => [...source.matchAll(/\bfaultRow\(\s*(\w+),\s*("[^"\n]*"|`[^`\n]*`)/g)])
    .map(([, row, title = ""]) => `row ${row}: ${title.slice(1, -1)}`),
]);
const faults = sources.filter((source) => source.includes("/fault-row.ts"));
const retries = sources.filter((source) => source.includes("/retry-sequence.ts"));

function exists(proof: string): boolean {
  const [, kind, what = ""] = /^(streams|patch|retry|faults|bench) (.+)$/.exec(proof) ?? [];
  switch (kind) {
    case "streams":
      return existsSync(join(root, "test/fixtures/streams", `${what}.json`));
    case "patch":
      return existsSync(join(root, "test/fixtures/patch", what));
    case "bench":
      return existsSync(join(root, "test/bench", `${what}.bench.ts`));
    case "retry":
      return retries.some((source) => source.includes(`name: "${what}"`));
    case "faults":
      return isRow(Number(what));
    default:
      return titles.has(proof);
  }
}

/** In a table of rows, or by its own call: whichever it is, the one mechanism tests it. */
const isWatched = (row: number): boolean =>
  faults.some((source) => new RegExp(`row: ${row},|\\[${row}, "|faultRow\\(\\s*${row},`).test(source));
/** "row 7:", "rows 65 and 67:", or a table of rows whose title is "row ${row}:". */
const isNamed = (row: number): boolean =>
  [...titles].some((title) =>
    /^rows? ([\d, and]+): /.exec(title)?.[1]?.match(/\d+/g)?.includes(String(row)),
  ) || sources.some((source) => /`row \$\{row\}:/.test(source) && source.includes(`[${row}, "`));
const isRow = (row: number): boolean => isWatched(row) || isNamed(row);

for (const [file, what] of [
  ["rules.txt", "the rule"],
  ["requirements.txt", "the requirement"],
] as const) {
  for (const { name, proofs } of rulesOf(file)) {
    test(`${what} “${name}” has its tests`, () => {
      assert.notEqual(proofs.length, 0, "no test proves it");
      assert.deepEqual(
        proofs.filter((proof) => !exists(proof)),
        [],
        "these tests are not there",
      );
    });
  }
}

/** How many requirements each section has. */
const sections: readonly (readonly [section: string, count: number])[] = [
  ["A", 15],
  ["B", 23],
  ["C", 12],
  ["D", 9],
  ["E", 13],
  ["F", 16],
  ["G", 10],
  ["H", 10],
  ["I", 10],
  ["J", 10],
  ["K", 9],
  ["L", 6],
  ["M", 8],
  ["N", 10],
];

test("every requirement of the client is listed, once and in order", () => {
  const expected = sections.flatMap(([section, count]) =>
    Array.from({ length: count }, (_, at) => `${section}${at + 1}`),
  );
  assert.deepEqual(
    rulesOf("requirements.txt").map(({ name }) => name.split(" ")[0]),
    expected,
  );
});

/** Faults §3: connection and HTTP, stream, a call that comes again, estimate and delete. */
const watchedRows = [
  ...Array.from({ length: 53 }, (_, at) => at + 1),
  57,
  ...Array.from({ length: 9 }, (_, at) => at + 104),
];

for (const row of watchedRows) {
  test(`row ${row} of the fault matrix has a test that is named after it, with a canary for a key`, () => {
    assert.ok(isWatched(row));
    assert.ok(!sources.some((source) => new RegExp(`\\btest\\(\\s*["\`]row ${row}:`).test(source)));
  });
}

/** The editor's: its tests stand where the editor is, and name their row at their end. */
const hosts = ["test/host", "test/several"]
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
  .filter((name) => name.endsWith(".suite.ts"))
  .map((name) => read(name));
for (const row of Array.from({ length: 102 - 85 }, (_, at) => at + 86)) {
  test(`row ${row} of the fault matrix has a test in the editor that names it`, () => {
    const named = new RegExp(`\\bit\\(\\s*["\`][^\\n]* \\(row ${row}\\)["\`]`);
    assert.ok(hosts.some((source) => named.test(source)));
  });
}

/** The rest of a turn, the life of a process, storage, and the checkpoint that cannot be kept. */
const otherRows = [...Array.from({ length: 85 - 53 }, (_, at) => at + 54), 103];
for (const row of otherRows.filter((each) => !watchedRows.includes(each))) {
  test(`row ${row} of the fault matrix has a test that is named after it`, () => assert.ok(isRow(row)));
}
