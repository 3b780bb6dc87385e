// Edits of chat models: a block with the patch as it is, proposed into the same change set as those of tools. A patch in
// any other place is text, which a person may propose.
import assert from "node:assert/strict";
import { test } from "node:test";
import { patchIn } from "../../../src/tools/apply-patch.ts";
import { cutAfterEvents } from "../../sim/delivery-faults.ts";
import { patchCall, text } from "../../sim/script.ts";
import { english } from "../../support/english.ts";
import { lastBody, reading, startTalk } from "../../support/talk.ts";
import { says } from "../../support/text-calls.ts";

const edit = (before: string, after: string) =>
  `*** Begin Patch\n*** Update File: a.ts\n@@\n-${before}\n+${after}\n*** End Patch`;

for (const model of ["svc-k2.7-code", "svc-k2.7-code-highspeed", "svc-k2.6"])
  test(`a patch block of ${model} is proposed and can be accepted like any other`, async () => {
    const talk = await startTalk({ profile: "interface-strict", service: { streamUsage: false } });
    talk.workspace.write("work/a.ts", "one\n");
    talk.decide = () => ({ kind: "accept" });
    talk.sim.replyWith(says(({ patch }) => `I make it loud.\n\n${patch(edit("one", "ONE"))}`));
    talk.sim.reply(text("It is loud."));
    const turn = await talk.ask("Make it loud.", model);
    assert.equal(turn.status, "done");
    assert.deepEqual(reading(turn), ["text I make it loud.\n\n", "patch applied", "text It is loud."]);
    assert.equal(talk.workspace.text("work/a.ts"), "ONE\n");
    talk.sim.reply(text("Yes."));
    await talk.ask("Is it done?", model);
    assert.match(lastBody(talk).raw, /Success.*was accepted and is in the files.*Is it done/);
    talk.sim.done();
  });

test("a patch block is shown line by line while it arrives, on the row that it keeps", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "one\n");
  talk.sim.replyWith(says(({ patch }) => patch(edit("one", "ONE"))));
  talk.sim.reply(text("Done."));
  await talk.ask("Edit.", "svc-k2.7-code");
  const rows = talk.events.flatMap((event) => (event.type === "patch" ? [event] : []));
  assert.equal(rows[0]?.status, "arriving");
  assert.ok(rows.some(({ status, files }) => status === "arriving" && files[0]?.path === "a.ts"));
  assert.equal(new Set(rows.map(({ id }) => id)).size, 1);
  assert.equal(rows.at(-1)?.status, "proposed");
  talk.sim.done();
});

test("a refused patch is explained on its row and to the model", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "one\n");
  talk.sim.replyWith(says(({ patch }) => patch(edit("uno", "ONE"))));
  talk.sim.replyWith(says(({ patch }) => patch(edit("one", "ONE"))));
  talk.sim.reply(text("Done."));
  const turn = await talk.ask("Edit.", "svc-k2.7-code");
  const rows = turn.parts.flatMap((part) => (part.type === "patch" ? [part] : []));
  assert.deepEqual(
    rows.map(({ status }) => status),
    ["failed", "proposed"],
  );
  assert.match(english(rows[0]?.message), /fits nowhere/);
  talk.sim.done();
});

test("a patch as an argument of a call in JSON is proposed as well", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "one\n");
  talk.sim.replyWith(says(({ call }) => call("apply_patch", { input: edit("one", "ONE") })));
  talk.sim.reply(text("Done."));
  assert.deepEqual(reading(await talk.ask("Edit.", "svc-k2.7-code")), ["patch proposed", "text Done."]);
  talk.sim.done();
});

test("a patch in another place than its block is text", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "one\n");
  const patch = edit("one", "ONE");
  const diff = "diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-one\n+ONE";
  for (const words of [
    `The file says:\n${patch}`,
    `Here:\n\n\`\`\`patch\n${patch}\n\`\`\``,
    `Here:\n\n\`\`\`diff\n${diff}\n\`\`\``,
    `<apply_patch>\n${patch}\n</apply_patch>`,
    `<apply_patch_000000000000>\n${patch}\n</apply_patch_000000000000>`,
  ]) {
    talk.sim.reply(text(words));
    const turn = await talk.ask("What does it say?", "svc-k2.7-code");
    assert.deepEqual(reading(turn), [`text ${words}`]);
  }
  assert.equal(talk.conversation.changes.pending.length, 0);
  talk.sim.done();
});

test("an incomplete response proposes no patch and shows nothing of its block", async () => {
  const talk = await startTalk({ assistant: () => [text("Done.")] });
  talk.workspace.write("work/a.ts", "one\n");
  for (let events = 1; events < 40; events++) {
    talk.sim.replyWith(says(({ patch }) => patch(edit("one", "ONE")), cutAfterEvents(events)));
    const turn = await talk.ask("Edit.", "svc-k2.7-code");
    assert.doesNotMatch(reading(turn).join("\n"), /<apply_patch|Begin Patch/);
    if (turn.status === "done") break;
    assert.equal(talk.conversation.changes.pending.length, 0);
  }
  assert.equal(talk.last().status, "done");
});

