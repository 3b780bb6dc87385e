// Undo and Redo of the editor itself, as the conversation and the model hear of them: from the files, and once.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type AppliedPatches, createAppliedPatches } from "../../../src/core/session/applied-patches.ts";
import { patchCall, text } from "../../sim/script.ts";
import { openDesk } from "../../support/desk.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";

const file = { folder: "work", path: "a.ts" };
const update = (from: string, to: string) => [
  "*** Update File: a.ts",
  "@@",
  " one",
  `-${from}`,
  `+${to}`,
  " three",
];
const textWith = (line: string) => `one\n${line}\nthree\n`;

async function openRoom(t: TestContext) {
  const workspace = createFolderWorkspace();
  const desk = await openDesk(t, { workspace, defaultModel: () => "svc-k3" });
  const { sim } = desk;
  const room = { beforeDeciding: async () => {} };
  desk.session.onEvent(async (event) => {
    if (event.type !== "patch" || event.status !== "proposed") return;
    await room.beforeDeciding();
    desk.session.decide(event.call, { kind: "accept" });
  });
  const applied: AppliedPatches = createAppliedPatches({ session: () => desk.session, workspace });
  workspace.write("work/a.ts", textWith("two"));
  const ask = async (prompt: string) => {
    sim.reply(text("Yes."));
    assert.equal((await desk.session.send({ prompt }))?.status, "done");
    return sim.requests.at(-1)?.body["input"] as { role?: string; content?: unknown }[];
  };
  return Object.assign(room, {
    workspace,
    desk,
    applied,
    ask,
    async apply(...lines: readonly string[]) {
      sim.reply(patchCall(["*** Begin Patch", ...lines, "*** End Patch"].join("\n")));
      sim.reply(text("Done."));
      assert.equal((await desk.session.send({ prompt: "Change it." }))?.status, "done");
    },
    /** As Undo and Redo leave it. */
    async turn(line: string, by?: "undo" | "redo") {
      workspace.write("work/a.ts", textWith(line));
      await applied.notice(file, by);
    },
    states: () =>
      desk.session.state.turns.flatMap(({ parts }) =>
        parts.flatMap((part) => (part.type === "patch" ? [part.status] : [])),
      ),
    calls: () =>
      desk.session.state.turns.flatMap(({ parts }) =>
        parts.flatMap((part) => (part.type === "patch" ? [part.call] : [])),
      ),
  });
}

test("a patch that the editor's Undo took out of its file is taken back, and Redo puts it in again", async (t) => {
  const { apply, turn, states, calls, applied, desk } = await openRoom(t);
  await apply(...update("two", "zwei"));
  const [call = ""] = calls();
  await turn("two");
  assert.deepEqual(states(), ["undone"]);
  assert.deepEqual([applied.has(call), desk.session.patches.keptPatches?.has(call)], [false, false]);
  await turn("zwei");
  assert.deepEqual(states(), ["applied"]);
  assert.deepEqual([applied.has(call), desk.session.patches.keptPatches?.has(call)], [true, true]);
  await desk.restart();
  assert.deepEqual(states(), ["applied"]);
});

test("Undo and Redo over several patches of one file take each of them along, however far they go at once", async (t) => {
  const { apply, turn, states } = await openRoom(t);
  await apply(...update("two", "zwei"));
  await apply(...update("zwei", "deux"));
  await turn("zwei");
  assert.deepEqual(states(), ["applied", "undone"]);
  await turn("two");
  assert.deepEqual(states(), ["undone", "undone"]);
  await turn("deux");
  assert.deepEqual(states(), ["applied", "applied"]);
  await turn("two");
  assert.deepEqual(states(), ["undone", "undone"]);
  await turn("zwei");
  assert.deepEqual(states(), ["applied", "undone"]);
});

test("a patch that leads back to an older text is no Undo of the older patch", async (t) => {
  const { apply, turn, states, applied } = await openRoom(t);
  await apply(...update("two", "zwei"));
  await apply(...update("zwei", "two"));
  await applied.notice(file);
  assert.deepEqual(states(), ["applied", "applied"]);
  await turn("zwei", "undo");
  assert.deepEqual(states(), ["applied", "undone"]);
  await turn("two", "redo");
  assert.deepEqual(states(), ["applied", "applied"]);
});

