// The one command behind `npm test`. `node test/run.mjs` runs every kind of test, without the slow files, and ends with one
// line, "N passed, N failed"; `node test/run.mjs check|unit|page|host|ui` runs the whole of some kinds; `sim|bench|pictures|package …` runs that errand. Node
// built-ins only: it has to work before the dependencies are there.
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { installDependencies } from "./support/install.mjs";
import { must, run } from "./support/processes.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const build = (...targets) => must(process.execPath, ["esbuild.mjs", ...targets]);

/** What is not part of a test run; each answers an exit code. */
const errands = {
  async sim(args) {
    await build("sim");
    return run(process.execPath, ["--enable-source-maps", ".build/sim/cli.main.mjs", ...args]);
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
  /** The renderer as one static page, for any corpus: test/support/render-page.ts. */
  async "render-page"(args) {
    await build("page");
    return run(process.execPath, ["--enable-source-maps", ".build/page/render-page.main.mjs", ...args]);
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

const [first, ...rest] = process.argv.slice(2);
try {
  installDependencies(process.cwd());
} catch (error) {
  console.error(`\n${error.message}`);
  process.exit(1);
}
const errand = errands[first];
if (errand !== undefined) process.exitCode = await errand(rest);
else {
  const { kinds, runKinds } = await import("./support/test-kinds.mjs");
  const asked = first === undefined ? kinds : [first, ...rest];
  // Who names a kind wants all of it.
  if (first !== undefined) process.env.PATCHBAY_ALL = "1";
  const unknown = asked.find((name) => !kinds.includes(name));
  if (unknown !== undefined)
    throw new Error(`test/run.mjs knows ${[...kinds, ...Object.keys(errands)].join(", ")}, not ${unknown}.`);
  process.exitCode = await runKinds(asked);
}
