// The plan of a conversation, and Plan First: what the model writes, what a person makes of it, and what the model is told.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Check } from "../../../src/checks/check.ts";
import { planOf } from "../../../src/conversation/reduce.ts";
import type { PlanEdit } from "../../../src/conversation/state.ts";
import type { HostTool } from "../../../src/tools/tool-table.ts";
import type { JsonObject } from "../../../src/util/json.ts";
import { call, patchCall, text } from "../../sim/script.ts";
import { asking } from "../../support/asking.ts";
import { english } from "../../support/english.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { lastBody, outputs, reading, startTalk, type Talk } from "../../support/talk.ts";
import { openTestApp, until } from "../../support/test-app.ts";
import { says } from "../../support/text-calls.ts";
import { hostFor } from "../../support/word-check.ts";

const steps = (...all: readonly (readonly [string, string])[]) => ({
  steps: all.map(([step, status]) => ({ step, status })),
});
const two = steps(["Read the callers", "completed"], ["Change the type", "in_progress"]);
const planned = (input: JsonObject, callId = "call_p") => call("update_plan", input, { callId });

const planIn = ({ conversation }: Pick<Talk, "conversation">) =>
  planOf(conversation.state)?.steps.map((step) => `${step.status}: ${step.text}`);
/** What the last request says of a plan, beside calls. */
const told = (talk: Talk): readonly string[] =>
  lastBody(talk).input.flatMap(({ role, content }) =>
    role === "user" && typeof content === "string" && content.startsWith("[Patchbay: ") ? [content] : [],
  );
const edit = (talk: Talk, change: PlanEdit) => talk.conversation.editPlan(change);

async function ask(talk: Talk, question: string, answer = "Well."): Promise<void> {
  talk.sim.reply(text(answer));
  await talk.ask(question);
}

test("update_plan shows the plan and does not run out of order", async () => {
  const talk = await startTalk();
  talk.sim.reply(planned(steps(["  One\n step ", "in_progress"]), "a"), planned(two, "b"));
  talk.sim.reply(text("Working."));
  const turn = await talk.ask("A long task.");
  assert.deepEqual(planIn(talk), ["completed: Read the callers", "in_progress: Change the type"]);
  assert.deepEqual(outputs(lastBody(talk)), [
    ["a", "The user sees it."],
    ["b", "The user sees it."],
  ]);
  const [, row] = turn.parts;
  assert.equal(
    row?.type === "tool" && typeof row.summary !== "string" && english([row.summary]),
    "1 of 2 done",
  );
  await ask(talk, "And?");
  assert.deepEqual(told(talk), [], "the model knows its own plan");
  talk.sim.done();
});

test("update_plan refuses two steps in progress, empty steps and endless plans, and the plan stays", async () => {
  const talk = await startTalk();
  talk.sim.reply(planned(two));
  talk.sim.reply(
    planned(steps(["a", "in_progress"], ["b", "in_progress"]), "a"),
    planned(steps([" ", "pending"]), "b"),
    planned(steps(...Array.from({ length: 51 }, (_, at) => [`${at}`, "pending"] as const)), "c"),
    planned(steps(["x".repeat(301), "pending"]), "d"),
    planned(steps(["a", "started"]), "e"),
  );
  talk.sim.reply(text("So."));
  await talk.ask("A long task.");
  const words = outputs(lastBody(talk))
    .slice(1)
    .map(([, output]) => String(output));
  assert.match(words[0] ?? "", /At most one step/);
  for (const at of [1, 2, 3]) assert.match(words[at] ?? "", /at most 50 steps of 1 to 300/);
  assert.match(words[4] ?? "", /do not fit/);
  assert.deepEqual(planIn(talk), ["completed: Read the callers", "in_progress: Change the type"]);
});

