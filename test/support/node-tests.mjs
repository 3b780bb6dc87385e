// Runs built node:test files and counts. What failed is told in full, what passed is a dot. Files of one group run in
// one process, one after another, and share what they import: starting Node, a page or a VS Code for each of them costs
// more than most tests, and one that only hands on what another one says would be too many.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, posix, relative } from "node:path";
import { takesTimes } from "./file-times.mjs";
import { capture } from "./processes.mjs";
import { askedFor } from "./slow.mjs";
import { exactly, judgedLater } from "./suspects.mjs";

/** In milliseconds, for a whole group: what waits longer waits for nothing, however busy the machine is. */
const patience = 4_500_000;

/** Every built *.test.mjs under the folder, below it, that this run is to have. */
export function findTests(folder) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true }).map((name) => String(name).replaceAll("\\", "/"));
  return askedFor(names.filter((name) => name.endsWith(".test.mjs"))).sort();
}

/** Deals the files out to so many groups. */
export function deal(files, count) {
  const groups = Array.from({ length: Math.min(count, files.length) }, () => []);
  for (const [index, file] of files.entries()) groups[index % groups.length].push(file);
  return groups;
}

/**
 * Runs these files of the folder in one process that is called so. Answers { passed, failed, output }. With `watched`,
 * tests in which the product computes for too long without a pause have to be run `again`, and fail where that repeats;
 * with `secondTry`, so do the few that failed, unless one of them is in a file that is `believed`. `timeLimit`, in
 * milliseconds, is for each test.
 * @param {{ folder: string, name: string, files: readonly string[], gentle: boolean, watched?: boolean, secondTry?: boolean, believed?: readonly string[], timeLimit?: number }} group
 */
export async function runNodeTests({ secondTry = false, believed = [], ...group }) {
  const runAgain = async (tests) => {
    const more = tests.map((test) => `--test-name-pattern=${exactly(test.split(" > ")[0])}`);
    const second = await runGroup({ ...group, name: `${group.name}-again`, more });
    return { ...second, isWhole: second.counted && second.passed + second.failed > 0 };
  };
  const first = await runGroup(group);
  const isBelieved = first.files.some((path) => believed.some((file) => path.endsWith(`/${file}`)));
  return judgedLater(first, runAgain, secondTry && !isBelieved);
}

async function runGroup({ folder, name, files, gentle, watched = false, timeLimit = 0, more = [] }) {
  const entry = `${folder}.groups/${name}.mjs`;
  const counts = `${folder}.groups/${name}.json`;
  const stretches = `${folder}.groups/${name}.stretches.json`;
  mkdirSync(dirname(entry), { recursive: true });
  const up = relative(dirname(entry), folder).replaceAll("\\", "/");
  writeFileSync(entry, files.map((file) => `import "${posix.join(up, file)}";\n`).join(""));
  for (const file of [counts, stretches]) rmSync(file, { force: true });
  const { code, output } = await capture(
    process.execPath,
    [
      "--enable-source-maps",
      // Before whoever imports fast-check.
      ...(process.env.PATCHBAY_DRAWS === undefined ? [] : ["--import=./test/support/more-draws.mjs"]),
      ...(watched ? ["--import=./test/support/watched-tests.mjs"] : []),
      ...(takesTimes() ? ["--import=./test/support/timed-tests.mjs"] : []),
      "--test-reporter=./test/support/node-reporter.mjs",
      ...more,
      entry,
    ],
    // A test may run tests; with these variables, Node would take them for its own.
    {
      env: {
        PATCHBAY_COUNTS: counts,
        PATCHBAY_STRETCHES: stretches,
        PATCHBAY_TEST_LIMIT: String(timeLimit),
        NODE_TEST_CONTEXT: undefined,
      },
      gentle,
      patience: Math.min(patience * Number(process.env.PATCHBAY_DRAWS ?? 1), 2 ** 31 - 1),
    },
  );
  const counted = existsSync(counts);
  const {
    names,
    files: failing,
    times,
    ...total
  } = {
    ...{ passed: 0, failed: 0, names: [], files: [], times: [] },
    ...(counted && JSON.parse(readFileSync(counts, "utf8"))),
  };
  // A process that has not come to counting died, or a test led it out, be it with a 0.
  if (total.failed === 0 && (code !== 0 || !counted)) total.failed = 1;
  const long = existsSync(stretches) ? JSON.parse(readFileSync(stretches, "utf8")).long : [];
  const end = counted ? "" : "\nThe process ended before its tests did.\n";
  return { ...total, names, files: failing, times, counted, long, output: output + end };
}
