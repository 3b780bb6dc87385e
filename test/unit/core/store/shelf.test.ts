// The store under the assistant, on a real disk, over real HTTP: what a person sees when a conversation is edited,
// when the disk refuses, and after the window was gone.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { createServiceClient } from "../../../../src/core/api/service-client.ts";
import type { Assistant } from "../../../../src/core/assistant.ts";
import { defaultConversationSettings } from "../../../../src/core/conversation-settings.ts";
import { shelfOf } from "../../../../src/core/conversation-shelf.ts";
import { createAssistant } from "../../../../src/core/create-assistant.ts";
import { nodeFileSystem } from "../../../../src/core/store/file-system.ts";
import { silentLog } from "../../../../src/core/util/log.ts";
import { noWorkspace } from "../../../../src/core/workspace.ts";
import { text } from "../../../sim/script.ts";
import { type Simulator, startSimulator } from "../../../sim/simulator.ts";
import { failingFileSystem } from "./failing-file-system.ts";
import { addTurn, libraryOn, logOf, temporaryFolder } from "./store-support.ts";

interface Desk {
  readonly sim: Simulator;
  readonly assistant: Assistant;
  readonly errors: string[];
  /** Resolves with the next end of a turn. */
  ended(): Promise<void>;
  log(): string;
}

async function openDesk(
  t: TestContext,
  { folder = temporaryFolder(t), sim, fs = nodeFileSystem }: Partial<DeskOptions> = {},
): Promise<Desk> {
  const service = sim ?? (await startSimulator());
  const errors: string[] = [];
  const client = createServiceClient({
    connection: async () => ({ baseUrl: service.url, key: service.key }),
    settings: () => ({}),
    log: silentLog,
    wait: async () => {},
  });
  const assistant = await createAssistant({
    client,
    shelf: shelfOf(libraryOn(folder, fs)),
    workspace: noWorkspace,
    settings: () => defaultConversationSettings,
    log: { ...silentLog, error: (message, cause) => void errors.push(`${message} ${String(cause)}`) },
    defaultModel: () => "svc-k3",
    now: Date.now,
    newId: randomUUID,
  });
  t.after(async () => {
    await assistant.close();
    client.dispose();
    await service.close();
  });
  return {
    sim: service,
    assistant,
    errors,
    ended: () =>
      new Promise((resolve) => {
        const listening = assistant.onEvent((event) => {
          if (event.type !== "ended") return;
          listening.dispose();
          // The turn's last word is said before the turn itself is over.
          setImmediate(resolve);
        });
      }),
    log: () => readFileSync(logOf(folder, assistant.conversation.id), "utf8"),
  };
}

interface DeskOptions {
  readonly folder: string;
  readonly sim: Simulator;
  readonly fs: typeof nodeFileSystem;
}

async function ask(desk: Desk, question: string, answer: string): Promise<void> {
  desk.sim.reply(text(answer));
  await desk.assistant.send({ prompt: question });
}

const lastInput = (desk: Desk): string => JSON.stringify(desk.sim.requests.at(-1)?.body["input"]);

test("an edited question is gone from the disk and from the wire, and the new one takes its place", async (t) => {
  const folder = temporaryFolder(t);
  const desk = await openDesk(t, { folder });
  await ask(desk, "First.", "One.");
  await ask(desk, "My password is canary-1.", "Noted canary-2.");
  const turn = desk.assistant.conversation.turns[1]?.id ?? "";
  desk.sim.reply(text("Better."));
  const over = desk.ended();
  desk.assistant.edit(turn, "Second.");
  await over;
  assert.doesNotMatch(lastInput(desk), /canary/);
  assert.match(lastInput(desk), /First.*One.*Second/s);
  assert.doesNotMatch(desk.log(), /canary/);
  await ask(desk, "Third.", "Three.");
  const sent = desk.sim.requests.at(-1)?.raw;
  const shown = desk.assistant.conversation;
  await desk.assistant.close();
  const again = await openDesk(t, { folder, sim: desk.sim });
  assert.deepEqual(again.assistant.conversation, shown);
  await ask(again, "Fourth.", "Four.");
  const input = JSON.parse(String(sent)).input.length;
  assert.equal(JSON.parse(String(again.sim.requests.at(-1)?.raw)).input.length, input + 2);
  assert.deepEqual(desk.errors, []);
});

test("a disk that refuses to forget still knows what was cut off", async (t) => {
  const folder = temporaryFolder(t);
  const fs = { ...nodeFileSystem };
  const desk = await openDesk(t, { folder, fs });
  await ask(desk, "First.", "One.");
  const rename = fs.rename;
  fs.rename = () => Promise.reject(Object.assign(new Error("EIO"), { code: "EIO" }));
  desk.sim.reply(text("Other."));
  const over = desk.ended();
  desk.assistant.regenerate(desk.assistant.conversation.turns[0]?.id ?? "");
  await over;
  assert.match(desk.log(), /One\./);
  await desk.assistant.close();
  fs.rename = rename;
  const again = await openDesk(t, { folder, sim: desk.sim, fs });
  assert.equal(again.assistant.conversation.turns.length, 1);
  assert.doesNotMatch(again.log(), /One\./);
  assert.match(desk.errors.join(), /could not be removed from the disk/);
});