test("an untrusted workspace offers no tools, and a patch of its model is text", async () => {
  const talk = await startTalk();
  talk.workspace.trusted = false;
  talk.workspace.write("work/a.ts", "one\n");
  talk.sim.replyWith(says(({ patch }) => patch(edit("one", "ONE"))));
  const turn = await talk.ask("Edit.", "svc-k2.7-code");
  assert.equal(turn.parts.length, 1);
  assert.doesNotMatch(lastBody(talk).raw, /You can call tools|apply_patch/);
  talk.sim.done();
});

test("a native patch call of a chat model is proposed and answered in text", async () => {
  const talk = await startTalk({ profile: "interface-strict", service: { streamUsage: false } });
  talk.workspace.write("work/a.ts", "one\n");
  talk.sim.reply(text("I call it."), patchCall(edit("one", "ONE")));
  talk.sim.reply(text("Done."));
  const turn = await talk.ask("Edit.", "svc-k2.7-code");
  assert.deepEqual(
    [turn.status, reading(turn)],
    ["done", ["text I call it.", "patch proposed", "text Done."]],
  );
  assert.match(
    lastBody(talk).raw,
    /"assistant","content":"I call it\.\\n\\n<apply_patch_\w+>\\n\*\*\* Begin Patch/,
  );
  talk.sim.done();
});

test("patchIn finds a single patch and refuses several or incomplete ones", () => {
  const patch = edit("one", "ONE");
  assert.equal(patchIn("No patch here. *** Begin Patch is how one begins.").kind, "none");
  assert.deepEqual(patchIn(`x\n${patch}\ny`), { kind: "patch", patch });
  assert.deepEqual(patchIn(`x\n${patch.replaceAll("\n", "\r\n")}\r\ny`), { kind: "patch", patch });
  assert.equal(patchIn(`${patch}\n${patch}`).kind, "refused");
  assert.equal(patchIn("*** Begin Patch\n*** Update File: a.ts").kind, "refused");
});

const diff = (before: string, after: string) => `--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-${before}\n+${after}`;

test("patchIn reads a unified diff as a patch and refuses an incomplete one", () => {
  const whole = `Here:\n\n\`\`\`diff\ndiff --git a/a.ts b/a.ts\n${diff("one", "ONE")}\n\`\`\`\n`;
  assert.equal(patchIn(whole).kind, "patch");
  const half = `\`\`\`diff\n--- a/a.ts\n+++ b/a.ts\n@@ -1,4 +1,4 @@\n-one\n\`\`\``;
  const read = patchIn(half);
  assert.ok(read.kind === "refused");
  assert.match(english(read.why), /The diff isn't complete/);
  assert.equal(
    patchIn(`\`\`\`diff\n${diff("a", "b")}\n\`\`\`\n\n\`\`\`diff\n${diff("c", "d")}\n\`\`\``).kind,
    "refused",
  );
  for (const other of [
    `A diff begins with\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-x\n+y`,
    "```diff\n-one\n+ONE\n```",
    "```sh\ngit diff\n```",
  ])
    assert.equal(patchIn(other).kind, "none", other);
});

for (const profile of ["custom-no-format", "custom-no", "interface-strict"] as const)
  test(`the description of apply_patch contains the patch format where no grammar is accepted (${profile})`, async () => {
    const talk = await startTalk({ profile });
    talk.workspace.write("work/a.ts", "one\n");
    talk.sim.reply(patchCall(edit("one", "ONE")));
    talk.sim.reply(text("Done."));
    const turn = await talk.ask("Edit.");
    assert.deepEqual(
      reading(turn).filter((part) => part.startsWith("patch")),
      ["patch proposed"],
    );
    const tools = (lastBody(talk).body["tools"] ?? []) as {
      name: string;
      type: string;
      description: string;
    }[];
    const own = tools.find(({ name }) => name === "apply_patch") ?? assert.fail();
    assert.equal(own.type, profile === "custom-no-format" ? "custom" : "function");
    assert.ok(!("format" in own));
    const language = [
      "Begin Patch",
      "Update File: ",
      "Add File: ",
      "Delete File: ",
      "Move to: ",
      "End Patch",
    ];
    for (const header of language) assert.ok(own.description.includes(`*** ${header}`), header);
    for (const sign of ["\n@@ ", "\n ", "\n-", "\n+"]) assert.ok(own.description.includes(sign), sign);
    talk.sim.done();
  });

test("apply_patch proposes a unified diff", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "one\n");
  talk.sim.reply(patchCall(diff("one", "ONE")));
  talk.sim.reply(text("Done."));
  const turn = await talk.ask("Edit.");
  assert.ok(reading(turn).includes("patch proposed"), JSON.stringify(reading(turn)));
  talk.sim.done();
});
