// Which checks a folder seems to have, from the files at its top. A proposal for a person and nothing else: each row is
// accepted by them before it runs. Nothing that a row runs fetches anything by itself.
import { asObject, asString, parseJson } from "../util/json.ts";
import type { CheckKind, CheckRow } from "./check.ts";

export interface FolderTop {
  /** What lies at the top of the folder. */
  readonly names: readonly string[];
  /** The text of a file there; undefined where it cannot be read. */
  read(name: string): Promise<string | undefined>;
}

export interface SuggestedCheck extends CheckRow {
  /** What it will run in the end: the body of a script. */
  readonly body?: string;
  /** The file it was found in. */
  readonly from: string;
}

const scripts: readonly (readonly [name: string, kind: CheckKind, form: RegExp])[] = [
  ["types", "static", /^(type-?check|check[-:]types?|types?:check|types|tsc)$/],
  ["lint", "static", /^(lint|lint:check|eslint|check[-:]lint)$/],
  ["tests", "tests", /^(test|tests|test:unit|unit)$/],
];

/** A script that only says that there is none, or that waits for changes, is no check. */
const isNoCheck = (body: string): boolean => /no test specified|--watch(?!=false|-)/i.test(body);

export async function suggestChecks({ names, read }: FolderTop): Promise<readonly SuggestedCheck[]> {
  const has = (name: string) => names.includes(name);
  const text = async (name: string) => (has(name) ? ((await read(name)) ?? "") : "");
  const found: SuggestedCheck[] = [];
  const add = (row: SuggestedCheck) => {
    if (!found.some(({ name }) => name === row.name)) found.push(row);
  };
  const runner = runnerOf(has);
  const bodies = scriptsIn(await text("package.json"));
  for (const [name, kind, form] of scripts) {
    const [script, body] = [...bodies].find(([script, body]) => form.test(script) && !isNoCheck(body)) ?? [];
    if (script !== undefined && body !== undefined)
      add({ name, kind, command: `${runner} ${script}`, body, from: "package.json" });
  }
  if (has("tsconfig.json")) {
    const isSolution = /"references"\s*:/.test((await text("tsconfig.json")).slice(0, 100_000));
    const command = isSolution ? "npx --no-install tsc -b" : "npx --no-install tsc --noEmit -p .";
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
  return found;
}

function runnerOf(has: (name: string) => boolean): string {
  if (has("pnpm-lock.yaml")) return "pnpm run";
  if (has("yarn.lock")) return "yarn run";
  if (has("bun.lockb") || has("bun.lock")) return "bun run";
  return "npm run";
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

/** What a command runs where it names a script, with what runs before and after it. */
export function scriptBody(command: string, packageJson: string): string | undefined {
  const [, name] =
    /^(?:npm|pnpm|yarn|bun)(?: -[\w-]+(?:=\S+)?)* (?:run(?:-script)?(?: -[\w-]+)* )?([\w:.@/-]+)/.exec(
      command,
    ) ?? [];
  if (name === undefined) return undefined;
  const bodies = scriptsIn(packageJson);
  const all = [`pre${name}`, name, `post${name}`].flatMap((each) => bodies.get(each) ?? []);
  return all.length === 0 ? undefined : all.join(" && ");
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
  const rows: readonly (readonly [string, CheckKind, string, string | undefined])[] = [
    ["ruff", "static", "ruff check .", from("ruff.toml", "[tool.ruff", "")],
    ["mypy", "static", "mypy .", from("mypy.ini", "[tool.mypy", "[mypy")],
    ["pytest", "tests", "pytest -q", from("pytest.ini", "[tool.pytest", "[tool:pytest]")],
  ];
  const found = rows.flatMap(([name, kind, command, file]) =>
    file === undefined ? [] : [{ name, kind, command, from: file }],
  );
  const other = ["pyproject.toml", "setup.py", "setup.cfg"].find(has);
  if (other === undefined || found.some(({ kind }) => kind === "static")) return found;
  return [
    { name: "syntax", kind: "static", command: "python3 -m compileall -q -f .", from: other },
    ...found,
  ];
}

function targetsIn(makefile: string): ReadonlySet<string> {
  const lines = makefile.slice(0, 200_000).split("\n");
  return new Set(lines.flatMap((line) => /^([\w-]+):(?!=)/.exec(line)?.[1] ?? []));
}
