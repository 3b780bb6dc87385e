// Replies made to hold the editor, through the client, the turn and its tools: each ends in a sentence. That the thread
// is not held meanwhile is what all these tests are watched for.
import assert from "node:assert/strict";
import { test } from "node:test";
import { deepPath, errorOfTokens, escapedContent, escapedPatch, manyItems } from "../../sim/heavy.ts";
import { text } from "../../sim/script.ts";
import { startTalk, type Talk } from "../../support/talk.ts";

const deep = `"${"a/".repeat(50)}…" cannot be read: it is too long.`;
/** More of them would be cut off at the limit of the model. */
const count = 8;

const outputs = (talk: Talk): string[] =>
  (talk.bodies().at(-1)?.input ?? []).flatMap(({ output }) => (output === undefined ? [] : [String(output)]));

test("read_file refuses a path of two thousand folders in one sentence", async () => {
  const talk = await startTalk();
  talk.sim.reply(...Array.from({ length: count }, (_, at) => deepPath(2046, `${at}.ts`)));
  talk.sim.reply(text("Too deep."));
  const { status } = await talk.ask("Read them.");
  assert.equal(status, "done");
  assert.equal(outputs(talk).length, count);
  for (const output of outputs(talk)) assert.equal(output, deep);
  talk.sim.done();
});

test("an error text of 240 KB with repeated token prefixes becomes one short message", async () => {
  const talk = await startTalk();
  // Nothing of it can be read: asked once more in the plainest form.
  for (const _ of [1, 2]) talk.sim.reply(errorOfTokens(240_000));
  const { status, problem } = await talk.ask("Hello.");
  assert.equal(status, "failed");
  assert.deepEqual(problem?.message, { code: "problemRefused", args: { detail: ".", status: "400" } });
  assert.ok(JSON.stringify(problem).length < 10_000);
  talk.sim.done();
});

test("a response of half a million items is refused with one message", async () => {
  const talk = await startTalk();
  talk.sim.reply(manyItems(500_000));
  const { problem, parts } = await talk.ask("Hello.");
  assert.deepEqual(problem?.message, { code: "problemSize" });
  assert.deepEqual(parts, []);
  talk.sim.done();
});

test("a patch of a million escapes is refused with a message to the user and the model", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.txt", "a\n");
  talk.sim.reply(escapedPatch(1_100_000));
  talk.sim.reply(text("Too long."));
  const [patch] = (await talk.ask("Change it.")).parts;
  assert.deepEqual(patch?.type === "patch" && patch.message, {
    code: "patchTooLarge",
    args: { why: { code: "whyLong" } },
  });
  assert.match(outputs(talk).join(), /^apply_patch verification failed: it is longer than 1 MiB\./);
  talk.sim.done();
});

test("a patch of four million escapes exceeds the size limit of a response", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.txt", "a\n");
  talk.sim.reply(escapedPatch(4_000_000));
  const { problem } = await talk.ask("Change it.");
  assert.deepEqual(problem?.message, { code: "problemSize" });
  talk.sim.done();
});

test("encrypted content of a million escapes is sent back unchanged", async () => {
  const talk = await startTalk();
  talk.sim.reply(escapedContent(1_100_000), text("Thought."));
  talk.sim.reply(text("Again."));
  await talk.ask("Think.");
  await talk.ask("And now?");
  const contents = talk
    .bodies()
    .at(-1)
    ?.input.map((item) => item["encrypted_content"]);
  assert.ok(contents?.includes("\n".repeat(1_100_000)));
  talk.sim.done();
});
