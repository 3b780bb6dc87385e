// What a session proposes is a second text of the workspace: its own tools read it, a long turn builds on it without a
// click, and what another session accepts moves it along.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call, patchCall, text } from "../../sim/script.ts";
import { acceptPatch } from "../../support/decide-patches.ts";
import { lastBody, outputs, startTalk, type Talk } from "../../support/talk.ts";
import { hunkIds, news, patch } from "../session/patch-talk.ts";

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}\n`).join("");
const replace = (path: string, from: string, to: string) =>
  patch(`*** Update File: ${path}`, "@@", `-${from}`, `+${to}`);
const auto = {
  user: new Map(["read_file", "search_text", "list_files"].map((name) => [name, "auto" as const])),
  workspace: new Map(),
};
const decider = (talk: Talk) => ({ changes: talk.conversation.changes, onEvent: talk.onEvent });

test("a turn of twenty patches to two files runs without a click, and one review shows the sum", async () => {
  const talk = await startTalk({ settings: { tools: auto } });
  talk.decide = () => undefined;
  talk.workspace.write("work/a.ts", lines(40));
  talk.workspace.write("work/b.ts", lines(40));
  for (let step = 0; step < 20; step++) {
    const path = step % 2 === 0 ? "a.ts" : "b.ts";
    const from = step < 2 ? "line 5" : `step ${step - 2}`;
    talk.sim.reply(patchCall(replace(path, from, `step ${step}`), { callId: `call_${step}` }));
  }
  talk.sim.reply(text("All twenty."));
  const turn = await talk.ask("Change it, step by step.");
  assert.equal(turn.status, "done", JSON.stringify(turn.problem));
  const told = outputs(lastBody(talk));
  assert.equal(told.length, 20);
  for (const [, output] of told) assert.match(String(output), /^Success\. Proposed to the user:\nM [ab]\.ts/);
  assert.equal(talk.workspace.applied, 0);
  const { changes } = talk.conversation;
  assert.deepEqual(
    changes.pending.map(({ change, hunks, calls }) => [
      change.file.path,
      hunks.map(({ line, added, removed }) => [line, added, removed]),
      calls.length,
    ]),
    [
      // Nine of each were written over by the next.
      ["a.ts", [[6, 1, 1]], 1],
      ["b.ts", [[6, 1, 1]], 1],
    ],
  );
  assert.deepEqual(await changes.accept(hunkIds(talk)), { outcome: "done" });
  assert.equal(talk.workspace.applied, 1, "the sum is one step");
  assert.equal(talk.workspace.text("work/a.ts"), lines(40).replace("line 5\n", "step 18\n"));
  assert.equal(talk.workspace.text("work/b.ts"), lines(40).replace("line 5\n", "step 19\n"));
  talk.sim.done();
});

test("a session's tools read its changed, added, moved and deleted files while the disk stays unchanged", async () => {
  const talk = await startTalk({ settings: { tools: auto } });
  talk.decide = () => undefined;
  talk.workspace.write("work/a.ts", "one\ntwo\n");
  talk.workspace.write("work/gone.ts", "a canary\n");
  talk.workspace.write("work/from.ts", "moved words\n");
  talk.sim.reply(
    patchCall(
      patch(
        ...["*** Update File: a.ts", "@@", "-two", "+a tortoise"],
        ...["*** Add File: deep/new.ts", "+a hare"],
        "*** Delete File: gone.ts",
        ...["*** Update File: from.ts", "*** Move to: deep/to.ts"],
      ),
    ),
  );
  talk.sim.reply(
    call("read_file", { path: "a.ts" }, { callId: "read" }),
    call("read_file", { path: "deep/new.ts" }, { callId: "read_new" }),
    call("read_file", { path: "gone.ts" }, { callId: "read_gone" }),
    call("read_file", { path: "deep/to.ts" }, { callId: "read_moved" }),
    call("search_text", { query: "a (tortoise|hare|canary)", regex: true }, { callId: "search" }),
    call("list_files", {}, { callId: "list" }),
  );
  talk.sim.reply(text("I see."));
  await talk.ask("Change it, and look.");
  const heard = new Map(outputs(lastBody(talk)).map(([id, output]) => [id, String(output)]));
  assert.match(heard.get("read") ?? "", /a tortoise/);
  assert.match(heard.get("read_new") ?? "", /a hare/);
  assert.match(heard.get("read_gone") ?? "", /There is no .{0,2}gone\.ts/);
  assert.match(heard.get("read_moved") ?? "", /moved words/);
  const found = heard.get("search") ?? "";
  assert.match(found, /a\.ts\n2:/);
  assert.match(found, /deep\/new\.ts\n1:/);
  assert.doesNotMatch(found, /gone\.ts/);
  const listed = heard.get("list") ?? "";
  for (const name of ["a.ts", "deep/new.ts", "deep/to.ts"]) assert.ok(listed.includes(name), listed);
  for (const name of ["gone.ts", "from.ts"]) assert.ok(!listed.includes(name), listed);
  const on = (name: string) => talk.workspace.text(`work/${name}`);
  assert.deepEqual(["a.ts", "deep/new.ts", "gone.ts", "from.ts", "deep/to.ts"].map(on), [
    "one\ntwo\n",
    undefined,
    "a canary\n",
    "moved words\n",
    undefined,
  ]);
});

test("a new file under a name freed by a move is read with its own text", async () => {
  const talk = await startTalk({ settings: { tools: auto } });
  talk.decide = () => undefined;
  talk.workspace.write("work/from.ts", "moved words\n");
  talk.sim.reply(patchCall(patch("*** Update File: from.ts", "*** Move to: to.ts"), { callId: "call_1" }));
  talk.sim.reply(patchCall(patch("*** Add File: from.ts", "+new words"), { callId: "call_2" }));
  talk.sim.reply(patchCall(replace("from.ts", "new words", "newer words"), { callId: "call_3" }));
  talk.sim.reply(call("read_file", { path: "from.ts" }, { callId: "read" }));
  talk.sim.reply(text("I see."));
  await talk.ask("Change it, and look.");
  const heard = new Map(outputs(lastBody(talk)).map(([id, output]) => [id, String(output)]));
  for (const id of ["call_1", "call_2", "call_3"]) assert.match(heard.get(id) ?? "", /^Success/);
  assert.match(heard.get("read") ?? "", /newer words/);
});

test("ignore files are read from the disk, so a proposed one neither reveals nor hides a file", async () => {
  const talk = await startTalk({ settings: { tools: auto } });
  talk.decide = () => undefined;
  talk.workspace.write("work/.patchbayignore", "secret.ts\n");
  talk.workspace.write("work/secret.ts", "a canary\n");
  talk.workspace.write("work/open.ts", "words\n");
  talk.sim.reply(patchCall(replace(".patchbayignore", "secret.ts", "open.ts")));
  talk.sim.reply(
    call("read_file", { path: "secret.ts" }, { callId: "secret" }),
    call("read_file", { path: "open.ts" }, { callId: "open" }),
  );
  talk.sim.reply(text("I see."));
  await talk.ask("Look.");
  assert.equal(talk.bodies().length, 3);
  for (const { raw } of talk.bodies()) assert.doesNotMatch(raw, /canary/);
  const heard = new Map(outputs(lastBody(talk)).map(([id, output]) => [id, String(output)]));
  assert.match(heard.get("open") ?? "", /words/);
});

test("two sessions propose changes to one file, and accepting one moves the other along", async () => {
  const one = await startTalk();
  one.decide = () => undefined;
  one.workspace.write("work/a.ts", lines(20));
  const two = one.beside();
  one.sim.reply(patchCall(replace("a.ts", "line 3", "three by one"), { callId: "call_one" }));
  one.sim.reply(text("Done."));
  await one.ask("Change three.");
  two.sim.reply(patchCall(replace("a.ts", "line 12", "twelve by two"), { callId: "call_two" }));
  two.sim.reply(text("Done."));
  await two.ask("Change twelve.");
  const shown = hunkIds(two);
  assert.deepEqual(await acceptPatch(decider(one), "call_one"), { outcome: "done" });
  await two.conversation.changes.refresh();
  assert.deepEqual(hunkIds(two), shown, "the names of what was shown still hold");
  assert.deepEqual(await two.conversation.changes.accept(shown), { outcome: "done" });
  const both = lines(20).replace("line 3\n", "three by one\n").replace("line 12\n", "twelve by two\n");
  assert.equal(one.workspace.text("work/a.ts"), both);
  assert.deepEqual(await one.conversation.changes.undo(["call_one"]), { outcome: "done", left: [] });
  assert.equal(
    one.workspace.text("work/a.ts"),
    both.replace("three by one\n", "line 3\n"),
    "the other stays",
  );
});

test("two sessions that change the same lines conflict, nothing is overwritten, and the model hears why", async () => {
  const one = await startTalk();
  one.decide = () => undefined;
  one.workspace.write("work/a.ts", lines(20));
  const two = one.beside();
  for (const [talk, id] of [
    [one, "call_one"],
    [two, "call_two"],
  ] as const) {
    talk.sim.reply(patchCall(replace("a.ts", "line 3", `three by ${id}`), { callId: id }));
    talk.sim.reply(text("Done."));
    await talk.ask("Change three.");
  }
  assert.deepEqual(await acceptPatch(decider(one), "call_one"), { outcome: "done" });
  const { changes } = two.conversation;
  await changes.refresh();
  const [pending] = changes.pending;
  assert.deepEqual([pending?.hunks, pending?.conflicts.length], [[], 1]);
  assert.equal(one.workspace.text("work/a.ts"), lines(20).replace("line 3", "three by call_one"));
  await changes.rejectConflicts(pending?.id ?? "", "Leave three to the other one.");
  assert.deepEqual(changes.pending, []);
  assert.match(
    await news(two),
    /Patch call_two \(a\.ts\): all of it was rejected[\s\S]*Leave three to the other one\./,
  );
});