test("of a text that is neither what was before nor what came after, nothing is said", async (t) => {
  const { apply, turn, states } = await openRoom(t);
  await apply(...update("two", "zwei"));
  await turn("something else");
  assert.deepEqual(states(), ["applied"]);
});

test("a patch on several files is taken back when the last of them is", async (t) => {
  const { apply, turn, states, workspace, applied } = await openRoom(t);
  await apply(...update("two", "zwei"), "*** Add File: b.ts", "+b");
  await turn("two");
  assert.deepEqual(states(), ["applied"]);
  rmSync(join(workspace.root, "work/b.ts"));
  await applied.notice({ folder: "work", path: "b.ts" });
  assert.deepEqual(states(), ["undone"]);
});

test("the model hears once that a patch was taken back, and that it was put in again, before the next question", async (t) => {
  const { apply, turn, ask, calls } = await openRoom(t);
  await apply(...update("two", "zwei"));
  const before = await ask("And now?");
  await turn("two");
  const [call = ""] = calls();
  const told = await ask("What is in it?");
  assert.deepEqual(told.slice(0, before.length), before);
  const [, news, question] = told.slice(before.length);
  assert.equal(news?.role, "user");
  assert.equal(
    news?.content,
    `[Patchbay: what became of patches that were applied:\n- The user has taken back patch ${call} (a.ts): what it changed is in these files no more.]`,
  );
  assert.equal(question?.content, "What is in it?");
  const silent = await ask("And?");
  assert.deepEqual(silent.slice(0, told.length), told);
  assert.equal(silent.length, told.length + 2);
  await turn("zwei");
  const again = await ask("So?");
  assert.deepEqual(again.slice(0, silent.length), silent);
  assert.match(String(again.at(-2)?.content), /The user has put in again patch .+ \(a\.ts\)/);
});

test("the model hears of what was taken back by a button, too, and nothing of a person's own patches", async (t) => {
  const { apply, ask, calls, applied, desk } = await openRoom(t);
  await apply(...update("two", "zwei"));
  const turn = desk.session.state.turns[0]?.id ?? "";
  const own = ["*** Begin Patch", "*** Add File: b.ts", "+b", "*** End Patch"].join("\n");
  await desk.session.patches.propose(turn, own);
  await applied.takeBack(calls());
  const told = JSON.stringify(await ask("And now?"));
  assert.match(told, /The user has taken back patch .+ \(a\.ts\)/);
  assert.doesNotMatch(told, /b\.ts/);
});

test("the model hears it in the same turn where that goes on, after the outputs of its tools", async (t) => {
  const room = await openRoom(t);
  const { desk } = room;
  const { sim } = desk;
  sim.reply(patchCall(["*** Begin Patch", ...update("two", "zwei"), "*** End Patch"].join("\n")));
  sim.reply(patchCall("*** Begin Patch\n*** Add File: b.ts\n+b\n*** End Patch"));
  sim.reply(text("Done."));
  room.beforeDeciding = async () => {
    if (room.calls().length > 1) await room.turn("two");
  };
  await desk.session.send({ prompt: "Change both." });
  const input = sim.requests.at(-1)?.body["input"] as { type?: string; content?: unknown }[];
  assert.match(String(input.at(-1)?.content), /The user has taken back patch .+ \(a\.ts\)/);
  assert.match(String(input.at(-2)?.type), /_output$/);
});

test("a question that is asked again in other words hears nothing of what nobody has told before it", async (t) => {
  const { apply, turn, ask, desk } = await openRoom(t);
  await apply(...update("two", "zwei"));
  await turn("two");
  assert.match(JSON.stringify(await ask("What is in it?")), /taken back/);
  const last = desk.session.state.turns.at(-1)?.id ?? "";
  await turn("zwei");
  desk.sim.reply(text("Yes."));
  await desk.session.edit(last, "What is in it now?");
  assert.doesNotMatch(JSON.stringify(desk.sim.requests.at(-1)?.body), /taken back|put in again/);
});
