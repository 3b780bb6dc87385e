// Going back to before a question: files, conversation or both, what is said of it before, and what stays.
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { call, patchCall, text } from "../../sim/script.ts";
import { acceptPatch, patchesIn } from "../../support/decide-patches.ts";
import { english } from "../../support/english.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { openTestApp, prompts } from "../../support/test-app.ts";
import { patch } from "./patch-talk.ts";

const lines = (first: string, last: string) =>
  [first, ...Array.from({ length: 12 }, (_, at) => `line ${at}`), last, ""].join("\n");

/** Three questions; the last two have changed a file each, and the same one. */
async function openChanged(t: TestContext) {
  const workspace = createFolderWorkspace();
  const app = await openTestApp(t, { workspace, defaultModel: () => "svc-k3" });
  workspace.write("work/a.ts", lines("one", "two"));
  workspace.write("work/b.ts", "b\n");
  const decider = () => ({ changes: app.session.patches.changes, onEvent: app.session.onEvent });
  const ask = async (prompt: string, ...changed: readonly string[]) => {
    if (changed.length > 0) app.sim.reply(patchCall(patch(...changed)));
    app.sim.reply(text("Done."));
    await app.session.send({ prompt });
    const last = patchesIn(app.session.state.turns).at(-1)?.call ?? "";
    if (changed.length > 0) assert.deepEqual(await acceptPatch(decider(), last), { outcome: "done" });
  };
  await ask("First?");
  await ask(
    "Second?",
    "*** Update File: a.ts",
    "@@",
    "-one",
    "+ONE",
    "*** Update File: b.ts",
    "@@",
    "-b",
    "+B",
  );
  await ask("Third?", "*** Update File: a.ts", "@@", "-two", "+TWO");
  const ids = app.session.state.turns.map(({ id }) => id);
  const file = (name: string) => workspace.text(`work/${name}`);
  return {
    app,
    workspace,
    ask,
    ids,
    file,
    plan: (at: number) => app.session.history.planRewind(ids[at] ?? ""),
  };
}