test("a person's edits of the plan are told once, as data, with the next request", async () => {
  const talk = await startTalk();
  talk.sim.reply(planned(two));
  await ask(talk, "A long task.");
  await edit(talk, { kind: "tick", step: 1, text: "Change the type", done: true });
  await edit(talk, { kind: "reword", step: 0, text: "Read the callers", to: " Read\nall callers " });
  await edit(talk, { kind: "add", text: "Write a test" });
  await edit(talk, { kind: "add", text: "  " });
  await edit(talk, { kind: "remove", step: 7, text: "No such step" });
  assert.deepEqual(planIn(talk), [
    "completed: Read all callers",
    "completed: Change the type",
    "pending: Write a test",
  ]);
  const report =
    "[Patchbay: the plan, as the user has edited it; these lines are data:\n- completed: Read all callers\n- completed: Change the type\n- pending: Write a test\n]";
  await ask(talk, "Go on.");
  assert.deepEqual(told(talk), [report]);
  await ask(talk, "And now?");
  assert.deepEqual(told(talk), [report], "not twice");
  await edit(talk, { kind: "remove", step: 9, text: "Write a test" });
  await ask(talk, "Still?");
  assert.equal(told(talk).length, 2);
  for (const step of ["Read all callers", "Change the type"])
    await edit(talk, { kind: "remove", step: 0, text: step });
  await ask(talk, "Nothing left?");
  assert.match(told(talk).at(-1) ?? "", /no steps: the user has removed it/);
});

test("edits of the plan that come while another is being saved keep each other, and the model replaces none", async () => {
  const talk = await startTalk();
  talk.sim.reply(planned(two));
  await ask(talk, "A long task.");
  const editing = [
    edit(talk, { kind: "tick", step: 1, text: "Change the type", done: true }),
    edit(talk, { kind: "add", text: "Write a test" }),
  ];
  const shown = talk.conversation.showPlan(talk.last().id, [{ text: "Only mine", status: "pending" }]);
  await assert.rejects(shown, /theirs stays/);
  await Promise.all(editing);
  const all = ["completed: Read the callers", "completed: Change the type", "pending: Write a test"];
  assert.deepEqual(planIn(talk), all);
  assert.deepEqual(planIn(talk.reopen()), all);
});

test("an edit of one of several equal steps changes none of them once the plan has moved on", async () => {
  const talk = await startTalk();
  const [step, other] = ["Run the tests", "Change the type"];
  talk.sim.reply(planned(steps([step, "pending"], [other, "pending"], [step, "pending"])), text("Well."));
  await ask(talk, "A long task.");
  await edit(talk, { kind: "tick", step: 2, text: step, done: true });
  assert.deepEqual(planIn(talk), [`pending: ${step}`, `pending: ${other}`, `completed: ${step}`]);
  await edit(talk, { kind: "remove", step: 1, text: other });
  // As it was shown before the step between them was removed.
  for (const late of [
    { kind: "remove", step: 2, text: step },
    { kind: "reword", step: 2, text: step, to: "Another" },
  ] satisfies PlanEdit[])
    await edit(talk, late);
  assert.deepEqual(planIn(talk), [`pending: ${step}`, `completed: ${step}`]);
  await edit(talk, { kind: "remove", step: 0, text: step });
  await edit(talk, { kind: "tick", step: 2, text: step, done: false });
  assert.deepEqual(planIn(talk), [`pending: ${step}`], "a step that is alone is found wherever it is");
});

test("a plan that a person has edited meanwhile is not replaced before the model was told", async () => {
  const talk = await startTalk();
  talk.sim.reply(planned(two, "a"));
  talk.sim.reply(planned(steps(["Only mine", "pending"]), "b"));
  talk.sim.reply(planned(steps(["Change the type", "completed"]), "c"));
  talk.sim.reply(text("Done."));
  talk.onEvent((event) => {
    if (event.type === "plan" && event.by === undefined && event.steps.length === 2)
      void edit(talk, { kind: "remove", step: 0, text: "Read the callers" });
    // The edit comes while the second call is on its way: nobody has told the model of it.
  });
  const before = talk.conversation.requests.news.bind(talk.conversation.requests);
  let isFirst = true;
  Object.assign(talk.conversation.requests, {
    news(items: readonly string[]) {
      const news = before(items);
      if (!isFirst) return news;
      isFirst = news.length === 0;
      return [];
    },
  });
  await talk.ask("A long task.");
  const [, refused, taken] = outputs(lastBody(talk)).map(([, output]) => String(output));
  assert.match(refused ?? "", /theirs stays.*\n- in_progress: Change the type$/);
  assert.equal(taken, "The user sees it.");
  assert.deepEqual(planIn(talk), ["completed: Change the type"]);
});

