// Undo and Redo of the editor itself, as the conversation and the model hear of them: from the files, and once.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { patchCall, text } from "../sim/script.ts";
import { acceptPatch, patchesIn, rowsTold, turnPatch } from "../support/decide-patches.ts";
import { createFolderWorkspace } from "../support/folder-workspace.ts";
import { openTestApp } from "../support/test-app.ts";

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
  const app = await openTestApp(t, { workspace, defaultModel: () => "svc-k3" });
  const { sim } = app;
  workspace.write("work/a.ts", textWith("two"));
  const rows = () => patchesIn(app.session.state.turns);
  const decider = () => ({
    changes: app.session.patches.changes,
    onEvent: app.session.onEvent,
  });
  const room = {
    workspace,
    app,
    decider,
    states: () => rows().map(({ status }) => status),
    calls: () => rows().map(({ call }) => call),
    async ask(prompt: string) {
      sim.reply(text("Yes."));
      assert.equal((await app.session.send({ prompt }))?.status, "done");
      return sim.requests.at(-1)?.body["input"] as { role?: string; content?: unknown }[];
    },
    async apply(...lines: readonly string[]) {
      sim.reply(patchCall(["*** Begin Patch", ...lines, "*** End Patch"].join("\n")));
      sim.reply(text("Done."));
      assert.equal((await app.session.send({ prompt: "Change it." }))?.status, "done");
      assert.deepEqual(await acceptPatch(decider(), room.calls().at(-1) ?? ""), { outcome: "done" });
    },
    /** As Undo and Redo leave it. */
    async turn(line: string, by?: "undo" | "redo") {
      workspace.write("work/a.ts", textWith(line));
      await room.noticed(file, by);
    },
    async noticed(noticed: typeof file, by?: "undo" | "redo") {
      await decider().changes.notice(noticed, by);
      await rowsTold(() => app.session.state.turns, decider().changes);
    },
  };
  return room;
}

test("a patch is marked undone when the editor undoes its edit, and applied when the editor redoes it", async (t) => {
  const { apply, turn, states, calls, decider, app } = await openRoom(t);
  await apply(...update("two", "zwei"));
  const [call = ""] = calls();
  const statuses = () => [...decider().changes.statusesOf(call).values()];
  await turn("two");
  assert.deepEqual([states(), statuses()], [["undone"], ["undone"]]);
  await turn("zwei");
  assert.deepEqual([states(), statuses()], [["applied"], ["applied"]]);
  await turn("two");
  await app.restart();
  await decider().changes.refresh();
  assert.deepEqual([states(), statuses()], [["undone"], ["undone"]]);
  await turn("zwei");
  assert.deepEqual([states(), statuses()], [["applied"], ["applied"]], "in a later window as well");
});

