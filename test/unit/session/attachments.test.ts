import assert from "node:assert/strict";
import { test } from "node:test";
import type { Attachment } from "../../../src/conversation/state.ts";
import { restoreAttachments } from "../../../src/tools/attached-text.ts";
import { createAssistant as simulatedAssistant } from "../../sim/assistant/assistant.ts";
import { text } from "../../sim/script.ts";
import { asking } from "../../support/asking.ts";
import { english } from "../../support/english.ts";
import { startTalk } from "../../support/talk.ts";
import { attach, code } from "./attach-talk.ts";

/** As `read_file` shows it: an answer can name its lines. */
const numbered = code
  .trimEnd()
  .split("\n")
  .map((line, at) => `${at + 1}\t${line}`)
  .join("\n");

test("attachments precede the question, framed, numbered and without duplicates, and show in the turn", async () => {
  const { input, sent, views } = await attach([
    { kind: "file", path: "src/a.ts" },
    { kind: "selection", path: "src/a.ts", start: 5, end: 7 },
  ]);
  assert.equal(
    sent,
    `<file path="src/a.ts">\n${numbered}\n</file>\n\n<selection path="src/a.ts" lines="5-7">\n[These lines of the file that is attached.]\n</selection>`,
  );
  assert.deepEqual(input[1], { type: "message", role: "user", content: "Look." });
  assert.deepEqual(views, [
    { kind: "file", label: "src/a.ts", path: "src/a.ts", bytes: Buffer.byteLength(numbered) },
    { kind: "selection", label: "src/a.ts, lines 5–7", path: "src/a.ts", start: 5, end: 7, bytes: 43 },
  ]);
});

test("an attachment with a role names it first, and restoreAttachments restores the role", async () => {
  const { sent, views, input } = await attach([
    { kind: "selection", path: "src/a.ts", start: 5, end: 7, role: "to-edit" },
    { kind: "problems", path: "src/a.ts", role: "problems" },
    { kind: "text", name: 'a "b"', text: "x", role: 'out"put' },
  ]);
  assert.match(sent, /^<selection role="to-edit" path="src\/a\.ts" lines="5-7">\n/);
  assert.match(sent, /<problems role="problems" path="src\/a\.ts">\n/);
  assert.match(sent, /<text role="out&quot;put" name="a &quot;b&quot;">\nx\n<\/text>$/);
  assert.deepEqual(
    views.map(({ role }) => role),
    ["to-edit", "problems", 'out"put'],
  );
  assert.deepEqual(restoreAttachments(views, [JSON.stringify(input[0])]), [
    { kind: "selection", path: "src/a.ts", start: 5, end: 7, role: "to-edit" },
    { kind: "problems", path: "src/a.ts", role: "problems" },
    { kind: "text", name: 'a "b"', text: "x", role: 'out"put' },
  ]);
});

test("a file attachment contains the unsaved text of the editor", async () => {
  const { sent } = await attach([{ kind: "file", path: "src/a.ts" }], "Look.", ({ workspace }) =>
    workspace.type({ folder: "work", path: "src/a.ts" }, "typed\n"),
  );
  assert.match(sent, /^<file path="src\/a.ts">\n1\ttyped\n<\/file>$/);
});

test("a folder attachment lists files and a problems attachment lists markers, both without private files", async () => {
  const marker = {
    line: 2,
    column: 3,
    severity: "error",
    message: "Wrong type.",
    source: "ts",
    code: "2322",
  } as const;
  const { sent, views } = await attach(
    [{ kind: "folder", path: "src" }, { kind: "problems" }, { kind: "problems", path: "src/a.ts" }],
    "Look.",
    ({ workspace }) => {
      workspace.write("work/src/b.ts", "");
      workspace.write("work/src/.env", "TOKEN=canary");
      workspace.markers.push({ file: { folder: "work", path: "src/a.ts" }, ...marker });
      workspace.markers.push({ file: { folder: "work", path: "src/.env" }, ...marker, message: "canary" });
    },
  );
  assert.match(
    sent,
    /<folder path="src">\nsrc\/a.ts\nsrc\/b.ts\n\[1 entry is not shown: it is on the list of files that are never sent\.\]/,
  );
  assert.match(sent, /<problems>\nsrc\/a.ts:2:3 error \(ts 2322\): Wrong type.\n<\/problems>/);
  assert.match(sent, /<problems path="src\/a.ts">/);
  assert.doesNotMatch(sent, /canary|\.env/);
  assert.deepEqual(
    views.map(({ label }) => label),
    ["src/", "Problems", "Problems of src/a.ts"],
  );
});

