// The assistant as the product makes it: on a real disk, over real HTTP, with the simulator behind it.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { createServiceClient } from "../../src/core/api/service-client.ts";
import type { Assistant, AssistantNeeds } from "../../src/core/assistant.ts";
import {
  type ConversationSettings,
  defaultConversationSettings,
} from "../../src/core/conversation-settings.ts";
import { openLibrary, shelfOf } from "../../src/core/conversation-shelf.ts";
import { createAssistant } from "../../src/core/create-assistant.ts";
import type { Library } from "../../src/core/store/library.ts";
import { silentLog } from "../../src/core/util/log.ts";
import { present } from "../../src/core/util/present.ts";
import { noWorkspace } from "../../src/core/workspace.ts";
import type { ProfileName } from "../sim/profiles.ts";
import { text } from "../sim/script.ts";
import { type Simulator, startSimulator } from "../sim/simulator.ts";

export interface Desk {
  readonly assistant: Assistant;
  readonly library: Library;
  readonly sim: Simulator;
  readonly folder: string;
  settings: ConversationSettings;
  /** Another window, later: the same disk, another process. The first is closed. */
  restart(): Promise<Assistant>;
}

export async function openDesk(
  t: TestContext,
  needs: Partial<AssistantNeeds> = {},
  profile?: ProfileName,
): Promise<Desk> {
  const sim = await startSimulator(present({ profile }));
  const folder = mkdtempSync(join(tmpdir(), "patchbay-assistant-"));
  const client = createServiceClient({
    connection: async () => ({ baseUrl: sim.url, key: sim.key }),
    settings: () => ({}),
    log: silentLog,
  });
  const library = openLibrary(folder, "", Date.now);
  const start = () =>
    createAssistant({
      client,
      shelf: shelfOf(library),
      workspace: noWorkspace,
      countTokens: (content) =>
        content.kind === "text" ? { tokens: content.text.length, exact: false } : undefined,
      settings: () => desk.settings,
      log: silentLog,
      defaultModel: () => "svc-k2.6",
      now: Date.now,
      newId: randomUUID,
      ...needs,
    });
  let assistant: Assistant | undefined;
  const desk: Desk = {
    get assistant() {
      if (assistant === undefined) throw new Error("It is closed.");
      return assistant;
    },
    library,
    sim,
    folder,
    settings: defaultConversationSettings,
    async restart() {
      await assistant?.close();
      assistant = await start();
      return assistant;
    },
  };
  assistant = await start();
  t.after(async () => {
    await assistant?.close();
    await library.close();
    client.dispose();
    await sim.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return desk;
}

export async function ask({ assistant, sim }: Desk, question: string, answer: string): Promise<void> {
  sim.reply(text(answer));
  await assistant.send({ prompt: question });
}

export const prompts = ({ conversation }: Assistant): string[] =>
  conversation.turns.map(({ prompt }) => prompt);

/** What the chat route was told, message by message, without the instructions. */
export const sentTexts = ({ sim }: Desk, request = -1): unknown[] => {
  const messages = (sim.requests.at(request)?.body["messages"] ?? []) as { content: unknown }[];
  return messages.slice(1).map(({ content }) => content);
};

/** Resolves at the first change after which `is` holds, or at once. */
export function until(assistant: Assistant, is: () => boolean): Promise<void> {
  if (is()) return Promise.resolve();
  return new Promise((resolve) => {
    const listening = assistant.onChange(() => {
      if (!is()) return;
      listening.dispose();
      resolve();
    });
  });
}
