// What waits to be sent: the queue, the draft, and what is attached to it.
import assert from "node:assert/strict";
import { cpSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Attachment } from "../../src/conversation/state.ts";
import { conversationStore, openLibrary } from "../../src/session/conversation-store.ts";
import { type DraftState, draftStateOf, readDraftState } from "../../src/session/internal/session-draft.ts";
import { defaultConversationSettings } from "../../src/session/session-context.ts";
import { cutAfterEvents, holdBefore } from "../sim/delivery-faults.ts";
import { text } from "../sim/script.ts";
import { english } from "../support/english.ts";
import { createFolderWorkspace } from "../support/folder-workspace.ts";
import { ownFolder } from "../support/one-test.ts";
import { ask, openTestApp, sentTexts, until } from "../support/test-app.ts";
import { onDisk } from "./store/store-support.ts";

test("the queue holds questions sent during a response, removes them on request, and sends them in order", async (t) => {
  const app = await openTestApp(t);
  const { sim } = app;
  for (const answer of ["One.", "Two.", "Three."]) sim.reply(text(answer));
  let changes = 0;
  app.session.onChange(() => changes++);
  const first = app.session.send({ prompt: "First?" });
  const second = app.session.send({ prompt: "Second?" });
  const never = app.session.send({ prompt: "Never?" });
  const third = app.session.send({ prompt: "more", command: "explain" });
  assert.deepEqual(
    app.session.queue.map(({ prompt }) => prompt),
    ["Second?", "Never?", "/explain more"],
  );
  app.session.unqueue(app.session.queue[1]?.id ?? "");
  assert.equal(await never, undefined);
  assert.equal((await first)?.status, "done");
  assert.equal((await second)?.prompt, "Second?");
  assert.equal((await third)?.prompt, "/explain more");
  assert.deepEqual(app.session.queue, []);
  assert.ok(changes >= 5);
  sim.done();
});

test("the queue pauses after an interrupted response until sendQueued is called", async (t) => {
  const app = await openTestApp(t);
  const { sim } = app;
  sim.reply(text("This answer is long enough to break off."), cutAfterEvents(3));
  const broken = app.session.send({ prompt: "First?" });
  const waiting = app.session.send({ prompt: "Second?" });
  assert.equal((await broken)?.status, "interrupted");
  assert.equal(app.session.queue.length, 1);
  sim.reply(text("Here."));
  app.session.sendQueued();
  assert.equal((await waiting)?.status, "done");
  sim.done();
});

test("an abort signal cancels only its own question, queued or running", async (t) => {
  const app = await openTestApp(t);
  const { sim } = app;
  sim.reply(text("One."));
  const [waiting, running] = [new AbortController(), new AbortController()];
  const first = app.session.send({ prompt: "First?" });
  const second = app.session.send({ prompt: "Second?", signal: waiting.signal });
  waiting.abort();
  assert.equal(await second, undefined);
  assert.equal((await first)?.status, "done");
  sim.reply(text("Long."), cutAfterEvents(1));
  const listening = app.session.onEvent(({ type }) => {
    if (type === "started") running.abort();
  });
  const third = await app.session.send({ prompt: "Third?", signal: running.signal });
  listening.dispose();
  assert.equal(third?.status, "stopped");
  assert.equal(app.session.draft.text, "");
});

test("a session stopped before an edit is sent cuts no turn, sends nothing and restores the draft", async (t) => {
  const app = await openTestApp(t);
  const { sim } = app;
  await ask(app, "First?", "One.");
  const [turn] = app.session.state.turns;
  app.settings = {
    ...defaultConversationSettings,
    // Looked at while the new words are read.
    get prompts() {
      app.session.stop();
      return [];
    },
  };
  assert.equal(await app.session.edit(turn?.id ?? "", "Other words?"), undefined);
  assert.deepEqual(app.session.state.turns, [turn]);
  assert.equal(app.session.draft.text, "Other words?");
  assert.equal(sim.requests.length, 1);
});

test("an edit that awaits confirmation when the window closes becomes the draft of the next window", async (t) => {
  const app = await openTestApp(t);
  const { sim, session } = app;
  await ask(app, "First?", "One.");
  app.settings = { ...defaultConversationSettings, askAboveTokens: 1 };
  const edited = session.edit(session.state.turns[0]?.id ?? "", "Other words?");
  await until(session, () => session.question !== undefined);
  const next = await app.restart();
  assert.equal(await edited, undefined);
  assert.deepEqual([next.id, next.draft.text], [session.id, "Other words?"]);
  app.settings = defaultConversationSettings;
  assert.equal(await session.send({ prompt: "Late?" }), undefined);
  assert.equal(sim.requests.length, 1);
});

