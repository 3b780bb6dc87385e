// Prints what checks on a copy catch and what they cost: packages of other people and this repository itself, with patches that
// break them planted, and with harmless ones. `npm run bench -- checks`. Fails nothing.
import { execFileSync, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Check } from "../../src/checks/check.ts";
import { ShadowCopy } from "../../src/checks/internal/copy/shadow-copy.ts";
import { FolderChecks } from "../../src/checks/internal/folder-checks.ts";
import { judge, judgeAlone } from "../../src/checks/judge.ts";
import { copyThread } from "../support/copy-thread.ts";
import { plainCheck, plantedIn } from "./support/planted.ts";

const never = new AbortController().signal;
const print = (line: string) => void process.stdout.write(`${line}\n`);
const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
const home = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), "patchbay-bench-checks-"));
const milliseconds = async (work: () => Promise<unknown>) => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

// How long a copy takes.

function manyFiles(count: number): string {
  const folder = join(home, `files-${count}`);
  for (let at = 0; at < count; at++) {
    const place = join(folder, `packages/p${at % 40}/src/d${at % 50}`);
    if (at < 2000) fs.mkdirSync(place, { recursive: true });
    fs.writeFileSync(join(place, `f${at}.ts`), `export const value${at} = ${at};\n`.repeat(20));
  }
  fs.writeFileSync(join(folder, ".gitignore"), "ignored/\n");
  execFileSync(git, ["init", "-q"], { cwd: folder });
  execFileSync(git, ["add", "-A"], { cwd: folder });
  return folder;
}

async function copying(name: string, folder: string): Promise<void> {
  const copy = await ShadowCopy.open(folder, {
    copyThread: copyThread(),
    storage: join(home, "storage"),
    git,
    isLeftOut: () => false,
  });
  let files = 0;
  const first = await milliseconds(async () => {
    files = (await copy.update([], "links", never)).files;
  });
  const warm: number[] = [];
  for (let round = 0; round < 5; round++)
    warm.push(
      await milliseconds(() => copy.update([["packages/p0/src/d0/f0.ts", `// ${round}`]], "links", never)),
    );
  const [least = 0] = warm.toSorted((one, other) => one - other);
  print(
    `${name.padEnd(44)} ${String(files).padStart(7)} files  first ${(first / 1000).toFixed(1).padStart(6)} s  again ${least.toFixed(0).padStart(5)} ms`,
  );
  await copy.close();
}

// What is caught.

interface Project {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly check: Pick<Check, "command" | "kind">;
  /** Each breaks something that the check can see. */
  readonly breaking: readonly (readonly [what: string, path: string, from: string, to: string])[];
  readonly harmless: readonly (readonly [what: string, path: string, from: string, to: string])[];
}

const tsc = `node ${resolve("node_modules/typescript/bin/tsc")} --noEmit -p .`;

const python: Project = {
  name: "Python, its own compiler and unittest",
  files: {
    "pyproject.toml": "",
    "shop/__init__.py": "",
    "shop/price.py":
      'def price(amount, rate=2):\n    return amount * rate\n\n\ndef label(value):\n    return f"{value} EUR"\n',
    "shop/bill.py":
      "from shop.price import label, price\n\n\ndef bill(amounts):\n    return [label(price(each)) for each in amounts]\n",
    "tests/test_bill.py":
      'import unittest\n\nfrom shop.bill import bill\n\n\nclass Bill(unittest.TestCase):\n    def test_bill(self):\n        self.assertEqual(bill([1, 2]), ["2 EUR", "4 EUR"])\n\n    def test_old(self):\n        self.fail("it was so before")\n',
    "tests/__init__.py": "",
  },
  check: { command: "python3 -m unittest discover -t . -s tests", kind: "tests" },
  breaking: [
    ["signature", "shop/price.py", "rate=2", "rate"],
    ["import removed", "shop/bill.py", "import label, price", "import price"],
    ["name changed", "shop/price.py", "def label", "def labelled"],
    ["behaviour", "shop/price.py", "amount * rate", "amount + rate"],
    ["syntax", "shop/bill.py", "def bill(amounts):", "def bill(amounts:"],
    ["test broken", "tests/test_bill.py", '"4 EUR"', '"5 EUR"'],
  ],
  harmless: [
    ["comment", "shop/price.py", "def label", "# What is shown.\ndef label"],
    ["lines above the old failure", "tests/test_bill.py", "class Bill", "# More.\n\n\nclass Bill"],
    [
      "name of a parameter",
      "shop/price.py",
      'def label(value):\n    return f"{value}',
      'def label(what):\n    return f"{what}',
    ],
  ],
};

