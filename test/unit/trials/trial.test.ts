// Several tries at one question, with the simulator as models of different skill.
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { Check } from "../../../src/checks/check.ts";
import type { ConversationEvent } from "../../../src/conversation/events.ts";
import type { TrialWay } from "../../../src/trials/candidate.ts";
import type { Trial } from "../../../src/trials/internal/trial.ts";
import { SessionTrials, type TrialQuestion } from "../../../src/trials/session-trials.ts";
import { silentLog } from "../../../src/util/log.ts";
import { holdBefore } from "../../sim/delivery-faults.ts";
import { status } from "../../sim/http-answers.ts";
import type { SeenRequest } from "../../sim/request-log.ts";
import { type Part, patchCall, text, usage } from "../../sim/script.ts";
import { english } from "../../support/english.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { openTestApp, type TestApp } from "../../support/test-app.ts";
import { hostFor } from "../../support/word-check.ts";

const types: Check = {
  ...{ id: "types", name: "types", command: "npx tsc", kind: "static", folder: "work", blind: [] },
};
const patch = (to: string) => `*** Begin Patch\n*** Update File: a.ts\n@@\n-two\n+${to}\n*** End Patch`;
const chatPatch = (to: string) => text(`Here.\n\n\`\`\`\n${patch(to)}\n\`\`\`\n`);

interface World {
  readonly app: TestApp;
  readonly trials: SessionTrials;
  readonly booked: ConversationEvent[];
  readonly ran: readonly string[];
  readonly workspace: ReturnType<typeof createFolderWorkspace>;
  propose(way: TrialWay, question?: TrialQuestion): Promise<Trial>;
}

async function openWorld(t: TestContext, open: { begun?: boolean } = {}): Promise<World> {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "one\ntwo\nthree\n");
  const { host, ran } = hostFor([types]);
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

/** Each request is played by number. */
function play(app: TestApp, ...replies: readonly (readonly Part[])[]): void {
  for (const parts of replies) app.sim.reply(...parts);
}

function until(trial: Trial, is: () => boolean): Promise<void> {
  if (is()) return Promise.resolve();
  return new Promise((resolve) => {
    const listening = trial.onChange(() => {
      if (!is()) return;
      listening.dispose();
      resolve();
    });
  });
}

const over = (trial: Trial) => until(trial, () => trial.isStarted && !trial.isRunning);
const states = (trial: Trial) => trial.candidates.map(({ state }) => state);
const verdicts = (trial: Trial) => trial.candidates.map(({ facts }) => facts.verdict);
const rows = (app: TestApp) => app.session.state.turns.map(({ prompt, status }) => `${prompt} ${status}`);
/** Whether the request brings what a tool has returned. */
const isAnswered = ({ body }: SeenRequest): boolean =>
  JSON.stringify((body["input"] as unknown[] | undefined)?.at(-1) ?? "").includes("_output");

