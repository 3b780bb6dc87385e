// The second host file: everything with network, schemas and storage, loaded at first use (esbuild.mjs says why).
// Puts assistant, client, store and bridge together; what it needs of VS Code it is handed by extension.ts.
import { createHmac, randomUUID } from "node:crypto";
import { openSession, type Port } from "./bridge/session.ts";
import type { Preferences } from "./bridge/surroundings.ts";
import { type Connection, createServiceClient, type ServiceClient } from "./core/api/service-client.ts";
import type { ClientSettings } from "./core/api/settings.ts";
import { type AppliedPatches, createAppliedPatches } from "./core/applied-patches.ts";
import { type Assistant, createAssistant } from "./core/assistant.ts";
import type { Problem } from "./core/conversation/problem.ts";
import type { Conversation } from "./core/conversation/state.ts";
import type { ConversationSettings } from "./core/conversation-settings.ts";
import { openLibrary, readConversation, shelfOf } from "./core/conversation-shelf.ts";
import { capabilityFiles } from "./core/store/capability-files.ts";
import { nodeFileSystem } from "./core/store/file-system.ts";
import type { Library } from "./core/store/library.ts";
import { openSeenPrompts } from "./core/store/seen-prompts.ts";
import { openTokenCounts, type TokenCounts } from "./core/token-counts.ts";
import type { Disposable } from "./core/util/disposables.ts";
import { createPageSubject, type PageNeeds } from "./page-subject.ts";

export interface ServiceNeeds extends Omit<PageNeeds, "counts"> {
  /** Where everything is kept. */
  readonly folder: string;
  /** The editor's workspace: conversations that begin here are found again here. */
  readonly place: string;
  connection(): Promise<Connection | Problem>;
  readonly settings: ServiceSettings;
  /** Random, this installation's own; it never leaves as it is. */
  anonymousId(): string;
}

/** Asked at each use. */
export interface ServiceSettings {
  service(): ClientSettings;
  conversation(): ConversationSettings;
  preferences(): Preferences;
  defaultModel(): string;
  estimateMode(): "local" | "onDemand" | "auto";
}

export interface Service {
  readonly assistant: Assistant;
  readonly applied: AppliedPatches;
  readonly client: ServiceClient;
  readonly library: Library;
  readonly counts: TokenCounts;
  /** A conversation as it is shown, without opening it. */
  read(conversation: string): Promise<Conversation>;
  openPage(port: Port): Disposable;
  /** Key, address or another surrounding has changed: pages are told. */
  surroundingsChanged(): void;
  /** Ends the running turn, saves what is open, closes what was opened. */
  close(): Promise<void>;
}

export async function createService(needs: ServiceNeeds): Promise<Service> {
  const { log, folder } = needs;
  const { settings } = needs;
  const client = createServiceClient({
    connection: needs.connection,
    settings: () => ({ ...settings.service(), userId: hashed(needs.anonymousId()) }),
    capabilities: capabilityFiles(nodeFileSystem, folder),
    log,
  });
  const now = () => Date.now();
  const library = openLibrary(folder, needs.place, now);
  const counts = await openTokenCounts({
    client,
    fs: nodeFileSystem,
    folder,
    log,
    mayAskUnasked: () => settings.estimateMode() === "auto",
  });
  const seenPrompts = await openSeenPrompts(nodeFileSystem, folder, log);
  const assistant = await createAssistant({
    client,
    seenPrompts,
    shelf: shelfOf(library),
    workspace: needs.workspace,
    settings: settings.conversation,
    log,
    defaultModel: settings.defaultModel,
    now,
    newId: randomUUID,
    countTokens: (content, model) => counts.about(model, [content]).tokens,
  });
  const page = createPageSubject(assistant, { ...needs, counts }, now);

  return {
    assistant,
    applied: createAppliedPatches({ proposal: assistant.proposal, workspace: needs.workspace }),
    client,
    library,
    counts,
    read: (conversation) => readConversation(library, conversation),
    openPage: (port) => openSession(port, page.subject, log),
    surroundingsChanged: page.surroundingsChanged,
    async close() {
      await assistant.close();
      await library.close();
      counts.dispose();
      await counts.saved();
      await seenPrompts.saved();
      client.dispose();
    },
  };
}

/** Requirements B16: an identifier that says nothing, and from which nothing can be worked out. */
const hashed = (id: string): string => createHmac("sha256", id).update("patchbay").digest("hex");
