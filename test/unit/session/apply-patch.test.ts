import assert from "node:assert/strict";
import { test } from "node:test";
import { call, patchCall, text } from "../../sim/script.ts";
import { acceptPatch } from "../../support/decide-patches.ts";
import {
  edit,
  hunkIds,
  news,
  nobody,
  numbers,
  patch,
  patchOf,
  propose,
  stations,
  talkWith,
  told,
} from "./patch-talk.ts";

const proposedAnswer = "Success. Proposed to the user:\nM a.ts, lines 1, 9\n";

test("apply_patch returns its output before any decision, and an accepted patch is applied in one step", async () => {
  const talk = await talkWith();
  talk.decide = nobody;
  const turn = await propose(talk, edit);
  assert.equal(turn.status, "done");
  assert.equal(talk.workspace.text("work/a.ts"), numbers);
  assert.deepEqual(stations(talk), ["proposed"]);
  assert.equal(told(talk), proposedAnswer);
  assert.equal(talk.bodies().at(-1)?.input.at(-1)?.["type"], "custom_tool_call_output");
  const { files } = patchOf(turn);
  assert.deepEqual(
    files.map(({ path, change, added, removed }) => ({ path, change, added, removed })),
    [{ path: "a.ts", change: "update", added: 2, removed: 2 }],
  );
  const diff = "-one\n+ONE\n two\n three\n four\n";
  const hunk = { id: "a.ts#1", line: 1, added: 1, removed: 1, diff };
  assert.deepEqual(files[0]?.hunks[0], { ...hunk, status: "pending" });
  const decider = { changes: talk.conversation.changes, onEvent: talk.onEvent };
  assert.deepEqual(await acceptPatch(decider, "call_p"), { outcome: "done" });
  assert.equal(talk.workspace.text("work/a.ts"), numbers.replace("one", "ONE").replace("nine", "NINE"));
  assert.equal(talk.workspace.applied, 1);
  assert.deepEqual(stations(talk), ["proposed", "applied"]);
  assert.deepEqual(patchOf(talk.last()).files[0]?.hunks[0], { ...hunk, status: "applied" });
  assert.equal((await talk.conversation.changes.changesOf("call_p")).length, 1);
});

test("a rejected patch changes no file, and the user's reason is sent with the next question", async () => {
  const talk = await talkWith();
  talk.decide = () => ({ kind: "reject", reason: "keep it lower case" });
  const turn = await propose(talk, edit);
  assert.equal(talk.workspace.applied, 0);
  assert.equal(patchOf(turn).status, "rejected");
  assert.equal(
    await news(talk),
    "[Patchbay: what became of your patches:\n- Patch call_p (a.ts): all of it was rejected by the user and is not in the files. The user said: keep it lower case\n]",
  );
  assert.deepEqual(hunkIds(talk), []);
});

test("the patch report names a patch that a later one has overwritten as replaced", async () => {
  const talk = await talkWith();
  talk.decide = nobody;
  await propose(talk, patch("*** Update File: a.ts", "@@", "-one", "+ONE"));
  talk.sim.reply(patchCall(patch("*** Update File: a.ts", "@@", "-ONE", "+EINS"), { callId: "call_q" }));
  talk.sim.reply(text("Done."));
  await talk.ask("In German.");
  const sent =
    talk
      .bodies()
      .at(-1)
      ?.input.map(({ content }) => String(content)) ?? [];
  assert.match(
    sent.join("\n"),
    /- Patch call_p \(a\.ts\): all of it was replaced by later changes of yours\.\n/,
  );
});

test("a patch that takes an earlier one back says so in its result, and neither what waits nor it is reported", async () => {
  const talk = await talkWith();
  talk.decide = nobody;
  await propose(talk, edit);
  const back = patch("*** Update File: a.ts", "@@", "-NINE", "+nine");
  talk.sim.reply(patchCall(back, { callId: "call_q" }));
  talk.sim.reply(text("Done."));
  await talk.ask("Not the second.");
  const items = () => talk.bodies().at(-1)?.input ?? [];
  assert.ok(
    items().some(
      ({ output }) =>
        output ===
        "Success. It took back what was only proposed, so nothing of it waits for the user:\nM a.ts, line 9\n",
    ),
  );
  assert.equal(
    await news(talk),
    "[Patchbay: what became of your patches:\n- Patch call_p (a.ts): a.ts#2 was replaced by later changes of yours.\n]",
  );
  assert.equal(talk.conversation.changes.pending.length, 1, "the first one waits");
});

