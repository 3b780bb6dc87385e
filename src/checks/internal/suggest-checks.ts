// Suggests checks for a folder from the files at its top level, and resolves what a command finally runs. These are
// only suggestions: a person accepts each row before it runs. No suggested command downloads anything on its own.
import { hashOf } from "../../changes/proposal.ts";
import { asObject, asString, parseJson } from "../../util/json.ts";
import { asReadOnlyCommand, type CheckKind, type CheckRow, triedCompiler } from "../check.ts";

export interface ScriptFiles {
  /** Reads a file below the folder; `undefined` if it does not exist. */
  read(path: string): Promise<string | undefined>;
  /** Every package.json below the folder, without those of dependencies. */
  packages(): Promise<readonly string[]>;
}

/** A check does not take more steps, unless a script calls itself. */
const maxSteps = 200;

const managers = /^(?:npm|pnpm|yarn|bun)(?:\.cmd)?$/;
/** These programs run scripts whose names they derive from patterns and from files of their own. */
const orchestrators =
  /^(?:npm-run-all2?|run-[sp]|concurrently|turbo|nx|lerna|wireit|rush|moon|just|task|wsrun|ultra)$/;
const makes = /^(?:g|d)?make$/;
const makefiles = ["GNUmakefile", "makefile", "Makefile"];

/**
 * Resolves what a command finally runs if it names scripts of package.json or targets of a Makefile: their texts and
 * the texts of the scripts that those name. A person accepts all of it and is asked again if it changes. Not a shell:
 * if it cannot tell what runs, it includes everything that might. Returns `undefined` if the command names no script.
 */
export async function resolveCommand(command: string, files: ScriptFiles): Promise<string | undefined> {
  const found = new Map<string, string>();
  await follow(command, "", { files, found });
  return found.size === 0 ? undefined : [...found.values()].join("  →  ");
}

interface Search {
  readonly files: ScriptFiles;
  /** Texts by where each was found. */
  readonly found: Map<string, string>;
}

async function follow(text: string, folder: string, search: Search): Promise<void> {
  let here = folder;
  for (const words of commandsIn(text)) {
    if (words[0] === "cd" || words[0] === "pushd") here = join(here, words.findLast(isName) ?? "");
    for (const [at, word] of words.entries()) {
      const name = word.slice(word.lastIndexOf("/") + 1);
      const rest = words.slice(at + 1);
      if (managers.test(name)) await followManager(rest, here, search);
      else if (orchestrators.test(name)) await followAll(undefined, search);
      else if (makes.test(name)) await followMake(rest, here, search);
      else if (/^node(?:\.exe)?$/.test(name)) await followNode(rest, here, search);
      // `sh -c "npm run a"`, `concurrently "npm run a"`.
      else if (/\s/.test(word)) await follow(word, here, search);
    }
  }
}

