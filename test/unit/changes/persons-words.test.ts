// What a person writes into the proposed text apart from the model's own changes is a change like those: it outlives them,
// is accepted, rejected and taken back as they are, and is nobody's but the person's.
import assert from "node:assert/strict";
import { test } from "node:test";
import { text as said } from "../../sim/script.ts";
import { changeSet } from "../../support/change-set.ts";
import { acceptPatch, rejectPatch, turnPatch } from "../../support/decide-patches.ts";
import { edit, news, nobody, numbers, patchOf, propose, talkWith } from "../session/patch-talk.ts";

const patched = numbers.replace("one", "ONE").replace("nine", "NINE");
const mine = (content: string) => content.replace("five\n", "five\nmine\n");

const patch = (...lines: string[]) =>
  ["*** Begin Patch", "*** Update File: a.ts", "@@", ...lines, "*** End Patch"].join("\n");

async function proposed() {
  const set = changeSet({ "a.ts": numbers });
  assert.deepEqual(await set.propose(edit), { ok: true });
  return set;
}

/** The model's own are rejected, what the person wrote beside them waits. */
async function leftAlone() {
  const set = await proposed();
  set.edit("a.ts", mine(patched));
  const [first, own, last] = set.hunks();
  assert.ok(first && own && last);
  assert.equal(set.reject([first.id, last.id], "not these"), true);
  assert.deepEqual(set.hunks(), [own]);
  return { set, own };
}

test("lines a person added to a proposal can be rejected after the model's own hunks", async () => {
  const { set, own } = await leftAlone();
  assert.equal(set.reject([own.id]), true);
  assert.deepEqual(set.hunks(), []);
  assert.equal(set.live("a.ts"), numbers);
  assert.equal(set.proposed("a.ts"), numbers);
});

test("lines a person added to a proposal are accepted, undone, and reported to the model as the user's", async () => {
  const { set, own } = await leftAlone();
  assert.equal(set.accept([own.id]), true);
  assert.equal(set.live("a.ts"), mine(numbers));
  assert.deepEqual(set.news(), [
    "- Patch call-1 (a.ts): what the user wrote into it was accepted and is in the files; all of it was rejected by the user and is not in the files. The user said: not these",
  ]);
  set.undo();
  assert.equal(set.live("a.ts"), numbers);
});

test("rejecting a call also drops the lines a person added to its proposal", async () => {
  const { set } = await leftAlone();
  set.rejectCall(1);
  assert.deepEqual(set.hunks(), []);
  assert.equal(set.proposed("a.ts"), numbers);
});

test("a person's lines in place of a rejected hunk are undone alone, and what was typed since stays", async () => {
  const set = await proposed();
  const [first, last] = set.hunks();
  assert.ok(first && last);
  assert.equal(set.reject([first.id]), true);
  set.edit("a.ts", numbers.replace("one", "mine").replace("nine", "NINE"));
  const [own] = set.hunks();
  assert.deepEqual([own?.removed, own?.added], [["one"], ["mine"]]);
  assert.equal(set.accept([own?.id ?? ""]), true);
  assert.equal(set.reject([last.id]), true);
  assert.equal(set.live("a.ts"), numbers.replace("one", "mine"));
  set.type("a.ts", numbers.replace("one", "mine").replace("four", "typed"));
  set.undo();
  assert.equal(set.live("a.ts"), numbers.replace("four", "typed"));
});

test("a person's second edit of the proposed text is one change, and lines accepted before stay accepted", async () => {
  const set = await proposed();
  set.edit("a.ts", mine(patched));
  const [, own] = set.hunks();
  assert.equal(set.accept([own?.id ?? ""]), true);
  set.edit("a.ts", mine(patched).replace("seven\n", "seven\nmore\n"));
  set.edit("a.ts", mine(patched).replace("seven\n", "seven\nmore of it\n"));
  assert.deepEqual(
    set.hunks().map(({ added }) => added),
    [["ONE"], ["more of it"], ["NINE"]],
  );
  assert.equal(set.accept(), true);
  assert.equal(set.live("a.ts"), mine(patched).replace("seven\n", "seven\nmore of it\n"));
});

