// Assembles everything that uses the network, schemas or storage: sessions, client, store and bridge. Part of the
// second host file; container.ts passes in what it needs of VS Code.
import { createHmac, randomUUID } from "node:crypto";
import { homedir } from "node:os";
import type { Preferences } from "../bridge/preferences.ts";
import type { CheckHost } from "../checks/check.ts";
import type { CommandHost } from "../commands/command-host.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import type { Message } from "../conversation/messages.ts";
import type { Conversation } from "../conversation/state.ts";
import { createFileSuggestions, type FileSuggestions } from "../files/file-suggestions.ts";
import { guardFiles } from "../files/guarded-files.ts";
import type { FileFinder } from "../files/workspace.ts";
import { Exchanges, sendOnce } from "../inspect/exchanges.ts";
import { ReceiptBytes, type Reply } from "../service/reply.ts";
import type { Composable } from "../service/request.ts";
import { createServiceClient, type ServiceClient } from "../service/service-client.ts";
import type { ClientSettings, EditorNetwork } from "../service/settings.ts";
import type { Connect, KeyWatcher } from "../service/url-and-key.ts";
import {
  conversationStore,
  openLibrary,
  readConversation,
  removeFinishedTasks,
} from "../session/conversation-store.ts";
import { createLanguageModelChat, type LanguageModelChat } from "../session/language-model-chat.ts";
import type { ConversationSettings, SessionContext } from "../session/session-context.ts";
import { SessionRegistry } from "../session/session-registry.ts";
import { WorkspacePrompts } from "../session/slash-commands.ts";
import { SpendGuard, type SpendPrices } from "../session/spend-guard.ts";
import { capabilityFiles, openKnownHashes } from "../store/documents.ts";
import { nodeFileSystem } from "../store/file-system.ts";
import type { Library } from "../store/library.ts";
import type { MonthlyLines } from "../store/monthly-lines.ts";
import type { HostTool } from "../tools/tool-table.ts";
import { SessionTrials } from "../trials/session-trials.ts";
import { FileLedger } from "../uploaded-files/file-ledger.ts";
import { createUploadedFiles, type UploadedFiles } from "../uploaded-files/uploaded-files.ts";
import {
  Bookkeeper,
  noteReply,
  outsideConversations,
  type ReceiptRow,
  receiptLedger,
  usageLedger,
} from "../usage/ledger.ts";
import { type Cost, costOfAll, extraCost, type Pricing, ratesOf, readPricing } from "../usage/price.ts";
import { openTokenCounts, type TokenCounts } from "../usage/token-counts.ts";
import type { UsageRow } from "../usage/usage-rows.ts";
import { type Disposable, type Register, withRollback } from "../util/disposables.ts";
import type { Listener } from "../util/emitter.ts";
import { formatAmount } from "../util/numbers-and-times.ts";
import { ChatSurfaces, type ChatSurfacesDeps } from "./chat-view-and-tabs.ts";
import { ConversationTitles } from "./internal/conversation-titles.ts";
import { readPersonalSkills } from "./internal/personal-skills.ts";

export interface ServiceDeps
  extends Omit<
    ChatSurfacesDeps,
    "counts" | "titles" | "prompts" | "priceOfLoss" | "registry" | "suggestions" | "trials"
  > {
  /** Storage folder for all data. */
  readonly folder: string;
  /** The editor's workspace: conversations begun here are listed here again. */
  readonly place: string;
  readonly connection: Connect;
  /** Told whether the service accepts the key. */
  readonly keyWatcher: KeyWatcher;
  readonly settings: ServiceSettings;
  /** The editor's index of files; without it, folders are walked. */
  readonly finder?: FileFinder;
  /** Runs the user's own checks. */
  readonly checkHost?: CheckHost;
  /** What the user allows of commands. */
  readonly commandHost?: CommandHost;
  /** Describes what the user has in front of them. */
  readonly lookAtEditor?: SessionContext["lookAtEditor"];
  /** The current tools of other extensions and of MCP servers. */
  hostTools(): readonly HostTool[];
  /** Called when a file was to be read but was held back because of one of these names. */
  heldBack(paths: readonly string[]): void;
  /** Random id of this installation; it is hashed before it is sent. */
  anonymousId(): string;
  /** VS Code's own proxy resolution and network requests. */
  readonly editorNetwork: EditorNetwork;
  /** Shows one sentence to the user, whatever they are doing. */
  tell(message: Message): void;
  /** Language in which amounts are formatted. */
  readonly language: string;
}

