// `npm run draws -- [times] [part of a name …]`: every random test, drawn so many times as often as usual. Each file is a
// process of its own, so that what it found is told as soon as it ends, and no file waits in vain for the whole.
import { runJobs } from "./jobs.mjs";
import { writeToMemory } from "./memory-folder.mjs";
import { findDrawing } from "./named-tests.mjs";
import { runNodeTests } from "./node-tests.mjs";
import { run } from "./processes.mjs";
import { addCounts, formatCounts, noTests, whatFailed } from "./test-summary.mjs";
import { prepareBrowser } from "./tools.mjs";

/** In milliseconds, for one test drawn once as often as usual. */
const patience = 120_000;

/** Answers the exit code. The last line is the whole in short. */
export async function runDraws(args) {
  const isCounted = /^\d+$/.test(args[0] ?? "");
  const [times, parts] = isCounted ? [Number(args[0]), args.slice(1)] : [30, args];
  const files = findDrawing().filter(
    (file) => parts.length === 0 || parts.some((part) => file.includes(part)),
  );
  if (files.length === 0) {
    console.error(`No random test has ${parts.map((part) => `“${part}”`).join(" or ")} in its name.`);
    return 1;
  }
  console.log(`Drawing ${files.length} ${files.length === 1 ? "file" : "files"} ${times} times as often.`);
  process.env.PATCHBAY_DRAWS = String(times);
  writeToMemory();
  if ((await run(process.execPath, ["esbuild.mjs", "--quiet", ...files])) !== 0) {
    console.log("0 passed, 1 failed (it could not be built)");
    return 1;
  }
  let total = noTests;
  await runJobs(
    files.map((file) => jobOf(file, patience * times)),
    ({ name }, result, seconds) => {
      total = addCounts(total, result);
      console.log(`${name}: ${formatCounts(result)} in ${seconds.toFixed(0)} s`);
      if (result.failed > 0) console.log(whatFailed(result.output));
    },
  );
  console.log(formatCounts(total));
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}

function jobOf(file, timeLimit) {
  const [, kind, ...path] = file.split("/");
  const built = path.join("/").replace(/\.ts$/, ".mjs");
  return {
    name: file,
    opensWindow: false,
    ready: kind === "page" ? prepareBrowser() : Promise.resolve(),
    work: () =>
      runNodeTests({
        folder: `.build/${kind}`,
        name: `drawn-${built.replaceAll("/", "-").replace(/\.mjs$/, "")}`,
        files: [built],
        gentle: false,
        timeLimit,
      }),
  };
}
