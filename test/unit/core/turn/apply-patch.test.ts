import assert from "node:assert/strict";
import { test } from "node:test";
import { call, patchCall, text } from "../../../sim/script.ts";

import { edit, numbers, patch, patchOf, propose, stations, talkWith, told } from "./patch-talk.ts";

test("a patch that the user accepts is applied as one step, and the model hears it in the words it knows", async () => {
  const talk = await talkWith();
  const turn = await propose(talk, edit);
  assert.equal(talk.workspace.text("work/a.ts"), numbers.replace("one", "ONE").replace("nine", "NINE"));
  assert.equal(talk.workspace.applied, 1);
  assert.deepEqual(stations(talk), ["proposed", "applying", "applied"]);
  assert.equal(told(talk), "Success. Updated the following files:\nM a.ts\n");
  assert.equal(talk.bodies().at(-1)?.input.at(-1)?.["type"], "custom_tool_call_output");
  const { files } = patchOf(turn);
  assert.deepEqual(
    files.map(({ path, change, added, removed }) => ({ path, change, added, removed })),
    [{ path: "a.ts", change: "update", added: 2, removed: 2 }],
  );
  assert.deepEqual(files[0]?.hunks[0], {
    id: "a.ts#1",
    status: "applied",
    line: 1,
    added: 1,
    removed: 1,
    diff: "-one\n+ONE\n two\n three\n four\n",
  });
  assert.equal(talk.conversation.proposal("call_p")?.applied.length, 1);
});

test("nothing is touched before the user decides", async () => {
  const talk = await talkWith();
  let before: string | undefined;
  talk.decide = () => {
    before = talk.workspace.text("work/a.ts");
    return { kind: "accept" };
  };
  await propose(talk, edit);
  assert.equal(before, numbers);
});

test("a rejected patch changes nothing, and the user's reason reaches the model", async () => {
  const talk = await talkWith();
  talk.decide = () => ({ kind: "reject", reason: "keep it lower case" });
  const turn = await propose(talk, edit);
  assert.equal(talk.workspace.applied, 0);
  assert.equal(patchOf(turn).status, "rejected");
  assert.equal(
    told(talk),
    "The user rejected this patch. Nothing was changed. They said: keep it lower case",
  );
  assert.equal(talk.conversation.proposal("call_p"), undefined);
});

test("a part of a patch is applied as chosen, and the model hears which part", async () => {
  const talk = await talkWith();
  talk.decide = () => ({ kind: "partly", hunks: ["a.ts#2"], reason: "one stays" });
  const turn = await propose(talk, edit);
  assert.equal(talk.workspace.text("work/a.ts"), numbers.replace("nine", "NINE"));
  assert.deepEqual(
    patchOf(turn).files[0]?.hunks.map(({ status }) => status),
    ["rejected", "applied"],
  );
  assert.match(told(talk), /hunk 1 of a.ts: rejected by the user/);
  assert.match(told(talk), /hunk 2 of a.ts: applied/);
  assert.match(told(talk), /They said: one stays$/);
});

test("choosing every hunk is accepting, choosing none is rejecting", async () => {
  const every = await talkWith();
  every.decide = () => ({ kind: "partly", hunks: ["a.ts#1", "a.ts#2"] });
  await propose(every, edit);
  assert.match(told(every), /^Success/);
  const none = await talkWith();
  none.decide = () => ({ kind: "partly", hunks: ["nonsense"] });
  assert.equal(patchOf(await propose(none, edit)).status, "rejected");
  assert.equal(none.workspace.applied, 0);
});

test("files that are added, deleted and moved are chosen one by one", async () => {
  const talk = await talkWith();
  talk.workspace.write("work/old.ts", "old\n");
  talk.workspace.write("work/from.ts", "x\n");
  talk.decide = () => ({ kind: "partly", hunks: ["new.ts", "from.ts"] });
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
  const { workspace } = talk;
  assert.deepEqual(
    ["new.ts", "old.ts", "from.ts", "to.ts"].map((name) => workspace.text(`work/${name}`)),
    ["fresh\n", "old\n", undefined, "x\n"],
  );
});

test("a patch that does not fit is refused with what to send next, and nobody is asked", async () => {
  const talk = await talkWith();
  talk.decide = () => assert.fail("asked");
  const turn = await propose(talk, patch("*** Update File: a.ts", "@@", "-eleven", "+ELEVEN"));
  assert.equal(patchOf(turn).status, "failed");
  assert.match(told(talk), /Failed to find expected lines in a.ts/);
  assert.match(told(talk), /Nothing was changed/);
});

test("a model that sends the patch as a function is understood, and answered in kind", async () => {
  const talk = await talkWith();
  talk.sim.reply(call("apply_patch", { input: edit }, { callId: "call_f" }));
  talk.sim.reply(text("Done."));
  await talk.ask("Change it.");
  assert.equal(talk.workspace.applied, 1);
  assert.equal(talk.bodies().at(-1)?.input.at(-1)?.["type"], "function_call_output");
});

for (const profile of ["custom-no", "custom-no-format", "custom-no-output"] as const) {
  test(`a service that is ${profile} gets patches across all the same`, async () => {
    const talk = await talkWith({ profile });
    if (profile === "custom-no") talk.sim.reply(call("apply_patch", { input: edit }));
    else talk.sim.reply(patchCall(edit));
    talk.sim.reply(text("Done."));
    const turn = await talk.ask("Change it.");
    assert.equal(turn.status, "done", JSON.stringify(turn.problem));
    assert.equal(talk.workspace.applied, 1);
  });
}

test("while the patch arrives its files can be seen, and nothing is asked yet", async () => {
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
