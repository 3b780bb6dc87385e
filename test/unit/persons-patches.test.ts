// What a person makes of an answer's code: reviewed like the model's own patches, and part of the turn that gave the
// answer, long after that has ended.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { rewind } from "../../src/session/internal/rewind.ts";
import { text } from "../sim/script.ts";
import { acceptPatch, rejectPatch } from "../support/decide-patches.ts";
import { lastBody, startTalk, type Talk } from "../support/talk.ts";
import { hunkIds, numbers, patch } from "./session/patch-talk.ts";

const twoHunks = patch("*** Update File: a.ts", "@@", "-one", "+ONE", "@@", "-nine", "+NINE");

async function answered(): Promise<Talk> {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", numbers);
  talk.sim.reply(text("Use this: ONE"));
  await talk.ask("What shall it say?");
  return talk;
}

const saved = (talk: Talk) => readFileSync(join(talk.workspace.root, "work/a.ts"), "utf8");

const patches = (talk: Talk, turn = 0) =>
  talk.conversation.state.turns[turn]?.parts.flatMap((part) =>
    part.type === "patch" ? [[part.status, part.by, part.files[0]?.hunks.map(({ status }) => status)]] : [],
  );

const decider = (talk: Talk) => ({ changes: talk.conversation.changes, onEvent: talk.onEvent });

test("a person's patch is reviewed by hunk as a part of its turn and is kept in a later window", async () => {
  const talk = await answered();
  const { changes } = talk.conversation;
  const call = await talk.conversation.propose(talk.last().id, twoHunks);
  assert.deepEqual(patches(talk), [["proposed", "person", ["pending", "pending"]]]);
  assert.equal(saved(talk), numbers);
  const [first = "", second = ""] = hunkIds(talk);
  assert.deepEqual(await changes.accept([second]), { outcome: "done" });
  await changes.reject([first]);
  assert.equal(saved(talk), numbers.replace("nine", "NINE"));
  const expected = [["applied", "person", ["rejected", "applied"]]];
  assert.deepEqual(patches(talk), expected);
  assert.equal((await changes.changesOf(call)).length, 1);
  await talk.conversation.recorder.flush();
  assert.deepEqual(patches(talk.reopen()), expected);
});

test("a person's patch is never sent to the model and stays pending during the next turn", async () => {
  const talk = await answered();
  const call = await talk.conversation.propose(talk.last().id, twoHunks);
  talk.sim.reply(text("Yes."));
  await talk.ask("Are you there?");
  const { raw: first } = lastBody(talk);
  assert.match(first, /Are you there\?/);
  assert.doesNotMatch(first, /NINE/);
  assert.deepEqual(patches(talk), [["proposed", "person", ["pending", "pending"]]]);
  await rejectPatch(decider(talk), call, "I changed my mind");
  talk.sim.reply(text("Yes."));
  await talk.ask("And now?");
  const { raw: second } = lastBody(talk);
  assert.match(second, /And now\?/);
  assert.doesNotMatch(second, /NINE|changed my mind/);
});

test("a person's patch proposed in a running turn stays pending after the turn ends", async () => {
  const talk = await answered();
  const started = new Promise<string>((resolve) =>
    talk.onEvent((event) => event.type === "started" && resolve(event.turn)),
  );
  talk.sim.reply(text("Slowly."));
  const turn = talk.ask("Again?");
  await talk.conversation.propose(await started, twoHunks);
  assert.equal((await turn).status, "done");
  assert.deepEqual(patches(talk, 1), [["proposed", "person", ["pending", "pending"]]]);
});

test("a person's patch and what became of it outlive later turns that are taken back", async () => {
  const talk = await answered();
  talk.sim.reply(text("Yes."));
  await talk.ask("Are you there?");
  const [first, second] = talk.conversation.state.turns;
  await talk.conversation.propose(first?.id ?? "", twoHunks);
  const [, last = ""] = hunkIds(talk);
  await talk.conversation.changes.accept([last]);
  await rewind(talk.conversation, second?.id ?? "", "conversation");
  const expected = [["proposed", "person", ["pending", "applied"]]];
  assert.deepEqual(patches(talk), expected);
  await talk.conversation.recorder.flush();
  const later = talk.reopen();
  assert.deepEqual(patches(later), expected);
  await rewind(later.conversation, first?.id ?? "", "conversation");
  assert.doesNotMatch(later.lines.join("\n"), /NINE/, "it goes with its own turn");
});

test("a person's patch that does not fit is refused and gets no card", async () => {
  const talk = await answered();
  const wrong = patch("*** Update File: a.ts", "@@", "-thirteen", "+THIRTEEN");
  await assert.rejects(talk.conversation.propose(talk.last().id, wrong), /a\.ts/);
  assert.deepEqual(patches(talk), []);
});

test("a person's pending patch can be accepted in the next window", async () => {
  const talk = await answered();
  const call = await talk.conversation.propose(talk.last().id, twoHunks);
  await talk.conversation.close();
  const later = talk.reopen();
  assert.deepEqual(patches(later), [["proposed", "person", ["pending", "pending"]]]);
  assert.deepEqual(await acceptPatch(decider(later), call), { outcome: "done" });
  assert.deepEqual(patches(later), [["applied", "person", ["applied", "applied"]]]);
  assert.equal(saved(talk), numbers.replace("one", "ONE").replace("nine", "NINE"));
});
