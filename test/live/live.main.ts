// `npm run live`: the product with a player in the place of the model. What each command does is in test/live/README.md.
import { spawn } from "node:child_process";
import { mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findSandbox, type Sandbox } from "../../src/checks/internal/sandbox/sandbox.ts";
import { prepareBubblewrap } from "../support/tools.mjs";
import { costsOf, lettersAsTokens } from "./costs.ts";
import { figuresOf, refusedIn } from "./figures.ts";
import { judge } from "./hidden-tests.ts";
import { type PlayedStep, play } from "./play.ts";
import { prepare } from "./prepare.ts";
import { keepReplies, recordedReplies } from "./recorded.ts";
import { type RelayedRequest, startRelay } from "./relay.ts";
import {
  end,
  filePlayer,
  forget,
  headOfRequest,
  noteEvent,
  openRequest,
  putReplies,
  type RunReport,
  readReport,
  repliesOf,
  rootOf,
  runFolder,
  say,
  untilAsked,
  wasPlayed,
  writeReport,
} from "./runs.ts";
import { readTask, taskNames } from "./task.ts";

const patienceOfNext = 60;

const commands: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  async prepare(args) {
    const names = args.filter((each) => taskNames().includes(each));
    const [mirrors] = args.filter((each) => !names.includes(each));
    for (const name of names) {
      await prepare(name, readTask(name), mirrors);
      console.log(`${name} lies in ${runFolder(name)}`);
    }
  },

  /** The relay and the product, until the task is over. */
  async play([name = ""]) {
    const task = readTask(name);
    const relay = await startRelay(filePlayer(name), task.profile);
    const events: unknown[] = [];
    let report: RunReport = { isOver: false, steps: [], requests: [], refused: [] };
    const tell = (more: Partial<RunReport>) => {
      const requests: readonly RelayedRequest[] = relay.requests;
      report = { ...report, ...more, requests, refused: [...refusedIn(events)] };
      writeReport(name, report);
    };
    const onEvent = (event: unknown) => {
      events.push(event);
      noteEvent(name, event);
    };
    try {
      const root = rootOf(name, task);
      const confined = task.commands === true ? await confine(name, root) : {};
      await play(task, { root, relay, onEvent, ...confined, onStep: ({ steps }) => tell({ steps }) });
      tell({ isOver: true });
    } catch (error) {
      tell({ isOver: true, error: String(error) });
    }
    await relay.close();
  },

  async start(args) {
    const names = args.filter((each) => each !== "--again");
    for (const name of names) {
      const task = readTask(name);
      if ("own" in task.folder) await prepare(name, task);
      else if (wasPlayed(name) && names.length < args.length) forget(name);
      else if (wasPlayed(name)) {
        console.log(
          `${name} was played here: prepare it anew, or start it with --again on the folder as it is now.`,
        );
        process.exitCode = 1;
        continue;
      }
      startInBackground(name);
    }
  },

  /** The recorded replies are given again; the player goes on from there. */
  async resume(names) {
    for (const name of names) {
      await prepare(name, readTask(name));
      putReplies(name, recordedReplies(name));
      startInBackground(name);
    }
  },

  async stop(names) {
    for (const name of names) console.log(`${name} ${end(name) ? "is ended" : "was over"}.`);
  },

  async next(args) {
    const names = args.filter((each) => !/^\d+$/.test(each));
    const seconds = Number(args.find((each) => /^\d+$/.test(each)) ?? patienceOfNext);
    await untilAsked(names, seconds);
    for (const name of names) {
      const number = openRequest(name);
      if (number !== undefined)
        console.log(`##### ${name}: request ${number}\n\n${headOfRequest(name, number)}`);
      else console.log(`##### ${name}: ${ending(readReport(name))}`);
    }
  },

  async say([name = ""]) {
    console.log(`${name}: request ${say(name, readFileSync(0, "utf8"))} is replied to.`);
  },

  async score(names) {
    const rows: string[][] = [
      ["task", "requests", "input tokens", "cached", "calls", "refused, repeated, unused", "solved", "ended"],
    ];
    for (const name of names) {
      const task = readTask(name);
      const report = readReport(name);
      if (report === undefined) {
        console.log(`${name} was not played.`);
        continue;
      }
      const figures = figuresOf(report.requests, new Set(report.refused));
      const verdict = await judge(task, rootOf(name, task), answerIn(report));
      for (const { command, code, output } of verdict?.commands ?? [])
        if (code !== 0) console.log(`${name}: ${command} ended with ${code}\n${output}`);
      const touched = touchedIn(report);
      for (const path of touched) console.log(`${name}: changed before it was accepted: ${path}`);
      for (const fact of verdict?.unsaid ?? []) console.log(`${name}: the answer does not say: ${fact}`);
      const { refused, repeated, unused } = figures.wasted;
      rows.push([
        name,
        String(figures.requests),
        String(figures.inputTokens),
        `${figures.cachedShare} %`,
        Object.entries(figures.calls)
          .map(([call, count]) => `${count} ${call}`)
          .join(", "),
        `${refused}, ${repeated}, ${unused}`,
        verdict === undefined ? "–" : verdict.isSolved && touched.length === 0 ? "yes" : "no",
        ending(report),
      ]);
    }
    for (const [at, row] of rows.entries()) {
      console.log(`| ${row.join(" | ")} |`);
      if (at === 0) console.log(`|${row.map(() => "---|").join("")}`);
    }
  },

  /** Where the input tokens went. */
  async costs(names) {
    for (const name of names) {
      const { requests = [] } = readReport(name) ?? {};
      const sum = requests.reduce((all, { tokens }) => all + tokens, 0);
      const letters = requests.reduce((all, each) => all + lettersAsTokens(each), 0);
      console.log(`\n${name}: ${requests.length} requests, ${sum} tokens; ${letters} at four letters each\n`);
      console.log("| what | texts | tokens once | tokens sent | of all |\n|---|---|---|---|---|");
      for (const { what, texts, once, sent } of costsOf(requests))
        console.log(`| ${what} | ${texts} | ${once} | ${sent} | ${Math.round((100 * sent) / sum)} % |`);
    }
  },

  /** What was replied becomes a regression test. */
  async record(names) {
    for (const name of names) {
      keepReplies(name, repliesOf(name));
      console.log(`${name} is recorded; now PATCHBAY_GOLDEN=write npm test -- live-replay`);
    }
  },
};