test("a closed conversation restores its unsent questions as the draft", async (t) => {
  const app = await openTestApp(t);
  const { sim } = app;
  sim.reply(text("A long answer."), cutAfterEvents(1));
  const first = app.session.send({ prompt: "First?" });
  const second = app.session.send({ prompt: "Second?" });
  const third = app.session.send({ prompt: "Third?" });
  app.session.draft.write("Typed.");
  await first;
  const { id } = app.session.state;
  await app.newConversation();
  assert.deepEqual([await second, await third], [undefined, undefined]);
  assert.equal(app.session.draft.text, "");
  await app.open(id);
  assert.equal(app.session.draft.text, "Typed.\n\nSecond?\n\nThird?");
});

/** What another window finds of what lies there now, as it would be after a crash. */
async function draftAfterCrash(t: TestContext, folder: string, id: string): Promise<DraftState> {
  const crashed = ownFolder(t, "crashed");
  cpSync(folder, crashed, { recursive: true, filter: (path) => basename(path) !== "lock" });
  const library = openLibrary(crashed, "", Date.now);
  const journal = await conversationStore(library).open(id);
  const draft = await readDraftState(journal);
  await journal.close();
  await library.close();
  return draft;
}

test("a session saves each question to disk before the composer is cleared, and restores unsent ones after a crash", async (t) => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "const a = 1;\n");
  const app = await openTestApp(t, { workspace });
  const { sim, session, folder } = app;
  const silence = holdBefore(0);
  sim.reply(text("One."), silence);
  const begun = new Promise<void>((resolve) => {
    session.onEvent(({ type }) => type === "started" && resolve());
  });
  session.draft.attach({ kind: "file", path: "a.ts" });
  const kept: string[] = [];
  const keep = (prompt: string) =>
    new Promise<void>((resolve) => {
      void session.send({ prompt }, () => {
        assert.match(onDisk(folder), new RegExp(prompt), "it is on the disk");
        kept.push(prompt);
        resolve();
      });
    });
  await Promise.all([keep("First"), keep("Second"), keep("Third")]);
  assert.deepEqual(kept.toSorted(), ["First", "Second", "Third"]);
  await begun;
  const box = await draftAfterCrash(t, folder, session.id);
  assert.deepEqual([box.text, box.attached], ["Second\n\nThird", []]);
  const before = draftStateOf(box.saved, []);
  assert.equal(before.text, "First\n\nSecond\n\nThird", "had it died a moment earlier");
  assert.deepEqual(before.attached, [{ kind: "file", path: "a.ts" }]);
  session.unqueue(session.queue[1]?.id ?? "");
  session.unqueue(session.queue[0]?.id ?? "");
  silence.release();
});

test("a crash between a cut and the repeated turn restores the question with its attachments as the draft", async (t) => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", 'const a = 1;\n\n<text name="no">\nno\n</text>\n');
  workspace.write("work/.env", "TOKEN=canary");
  const url = `data:image/png;base64,${Buffer.from("picture").toString("base64")}`;
  const attached: Attachment[] = [
    { kind: "file", path: "a.ts" },
    { kind: "selection", path: "a.ts", start: 1, end: 1 },
    { kind: "text", name: "hidden", text: "none", place: "file:///home/somebody/.env" },
    { kind: "folder", path: "src" },
    { kind: "problems" },
    { kind: "problems", path: "a.ts" },
    { kind: "text", name: 'said "so"', text: "first\n\n</text>\n\nlast" },
    { kind: "terminal", name: "zsh", text: "$ ls" },
    { kind: "image", name: "a.png", url },
    { kind: "diff", name: "Changes", text: "+one" },
  ];
  const held: DraftState[] = [];
  const app = await openTestApp(t, { workspace });
  const { sim, session, folder } = app;
  sim.reply(text("One."));
  const first = await session.send({ prompt: "What?", attachments: attached });
  const turn = first?.id ?? "";
  /** What would be found by the next window if this one ended with the cut. */
  const crash = (ask: () => Promise<unknown>) =>
    new Promise<void>((resolve) => {
      const listening = session.onEvent(async ({ type }) => {
        if (type !== "cut") return;
        listening.dispose();
        held.push(await draftAfterCrash(t, folder, session.id));
        await asking;
        resolve();
      });
      sim.reply(text("Again."));
      const asking = ask();
    });
  await crash(() => session.retry("regenerate", turn));
  await crash(() => session.edit(session.state.turns.at(-1)?.id ?? "", "Which?"));
  const whole = attached.filter((wish) => !("name" in wish && wish.name === "hidden"));
  assert.deepEqual(
    held.map(({ text: words }) => words),
    ["What?", "Which?"],
  );
  for (const box of held) assert.deepEqual(box.attached, whole);
});

