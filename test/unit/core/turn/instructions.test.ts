import assert from "node:assert/strict";
import { test } from "node:test";
import { message } from "../../../../src/core/messages/message.ts";
import { reading, startTalk } from "../../../support/talk.ts";
import { prefix, say } from "./opening-talk.ts";

test("what the workspace says of itself is read once, shown as the first chip, and frozen", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/AGENTS.md", `Use tabs.\u200b\nToken ghp_${"e".repeat(36)}`);
  const first = await say(talk);
  assert.deepEqual(first.attachments, [
    {
      kind: "instructions",
      label: "AGENTS.md",
      path: "AGENTS.md",
      bytes: 40,
      notes: [message("noteWritten"), message("noteOneSecret")],
    },
  ]);
  const before = prefix(talk);
  assert.match(
    before.instructions,
    /<instructions path="AGENTS.md">\nUse tabs\.\\u\{200B\}\nToken \[secret removed\]\n<\/instructions>$/,
  );
  talk.workspace.write("work/AGENTS.md", "Use spaces.");
  const second = await say(talk);
  assert.deepEqual(second.attachments, []);
  assert.deepEqual(prefix(talk), before);
  const later = talk.reopen();
  await say(later);
  assert.deepEqual(prefix(later), before);
  talk.sim.done();
});

test("a file whose writing needs characters that nobody sees goes as it is", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/AGENTS.md", "به فارسی می\u200Cنویسیم.\r\nروشن 🏳️\u200D🌈.");
  const { attachments } = await say(talk);
  assert.deepEqual(attachments?.[0]?.notes ?? [], []);
  assert.ok(prefix(talk).instructions.includes("به فارسی می\u200Cنویسیم.\nروشن 🏳️\u200D🌈."));
});

test("each folder has its own; an untrusted workspace has none, and neither has one whose user wants none", async () => {
  const untrusted = await startTalk();
  untrusted.workspace.write("work/AGENTS.md", "canary");
  untrusted.workspace.trusted = false;
  await say(untrusted);
  assert.doesNotMatch(prefix(untrusted).instructions, /canary/);

  const unwanted = await startTalk({ settings: { instructions: { user: "", workspaceFile: false } } });
  unwanted.workspace.write("work/AGENTS.md", "canary");
  await say(unwanted);
  assert.doesNotMatch(prefix(unwanted).instructions, /canary/);
  assert.ok(!unwanted.workspace.handedOut.includes("work/AGENTS.md"));
});

test("the user's own words stand in every conversation, on both routes", async () => {
  const talk = await startTalk({
    settings: { instructions: { user: " Answer in German. ", workspaceFile: true } },
  });
  await say(talk);
  assert.match(prefix(talk).instructions, /The user wants this in every conversation:\nAnswer in German\.$/);
  await say(talk, "Hi.", "svc-k2.6");
  const [system] = talk.bodies().at(-1)?.body["messages"] as { role: string; content: string }[];
  assert.equal(system?.role, "system");
  assert.match(system?.content ?? "", /Answer in German\.$/);
  assert.doesNotMatch(system?.content ?? "", /apply_patch/);
});

test("web search is switched in the middle of a conversation: said once, and the rest of the prefix stays", async () => {
  const talk = await startTalk();
  await say(talk);
  const before = prefix(talk);
  talk.conversation.choose({ webSearch: true });
  const turn = await say(talk);
  assert.deepEqual(reading(turn), ["note Web search turned on. The cache was reset.", "text Hello."]);
  assert.deepEqual(prefix(talk).tools, [...before.tools, { type: "web_search" }]);
  assert.equal(prefix(talk).instructions, before.instructions);
  assert.deepEqual(reading(await say(talk)), ["text Hello."]);
  const later = talk.reopen();
  assert.equal(later.conversation.choices.webSearch, true);
  assert.deepEqual(reading(await say(later)), ["text Hello."]);
  later.conversation.choose({ webSearch: false });
  assert.match(reading(await say(later))[0] ?? "", /Web search turned off/);
  assert.deepEqual(prefix(later), before);
  talk.sim.done();
});

test("a workspace that is trusted later gets its tools and its own instructions", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/AGENTS.md", "Use tabs.");
  talk.workspace.trusted = false;
  await say(talk);
  assert.deepEqual(prefix(talk).tools, []);
  talk.workspace.trusted = true;
  const turn = await say(talk);
  assert.match(reading(turn)[0] ?? "", /More tools turned on/);
  assert.equal(turn.attachments[0]?.label, "AGENTS.md");
  assert.match(prefix(talk).instructions, /apply_patch[\s\S]*Use tabs\./);
  const keys = talk.bodies().map(({ body }) => body["prompt_cache_key"]);
  assert.equal(new Set(keys).size, 1);
});
