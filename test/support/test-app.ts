// Sessions as the product makes them: on a real disk, over real HTTP, with the simulator behind them, and one surface that
// shows one of them.

import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { guardFiles } from "../../src/files/guarded-files.ts";
import { noWorkspace } from "../../src/files/workspace.ts";
import { ChatSurface } from "../../src/host/shown-conversation.ts";
import type { ServiceClient } from "../../src/service/service-client.ts";
import { conversationStore, openLibrary } from "../../src/session/conversation-store.ts";
import type { Session } from "../../src/session/session.ts";
import { type ConversationSettings, defaultConversationSettings } from "../../src/session/session-context.ts";
import { SessionRegistry, type SessionRegistryDeps } from "../../src/session/session-registry.ts";
import { type SeenPrompts, WorkspacePrompts } from "../../src/session/slash-commands.ts";
import type { Library } from "../../src/store/library.ts";
import type { ApprovedTools } from "../../src/tools/tool-table.ts";
import { silentLog } from "../../src/util/log.ts";
import { present } from "../../src/util/present.ts";
import type { ProfileName } from "../sim/profiles.ts";
import { text } from "../sim/script.ts";
import { type Simulator, startSimulator } from "../sim/simulator.ts";
import { type SessionNeeds, sessionNeeds } from "./session-defaults.ts";
import { clientOf } from "./simulated-client.ts";

/** A surface with its sessions. */
export interface Shown {
  /** The one that is shown. */
  readonly session: Session;
  readonly registry: SessionRegistry;
  readonly prompts: WorkspacePrompts;
  readonly onSwitch: ChatSurface["onSwitch"];
  /** The one that will be shown once all that is on its way has come. */
  settled(): Promise<Session>;
  newConversation(draft?: string): Promise<void>;
  open(id: string): Promise<void>;
  branch(turn: string): Promise<void>;
  close(): Promise<void>;
}

export interface TestApp extends Shown {
  readonly library: Library;
  readonly sim: Simulator;
  readonly folder: string;
  settings: ConversationSettings;
  /** Another window, later: the same disk, another process. The first is closed. */
  restart(): Promise<Session>;
}

export interface ShownDeps
  extends Omit<SessionRegistryDeps, "client" | "prompts" | "approvedTools" | keyof SessionNeeds>,
    Partial<SessionNeeds> {
  readonly approvedTools?: ApprovedTools;
  readonly client: ServiceClient;
  readonly seenPrompts?: SeenPrompts;
}

/** One surface, on the conversation that was used last. */
export async function showLatest({
  client,
  seenPrompts,
  approvedTools = new Set<string>(),
  ...deps
}: ShownDeps): Promise<Shown> {
  const prompts = new WorkspacePrompts({
    workspace: deps.workspace,
    seen: seenPrompts ?? new Set<string>(),
    files: () => guardFiles(deps.workspace, () => deps.settings().privacy),
    now: deps.now,
  });
  const registry = new SessionRegistry({ ...sessionNeeds, ...deps, approvedTools, prompts, client });
  const surface = new ChatSurface(await registry.openLatest());
  return {
    registry,
    prompts,
    get session() {
      return surface.session;
    },
    onSwitch: surface.onSwitch,
    settled: () => surface.settled(),
    newConversation: (draft) => surface.go(() => registry.create(draft)),
    async open(id) {
      if (id !== surface.session.id) await surface.go(() => registry.open(id));
    },
    branch: (turn) => surface.go(() => registry.branch(surface.session, turn)),
    close: () => registry.close(),
  };
}

export async function openTestApp(
  t: TestContext,
  deps: Partial<ShownDeps> = {},
  profile?: ProfileName,
): Promise<TestApp> {
  const sim = await startSimulator(present({ profile, now: deps.now }));
  const folder = mkdtempSync(join(tmpdir(), "patchbay-sessions-"));
  const client = clientOf(sim);
  const library = openLibrary(folder, "", Date.now);
  const start = () =>
    showLatest({
      client,
      store: conversationStore(library),
      workspace: noWorkspace,
      countTokens: (content) =>
        content.kind === "text" ? { tokens: content.text.length, exact: false } : undefined,
      settings: () => app.settings,
      log: silentLog,
      defaultModel: () => "svc-k2.6",
      now: Date.now,
      newId: randomUUID,
      ...deps,
    });
  let shown = await start();
  const app: TestApp = {
    get session() {
      return shown.session;
    },
    get registry() {
      return shown.registry;
    },
    get prompts() {
      return shown.prompts;
    },
    onSwitch: (listener) => shown.onSwitch(listener),
    settled: () => shown.settled(),
    newConversation: (draft) => shown.newConversation(draft),
    open: (id) => shown.open(id),
    branch: (turn) => shown.branch(turn),
    close: () => shown.close(),
    library,
    sim,
    folder,
    settings: { ...defaultConversationSettings, askAboveTokens: null },
    async restart() {
      await shown.close();
      shown = await start();
      return shown.session;
    },
  };
  t.after(async () => {
    await shown.close();
    await library.close();
    client.dispose();
    await sim.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return app;
}

export async function ask({ session, sim }: TestApp, question: string, answer: string): Promise<void> {
  sim.reply(text(answer));
  await session.send({ prompt: question });
}

export const prompts = ({ session }: { readonly session: Session }): string[] =>
  session.state.turns.map(({ prompt }) => prompt);

/** What the chat route was told, message by message, without the instructions. */
export const sentTexts = ({ sim }: TestApp, request = -1): unknown[] => {
  const messages = (sim.requests.at(request)?.body["messages"] ?? []) as { content: unknown }[];
  return messages.slice(1).map(({ content }) => content);
};

/** Resolves at the first change after which `is` holds, or at once. */
export function until(session: Session, is: () => boolean): Promise<void> {
  if (is()) return Promise.resolve();
  return new Promise((resolve) => {
    const listening = session.onChange(() => {
      if (!is()) return;
      listening.dispose();
      resolve();
    });
  });
}
