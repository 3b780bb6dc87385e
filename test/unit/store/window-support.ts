import { randomUUID } from "node:crypto";
import type { TestContext } from "node:test";
import type { ConversationEvent } from "../../../src/conversation/events.ts";
import { noWorkspace, type Workspace } from "../../../src/files/workspace.ts";
import { conversationStore } from "../../../src/session/conversation-store.ts";
import { defaultConversationSettings } from "../../../src/session/session-context.ts";
import { type FileSystem, nodeFileSystem } from "../../../src/store/file-system.ts";
import type { HostTool } from "../../../src/tools/tool-table.ts";
import { silentLog } from "../../../src/util/log.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";
import { clientOf } from "../../support/simulated-client.ts";
import { type Shown, showLatest } from "../../support/test-app.ts";
import { libraryOn, temporaryFolder } from "./store-support.ts";

export interface Window {
  readonly sim: Simulator;
  readonly shown: Shown;
  readonly events: ConversationEvent[];
  readonly errors: string[];
  /** Resolves with the first event of this kind that comes from now on. */
  next(type: ConversationEvent["type"]): Promise<void>;
}

export interface WindowOptions {
  readonly folder: string;
  readonly sim: Simulator;
  readonly fs: FileSystem;
  readonly workspace: Workspace;
  /** A tool that asks a person before it runs. */
  readonly askingTool: HostTool;
  now(): number;
}

export async function openWindow(t: TestContext, options: Partial<WindowOptions> = {}): Promise<Window> {
  const { folder = temporaryFolder(t), fs = nodeFileSystem, now = Date.now, askingTool } = options;
  const sim = options.sim ?? (await startSimulator());
  const events: ConversationEvent[] = [];
  const errors: string[] = [];
  const client = clientOf(sim, { wait: async () => {} });
  const shown = await showLatest({
    ...{
      client,
      store: conversationStore(libraryOn(folder, fs)),
      workspace: options.workspace ?? noWorkspace,
      now,
      newId: randomUUID,
    },
    settings: () => ({
      ...defaultConversationSettings,
      tools: {
        user: new Map(askingTool === undefined ? [] : [[askingTool.namespace, "ask" as const]]),
        workspace: new Map(),
      },
    }),
    hostTools: () => (askingTool === undefined ? [] : [askingTool]),
    log: { ...silentLog, error: (message, cause) => void errors.push(`${message} ${String(cause)}`) },
    defaultModel: () => "svc-k3",
  });
  shown.registry.follow((session) => session.onEvent((event) => events.push(event)));
  t.after(async () => {
    await shown.close().catch(() => undefined);
    client.dispose();
    await sim.close();
  });
  const next = (type: ConversationEvent["type"]) =>
    new Promise<void>((resolve) => {
      const listening = shown.session.onEvent((event) => {
        if (event.type !== type) return;
        listening.dispose();
        resolve();
      });
    });
  return { sim, shown, events, errors, next };
}

export const words = ({ session }: Shown) =>
  session.state.turns.map(({ prompt, status, parts }) => [
    prompt,
    status,
    parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
  ]);
