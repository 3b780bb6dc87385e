// What a person makes of an answer's code: reviewed like the model's own patches, and part of the turn that gave the
// answer, long after that has ended.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { text } from "../../sim/script.ts";
import { startTalk, type Talk } from "../../support/talk.ts";
import { numbers, patch } from "./turn/patch-talk.ts";

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

test("it waits as a patch of its turn, is taken hunk by hunk, and can be told by a later window", async () => {
  const talk = await answered();
  const { id } = talk.last();
  const call = await talk.conversation.propose(id, twoHunks);
  assert.deepEqual(patches(talk), [["proposed", "person", ["pending", "pending"]]]);
  assert.equal(saved(talk), numbers);
  const done = new Promise<void>((resolve) =>
    talk.onEvent((event) => event.type === "patch" && event.status === "applied" && resolve()),
  );
  assert.equal(talk.conversation.decide(call, { kind: "partly", hunks: ["a.ts#2"] }), true);
  await done;
  assert.equal(saved(talk), numbers.replace("nine", "NINE"));
  const expected = [["applied", "person", ["rejected", "applied"]]];
  assert.deepEqual(patches(talk), expected);
  assert.equal(talk.conversation.proposal(call)?.applied.length, 1);
  await talk.conversation.flush();
  assert.deepEqual(patches(talk.reopen()), expected);
});

test("the model hears nothing of it, and the next turn does not end it", async () => {
  const talk = await answered();
  const call = await talk.conversation.propose(talk.last().id, twoHunks);
  talk.sim.reply(text("Yes."));
  await talk.ask("Are you there?");
  assert.equal(JSON.stringify(talk.bodies().at(-1)?.body).includes("NINE"), false);
  assert.deepEqual(patches(talk), [["proposed", "person", ["pending", "pending"]]]);
  assert.equal(talk.conversation.decide(call, { kind: "reject" }), true);
});

test("while its turn still runs, the end of the turn is not its end", async () => {
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

test("what does not fit the files is said at once, and is nobody's card", async () => {
  const talk = await answered();
  const wrong = patch("*** Update File: a.ts", "@@", "-thirteen", "+THIRTEEN");
  await assert.rejects(talk.conversation.propose(talk.last().id, wrong), /a\.ts/);
  assert.deepEqual(patches(talk), []);
});

test("what still waits when the window goes is stopped in the next one, and nobody can decide about it", async () => {
  const talk = await answered();
  const call = await talk.conversation.propose(talk.last().id, twoHunks);
  await talk.conversation.close();
  const later = talk.reopen();
  assert.deepEqual(patches(later), [["stopped", "person", ["pending", "pending"]]]);
  assert.equal(later.conversation.decide(call, { kind: "accept" }), false);
  assert.equal(saved(talk), numbers);
});
