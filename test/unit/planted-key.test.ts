// Keys that stand in files: whatever is attached of them, read by a tool or patched, what a person can take along or look
// at holds none of them, and no draft that waits on the disk does. What a person types by hand is theirs: it stays in the
// draft in which they typed it.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Attachment } from "../../src/conversation/state.ts";
import { toMarkdown } from "../../src/editor/conversations/export-markdown.ts";
import { curlOf } from "../../src/inspect/internal/edit-and-compare.ts";
import { SessionTrials } from "../../src/trials/session-trials.ts";
import { type Log, silentLog } from "../../src/util/log.ts";
import { call, patchCall, text } from "../sim/script.ts";
import { startSimulator } from "../sim/simulator.ts";
import { acceptPatch, patchesIn } from "../support/decide-patches.ts";
import { filesHolding } from "../support/folder-picture.ts";
import { createFolderWorkspace } from "../support/folder-workspace.ts";
import { ownFolder } from "../support/one-test.ts";
import { pem } from "../support/sample-secrets.ts";
import { openTestApp } from "../support/test-app.ts";
import { openWholeService } from "../support/whole-service.ts";

const token = `ghp${"_"}${"aB3dE5".repeat(6)}`;
const key = pem(`RSA PRIVATE${" KEY"}`, 12).split("\n");
const file = ["line one", `const a = "${token}";`, ...key, "line two", ""].join("\n");
const planted = [token, ...key.filter((line) => !line.startsWith("---"))];

const wishes: readonly Attachment[] = [
  { kind: "file", path: "a.ts" },
  { kind: "selection", path: "a.ts", start: 1, end: 4 },
  { kind: "text", name: "Cell 1", text: file },
  { kind: "text", name: "other.ts", text: file, place: "file:///elsewhere/other.ts" },
  { kind: "terminal", name: "bash", text: `$ cat a.ts\n${file}` },
  {
    kind: "diff",
    name: "Staged",
    text: `diff --git a/a.ts b/a.ts\n@@ -1,9 +1,9 @@\n${file.replace(/^/gm, "+")}`,
  },
];

function assertNone(words: string, what: string): void {
  for (const each of planted) assert.ok(!words.includes(each), `${what}: ${each}`);
}

test("a draft on disk holds no key from an attached file, but keeps a key that a person typed", async (t) => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", file);
  const app = await openTestApp(t, { workspace });
  const { session } = app;
  const looked = new Promise<void>((resolve) => {
    session.onChange(() => {
      const { parts } = session.draft;
      if (parts.length === wishes.length) resolve();
    });
  });
  for (const wish of wishes) session.draft.attach(wish);
  const typed = `glpat${"-"}${"aB3dE5gH7jK9mN1pQ4sT"}`;
  session.draft.write(`Is ${typed} still good?`);
  await looked;
  const { id } = session;
  await app.newConversation();
  assert.deepEqual(filesHolding(app.folder, planted), []);
  const drafts = filesHolding(app.folder, [typed]);
  assert.deepEqual(
    drafts.map((name) => name.endsWith("draft.json")),
    [true],
  );
  assert.equal(
    filesHolding(app.folder, ["[secret removed]"]).filter((name) => name.endsWith("attached.json")).length,
    1,
  );
  await app.open(id);
  assert.deepEqual(
    app.session.draft.attachments.map(({ label }) => label),
    ["a.ts", "a.ts, lines 1–4", "Cell 1", "other.ts", "bash", "Staged"],
  );
});

test("a draft saved before its attachments are read holds no key from a file", async (t) => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", file);
  const app = await openTestApp(t, { workspace });
  for (const wish of wishes) {
    app.session.draft.attach(wish);
    await app.newConversation();
    assert.deepEqual(filesHolding(app.folder, planted), []);
  }
});