describe("a trial", () => {
  it("quotes each candidate before anything is sent, and counts the cache only where it holds", async (t) => {
    const { app, propose } = await openWorld(t, { begun: false });
    const same = await propose("repeat");
    const [one, two, three] = same.candidates.map(({ quote }) => quote);
    assert.ok(one && one.fresh > 0 && one.cached === 0);
    assert.deepEqual([two?.fresh, two?.cached], [0, one.fresh]);
    assert.deepEqual(three, two);
    assert.match(one.price ?? "", /^\$0\.0/);
    assert.equal(app.sim.requests.length, 0);
    assert.equal(app.session.draft.text, "");
  });

  it("counts nothing as cached for chat models", async (t) => {
    const { app, propose } = await openWorld(t, { begun: false });
    app.session.choices.chooseModel("svc-k2.6");
    const trial = await propose("repeat");
    for (const { quote } of trial.candidates) assert.ok(quote && quote.cached === 0 && quote.fresh > 0);
  });

  it("gives the question back to the box if it is left", async (t) => {
    const { app, trials, propose } = await openWorld(t);
    await propose("repeat");
    await trials.leave(app.session);
    assert.equal(app.session.draft.text, "Change a.ts.");
    assert.equal(await app.session.readTrial(), "");
    assert.equal(trials.of(app.session), undefined);
  });

  it("lets the second and third of a caching model begin at the first reply, with its opening", async (t) => {
    const { app, trials, propose } = await openWorld(t, { begun: false });
    const held = holdBefore(1);
    play(app, [text("One."), held], [text("Two.")], [text("Three.")]);
    const trial = await propose("repeat");
    await trials.start(app.session);
    await app.sim.request(0);
    assert.deepEqual(states(trial), ["running", "waiting", "waiting"]);
    held.release();
    await over(trial);
    assert.deepEqual(states(trial), ["finished", "finished", "finished"]);
    const bodies = app.sim.requests.map(({ body }) => [body["prompt_cache_key"], body["instructions"]]);
    assert.deepEqual(bodies[1], bodies[0]);
    assert.deepEqual(bodies[2], bodies[0]);
  });

  it("asks several models side by side, checks each alone, and takes one", async (t) => {
    const { app, trials, propose, ran, booked } = await openWorld(t);
    const answers: Record<string, string> = { "svc-k3": "TWO", "svc-k2.7-code": "wrong" };
    for (let at = 0; at < 5; at++)
      app.sim.replyWith((request) => {
        const to = answers[String(request.body["model"])] ?? "2";
        if (request.body["model"] !== "svc-k3") return [chatPatch(to)];
        return isAnswered(request) ? [text("Done.")] : [patchCall(patch(to), { callId: "call_p" })];
      });
    const trial = await propose("models");
    await trials.start(app.session);
    await over(trial);
    assert.deepEqual(states(trial), ["finished", "finished", "finished"]);
    assert.equal(verdicts(trial)[0], "pass");
    assert.ok(ran.length > 0);
    assert.deepEqual(rows(app), ["Hello? done"]);
    assert.ok(booked.some(({ type }) => type === "usage"));
    await trials.take(app.session, 0);
    assert.deepEqual(rows(app), ["Hello? done", "Change a.ts. done"]);
    assert.deepEqual(
      app.session.patches.changes.pending.map(({ change }) => change.file.path),
      ["a.ts"],
    );
    assert.equal(trials.of(app.session), undefined);
  });

  it("tells a candidate that breaks a check from one that passes", async (t) => {
    const { app, trials, propose } = await openWorld(t);
    const proposing = (to: string) => [patchCall(patch(to), { callId: "call_p" })];
    play(app, proposing("wrong"), [text("Done.")], [text("Still.")], [text("Still.")], [text("Sorry.")]);
    const trial = await propose("repeat");
    trial.stop(1);
    trial.stop(2);
    await trials.start(app.session);
    await over(trial);
    assert.deepEqual(states(trial), ["finished", "stopped", "stopped"]);
    assert.equal(verdicts(trial)[0], "fail");
  });

  it("stops one alone, and the others go on", async (t) => {
    const { app, trials, propose } = await openWorld(t);
    const held = holdBefore(1);
    play(app, [text("One.")], [text("Two."), held], [text("Three.")]);
    const trial = await propose("repeat");
    await trials.start(app.session);
    await until(trial, () => states(trial)[1] === "running");
    await app.sim.request(3);
    trial.stop(1);
    await over(trial);
    assert.deepEqual(states(trial).toSorted(), ["finished", "finished", "stopped"]);
  });

  it("goes on where one has failed, which can be asked again", async (t) => {
    const { app, trials, propose } = await openWorld(t);
    play(app, [status(400)], [text("Two.")], [text("Three.")]);
    const trial = await propose("repeat");
    await trials.start(app.session);
    await over(trial);
    assert.deepEqual(states(trial), ["failed", "finished", "finished"]);
    assert.ok(english(trial.candidates[0]?.facts.problem));
    play(app, [text("One.")]);
    await trials.again(app.session, 0);
    await over(trial);
    assert.deepEqual(states(trial), ["finished", "finished", "finished"]);
  });

  it("holds the limit of a run for all candidates together", async (t) => {
    const { app, trials, propose } = await openWorld(t);
    app.settings = { ...app.settings, stopRunAboveTokens: 250 };
    const uses = usage({ input: 300, cached: 0, written: 0, output: 10, reasoning: 0 });
    play(app, [text("One."), uses]);
    const trial = await propose("repeat");
    await trials.start(app.session);
    await over(trial);
    assert.deepEqual(states(trial), ["finished", "stopped", "stopped"]);
    assert.match(english(trial.candidates[1]?.facts.problem) ?? "", /used your limit of 250 tokens/);
    assert.equal(app.sim.requests.length, 2);
  });

  it("takes one with the version that another one has of a file", async (t) => {
    const { app, trials, propose } = await openWorld(t);
    let proposed = 0;
    for (let at = 0; at < 6; at++)
      app.sim.replyWith((request) => {
        if (isAnswered(request)) return [text("Done.")];
        proposed += 1;
        return [patchCall(patch(`v${proposed}`), { callId: "call_p" })];
      });
    const trial = await propose("repeat");
    await trials.start(app.session);
    await over(trial);
    const versions = await Promise.all([0, 1].map((at) => trial.look(at)));
    await trials.take(app.session, 0, new Map([["a.ts", 1]]));
    const [file] = app.session.patches.changes.pending;
    const taken = file?.change.kind === "update" ? file.change.edits[0]?.text.trim() : undefined;
    assert.ok(taken !== undefined && versions[1]?.includes(`+${taken}`) && !versions[0]?.includes(taken));
    assert.deepEqual(rows(app), ["Hello? done", "Change a.ts. done"]);
  });

  it("ends with its conversation when that is deleted", async (t) => {
    const { app, trials, propose } = await openWorld(t);
    play(app, [text("One."), holdBefore(1)]);
    await propose("repeat");
    const { session } = app;
    await trials.start(session);
    await app.sim.request(1);
    await app.registry.remove(session.id);
    assert.equal(trials.of(session), undefined);
  });

  it("takes the question of a failed turn, in its place", async (t) => {
    const { app, trials, propose } = await openWorld(t);
    play(app, [status(400)]);
    const failed = await app.session.send({ prompt: "Change a.ts." });
    play(app, [text("One.")], [text("Two.")], [text("Three.")]);
    const trial = await propose("repeat", { turn: failed?.id ?? "" });
    assert.equal(trial.words, "Change a.ts.");
    await trials.start(app.session);
    await over(trial);
    await trials.take(app.session, 1);
    assert.deepEqual(rows(app), ["Hello? done", "Change a.ts. done"]);
  });

  it("is there after a reload: what has ended can be taken, what ran was cut off", async (t) => {
    const { app, trials, propose } = await openWorld(t);
    play(app, [patchCall(patch("TWO"), { callId: "call_p" })]);
    for (let at = 0; at < 3; at++)
      app.sim.replyWith((request) => (isAnswered(request) ? [text("One.")] : [text("Two."), holdBefore(1)]));
    const before = await propose("repeat");
    await trials.start(app.session);
    await until(before, () => states(before)[0] === "finished");
    await trials.close();
    await app.restart();
    const later = new SessionTrials({
      registry: app.registry,
      price: () => undefined,
      book: () => {},
      log: silentLog,
    });
    await later.look(app.session);
    const trial = later.of(app.session);
    assert.ok(trial);
    assert.deepEqual(states(trial), ["finished", "stopped", "stopped"]);
    assert.match(english(trial.candidates[1]?.facts.problem) ?? "", /cut off/);
    assert.match((await trial.look(0)) ?? "", /^One\.\n\n\*\*\* Begin Patch\n[\s\S]*\n\+TWO\n/);
    await later.take(app.session, 0);
    assert.deepEqual(rows(app), ["Hello? done", "Change a.ts. done"]);
    await later.close();
  });
});
