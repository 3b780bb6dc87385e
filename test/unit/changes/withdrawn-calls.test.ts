// What becomes of changes on which others were built, when all of them are to go: with their turn, or by Reject All.
import assert from "node:assert/strict";
import { test } from "node:test";
import { planPatch } from "../../../src/patch/plan.ts";
import { patchCall, text } from "../../sim/script.ts";
import type { Talk } from "../../support/talk.ts";
import { news, nobody, numbers, patch, talkWith } from "../session/patch-talk.ts";

const over = (from: string, to: string) => patch("*** Update File: a.ts", "@@", `-${from}`, `+${to}`);

/** A turn that proposes these patches one after the other, each of them a call of this name. */
async function propose(talk: Talk, patches: Readonly<Record<string, string>>): Promise<string> {
  for (const [callId, sent] of Object.entries(patches)) talk.sim.reply(patchCall(sent, { callId }));
  talk.sim.reply(text("Done."));
  const turn = await talk.ask("Change it.");
  talk.sim.done();
  return turn.id;
}

const statusesOf = (talk: Talk, ...calls: readonly string[]) =>
  calls.map((call) => [...talk.conversation.changes.statusesOf(call).values()].join());

/** Turns of which the last one proposes A, and B over it, while C of an earlier one waits in the same file. */
async function builtOn() {
  const talk = await talkWith();
  talk.decide = nobody;
  await propose(talk, { C: over("nine", "NINE") });
  const turn = await propose(talk, { A: over("two", "TWO"), B: over("TWO", "2") });
  assert.deepEqual(statusesOf(talk, "A", "B", "C"), ["replaced", "pending", "pending"]);
  return { talk, turn, changes: talk.conversation.changes };
}

test("a withdrawn turn leaves none of its changes pending, also none that it had replaced itself", async () => {
  const { talk, turn, changes } = await builtOn();
  await talk.conversation.withdraw(turn);
  assert.deepEqual(statusesOf(talk, "B", "C"), ["rejected", "pending"]);
  assert.notEqual(statusesOf(talk, "A")[0], "pending");
  await changes.refresh();
  const shown = new Map(changes.pending.map(({ id, revision }) => [id, revision]));
  assert.equal((await changes.acceptFiles(shown)).outcome, "done");
  assert.match(talk.workspace.text("work/a.ts") ?? "", /^one\ntwo\nthree\n.*\nNINE\n$/s);
});

test("Reject All leaves nothing pending, also nothing that a rejected call had replaced", async () => {
  const { talk, changes } = await builtOn();
  await propose(talk, { D: over("four", "FOUR") });
  await changes.rejectAll("not like this");
  assert.deepEqual(changes.pending, []);
  assert.deepEqual(statusesOf(talk, "A", "B", "C", "D"), ["replaced", ...Array(3).fill("rejected")]);
  for (const call of ["B", "C", "D"]) assert.equal(changes.noteOf(call)?.reason, "not like this");
});

test("Reject All leaves pending what is proposed while it waits for its turn", async () => {
  const talk = await talkWith();
  talk.decide = nobody;
  const { changes } = talk.conversation;
  await propose(talk, { A: over("two", "TWO") });
  talk.workspace.write("work/b.ts", "b\n");
  const { changes: planned } = await planPatch(
    patch("*** Update File: b.ts", "@@", "-b", "+B"),
    talk.workspace,
  );
  const late = changes.propose(
    planned.map((change) => ({ change, ids: ["late"] })),
    { call: "late", turn: "turn" },
  );
  await Promise.all([late, changes.rejectAll()]);
  assert.deepEqual(statusesOf(talk, "A", "late"), ["rejected", "pending"]);
});

test("Reject All rejects a call that was built on an earlier one, and conflicts, as the model hears", async () => {
  const talk = await talkWith();
  talk.decide = nobody;
  const { changes } = talk.conversation;
  const beside = patch("*** Update File: a.ts", "@@", " TWO", "+and a half", " three");
  await propose(talk, { A: over("two", "TWO"), B: beside, C: over("eight", "EIGHT") });
  talk.workspace.type({ folder: "work", path: "a.ts" }, numbers.replace("eight", "typed"));
  await changes.refresh();
  assert.equal(changes.pending[0]?.conflicts.length, 1);
  await changes.rejectAll();
  assert.deepEqual(statusesOf(talk, "A", "B", "C"), ["rejected", "rejected", "rejected"]);
  const heard = await news(talk);
  for (const call of ["A", "B", "C"])
    assert.match(heard, new RegExp(`Patch ${call} .*: all of it was rejected by the user`));
});