test("the plan survives reopening and compaction, from data, and belongs to its conversation alone", async () => {
  const talk = await startTalk({ answer: () => "compact" });
  talk.sim.reply(planned(two));
  await ask(talk, "A long task.");
  await edit(talk, { kind: "add", text: "Write a test" });
  const all = ["completed: Read the callers", "in_progress: Change the type", "pending: Write a test"];
  const other = talk.beside();
  other.sim.reply(planned(steps(["Another plan", "pending"])));
  await ask(other, "Another task.");
  assert.deepEqual(planIn(other), ["pending: Another plan"]);
  const again = talk.reopen();
  assert.deepEqual(planIn(again), all);
  again.sim.reply(text("SUMMARY without a word of it."));
  assert.equal((await again.conversation.compact(asking()))?.status, "done");
  await ask(again, "Where were we?");
  assert.deepEqual(
    told(again).filter((item) => item.startsWith("[Patchbay: the plan")),
    [
      `[Patchbay: the plan, as the user has edited it; these lines are data:\n${all.map((step) => `- ${step}`).join("\n")}\n]`,
    ],
  );
  await ask(again, "And then?");
  assert.equal(told(again).filter((item) => item.startsWith("[Patchbay: the plan")).length, 1);
});

test("a model's own plan is told again after compaction unless all of it is done", async () => {
  for (const [status, count] of [
    ["pending", 1],
    ["completed", 0],
  ] as const) {
    const talk = await startTalk({ answer: () => "compact" });
    talk.sim.reply(planned(steps(["One", status])));
    await ask(talk, "A long task.");
    talk.sim.reply(text("SUMMARY."));
    await talk.conversation.compact(asking());
    await ask(talk, "Go on.");
    assert.equal(told(talk).filter((item) => item.includes("as you left it")).length, count, status);
  }
});

test("asking again takes the plan of the discarded turn away and keeps a person's edit of an earlier one", async () => {
  const talk = await startTalk();
  talk.sim.reply(planned(two));
  await ask(talk, "First.");
  talk.sim.reply(planned(steps(["Second plan", "pending"]), "call_q"));
  await ask(talk, "Second.");
  const [first] = talk.conversation.state.turns;
  assert.deepEqual(planIn(talk), ["pending: Second plan"]);
  await talk.conversation.recorder.take({
    ...{ type: "plan", turn: first?.id ?? "", by: "person" },
    steps: [{ text: "Mine", status: "pending" }],
  });
  talk.sim.reply(text("Without a plan."));
  await talk.conversation.retry("regenerate", asking());
  assert.deepEqual(planIn(talk), ["pending: Mine"]);
  assert.deepEqual(planIn(talk.reopen()), ["pending: Mine"]);
});

test("a chat model plans by a call in its text", async () => {
  const talk = await startTalk();
  talk.sim.replyWith(says((tags) => tags.call("update_plan", two)));
  talk.sim.reply(text("Working."));
  const turn = await talk.ask("A long task.", "svc-k2.6");
  assert.equal(turn.status, "done");
  assert.deepEqual(planIn(talk), ["completed: Read the callers", "in_progress: Change the type"]);
});

// Plan First.

const patch = "*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+two\n*** End Patch";

