// Builds unit tests, with a fault in one source if wanted, and runs them until the first of them fails.
import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { build } from "esbuild";

export const output = ".build/mutate";

/** Two runs at once, of two rooms, are not in each other's way. */
export const folderOf = (name) => join(output, `${name}-${process.pid}`);

/** So much longer than its longest file a run with a fault may be without the end of any test, before it counts as noticed. */
const patience = { times: 3, seconds: 20 };

/** The sources on the disk stay as they are: `fault` is `{ file, text }`, what is read in place of one of them. */
export function bundle(entryPoints, outdir, options = {}, fault = undefined) {
  if (options.write !== false) rmSync(outdir, { recursive: true, force: true });
  const plugin = {
    name: "fault",
    setup(builds) {
      builds.onLoad({ filter: /\.ts$/ }, ({ path }) =>
        path === resolve(fault.file) ? { contents: fault.text, loader: "ts" } : undefined,
      );
    },
  };
  return build({
    absWorkingDir: process.cwd(),
    alias: { vscode: "./test/support/editor-on-disk.ts" },
    bundle: true,
    charset: "utf8",
    chunkNames: "shared/[name]-[hash]",
    entryPoints,
    format: "esm",
    logLevel: "silent",
    outbase: "test",
    outdir,
    outExtension: { ".js": ".mjs" },
    packages: "external",
    platform: "node",
    plugins: fault === undefined ? [] : [plugin],
    splitting: true,
    target: "node20",
    ...options,
  });
}

/**
 * What notices the fault in these tests, the longest of which takes so many seconds without it; undefined if they all pass.
 * @returns {Promise<string | undefined>}
 */
export async function findNoticing(tests, seconds, fault) {
  if (tests.length === 0) return undefined;
  const outdir = folderOf("faulty");
  try {
    await bundle(tests, outdir, {}, fault);
  } catch {
    return "cannot be built";
  }
  const { passed, told } = await run(tests, outdir, seconds * patience.times + patience.seconds);
  return passed ? undefined : told || "the process ends";
}

/** Runs built tests in one process, in this order, until one fails or so many seconds pass without the end of any. */
export function run(tests, outdir, seconds, env = {}) {
  const entry = join(outdir, "entry.mjs");
  const built = tests.map((test) => relative("test", test).replaceAll("\\", "/").replace(/\.ts$/, ".mjs"));
  writeFileSync(entry, built.map((test) => `import "./${test}";\n`).join(""));
  return new Promise((done) => {
    const child = spawn(process.execPath, ["--test-reporter=./test/mutate/first-failure.mjs", entry], {
      env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...env },
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
    let told = "";
    child.stdout.on("data", (data) => {
      told = `${told}${data}`.slice(-2000);
      late.refresh();
    });
    const end = () => {
      try {
        process.kill(-(child.pid ?? 0), "SIGKILL");
      } catch {
        // It has ended.
      }
    };
    const late = setTimeout(() => {
      told += `\nhangs for ${Math.round(seconds)} s`;
      end();
    }, seconds * 1000);
    child.once("exit", () => {
      clearTimeout(late);
      end();
    });
    child.once("close", (code) => {
      done({ passed: code === 0, told: told.trim().split("\n").at(-1) ?? "" });
    });
  });
}