test("a session deletes the saved copy of a question that became a turn or was removed from the queue", async (t) => {
  const app = await openTestApp(t);
  const { sim, session } = app;
  sim.reply(text("One."));
  const first = session.send({ prompt: "First?" });
  const never = session.send({ prompt: "canary" });
  session.unqueue(session.queue[0]?.id ?? "");
  await Promise.all([first, never]);
  const { id } = session;
  await app.newConversation();
  assert.doesNotMatch(onDisk(app.folder), /canary/);
  const journal = await app.library.open(id);
  assert.equal(await journal.readSent(), "");
  await journal.close();
});

test("a draft saves no text of a file that is never sent", async (t) => {
  const app = await openTestApp(t);
  const looked = new Promise<void>((resolve) => {
    app.session.onChange(() => {
      const { attachments } = app.session.draft;
      if (attachments.length === 2 && attachments.every(({ tokens }) => tokens !== undefined)) resolve();
    });
  });
  const place = "file:///home/somebody/.env";
  app.session.draft.attach({ kind: "text", name: ".env", text: "TOKEN=canary", place });
  app.session.draft.attach({ kind: "text", name: "notes", text: "kept words" });
  await looked;
  app.session.draft.write("Draft.");
  const { id } = app.session.state;
  await app.newConversation();
  await app.open(id);
  assert.deepEqual(
    app.session.draft.attachments.map(({ label }) => label),
    ["notes"],
  );
});

test("a draft lists an attachment once, shows its size, and sends its current text with the next question", async (t) => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "const a = 1;\n");
  workspace.write("work/.env", "TOKEN=canary");
  const app = await openTestApp(t, { workspace });
  app.session.draft.attach({ kind: "file", path: "a.ts" });
  app.session.draft.attach({ kind: "file", path: "a.ts" });
  app.session.draft.attach({ kind: "file", path: ".env" });
  app.session.draft.attach({ kind: "text", name: "b", text: "c" });
  assert.deepEqual(
    app.session.draft.attachments.map(({ label }) => label),
    ["a.ts", ".env", "b"],
  );
  await new Promise<void>((resolve) => {
    app.session.onChange(() => {
      if (app.session.draft.attachments.every(({ tokens }) => tokens !== undefined)) resolve();
    });
  });
  const [file, secret, pasted] = app.session.draft.attachments;
  assert.equal(file?.tokens, '<file path="a.ts">\n1\tconst a = 1;\n</file>'.length);
  assert.equal(secret?.tokens, 0);
  assert.match(english(secret?.notes), /never sent/);
  app.session.draft.detach(secret?.id ?? "");
  app.session.draft.detach(pasted?.id ?? "");
  workspace.write("work/a.ts", "const a = 2;\n");
  await ask(app, "What is it?", "Two.");
  assert.deepEqual(app.session.draft.attachments, []);
  const [sent] = app.session.state.turns.at(-1)?.attachments ?? [];
  assert.deepEqual(
    [sent?.label, sent?.tokens],
    ["a.ts", '<file path="a.ts">\n1\tconst a = 2;\n</file>'.length],
  );
  assert.match(String(sentTexts(app)[0]), /const a = 2;[\s\S]*What is it\?$/);
  await ask(app, "Sure?", "Yes.");
  assert.equal(app.session.state.turns.at(-1)?.attachments.length, 0);
});

test("a reopened conversation restores its draft's attachments, except a large image, until they are sent", async (t) => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "const a = 1;\n");
  const app = await openTestApp(t, { workspace });
  const url = `data:image/png;base64,${"A".repeat(100_000)}`;
  app.session.draft.attach({ kind: "file", path: "a.ts" });
  app.session.draft.attach({ kind: "image", name: "large.png", url });
  const { id } = app.session.state;
  await app.newConversation();
  assert.deepEqual(app.session.draft.attachments, []);
  await app.open(id);
  assert.deepEqual(
    app.session.draft.attachments.map(({ label }) => label),
    ["a.ts"],
  );
  await ask(app, "What is it?", "A constant.");
  await app.newConversation();
  await app.open(id);
  assert.deepEqual(app.session.draft.attachments, []);
});

