// Several conversations behind one façade, on a real disk, over real HTTP.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createServiceClient } from "../../../src/core/api/service-client.ts";
import { type Assistant, createAssistant } from "../../../src/core/assistant.ts";
import { defaultConversationSettings } from "../../../src/core/conversation-settings.ts";
import { openLibrary, shelfOf } from "../../../src/core/conversation-shelf.ts";
import { createFileSuggestions } from "../../../src/core/file-suggestions.ts";
import type { Library } from "../../../src/core/store/library.ts";
import { silentLog } from "../../../src/core/util/log.ts";
import { noWorkspace, type Workspace } from "../../../src/core/workspace.ts";
import { cutAfterEvents } from "../../sim/faults.ts";
import { text } from "../../sim/script.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";

interface Desk {
  readonly assistant: Assistant;
  readonly library: Library;
  readonly sim: Simulator;
  readonly folder: string;
}

async function openDesk(t: TestContext, workspace: Workspace = noWorkspace): Promise<Desk> {
  const sim = await startSimulator();
  const folder = mkdtempSync(join(tmpdir(), "patchbay-assistant-"));
  const client = createServiceClient({
    connection: async () => ({ baseUrl: sim.url, key: sim.key }),
    settings: () => ({}),
    log: silentLog,
  });
  const library = openLibrary(folder, "", Date.now);
  const assistant = await createAssistant({
    client,
    shelf: shelfOf(library),
    workspace,
    countTokens: (content) => (content.kind === "text" ? content.text.length : undefined),
    settings: () => defaultConversationSettings,
    log: silentLog,
    defaultModel: () => "svc-k2.6",
    now: Date.now,
    newId: randomUUID,
  });
  t.after(async () => {
    await assistant.close();
    await library.close();
    client.dispose();
    await sim.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { assistant, library, sim, folder };
}

async function ask({ assistant, sim }: Desk, question: string, answer: string): Promise<void> {
  sim.reply(text(answer));
  await assistant.send({ prompt: question });
}

const prompts = ({ conversation }: Assistant) => conversation.turns.map(({ prompt }) => prompt);

test("another conversation takes the place of the open one, and the first comes back as it was left", async (t) => {
  const desk = await openDesk(t);
  const { assistant } = desk;
  await ask(desk, "What is a cart?", "A list of lines.");
  const first = assistant.conversation;
  assistant.setDraft("And a price?");
  await assistant.newConversation();
  assert.deepEqual([prompts(assistant), assistant.draft], [[], ""]);
  await ask(desk, "What is a price?", "A number of cents.");
  let resets = 0;
  assistant.onReset(() => resets++);
  await assistant.openConversation(first.id);
  assert.deepEqual(assistant.conversation.turns, first.turns);
  assert.equal(assistant.draft, "And a price?");
  assert.equal(resets, 1);
  await ask(desk, "And a price?", "Cents.");
  assert.deepEqual(prompts(assistant), ["What is a cart?", "And a price?"]);
});

test("a conversation that is gone cannot be opened, and the open one stays", async (t) => {
  const desk = await openDesk(t);
  await ask(desk, "What is a cart?", "A list of lines.");
  await assert.rejects(desk.assistant.openConversation("gone"), /does not exist any more/);
  assert.deepEqual(prompts(desk.assistant), ["What is a cart?"]);
});

test("the open conversation can be deleted once another one is open", async (t) => {
  const { assistant, library, ...desk } = await openDesk(t);
  await ask({ assistant, library, ...desk }, "What is a cart?", "A list of lines.");
  const { id } = assistant.conversation;
  await assistant.newConversation();
  await library.remove(id);
  assert.deepEqual(await library.list(), []);
});

const sentTexts = ({ sim }: Desk, request = -1): unknown[] => {
  const messages = (sim.requests.at(request)?.body["messages"] ?? []) as { content: unknown }[];
  return messages.slice(1).map(({ content }) => content);
};

test("what is asked while an answer is written waits in line, can be taken back, and goes out in order", async (t) => {
  const desk = await openDesk(t);
  const { assistant, sim } = desk;
  for (const answer of ["One.", "Two.", "Three."]) sim.reply(text(answer));
  let changes = 0;
  assistant.onChange(() => changes++);
  const first = assistant.send({ prompt: "First?" });
  const second = assistant.send({ prompt: "Second?" });
  const never = assistant.send({ prompt: "Never?" });
  const third = assistant.send({ prompt: "more", command: "explain" });
  assert.deepEqual(
    assistant.queue.map(({ prompt }) => prompt),
    ["Second?", "Never?", "/explain more"],
  );
  assistant.unqueue(assistant.queue[1]?.id ?? "");
  assert.equal(await never, undefined);
  assert.equal((await first)?.status, "done");
  assert.equal((await second)?.prompt, "Second?");
  assert.equal((await third)?.prompt, "/explain more");
  assert.deepEqual(assistant.queue, []);
  assert.ok(changes >= 5);
  sim.done();
});

test("the line stands still after an answer that broke off or was stopped, until it is sent on", async (t) => {
  const { assistant, sim } = await openDesk(t);
  sim.reply(text("This answer is long enough to break off."), cutAfterEvents(3));
  const broken = assistant.send({ prompt: "First?" });
  const waiting = assistant.send({ prompt: "Second?" });
  assert.equal((await broken)?.status, "interrupted");
  assert.equal(assistant.queue.length, 1);
  sim.reply(text("Here."));
  assistant.sendQueued();
  assert.equal((await waiting)?.status, "done");
  sim.done();
});

test("words that never left come back as the draft when the conversation is closed", async (t) => {
  const { assistant, sim } = await openDesk(t);
  sim.reply(text("A long answer."), cutAfterEvents(1));
  const first = assistant.send({ prompt: "First?" });
  const second = assistant.send({ prompt: "Second?" });
  const third = assistant.send({ prompt: "Third?" });
  assistant.setDraft("Typed.");
  await first;
  const { id } = assistant.conversation;
  await assistant.newConversation();
  assert.deepEqual([await second, await third], [undefined, undefined]);
  assert.equal(assistant.draft, "");
  await assistant.openConversation(id);
  assert.equal(assistant.draft, "Typed.\n\nSecond?\n\nThird?");
});

test("what is attached to the draft is looked at once, shown with its size, and goes out with the next question", async (t) => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "const a = 1;\n");
  workspace.write("work/.env", "TOKEN=canary");
  const desk = await openDesk(t, workspace);
  const { assistant } = desk;
  assistant.attach({ kind: "file", path: "a.ts" });
  assistant.attach({ kind: "file", path: "a.ts" });
  assistant.attach({ kind: "file", path: ".env" });
  assistant.attach({ kind: "text", name: "b", text: "c" });
  assert.deepEqual(
    assistant.attachments.map(({ label }) => label),
    ["a.ts", ".env", "b"],
  );
  await new Promise<void>((resolve) => {
    assistant.onChange(() => {
      if (assistant.attachments.every(({ tokens }) => tokens !== undefined)) resolve();
    });
  });
  const [file, secret, pasted] = assistant.attachments;
  assert.equal(file?.tokens, '<file path="a.ts">\nconst a = 1;\n</file>'.length);
  assert.equal(secret?.tokens, 0);
  assert.match(secret?.note ?? "", /never sent/);
  assistant.detach(secret?.id ?? "");
  assistant.detach(pasted?.id ?? "");
  workspace.write("work/a.ts", "const a = 2;\n");
  await ask(desk, "What is it?", "Two.");
  assert.deepEqual(assistant.attachments, []);
  assert.match(String(sentTexts(desk)[0]), /const a = 2;[\s\S]*What is it\?$/);
  await ask(desk, "Sure?", "Yes.");
  assert.equal(assistant.conversation.turns.at(-1)?.attachments.length, 0);
});

