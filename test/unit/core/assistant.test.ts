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
import type { Library } from "../../../src/core/store/library.ts";
import { silentLog } from "../../../src/core/util/log.ts";
import { noWorkspace } from "../../../src/core/workspace.ts";
import { text } from "../../sim/script.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";

interface Desk {
  readonly assistant: Assistant;
  readonly library: Library;
  readonly sim: Simulator;
}

async function openDesk(t: TestContext): Promise<Desk> {
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
    workspace: noWorkspace,
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
  return { assistant, library, sim };
}

async function ask({ assistant, sim }: Desk, question: string, answer: string): Promise<void> {
  sim.reply(text(answer));
  const ended = new Promise<void>((resolve) => {
    const listening = assistant.onEvent((event) => {
      if (event.type !== "ended") return;
      listening.dispose();
      resolve();
    });
  });
  assistant.send(question);
  await ended;
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
