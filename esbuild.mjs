// Builds everything there is to build: `node esbuild.mjs` the extension, `node esbuild.mjs unit host ui …` all tests of
// these kinds, `node esbuild.mjs test/unit/a.test.ts …` these files alone, beside what was built before. A build of the
// extension prints how large it ships, beside its caps; with `--sizes` it does only that, with `--quiet` it does not.
// The host is five files on purpose: extension.js only registers and is read at activation; service.js holds all that does
// the work (src/main/container.ts), and is read at first use; edit-box.js comes before it where the first use is an edit;
// connections.js with the first connection, yaml.js with the first front matter. One bundle would be parsed whole even if
// half of it slept.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, context } from "esbuild";
import { ownLayout, pageFiles } from "./test/support/page-files.mjs";
import { asShipped, chineseBundle, sentenceFiles } from "./test/support/sentences.mjs";
import { compareSizes } from "./test/support/sizes.mjs";

const watch = process.argv.includes("--watch");
const onlySizes = process.argv.includes("--sizes");
const production = process.argv.includes("--production") || onlySizes;
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
const tests = (room, entryPoints, format = "esm") => ({
  ...common,
  chunkNames: `${room}/shared/[hash]`,
  entryPoints,
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

const isProgram = (name) => name.endsWith(".process.ts");

function listFiles(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true }).map(
    (name) => `${folder}/${String(name).replaceAll("\\", "/")}`,
  );
}

/**
 * What is imported when it is first needed stays a file of its own: the composition, the box of an edit, the reader of
 * YAML, undici.
 */
const laterFiles = {
  name: "later-files",
  setup(builds) {
    const files = {
      "./container.ts": "./service.js",
      "../editor/actions/edit-box.ts": "./edit-box.js",
      "./yaml-reader.ts": "./yaml.js",
      "./open-connections.ts": "./connections.js",
    };
    const filter = /\/(?:container|edit-box|yaml-reader|open-connections)\.ts$/;
    builds.onResolve({ filter }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path: files[path], external: true } : undefined,
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

/** markdown-it brings a finder of bare addresses that the page never asks: it has its own (links.ts). */
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

/** Of a table of sentences, the English ships in the code, and the Chinese in the language bundle. */
const englishAlone = {
  name: "english-alone",
  setup(builds) {
    builds.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      contents: asShipped(path, readFileSync(path, "utf8")),
      loader: "ts",
      watchFiles: [path],
    }));
  },
};

/**
 * The engine keeps a file in memory with two bytes for each of its letters if a single one is beyond Latin-1, and each
 * file has a few.
 */
const asciiAlone = {
  name: "ascii-alone",
  setup(builds) {
    const escaped = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
    builds.onEnd(({ outputFiles = [] }) => {
      for (const file of outputFiles)
        if (file.path.endsWith(".js"))
          file.contents = Buffer.from(file.text.replaceAll(/(?<!\\)[^\0-\x7f]/g, escaped));
    });
  },
};

/** What VS Code translates with, and hands to the page. */
const languageBundle = {
  name: "language-bundle",
  setup(builds) {
    builds.onResolve({ filter: /^language-bundle:/ }, ({ path }) => ({
      path: path.replace(/^.*:/, ""),
      namespace: "language-bundle",
    }));
    builds.onLoad({ filter: /./, namespace: "language-bundle" }, () => ({
      contents: JSON.stringify(chineseBundle(root), undefined, 2),
      loader: "copy",
      watchFiles: sentenceFiles(root),
    }));
  },
};

/**
 * Programs that the tests in their folder start again and again, to be killed: one file that holds everything is loaded
 * in half the processor time.
 */
const programs = (room, entryPoints) => ({
  ...tests(room, entryPoints),
  banner: { js: 'import{createRequire}from"node:module";const require=createRequire(import.meta.url);' },
  packages: "bundle",
  plugins: [lightUndici],
  splitting: false,
});