test("an image attachment becomes a part of its own, and an unsupported image is refused", async () => {
  const url = `data:image/png;base64,${Buffer.from("picture").toString("base64")}`;
  const { input, views } = await attach([
    { kind: "image", name: "a.png", url },
    { kind: "image", name: "b.svg", url: "data:image/svg+xml;base64,AAAA" },
    { kind: "image", name: "c.png", url: "http://example.org/c.png" },
    { kind: "image", name: "d.png", url: "https://example.org/d.png" },
    { kind: "image", name: "e.png", url: "https://me:secret@example.org/e.png" },
  ]);
  const parts = input[0]?.["content"] as { type: string; image_url?: string; text?: string }[];
  assert.deepEqual(
    parts.map(({ type }) => type),
    ["input_image", "input_text", "input_text", "input_image", "input_text"],
  );
  assert.equal(parts[0]?.image_url, url);
  assert.equal(parts[3]?.image_url, "https://example.org/d.png");
  assert.deepEqual(views[3]?.notes?.map(english), ["The service loads this image from example.org."]);
  assert.match(parts[1]?.text ?? "", /An attachment was not sent: "b.svg" is not an image/);
  assert.deepEqual(
    views.map(({ bytes }) => bytes),
    [7, 0, 0, 25, 0],
  );
});

test("a question may consist of attachments alone, and an empty question is ignored", async () => {
  const { input } = await attach([{ kind: "text", name: "a", text: "b" }], "");
  assert.equal(input.length, 1);
  const talk = await startTalk();
  assert.equal(await talk.conversation.send({ prompt: "  " }, asking()), undefined);
  assert.deepEqual(talk.lines, []);
});

test("a chat model gets files and images as message parts", async () => {
  const talk = await startTalk({ profile: "strict" });
  const url = `data:image/png;base64,${Buffer.from("picture").toString("base64")}`;
  talk.workspace.write("work/src/a.ts", code);
  talk.sim.reply(text("I see."));
  const attachments: Attachment[] = [
    { kind: "file", path: "src/a.ts" },
    { kind: "image", name: "a.png", url },
  ];
  await talk.ask({ prompt: "Look.", attachments }, "svc-k2.6");
  const messages = talk.bodies()[0]?.body["messages"] as { role: string; content: unknown }[];
  assert.deepEqual(messages.at(-1), {
    role: "user",
    content: [
      { type: "text", text: `<file path="src/a.ts">\n${numbered}\n</file>` },
      { type: "image_url", image_url: { url } },
      { type: "text", text: "Look." },
    ],
  });
  talk.sim.done();
});

test("an edited question keeps its attachments as they were first sent", async () => {
  const { talk, sent } = await attach([{ kind: "file", path: "src/a.ts" }]);
  talk.workspace.write("work/src/a.ts", "changed since\n");
  talk.sim.reply(text("Again."));
  await talk.conversation.edit(talk.last().id, "Look closer.", asking());
  const { input } = talk.bodies().at(-1) ?? assert.fail();
  assert.deepEqual(
    input.map(({ content }) => content),
    [sent, "Look closer."],
  );
  assert.equal(talk.last().attachments.length, 1);
});

test("the simulator's assistant understands the format of attachments", async () => {
  const talk = await startTalk();
  const answer = simulatedAssistant({ pace: 0 });
  talk.workspace.write("work/src/a.ts", code);
  const asks: { attachments: Attachment[]; command: string; prompt?: string; says: RegExp }[] = [
    {
      command: "explain",
      attachments: [{ kind: "file", path: "src/a.ts" }],
      says: /`src\/a.ts` \(7 lines\) defines/,
    },
    {
      command: "explain",
      attachments: [{ kind: "selection", path: "src/a.ts", start: 5, end: 7 }],
      says: /Lines 5–7 of `src\/a.ts` define/,
    },
    { command: "review", attachments: [{ kind: "file", path: "src/a.ts" }], says: /`src\/a.ts`/ },
    {
      command: "commit",
      attachments: [
        {
          kind: "diff",
          name: "Staged",
          text: "diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n",
        },
      ],
      says: /^Change src\/a.ts$/,
    },
  ];
  for (const { attachments, command, prompt = "", says } of asks) {
    talk.sim.replyWith((request) => answer(request));
    const turn = await talk.ask({ prompt, command, attachments });
    const said = turn.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    assert.match(said, says, command);
  }
  talk.decide = () => ({ kind: "accept" });
  for (const [command, prompt, expected] of [
    ["edit", "rename one to uno", /function uno/],
    ["docs", "", /\/\*\* Uno/],
  ] as const) {
    talk.sim.replyWith((request) => answer(request));
    talk.sim.replyWith((request) => answer(request));
    await talk.ask({ prompt, command, attachments: [{ kind: "file", path: "src/a.ts" }] });
    assert.match(talk.workspace.text("work/src/a.ts") ?? "", expected, command);
  }
});