const workspaces: Project = {
  name: "TypeScript, packages of npm that use each other",
  files: {
    "package.json": '{"private":true,"workspaces":["packages/*"]}',
    ".gitignore": "node_modules/\n",
    "tsconfig.json":
      '{"compilerOptions":{"strict":true,"module":"nodenext","types":[]},"include":["packages"]}',
    "packages/a/package.json": '{"name":"@shop/a","version":"1.0.0","main":"index.ts","types":"index.ts"}',
    "packages/a/index.ts":
      'export interface Item {\n  name: string;\n  price: number;\n}\n\nexport function total(items: Item[]): number {\n  return items.reduce((sum, { price }) => sum + price, 0);\n}\n\nexport const kinds = ["book", "tool"] as const;\n',
    "packages/b/package.json": '{"name":"@shop/b","version":"1.0.0","main":"index.ts"}',
    "packages/b/index.ts":
      'import { type Item, kinds, total } from "@shop/a";\n\nconst items: Item[] = [{ name: "one", price: 1 }];\nexport const sum: number = total(items);\nexport const first: string = kinds[0];\nexport const old: string = 3;\n',
  },
  check: { command: tsc, kind: "static" },
  breaking: [
    [
      "signature, caller in another package",
      "packages/a/index.ts",
      "total(items: Item[])",
      "total(items: Item[], rate: number)",
    ],
    [
      "result narrowed",
      "packages/a/index.ts",
      "): number {\n  return items.reduce((sum, { price }) => sum + price, 0);",
      "): string {\n  return String(items.length);",
    ],
    ["field added to a type", "packages/a/index.ts", "  price: number;", "  price: number;\n  tax: number;"],
    ["export removed", "packages/a/index.ts", "export const kinds", "const kinds"],
    ["import removed", "packages/b/index.ts", "type Item, kinds, total", "type Item, total"],
    ["name changed", "packages/a/index.ts", "export function total", "export function sumOf"],
  ],
  harmless: [
    ["comment", "packages/a/index.ts", "export function", "/** All of them. */\nexport function"],
    ["lines above an old error", "packages/b/index.ts", "const items", "// More.\n\n\nconst items"],
    ["optional parameter", "packages/a/index.ts", "total(items: Item[])", "total(items: Item[], rate = 1)"],
    ["an old error mended", "packages/b/index.ts", "old: string = 3", 'old: string = "3"'],
  ],
};

/** The same packages, put together by pnpm itself. */
const pnpm: Project = { ...workspaces, name: "TypeScript, packages of pnpm that use each other" };

function pnpmPackages(): string {
  const folder = planted(pnpm);
  fs.writeFileSync(join(folder, "pnpm-workspace.yaml"), 'packages:\n  - "packages/*"\n');
  const own = join(folder, "packages/b/package.json");
  const manifest = JSON.parse(fs.readFileSync(own, "utf8"));
  fs.writeFileSync(own, JSON.stringify({ ...manifest, dependencies: { "@shop/a": "workspace:*" } }));
  execFileSync("npx", ["--yes", "pnpm@9.15.4", "install", "--offline", "--silent"], {
    cwd: folder,
    stdio: "ignore",
  });
  return folder;
}

// Packages as others have them.

interface RealProject {
  readonly name: string;
  readonly folder: string;
  readonly language: "ts" | "py" | "go";
  /** Sources in which patches are planted. */
  readonly sources: RegExp;
  readonly check: Pick<Check, "command" | "kind">;
  /** Of every kind of patch. */
  readonly each: number;
}

/** As it comes from the registry. */
function installed(name: string, as: string): string {
  const folder = join(home, "npm");
  fs.mkdirSync(folder, { recursive: true });
  const options = ["--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--prefix", folder];
  execFileSync("npm", ["install", ...options, name], { cwd: folder, stdio: "ignore" });
  const to = join(home, as);
  fs.cpSync(join(folder, "node_modules", name.replace(/(?<=.)@[^@]*$/, "")), to, { recursive: true });
  return to;
}