test("undo removes a person's lines above two rejected deletions", async () => {
  const set = changeSet({ "a.ts": numbers });
  const [one, two, three, four] = numbers.split("\n");
  assert.deepEqual(await set.propose(patch(`-${one}`, ` ${two}`)), { ok: true });
  assert.deepEqual(await set.propose(patch(`-${two}`, ` ${three}`)), { ok: true });
  assert.deepEqual(await set.propose(patch(` ${three}`, "+more", ` ${four}`)), { ok: true });
  const [deleted] = set.hunks();
  assert.equal(set.reject([deleted?.id ?? ""]), true);
  set.edit("a.ts", `mine\n${set.proposed("a.ts")}`);
  assert.equal(set.accept(), true);
  set.undo();
  assert.equal(set.live("a.ts"), numbers);
});

test("undo reverts a person's edit that repeats a rejected deletion", async () => {
  const set = changeSet({ "a.ts": numbers });
  assert.deepEqual(await set.propose(patch(" five", "+new", " six")), { ok: true });
  assert.deepEqual(await set.propose(patch(" two", "-three", " four")), { ok: true });
  assert.deepEqual(await set.propose(patch("+top", " one")), { ok: true });
  const [top, out] = set.hunks();
  assert.ok(top && out);
  assert.equal(set.reject([top.id, out.id]), true);
  const wanted = numbers.replace("five\n", "five\nnew\n").replace("three\n", "");
  set.edit("a.ts", wanted);
  assert.equal(set.accept(), true);
  assert.equal(set.live("a.ts"), wanted);
  set.undo();
  assert.equal(set.live("a.ts"), numbers);
});

test("the row of a call offers the person's remaining lines, and Undo once they are accepted", async () => {
  const talk = await talkWith();
  talk.decide = nobody;
  await propose(talk, edit);
  const { changes, state } = talk.conversation;
  const row = () => patchOf(talk.conversation.state.turns[0] ?? assert.fail());
  const { call } = row();
  const decider = { changes, onEvent: talk.onEvent };
  assert.equal(state.turns.length, 1);
  await changes.edit(changes.pending[0]?.id ?? "", mine(patched), patched);
  const [first, , last] = changes.pending[0]?.hunks ?? [];
  assert.equal(await changes.reject([first?.id ?? "", last?.id ?? ""]), "done");
  await changes.refresh();
  assert.equal(row().status, "proposed");
  assert.deepEqual(changes.pending[0]?.calls, [call]);
  assert.deepEqual(await acceptPatch(decider, call), { outcome: "done" });
  assert.equal(row().status, "applied");
  assert.equal(talk.workspace.text("work/a.ts"), mine(numbers));
  const [written] = await changes.writtenIn({ folder: "work", path: "a.ts" });
  assert.deepEqual(written?.lines, [], "no line of it is the model's");
  assert.match(await news(talk), /what the user wrote into it was accepted[\s\S]*all of it was rejected/);
  assert.deepEqual(await turnPatch(decider, call, "undo"), { outcome: "done", left: [] });
  assert.equal(row().status, "undone");
  assert.equal(talk.workspace.text("work/a.ts"), numbers);
  assert.deepEqual(await turnPatch(decider, call, "acceptAgain"), { outcome: "done", left: [] });
  assert.equal(talk.workspace.text("work/a.ts"), mine(numbers));
  talk.sim.reply(said("Well."));
});

test("rejecting the row of a call also rejects the person's lines in it", async () => {
  const talk = await talkWith();
  talk.decide = nobody;
  await propose(talk, edit);
  const { changes } = talk.conversation;
  await changes.edit(changes.pending[0]?.id ?? "", mine(patched), patched);
  const { call } = patchOf(talk.conversation.state.turns[0] ?? assert.fail());
  await rejectPatch({ changes, onEvent: talk.onEvent }, call);
  assert.deepEqual(changes.pending, []);
  assert.equal(talk.workspace.text("work/a.ts"), numbers);
});
