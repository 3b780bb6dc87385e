// One model on one task: what it is told, what it proposes, what is counted of it.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it, type TestContext } from "node:test";
import type { ConversationEvent } from "../../../src/conversation/events.ts";
import { attempt, firstRequest } from "../../../src/trials/internal/attempt.ts";
import { commitWorkspace } from "../../../src/trials/internal/commit-workspace.ts";
import { status } from "../../sim/http-answers.ts";
import { call, patchCall, text } from "../../sim/script.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { openTestApp } from "../../support/test-app.ts";

const never = new AbortController().signal;
const patch = (from: string, to: string) =>
  `*** Begin Patch\n*** Update File: src/a.ts\n@@\n-${from}\n+${to}\n*** End Patch`;

const files: Readonly<Record<string, string>> = {
  "AGENTS.md": "Always answer in rhymes.\n",
  "src/a.ts": "one\ntwo\n",
  "notes/private.txt": "for nobody\n",
};

function workspaceOf(ignoreRules = "") {
  const ids = new Map(
    Object.entries(files).map(([path, content]) => [
      createHash("sha1").update(path).digest("hex"),
      Buffer.from(content),
    ]),
  );
  const tree = new Map(
    Object.keys(files).map((path) => [
      path,
      {
        id: createHash("sha1").update(path).digest("hex"),
        kind: "file" as const,
        bytes: files[path]?.length ?? 0,
      },
    ]),
  );
  const blob = async (id: string) => ids.get(id) ?? Buffer.alloc(0);
  return commitWorkspace({ git: { blob }, tree, folder: "work", ignoreRules });
}

async function setUp(t: TestContext) {
  const app = await openTestApp(t, {
    defaultModel: () => "svc-k3",
    workspace: createFolderWorkspace(),
  });
  const events: ConversationEvent[] = [];
  const deps = {
    context: () => app.registry.sideContext,
    name: "comparison",
    take: (event: ConversationEvent) => void events.push(event),
  };
  const task = {
    ...{ model: "svc-k3", effort: "high", prompt: "Make the change: two is three.", tokens: 1_000_000 },
    workspace: workspaceOf("notes/\n"),
  };
  return { app, events, deps, task };
}

describe("attempt", () => {
  it("works on the tree alone, and counts requests, tokens and refused patches", async (t) => {
    const { app, events, deps, task } = await setUp(t);
    app.sim.reply(call("list_files", { path: "." }, { callId: "c1" }));
    app.sim.reply(call("read_file", { path: "notes/private.txt" }, { callId: "c2" }));
    app.sim.reply(patchCall(patch("four", "five"), { callId: "c3" }));
    app.sim.reply(patchCall(patch("two", "three"), { callId: "c4" }));
    app.sim.reply(text("Done."));
    const done = await attempt(task, deps, never);
    const file = { folder: "work", path: "src/a.ts" };
    assert.deepEqual(
      done.proposed.map(([name, state]) => [name, state?.text]),
      [[file, "one\nthree\n"]],
    );
    assert.deepEqual([done.ending, done.refused, done.usage.length], ["done", 1, 5]);
    assert.ok(done.tokens > 0);
    assert.equal(events.filter(({ type }) => type === "usage").length, 5);
    const sent = app.sim.requests.map(({ raw }) => raw.toString("utf8"));
    assert.match(sent[1] ?? "", /src\/a\.ts/);
    for (const each of sent) assert.doesNotMatch(each, /rhymes|for nobody/);
    const [first] = app.sim.requests;
    const { tools, reasoning } = first?.body as {
      tools: { name?: string; type: string }[];
      reasoning: unknown;
    };
    assert.deepEqual(tools.map(({ name, type }) => name ?? type).sort(), [
      ...["apply_patch", "list_files", "read_file", "search_text", "update_plan"],
    ]);
    assert.deepEqual(reasoning, { effort: "high" });
    assert.equal((await app.library.list()).length, 0);
    assert.deepEqual((await app.library.tasks()).length, 0);
  });

  it("counts what it has used before it was too long and went on after a summary", async (t) => {
    const { app, events, deps, task } = await setUp(t);
    app.sim.reply(patchCall(patch("four", "five"), { callId: "c1" }));
    app.sim.reply(status(400, { message: "Too long.", code: "context_length_exceeded" }));
    app.sim.reply(text("The summary."));
    app.sim.reply(text("Done."));
    const done = await attempt(task, deps, never);
    const counted = events.filter(({ type }) => type === "usage").length;
    assert.ok(counted >= 3);
    assert.deepEqual([done.ending, done.refused, done.usage.length], ["done", 1, counted]);
  });

  it("ends once it has used what it may, and tells that", async (t) => {
    const { app, deps, task } = await setUp(t);
    app.sim.reply(call("list_files", { path: "." }, { callId: "c1" }));
    const done = await attempt({ ...task, tokens: 1 }, deps, never);
    assert.equal(done.ending, "over-limit");
    assert.ok(done.tokens > 1);
  });

  it("keeps to the person's own limit for a question, which ends this task alone", async (t) => {
    const { app, deps, task } = await setUp(t);
    app.settings = { ...app.settings, stopRunAboveTokens: 1 };
    app.sim.reply(call("list_files", { path: "." }, { callId: "c1" }));
    const done = await attempt(task, deps, never);
    assert.deepEqual([done.ending, done.usage.length], ["failed", 1]);
  });

  it("is no result where the service has not answered", async (t) => {
    const { app, deps, task } = await setUp(t);
    app.sim.reply(status(401));
    await assert.rejects(attempt(task, deps, never), /key/i);
  });

  it("can be looked at before anything is sent", async (t) => {
    const { app, deps, task } = await setUp(t);
    const request = await firstRequest(task, deps, never);
    assert.match(JSON.stringify(request), /two is three/);
    assert.equal(app.sim.requests.length, 0);
  });
});
