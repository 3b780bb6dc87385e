// The way in for corpora: one conversation on the product's own parts.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { holdBefore } from "../../sim/delivery-faults.ts";
import { patchCall, text } from "../../sim/script.ts";
import { startSimulator } from "../../sim/simulator.ts";
import { oneConversation } from "../../support/one-conversation.ts";

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

test("a patch holds nothing up: the turn ends, the patch waits, is accepted, and the file is changed", async (t) => {
  const { sim, one } = await open(t, { "src/a.ts": "one\n", "README.md": "Hi\n" });
  sim.reply(text("I will."), patchCall(change));
  sim.reply(text("Done."));
  const ended = await one.ask("Change it.");
  assert.deepEqual([ended.status, ended.text, ended.rows], ["done", "I will.Done.", ["patch proposed"]]);
  assert.deepEqual(
    one.pending().map(({ path }) => path),
    ["src/a.ts"],
  );
  assert.equal(one.files()["src/a.ts"], "one\n");
  const done = await one.accept();
  assert.deepEqual([done.status, done.rows], ["done", ["patch applied"]]);
  assert.deepEqual([one.files()["src/a.ts"], one.pending()], ["two\n", []]);
});

test("what is rejected changes nothing, and a refused key is an answer, not an error", async (t) => {
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
  await refused.close();
});

test("what is attached goes along, to the model that is named; a stopped answer is an answer, and so is one of nobody", async (t) => {
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