test("what is attached to a draft is there again when its conversation is opened again, until it was sent", async (t) => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "const a = 1;\n");
  const desk = await openDesk(t, workspace);
  const { assistant } = desk;
  const url = `data:image/png;base64,${"A".repeat(100_000)}`;
  assistant.attach({ kind: "file", path: "a.ts" });
  assistant.attach({ kind: "image", name: "large.png", url });
  const { id } = assistant.conversation;
  await assistant.newConversation();
  assert.deepEqual(assistant.attachments, []);
  await assistant.openConversation(id);
  assert.deepEqual(
    assistant.attachments.map(({ label }) => label),
    ["a.ts"],
  );
  await ask(desk, "What is it?", "A constant.");
  await assistant.newConversation();
  await assistant.openConversation(id);
  assert.deepEqual(assistant.attachments, []);
});

test("a command brings its own attachments and leaves the draft's alone", async (t) => {
  const desk = await openDesk(t);
  const { assistant, sim } = desk;
  assistant.attach({ kind: "text", name: "b", text: "c" });
  sim.reply(text("A constant."));
  const attachments = [{ kind: "text" as const, name: "Untitled-1", text: "const a = 1;" }];
  const turn = await assistant.send({ prompt: "", command: "explain", attachments });
  assert.equal(turn?.prompt, "/explain Untitled-1");
  assert.equal(assistant.attachments.length, 1);
  assert.match(String(sentTexts(desk)[0]), /Explain the code in question[\s\S]*The user says: Untitled-1$/);
});