/** Read at each use. */
export interface ServiceSettings {
  service(): ClientSettings;
  conversation(): ConversationSettings;
  preferences(): Preferences;
  defaultModel(): string;
  estimateMode(): "local" | "onDemand" | "auto";
  /** The user's price table, unparsed. */
  pricing(): unknown;
}

/** Recorded usage and receipts of all conversations and windows. */
export interface Ledgers {
  readonly usage: Pick<MonthlyLines<UsageRow>, "since" | "hasAny">;
  readonly receipts: Pick<MonthlyLines<ReceiptRow>, "since">;
  onWritten(listener: Listener<void>): Disposable;
  /** Resolves when everything known so far can be read. */
  flush(): Promise<void>;
}

export interface Price extends Cost {
  /** Prefixed with "≥" if some requests could not be priced. */
  readonly text: string;
}

export interface Service {
  readonly surfaces: ChatSurfaces;
  readonly registry: SessionRegistry;
  readonly trials: Pick<SessionTrials, "stopAll" | "of" | "check">;
  readonly titles: Pick<ConversationTitles, "of">;
  readonly prompts: WorkspacePrompts;
  readonly suggestions: Pick<FileSuggestions, "suggest">;
  readonly client: ServiceClient;
  readonly library: Library;
  readonly counts: TokenCounts;
  readonly ledgers: Ledgers;
  readonly receiptBytes: ReceiptBytes;
  /** Prices by the user's table. */
  readonly prices: SpendPrices;
  pricing(): { readonly pricing: Pricing | undefined } | { readonly message: Message };
  /** What requests cost by that table; `undefined` if it covers none of them. */
  price(rows: readonly UsageRow[]): Price | undefined;
  readonly files: UploadedFiles;
  /** What turns of this window sent and received. */
  readonly exchanges: Exchanges;
  /** Records what was used outside of conversations, under a name in place of one. */
  noteUsage(name: keyof typeof outsideConversations, event: ConversationEvent): void;
  /** Serves requests of other extensions. */
  readonly languageModelChat: LanguageModelChat;
  /** Sends one request outside of any conversation. */
  sendOnce(asked: Composable, signal: AbortSignal): Promise<Reply>;
  /** Removes finished tasks of earlier windows. */
  removeFinishedTasks(): Promise<void>;
  /** Reads a conversation as it is shown, without opening it. */
  read(conversation: string): Promise<Conversation>;
  /** Ends the running turn, saves what is open and closes everything. */
  close(): Promise<void>;
}

/** If opening fails, everything is rolled back, so that no conversation stays locked. */
export const createService = (deps: ServiceDeps): Promise<Service> =>
  withRollback((register, close) => openService(deps, register, close));

