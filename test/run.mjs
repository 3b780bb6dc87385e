// The one command behind `npm test`. `node test/run.mjs` runs every kind of test, without the slow files, and ends with one
// line, "N passed, N failed"; `node test/run.mjs check|unit|page|host|ui` runs the whole of some kinds; any other word is a
// part of the name of test files, which are run alone, or only listed after `--list`; `--times` before either tells what
// each file took; `sim|bench|soak|pictures|package …` runs
// that errand. Node built-ins only: it has to work before the dependencies are there.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { installDependencies } from "./support/install.mjs";
import { must, run } from "./support/processes.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const build = (...targets) => must(process.execPath, ["esbuild.mjs", ...targets]);

/** What is not part of a test run; each answers an exit code. */
const errands = {
  /** In this process, so that nothing stays on its port when this process ends or whoever started it does. */
  async sim(args) {
    await build("sim");
    process.setSourceMapsEnabled(true);
    process.argv.splice(2, Number.POSITIVE_INFINITY, ...args);
    endWithParent();
    await import(pathToFileURL(".build/sim/cli.main.mjs").href);
    return 0;
  },
  async bench([name, ...args]) {
    await build("--quiet", "extension", "bench");
    const file = `.build/bench/${name}.bench.mjs`;
    if (existsSync(file)) return run(process.execPath, ["--enable-source-maps", file, ...args]);
    const known = existsSync("test/bench") ? readdirSync("test/bench") : [];
    const names = known.flatMap((each) => /^(.+)\.bench\.ts$/.exec(each)?.[1] ?? []);
    console.error(`npm run bench -- <name>, where the name is one of: ${names.join(", ")}`);
    return 1;
  },
  /** The renderer as one static page: test/support/render-page.ts. */
  async "render-page"(args) {
    await build("page");
    return run(process.execPath, ["--enable-source-maps", ".build/page/render-page.main.mjs", ...args]);
  },
  /** A player in the place of the model: test/live/README.md. */
  async live(args) {
    await build("live");
    return run(process.execPath, ["--enable-source-maps", ".build/live/live.main.mjs", ...args]);
  },
  /** Into a new version go the notes of .github/changes. */
  async "cut-version"([version]) {
    const { cutVersion } = await import("./support/changelog.mjs");
    return cutVersion(version);
  },
  /** What follows from the declarations of settings is written. */
  async "write-settings"() {
    return run(process.execPath, ["test/support/settings.mjs"]);
  },
  /** The tests of the extension host in the desktop VS Code, whatever system this is. */
  async desktop() {
    process.env.VSCODE_TEST_TARGET = "electron";
    process.env.PATCHBAY_ALL = "1";
    const { runKinds } = await import("./support/test-kinds.mjs");
    return runKinds(["host"]);
  },
  /** Every random test, or those that are named, drawn so many times as often as usual. */
  async draws(args) {
    const { runDraws } = await import("./support/drawn-tests.mjs");
    return runDraws(args);
  },
  /** A long day in the real window. */
  async soak(args) {
    await build("--quiet", "extension", "soak");
    return run(process.execPath, ["--enable-source-maps", ".build/soak/soak.main.mjs", ...args]);
  },
  async mutate(rooms) {
    const { mutate } = await import("./mutate/mutate.mjs");
    return mutate(rooms);
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
  /** What ships beside its caps, the package among them; `raise <name> <reason>` sets a cap anew. */
  async sizes([what, name, ...reason]) {
    const { packForTests } = await import("./support/pack.mjs");
    const { builtSize, compareSizes, raiseCap } = await import("./support/sizes.mjs");
    await packForTests(".build/patchbay.vsix");
    await build("extension", "--production", "--quiet");
    if (what === "raise") return raiseCap(name, reason);
    const { lines, isWithin } = compareSizes(builtSize);
    for (const line of lines) console.log(line);
    return isWithin ? 0 : 1;
  },
};

/** npm starts a shell that starts us, and hands on to neither that it was killed: whichever of the two goes, we go. */
function endWithParent() {
  const parents = [process.ppid, parentOf(process.ppid)];
  setInterval(() => {
    if (process.ppid !== parents[0] || parentOf(process.ppid) !== parents[1]) process.exit(1);
  }, 500).unref();
}

/** Where the system tells it in a file; elsewhere the nearest one is watched alone. */
function parentOf(pid) {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return undefined;
  }
}

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
  const { listNamed, runNamed } = await import("./support/named-tests.mjs");
  const tellsTimes = first === "--times";
  const words = first === undefined || tellsTimes ? rest : [first, ...rest];
  if (tellsTimes) process.env.PATCHBAY_TIMES = "1";
  const asked = words.length === 0 ? kinds : words;
  if (first === "--list") process.exitCode = listNamed(rest);
  else if (asked.every((name) => kinds.includes(name))) {
    // Who names a kind wants all of it.
    if (words.length > 0) process.env.PATCHBAY_ALL = "1";
    process.exitCode = await runKinds(asked);
  } else process.exitCode = await runNamed(asked);
}
