// A check: every rule of test/interface.md and every promise of test/requirements.md has tests that prove it, and every row
// of the fault matrix has a test that names it. A rule is a bullet, its proofs are the bullets below it: the title of a
// test as its source spells it, "streams <case>", "patch <case>", "retry <sequence>", "faults <row>" or "bench <name>".
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = process.cwd();
const read = (...path) => readFileSync(join(root, ...path), "utf8");
/** @type {string[]} */
const missing = [];

function rulesOf(file) {
  /** @type {{ name: string, proofs: string[] }[]} */
  const rules = [];
  for (const line of read("test", file).split("\n")) {
    const [, indent, text] = /^( *)- (.+)$/.exec(line) ?? [];
    if (text === undefined) continue;
    if (indent === "") rules.push({ name: text, proofs: [] });
    else rules.at(-1)?.proofs.push(/^(`+) ?(.*?) ?\1$/.exec(text)?.[2] ?? text);
  }
  return rules;
}

const sourcesOf = (folder) =>
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

/** In a table of rows, or by its own call: whichever it is, the one mechanism tests it. */
const isWatched = (row) =>
  faults.some((source) => new RegExp(`row: ${row},|\\[${row}, "|faultRow\\(\\s*${row},`).test(source));
/** "row 7:", "rows 65 and 67:", or a table of rows whose title is "row ${row}:". */
const isNamed = (row) =>
  [...titles].some((title) =>
    /^rows? ([\d, and]+): /.exec(title)?.[1]?.match(/\d+/g)?.includes(String(row)),
  ) || sources.some((source) => /`row \$\{row\}:/.test(source) && source.includes(`[${row}, "`));
const isRow = (row) => isWatched(row) || isNamed(row);

function exists(proof) {
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

for (const file of ["interface.md", "requirements.md"])
  for (const { name, proofs } of rulesOf(file)) {
    if (proofs.length === 0) missing.push(`test/${file}: no test proves “${name}”.`);
    for (const proof of proofs)
      if (!exists(proof)) missing.push(`test/${file}: “${name}” names a test that is not there: “${proof}”.`);
  }

/** How many promises each section has. */
const sections = {
  A: 15,
  B: 23,
  C: 12,
  D: 9,
  E: 13,
  F: 16,
  G: 10,
  H: 10,
  I: 10,
  J: 10,
  K: 9,
  L: 6,
  M: 8,
  N: 11,
};
const expected = Object.entries(sections).flatMap(([section, count]) =>
  Array.from({ length: count }, (_, at) => `${section}${at + 1}`),
);
const listed = rulesOf("requirements.md").map(({ name }) => name.split(" ")[0]);
if (JSON.stringify(listed) !== JSON.stringify(expected))
  missing.push("test/requirements.md: every promise is listed once and in order.");

const range = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
/** Connection and HTTP, stream, a call that comes again, estimate and delete: looked through for a planted key. */
const watchedRows = [...range(1, 53), 57, ...range(104, 112)];
for (const row of watchedRows) {
  const byItself = new RegExp(`\\btest\\(\\s*["\`]row ${row}:`);
  if (!isWatched(row) || sources.some((source) => byItself.test(source)))
    missing.push(`Row ${row} of the fault matrix is tested by test/support/fault-row.ts.`);
}
/** The editor's: their tests stand where the editor is, and name their row at their end. */
const hosts = ["test/host", "test/several"].flatMap(sourcesOf);
for (const row of range(86, 102))
  if (!hosts.some((source) => new RegExp(`\\bit\\(\\s*["\`][^\\n]* \\(row ${row}\\)["\`]`).test(source)))
    missing.push(`Row ${row} of the fault matrix has a test in the editor that names it.`);
/** The rest of a turn, the life of a process, storage, and the checkpoint that cannot be kept. */
for (const row of [...range(54, 85), 103])
  if (!watchedRows.includes(row) && !isRow(row))
    missing.push(`Row ${row} of the fault matrix has a test that is named after it.`);

for (const line of missing) console.error(line);
process.exitCode = missing.length > 0 ? 1 : 0;
