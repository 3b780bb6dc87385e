// A conversation in a folder with one check, and the tries at its questions.
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Check, Confinement } from "../../../src/checks/check.ts";
import type { ConversationEvent } from "../../../src/conversation/events.ts";
import { type FileSystem, nodeFileSystem } from "../../../src/store/file-system.ts";
import type { TrialWay } from "../../../src/trials/candidate.ts";
import type { Trial } from "../../../src/trials/internal/trial.ts";
import { SessionTrials, type TrialQuestion } from "../../../src/trials/session-trials.ts";
import { silentLog } from "../../../src/util/log.ts";
import type { SeenRequest } from "../../sim/request-log.ts";
import { type Part, text } from "../../sim/script.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { openTestApp, type TestApp } from "../../support/test-app.ts";
import { hostFor } from "../../support/word-check.ts";

export const types: Check = {
  ...{ id: "types", name: "types", command: "npx tsc", kind: "static", folder: "work", blind: [] },
};
export const patch = (to: string) =>
  `*** Begin Patch\n*** Update File: a.ts\n@@\n-two\n+${to}\n*** End Patch`;
export const chatPatch = (to: string) => text(`Here.\n\n\`\`\`\n${patch(to)}\n\`\`\`\n`);

interface World {
  readonly app: TestApp;
  readonly trials: SessionTrials;
  readonly booked: ConversationEvent[];
  readonly ran: readonly string[];
  readonly workspace: ReturnType<typeof createFolderWorkspace>;
  propose(way: TrialWay, question?: TrialQuestion): Promise<Trial>;
}

export async function openWorld(
  t: TestContext,
  open: { begun?: boolean; confinement?: Confinement } = {},
): Promise<World> {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "one\ntwo\nthree\n");
  const { host, ran } = hostFor([types], undefined, undefined, open.confinement);
  const prices = {
    rates: () => ({ input: 1, cached: 0.1, write5m: 1, write1h: 2, output: 5 }),
    amount: (sum: number) => `$${sum.toFixed(6)}`,
  };
  // Before the folder is removed.
  t.after(() => trials.close());
  const app = await openTestApp(t, { defaultModel: () => "svc-k3", workspace, checkHost: host, prices });
  const booked: ConversationEvent[] = [];
  const trials = new SessionTrials({
    registry: app.registry,
    price: () => undefined,
    book: (_, event) => booked.push(event),
    log: silentLog,
  });
  if (open.begun !== false) {
    app.sim.reply(text("Hello."));
    await app.session.send({ prompt: "Hello?" });
  }
  return {
    ...{ app, trials, booked, ran, workspace },
    async propose(way, question = { prompt: "Change a.ts." }) {
      const trial = await trials.propose(app.session, way, question);
      assert.ok(trial);
      return trial;
    },
  };
}

/** Those of another window, later. */
export const trialsOf = ({ registry }: Pick<TestApp, "registry">) =>
  new SessionTrials({ registry, price: () => undefined, book: () => {}, log: silentLog });

/** Each request is played by number. */
export function play(app: TestApp, ...replies: readonly (readonly Part[])[]): void {
  for (const parts of replies) app.sim.reply(...parts);
}

export function until(trial: Trial, is: () => boolean): Promise<void> {
  if (is()) return Promise.resolve();
  return new Promise((resolve) => {
    const listening = trial.onChange(() => {
      if (!is()) return;
      listening.dispose();
      resolve();
    });
  });
}

export const over = (trial: Trial) => until(trial, () => trial.isStarted && !trial.isRunning);
/** Resolves once the window has tries of a conversation, or none any more. */
export function changeOf(
  trials: SessionTrials,
  session: TestApp["session"],
  isThere: boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const listening = trials.onChange(() => {
      if ((trials.of(session) !== undefined) !== isThere) return;
      listening.dispose();
      resolve();
    });
  });
}

/** Holds whatever passes it until it is opened. */
export function gate() {
  let [reach, open] = [() => {}, () => {}];
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const pass = () => {
    reach();
    return opened;
  };
  return { reached, open: () => open(), pass };
}

/** A disk that tells how often a file was looked at, as a window that waits for a conversation does again and again. */
export function countedReads(name: string) {
  let [seen, wanted, resolve] = [0, Number.POSITIVE_INFINITY, () => {}];
  const fs: FileSystem = {
    ...nodeFileSystem,
    stat(path) {
      if (path.endsWith(name) && ++seen >= wanted) resolve();
      return nodeFileSystem.stat(path);
    },
  };
  const times = (more: number) =>
    new Promise<void>((done) => {
      [wanted, resolve] = [seen + more, done];
    });
  return { fs, times };
}

export const states = (trial: Trial) => trial.candidates.map(({ state }) => state);
export const verdicts = (trial: Trial) => trial.candidates.map(({ facts }) => facts.verdict);
export const rows = (app: TestApp) =>
  app.session.state.turns.map(({ prompt, status }) => `${prompt} ${status}`);
/** Whether the request brings what a tool has returned. */
export const isAnswered = ({ body }: SeenRequest): boolean =>
  JSON.stringify((body["input"] as unknown[] | undefined)?.at(-1) ?? "").includes("_output");