test("what was chosen belongs to its conversation and is there when it is opened again", async (t) => {
  const desk = await openDesk(t);
  const { assistant, sim } = desk;
  assistant.chooseModel("svc-k3");
  assistant.chooseWebSearch(true);
  assistant.chooseCacheTier("1h");
  assistant.chooseOutputLimit(1000);
  await ask(desk, "News?", "None.");
  const { body } = sim.requests.at(-1) ?? assert.fail();
  assert.deepEqual((body["tools"] as unknown[]).at(-1), { type: "web_search" });
  assert.deepEqual(body["prompt_cache_options"], { mode: "implicit", ttl: "1h" });
  assert.equal(body["max_output_tokens"], 1000);
  const { id } = assistant.conversation;
  await assistant.newConversation();
  assert.deepEqual(
    [assistant.webSearch, assistant.cacheTier, assistant.outputLimit],
    [false, "default", undefined],
  );
  await assistant.openConversation(id);
  assert.deepEqual([assistant.webSearch, assistant.cacheTier, assistant.outputLimit], [true, "1h", 1000]);
  assert.equal(assistant.model, "svc-k3");
  assistant.chooseCacheTier("default");
  assistant.chooseOutputLimit(undefined);
  await ask(desk, "Now?", "None.");
  const later = sim.requests.at(-1)?.body ?? assert.fail();
  assert.deepEqual([later["prompt_cache_options"], later["max_output_tokens"]], [undefined, undefined]);
});

test("what was edited away is neither sent nor kept, and the conversation is whole when it is opened again", async (t) => {
  const desk = await openDesk(t);
  const { assistant, library, sim } = desk;
  assistant.chooseModel("svc-k3");
  await ask(desk, "One?", "Eins.");
  await ask(desk, "My canary?", "Your canary.");
  await ask(desk, "Three?", "Drei.");
  assistant.chooseCacheTier("1h");
  sim.reply(text("Zwei."));
  const edited = new Promise<void>((resolve) =>
    assistant.onEvent(({ type }) => {
      if (type === "ended") resolve();
    }),
  );
  assistant.edit(assistant.conversation.turns[1]?.id ?? "", "Two?");
  await edited;
  assert.deepEqual(prompts(assistant), ["One?", "Two?"]);
  assert.doesNotMatch(sim.requests.at(-1)?.raw.toString("utf8") ?? "", /canary|Three/);
  const { id } = assistant.conversation;
  await assistant.newConversation();
  const journal = await library.open(id);
  assert.doesNotMatch(JSON.stringify(await journal.read(() => true)), /canary|Drei/);
  await journal.close();
  await assistant.openConversation(id);
  assert.deepEqual(prompts(assistant), ["One?", "Two?"]);
  assert.equal(assistant.cacheTier, "1h", "what was chosen after the place of the cut stays");
});

test("a branch is the same through its turn, byte for byte, and each goes its own way from there", async (t) => {
  const desk = await openDesk(t);
  const { assistant, sim } = desk;
  assistant.chooseModel("svc-k3");
  await ask(desk, "One?", "Eins.");
  await ask(desk, "Two?", "Zwei.");
  await ask(desk, "Three?", "Drei.");
  const trunk = assistant.conversation;
  const second = sim.requests.at(1)?.body["input"] as unknown[];
  await assistant.branch(trunk.turns[1]?.id ?? "");
  assert.notEqual(assistant.conversation.id, trunk.id);
  assert.deepEqual(prompts(assistant), ["One?", "Two?"]);
  assert.equal(assistant.model, "svc-k3");
  await ask(desk, "Other?", "Anders.");
  const last = sim.requests.at(-1)?.body ?? assert.fail();
  assert.deepEqual((last["input"] as unknown[]).slice(0, second.length), second);
  assert.equal(last["prompt_cache_key"], sim.requests[0]?.body["prompt_cache_key"]);
  await assistant.openConversation(trunk.id);
  assert.deepEqual(prompts(assistant), ["One?", "Two?", "Three?"]);
});

