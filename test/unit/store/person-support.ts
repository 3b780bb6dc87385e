// A window of one person on a real store, over real HTTP: what they ask, what is shown, what went wrong.

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { TestContext } from "node:test";
import { noWorkspace } from "../../../src/files/workspace.ts";
import { conversationStore } from "../../../src/session/conversation-store.ts";
import type { Session } from "../../../src/session/session.ts";
import { defaultConversationSettings } from "../../../src/session/session-context.ts";
import { nodeFileSystem } from "../../../src/store/file-system.ts";
import type { Library } from "../../../src/store/library.ts";
import { silentLog } from "../../../src/util/log.ts";
import { text } from "../../sim/script.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";
import { english } from "../../support/english.ts";
import { clientOf } from "../../support/simulated-client.ts";
import { showLatest } from "../../support/test-app.ts";
import { libraryOn, logOf, temporaryFolder } from "./store-support.ts";

export interface TestApp {
  readonly sim: Simulator;
  readonly session: Session;
  open(id: string): Promise<void>;
  newConversation(): Promise<void>;
  branch(turn: string): Promise<void>;
  close(): Promise<void>;
  readonly errors: string[];
  /** Resolves with the next end of a turn. */
  ended(): Promise<void>;
  log(): string;
}

export async function openTestApp(
  t: TestContext,
  { folder = temporaryFolder(t), sim, fs = nodeFileSystem, library }: Partial<FixtureOptions> = {},
): Promise<TestApp> {
  const service = sim ?? (await startSimulator());
  const errors: string[] = [];
  const client = clientOf(service, { wait: async () => {} });
  const surface = await showLatest({
    client,
    store: conversationStore(library ?? libraryOn(folder, fs)),
    workspace: noWorkspace,
    settings: () => defaultConversationSettings,
    log: { ...silentLog, error: (message, cause) => void errors.push(`${message} ${String(cause)}`) },
    defaultModel: () => "svc-k3",
    now: Date.now,
    newId: randomUUID,
  });
  t.after(async () => {
    await surface.close();
    client.dispose();
    await service.close();
  });
  return {
    sim: service,
    get session() {
      return surface.session;
    },
    open: surface.open,
    newConversation: surface.newConversation,
    branch: surface.branch,
    close: surface.close,
    errors,
    ended: () =>
      new Promise((resolve) => {
        const listening = surface.session.onEvent((event) => {
          if (event.type !== "ended") return;
          listening.dispose();
          // The turn's last word is said before the turn itself is over.
          setImmediate(resolve);
        });
      }),
    log: () => readFileSync(logOf(folder, surface.session.id), "utf8"),
  };
}

interface FixtureOptions {
  readonly folder: string;
  readonly sim: Simulator;
  readonly fs: typeof nodeFileSystem;
  readonly library: Library;
}

export async function ask(app: TestApp, question: string, answer: string): Promise<void> {
  app.sim.reply(text(answer));
  await app.session.send({ prompt: question });
}

export const lastInput = (app: TestApp): string => JSON.stringify(app.sim.requests.at(-1)?.body["input"]);

/** Each question, and what stands below it, notes among the words. */
export const shown = ({ session }: TestApp) =>
  session.state.turns.map(({ prompt, parts }) => [
    prompt,
    parts
      .map((part) => ("text" in part ? part.text : part.type === "note" ? english(part.notes) : ""))
      .join(" "),
  ]);

export const full = Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
