import assert from "node:assert/strict";
import { test } from "node:test";
import type { Attachment } from "../../../../src/core/conversation/attachment.ts";
import { createAssistant as simulatedAssistant } from "../../../sim/assistant/assistant.ts";
import { text } from "../../../sim/script.ts";
import { asking } from "../../../support/asking.ts";
import { english } from "../../../support/english.ts";
import { startTalk } from "../../../support/talk.ts";
import { attach, code } from "./attach-talk.ts";

test("what is attached stands before the question, framed, and the turn shows it", async () => {
  const { input, sent, views } = await attach([
    { kind: "file", path: "src/a.ts" },
    { kind: "selection", path: "src/a.ts", start: 5, end: 7 },
  ]);
  assert.equal(
    sent,
    `<file path="src/a.ts">\n${code.trimEnd()}\n</file>\n\n<selection path="src/a.ts" lines="5-7">\nexport function two() {\n  return 2;\n}\n</selection>`,
  );
  assert.deepEqual(input[1], { type: "message", role: "user", content: "Look." });
  assert.deepEqual(views, [
    { kind: "file", label: "src/a.ts", path: "src/a.ts", bytes: Buffer.byteLength(code.trimEnd()) },
    { kind: "selection", label: "src/a.ts, lines 5–7", path: "src/a.ts", start: 5, end: 7, bytes: 37 },
  ]);
});

test("what the user typed and has not saved is what is attached", async () => {
  const { sent } = await attach([{ kind: "file", path: "src/a.ts" }], "Look.", ({ workspace }) =>
    workspace.type({ folder: "work", path: "src/a.ts" }, "typed\n"),
  );
  assert.match(sent, /^<file path="src\/a.ts">\ntyped\n<\/file>$/);
});

test("a folder is its files, problems are what the editor shows, each without what is never sent", async () => {
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
    /<folder path="src">\nsrc\/a.ts\nsrc\/b.ts\n\[1 entry on the ignore list is not shown.\]/,
  );
  assert.match(sent, /<problems>\nsrc\/a.ts:2:3 error \(ts 2322\): Wrong type.\n<\/problems>/);
  assert.match(sent, /<problems path="src\/a.ts">/);
  assert.doesNotMatch(sent, /canary|\.env/);
  assert.deepEqual(
    views.map(({ label }) => label),
    ["src/", "Problems", "Problems of src/a.ts"],
  );
});

test("a picture goes as a part of its own; what is no picture of a known kind does not go", async () => {
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

test("a question may be what is attached alone; nothing at all is no question", async () => {
  const { input } = await attach([{ kind: "text", name: "a", text: "b" }], "");
  assert.equal(input.length, 1);
  const talk = await startTalk();
  assert.equal(await talk.conversation.send({ prompt: "  " }, asking()), undefined);
  assert.deepEqual(talk.lines, []);
});

test("a model that only chats gets the same, pictures too", async () => {
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
      { type: "text", text: `<file path="src/a.ts">\n${code.trimEnd()}\n</file>` },
      { type: "image_url", image_url: { url } },
      { type: "text", text: "Look." },
    ],
  });
  talk.sim.done();
});

test("a question in other words keeps what was attached, as it was then", async () => {
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

test("the simulator's own assistant understands how things are attached", async () => {
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
