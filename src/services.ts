// Everything with network, schemas and storage, put together: sessions, client, store and bridge. Part of the second
// host file (container.ts), which hands it what it needs of VS Code.

import { createHmac, randomUUID } from "node:crypto";
import type { Preferences } from "./bridge/view-state.ts";
import { ChatSurfaces, type ChatSurfacesDeps } from "./chat-surfaces.ts";
import type { EditorNetwork } from "./core/api/editor-network.ts";
import { ReceiptBytes } from "./core/api/receipts.ts";
import type { Reply } from "./core/api/reply.ts";
import type { Composable } from "./core/api/request.ts";
import { createServiceClient, type ServiceClient } from "./core/api/service-client.ts";
import type { ClientSettings } from "./core/api/settings.ts";
import type { Connect } from "./core/api/url-and-key.ts";
import type { KeyWatcher } from "./core/api/watch-key.ts";
import type { CheckHost } from "./core/checks/check.ts";
import type { ConversationEvent } from "./core/conversation/events.ts";
import type { Conversation } from "./core/conversation/state.ts";
import { guardFiles } from "./core/files/guarded-files.ts";
import { Exchanges } from "./core/inspect/exchanges.ts";
import { sendOnce } from "./core/inspect/send-once.ts";
import { Bookkeeper } from "./core/ledger/bookkeeper.ts";
import { FileLedger } from "./core/ledger/file-ledger.ts";
import type { MonthlyLines } from "./core/ledger/monthly-lines.ts";
import { noteReply, outside } from "./core/ledger/note-reply.ts";
import { type ReceiptRow, receiptLedger } from "./core/ledger/receipt-ledger.ts";
import { createUploadedFiles, type UploadedFiles } from "./core/ledger/uploaded-files.ts";
import { usageLedger } from "./core/ledger/usage-ledger.ts";
import type { Message } from "./core/messages/message.ts";
import type { ConversationSettings } from "./core/session/conversation-settings.ts";
import { conversationStore, openLibrary, readConversation } from "./core/session/conversation-store.ts";
import { removeFinishedTasks } from "./core/session/finished-tasks.ts";
import { createLanguageModelChat, type LanguageModelChat } from "./core/session/language-model-chat.ts";
import { SessionRegistry } from "./core/session/session-registry.ts";
import { SpendGuard, type SpendPrices } from "./core/session/spend-guard.ts";
import { Titles } from "./core/session/titles.ts";
import { WorkspacePrompts } from "./core/session/workspace-prompts.ts";
import { capabilityFiles } from "./core/store/capability-files.ts";
import { nodeFileSystem } from "./core/store/file-system.ts";
import { openKnownHashes } from "./core/store/known-hashes.ts";
import type { Library } from "./core/store/library.ts";
import type { FileFinder } from "./core/suggestions/file-index.ts";
import { createFileSuggestions, type FileSuggestions } from "./core/suggestions/file-suggestions.ts";
import {
  type Cost,
  costOfAll,
  formatAmount,
  type Pricing,
  ratesOf,
  readPricing,
} from "./core/tokens/price.ts";
import { dearerBy } from "./core/tokens/rewind-cost.ts";
import { openTokenCounts, type TokenCounts } from "./core/tokens/token-counts.ts";
import type { UsageRow } from "./core/tokens/usage-rows.ts";
import type { HostTool } from "./core/tools/host-tool.ts";
import type { Disposable } from "./core/util/disposables.ts";
import type { Listener } from "./core/util/emitter.ts";
import { type Own, openAllOrNothing } from "./core/util/open-all-or-nothing.ts";

export interface ServiceDeps
  extends Omit<
    ChatSurfacesDeps,
    "counts" | "titles" | "prompts" | "priceOfLoss" | "registry" | "suggestions"
  > {
  /** Where everything is kept. */
  readonly folder: string;
  /** The editor's workspace: conversations that begin here are found again here. */
  readonly place: string;
  readonly connection: Connect;
  /** Hears whether the service takes the key. */
  readonly keyWatcher: KeyWatcher;
  readonly settings: ServiceSettings;
  /** What the editor knows of the files; absent: they are gone through folder by folder. */
  readonly finder?: FileFinder;
  /** Where the person's own checks run. */
  readonly checkHost?: CheckHost;
  /** Tools of other extensions and of MCP servers, as they are now. */
  hostTools(): readonly HostTool[];
  /** A file that was to be read was not, for one of these names of it. */
  heldBack(paths: readonly string[]): void;
  /** Random, this installation's own; it never leaves as it is. */
  anonymousId(): string;
  /** The editor's own way out. */
  readonly editorNetwork: EditorNetwork;
  /** One sentence for a person, whatever they are doing. */
  tell(message: Message): void;
  /** In which amounts are written. */
  readonly language: string;
}

