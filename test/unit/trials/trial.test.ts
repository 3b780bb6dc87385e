// Several tries at one question, with the simulator as models of different skill.
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { message } from "../../../src/conversation/messages.ts";
import { holdBefore } from "../../sim/delivery-faults.ts";
import { status } from "../../sim/http-answers.ts";
import { patchCall, text, usage } from "../../sim/script.ts";
import { english } from "../../support/english.ts";
import {
  chatPatch,
  isAnswered,
  openWorld,
  over,
  patch,
  play,
  rows,
  states,
  trialsOf,
  until,
  verdicts,
} from "./trial-world.ts";

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

  it("sends nothing if it has become more than a person has agreed to, and shows the new quote", async (t) => {
    const { app, trials, workspace } = await openWorld(t);
    app.session.draft.attach({ kind: "file", path: "a.ts" });
    const trial = await trials.propose(app.session, "repeat", { prompt: "Change it." });
    assert.ok(trial);
    const [before] = trial.candidates.map(({ quote }) => quote?.fresh);
    workspace.write("work/a.ts", "another line\n".repeat(1000));
    await trials.start(app.session);
    assert.deepEqual([trial.isStarted, trial.hasGrown, app.sim.requests.length], [false, true, 1]);
    const [now] = trial.candidates.map(({ quote }) => quote?.fresh);
    assert.ok(before !== undefined && now !== undefined && now > before + 1000);
    play(app, [text("One.")], [text("Two.")], [text("Three.")]);
    await trials.start(app.session);
    await over(trial);
    assert.deepEqual(states(trial), ["finished", "finished", "finished"]);
  });

  it("is quoted again after a reload", async (t) => {
    const { app, trials, workspace } = await openWorld(t);
    app.session.draft.attach({ kind: "file", path: "a.ts" });
    const before = await trials.propose(app.session, "repeat", { prompt: "Change it." });
    await trials.close();
    workspace.write("work/a.ts", "another line\n".repeat(1000));
    await app.restart();
    const later = trialsOf(app);
    await later.look(app.session);
    const [old, now] = [before, later.of(app.session)].map((trial) => trial?.candidates[0]?.quote?.fresh);
    assert.ok(old !== undefined && now !== undefined && now > old + 1000);
    await later.close();
  });

  it("goes on from the conversation as it is when it starts", async (t) => {
    const { app, trials, propose } = await openWorld(t);
    const trial = await propose("repeat");
    play(app, [text("Fine.")]);
    await app.session.send({ prompt: "And you?" });
    play(app, [text("One.")], [text("Two.")], [text("Three.")]);
    await trials.start(app.session);
    await over(trial);
    assert.match(JSON.stringify(app.sim.requests.at(-1)?.body["input"]), /And you\?.*Change a\.ts\./);
    await trials.take(app.session, 0);
    assert.deepEqual(rows(app), ["Hello? done", "And you? done", "Change a.ts. done"]);
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

  it("begins nothing that waits when its window is closed", async (t) => {
    const { app, trials, propose } = await openWorld(t, { begun: false });
    play(app, [text("One."), holdBefore(1)], [text("Two.")], [text("Three.")]);
    const trial = await propose("repeat");
    await trials.start(app.session);
    await app.sim.request(0);
    await trials.close();
    assert.equal(app.sim.requests.length, 1);
    assert.equal(states(trial)[0], "stopped");
  });

  it("lets the next of a caching model be the first where that ended without a reply", async (t) => {
    const { app, trials, propose } = await openWorld(t, { begun: false });
    const held = holdBefore(1);
    play(app, [status(400)], [text("Two."), held], [text("Three.")]);
    const trial = await propose("repeat");
    await trials.start(app.session);
    await app.sim.request(1);
    assert.deepEqual(states(trial), ["failed", "running", "waiting"]);
    held.release();
    await over(trial);
    assert.deepEqual(states(trial), ["failed", "finished", "finished"]);
  });

  it("gives a new conversation the opening of the one that is taken", async (t) => {
    const { app, trials, propose } = await openWorld(t, { begun: false });
    play(app, [text("One.")], [text("Two.")], [text("Three.")], [text("Well.")]);
    const trial = await propose("repeat");
    await trials.start(app.session);
    await over(trial);
    await trials.take(app.session, 1);
    await app.session.send({ prompt: "And now?" });
    assert.deepEqual(rows(app), ["Change a.ts. done", "And now? done"]);
    const openings = app.sim.requests.map(({ body }) => [body["prompt_cache_key"], body["instructions"]]);
    assert.deepEqual(openings[3], openings[0]);
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
    const causes = booked.flatMap((event) => (event.type === "usage" ? [event.cause] : []));
    assert.ok(causes.length > 2);
    assert.deepEqual([...new Set(causes)], ["candidate"]);
    // Pressed twice.
    await Promise.all([trials.take(app.session, 0), trials.take(app.session, 0)]);
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

  it("shows what it would change in the files as they are", async (t) => {
    const { app, trials, propose, workspace } = await openWorld(t);
    for (const name of ["old", "moved"]) workspace.write(`work/${name}.ts`, `${name}\n`);
    const all = [
      ...["*** Begin Patch", "*** Update File: a.ts", "@@", "-two", "+TWO"],
      ...["*** Add File: new.ts", "+new", "*** Delete File: old.ts"],
      ...["*** Update File: moved.ts", "*** Move to: there.ts", "@@", "-moved", "+there", "*** End Patch"],
    ].join("\n");
    play(app, [patchCall(all, { callId: "call_p" })], [text("Done.")]);
    const trial = await propose("repeat");
    trial.stop(1);
    trial.stop(2);
    await trials.start(app.session);
    await over(trial);
    workspace.write("work/a.ts", "one\ntwo\nthree\nfour\n");
    const shown = await trial.look(0);
    const files = shown?.files.map(({ path, to, before, after }) => [path, to, before, after]);
    assert.equal(shown?.said, "Done.");
    assert.deepEqual(files?.toSorted(), [
      ["a.ts", "a.ts", "one\ntwo\nthree\nfour\n", "one\nTWO\nthree\nfour\n"],
      ["moved.ts", "there.ts", "moved\n", "there\n"],
      ["new.ts", "new.ts", undefined, "new\n"],
      ["old.ts", "old.ts", "old\n", undefined],
    ]);
    assert.equal(await trial.look(3), undefined);
  });

  describe("without a sandbox", () => {
    const confinement = { kind: "none", why: message("sandboxMissing") } as const;
    async function openTried(t: TestContext) {
      const world = await openWorld(t, { confinement });
      const { app, trials, propose } = world;
      play(app, [patchCall(patch("TWO"), { callId: "call_p" })], [text("Done.")]);
      const trial = await propose("repeat");
      trial.stop(1);
      trial.stop(2);
      await trials.start(app.session);
      await over(trial);
      return { ...world, trial, facts: () => trial.candidates[0]?.facts };
    }

    it("runs a check of a try once a person agrees to what they are asked", async (t) => {
      const { app, trials, ran, facts } = await openTried(t);
      assert.deepEqual([facts()?.verdict, facts()?.asks, ran], ["open", true, []]);
      const asked: string[] = [];
      await trials.check(app.session, 0, async ({ check, files }) => {
        asked.push(check.name, ...files);
        return false;
      });
      assert.deepEqual([facts()?.verdict, facts()?.asks, ran], ["open", true, []]);
      await trials.check(app.session, 0, async () => true);
      assert.deepEqual(asked, ["types", "a.ts"]);
      assert.deepEqual([facts()?.verdict, facts()?.asks, ran.length], ["pass", false, 1]);
    });

    it("asks about a try of an earlier window too", async (t) => {
      const { app, trials, ran } = await openTried(t);
      await trials.close();
      await app.restart();
      const later = trialsOf(app);
      await later.look(app.session);
      await later.check(app.session, 0, async () => true);
      assert.equal(later.of(app.session)?.candidates[0]?.facts.verdict, "pass");
      assert.equal(ran.length, 1);
      await later.close();
    });

    it("ends with the question unanswered when nothing is taken", async (t) => {
      const { app, trials, ran } = await openTried(t);
      let isAsked = () => {};
      const asked = new Promise<void>((resolve) => {
        isAsked = resolve;
      });
      const checking = trials.check(app.session, 0, () => {
        isAsked();
        return new Promise(() => {});
      });
      await asked;
      await trials.leave(app.session);
      await checking;
      assert.deepEqual([trials.of(app.session), ran], [undefined, []]);
    });
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

  it("asks none again where the conversation has gone on since the others were asked", async (t) => {
    const { app, trials, propose } = await openWorld(t);
    play(app, [status(400)], [text("Two.")], [text("Three.")], [text("Fine.")]);
    const trial = await propose("repeat");
    await trials.start(app.session);
    await over(trial);
    await app.session.send({ prompt: "And you?" });
    await assert.rejects(trials.again(app.session, 0), /gone on since, so nothing was asked/);
    assert.deepEqual([states(trial)[0], app.sim.requests.length], ["failed", 5]);
  });

  it("asks none again that has become more until a person was told, and presses once more", async (t) => {
    const { app, trials, workspace } = await openWorld(t);
    app.session.draft.attach({ kind: "file", path: "a.ts" });
    const trial = await trials.propose(app.session, "repeat", { prompt: "Change it." });
    assert.ok(trial);
    play(app, [status(400)], [text("Two.")], [text("Three.")], [text("One.")]);
    await trials.start(app.session);
    await over(trial);
    workspace.write("work/a.ts", "another line\n".repeat(4000));
    await assert.rejects(trials.again(app.session, 0), /more than you agreed to, so nothing was asked/);
    assert.deepEqual([states(trial)[0], app.sim.requests.length], ["failed", 4]);
    await trials.again(app.session, 0);
    await over(trial);
    assert.deepEqual([states(trial)[0], app.sim.requests.length], ["finished", 5]);
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

  it("counts what a try has used before it is asked again", async (t) => {
    const { app, trials, propose } = await openWorld(t);
    app.settings = { ...app.settings, stopRunAboveTokens: 250 };
    const uses = usage({ input: 300, cached: 0, written: 0, output: 10, reasoning: 0 });
    const trial = await propose("repeat");
    trial.stop(1);
    trial.stop(2);
    play(app, [patchCall(patch("TWO"), { callId: "call_p" }), uses]);
    await trials.start(app.session);
    await over(trial);
    await trials.again(app.session, 0);
    await over(trial);
    assert.match(english(trial.candidates[0]?.facts.problem) ?? "", /used your limit of 250 tokens/);
    assert.equal(app.sim.requests.length, 2);
  });

  it("stops nothing before it has started", async (t) => {
    const { trials, propose } = await openWorld(t);
    const trial = await propose("repeat");
    trials.stopAll();
    assert.deepEqual(states(trial), ["waiting", "waiting", "waiting"]);
  });

  it("takes nothing while a try whose file is chosen runs", async (t) => {
    const { app, trials, propose } = await openWorld(t);
    play(app, [text("One.")], [text("Two."), holdBefore(1)], [text("Three.")]);
    const trial = await propose("repeat");
    await trials.start(app.session);
    await until(trial, () => states(trial).filter((state) => state === "finished").length === 2);
    const running = states(trial).indexOf("running");
    const done = states(trial).indexOf("finished");
    await assert.rejects(trials.take(app.session, done, new Map([["a.ts", running]])), /isn't over/);
    assert.equal(trials.of(app.session), trial);
    assert.deepEqual(rows(app), ["Hello? done"]);
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
    const [first, second] = versions.map((each) => each?.files[0]?.after);
    assert.ok(taken !== undefined && second?.includes(taken) === true && first?.includes(taken) === false);
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
});