async function openService(
  deps: ServiceDeps,
  register: Register,
  close: () => Promise<void>,
): Promise<Service> {
  const { log, folder } = deps;
  const { settings } = deps;
  const now = () => Date.now();
  const usage = usageLedger(nodeFileSystem, folder);
  const receipts = receiptLedger(nodeFileSystem, folder);
  const bookkeeper = new Bookkeeper({ usage, receipts, log, now });
  // Writes that failed are tried once more at the end. One file that cannot be written does not affect the others.
  for (const each of [receipts, usage, bookkeeper]) register({ dispose: () => each.flush() });
  const fileLedger = new FileLedger(nodeFileSystem, folder);
  for (const { onDamage } of [usage, receipts, fileLedger]) onDamage(deps.tell);
  receipts
    .forgetBefore(now() - receiptDays * day)
    .catch((error: unknown) => log.error("Old receipts could not be removed.", error));
  const receiptBytes = new ReceiptBytes();
  /** For requests outside of conversations: the ledger records `name` in place of a conversation. */
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
      reply: (events) => noteReply(events, notesFor(outsideConversations.check), "check"),
    },
    editorNetwork: deps.editorNetwork,
    log,
  });
  register(client);
  // Lists read the known capabilities synchronously, so load them now.
  void client.found();
  const exchanges = new Exchanges();
  const library = openLibrary(folder, deps.place, now);
  register({ dispose: () => library.close() });
  const counts = await openTokenCounts({
    client,
    fs: nodeFileSystem,
    folder,
    log,
    // Requirements N7: in an untrusted folder nothing is sent unless the user has pressed a button for it.
    mayAskUnasked: () => settings.estimateMode() === "auto" && deps.workspace.trusted,
  });
  const seenPrompts = await openKnownHashes(nodeFileSystem, { folder, list: "seen-prompts" }, log);
  const approvedTools = await openKnownHashes(nodeFileSystem, { folder, list: "approved-tools" }, log);
  const agreedTexts = await openKnownHashes(nodeFileSystem, { folder, list: "agreed-instructions" }, log);
  for (const each of [approvedTools, seenPrompts, agreedTexts, counts])
    register({ dispose: () => each.saved() });
  register(counts);
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
    agreedTexts,
    personalSkills: () => readPersonalSkills(homedir()),
    workspace,
    approvedTools,
    heldBack: deps.heldBack,
    hostTools: deps.hostTools,
    checkHost: deps.checkHost,
    commandHost: deps.commandHost,
    lookAtEditor: deps.lookAtEditor,
    settings: settings.conversation,
    log,
    defaultModel: settings.defaultModel,
    now,
    newId: randomUUID,
    counts,
    prices,
    countTokens: (content, model) => counts.best(model, [content]),
  });
  register({ dispose: () => registry.close() });
  registry.follow((session) => session.onEvent((event) => bookkeeper.take(session.id, event)));
  /** Finds pending changes after a restart, and when another window has proposed or decided something. */
  const lookForWaiting = () =>
    library.leftToReview().then(
      (ids) => registry.noteLeftToReview(ids),
      (error: unknown) => log.error("The list of conversations could not be read.", error),
    );
  register(library.onDidChange(() => void lookForWaiting()));
  void lookForWaiting();
  const titles = register(new ConversationTitles({ library, log }));
  const suggestions = register(
    createFileSuggestions({
      workspace,
      finder: deps.finder,
      privacy: () => settings.conversation().privacy,
    }),
  );
  const price = (rows: readonly UsageRow[]) => {
    const cost = costOfAll(rows, table());
    if (cost === undefined) return undefined;
    const text = amount(cost.amount);
    return { ...cost, text: cost.unpriced === 0 ? text : `≥ ${text}` };
  };
  const trials = new SessionTrials({
    registry,
    price: (rows) => price(rows)?.text,
    book: (conversation, event) => bookkeeper.take(conversation, event),
    log,
  });
  register({ dispose: () => trials.close() });
  const surfaces = await ChatSurfaces.open({
    ...deps,
    registry,
    trials,
    titles,
    prompts,
    suggestions,
    counts,
    priceOfLoss(tokens, { model, cacheTier }) {
      const rates = ratesOf(table(), model);
      if (rates === undefined || tokens === 0) return undefined;
      return amount(extraCost(tokens, rates, cacheTier === "1h" ? "1h" : "5m"));
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
    price,
    trials,
    exchanges,
    noteUsage: (name, event) => bookkeeper.take(outsideConversations[name], event),
    languageModelChat: createLanguageModelChat({
      client,
      limits: () => settings.conversation().limits,
      spending: new SpendGuard({ counts, prices, now, limit: () => settings.conversation().askAboveTokens }),
      ...notesFor(outsideConversations.languageModel),
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
/** Receipts are small, so a year of them is kept. */
const receiptDays = 365;

/** Requirements B16: an identifier that reveals nothing and cannot be reversed. */
const hashed = (id: string): string => createHmac("sha256", id).update("patchbay").digest("hex");
