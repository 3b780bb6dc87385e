// The kinds of tests, as jobs that run side by side. Everything is built once, before; what has to be fetched is fetched
// while the kinds that need none of it run.
import { readdirSync } from "node:fs";
import { posix } from "node:path";
import { runCheck } from "./check.mjs";
import { takesTimes, tellTimes } from "./file-times.mjs";
import { runHostTests } from "./host-tests.mjs";
import { runJobs } from "./jobs.mjs";
import { writeToMemory } from "./memory-folder.mjs";
import { findDrawing } from "./named-tests.mjs";
import { deal, findTests, runNodeTests } from "./node-tests.mjs";
import { packForTests } from "./pack.mjs";
import { must } from "./processes.mjs";
import { leftOut, withSlow } from "./slow.mjs";
import { addCounts, formatCounts, noTests, whatFailed } from "./test-summary.mjs";
import { prepareBrowser, prepareTools } from "./tools.mjs";

export const kinds = ["check", "unit", "page", "host", "ui"];

/** The builds that a kind needs. The packed extension is built first: it lies where the other one will. */
const targets = {
  check: [],
  unit: ["unit"],
  page: ["page"],
  host: ["extension", "host", "several", "runner"],
  ui: ["extension", "ui"],
};

/** Answers the exit code. The last line is the whole in short. */
export async function runKinds(asked) {
  writeToMemory();
  // Who wants to see a surface runs its test by name.
  process.env.PATCHBAY_UNSEEN = "1";
  const deps = (...names) => asked.some((name) => names.includes(name));
  const tools = deps("host", "ui") ? prepareTools() : Promise.resolve();
  const browser = deps("page") ? prepareBrowser() : Promise.resolve();
  // Whoever needs what could not be had says so.
  for (const promise of [tools, browser]) promise.catch(() => {});
  if (deps("host", "ui")) await packForTests(".build/patchbay.vsix");
  const wanted = new Set(asked.flatMap((name) => targets[name]));
  if (wanted.size > 0) await must(process.execPath, ["esbuild.mjs", "--quiet", ...wanted]);
  const jobs = longestFirst
    .filter((name) => asked.includes(name))
    .flatMap((name) => makeJobs[name](tools, browser));
  const totals = new Map();
  const broken = [];
  const unsteady = [];
  const times = [];
  await runJobs(jobs, ({ name }, result, seconds) => {
    totals.set(name, addCounts(totals.get(name), result));
    console.log(`\n── ${name}: ${formatCounts(result)} in ${seconds.toFixed(1)} s ──`);
    console.log(result.output.trim());
    unsteady.push(...(result.unsteady ?? []));
    times.push(...(result.times ?? []));
    if (result.failed > 0) broken.push(`── ${name} ──\n${whatFailed(result.output)}`);
  });
  if (broken.length > 0) console.log(`\nWhat failed, once more:\n${broken.join("\n")}`);
  if (unsteady.length > 0) console.log(`\nPassed only when run once more, alone:\n${unsteady.join("\n")}`);
  if (takesTimes()) tellTimes(times);
  console.log("");
  for (const name of asked) console.log(`${name}: ${formatCounts(totals.get(name) ?? noTests)}`);
  const slow = leftOut(readdirSync(".build", { recursive: true }).map(String).filter(isTests));
  if (slow > 0)
    console.log(
      `${slow} files of slow tests were left out; with PATCHBAY_ALL=1 they are run, as in .ci/run.`,
    );
  const all = [...totals.values()].reduce(addCounts, noTests);
  console.log(formatCounts(all));
  return all.failed === 0 && all.passed > 0 ? 0 : 1;
}

const isTests = (name) => name.endsWith(".test.mjs") || name.endsWith(".suite.cjs");

/** What begins last must not be what takes long. */
const longestFirst = ["ui", "host", "page", "unit", "check"];

const makeJobs = {
  check: () => [{ name: "check", opensWindow: false, ready: Promise.resolve(), work: runCheck }],
  unit: () => groupJobs("unit", deal(findTests(".build/unit"), 4)),
  page: (_, browser) => groupJobs("page", deal(findTests(".build/page"), 2), browser),
  host: (tools) => [
    {
      name: "host",
      opensWindow: true,
      ready: tools,
      work: () => runHostTests({ suites: ".build/host", secondTry: true }),
    },
    ...groupJobs("runner", deal(findTests(".build/runner"), Number.POSITIVE_INFINITY), tools),
  ],
  // The tests of one group share windows of VS Code, and nothing takes as long: a folder of many is two groups.
  ui: (tools) =>
    groupJobs(
      "ui",
      byFolder(findTests(".build/ui")).flatMap((files) => (files.length > 10 ? deal(files, 2) : [files])),
      tools,
    ),
};

function groupJobs(room, groups, needed = Promise.resolve()) {
  const drawing = findDrawing();
  return groups.map((files, index) => ({
    name: room === "runner" ? "host" : room,
    opensWindow: room === "runner" || room === "ui",
    ready: needed,
    work: () =>
      runNodeTests({
        folder: `.build/${room}`,
        name: String(index + 1),
        files,
        gentle: room === "unit",
        // Watching costs a tenth of the time, and what holds the thread for long is in slow files.
        watched: room === "unit" && withSlow(),
        // A random draw that fails does not fail again.
        ...{ secondTry: true, believed: drawing },
        timeLimit: 900_000,
      }),
  }));
}

function byFolder(files) {
  const folders = new Map();
  for (const file of files)
    folders.set(posix.dirname(file), [...(folders.get(posix.dirname(file)) ?? []), file]);
  return [...folders.values()];
}