/** Asked at each use. */
export interface ServiceSettings {
  service(): ClientSettings;
  conversation(): ConversationSettings;
  preferences(): Preferences;
  defaultModel(): string;
  estimateMode(): "local" | "onDemand" | "auto";
  /** The user's own price table, as it was written. */
  pricing(): unknown;
}

/** What was used and signed, over all conversations and windows. */
export interface Ledgers {
  readonly usage: Pick<MonthlyLines<UsageRow>, "since" | "hasAny">;
  readonly receipts: Pick<MonthlyLines<ReceiptRow>, "since">;
  onWritten(listener: Listener<void>): Disposable;
  /** Resolves when what is known by now can be read. */
  flush(): Promise<void>;
}

export interface Price extends Cost {
  /** "at least" where some requests could not be priced. */
  readonly text: string;
}

export interface Service {
  readonly surfaces: ChatSurfaces;
  readonly registry: SessionRegistry;
  readonly titles: Pick<Titles, "of">;
  readonly prompts: WorkspacePrompts;
  readonly suggestions: Pick<FileSuggestions, "suggest">;
  readonly client: ServiceClient;
  readonly library: Library;
  readonly counts: TokenCounts;
  readonly ledgers: Ledgers;
  readonly receiptBytes: ReceiptBytes;
  /** By the user's table; the sentence says why it cannot be used. */
  readonly prices: SpendPrices;
  pricing(): { readonly pricing: Pricing | undefined } | { readonly message: Message };
  /** What requests cost by that table; `undefined` where it says nothing about any of them. */
  price(rows: readonly UsageRow[]): Price | undefined;
  readonly files: UploadedFiles;
  /** What turns of this window sent and received. */
  readonly exchanges: Exchanges;
  /** Asked by other extensions. */
  readonly languageModelChat: LanguageModelChat;
  /** One request outside every conversation. */
  sendOnce(asked: Composable, signal: AbortSignal): Promise<Reply>;
  /** Of earlier windows. */
  removeFinishedTasks(): Promise<void>;
  /** A conversation as it is shown, without opening it. */
  read(conversation: string): Promise<Conversation>;
  /** Ends the running turn, saves what is open, closes what was opened. */
  close(): Promise<void>;
}

/** All of it, or nothing: what cannot be put together locks no conversation. */
export const createService = (deps: ServiceDeps): Promise<Service> =>
  openAllOrNothing((own, close) => openService(deps, own, close));