test("a partly accepted patch applies only the chosen hunk and reports each hunk to the model", async () => {
  const talk = await talkWith();
  talk.decide = nobody;
  const turn = await propose(talk, edit);
  const { changes } = talk.conversation;
  const [first = "", second = ""] = hunkIds(talk);
  assert.deepEqual(await changes.accept([second]), { outcome: "done" });
  assert.equal(talk.workspace.text("work/a.ts"), numbers.replace("nine", "NINE"));
  assert.equal(await changes.reject([first], "one stays"), "done");
  const row = talk.conversation.state.turns.find(({ id }) => id === turn.id) ?? turn;
  assert.deepEqual(
    patchOf(row).files[0]?.hunks.map(({ status }) => status),
    ["rejected", "applied"],
  );
  assert.equal(talk.workspace.text("work/a.ts"), numbers.replace("nine", "NINE"));
  assert.match(
    await news(talk),
    /a\.ts#2 was accepted and is in the files; a\.ts#1 was rejected by the user and is not in the files\. The user said: one stays/,
  );
});

test("the change set refuses ids of hunks that it does not show", async () => {
  const talk = await talkWith();
  talk.decide = nobody;
  await propose(talk, edit);
  const { changes } = talk.conversation;
  assert.deepEqual(await changes.accept(["nonsense"]), { outcome: "unfit" });
  assert.deepEqual(await changes.accept([...hunkIds(talk), "nonsense"]), { outcome: "unfit" });
  assert.equal(await changes.reject(["nonsense"]), "unfit");
  assert.equal(talk.workspace.applied, 0);
  assert.equal(hunkIds(talk).length, 2);
});

test("a patch that adds, deletes and moves files is accepted file by file", async () => {
  const talk = await talkWith();
  talk.workspace.write("work/old.ts", "old\n");
  talk.workspace.write("work/from.ts", "x\n");
  talk.decide = nobody;
  await propose(
    talk,
    patch(
      "*** Add File: new.ts",
      "+fresh",
      "*** Delete File: old.ts",
      "*** Update File: from.ts",
      "*** Move to: to.ts",
    ),
  );
  const { workspace, conversation } = talk;
  const chosen = conversation.changes.pending.filter(({ change }) => change.kind !== "delete");
  await conversation.changes.accept(chosen.flatMap(({ hunks }) => hunks.map(({ id }) => id)));
  assert.deepEqual(
    ["new.ts", "old.ts", "from.ts", "to.ts"].map((name) => workspace.text(`work/${name}`)),
    ["fresh\n", "old\n", undefined, "x\n"],
  );
  assert.deepEqual(
    conversation.changes.pending.map(({ change }) => [change.kind, change.file.path]),
    [["delete", "old.ts"]],
  );
});

test("apply_patch refuses a patch that does not fit, says why and does not ask the user", async () => {
  const talk = await talkWith();
  talk.decide = () => assert.fail("asked");
  const turn = await propose(talk, patch("*** Update File: a.ts", "@@", "-eleven", "+ELEVEN"));
  assert.equal(patchOf(turn).status, "failed");
  assert.match(told(talk), /Failed to find expected lines in a.ts/);
  assert.match(told(talk), /Nothing was changed/);
});

test("apply_patch accepts a patch sent as a function call and returns a function call output", async () => {
  const talk = await talkWith();
  talk.sim.reply(call("apply_patch", { input: edit }, { callId: "call_f" }));
  talk.sim.reply(text("Done."));
  await talk.ask("Change it.");
  assert.equal(talk.workspace.applied, 1);
  assert.equal(talk.bodies().at(-1)?.input.at(-1)?.["type"], "function_call_output");
});

for (const profile of ["custom-no", "custom-no-format", "custom-no-output"] as const) {
  test(`apply_patch applies a patch on a service that is ${profile}`, async () => {
    const talk = await talkWith({ profile });
    if (profile === "custom-no") talk.sim.reply(call("apply_patch", { input: edit }));
    else talk.sim.reply(patchCall(edit));
    talk.sim.reply(text("Done."));
    const turn = await talk.ask("Change it.");
    assert.equal(turn.status, "done", JSON.stringify(turn.problem));
    assert.equal(talk.workspace.applied, 1);
  });
}

test("a patch that is still arriving shows its files and hunks under one id", async () => {
  const talk = await talkWith();
  await propose(talk, edit);
  const arriving = talk.events.filter((event) => event.type === "patch" && event.status === "arriving");
  assert.ok(arriving.length >= 2);
  const last = arriving.at(-1);
  assert.ok(last?.type === "patch");
  assert.equal(last.files[0]?.path, "a.ts");
  assert.deepEqual(last.files[0]?.hunks[0], {
    id: "a.ts#1",
    status: "pending",
    added: 1,
    removed: 1,
    diff: "-one\n+ONE\n",
  });
  assert.equal(new Set(talk.events.flatMap((event) => (event.type === "patch" ? [event.id] : []))).size, 1);
});