function repository(folder: string, files: Readonly<Record<string, string>> = {}): string {
  for (const [path, text] of Object.entries(files)) fs.writeFileSync(join(folder, path), text);
  execFileSync(git, ["init", "-q"], { cwd: folder });
  return folder;
}

const typed = (include: string) =>
  JSON.stringify({
    compilerOptions: {
      ...{ strict: true, module: "esnext", moduleResolution: "bundler", target: "es2022" },
      ...{
        lib: ["es2022", "dom"],
        types: [],
        skipLibCheck: true,
        noEmit: true,
        allowImportingTsExtensions: true,
      },
    },
    include: [include],
  });

function* realProjects(): Generator<RealProject> {
  const types = { command: tsc, kind: "static" } as const;
  const immer = repository(installed("immer@10.1.1", "immer"), { "tsconfig.json": typed("src") });
  yield {
    name: "immer, tsc",
    folder: immer,
    language: "ts",
    sources: /^src\/.*\.ts$/,
    check: types,
    each: 3,
  };
  const rxjs = repository(installed("rxjs@7.8.1", "rxjs"), { "tsconfig.json": typed("src/internal") });
  const internal = /^src\/internal\/.*\.ts$/;
  yield { name: "rxjs, tsc", folder: rxjs, language: "ts", sources: internal, check: types, each: 3 };
  const [library] = execFileSync("python3", ["-c", "import textwrap; print(textwrap.__file__)"], {
    encoding: "utf8",
  }).split("\n");
  const python = join(home, "python");
  fs.mkdirSync(python);
  for (const name of ["textwrap", "shlex", "configparser", "statistics"])
    for (const path of [`${name}.py`, `test/test_${name}.py`])
      fs.copyFileSync(join(dirname(library ?? ""), path), join(python, path.slice(path.indexOf("/") + 1)));
  repository(python);
  const tests = {
    command: "python3 -m unittest -q test_textwrap test_shlex test_configparser",
    kind: "tests",
  } as const;
  yield {
    name: "Python's own textwrap, shlex, configparser, unittest",
    folder: python,
    language: "py",
    sources: /^(?:textwrap|shlex|configparser)\.py$/,
    check: tests,
    each: 3,
  };
  const root = spawnSync("go", ["env", "GOROOT"], { encoding: "utf8" }).stdout?.trim() ?? "";
  if (root === "") print("Go is not installed: nothing of it was measured.");
  else {
    const go = join(home, "go");
    for (const name of ["encoding/csv", "text/tabwriter", "container/list"])
      fs.cpSync(join(root, "src", name), join(go, name.slice(name.indexOf("/") + 1)), { recursive: true });
    repository(go, { "go.mod": "module planted\n\ngo 1.19\n" });
    const sources = /^\w+\/(?!.*_test)\w+\.go$/;
    const vet = { command: "go vet ./...", kind: "static" } as const;
    yield {
      name: "Go's own csv, tabwriter, list, go vet",
      folder: go,
      language: "go",
      sources,
      check: vet,
      each: 3,
    };
  }
  const itself = /^src\/core\/(?:checks|changes|patch|risk|util)\/.*\.ts$/;
  yield {
    name: "this repository, tsc",
    folder: resolve("."),
    language: "ts",
    sources: itself,
    check: types,
    each: 2,
  };
}

const sums = { caught: 0, breaking: 0, unseen: 0, alarms: 0, harmless: 0 };

async function catchingReal({ name, folder, language, sources, check, each }: RealProject): Promise<void> {
  const listed = execFileSync(git, ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: folder,
    encoding: "utf8",
  });
  const paths = listed.split("\0").filter((path) => sources.test(path));
  const sees = plainCheck(folder, join(home, "plain"), check.command);
  const breaking: Project["breaking"][number][] = [];
  const harmless: Project["breaking"][number][] = [];
  for (const planted of plantedIn(folder, paths, language, each)) {
    const isSeen = sees(planted);
    const from = fs.readFileSync(join(folder, planted.path), "utf8");
    const isBreaking = planted.what !== "comment" && planted.what !== "lines above";
    if (isBreaking && !isSeen) sums.unseen++;
    (isSeen ? breaking : harmless).push([planted.what, planted.path, from, planted.text]);
  }
  fs.rmSync(join(home, "plain"), { recursive: true, force: true });
  await catching({ name, files: {}, check, breaking, harmless }, folder);
}