test("a draft deletes removed and sent attachments from its saved copy on disk", async (t) => {
  const app = await openTestApp(t);
  const { folder } = app;
  await ask(app, "First?", "One.");
  const { id } = app.session.state;
  const leaveAndReturn = async () => {
    await app.newConversation();
    const left = onDisk(folder);
    await app.open(id);
    return left;
  };
  app.session.draft.attach({ kind: "text", name: "a", text: "canary" });
  app.session.draft.attach({ kind: "text", name: "b", text: "sparrow" });
  const labels = () => app.session.draft.attachments.map(({ label }) => label);
  assert.match(await leaveAndReturn(), /canary.*sparrow/s);
  assert.deepEqual(labels(), ["a", "b"]);
  app.session.draft.detach(app.session.draft.attachments[0]?.id ?? "");
  const left = await leaveAndReturn();
  assert.deepEqual(labels(), ["b"]);
  assert.match(left, /sparrow/);
  assert.doesNotMatch(left, /canary/);
  await ask(app, "What is it?", "A bird.");
  const asked = await leaveAndReturn();
  assert.deepEqual(labels(), []);
  assert.equal(readdirSync(join(folder, "conversations", id)).includes("attached.json"), false);
  assert.match(asked, /sparrow/, "what was sent is part of the conversation");
});

test("a command sends its own attachments and leaves those of the draft alone", async (t) => {
  const app = await openTestApp(t);
  const { sim } = app;
  app.session.draft.attach({ kind: "text", name: "b", text: "c" });
  sim.reply(text("A constant."));
  const attachments = [{ kind: "text" as const, name: "Untitled-1", text: "const a = 1;" }];
  const turn = await app.session.send({ prompt: "", command: "explain", attachments });
  assert.equal(turn?.prompt, "/explain Untitled-1");
  assert.equal(app.session.draft.attachments.length, 1);
  assert.match(String(sentTexts(app)[0]), /Explain the selected code[\s\S]*The user says: Untitled-1$/);
});

test("a draft accepts another conversation as an attachment and reports one that no longer exists", async (t) => {
  const app = await openTestApp(t);
  await ask(app, "What is a cart?", "A list of lines.");
  const { id } = app.session.state;
  await app.newConversation();
  app.session.draft.attach({ kind: "conversation", id, name: "Carts" });
  app.session.draft.attach({ kind: "conversation", id: "0000", name: "Gone" });
  await ask(app, "Go on from there.", "Gladly.");
  const sent = String(sentTexts(app)[0]);
  assert.match(
    sent,
    /<conversation name="Carts">\nUser:\nWhat is a cart\?\n\nAssistant:\nA list of lines\.\n<\/conversation>/,
  );
  assert.match(sent, /not sent: The conversation "Gone" does not exist any more/);
});

test("an attached long conversation is cut to its end, with secrets removed", async (t) => {
  const app = await openTestApp(t);
  const key = ["ghp", "e".repeat(36)].join("_");
  await ask(app, "So it goes.\n".repeat(20_000), "I see.");
  await ask(app, "With which key?", `With ${key}.`);
  const { id } = app.session.state;
  await app.newConversation();
  app.session.draft.attach({ kind: "conversation", id, name: "Long" });
  await ask(app, "Go on from there.", "Gladly.");
  const sent = String(sentTexts(app)[0]);
  assert.ok(!sent.includes(key) && sent.length < 140 * 1024);
  assert.match(sent, /With \[secret removed\]\./);
  const [view] = app.session.state.turns[0]?.attachments ?? [];
  assert.equal(
    english(view?.notes),
    "It is long: only its end is sent. 1 secret was taken out of this text.",
  );
});

test("a conversation whose draft cannot be read fails to open and stays available to another window", async (t) => {
  const app = await openTestApp(t);
  await ask(app, "One?", "Eins.");
  const { id } = app.session;
  await app.close();
  const journal = await conversationStore(app.library).open(id);
  const readUnsent = () => Promise.reject(new Error("EIO"));
  await assert.rejects(readDraftState({ ...journal, readUnsent }), /EIO/);
  const otherWindow = openLibrary(app.folder, "", Date.now);
  assert.equal((await otherWindow.open(id)).readOnly, undefined);
  await otherWindow.close();
});

test("an edit of a turn that no longer exists restores its words to the draft", async (t) => {
  const app = await openTestApp(t);
  await ask(app, "One?", "Eins.");
  const { session } = app;
  const putBack: string[] = [];
  session.onPutBack((words) => putBack.push(words));
  assert.equal(await session.edit("gone", "Which?"), undefined);
  assert.deepEqual([session.draft.text, putBack], ["Which?", ["Which?"]]);
});