test("a question that is tried in several ways holds no key from an attached file on the disk", async (t) => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", file);
  const app = await openTestApp(t, { workspace });
  const trials = new SessionTrials({
    ...{ registry: app.registry, log: silentLog },
    price: () => undefined,
    book() {},
  });
  t.after(() => trials.close());
  for (const wish of wishes) app.session.draft.attach(wish);
  const trial = await trials.propose(app.session, "repeat", { prompt: "Look." });
  assert.ok(trial);
  assert.match(await app.session.readTrial(), /Look\./);
  assert.deepEqual(filesHolding(app.folder, planted), []);
});

test("a key in a file is removed from exports, the inspector, the trace and requests sent again", async (t) => {
  const folder = ownFolder(t, "planted");
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", file);
  workspace.markers.push({
    file: { folder: "work", path: "a.ts" },
    ...{ line: 1, column: 1, severity: "error", message: `cannot use ${token}` },
  });
  const sim = await startSimulator();
  t.after(() => sim.close());
  const lines: string[] = [];
  const write = (words: string, cause?: unknown) => void lines.push(`${words} ${String(cause)}`);
  const log: Log = { debug: write, info: write, warn: write, error: write };
  const settings = { service: () => ({ trace: "bodies" as const }) };
  const service = await openWholeService({ folder, sim, workspace, log, settings });
  const { session } = service.surfaces;
  session.onEvent((event) => {
    if (event.type === "tool" && event.status === "asked") session.decide(event.call, { kind: "accept" });
  });
  const patch = (...hunk: readonly string[]) =>
    ["*** Begin Patch", "*** Update File: a.ts", "@@", ...hunk, "*** End Patch", ""].join("\n");
  sim.reply(
    call("read_file", { path: "a.ts" }),
    call("search_text", { query: "const" }),
    call("problems", {}),
  );
  sim.reply(patchCall(patch("-line nine", "+line 9")));
  sim.reply(patchCall(patch("-line two", "+line 2")));
  sim.reply(text("I see."));
  await session.send({ prompt: "Look.", attachments: wishes });
  const { changes } = session.patches;
  const decider = { changes, onEvent: session.onEvent };
  for (const { call } of patchesIn(session.state.turns)) await acceptPatch(decider, call);
  for (const wish of wishes) session.draft.attach(wish);
  session.draft.write("And now?");
  await session.flush();
  await service.ledgers.flush();
  assert.match(workspace.text("work/a.ts") ?? "", /line 2\n/);
  sim.done();

  const [turn] = session.state.turns;
  assert.ok(turn !== undefined);
  for (const reasoning of [true, false]) {
    assertNone(toMarkdown(session.state, { title: "", reasoning }), "Markdown");
    const bundle: Uint8Array[] = [];
    for await (const bytes of service.library.exportBundle(session.id, { reasoning })) bundle.push(bytes);
    const exported = Buffer.concat(bundle).toString("utf8");
    assert.match(exported, /line one/);
    assertNone(exported, "the bundle");
  }
  const exchanges = service.exchanges.of(turn.id);
  assert.equal(exchanges.length, 4);
  for (const { sent, ...exchange } of exchanges) {
    assertNone(JSON.stringify(exchange), "an exchange");
    assertNone(sent?.() ?? "", "the bytes of an exchange");
    const composed = await service.client.compose(exchange);
    assert.ok("body" in composed);
    // What is sent again with changes is this body, too.
    assert.match(composed.body, /line one/);
    assertNone(curlOf(composed, ""), "curl");
  }
  assertNone(JSON.stringify(await session.history.keptOf(turn.id)), "what is kept of the turn");
  const outgoing = await session.preview(undefined, new AbortController().signal);
  const preview = await service.client.compose(outgoing);
  assert.ok("body" in preview && preview.body.includes("And now?"));
  assertNone(curlOf(preview, ""), "curl of the draft");
  assert.match(lines.join("\n"), /line one/);
  assertNone(lines.join("\n"), "the trace");
  // What it takes to undo a patch is the file as it was; it stays on this machine.
  for (const name of filesHolding(folder, planted)) assert.match(name, /^conversations\/[^/]+\/changes\//);
});