test("another conversation can be attached", async (t) => {
  const desk = await openDesk(t);
  const { assistant } = desk;
  await ask(desk, "What is a cart?", "A list of lines.");
  const { id } = assistant.conversation;
  await assistant.newConversation();
  assistant.attach({ kind: "conversation", id, name: "Carts" });
  assistant.attach({ kind: "conversation", id: "0000", name: "Gone" });
  await ask(desk, "Go on from there.", "Gladly.");
  const sent = String(sentTexts(desk)[0]);
  assert.match(
    sent,
    /<conversation name="Carts">\nUser:\nWhat is a cart\?\n\nAssistant:\nA list of lines\.\n<\/conversation>/,
  );
  assert.match(sent, /not sent: The conversation "Gone" does not exist any more/);
});

test("files and folders are suggested by name, the nearest fit first, and never what is never sent", async () => {
  const workspace = createFolderWorkspace();
  for (const path of ["src/cart.ts", "src/cart/price.ts", "docs/a-cart.md", ".env", "node_modules/cart.js"])
    workspace.write(`work/${path}`, "x");
  const suggest = createFileSuggestions(workspace, () => defaultConversationSettings.privacy, Date.now);
  const labels = async (query: string) => (await suggest(query)).map(({ label }) => label);
  assert.deepEqual(await labels("cart"), ["src/cart/", "src/cart.ts", "docs/a-cart.md", "src/cart/price.ts"]);
  assert.deepEqual(await labels("scp"), ["src/cart/price.ts"]);
  assert.deepEqual(await labels("env"), []);
  assert.deepEqual((await suggest("src/cart/"))[0]?.attachment, { kind: "folder", path: "src/cart" });
});

test("what would be sent can be seen before it is sent, byte for byte, and looking changes nothing", async (t) => {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "const a = 1;\n");
  workspace.write("work/AGENTS.md", "Use tabs.");
  const desk = await openDesk(t, workspace);
  const { assistant, sim } = desk;
  assistant.chooseModel("svc-k3");
  assistant.chooseCacheTier("1h");
  assistant.attach({ kind: "file", path: "a.ts" });
  assistant.setDraft("What is it?");
  const never = new AbortController().signal;
  const first = await assistant.preview(undefined, never);
  assert.equal(sim.requests.length, 0);
  assert.deepEqual([assistant.attachments.length, assistant.conversation.turns], [1, []]);
  await ask(desk, "What is it?", "A constant.");
  const sent = sim.requests.at(-1)?.body ?? assert.fail();
  assert.ok(first.route === "responses");
  assert.deepEqual(
    first.request.input.map((raw) => JSON.parse(raw) as unknown),
    sent["input"],
  );
  assert.deepEqual([first.request.instructions, first.request.cacheTtl], [sent["instructions"], "1h"]);
  assistant.chooseModel("svc-k2.6");
  const chat = await assistant.preview({ prompt: "And now?" }, never);
  await ask(desk, "And now?", "Still.");
  assert.ok(chat.route === "chat");
  assert.deepEqual(chat.request.messages, sim.requests.at(-1)?.body["messages"]);
});

test("why a request missed the cache is said by what differs from the one before it", async (t) => {
  const desk = await openDesk(t);
  const { assistant } = desk;
  const long = "word ".repeat(400);
  const reason = () => {
    const { turns } = assistant.conversation;
    return assistant.whyMissed(turns.at(-1)?.id ?? "", 1);
  };
  assistant.chooseModel("svc-k3");
  await ask(desk, long, "One.");
  assert.deepEqual(reason(), { reason: "first" });
  await ask(desk, "Two?", "Two.");
  assert.equal(reason(), undefined, "it read what the first one wrote");
  assistant.chooseWebSearch(true);
  await ask(desk, "Three?", "Three.");
  assert.deepEqual(reason(), {
    reason: "differs",
    block: { part: "tools", position: 1 },
    change: { kind: "added" },
  });
  const first = assistant.conversation.turns[0]?.id ?? "";
  desk.sim.reply(text("Other."));
  const ended = new Promise<void>((resolve) =>
    assistant.onEvent(({ type }) => {
      if (type === "ended") resolve();
    }),
  );
  assistant.edit(first, `Other ${long}`);
  await ended;
  const why = reason();
  assert.ok(why?.reason === "differs" && why.block.part === "input" && why.block.position === 1);
  assistant.chooseCacheTier("1h");
  await ask(desk, "Five?", "Five.");
  assert.deepEqual(reason(), { reason: "tier", before: "5m", after: "1h" });
  assert.equal(assistant.sent(assistant.conversation.turns.at(-1)?.id ?? "")[0]?.input.length, 3);
});
