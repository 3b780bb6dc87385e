// The door for corpora outside of this tree: what goes in and comes out, as they rely on it.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { ownTools } from "../../src/tools/tool-table.ts";
import { call, patchCall, reasoning, text } from "../sim/script.ts";
import { type SimulatorOptions, startSimulator } from "../sim/simulator.ts";
import {
  applyToFolder,
  changeSet,
  checkProposal,
  isSecretName,
  languageModelProvider,
  merge3,
  offered,
  oneTurn,
  riskFlags,
  serviceClient,
  withoutSecrets,
} from "../support/corpus.ts";
import { ownFolder } from "../support/one-test.ts";
import { sampleSecrets } from "../support/sample-secrets.ts";

function folderWith(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = ownFolder(t, "corpus");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

async function simulated(t: TestContext, options: SimulatorOptions = {}) {
  const sim = await startSimulator(options);
  t.after(() => sim.close());
  return { sim, connection: { baseUrl: sim.url, key: sim.key } };
}

const update = (path: string, from: string, to: string) =>
  `*** Begin Patch\n*** Update File: ${path}\n@@\n-${from}\n+${to}\n*** End Patch`;

describe("applyToFolder", () => {
  test("writes a patch to the folder and returns the changed files", async (t) => {
    const root = folderWith(t, { "src/a.ts": "one\n", "b.ts": "b\n" });
    const move = "*** Update File: b.ts\n*** Move to: c.ts\n*** End Patch";
    const patch = update("src/a.ts", "one", "two").replace("*** End Patch", move);
    assert.deepEqual(await applyToFolder(root, patch), {
      changes: [
        { kind: "move", path: "b.ts", to: "c.ts" },
        { kind: "update", path: "src/a.ts" },
      ],
      notes: [],
    });
    assert.equal(readFileSync(join(root, "src/a.ts"), "utf8"), "two\n");
    assert.equal(readFileSync(join(root, "c.ts"), "utf8"), "b\n");
  });

  test("refuses a patch that does not fit with a message for the model and leaves the folder unchanged", async (t) => {
    const root = folderWith(t, { "a.ts": "one\n" });
    await assert.rejects(applyToFolder(root, update("a.ts", "three", "two")), {
      name: "PatchError",
      forModel: /a\.ts/,
    });
    assert.equal(readFileSync(join(root, "a.ts"), "utf8"), "one\n");
  });

  test("accepts a patch without an end marker only from a complete call", async (t) => {
    const root = folderWith(t, { "a.ts": "one\n" });
    const cut = update("a.ts", "one", "two").replace("\n*** End Patch", "");
    await assert.rejects(applyToFolder(root, cut, { complete: false }), { forModel: /end marker/ });
    assert.equal(readFileSync(join(root, "a.ts"), "utf8"), "one\n");
    assert.deepEqual((await applyToFolder(root, cut, { complete: true })).notes, ["no-end"]);
    assert.equal(readFileSync(join(root, "a.ts"), "utf8"), "two\n");
  });
});

test("changeSet tracks proposed, accepted, rejected and undone hunks", async () => {
  const set = changeSet({ "a.ts": "one\n", "b.ts": "b\n" });
  assert.deepEqual(await set.propose(update("a.ts", "one", "two")), { ok: true });
  assert.deepEqual(await set.propose(update("b.ts", "b", "c")), { ok: true });
  const refused = await set.propose(update("a.ts", "nine", "ten"));
  assert.match(refused.ok ? "" : refused.why, /a\.ts/);
  assert.deepEqual([set.live("a.ts"), set.proposed("a.ts")], ["one\n", "two\n"]);
  const [first, second] = set.hunks();
  assert.deepEqual([first?.path, first?.removed, first?.added], ["a.ts", ["one"], ["two"]]);
  assert.equal(set.accept([first?.id ?? ""]), true);
  assert.equal(set.reject([second?.id ?? ""], "not now"), true);
  assert.deepEqual([set.live("a.ts"), set.live("b.ts")], ["two\n", "b\n"]);
  assert.match(set.news().join("\n"), /not now/);
  set.undo();
  assert.equal(set.live("a.ts"), "one\n");
  assert.deepEqual(set.hunks(), []);
});

test("merge3 merges the changes of one side and counts conflicts", () => {
  assert.deepEqual(merge3("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n"), { text: "A\nb\nC\n", conflicts: 0 });
  assert.deepEqual(merge3("a\n", "b\n", "c\n"), { text: "b\n", conflicts: 1 });
});

test("isSecretName and withoutSecrets detect secret file names and remove secrets from text", () => {
  assert.deepEqual([".env", "~/.ssh/id_rsa", "src\\env.ts"].map(isSecretName), [true, true, false]);
  const [secret = ""] = Object.values(sampleSecrets);
  const cleaned = withoutSecrets(`before\n${secret}\nafter`);
  assert.ok(!cleaned.includes(secret), cleaned);
  assert.match(cleaned, /^before\n.*\nafter$/s);
});

describe("riskFlags", () => {
  test("lists the reasons to review a change, the most serious first", () => {
    const before = 'test("adds", () => {\n  assert.equal(add(1, 2), 3);\n});\n';
    const change = { path: "test/add.test.ts", before, after: before.replace("test(", "test.skip(") };
    assert.deepEqual(riskFlags(change), ["test-weakened"]);
    assert.deepEqual(riskFlags({ ...change, asked: ["src/"] }), ["test-weakened", "out-of-scope"]);
  });

  test("is empty for an ordinary change", () => {
    assert.deepEqual(riskFlags({ path: "a.ts", before: "let a = 1;\n", after: "let a = 2;\n" }), []);
  });
});

describe("checkProposal", () => {
  const command =
    'test -e lost && exit 3; grep -Hn wrong a.ts | sed "s/:.*//; s/$/(1,1): error TS2322: It is wrong./"; ! grep -q wrong a.ts';

  test("reports findings that a command has with the patch and not without it", async (t) => {
    const root = folderWith(t, { "a.ts": "right\n" });
    const checked = await checkProposal(root, update("a.ts", "right", "wrong"), [{ name: "types", command }]);
    assert.equal(checked.state, "new-findings");
    assert.deepEqual(checked.newFindings, [
      { name: "types", path: "a.ts", line: 1, column: 1, code: "TS2322", text: "It is wrong." },
    ]);
    const { baseline, proposed } = checked;
    assert.deepEqual(
      [...baseline, ...proposed].map(({ name, end, code }) => [name, end, code]),
      [
        ["types", "done", 0],
        ["types", "done", 1],
      ],
    );
    assert.match(proposed[0]?.output ?? "", /^a\.ts\(1,1\): error/);
    assert.equal(readFileSync(join(root, "a.ts"), "utf8"), "right\n");
  });

  test("ignores findings that existed before and reports the most severe state of several commands", async (t) => {
    const root = folderWith(t, { "a.ts": "wrong\nmore\n" });
    const patch = update("a.ts", "more", "less");
    assert.equal((await checkProposal(root, patch, [command])).state, "no-new");
    const several = await checkProposal(root, patch, ["true", "grep -q more a.ts", command]);
    assert.deepEqual([several.state, several.newFindings.length], ["new-findings", 1]);
    assert.equal((await checkProposal(root, patch, ["true"])).state, "passed");
  });
});

describe("oneTurn", () => {
  test("returns a turn as plain data and sends the offered tools", async (t) => {
    const { sim, connection } = await simulated(t);
    sim.reply(text("Let me see."), call("read_file", { path: "a.ts" }));
    const turn = await oneTurn({ ...connection, route: "responses", prompt: "Read a.ts.", tools: offered });
    assert.deepEqual([turn.status, turn.text, turn.requests], ["completed", "Let me see.", 1]);
    assert.deepEqual(
      turn.runnable.map(({ name, input }) => [name, JSON.parse(input)]),
      [["read_file", { path: "a.ts" }]],
    );
    assert.equal(JSON.stringify(sim.requests[0]?.body["tools"]), `[${offered.join(",")}]`);
  });

  test("returns a patch exactly as the model wrote it", async (t) => {
    const { sim, connection } = await simulated(t);
    const patch = update("a.ts", "one", "two");
    sim.reply(patchCall(patch));
    const turn = await oneTurn({ ...connection, route: "responses", prompt: "Change it.", tools: offered });
    assert.deepEqual(
      turn.runnable.map(({ name, input }) => [name, input]),
      [["apply_patch", patch]],
    );
  });

  test("reports a problem in English", async (t) => {
    const { connection } = await simulated(t);
    const turn = await oneTurn({ ...connection, key: "wrong", route: "chat", prompt: "Hi" });
    assert.deepEqual([turn.status, turn.problem?.kind], ["failed", "auth"]);
    assert.match(turn.problem?.message ?? "", /key/i);
    assert.deepEqual(Object.keys(turn.problem ?? {}), ["kind", "message"]);
  });
});

test("offered holds the definitions of the product's tools, except run_checks", () => {
  const names = offered.map((raw) => (JSON.parse(raw) as { name: string }).name);
  const own = ownTools.flatMap(({ name, needs }) => (needs === undefined ? [name] : []));
  assert.deepEqual(names, own.sort());
});

test("serviceClient responds, chats, estimates tokens and deletes files", async (t) => {
  const { sim, connection } = await simulated(t, { files: ["file_1"] });
  const client = serviceClient({ ...connection, deps: { wait: async () => {} } });
  t.after(() => client.close());
  sim.reply(text("Hello."));
  assert.equal((await client.respond({ input: "Hi", instructions: "Be short." })).text, "Hello.");
  assert.equal(sim.requests[0]?.body["instructions"], "Be short.");
  sim.reply(text("Hello again."));
  const messages = [{ role: "user", content: "Hi" }] as const;
  assert.equal((await client.chat({ model: "svc-k2.6", messages })).text, "Hello again.");
  const { tokens = 0 } = await client.estimate({ model: "svc-k2.6", messages });
  assert.ok(tokens > 0);
  assert.deepEqual(await client.deleteFile("file_1"), { status: "deleted" });
  const { status, problem } = await client.deleteFile("file_1");
  assert.deepEqual([status, problem?.kind, typeof problem?.message], ["not-found", "not-found", "string"]);
});

test("languageModelProvider returns text, reasoning, tool calls and problems", async (t) => {
  const { sim, connection } = await simulated(t);
  const provider = languageModelProvider(connection);
  t.after(() => provider.close());
  const tools = [
    {
      name: "look_up",
      description: "Looks up.",
      parameters: { type: "object", properties: { word: { type: "string" } } },
    },
  ];
  const asked = [{ role: "user", parts: [{ kind: "text", text: "What is it?" }] }] as const;
  sim.reply(reasoning("Let me think."), text("I look."), call("look_up", { word: "it" }));
  const first = await provider.ask({ model: "svc-k3", messages: asked, tools });
  assert.deepEqual([first.text, first.reasoning, first.problem], ["I look.", "Let me think.", undefined]);
  assert.deepEqual(
    first.calls.map(({ name, input }) => [name, input]),
    [["look_up", { word: "it" }]],
  );
  assert.ok((first.usage?.total ?? 0) > 0);
  const parts = first.calls.map((each) => ({ kind: "call" as const, ...each }));
  const results = first.calls.map(({ id }) => ({ kind: "result" as const, id, text: "A thing." }));
  sim.reply(text("A thing."));
  const next = await provider.ask({
    model: "svc-k3",
    messages: [...asked, { role: "assistant", parts }, { role: "user", parts: results }],
    tools,
  });
  assert.equal(next.text, "A thing.");
  const sent = (sim.requests.at(-1)?.body["input"] ?? []) as readonly { readonly type: string }[];
  const types = ["message", "reasoning", "message", "function_call", "function_call_output"];
  assert.deepEqual(
    sent.map(({ type }) => type),
    types,
  );
  const refused = languageModelProvider({ ...connection, key: "wrong" });
  t.after(() => refused.close());
  const { problem } = await refused.ask({ model: "svc-k2.6", messages: asked });
  assert.deepEqual([problem?.kind, typeof problem?.message], ["auth", "string"]);
});
