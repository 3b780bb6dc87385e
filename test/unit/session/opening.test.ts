import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { message } from "../../../src/conversation/messages.ts";
import { guardFiles } from "../../../src/files/guarded-files.ts";
import { standingInstructions } from "../../../src/session/internal/instruction-files.ts";
import { settleOpening } from "../../../src/session/internal/opening.ts";
import { english } from "../../support/english.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { reading, startTalk } from "../../support/talk.ts";
import { prefix, say } from "./opening-talk.ts";

test("the workspace's instructions file is read once, shown as the first chip and frozen", async () => {
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

test("an instructions file keeps the invisible characters that its script needs", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/AGENTS.md", "به فارسی می\u200Cنویسیم.\r\nروشن 🏳️\u200D🌈.");
  const { attachments } = await say(talk);
  assert.deepEqual(attachments?.[0]?.notes ?? [], []);
  assert.ok(prefix(talk).instructions.includes("به فارسی می\u200Cنویسیم.\nروشن 🏳️\u200D🌈."));
});

test("an instructions file is ignored in an untrusted workspace and where the setting is off", async () => {
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

test("the user's own instructions are part of every conversation, on both routes", async () => {
  const talk = await startTalk({
    settings: { instructions: { user: " Answer in German. ", workspaceFile: true } },
  });
  await say(talk);
  const { instructions } = prefix(talk);
  assert.match(instructions, /The user wants this in every conversation:\nAnswer in German\.$/);
  await say(talk, "Hi.", "svc-k2.6");
  const [system] = talk.bodies().at(-1)?.body["messages"] as { role: string; content: string }[];
  assert.equal(system?.role, "system");
  assert.ok(system?.content.startsWith(`${instructions}\n\nYou can call tools.`));
});

test("web search switched midway is noted once and leaves the rest of the prefix unchanged", async () => {
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

test("a workspace trusted midway gets its tools and its instructions file", async () => {
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

test("a long instructions file is cut at a line, names the next line and shows its tokens on the chip", async () => {
  const talk = await startTalk();
  const lines = Array.from({ length: 2000 }, (_, at) => `Rule ${at + 1}: never leave this out.`);
  talk.workspace.write("work/AGENTS.md", lines.join("\n"));
  const { attachments } = await say(talk);
  const { bytes = 0, notes } = attachments?.[0] ?? {};
  const tokens = Math.round(bytes / 4);
  assert.deepEqual(notes, [message("noteBeginning"), message("noteEachRequest", { tokens })]);
  const [, last = "", next = ""] =
    /Rule (\d+): never leave this out\.\n\[Only the beginning of AGENTS\.md is shown\. The rest begins at line (\d+)\.\]\n<\/instructions>$/.exec(
      prefix(talk).instructions,
    ) ?? assert.fail();
  assert.equal(Number(next), Number(last) + 1);
  talk.sim.done();
});

test("a cut instructions file lists the headings of its rest with their lines", async () => {
  const talk = await startTalk();
  const rest = ["## Tests", "Run them.", "```", "# no heading", "```", "### Style", "#hashtag"];
  const shown = `# Rules\n${"Never do it.\n".repeat(1_260)}`;
  talk.workspace.write("work/AGENTS.md", `${shown}${rest.join("\n")}\n`);
  await say(talk);
  const { instructions } = prefix(talk);
  assert.match(
    instructions,
    /\[Only the beginning of AGENTS\.md is shown\. The rest begins at line 1261\. Read there what your task needs: 1262 Tests; 1267 Style\.\]/,
  );
  assert.ok(Buffer.byteLength(instructions) < 20 * 1024);
  talk.sim.done();
});

describe("the chip of a workspace's instructions", () => {
  test("shows the tokens that each request carries, above 12 KiB", async () => {
    const workspace = createFolderWorkspace();
    const files = guardFiles(workspace, () => ({ ignore: [], alsoIgnore: [] }));
    const chipOf = async (bytes: number) => {
      workspace.write("work/AGENTS.md", "x".repeat(bytes));
      const standing = { user: "", workspaceFile: true };
      const count = (text: string) => ({ tokens: text.length - 12_000, exact: false });
      const workspaceInstructions = () => standingInstructions({ workspace, files });
      const deps = { workspaceInstructions, offered: [], wantsSearch: false, standing, count };
      const [chip] = (await settleOpening(undefined, deps, { at: 0, cacheId: "c" })).chips;
      return chip;
    };
    const heavy = await chipOf(12 * 1024 + 1);
    assert.equal(heavy?.tokens, 289);
    assert.equal(english(heavy?.notes), "Every request of the conversation sends it again: ≈289 tokens.");
    assert.equal((await chipOf(12 * 1024))?.notes, undefined);
  });
});
