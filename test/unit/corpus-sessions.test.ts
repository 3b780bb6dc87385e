// Conversations for corpora and drivers outside of this tree, on the product's own parts: in memory, and on a real folder.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { holdBefore } from "../sim/delivery-faults.ts";
import { call, incomplete, patchCall, text } from "../sim/script.ts";
import { startSimulator } from "../sim/simulator.ts";
import { type LiveOptions, liveSession, oneConversation } from "../support/corpus.ts";

async function open(t: TestContext, files: Readonly<Record<string, string>>) {
  const sim = await startSimulator();
  const one = await oneConversation({ baseUrl: sim.url, key: sim.key, files });
  t.after(async () => {
    await one.close();
    await sim.close();
  });
  return { sim, one };
}

const change = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-one\n+two\n*** End Patch";

test("oneConversation ends the turn while a patch is pending and writes the file on accept", async (t) => {
  const { sim, one } = await open(t, { "src/a.ts": "one\n", "README.md": "Hi\n" });
  sim.reply(text("I will."), patchCall(change));
  sim.reply(text("Done."));
  const ended = await one.ask("Change it.");
  assert.deepEqual([ended.status, ended.text, ended.rows], ["done", "I will.\n\nDone.", ["patch proposed"]]);
  assert.deepEqual(
    one.pending().map(({ path }) => path),
    ["src/a.ts"],
  );
  assert.equal(one.files()["src/a.ts"], "one\n");
  const done = await one.accept();
  assert.deepEqual([done.status, done.rows], ["done", ["patch applied"]]);
  assert.deepEqual([one.files()["src/a.ts"], one.pending()], ["two\n", []]);
});

test("oneConversation leaves a file unchanged on reject and reports a refused key as a failed turn", async (t) => {
  const { sim, one } = await open(t, { "src/a.ts": "one\n" });
  sim.reply(patchCall(change));
  sim.reply(text("As you wish."));
  await one.ask("Change it.");
  const [pending] = one.pending();
  const done = await one.reject([pending?.id ?? ""], "not now");
  assert.deepEqual([done.status, one.files()["src/a.ts"]], ["done", "one\n"]);
  sim.reply(text("I see."));
  await one.ask("Go on.");
  assert.match(sim.requests.at(-1)?.raw.toString("utf8") ?? "", /not now/);
  const refused = await oneConversation({ baseUrl: sim.url, key: "wrong", files: {} });
  const answer = await refused.ask("Hello");
  assert.deepEqual([answer.status, answer.problem?.kind], ["failed", "auth"]);
  assert.match(answer.problem?.message ?? "", /key/i);
  await refused.close();
});

test("oneConversation sends attachments to the named model and reports stopped and unconfigured turns", async (t) => {
  const { sim, one } = await open(t, { "src/a.ts": "canary\n" });
  sim.reply(text("I see."));
  const attachments = [{ kind: "file", path: "src/a.ts" }] as const;
  const seen = await one.ask("Look.", { model: "svc-k2.6", attachments });
  assert.equal(seen.text, "I see.");
  assert.equal(sim.requests[0]?.body["model"], "svc-k2.6");
  assert.match(sim.requests[0]?.raw.toString("utf8") ?? "", /canary/);
  const hold = holdBefore(2);
  let heard = () => {};
  const asked = new Promise<void>((resolve) => {
    heard = resolve;
  });
  sim.replyWith(() => {
    heard();
    return [text("For ever."), hold];
  });
  const answer = one.ask("Go on.");
  await asked;
  one.stop();
  assert.equal((await answer).status, "stopped");
  for (const baseUrl of ["", "nowhere", sim.url]) {
    const other = await oneConversation({ baseUrl, key: "", files: {} });
    const { status, problem } = await other.ask("Hello?");
    assert.equal(status, "failed");
    assert.equal(problem?.kind, baseUrl === sim.url ? "no-key" : "not-configured");
    assert.equal((await other.accept(["none"])).status, "failed");
    await other.close();
  }
});

test("oneConversation sends an expensive question only after accept", async (t) => {
  const { sim } = await open(t, {});
  const settings = { askAboveTokens: 100 };
  const one = await oneConversation({ baseUrl: sim.url, key: sim.key, files: {}, settings });
  t.after(() => one.close());
  const long = "word ".repeat(2000);
  const first = await one.ask(long);
  assert.deepEqual([first.status, sim.requests.length], ["waiting", 0]);
  assert.match(first.question ?? "", /tokens/);
  await one.reject();
  assert.equal(sim.requests.length, 0);
  sim.reply(text("I see."));
  assert.equal((await one.ask(long)).status, "waiting");
  const sent = await one.accept();
  assert.deepEqual([sent.status, sent.text, sim.requests.length], ["done", "I see.", 1]);
});