/** `npm --prefix sub run a`, `yarn a`, `pnpm -r run a`, `yarn workspace b run a`, `npm run a -w b`. */
async function followManager(words: readonly string[], folder: string, search: Search): Promise<void> {
  let here = folder;
  let isEverywhere = false;
  const names: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") break;
    const [, flag = "", value] = /^(--?[\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (/^(?:--prefix|-C|--dir|--cwd)$/.test(flag)) here = join(here, value ?? words[++at] ?? "");
    else if (selecting.test(flag || word)) isEverywhere = true;
    else if (flag === "") names.push(/^(?:t|tst)$/.test(word) ? "test" : word);
  }
  for (const name of names) {
    if (isEverywhere) await followAll(name, search);
    else await followScript(name, here, search);
  }
}

/** Flags that select some packages. Only the package manager knows which ones. */
const selecting =
  /^(?:-w|--workspace|--filter|-F|-r|-ws|--recursive|--workspaces|--workspace-root|--parallel|workspaces?|recursive|multi)$/;

async function followScript(name: string, folder: string, search: Search): Promise<void> {
  const scripts = scriptsIn((await search.files.read(join(folder, "package.json"))) ?? "");
  for (const each of [`pre${name}`, name, `post${name}`]) {
    const body = scripts.get(each);
    if (body !== undefined) await take(`${folder} ${each}`, body, folder, search);
  }
}

/** Follows the scripts with this name in every package, or all scripts if the name is unknown. */
async function followAll(name: string | undefined, search: Search): Promise<void> {
  for (const path of await search.files.packages()) {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (name !== undefined) await followScript(name, folder, search);
    else
      for (const [each, body] of scriptsIn((await search.files.read(path)) ?? ""))
        await take(`${folder} ${each}`, body, folder, search);
  }
}

/** `node --run a`. */
async function followNode(words: readonly string[], folder: string, search: Search): Promise<void> {
  for (const [at, word] of words.entries()) {
    const [, value] = /^--run(?:=(.*))?$/s.exec(word) ?? [];
    const name = value ?? (word === "--run" ? words[at + 1] : undefined);
    if (name !== undefined) await followScript(name, folder, search);
  }
}

/** Which lines of a Makefile a target runs is hard to determine, so all of it counts. */
async function followMake(words: readonly string[], folder: string, search: Search): Promise<void> {
  let here = folder;
  const named: string[] = [];
  for (const [at, word] of words.entries()) {
    const [, flag = "", value] = /^(-[Cf]|--directory|--file|--makefile)=?(.*)$/s.exec(word) ?? [];
    const given = value || (words[at + 1] ?? "");
    if (flag === "-C" || flag === "--directory") here = join(here, given);
    else if (flag !== "") named.push(given);
  }
  for (const name of named) await takeMakefile(name, here, search);
  for (const name of named.length > 0 ? [] : makefiles) if (await takeMakefile(name, here, search)) return;
}

/** With those that it includes. False if there is none, or it was taken before. */
async function takeMakefile(name: string, here: string, search: Search): Promise<boolean> {
  const path = join(here, name);
  if (search.found.has(path) || search.found.size >= maxSteps) return false;
  const text = await search.files.read(path);
  if (text === undefined) return false;
  search.found.set(path, `${path} (${hashOf(text).slice(0, 8)})`);
  for (const line of text.split("\n")) {
    const [, included] = /^ *[-s]?include +(\S.*)$/.exec(line) ?? [];
    for (const each of included?.trim().split(/\s+/) ?? []) await takeMakefile(each, here, search);
    if (line.startsWith("\t"))
      await follow(line.replace(/^\t[@+-]*/, "").replace(/\$[({]MAKE[)}]/g, "make"), here, search);
  }
  return true;
}

async function take(place: string, body: string, folder: string, search: Search): Promise<void> {
  if (search.found.has(place) || search.found.size >= maxSteps) return;
  search.found.set(place, body);
  await follow(body, folder, search);
}

/** Splits a line into commands and words. After an unterminated quote, the rest is one word. */
function commandsIn(text: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  for (const [piece, double, single, plain] of text
    .slice(0, 20_000)
    .matchAll(/"((?:\\.|[^"\\])*)"|'([^']*)'|([^\s;&|()`"'$]+)|[;&|()`\n]+|\$\(/g)) {
    const word = double?.replace(/\\(.)/g, "$1") ?? single ?? plain;
    if (word !== undefined) commands.at(-1)?.push(word);
    else if (piece !== "") commands.push([]);
  }
  return commands.filter((words) => words.length > 0);
}

const isName = (word: string, at: number): boolean => at > 0 && !word.startsWith("-");