test("Undo and Redo across several patches of one file update the status of each patch", async (t) => {
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

test("a patch that restores an older text is not taken for an undo of the older patch", async (t) => {
  const { apply, turn, states, noticed } = await openRoom(t);
  await apply(...update("two", "zwei"));
  await apply(...update("zwei", "two"));
  await noticed(file);
  assert.deepEqual(states(), ["applied", "applied"]);
  await turn("zwei", "undo");
  assert.deepEqual(states(), ["applied", "undone"]);
  await turn("two", "redo");
  assert.deepEqual(states(), ["applied", "applied"]);
});

test("a patch stays applied when its file holds neither the old nor the new text", async (t) => {
  const { apply, turn, states } = await openRoom(t);
  await apply(...update("two", "zwei"));
  await turn("something else");
  assert.deepEqual(states(), ["applied"]);
});

test("a patch on several files is marked undone when the last of its files is undone", async (t) => {
  const { apply, turn, states, workspace, noticed } = await openRoom(t);
  await apply(...update("two", "zwei"), "*** Add File: b.ts", "+b");
  await turn("two");
  assert.deepEqual(states(), ["applied"]);
  rmSync(join(workspace.root, "work/b.ts"));
  await noticed({ folder: "work", path: "b.ts" });
  assert.deepEqual(states(), ["undone"]);
});

test("the model receives one note that a patch was undone or redone, before the next question", async (t) => {
  const { apply, turn, ask, calls } = await openRoom(t);
  await apply(...update("two", "zwei"));
  const [call = ""] = calls();
  const before = await ask("And now?");
  assert.match(String(before.at(-2)?.content), /all of it was accepted and is in the files/);
  await turn("two");
  const told = await ask("What is in it?");
  assert.deepEqual(told.slice(0, before.length), before);
  const [, news, question] = told.slice(before.length);
  assert.equal(news?.role, "user");
  assert.equal(
    news?.content,
    `[Patchbay: what became of your patches:\n- Patch ${call} (a.ts): all of it was accepted and later undone, and is no longer in the files.\n]`,
  );
  assert.equal(question?.content, "What is in it?");
  const silent = await ask("And?");
  assert.deepEqual(silent.slice(0, told.length), told);
  assert.equal(silent.length, told.length + 2);
  await turn("zwei");
  const again = await ask("So?");
  assert.deepEqual(again.slice(0, silent.length), silent);
  assert.match(
    String(again.at(-2)?.content),
    /Patch .+ \(a\.ts\): all of it was accepted and is in the files\./,
  );
});

test("the model receives a note of a patch undone by a button, and none of a person's own patches", async (t) => {
  const { apply, ask, calls, decider, app } = await openRoom(t);
  await apply(...update("two", "zwei"));
  const [call = ""] = calls();
  const turn = app.session.state.turns[0]?.id ?? "";
  const own = ["*** Begin Patch", "*** Add File: b.ts", "+b", "*** End Patch"].join("\n");
  await acceptPatch(decider(), await app.session.patches.propose(turn, own));
  assert.deepEqual(await turnPatch(decider(), call, "undo"), { outcome: "done", left: [] });
  const told = JSON.stringify(await ask("And now?"));
  assert.match(told, /Patch .+ \(a\.ts\): all of it was accepted and later undone/);
  assert.doesNotMatch(told, /b\.ts/);
});

test("the model receives the note of an undone patch in a running turn, after the tool outputs", async (t) => {
  const { apply, app, turn } = await openRoom(t);
  const { sim } = app;
  await apply(...update("two", "zwei"));
  sim.reply(patchCall("*** Begin Patch\n*** Add File: b.ts\n+b\n*** End Patch"));
  sim.reply(text("Done."));
  const undone: Promise<void>[] = [];
  // While the turn runs: the next request has to know.
  const seen = new Promise<void>((resolve) =>
    app.session.onEvent(({ type }) => {
      if (type !== "started") return;
      undone.push(turn("two", "undo"));
      resolve();
    }),
  );
  const sent = app.session.send({ prompt: "Change both." });
  await seen;
  await Promise.all(undone);
  await sent;
  const input = sim.requests.at(-1)?.body["input"] as { type?: string; content?: unknown }[];
  assert.match(String(input.at(-1)?.content), /Patch .+ \(a\.ts\): all of it was accepted and later undone/);
  assert.match(String(input.at(-2)?.type), /_output$/);
});

test("an edited question carries one note with the current state of the patches", async (t) => {
  const { apply, turn, ask, app } = await openRoom(t);
  await apply(...update("two", "zwei"));
  await turn("two");
  assert.match(JSON.stringify(await ask("What is in it?")), /later undone/);
  const last = app.session.state.turns.at(-1)?.id ?? "";
  await turn("zwei");
  app.sim.reply(text("Yes."));
  await app.session.edit(last, "What is in it now?");
  const body = JSON.stringify(app.sim.requests.at(-1)?.body);
  assert.doesNotMatch(body, /later undone/);
  assert.equal(body.split("was accepted and is in the files").length, 2);
});

test("a note about patches is sent again when the turn that held it was cut", async (t) => {
  const { apply, ask, app } = await openRoom(t);
  await apply(...update("two", "zwei"));
  const heard = /all of it was accepted and is in the files/;
  assert.match(JSON.stringify(await ask("One?")), heard);
  const [, second] = app.session.state.turns;
  const third = await ask("Two?");
  assert.equal(JSON.stringify(third).split("was accepted and is in the files").length, 2, "told once");
  app.sim.reply(text("Yes."));
  await app.session.retry("regenerate", second?.id ?? "");
  const body = JSON.stringify(app.sim.requests.at(-1)?.body);
  assert.equal(body.split("was accepted and is in the files").length, 2, "told again, and once");
});