function startInBackground(name: string): void {
  const log = openSync(join(runFolder(name), "log.txt"), "a");
  const [program = "node", script = ""] = process.argv;
  const child = spawn(program, ["--enable-source-maps", script, "play", name], {
    detached: true,
    stdio: ["ignore", log, log],
  });
  writeFileSync(join(runFolder(name), "pid"), String(child.pid));
  child.unref();
  console.log(`${name} has begun.`);
}

/** @throws where this machine has no sandbox: a player must never run anything outside of one. */
async function confine(name: string, root: string): Promise<{ readonly sandbox: Sandbox }> {
  const [brought] = await prepareBubblewrap();
  const storage = join(runFolder(name), "sandbox");
  mkdirSync(storage, { recursive: true });
  const state = await findSandbox({
    ...{ storage, workspaceFolders: [root] },
    ...(brought !== undefined && { bubblewrap: brought.program }),
  });
  if (state.kind === "none") throw new Error(`${name} needs a sandbox: ${state.detail}`);
  return { sandbox: state.sandbox };
}

const touchedIn = ({ steps }: RunReport): readonly string[] =>
  (steps as readonly PlayedStep[]).flatMap(({ touched = [] }) => touched);

/** What was said in all steps. */
const answerIn = ({ steps }: RunReport): string =>
  (steps as readonly PlayedStep[]).map(({ text }) => text).join("\n\n");

function ending(report: RunReport | undefined): string {
  if (report === undefined) return "nothing yet";
  if (!report.isOver) return `works, ${report.steps.length} steps are over`;
  const steps = report.steps as readonly { readonly status: string; readonly problem?: string }[];
  const said = steps.map(({ status, problem }) =>
    problem === undefined ? status : `${status} (${problem})`,
  );
  return `over, nothing waits for a reply: ${[...said, ...(report.error === undefined ? [] : [report.error])].join("; ")}`;
}

const [command = "", ...args] = process.argv.slice(2);
const run = commands[command];
if (run === undefined) {
  console.log(`npm run live -- prepare [<mirrors>] <task>… | start [--again] <task>… | resume <task>… | next [<seconds>] <task>… | say <task> |
                score <task>… | costs <task>… | record <task>… | stop <task>…
Tasks: ${taskNames().join(", ")}. How to play: test/live/README.md.`);
  process.exitCode = command === "" ? 0 : 1;
} else
  await run(args).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