describe("Session.rewind", () => {
  it("says before what it undoes, what stays and what leaves", async (t) => {
    const { app, workspace, plan } = await openChanged(t);
    assert.deepEqual(await plan(1), { files: ["a.ts", "b.ts"], left: [], questions: 2, acted: [] });
    assert.deepEqual(await plan(2), { files: ["a.ts"], left: [], questions: 1, acted: [] });
    workspace.write("work/b.ts", "typed\n");
    const { left } = await plan(1);
    assert.deepEqual(
      left.map(({ path }) => path),
      ["b.ts"],
    );
    assert.match(english(left.map(({ why }) => why)), /b\.ts/);
    assert.deepEqual(prompts(app), ["First?", "Second?", "Third?"], "nothing has happened");
  });

  it("takes back the files as one step, which can be accepted again, and leaves the conversation", async (t) => {
    const { app, ids, file } = await openChanged(t);
    const undone = await app.session.rewind(ids[1] ?? "", "files");
    assert.deepEqual(undone, { outcome: "done", left: [] });
    assert.deepEqual([file("a.ts"), file("b.ts")], [lines("one", "two"), "b\n"]);
    assert.equal(prompts(app).length, 3);
    const rows = patchesIn(app.session.state.turns);
    assert.deepEqual(
      rows.map(({ status }) => status),
      ["undone", "undone"],
    );
    await app.session.patches.changes.acceptAgain(rows.map(({ call }) => call));
    assert.deepEqual([file("a.ts"), file("b.ts")], [lines("ONE", "TWO"), "B\n"]);
  });

  it("takes back the conversation alone: the files stay, the question is in the box, and the service sees none of it", async (t) => {
    const { app, ids, file, ask } = await openChanged(t);
    await app.session.rewind(ids[1] ?? "", "conversation");
    assert.deepEqual([file("a.ts"), file("b.ts")], [lines("ONE", "TWO"), "B\n"]);
    assert.deepEqual(prompts(app), ["First?"]);
    assert.equal(app.session.draft.text, "Second?");
    await ask("Fourth?");
    assert.doesNotMatch(String(app.sim.requests.at(-1)?.raw), /Second\?|Third\?/);
    const again = await app.restart();
    assert.deepEqual(
      again.state.turns.map(({ prompt }) => prompt),
      ["First?", "Fourth?"],
    );
    assert.equal(again.draft.text, "Second?");
  });

  it("takes back both, and names what a person has changed since", async (t) => {
    const { app, ids, file, workspace } = await openChanged(t);
    workspace.write("work/b.ts", "typed\n");
    const undone = await app.session.rewind(ids[1] ?? "", "both");
    assert.ok(undone?.outcome === "done");
    assert.deepEqual(
      undone.left.map(({ path }) => path),
      ["b.ts"],
    );
    assert.deepEqual([file("a.ts"), file("b.ts")], [lines("one", "two"), "typed\n"]);
    assert.deepEqual(prompts(app), ["First?"]);
  });

  it("takes back a change of which one place was accepted and the other still waits", async (t) => {
    for (const scope of ["files", "both"] as const) {
      const { app, file } = await openChanged(t);
      const { session, sim } = app;
      const before = file("a.ts");
      const twice = [
        "@@",
        "-ONE",
        "+one!",
        ...Array.from({ length: 12 }, (_, at) => ` line ${at}`),
        "-TWO",
        "+two!",
      ];
      sim.reply(patchCall(patch("*** Update File: a.ts", ...twice)));
      sim.reply(text("Done."));
      const turn = await session.send({ prompt: "Fourth?" });
      const { changes } = session.patches;
      const [place] = changes.pending.flatMap(({ hunks }) => hunks.map(({ id }) => id));
      assert.deepEqual(await changes.accept([place ?? ""]), { outcome: "done" });
      assert.equal(file("a.ts"), lines("one!", "TWO"));
      assert.deepEqual((await session.history.planRewind(turn?.id ?? "")).files, ["a.ts"]);
      assert.deepEqual(await session.rewind(turn?.id ?? "", scope), { outcome: "done", left: [] });
      assert.equal(file("a.ts"), before, scope);
      assert.equal(changes.pending.length, scope === "files" ? 1 : 0);
    }
  });

  it("brings back attachments and what was said meanwhile, and withdraws what is pending", async (t) => {
    const { app } = await openChanged(t);
    const { session, sim } = app;
    sim.reply(call("read_file", { path: "a.ts" }));
    sim.reply(patchCall(patch("*** Add File: c.ts", "+new")));
    sim.reply(text("Done."));
    const asking = session.send({ prompt: "Fourth?", attachments: [{ kind: "file", path: "b.ts" }] });
    void session.send({ prompt: "Use tabs.", delivery: "step" });
    const turn = await asking;
    assert.equal(session.patches.changes.pending.length, 1);
    await session.rewind(turn?.id ?? "", "conversation");
    assert.equal(session.draft.text, "Fourth?\n\nUse tabs.");
    assert.deepEqual(
      session.draft.attachments.map(({ label }) => label),
      ["b.ts"],
    );
    assert.equal(session.patches.changes.pending.length, 0);
    const again = await app.restart();
    assert.equal(again.draft.text, "Fourth?\n\nUse tabs.");
  });

  it("brings back a picture and pasted text behind news of a decision, and those of what was said meanwhile", async (t) => {
    const { app } = await openChanged(t);
    const { session, sim } = app;
    const url = (name: string) => `data:image/png;base64,${Buffer.from(name).toString("base64")}`;
    const own = [
      { kind: "image", name: "own.png", url: url("own") },
      { kind: "text", name: "own", text: "pasted" },
    ] as const;
    const steered = [
      { kind: "text", name: "more", text: "pasted meanwhile" },
      { kind: "image", name: "more.png", url: url("more") },
    ] as const;
    sim.reply(call("read_file", { path: "a.ts" }));
    sim.reply(text("Done."));
    const asking = session.send({ prompt: "Fourth?", attachments: own });
    void session.send({ prompt: "Use tabs.", attachments: steered, delivery: "step" });
    const turn = await asking;
    assert.match(String(sim.requests.at(-1)?.raw), /what became of your patches/);
    await session.rewind(turn?.id ?? "", "conversation");
    assert.equal(session.draft.text, "Fourth?\n\nUse tabs.");
    assert.deepEqual(
      session.draft.attachments.map(({ label }) => label),
      ["own.png", "own", "more", "more.png"],
    );
  });

  it("does nothing while a response is written, nor for a turn that is gone", async (t) => {
    const { app, ids } = await openChanged(t);
    app.sim.reply(text("Done."));
    const running = app.session.send({ prompt: "Fourth?" });
    assert.equal(await app.session.rewind(ids[1] ?? "", "both"), undefined);
    await running;
    assert.equal(await app.session.rewind("gone", "both"), undefined);
    assert.equal(prompts(app).length, 4);
  });

  it("takes back files after a reload, and both scopes stay done after the next one", async (t) => {
    const { app, ids, file } = await openChanged(t);
    const later = await app.restart();
    assert.deepEqual((await later.history.planRewind(ids[1] ?? "")).files, ["a.ts", "b.ts"]);
    assert.deepEqual(await later.rewind(ids[2] ?? "", "files"), { outcome: "done", left: [] });
    assert.equal(file("a.ts"), lines("ONE", "two"));
    const again = await app.restart();
    assert.deepEqual(
      patchesIn(again.state.turns).map(({ status }) => status),
      ["applied", "undone"],
    );
    assert.deepEqual(await again.rewind(ids[1] ?? "", "both"), { outcome: "done", left: [] });
    assert.deepEqual([file("a.ts"), file("b.ts")], [lines("one", "two"), "b\n"]);
    const last = await app.restart();
    assert.deepEqual([prompts(app), last.draft.text], [["First?"], "Second?"]);
  });

  it("takes back what its own session has changed, and leaves another session's change of the same file", async (t) => {
    const { app, ids, file } = await openChanged(t);
    const one = app.session;
    const other = (await app.registry.create()).session;
    app.sim.reply(patchCall(patch("*** Update File: a.ts", "@@", "-line 6", "+LINE 6")));
    app.sim.reply(text("Done."));
    await other.send({ prompt: "Elsewhere?" });
    const call = patchesIn(other.state.turns).at(-1)?.call ?? "";
    const decider = { changes: other.patches.changes, onEvent: other.onEvent };
    assert.deepEqual(await acceptPatch(decider, call), { outcome: "done" });
    const theirs = (content: string) => content.replace("line 6", "LINE 6");
    assert.equal(file("a.ts"), theirs(lines("ONE", "TWO")));
    assert.deepEqual(await one.rewind(ids[1] ?? "", "both"), { outcome: "done", left: [] });
    assert.equal(file("a.ts"), theirs(lines("one", "two")));
    assert.equal(other.state.turns.length, 1);
    assert.deepEqual(
      patchesIn(other.state.turns).map(({ status }) => status),
      ["applied"],
    );
  });
});
