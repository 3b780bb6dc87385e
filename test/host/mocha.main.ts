// Runs inside the extension host: VS Code calls `run`. It runs every suite of one folder and writes what happened to
// files, because the host's console is shared with the workbench and its exit code cannot be trusted after a crash. Own stretches are
// watched: what of the product runs in a test holds the thread of every extension.
import { appendFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { format } from "node:util";
import Mocha from "mocha";
import * as vscode from "vscode";
import { askedFor } from "../support/slow.mjs";
import { startWatchdog } from "../support/watchdog.mjs";
import { addUpSuites } from "./suite-times.ts";

/** A limit is there for what hangs; a shared machine may take several times as long for what does not. */
const patience = 4;

export async function run(): Promise<void> {
  const folder = fromEnvironment("PATCHBAY_SUITES");
  const output = fromEnvironment("PATCHBAY_SUITES_OUTPUT");
  const print = (...args: unknown[]) => appendFileSync(output, `${format(...args)}\n`);
  Object.assign(console, { log: print, info: print, warn: print, error: print });
  Mocha.reporters.Base.consoleLog = print;

  // What lists files would draw every one that a test makes.
  for (const part of ["Sidebar", "AuxiliaryBar", "Panel"])
    await vscode.commands.executeCommand(`workbench.action.close${part}`);
  const watchdog = startWatchdog();
  const mocha = new Mocha({
    ...{ ui: "bdd", timeout: 120_000, color: false },
    ...(process.env["PATCHBAY_SUITES_ONLY"] && { grep: new RegExp(process.env["PATCHBAY_SUITES_ONLY"]) }),
    rootHooks: {
      beforeEach(this: Mocha.Context) {
        this.currentTest?.timeout(this.currentTest.timeout() * patience);
        watchdog?.enter(this.currentTest?.fullTitle() ?? "");
      },
      afterEach() {
        watchdog?.enter("");
      },
    },
  });
  const suites = findSuites(folder);
  // Who drives the installed extension comes last: it stays open, and a host has one provider for each scheme.
  const isLast = (name: string) => Number(name.startsWith("product"));
  suites.sort((one, other) => isLast(one) - isLast(other) || one.localeCompare(other));
  for (const name of suites) mocha.addFile(join(folder, name));
  /** Of the tests that failed, so that they can be run again. */
  const names: string[] = [];
  const starter = process.env["PATCHBAY_SUITES_STARTER"];
  const times = starter === undefined ? undefined : addUpSuites(Number(starter));
  const result = await new Promise<{ passed: number; failed: number }>((resolve) => {
    const runner = mocha.run(() => resolve(count(runner)));
    runner.on("fail", (test) => names.push(test.fullTitle()));
    runner.on("test end", (test) => {
      const file = relative(folder, test.file ?? "").replace(/\.cjs$/, ".ts");
      times?.ended(`test/${basename(folder)}/${file}`, test.title, test.duration ?? 0);
    });
  });
  writeFileSync(
    fromEnvironment("PATCHBAY_SUITES_RESULT"),
    JSON.stringify({ ...result, names, times: times?.all(), ...watchdog?.stop() }),
  );
  if (result.failed > 0) throw new Error(`${result.failed} tests failed.`);
}

/** Those that the run names, or all that it is to have. */
function findSuites(folder: string): string[] {
  const named: string[] | null = JSON.parse(process.env["PATCHBAY_SUITES_FILES"] ?? "null");
  if (named !== null) return named;
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return askedFor(names.filter((name) => name.endsWith(".suite.cjs")));
}

/** A skipped test proves nothing, so it counts as failed. */
function count({ stats }: Mocha.Runner): { passed: number; failed: number } {
  return { passed: stats?.passes ?? 0, failed: (stats?.failures ?? 1) + (stats?.pending ?? 0) };
}

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: start the host tests through test/run.mjs.`);
  return value;
}