async function openService(deps: ServiceDeps, own: Own, close: () => Promise<void>): Promise<Service> {
  const { log, folder } = deps;
  const { settings } = deps;
  const now = () => Date.now();
  const usage = usageLedger(nodeFileSystem, folder);
  const receipts = receiptLedger(nodeFileSystem, folder);
  const bookkeeper = new Bookkeeper({ usage, receipts, log, now });
  // What the disk refused is tried once more at the end. One file that cannot be written costs none of the others.
  for (const each of [receipts, usage, bookkeeper]) own({ dispose: () => each.flush() });
  const fileLedger = new FileLedger(nodeFileSystem, folder);
  for (const { onDamage } of [usage, receipts, fileLedger]) onDamage(deps.tell);
  receipts
    .forgetBefore(now() - receiptDays * day)
    .catch((error: unknown) => log.error("Old receipts could not be removed.", error));
  const receiptBytes = new ReceiptBytes();
  /** For what is asked outside every conversation, under the name that stands in the ledger in place of one. */
  const notesFor = (name: string) => ({
    take: (event: ConversationEvent) => bookkeeper.take(name, event),
    now,
    newId: randomUUID,
  });
  const client = createServiceClient({
    connection: deps.connection,
    settings: () => ({ ...settings.service(), userId: hashed(deps.anonymousId()) }),
    capabilities: capabilityFiles(nodeFileSystem, folder),
    receiptBytes,
    keyWatcher: deps.keyWatcher,
    notes: {
      receipt: (receipt) => bookkeeper.takeReceipt(receipt),
      reply: (events) => noteReply(events, notesFor(outside.check)),
    },
    editorNetwork: deps.editorNetwork,
    log,
  });
  own(client);
  // What it is known to take stands in lists that are asked for at once.
  void client.found();
  const exchanges = new Exchanges();
  const library = openLibrary(folder, deps.place, now);
  own({ dispose: () => library.close() });
  const counts = await openTokenCounts({
    client,
    fs: nodeFileSystem,
    folder,
    log,
    // Requirements N7: in an untrusted folder nothing goes out that nobody pressed a button for.
    mayAskUnasked: () => settings.estimateMode() === "auto" && deps.workspace.trusted,
  });
  const seenPrompts = await openKnownHashes(nodeFileSystem, { folder, list: "seen-prompts" }, log);
  const approvedTools = await openKnownHashes(nodeFileSystem, { folder, list: "approved-tools" }, log);
  for (const each of [approvedTools, seenPrompts, counts]) own({ dispose: () => each.saved() });
  own(counts);
  const pricing = () => readPricing(settings.pricing());
  const table = () => {
    const read = pricing();
    return "pricing" in read ? read.pricing : undefined;
  };
  const amount = (sum: number) => formatAmount(sum, table()?.currency ?? "", deps.language);
  const prices = { rates: (model: string) => ratesOf(table(), model), amount };
  const { workspace } = deps;
  const prompts = new WorkspacePrompts({
    workspace,
    seen: seenPrompts,
    files: () => guardFiles(workspace, () => settings.conversation().privacy, deps.heldBack),
    now,
  });
  const store = conversationStore(library);
  const registry = new SessionRegistry({
    store,
    client,
    exchanged: (owner, exchange) => exchanges.add(owner, exchange),
    prompts,
    workspace,
    approvedTools,
    heldBack: deps.heldBack,
    hostTools: deps.hostTools,
    checkHost: deps.checkHost,
    settings: settings.conversation,
    log,
    defaultModel: settings.defaultModel,
    now,
    newId: randomUUID,
    counts,
    prices,
    countTokens: (content, model) => counts.best(model, [content]),
  });
  own({ dispose: () => registry.close() });
  registry.follow((session) => session.onEvent((event) => bookkeeper.take(session.id, event)));
  /** After a restart, or where another window has proposed or decided something. */
  const lookForWaiting = () =>
    library.leftToReview().then(
      (ids) => registry.noteLeftToReview(ids),
      (error: unknown) => log.error("The list of conversations could not be read.", error),
    );
  own(library.onDidChange(() => void lookForWaiting()));
  void lookForWaiting();
  const titles = own(new Titles({ library, log }));
  const suggestions = own(
    createFileSuggestions({
      workspace,
      finder: deps.finder,
      privacy: () => settings.conversation().privacy,
    }),
  );
  const surfaces = await ChatSurfaces.open({
    ...deps,
    registry,
    titles,
    prompts,
    suggestions,
    counts,
    priceOfLoss(tokens, { model, cacheTier }) {
      const rates = ratesOf(table(), model);
      if (rates === undefined || tokens === 0) return undefined;
      return amount(dearerBy(tokens, rates, cacheTier === "1h" ? "1h" : "5m"));
    },
  });

  return {
    surfaces,
    registry,
    titles,
    prompts,
    suggestions,
    client,
    library,
    counts,
    receiptBytes,
    ledgers: { usage, receipts, onWritten: bookkeeper.onWritten, flush: () => bookkeeper.flush() },
    pricing,
    prices,
    price(rows) {
      const cost = costOfAll(rows, table());
      if (cost === undefined) return undefined;
      const text = amount(cost.amount);
      return { ...cost, text: cost.unpriced === 0 ? text : `≥ ${text}` };
    },
    exchanges,
    languageModelChat: createLanguageModelChat({
      client,
      limits: () => settings.conversation().limits,
      spending: new SpendGuard({ counts, prices, now, limit: () => settings.conversation().askAboveTokens }),
      ...notesFor(outside.languageModel),
    }),
    sendOnce: (asked, signal) => sendOnce(asked, { client, ...notesFor(surfaces.session.id) }, signal),
    files: createUploadedFiles({
      ledger: fileLedger,
      deleteFile: client.deleteFile,
      search: library.search.bind(library),
      now,
    }),
    removeFinishedTasks: () =>
      removeFinishedTasks({ library, store, isOpen: (id) => registry.find(id) !== undefined, log }),
    read: (conversation) => readConversation(library, conversation),
    close,
  };
}

const day = 24 * 60 * 60_000;
/** A year of receipts is kept: they are small. */
const receiptDays = 365;

/** Requirements B16: an identifier that says nothing, and from which nothing can be worked out. */
const hashed = (id: string): string => createHmac("sha256", id).update("patchbay").digest("hex");