describe("liveSession", () => {
  async function live(
    t: TestContext,
    files: Readonly<Record<string, string | Uint8Array>>,
    options: Partial<LiveOptions> = {},
  ) {
    const sim = await startSimulator();
    const root = mkdtempSync(join(realpathSync(tmpdir()), "patchbay-live-"));
    for (const [path, bytes] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), bytes);
    }
    const session = liveSession(root, { baseUrl: sim.url, key: sim.key, ...options });
    t.after(async () => {
      await session.close();
      await sim.close();
      rmSync(root, { recursive: true, force: true });
    });
    const bytesOf = (path: string) => readFileSync(join(root, path));
    return { sim, root, session, bytesOf, on: (path: string) => bytesOf(path).toString("utf8") };
  }

  test("reads the folder with the product's tools, proposes a patch, and writes what is accepted", async (t) => {
    const { sim, session, on } = await live(t, { "src/a.ts": "one\n", "notes.md": "canary\n" });
    sim.reply(call("search_text", { query: "one" }));
    sim.reply(patchCall(change));
    sim.reply(text("Done."));
    const answer = await session.send("Change it.", ["notes.md"]);
    const rows = ["search_text done", "patch proposed"];
    assert.deepEqual([answer.status, answer.text, answer.rows], ["done", "Done.", rows]);
    assert.match(sim.requests[0]?.raw.toString("utf8") ?? "", /canary/);
    assert.match(sim.requests[1]?.raw.toString("utf8") ?? "", /src\/a\.ts/);
    const [proposal] = await session.proposals();
    const [hunk] = proposal?.hunks ?? [];
    assert.deepEqual(
      [proposal?.kind, proposal?.path, hunk?.added, hunk?.removed, hunk?.flags],
      ["update", "src/a.ts", 1, 1, ["out-of-scope"]],
    );
    assert.equal(on("src/a.ts"), "one\n");
    const accepted = await session.accept();
    assert.deepEqual([accepted.rows.at(-1), accepted.notApplied], ["patch applied", undefined]);
    assert.deepEqual([on("src/a.ts"), await session.proposals()], ["two\n", []]);
    const { status, turns } = session.state();
    assert.deepEqual([status, turns.length, turns[0]?.prompt], ["done", 1, "Change it."]);
    assert.equal(turns[0]?.usage.length, 3);
    assert.ok(turns[0]?.usage.every(({ input = 0 }) => input > 0));
  });

  test("reports a conflict when a file changed since the proposal, and does not apply the hunk", async (t) => {
    const { sim, root, session, on } = await live(t, { "src/a.ts": "one\n" });
    sim.reply(patchCall(change));
    sim.reply(text("Done."));
    await session.send("Change it.");
    writeFileSync(join(root, "src/a.ts"), "another\n");
    const [proposal] = await session.proposals();
    assert.deepEqual([proposal?.hunks, proposal?.conflicts], [[], 1]);
    await session.accept();
    assert.equal(on("src/a.ts"), "another\n");
    const rejected = await session.reject(undefined, "too late");
    assert.deepEqual(rejected.rows, ["patch rejected"]);
    assert.deepEqual([on("src/a.ts"), await session.proposals()], ["another\n", []]);
    sim.reply(text("I see."));
    await session.send("Go on.");
    assert.match(sim.requests.at(-1)?.raw.toString("utf8") ?? "", /too late/);
  });

  test("applies nothing when accept names an unknown ID", async (t) => {
    const { sim, session, on } = await live(t, { "src/a.ts": "one\n" });
    sim.reply(patchCall(change));
    sim.reply(text("Done."));
    await session.send("Change it.");
    const { notApplied = "" } = await session.accept(["nothing of this name"]);
    assert.match(notApplied, /not what is proposed/);
    assert.equal(on("src/a.ts"), "one\n");
    assert.equal((await session.proposals()).length, 1);
  });

  test("keeps the encoding of a UTF-16 file, and adds, moves and deletes files", async (t) => {
    const { sim, session, bytesOf, on } = await live(t, {
      "wide.txt": Buffer.from("\ufeffone\r\nzwölf\r\n", "utf16le"),
      "old.ts": "old\n",
      "gone.ts": "gone\n",
    });
    const patch = [
      "*** Begin Patch",
      "*** Update File: wide.txt",
      "@@",
      "-one",
      "+two",
      "*** Add File: new/b.ts",
      "+b",
      "*** Delete File: gone.ts",
      "*** Update File: old.ts",
      "*** Move to: new/old.ts",
      "*** End Patch",
    ].join("\n");
    sim.reply(patchCall(patch));
    sim.reply(text("Done."));
    await session.send("Change them.");
    assert.deepEqual((await session.proposals()).map(({ kind, path, to }) => [kind, path, to]).sort(), [
      ["add", "new/b.ts", undefined],
      ["delete", "gone.ts", undefined],
      ["move", "old.ts", "new/old.ts"],
      ["update", "wide.txt", undefined],
    ]);
    assert.equal((await session.accept()).notApplied, undefined);
    assert.equal(bytesOf("wide.txt").toString("utf16le"), "\ufefftwo\r\nzwölf\r\n");
    assert.deepEqual([on("new/b.ts"), on("new/old.ts")], ["b\n", "old\n"]);
    assert.throws(() => on("gone.ts"), /ENOENT/);
  });

  test("runs checks on a proposal and returns their findings to the model", async (t) => {
    const command =
      'if grep -rq two src; then for f in src/*; do echo "$f(1,1): error TS1: Not two."; done; exit 1; fi';
    const { sim, session } = await live(t, { "src/a.ts": "one\n" }, { checks: [{ name: "types", command }] });
    sim.reply(patchCall(change));
    sim.reply(text("Done."));
    sim.reply(patchCall(change.replace("-one\n+two", "-two\n+three")));
    sim.reply(text("Mended."));
    const answer = await session.send("Change it.");
    assert.equal(answer.text, "Done.\n\nMended.");
    assert.match(sim.requests[2]?.raw.toString("utf8") ?? "", /TS1 Not two\./);
    assert.deepEqual(session.state().checks, [{ name: "types", state: "passed", newFindings: 0 }]);
  });

  test("runs a check that executes proposed code without asking", async (t) => {
    const { sim, session } = await live(t, { "src/a.ts": "true\n" }, { checks: ["sh src/a.ts"] });
    sim.reply(
      patchCall(change.replace("-one\n+two", "-true\n+echo 'src/a.ts(1,1): error TS1: It ran.'; false")),
    );
    sim.reply(text("Done."));
    sim.reply(text("I see."));
    await session.send("Change it.");
    const [check] = session.state().checks;
    assert.deepEqual([check?.state, check?.newFindings], ["new-findings", 1]);
  });

  test("passes a command, an output limit and editor problems to the turn", async (t) => {
    const problems = [{ path: "src/a.ts", line: 1, message: "It is not two." }];
    const { sim, session } = await live(t, { "src/a.ts": "one\n" }, { problems });
    sim.reply(call("problems", {}));
    sim.reply(text("I see."));
    const how = { command: "explain", outputTokens: 500 };
    const answer = await session.send("What is wrong?", ["src/a.ts"], how);
    assert.deepEqual([answer.status, answer.rows], ["done", ["problems done"]]);
    assert.equal(sim.requests[0]?.body["max_output_tokens"], 500);
    assert.match(session.state().turns[0]?.prompt ?? "", /^\/explain/);
    assert.match(sim.requests[1]?.raw.toString("utf8") ?? "", /It is not two\./);
  });

  test("continues after a limit, summarizes after confirmation, and reports every event", async (t) => {
    const events: unknown[] = [];
    const { sim, session } = await live(
      t,
      { "a.ts": "one\n" },
      { model: "svc-k3", settings: { limits: { steps: 1 } }, onEvent: (event) => events.push(event) },
    );
    sim.reply(text("I begin"), incomplete());
    const cut = await session.send("Write.");
    assert.deepEqual([cut.status, cut.problem?.kind], ["incomplete", "limit"]);
    sim.reply(text(" and end."));
    assert.deepEqual([(await session.goOn()).status, session.state().turns.length], ["done", 2]);
    sim.reply(text("They wanted words."));
    const asked = await session.compact();
    assert.equal(asked.status, "waiting");
    assert.equal((await session.accept()).text, "They wanted words.");
    assert.ok(events.length > 5);
  });
});