test("row 78: a damaged conversation says once that it was repaired, and how many turns are left", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  const journal = await library.create("mine");
  for (const turn of ["1", "2", "3"]) await addTurn(journal, turn);
  await journal.close();
  await library.close();
  const bytes = readFileSync(logOf(folder, "mine"));
  const where = bytes.indexOf('"turn":"3"');
  writeFileSync(logOf(folder, "mine"), bytes.fill(0, where, where + 10));
  const opened = await openDesk(t, { folder });
  assert.equal(opened.assistant.conversation.turns.length, 2);
  assert.match(opened.assistant.repaired ?? "", /turns that are left: 2\./);
  await opened.assistant.close();
  const again = await openDesk(t, { folder });
  assert.equal(again.assistant.conversation.turns.length, 2);
  assert.equal(again.assistant.repaired, undefined);
});

test("what was sent after a reopening begins with the very bytes that were sent before it", async (t) => {
  const folder = temporaryFolder(t);
  const desk = await openDesk(t, { folder });
  await ask(desk, "First ünïcode 😀.", "One\n\n漢字.");
  await ask(desk, "Second.", "Two.");
  await desk.assistant.close();
  const again = await openDesk(t, { folder, sim: desk.sim });
  await ask(again, "Third.", "Three.");
  const [, before, after] = desk.sim.requests.map(({ raw }) => raw.toString());
  const upToInput = (raw = "") => raw.slice(0, raw.indexOf("Second.") + "Second.".length);
  assert.ok(after?.startsWith(upToInput(before)));
});

test("attachments that an earlier version kept in the journal stand beside the draft again, and no longer in it", async (t) => {
  const folder = temporaryFolder(t);
  const attached = (...names: string[]) => ({
    type: "attached",
    at: 1,
    wishes: names.map((name) => ({ kind: "text", name, text: `The words of ${name}` })),
  });
  const journal = await libraryOn(folder).create("c");
  await journal.append(attached("gone", "kept"), { durable: false });
  await addTurn(journal, "1");
  await journal.append(attached("kept"), { durable: true });
  await journal.close();
  const desk = await openDesk(t, { folder });
  const labels = () => desk.assistant.attachments.map(({ label }) => label);
  assert.deepEqual(labels(), ["kept"]);
  assert.equal(desk.assistant.conversation.turns.length, 1);
  assert.doesNotMatch(desk.log(), /The words of/);
  await desk.assistant.newConversation();
  await desk.assistant.openConversation("c");
  assert.deepEqual(labels(), ["kept"]);
});

test("what is attached is written when it changes, not with every word of the draft", async (t) => {
  const written: string[] = [];
  const open: typeof nodeFileSystem.open = async (path, mode) => {
    const file = await nodeFileSystem.open(path, mode);
    if (mode === "create") written.push(/(draft|attached)\.json/.exec(path)?.[1] ?? "");
    return file;
  };
  const { assistant } = await openDesk(t, { fs: { ...nodeFileSystem, open } });
  assistant.attach({ kind: "text", name: "a", text: "words" });
  const { id } = assistant.conversation;
  for (const draft of ["One", "One two"]) {
    assistant.setDraft(draft);
    await assistant.newConversation();
    await assistant.openConversation(id);
  }
  assert.deepEqual(
    written.filter((name) => name === "attached"),
    ["attached"],
  );
  assert.ok(written.filter((name) => name === "draft").length >= 2);
  assert.equal(assistant.attachments.length, 1);
});

test("what is attached while no file can be made for it is not left behind, and kept once one can be", async (t) => {
  const fs = { ...nodeFileSystem };
  const { assistant } = await openDesk(t, { fs });
  fs.stat = () => Promise.reject(full);
  assistant.attach({ kind: "text", name: "kept", text: "words" });
  const { id } = assistant.conversation;
  await assert.rejects(assistant.newConversation(), /the disk is full/);
  fs.stat = nodeFileSystem.stat;
  await assistant.newConversation();
  await assistant.openConversation(id);
  assert.deepEqual(
    assistant.attachments.map(({ label }) => label),
    ["kept"],
  );
});

const full = Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });

test("a conversation goes on while the disk is full, and is whole once there is room", async (t) => {
  const folder = temporaryFolder(t);
  const fs = { ...nodeFileSystem };
  const desk = await openDesk(t, { folder, fs });
  const open = fs.open;
  fs.open = async (path, mode) => ({ ...(await open(path, mode)), write: () => Promise.reject(full) });
  await ask(desk, "First.", "One.");
  assert.ok(desk.errors.some((error) => error.includes("History is not being saved: the disk is full")));
  fs.open = open;
  await ask(desk, "Second.", "Two.");
  await desk.assistant.close();
  const again = await openDesk(t, { folder, sim: desk.sim });
  assert.deepEqual(
    again.assistant.conversation.turns.map(({ prompt, status }) => [prompt, status]),
    [
      ["First.", "done"],
      ["Second.", "done"],
    ],
  );
});

test("a disk that answers nothing at all stops no conversation", async (t) => {
  const fs = failingFileSystem({ at: 1, code: "EIO", forGood: true, half: false });
  const desk = await openDesk(t, { fs });
  await ask(desk, "First.", "One.");
  await ask(desk, "Second.", "Two.");
  assert.equal(desk.assistant.conversation.turns.length, 2);
  assert.match(lastInput(desk), /First.*One.*Second/s);
  assert.ok(desk.errors.every((error) => /History is not being saved: the disk reports EIO/.test(error)));
});