async function catching(project: Project, folder: string): Promise<void> {
  const checks = new FolderChecks({
    copyThread: copyThread(),
    ...{ folder, storage: join(home, "storage"), git, isLeftOut: () => false, unsaved: () => [] },
    programOf: async () => undefined,
    sandbox: async () => undefined,
  });
  const check: Check = { id: project.name, name: "check", folder: "f", blind: [], ...project.check };
  const bare: number[] = [];
  const whole: number[] = [];
  const verdictOf = (path: string, from: string, to: string) => {
    const before = fs.readFileSync(join(folder, path), "utf8");
    if (!before.includes(from)) throw new Error(`${path} has no ${from}`);
    return checks.withCopy(
      [[path, before.replace(from, () => to)]],
      async (copy) => {
        const run = await copy.run(check, never);
        bare.push(run.seconds * 1000);
        return judgeAlone(run) ?? judge(run, await copy.baseline(check, never));
      },
      never,
    );
  };
  const missed: string[] = [];
  const all = [
    ...project.breaking.map((each) => [true, each] as const),
    ...project.harmless.map((each) => [false, each] as const),
  ];
  for (const [breaks, [what, path, from, to]] of all) {
    const began = performance.now();
    const verdict = await verdictOf(path, from, to);
    whole.push(performance.now() - began);
    const isRed = verdict.state === "new-findings";
    if (breaks) {
      sums.breaking++;
      if (isRed) sums.caught++;
      else missed.push(`${what}: ${verdict.state}`);
    } else {
      sums.harmless++;
      if (isRed) missed.push(`false alarm: ${what}`);
      if (isRed) sums.alarms++;
    }
  }
  // The first has the copy and the run without a proposal in it.
  const over = whole
    .slice(1)
    .map((each, at) => each - (bare[at + 1] ?? 0))
    .toSorted((one, other) => one - other);
  const middle = (of: readonly number[]) =>
    of.toSorted((one, other) => one - other)[Math.floor(of.length / 2)] ?? 0;
  print(
    `${project.name.padEnd(50)} ${String(project.breaking.length).padStart(3)} breaking ${String(project.harmless.length).padStart(3)} harmless  command ${middle(bare).toFixed(0).padStart(6)} ms  over it ${middle(over).toFixed(0).padStart(5)} ms`,
  );
  for (const each of missed) print(`  ${each}`);
  await checks.close();
}

function planted(project: Project): string {
  const folder = join(home, project.name.replaceAll(/\W+/g, "-"));
  for (const [path, text] of Object.entries(project.files)) {
    fs.mkdirSync(dirname(join(folder, path)), { recursive: true });
    fs.writeFileSync(join(folder, path), text);
  }
  execFileSync(git, ["init", "-q"], { cwd: folder });
  return folder;
}

try {
  print("The copy");
  await copying("20,000 files in 40 packages", manyFiles(20_000));
  const large = manyFiles(30_000);
  fs.mkdirSync(join(large, "ignored"));
  const chunk = Buffer.alloc(16 * 1024 * 1024, 7);
  for (let at = 0; at < 64; at++) fs.appendFileSync(join(large, "ignored", "large.bin"), chunk);
  await copying("30,000 files and 1 GB in an ignored folder", large);
  fs.rmSync(large, { recursive: true, force: true });
  await copying("this repository, dependencies and all", resolve("."));
  print("");
  print("What is caught");
  const shop = planted(workspaces);
  fs.mkdirSync(join(shop, "node_modules/@shop"), { recursive: true });
  for (const name of ["a", "b"])
    fs.symlinkSync(`../../packages/${name}`, join(shop, "node_modules/@shop", name));
  await catching(workspaces, shop);
  await catching(python, planted(python));
  await catching(pnpm, pnpmPackages());
  for (const project of realProjects()) await catchingReal(project);
  print(
    `caught ${sums.caught} of ${sums.breaking} (goal: ≥ 95 %)   false alarms ${sums.alarms} of ${sums.harmless} (goal: < 1 %)   ${sums.unseen} more the command itself does not see`,
  );
} finally {
  fs.rmSync(home, { recursive: true, force: true });
}
