// A node:test reporter for people and for test/run.mjs: a dot per test, every failure in full, and at the end the counts
// in the file that PATCHBAY_COUNTS names, with what took longest before them. With PATCHBAY_TEST_LIMIT, a number of milliseconds, a test that takes longer fails
// and ends the run: nobody waits for what hangs without being told what it is.
import { writeFileSync } from "node:fs";

/** Those of the machine: a test may put others in their place and let them run ahead. */
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;

/** In milliseconds: what takes less is not what a slow run is slow by. */
const long = 10_000;

/** What Node 20 says of the tests that --test-name-pattern leaves out; later ones do not report them at all. */
const leftOutByName = "test name does not match pattern";

const limit = Number(process.env.PATCHBAY_TEST_LIMIT ?? 0);

const timed = process.env.PATCHBAY_TIMES === undefined ? undefined : await import("./timed-tests.mjs");

export default async function* report(events) {
  /** `names`: of the outermost tests and suites that failed, as long as the process lived to its end; `files`: theirs. */
  const total = { passed: 0, failed: 0, names: [], files: [] };
  const longest = [];
  let used = process.cpuUsage();
  let column = 0;
  /** Of the test that runs now. */
  let late;
  for await (const { type, data } of events) {
    if (limit > 0 && data.nesting === 0 && ["test:dequeue", "test:pass", "test:fail"].includes(type)) {
      stopTimer(late);
      const what = type === "test:dequeue" ? data.name : `what comes behind “${data.name}”`;
      late = startTimer(() => endBecauseOf(what, total), limit);
      // Behind the last test the process ends unless something else keeps it.
      if (type !== "test:dequeue") late.unref();
    }
    if (type === "test:fail" && data.nesting === 0) {
      total.names.push(data.name);
      total.files.push(data.file ?? "");
    }
    // What is thrown after its test has ended fails no test, and the run: this is the only word about it.
    if (type === "test:diagnostic" && data.message.startsWith("Error: ")) yield `\n✖ ${data.message}\n`;
    if ((type !== "test:pass" && type !== "test:fail") || data.details?.type === "suite") continue;
    if (data.skip === leftOutByName) continue;
    timed?.addReported(data);
    const { user, system } = process.cpuUsage(used);
    used = process.cpuUsage();
    const took = data.details?.duration_ms ?? 0;
    if (took > long) longest.push({ name: data.name, took, here: (user + system) / 1000 });
    if (type === "test:pass") {
      total.passed += 1;
      column += 1;
      yield column % 100 === 0 ? ".\n" : ".";
    } else {
      total.failed += 1;
      column = 0;
      if (data.details?.error?.failureType !== "subtestsFailed") yield failure(data);
    }
  }
  stopTimer(late);
  writeFileSync(process.env.PATCHBAY_COUNTS, JSON.stringify({ ...total, times: timed?.fileTimes() }));
  longest.sort((one, other) => other.took - one.took);
  const inSeconds = (time) => `${Math.round(time / 1000)} s`;
  const lines = longest.map(
    ({ name, took, here }) => `${inSeconds(took)}, of which ${inSeconds(here)} were computed here: ${name}
`,
  );
  yield `
${lines.slice(0, 10).join("")}`;
}

function failure({ name, file, details }) {
  const cause = details?.error?.cause ?? details?.error;
  const text = String(cause?.stack ?? cause).replace(/^/gm, "  ");
  return `\n✖ ${name}\n  ${file ?? ""}\n${text}\n`;
}

function endBecauseOf(name, total) {
  writeFileSync(
    process.env.PATCHBAY_COUNTS,
    JSON.stringify({ ...total, failed: total.failed + 1, names: [], files: [] }),
  );
  const open = process.getActiveResourcesInfo().join(", ");
  const words = `It did not end within ${limit / 1000} s. The process waits for: ${open}.`;
  process.stdout.write(`\n✖ ${name}\n  ${words}\n`, () => process.exit(1));
}
