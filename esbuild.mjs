// Builds everything there is to build: `node esbuild.mjs` the extension, `node esbuild.mjs unit host ui …` the tests.
// The host is two files on purpose: extension.js only registers and is read at activation; service.js holds
// all that does the work (src/container.ts), and is read at first use. One bundle would be parsed whole even if half of it slept.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, context } from "esbuild";

const watch = process.argv.includes("--watch");
const production = process.argv.includes("--production");
const root = fileURLToPath(new URL(".", import.meta.url));

const common = {
  absWorkingDir: root,
  bundle: true,
  charset: "utf8",
  logLevel: "warning",
  minify: production,
  sourcemap: production ? false : "linked",
  target: "es2023",
};

/**
 * Test files keep their packages outside, so that they run what users of those packages run. What several of them need
 * is built once and lies beside them: files that one process runs share it, as they would in the source.
 */
const tests = (room, format = "esm") => ({
  ...common,
  chunkNames: `${room}/shared/[hash]`,
  entryPoints: findTests(`test/${room}`),
  external: ["vscode", "mocha"],
  format,
  outbase: "test",
  outdir: ".build",
  outExtension: format === "esm" ? { ".js": ".mjs" } : { ".js": ".cjs" },
  packages: "external",
  platform: "node",
  sourcemap: "linked",
  splitting: format === "esm",
  target: "node20",
});

function findTests(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => `${folder}/${String(name).replaceAll("\\", "/")}`)
    .filter((name) => /\.(test|bench|suite|main)\.ts$/.test(name));
}

/** What the composition root imports when it is first needed stays a file of its own. */
const secondFile = {
  name: "second-file",
  setup(builds) {
    builds.onResolve({ filter: /^\.\/container\.ts$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "./service.js", external: true } : undefined,
    );
  },
};

/**
 * Of undici what one way to one service asks for. Its parser comes twice: the one without SIMD runs everywhere. Forms as
 * bodies, and with them half of fetch, and HTTP/2 are never asked for.
 */
const lightUndici = {
  name: "light-undici",
  setup(builds) {
    builds.onResolve({ filter: /\/llhttp_simd-wasm\.js$/ }, ({ path, ...from }) =>
      builds.resolve(path.replace("_simd-", "-"), from),
    );
    builds.onResolve({ filter: /\/web\/fetch\/body\.js$|\/client-h2\.js$/ }, ({ path }) => ({
      path,
      namespace: "unasked",
    }));
    builds.onLoad({ filter: /./, namespace: "unasked" }, ({ path }) => ({
      contents: `module.exports = () => { throw new Error("Not bundled: ${path}") }`,
    }));
  },
};

/** markdown-it brings a finder of bare addresses that the page never asks: it has its own (autolink.ts). */
const withoutLinkify = {
  name: "without-linkify",
  setup(builds) {
    builds.onResolve({ filter: /^linkify-it$/ }, ({ path }) => ({ path, namespace: "empty" }));
    builds.onLoad({ filter: /./, namespace: "empty" }, () => ({ contents: "export class LinkifyIt {}" }));
  },
};

/** It also brings tables of punctuation and its like, for engines that do not know these classes by themselves. */
const classesOfTheEngine = {
  name: "classes-of-the-engine",
  setup(builds) {
    const classes = { Any: "[^]", Cc: "\\p{Cc}", Cf: "\\p{Cf}", P: "\\p{P}", S: "\\p{S}", Z: "\\p{Z}" };
    const contents = Object.entries(classes).map(
      ([name, pattern]) => `export const ${name} = /${pattern}/u;`,
    );
    builds.onResolve({ filter: /^uc\.micro$/ }, ({ path }) => ({ path, namespace: "classes" }));
    builds.onLoad({ filter: /./, namespace: "classes" }, () => ({ contents: contents.join("\n") }));
  },
};

/** And a coder of foreign hosts, which every browser has: the address of a link. */
const hostsOfTheBrowser = {
  name: "hosts-of-the-browser",
  setup(builds) {
    const contents = `export default {
      toASCII(host) { try { return new URL("http://" + host).hostname; } catch { return host; } },
      toUnicode: (host) => host,
    };`;
    builds.onResolve({ filter: /^punycode\.js$/ }, ({ path }) => ({ path, namespace: "hosts" }));
    builds.onLoad({ filter: /./, namespace: "hosts" }, () => ({ contents }));
  },
};

/**
 * One `require("vscode")` for all of a file's modules, and each name of it a variable of its own. Asking for it costs the
 * extension host a look-up each time, and esbuild would copy the whole of it for each module: together more than half of
 * what loading the first file takes.
 */