/** Never leaves the folder, whatever `path` contains. */
function join(folder: string, path: string): string {
  const parts = folder.split("/").filter((part) => part !== "");
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** The scripts of a package.json. */
function scriptsIn(text: string): ReadonlyMap<string, string> {
  const all = asObject(asObject(parseJson(text))?.["scripts"]) ?? {};
  return new Map(
    Object.entries(all).flatMap(([name, body]) => {
      const script = asString(body);
      return script === undefined ? [] : [[name, script] as const];
    }),
  );
}

interface FolderTop {
  /** Names of the files at the folder's top level. */
  readonly names: readonly string[];
  /** Reads a file there; `undefined` if it cannot be read. */
  read(name: string): Promise<string | undefined>;
  /** Whether a program is available here; absent if unknown. */
  isInstalled?(program: string): Promise<boolean>;
}

export interface SuggestedCheck extends CheckRow {
  /** The file in which it was found. */
  readonly from: string;
}

const scripts: readonly (readonly [name: string, kind: CheckKind, form: RegExp])[] = [
  ["types", "static", /^(type-?check|check[-:]types?|types?:check|types|tsc)$/],
  ["lint", "static", /^(lint|lint:check|eslint|check[-:]lint)$/],
  ["tests", "tests", /^(test|tests|test:unit|unit)$/],
];

/** Scripts that only say that there are no tests, or that watch for changes, are not checks. */
const isNoCheck = (body: string): boolean => /no test specified|--watch(?!=false|-)/i.test(body);

export async function suggestChecks(top: FolderTop): Promise<readonly SuggestedCheck[]> {
  const { names, read } = top;
  const isInstalled = async (program: string) => (await top.isInstalled?.(program)) ?? true;
  const has = (name: string) => names.includes(name);
  const text = async (name: string) => (has(name) ? ((await read(name)) ?? "") : "");
  const found: SuggestedCheck[] = [];
  const add = (row: SuggestedCheck) => {
    if (!found.some(({ name }) => name === row.name)) found.push(row);
  };
  const manifest = await text("package.json");
  const runner = await runnerOf(has, manifest, isInstalled);
  const compiles = await hasCompiler(read);
  const bodies = scriptsIn(manifest);
  for (const [name, kind, form] of scripts) {
    const [script, body] = [...bodies].find(([script, body]) => form.test(script) && !isNoCheck(body)) ?? [];
    if (script === undefined || body === undefined) continue;
    // The compiler itself executes nothing of the proposal; started through a package manager, pre and post scripts
    // would run.
    const isAlone = !bodies.has(`pre${script}`) && !bodies.has(`post${script}`);
    const command = (compiles && isAlone ? asReadOnlyCommand(body) : undefined) ?? `${runner} ${script}`;
    add({ name, kind, command, from: "package.json" });
  }
  if (has("tsconfig.json")) {
    const isSolution = /"references"\s*:/.test((await text("tsconfig.json")).slice(0, 100_000));
    const reading = compiles ? asReadOnlyCommand("tsc --noEmit -p .") : undefined;
    const command = isSolution
      ? "npx --no-install tsc -b"
      : (reading ?? "npx --no-install tsc --noEmit -p .");
    add({ name: "types", kind: "static", command, from: "tsconfig.json" });
  }
  if (has("Cargo.toml")) {
    add({ name: "cargo check", kind: "static", command: "cargo check --all-targets", from: "Cargo.toml" });
    add({ name: "cargo test", kind: "tests", command: "cargo test", from: "Cargo.toml" });
  }
  if (has("go.mod")) {
    add({ name: "go vet", kind: "static", command: "go vet ./...", from: "go.mod" });
    add({ name: "go test", kind: "tests", command: "go test ./...", from: "go.mod" });
  }
  for (const row of await pythonChecks(has, text)) add(row);
  const makefile = ["GNUmakefile", "makefile", "Makefile"].find(has);
  if (makefile !== undefined) {
    const targets = targetsIn(await text(makefile));
    for (const target of ["typecheck", "lint", "vet", "check"].filter((each) => targets.has(each)))
      add({ name: target, kind: "static", command: `make ${target}`, from: makefile });
    if (targets.has("test")) add({ name: "tests", kind: "tests", command: "make test", from: makefile });
  }
  const there: SuggestedCheck[] = [];
  for (const row of found) {
    const [program = ""] = row.command.split(" ");
    // The editor brings its own Node.
    if (program === "node" || (await isInstalled(program))) there.push(row);
  }
  return there;
}

const runners: readonly (readonly [program: string, ...locks: string[]])[] = [
  ["pnpm", "pnpm-lock.yaml"],
  ["yarn", "yarn.lock"],
  ["npm", "package-lock.json", "npm-shrinkwrap.json"],
  ["bun", "bun.lockb", "bun.lock"],
];

/** The package manager that package.json names. If several have a lock file here, one that is installed. */
async function runnerOf(
  has: (name: string) => boolean,
  manifest: string,
  isInstalled: (program: string) => Promise<boolean>,
): Promise<string> {
  const named = asString(asObject(parseJson(manifest))?.["packageManager"])?.split("@")[0];
  const locked = runners.filter(([, ...locks]) => locks.some(has)).map(([program]) => program);
  for (const program of [...runners.map(([each]) => each).filter((each) => each === named), ...locked])
    if (program === named || (await isInstalled(program))) return `${program} run`;
  return `${locked[0] ?? "npm"} run`;
}

/** Whether the project uses a compiler version that was tested. */
async function hasCompiler(text: (name: string) => Promise<string | undefined>): Promise<boolean> {
  const file = parseJson((await text("node_modules/typescript/package.json")) ?? "");
  return triedCompiler.test(asString(asObject(file)?.["version"]) ?? "");
}

async function pythonChecks(
  has: (name: string) => boolean,
  text: (name: string) => Promise<string>,
): Promise<readonly SuggestedCheck[]> {
  const project = await text("pyproject.toml");
  const setup = await text("setup.cfg");
  const from = (file: string, section: string, settings: string) => {
    if (has(file)) return file;
    if (project.includes(section)) return "pyproject.toml";
    return settings !== "" && setup.includes(settings) ? "setup.cfg" : undefined;
  };
  // If mypy's configuration says what to check, pass no path. Turn off source excerpts, which would be read as further
  // findings.
  const places = [await text("mypy.ini"), sectionOf(project, "tool.mypy"), sectionOf(setup, "mypy")];
  const isSaid = places.some((each) => /^[ \t]*(?:files|packages|modules)[ \t]*=/m.test(each));
  const mypy = isSaid ? "mypy --no-pretty" : "mypy --no-pretty .";
  const rows: readonly (readonly [string, CheckKind, string, string | undefined])[] = [
    ["ruff", "static", "ruff check .", from("ruff.toml", "[tool.ruff", "")],
    ["mypy", "static", mypy, from("mypy.ini", "[tool.mypy", "[mypy")],
    ["pytest", "tests", "pytest -q", from("pytest.ini", "[tool.pytest", "[tool:pytest]")],
  ];
  const found = rows.flatMap(([name, kind, command, file]) =>
    file === undefined ? [] : [{ name, kind, command, from: file }],
  );
  const other = ["pyproject.toml", "setup.py", "setup.cfg"].find(has);
  if (other === undefined || found.some(({ kind }) => kind === "static")) return found;
  return [
    { name: "syntax", kind: "static", command: "python3 -I -m compileall -q -f .", from: other },
    ...found,
  ];
}

/** The text of a section, up to the next heading. */
function sectionOf(settings: string, name: string): string {
  const from = settings.split("\n").slice(0, 20_000);
  const first = from.findIndex((line) => line.trim() === `[${name}]`);
  if (first < 0) return "";
  const rest = from.slice(first + 1);
  const end = rest.findIndex((line) => /^\s*\[\w[^=]*\]\s*$/.test(line));
  return rest.slice(0, end < 0 ? rest.length : end).join("\n");
}

function targetsIn(makefile: string): ReadonlySet<string> {
  const lines = makefile.slice(0, 200_000).split("\n");
  return new Set(lines.flatMap((line) => /^([\w-]+):(?!=)/.exec(line)?.[1] ?? []));
}