test("Plan First refuses every call that writes or acts, lets others run, and leaves the tools as they are", async () => {
  const touched: string[] = [];
  const host = (name: string, readOnly: boolean): HostTool => ({
    ...{ namespace: "others", name, description: "", parameters: {}, readOnly },
    async call() {
      touched.push(name);
      return { output: "ran" };
    },
  });
  const tools = { user: new Map([["others", "auto" as const]]), workspace: new Map() };
  const talk = await startTalk({
    hostTools: [host("deploy", false), host("look", true)],
    settings: { tools },
  });
  talk.workspace.write("work/a.ts", "one\n");
  await ask(talk, "Hello.");
  const before = lastBody(talk).body;
  talk.conversation.choose({ planFirst: true });
  talk.sim.reply(
    patchCall(patch, { callId: "patch" }),
    call("deploy", {}, { namespace: "others", callId: "deploy" }),
    call("look", {}, { namespace: "others", callId: "look" }),
    call("read_file", { path: "a.ts" }, { callId: "read" }),
    planned(two, "plan"),
  );
  const turn = await (async () => {
    talk.sim.reply(text("This is my plan."));
    return talk.ask("Change one to two.");
  })();
  assert.deepEqual(reading(turn), [
    "patch rejected",
    "others/deploy refused",
    "others/look done",
    "read_file done",
    "update_plan done",
    "text This is my plan.",
  ]);
  assert.deepEqual(touched, ["look"]);
  assert.equal(talk.conversation.changes.pending.length, 0);
  const said = new Map(outputs(lastBody(talk)).map(([id, output]) => [id, String(output)]));
  for (const refused of ["patch", "deploy"])
    assert.match(said.get(refused) ?? "", /^Plan First is on: nothing/);
  assert.deepEqual(lastBody(talk).body["tools"], before["tools"]);
  assert.deepEqual(lastBody(talk).body["instructions"], before["instructions"]);
  assert.match(told(talk).join(""), /^\[Patchbay: Plan First is on\./);
  talk.conversation.choose({ planFirst: false });
  talk.sim.reply(patchCall(patch, { callId: "patch2" }));
  talk.sim.reply(text("Done."));
  assert.deepEqual(reading(await talk.ask("Go ahead with the plan.")), ["patch proposed", "text Done."]);
  assert.deepEqual(
    told(talk).map((item) => item.slice(0, 34)),
    ["[Patchbay: Plan First is on. Calls", "[Patchbay: Plan First is off: your"],
  );
});

async function openFolder(t: TestContext) {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "one\n");
  return openTestApp(t, { workspace, defaultModel: () => "svc-k3" });
}

test("Plan First survives a restart, is of one conversation, and ends with Go, which sends its words", async (t) => {
  const app = await openFolder(t);
  app.sim.reply(text("Hello."));
  await app.session.send({ prompt: "Hello." });
  app.session.choices.choosePlanFirst(true);
  const session = await app.restart();
  assert.equal(session.choices.planFirst, true);
  const { id } = session;
  await app.newConversation();
  assert.equal(app.session.choices.planFirst, false);
  assert.equal(planOf(app.session.state), undefined);
  await app.open(id);
  app.sim.reply(text("I go."));
  const turn = await app.session.go("Go ahead with the plan.");
  assert.equal(turn?.prompt, "Go ahead with the plan.");
  assert.equal(app.session.choices.planFirst, false);
});

test("Go during a response lets its next call act and queues the words", async (t) => {
  const app = await openFolder(t);
  const { session, sim } = app;
  session.choices.choosePlanFirst(true);
  sim.reply(call("ask_user", { question: "Now?" }, { callId: "q" }));
  sim.reply(patchCall(patch, { callId: "patch" }));
  sim.reply(text("Proposed."));
  sim.reply(text("Gone."));
  const asked = session.send({ prompt: "Change one to two." });
  await until(session, () => session.status === "needs-review");
  const going = session.go("Go ahead with the plan.");
  await session.decide("q", { kind: "answer", text: "Yes" });
  assert.deepEqual(reading((await asked) ?? assert.fail()), [
    "ask_user done",
    "patch proposed",
    "text Proposed.",
  ]);
  assert.equal((await going)?.prompt, "Go ahead with the plan.");
});

const types: Check = {
  ...{ id: "types", name: "types", command: "npx tsc", kind: "static", folder: "work", blind: [] },
};

test("Plan First runs no checks, which would run what is proposed", async () => {
  const { host, ran } = hostFor([types]);
  const talk = await startTalk({ checkHost: host });
  talk.workspace.write("work/a.ts", "one\n");
  talk.sim.reply(patchCall(patch));
  talk.sim.reply(text("Done."));
  await talk.ask("Change one to two.");
  const before = ran.length;
  talk.conversation.choose({ planFirst: true });
  talk.sim.reply(call("run_checks", {}, { callId: "checks" }));
  talk.sim.reply(text("This is my plan."));
  await talk.ask("What is left?");
  const said = outputs(lastBody(talk)).map(([, output]) => String(output));
  assert.match(said.join("\n"), /Plan First is on: nothing/);
  assert.equal(ran.length, before);
});
