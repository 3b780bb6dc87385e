// The one command behind `npm test`. `node test/run.mjs` runs every kind of test and ends with one line, "N passed,
// N failed"; `node test/run.mjs check|unit|page|host|ui` runs some of them; `sim|bench|pictures|package …` runs that errand. Node
// built-ins only: it has to work before the dependencies are there.
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runCheck } from "./support/check.mjs";
import { installDependencies } from "./support/install.mjs";
import { runNodeTests } from "./support/node-tests.mjs";
import { must, run } from "./support/processes.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const build = (...targets) => must(process.execPath, ["esbuild.mjs", ...targets]);

/** Every kind answers { passed, failed }. What needs packages is imported when it is needed. */
const kinds = {
  check: runCheck,
  async unit() {
    await build("unit");
    return runNodeTests(".build/unit");
  },
  async page() {
    await build("page");
    const { withSharedBrowser } = await import("./support/browser.mjs");
    return withSharedBrowser((env) => runNodeTests(".build/page", { env }));
  },
  async host() {
    await build("extension", "host", "runner");
    const { prepareTools } = await import("./support/tools.mjs");
    await prepareTools();
    const { runHostTests } = await import("./support/host-tests.mjs");
    return add(await runHostTests({ suites: ".build/host" }), await runNodeTests(".build/runner"));
  },
  async ui() {
    const { prepareTools } = await import("./support/tools.mjs");
    const { packExtension } = await import("./support/pack.mjs");
    await prepareTools();
    await packExtension(".build/patchbay.vsix");
    await build("extension", "ui");
    return runNodeTests(".build/ui");
  },
};

/** What is not part of a test run; each answers an exit code. */
const errands = {
  async sim(args) {
    await build("sim");
    return run(process.execPath, ["--enable-source-maps", ".build/sim/people.main.mjs", ...args]);
  },
  async bench([name, ...args]) {
    await build("extension", "bench");
    const file = `.build/bench/${name}.bench.mjs`;
    if (existsSync(file)) return run(process.execPath, ["--enable-source-maps", file, ...args]);
    const known = existsSync("test/bench") ? readdirSync("test/bench") : [];
    const names = known.flatMap((each) => /^(.+)\.bench\.ts$/.exec(each)?.[1] ?? []);
    console.error(`npm run bench -- <name>, where the name is one of: ${names.join(", ")}`);
    return 1;
  },
  async pictures() {
    const { packExtension } = await import("./support/pack.mjs");
    await packExtension(".build/patchbay.vsix");
    await build("ui");
    return run(process.execPath, ["--enable-source-maps", ".build/ui/pictures.main.mjs"]);
  },
  async package() {
    const { packExtension } = await import("./support/pack.mjs");
    await packExtension();
    return 0;
  },
};

async function runKinds(names) {
  const unknown = names.find((name) => kinds[name] === undefined);
  if (unknown !== undefined)
    throw new Error(
      `test/run.mjs knows ${Object.keys({ ...kinds, ...errands }).join(", ")}, not ${unknown}.`,
    );
  let total = { passed: 0, failed: 0 };
  for (const name of names) {
    console.log(`\n── ${name} ──`);
    const started = Date.now();
    const result = await kinds[name]().catch((error) => {
      console.error(error.message);
      return { passed: 0, failed: 1 };
    });
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    console.log(`${name}: ${result.passed} passed, ${result.failed} failed in ${seconds} s`);
    total = add(total, result);
  }
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}

const add = (one, other) => ({ passed: one.passed + other.passed, failed: one.failed + other.failed });

const [first, ...rest] = process.argv.slice(2);
installDependencies(process.cwd());
const errand = errands[first];
if (errand !== undefined) process.exitCode = await errand(rest);
else process.exitCode = await runKinds(first === undefined ? Object.keys(kinds) : [first, ...rest]);
