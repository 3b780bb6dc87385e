// Tries at a question when windows are closed, reloaded and take over its conversation.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type FileSystem, nodeFileSystem } from "../../../src/store/file-system.ts";
import { trialName } from "../../../src/store/internal/draft-file.ts";
import { journalName } from "../../../src/store/journal-records.ts";
import { holdBefore } from "../../sim/delivery-faults.ts";
import { patchCall, text } from "../../sim/script.ts";
import { startSimulator } from "../../sim/simulator.ts";
import { english } from "../../support/english.ts";
import { temporaryFolder } from "../store/store-support.ts";
import { openWindow } from "../store/window-support.ts";
import {
  changeOf,
  countedReads,
  gate,
  isAnswered,
  openWorld,
  over,
  patch,
  play,
  rows,
  states,
  trialsOf,
  until,
} from "./trial-world.ts";

describe("a trial", () => {
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
    const later = trialsOf(app);
    await later.look(app.session);
    const trial = later.of(app.session);
    assert.ok(trial);
    assert.deepEqual(states(trial), ["finished", "stopped", "stopped"]);
    assert.match(english(trial.candidates[1]?.facts.problem) ?? "", /cut off/);
    const { said, files } = (await trial.look(0)) ?? {};
    assert.deepEqual([said, files?.[0]?.after], ["One.", "one\nTWO\nthree\n"]);
    await later.take(app.session, 0);
    assert.deepEqual(rows(app), ["Hello? done", "Change a.ts. done"]);
    await later.close();
  });

  it("goes to the window that takes over its conversation, and takes nothing in the other", async (t) => {
    const sim = await startSimulator();
    const folder = temporaryFolder(t);
    const first = await openWindow(t, { folder, sim });
    sim.reply(text("Hello."));
    await first.shown.session.send({ prompt: "Hello?" });
    const second = await openWindow(t, { folder, sim });
    const [here, there] = [trialsOf(first.shown), trialsOf(second.shown)];
    await there.look(second.shown.session);
    sim.reply(text("One."));
    for (let at = 0; at < 2; at++) sim.reply(text("Two."), holdBefore(1));
    const trial = await here.propose(first.shown.session, "repeat", { prompt: "Change a.ts." });
    assert.ok(trial);
    await here.start(first.shown.session);
    await until(trial, () => states(trial)[0] === "finished");
    await sim.request(3);
    const [gone, come] = [
      changeOf(here, first.shown.session, false),
      changeOf(there, second.shown.session, true),
    ];
    await second.shown.session.takeOver.ask();
    await Promise.all([gone, come]);
    const taken = there.of(second.shown.session);
    assert.ok(taken);
    assert.deepEqual(states(taken), ["finished", "stopped", "stopped"]);
    // It has ended while the conversation was handed over, and what there was of it by then is kept.
    assert.notEqual(await taken.look(1), undefined);
    await trial.take(0);
    await trial.again(1);
    assert.equal(first.shown.session.state.turns.length, 1);
    await there.take(second.shown.session, 0);
    assert.deepEqual(
      second.shown.session.state.turns.map(({ prompt }) => prompt),
      ["Hello?", "Change a.ts."],
    );
    assert.equal(sim.requests.length, 4);
    assert.deepEqual([...first.errors, ...second.errors], []);
    await Promise.all([here.close(), there.close()]);
  });

  it("keeps its conversation, which nobody shows, until the tries of it have ended and are saved", async (t) => {
    const sim = await startSimulator();
    const folder = temporaryFolder(t);
    const saving = gate();
    t.after(saving.open);
    let holds = false;
    const slow: FileSystem = {
      ...nodeFileSystem,
      async rename(from, to) {
        if (holds && to.endsWith(trialName)) await saving.pass();
        await nodeFileSystem.rename(from, to);
      },
    };
    const asking = countedReads(journalName);
    const first = await openWindow(t, { folder, sim, fs: slow });
    const second = await openWindow(t, { folder, sim, fs: asking.fs });
    const { session, release } = first.shown.registry.create();
    sim.reply(text("Hello."));
    await session.send({ prompt: "Hello?" });
    const [here, there] = [trialsOf(first.shown), trialsOf(second.shown)];
    sim.reply(text("One."));
    for (let at = 0; at < 2; at++) sim.reply(text("Two."), holdBefore(1));
    const trial = await here.propose(session, "repeat", { prompt: "Change a.ts." });
    assert.ok(trial);
    await here.start(session);
    await until(trial, () => states(trial)[0] === "finished");
    await sim.request(3);
    await release();
    const other = await second.shown.registry.open(session.id);
    await there.look(other.session);
    holds = true;
    const come = changeOf(there, other.session, true);
    const taking = other.session.takeOver.ask();
    await saving.reached;
    await Promise.race([asking.times(8), taking]);
    assert.notEqual(other.session.readOnly, undefined, "it waits");
    assert.equal(here.of(session), trial, "the first window would not close before");
    saving.open();
    await Promise.all([taking, come]);
    const taken = there.of(other.session);
    assert.ok(taken);
    assert.deepEqual(states(taken), ["finished", "stopped", "stopped"]);
    assert.notEqual(await taken.look(1), undefined);
    assert.equal(here.of(session), undefined);
    assert.deepEqual([...first.errors, ...second.errors], []);
    await Promise.all([here.close(), there.close()]);
    await other.release();
  });

  it("stays where its conversation could not be handed over", async (t) => {
    let isFull = false;
    const full = () => Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
    const fs: FileSystem = {
      ...nodeFileSystem,
      async open(path, mode) {
        const file = await nodeFileSystem.open(path, mode);
        const isJournal = path.endsWith(journalName);
        return {
          ...file,
          write: (bytes) => (isFull && isJournal ? Promise.reject(full()) : file.write(bytes)),
        };
      },
    };
    const sim = await startSimulator();
    const { shown, next } = await openWindow(t, { folder: temporaryFolder(t), sim, fs });
    const { session } = shown;
    sim.reply(text("Hello."));
    await session.send({ prompt: "Hello?" });
    const trials = trialsOf(shown);
    for (const words of ["One.", "Two.", "Three."]) sim.reply(text(words));
    const trial = await trials.propose(session, "repeat", { prompt: "Change a.ts." });
    assert.ok(trial);
    await trials.start(session);
    await over(trial);
    sim.reply(text("Well."), holdBefore(8));
    const begun = next("started");
    void session.send({ prompt: "And you?" });
    await begun;
    isFull = true;
    const gone = changeOf(trials, session, false);
    const handing = session.takeOver.handOver();
    await gone;
    await Promise.all([handing, changeOf(trials, session, true)]);
    assert.equal(session.readOnly, undefined);
    const again = trials.of(session);
    assert.ok(again !== undefined && again !== trial);
    assert.deepEqual(states(again), ["finished", "finished", "finished"]);
    assert.equal((await again.look(2))?.said, "Three.");
    isFull = false;
    await trials.close();
  });
});
