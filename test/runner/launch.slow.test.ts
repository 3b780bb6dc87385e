// Proves that what .vscode/launch.json starts is there: each configuration's tasks are run as VS Code runs them (but for
// the builds, which were done before these tests), then every path and variable that the configuration names is looked
// for. The workspace is a copy, never the fixture itself.
import { strict as assert } from "node:assert";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { quietly, start } from "../support/processes.mjs";

interface Configuration {
  readonly name: string;
  readonly args: readonly string[];
  readonly program?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly preLaunchTask?: string;
}

interface Task {
  readonly label: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly dependsOn?: readonly string[];
  readonly isBackground?: boolean;
  readonly problemMatcher?: {
    readonly background?: { readonly beginsPattern: string; readonly endsPattern: string };
  };
}

const read = (file: string): unknown =>
  JSON.parse(
    readFileSync(join(".vscode", file), "utf8")
      .replaceAll(/^\s*\/\/.*$/gm, "")
      .replaceAll(/\$\{workspaceFolder\}/g, process.cwd()),
  );
const { configurations } = read("launch.json") as { configurations: readonly Configuration[] };
const { tasks } = read("tasks.json") as { tasks: readonly Task[] };

const configuration = (name: string): Configuration => {
  const found = configurations.find((each) => each.name === name);
  assert.ok(found, name);
  return found;
};

/** What is to be run of the task and those it depends on. */
function tasksOf(label: string | undefined): readonly Task[] {
  const task = tasks.find((each) => each.label === label);
  assert.ok(task, label);
  const [program, ...targets] = task.args ?? [];
  if (program !== "esbuild.mjs")
    return [...(task.dependsOn ?? []).flatMap(tasksOf), ...(task.command === undefined ? [] : [task])];
  const known = readFileSync("esbuild.mjs", "utf8");
  for (const target of targets) assert.match(known, new RegExp(`^ {2}${target}: |"${target}"`, "m"));
  return [];
}

function assertPaths({ args }: Configuration, created: readonly string[] = []): void {
  const named = args.map((arg) => arg.replace(/^--[^=]+=/, "")).filter((arg) => !arg.startsWith("--"));
  assert.ok(named.length > 0);
  for (const path of named) if (!created.includes(path)) assert.ok(existsSync(path), path);
  assert.ok(!named.some((path) => path.includes("test/fixtures")), "the fixture itself would be changed");
}

test("launch.json has a configuration for the extension and for each kind of test", () => {
  assert.deepEqual(
    configurations.map((each) => each.name),
    ["Run extension with simulator", "Page tests", "UI tests", "Unit tests", "Host tests"],
  );
  const kinds = { "Unit tests": "unit", "Page tests": "page", "UI tests": "ui" };
  for (const [name, kind] of Object.entries(kinds)) {
    const { program = "", args } = configuration(name);
    assert.deepEqual([existsSync(program), args], [true, [kind]]);
  }
});

test("the launch tasks of the extension start the simulator and write its URL to the settings", async (t) => {
  const run = configuration("Run extension with simulator");
  for (const { args = [], isBackground, problemMatcher } of tasksOf(run.preLaunchTask)) {
    if (isBackground !== true) {
      await quietly(process.execPath, args);
      continue;
    }
    const said: string[] = [];
    const { beginsPattern = "", endsPattern = "" } = problemMatcher?.background ?? {};
    await new Promise<void>((resolve) => {
      const program = start(process.execPath, args, {
        onLine(line) {
          said.push(line);
          if (new RegExp(endsPattern).test(line)) resolve();
        },
      });
      void program.exited.then(() => resolve());
      t.after(() => program.stop());
    });
    assert.ok(said.some((line) => new RegExp(beginsPattern).test(line)));
    assert.match(said.join("\n"), new RegExp(endsPattern, "m"));
    assert.ok(
      said.some((line) => line.endsWith(run.env?.["PATCHBAY_DEV_KEY"] ?? "none")),
      "the key is the simulator's",
    );
    const settings = readFileSync(join(".build", "launch", "user", "User", "settings.json"), "utf8");
    assert.ok(
      said.some((line) => line.startsWith("Service URL") && settings.includes(line.split(/ +/)[2] ?? "none")),
    );
  }
  assertPaths(run);
});

test("the launch task of the host tests prepares their build and their workspace folder", async () => {
  const host = configuration("Host tests");
  for (const { args = [] } of tasksOf(host.preLaunchTask)) await quietly(process.execPath, args);
  assertPaths(host);
  const wanted = readFileSync("test/host/mocha.main.ts", "utf8").matchAll(/fromEnvironment\("(\w+)"\)/g);
  assert.deepEqual(Object.keys(host.env ?? {}).sort(), [...wanted].map(([, name]) => name).sort());
  assert.ok(existsSync(join(host.env?.["PATCHBAY_SUITES"] ?? "", "mocha.main.cjs")));
});