const targets = {
  extension: () => [
    {
      ...common,
      entryPoints: {
        extension: "src/main/extension.ts",
        "edit-box": "src/editor/actions/edit-box.ts",
        service: "src/main/container.ts",
        yaml: "src/session/internal/yaml-reader.ts",
        connections: "src/service/internal/open-connections.ts",
      },
      external: ["vscode"],
      plugins: [englishAlone, laterFiles, lightUndici, oneVscode, asciiAlone],
      format: "cjs",
      outdir: "dist",
      platform: "node",
      // require() instead of import(): what the host loads lazily is a CommonJS file beside it.
      supported: { "dynamic-import": false },
      target: "node22",
    },
    {
      ...common,
      // In threads beside the host, once there is something to read, to copy or to colour.
      entryPoints: {
        copies: "src/checks/internal/copy/copy-thread.ts",
        worker: "src/main/worker.ts",
        colours: "src/code-colours/internal/colour-thread.ts",
        diagrams: "src/diagrams/internal/diagram-thread.ts",
        onig: "vscode-oniguruma/release/onig.wasm",
      },
      loader: { ".wasm": "copy" },
      alias: ownLayout,
      plugins: [englishAlone, asciiAlone],
      format: "cjs",
      outdir: "dist",
      platform: "node",
      target: "node22",
    },
    {
      ...common,
      entryPoints: {
        ...pageFiles(),
        "l10n/bundle.l10n.zh-cn": "language-bundle:bundle.l10n.zh-cn.json",
      },
      format: "iife",
      outdir: "dist",
      platform: "browser",
      alias: { entities: "./src/page/markdown/parse/named-characters.ts" },
      plugins: [
        ...[englishAlone, languageBundle, withoutLinkify, classesOfTheEngine, hostsOfTheBrowser],
        asciiAlone,
      ],
      target: "chrome128",
    },
  ],
  ...Object.fromEntries(
    ["unit", "host", "several", "runner", "ui", "page", "bench", "soak", "sim", "live"].map((room) => [
      room,
      () => testTargets(room, listFiles(`test/${room}`)),
    ]),
  ),
};

/** The stand-in knows of the editor only what its tests ask for; the other half of a file may name more. */
const withoutEditor = {
  alias: { vscode: "./test/support/editor-on-disk.ts" },
  logOverride: { "import-is-undefined": "silent" },
};

/** Of these files of one kind of tests, what is run and what their tests start. */
function testTargets(room, files) {
  const format = ["host", "several"].includes(room) ? "cjs" : "esm";
  const entryPoints = files.filter((name) => /\.(test|bench|suite|main)\.ts$/.test(name));
  const editor = /^(unit|live)$/.test(room) ? withoutEditor : {};
  return [{ ...tests(room, entryPoints, format), ...editor }, programs(room, files.filter(isProgram))];
}

/** These test files, with the programs that stand beside them and what runs suites in VS Code. */
function namedTargets(files) {
  const rooms = new Set(files.map((file) => file.split("/")[1]));
  return [...rooms].flatMap((room) => {
    const own = files.filter((file) => file.startsWith(`test/${room}/`));
    const folders = new Set(own.map((file) => dirname(file)));
    const beside = listFiles(`test/${room}`).filter((name) => isProgram(name) && folders.has(dirname(name)));
    const runner = ["host", "several"].includes(room) ? ["test/host/mocha.main.ts"] : [];
    return testTargets(room, [...own, ...beside, ...runner]);
  });
}

const asked = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const named = asked.filter((word) => word.startsWith("test/"));
const wanted = asked.filter((word) => !named.includes(word));
for (const name of asked.length > 0 || onlySizes ? wanted : ["extension"]) {
  const make = targets[name];
  if (make === undefined)
    throw new Error(`esbuild.mjs knows ${Object.keys(targets).join(", ")}, not ${name}.`);
  // What ships and what is looked through for tests holds nothing of an older build; a VS Code that runs the folder in
  // development keeps its files, and so do a simulator and a live trial.
  if (name === "extension" ? production : !["sim", "live"].includes(name))
    rmSync(join(root, folderOf(name)), { recursive: true, force: true });
  await buildEach(make());
  if (name === "extension" && !watch && !process.argv.includes("--quiet")) await printSizes();
}
await buildEach(namedTargets(named));
if (onlySizes) await printSizes();

async function buildEach(all) {
  for (const options of all) {
    if (options.entryPoints.length === 0) continue;
    if (watch) await (await context(options)).watch();
    else await buildOnce(options);
  }
}

/** A file that comes out as it is already stays untouched: a VS Code may be reading it. */
async function buildOnce(options) {
  // Its own words say what is wrong; a stack of ours would say nothing more.
  const { outputFiles } = await build({ ...options, write: false }).catch(() => process.exit(1));
  for (const { path, contents } of outputFiles) {
    if (existsSync(path) && readFileSync(path).equals(contents)) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
}

function folderOf(name) {
  return name === "extension" ? "dist" : join(".build", name);
}

/** As they ship: what people read who develop is several times as large. */
async function printSizes() {
  const sizes = new Map();
  for (const options of targets.extension()) {
    const shipped = { ...options, minify: true, sourcemap: false, write: false };
    const { outputFiles } = await build(shipped);
    for (const { path, contents } of outputFiles) sizes.set(basename(path), contents.length);
  }
  const { lines, isWithin } = compareSizes((name) => sizes.get(name));
  for (const line of lines) console.log(line);
  if (onlySizes && !isWithin) process.exitCode = 1;
}
