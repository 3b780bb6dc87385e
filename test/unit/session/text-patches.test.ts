// Edits of chat models: told of in the instructions, proposed as a patch in the text of an answer, into the same change set
// as those of tools; what is refused is explained and asked for once more.
import assert from "node:assert/strict";
import { test } from "node:test";
import { patchIn } from "../../../src/tools/apply-patch.ts";
import { cutAfterEvents } from "../../sim/delivery-faults.ts";
import { call, patchCall, text } from "../../sim/script.ts";
import { english } from "../../support/english.ts";
import { lastBody, reading, startTalk } from "../../support/talk.ts";

const edit = (before: string, after: string) =>
  `*** Begin Patch\n*** Update File: a.ts\n@@\n-${before}\n+${after}\n*** End Patch`;
const fenced = (patch: string) => `Here it is:\n\n\`\`\`patch\n${patch}\n\`\`\`\n\nThat is all.`;

for (const model of ["svc-k2.7-code", "svc-k2.7-code-highspeed", "svc-k2.6"])
  test(`a patch in the text of ${model} is proposed and can be accepted like any other`, async () => {
    const talk = await startTalk();
    talk.workspace.write("work/a.ts", "one\n");
    talk.decide = () => ({ kind: "accept" });
    talk.sim.reply(text(fenced(edit("one", "ONE"))));
    const turn = await talk.ask("Make it loud.", model);
    assert.equal(turn.status, "done");
    assert.deepEqual(reading(turn).slice(1), ["patch applied"]);
    assert.equal(talk.workspace.text("work/a.ts"), "ONE\n");
    assert.match(JSON.stringify(talk.bodies()[0]?.body["messages"]), /exactly one patch/);
    talk.sim.reply(text("Yes."));
    await talk.ask("Is it done?", model);
    assert.match(lastBody(talk).raw, /Success.*was accepted and is in the files.*Is it done/);
    talk.sim.done();
  });

test("a patch in text needs no code block and may be part of a list", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "one\n");
  talk.sim.reply(text(`So:\n${edit("one", "ONE")}\nDone.`));
  assert.deepEqual(reading(await talk.ask("Edit.", "svc-k2.7-code")).slice(1), ["patch proposed"]);
  talk.sim.reply(text(`1. So:\n\n   \`\`\`\n${edit("ONE", "two").replaceAll(/^/gm, "   ")}\n   \`\`\`\n`));
  assert.deepEqual(reading(await talk.ask("Again.", "svc-k2.7-code")).slice(1), ["patch proposed"]);
  talk.sim.done();
});

test("a refused patch is explained on its row and requested once more automatically", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "one\n");
  talk.sim.reply(text(fenced(edit("uno", "ONE"))));
  talk.sim.reply(text(fenced(edit("one", "ONE"))));
  const turn = await talk.ask("Edit.", "svc-k2.7-code");
  const rows = turn.parts.flatMap((part) => (part.type === "patch" ? [part] : []));
  assert.deepEqual(
    rows.map(({ status }) => status),
    ["failed", "proposed"],
  );
  assert.match(english(rows[0]?.message), /fits nowhere/);
  assert.match(lastBody(talk).raw, /about the patch in your answer.*once more, corrected/);
  assert.equal(turn.status, "done");
  talk.sim.done();
});

test("a patch in text that is refused twice is not requested again", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "one\n");
  const both = `${fenced(edit("one", "ONE"))}\n${fenced(edit("one", "TWO"))}`;
  talk.sim.reply(text(both));
  talk.sim.reply(text("*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+ONE\n"));
  const turn = await talk.ask("Edit.", "svc-k2.7-code");
  const said = turn.parts.flatMap((part) => (part.type === "patch" ? [english(part.message)] : []));
  assert.match(said[0] ?? "", /more than one patch/);
  assert.match(said[1] ?? "", /has no end/);
  assert.equal(talk.conversation.changes.pending.length, 0);
  talk.sim.done();
});

test("an incomplete response proposes no patch", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "one\n");
  for (let events = 1; events < 12; events++) {
    talk.sim.reply(text(fenced(edit("one", "ONE"))), cutAfterEvents(events));
    const turn = await talk.ask("Edit.", "svc-k2.7-code");
    if (turn.status === "done") break;
    assert.equal(talk.conversation.changes.pending.length, 0);
  }
});

test("an untrusted workspace offers no patch format and leaves a patch as text", async () => {
  const talk = await startTalk();
  talk.workspace.trusted = false;
  talk.workspace.write("work/a.ts", "one\n");
  talk.sim.reply(text(fenced(edit("one", "ONE"))));
  const turn = await talk.ask("Edit.", "svc-k2.7-code");
  assert.equal(turn.parts.length, 1);
  assert.doesNotMatch(lastBody(talk).raw, /exactly one patch/);
  talk.sim.done();
});

test("a patch call of a chat model without tools is proposed as a patch of its text", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "one\n");
  talk.sim.reply(text("I call it."), patchCall(edit("one", "ONE")));
  const turn = await talk.ask("Edit.", "svc-k2.7-code");
  assert.deepEqual([turn.status, reading(turn)], ["done", ["text I call it.", "patch proposed"]]);
  talk.sim.reply(patchCall(edit("ONE", "two")));
  const silent = await talk.ask("Again.", "svc-k2.7-code");
  assert.deepEqual([silent.status, silent.problem, reading(silent)], ["done", undefined, ["patch proposed"]]);
  // Later requests say it as what it was: text.
  assert.match(lastBody(talk).raw, /"assistant","content":"I call it\.\\n\\n\*\*\* Begin Patch/);
  talk.sim.done();
});

for (const model of ["svc-k2.6", "svc-k2.7-code"])
  test(`a call of ${model} without offered tools never runs and is reported on its row`, async () => {
    const talk = await startTalk();
    talk.sim.reply(text("I look."), call("read_file", { path: "a.ts" }));
    const turn = await talk.ask("What is in a.ts?", model);
    assert.deepEqual([turn.status, reading(turn)], ["done", ["text I look.", "read_file failed"]]);
    const [row] = turn.parts.flatMap((part) => (part.type === "tool" ? [part] : []));
    assert.equal(row?.message?.code, "toolNone");
    talk.sim.reply(call("read_file", "{half"));
    const silent = await talk.ask("And in b.ts?", model);
    assert.equal(silent.problem?.message.code, "problemToolless");
    assert.deepEqual([silent.status, reading(silent)], ["incomplete", ["read_file failed"]]);
    assert.equal(talk.bodies().length, 2);
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

test("a unified diff in a response is proposed as a patch, and an incomplete one is refused", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "one\n");
  talk.sim.reply(text(`Here:\n\n\`\`\`diff\ndiff --git a/a.ts b/a.ts\n${diff("one", "ONE")}\n\`\`\`\n`));
  assert.deepEqual(reading(await talk.ask("Edit.", "svc-k2.7-code")).slice(1), ["patch proposed"]);
  talk.sim.done();
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
