// `npm test -- <part of a name>`: the test files whose path has that part in it, built alone and run in their kind. Who
// names a file wants it run, however slow it is.
import { readdirSync, readFileSync } from "node:fs";
import { takesTimes, tellTimes } from "./file-times.mjs";
import { runHostTests, severalFolders } from "./host-tests.mjs";
import { runNodeTests } from "./node-tests.mjs";
import { packForTests } from "./pack.mjs";
import { run } from "./processes.mjs";
import { judgedNow } from "./suspects.mjs";
import { addCounts, formatCounts, noTests } from "./test-summary.mjs";
import { prepareBrowser, prepareTools } from "./tools.mjs";

/** The kinds in the order in which they are run: what is quick comes first. */
const kinds = ["unit", "page", "runner", "host", "several", "ui"];

/** What a kind needs beside its own files. */
const needs = {
  unit: { targets: [] },
  page: { targets: [], prepare: prepareBrowser },
  runner: { targets: ["extension", "host", "several"], prepare: prepareTools, packed: true },
  host: { targets: ["extension"], prepare: prepareTools },
  several: { targets: ["extension"], prepare: prepareTools },
  ui: { targets: ["extension"], prepare: prepareTools, packed: true },
};

/** For one test, in milliseconds: somebody waits for it, and one that hangs is to be named. */
const patience = { unit: 120_000, page: 600_000, runner: 600_000, ui: 600_000 };

/**
 * Every test file below `test/` that has one of the parts in its path, by kind, as paths below the folder of its kind.
 * @param {readonly string[]} parts
 * @returns {Map<string, string[]>}
 */
export function findNamed(parts) {
  const wanted = parts.map((part) =>
    part
      .replaceAll("\\", "/")
      .replace(/^(?:\.\/)?test\//, "")
      .toLowerCase(),
  );
  const found = new Map();
  for (const kind of kinds) {
    const files = readdirSync(`test/${kind}`, { recursive: true })
      .map((name) => String(name).replaceAll("\\", "/"))
      .filter((name) => /\.(?:test|suite)\.ts$/.test(name))
      .filter((name) => wanted.some((part) => `${kind}/${name}`.toLowerCase().includes(part)))
      .sort();
    if (files.length > 0) found.set(kind, files);
  }
  return found;
}

/** One line: how many files of which kind, and their names while they are few. */
function describe(found) {
  const kindsFound = [...found].map(([kind, files]) => {
    const names = files.length > 4 ? "" : ` (${files.join(", ")})`;
    return `${files.length} ${kind} ${files.length === 1 ? "file" : "files"}${names}`;
  });
  return kindsFound.join(", ");
}

/** Only says what would run. Answers the exit code. */
export function listNamed(parts) {
  const found = findNamed(parts);
  if (found.size === 0) return nothingFound(parts);
  console.log(describe(found));
  for (const [kind, files] of found) for (const file of files) console.log(`test/${kind}/${file}`);
  return 0;
}

/** The paths of all tests that draw random cases, except those that need a window. */
export const findDrawing = () =>
  ["unit", "page"]
    .flatMap((kind) => (findNamed([`${kind}/`]).get(kind) ?? []).map((name) => `test/${kind}/${name}`))
    .filter((file) => /from "(?:fast-check|[./]+\/support\/draws\.ts)"/.test(readFileSync(file, "utf8")));

/** Answers the exit code. The last line is the whole in short. */
export async function runNamed(parts) {
  const found = findNamed(parts);
  if (found.size === 0) return nothingFound(parts);
  console.log(`Running ${describe(found)}.`);
  process.env.PATCHBAY_ALL = "1";
  const asked = [...found.keys()].map((kind) => needs[kind]);
  const tools = Promise.all(asked.map(({ prepare }) => prepare?.()));
  tools.catch(() => {});
  if (asked.some(({ packed }) => packed)) await packForTests(".build/patchbay.vsix");
  const targets = new Set(asked.flatMap((need) => need.targets));
  const sources = [...found].flatMap(([kind, files]) => files.map((file) => `test/${kind}/${file}`));
  // What cannot be built is said by the build itself.
  if ((await run(process.execPath, ["esbuild.mjs", "--quiet", ...targets, ...sources])) !== 0) {
    console.log("0 passed, 1 failed (it could not be built)");
    return 1;
  }
  await tools;
  let total = noTests;
  const times = [];
  for (const [kind, files] of found) {
    const result = await judgedNow(await runKind(kind, files));
    console.log(result.output.trim());
    total = addCounts(total, result);
    times.push(...(result.times ?? []));
  }
  if (takesTimes()) tellTimes(times);
  console.log(formatCounts(total));
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}

function runKind(kind, files) {
  if (kind === "host" || kind === "several")
    return runHostTests({
      suites: `.build/${kind}`,
      files: files.map((file) => file.replace(/\.ts$/, ".cjs")),
      folders: kind === "several" ? severalFolders : [],
    });
  const built = files.map((file) => file.replace(/\.ts$/, ".mjs"));
  return runNodeTests({
    folder: `.build/${kind}`,
    name: "named",
    files: built,
    gentle: false,
    watched: kind === "unit",
    timeLimit: patience[kind],
  });
}

/** A word of the source is often no part of a test's name: the tests that speak of it are named instead. */
function nothingFound(parts) {
  const words = parts.map((part) => `“${part}”`).join(" or ");
  console.error(`No test file below test/ has ${words} in its name.`);
  const speaking = [...findNamed([""])]
    .flatMap(([kind, files]) => files.map((file) => `test/${kind}/${file}`))
    .filter((file) => parts.some((part) => readFileSync(file, "utf8").includes(part)));
  if (speaking.length > 0) {
    console.error(`In these it stands:`);
    for (const file of speaking.slice(0, 10)) console.error(`  ${file}`);
    if (speaking.length > 10) console.error(`  and ${speaking.length - 10} more`);
  }
  return 1;
}