const oneVscode = {
  name: "one-vscode",
  setup(builds) {
    const types = readFileSync(join(root, "node_modules/@types/vscode/index.d.ts"), "utf8");
    const named = types.matchAll(
      /^\t(?:export )?(?:abstract )?(?:class|const|enum|function|namespace) (\w+)/gm,
    );
    // Newer than the types: where the editor lacks them, they are undefined.
    const newer = ["LanguageModelDataPart", "LanguageModelThinkingPart"];
    const names = new Set([...[...named].map(([, name]) => name), ...newer]);
    const contents = [
      'const api = require("vscode");',
      "const of = (name) => api[name];",
      ...[...names].map((name) => `export const ${name} = /* @__PURE__ */ of("${name}");`),
    ].join("\n");
    // A name that we do not know of is a mistake of ours, and no value of the editor's.
    builds.initialOptions.logOverride = { "import-is-undefined": "error" };
    builds.onResolve({ filter: /^vscode$/ }, ({ namespace, path }) =>
      namespace === "one-vscode" ? { path, external: true } : { path, namespace: "one-vscode" },
    );
    builds.onLoad({ filter: /./, namespace: "one-vscode" }, () => ({ contents }));
  },
};

/** Started again and again, to be killed: one file that holds everything is loaded in half the processor time. */
const killed = (room, ...entryPoints) => ({
  ...tests(room),
  banner: { js: 'import{createRequire}from"node:module";const require=createRequire(import.meta.url);' },
  entryPoints,
  packages: "bundle",
  plugins: [lightUndici],
  splitting: false,
});

const targets = {
  extension: () => [
    {
      ...common,
      entryPoints: { extension: "src/extension.ts", service: "src/container.ts" },
      external: ["vscode"],
      plugins: [secondFile, lightUndici, oneVscode],
      format: "cjs",
      outdir: "dist",
      platform: "node",
      // require() instead of import(): what the host loads lazily is a CommonJS file beside it.
      supported: { "dynamic-import": false },
      target: "node22",
    },
    {
      ...common,
      // The page loads the others when the first formula, block of code or rarer language appears.
      entryPoints: {
        webview: "src/webview/main.ts",
        styles: "src/webview/styles.css",
        math: "src/webview/markdown/math-script.ts",
        highlight: "src/webview/markdown/highlight-script.ts",
        languages: "src/webview/markdown/languages-script.ts",
      },
      format: "iife",
      outdir: "dist",
      platform: "browser",
      alias: { entities: "./src/webview/named-characters.ts" },
      plugins: [withoutLinkify, classesOfTheEngine, hostsOfTheBrowser],
      target: "chrome128",
    },
  ],
  unit: () => [
    { ...tests("unit"), alias: { vscode: "./test/support/editor-on-disk.ts" } },
    killed("unit", "test/unit/core/store/killed.process.ts", "test/unit/core/store/full-disk.process.ts"),
  ],
  host: () => [tests("host", "cjs")],
  several: () => [tests("several", "cjs")],
  runner: () => [tests("runner")],
  ui: () => [tests("ui")],
  page: () => [tests("page"), killed("page", "test/page/long-days/day.process.ts")],
  bench: () => [tests("bench")],
  sim: () => [tests("sim")],
};

const asked = process.argv.slice(2).filter((word) => !word.startsWith("--"));
for (const name of asked.length > 0 ? asked : ["extension"]) {
  const make = targets[name];
  if (make === undefined)
    throw new Error(`esbuild.mjs knows ${Object.keys(targets).join(", ")}, not ${name}.`);
  // What ships holds nothing of an older build; a VS Code that runs the folder in development keeps its files.
  if (name !== "extension" || production)
    rmSync(join(root, folderOf(name)), { recursive: true, force: true });
  for (const options of make()) {
    if (watch) await (await context(options)).watch();
    else if (options.entryPoints.length !== 0) await buildOnce(options);
  }
  if (name === "extension" && !watch) printSizes();
}

/** A file that comes out as it is already stays untouched: a VS Code may be reading it. */
async function buildOnce(options) {
  const { outputFiles } = await build({ ...options, write: false });
  for (const { path, contents } of outputFiles) {
    if (existsSync(path) && readFileSync(path).equals(contents)) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
}

function folderOf(name) {
  return name === "extension" ? "dist" : join(".build", name);
}

function printSizes() {
  for (const name of ["extension", "service", "webview", "math", "highlight", "languages"]) {
    const file = join(root, "dist", `${name}.js`);
    if (existsSync(file))
      console.log(`${`${name}.js`.padEnd(14)}${(statSync(file).size / 1024).toFixed(1).padStart(8)} KB`);
  }
}
