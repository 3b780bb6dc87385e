// The façade that panel, commands and status bar share: the open conversation, its draft, the model for the next
// turn. It knows neither the editor nor the page; they are told by events and answer with actions.
import type { ServiceClient } from "./api/service-client.ts";
import type { Decision } from "./conversation/decision.ts";
import type { ConversationEvent } from "./conversation/events.ts";
import { emptyConversation } from "./conversation/reduce.ts";
import type { Conversation } from "./conversation/state.ts";
import type { ConversationSettings } from "./conversation-settings.ts";
import { type ConversationJournal, LiveConversation } from "./live-conversation.ts";
import type { Disposable } from "./util/disposables.ts";
import { Emitter, type Listener } from "./util/emitter.ts";
import type { Log } from "./util/log.ts";
import type { Workspace } from "./workspace.ts";

/** Where conversations are kept. */
export interface ConversationShelf {
  /** The one that was used last, if there is any. */
  openLatest(): Promise<ConversationJournal | undefined>;
  open(id: string): Promise<ConversationJournal>;
  create(id: string): Promise<ConversationJournal>;
}

export interface AssistantNeeds {
  readonly client: ServiceClient;
  readonly shelf: ConversationShelf;
  readonly workspace: Workspace;
  readonly log: Log;
  settings(): ConversationSettings;
  defaultModel(): string;
  now(): number;
  newId(): string;
}

export interface Assistant {
  readonly conversation: Conversation;
  readonly draft: string;
  readonly model: string;
  onEvent(listener: Listener<ConversationEvent>): Disposable;
  /** Another conversation has taken the place of the open one. */
  onReset(listener: Listener<void>): Disposable;
  onModel(listener: Listener<void>): Disposable;
  send(prompt: string): void;
  /** After a turn that failed: goes on where tools have done their work already, else asks the question again. */
  retry(): void;
  /** Goes on with an answer that did not come to its end. */
  goOn(): void;
  /** Asks the question of a turn again; that turn and what followed it are given up. */
  regenerate(turn: string): void;
  /** The same, in other words. */
  edit(turn: string, prompt: string): void;
  /** Answers a tool or a patch that asks; nothing happens when it does not. */
  decide(call: string, decision: Decision): void;
  stop(): void;
  setDraft(text: string): void;
  chooseModel(model: string): void;
  newConversation(): Promise<void>;
  openConversation(id: string): Promise<void>;
  /** Ends what runs; resolves when everything that can be saved is. */
  close(): Promise<void>;
}

const draftDelay = 500;

export async function createAssistant(needs: AssistantNeeds): Promise<Assistant> {
  const { shelf, log } = needs;
  const events = new Emitter<ConversationEvent>();
  const resets = new Emitter<void>();
  const models = new Emitter<void>();

  let journal = await shelf.openLatest();
  let id = journal?.id ?? needs.newId();
  let live = journal && openLive(journal);
  let draft = (await journal?.readDraft()) ?? "";
  let creating: Promise<LiveConversation> | undefined;
  let chosen: string | undefined;
  let draftTimer: NodeJS.Timeout | undefined;

  function openLive(from: ConversationJournal): LiveConversation {
    const conversation = new LiveConversation({ ...needs, journal: from });
    conversation.onEvent((event) => events.fire(event));
    return conversation;
  }

  /** A conversation gets its file with its first word: opening the panel leaves nothing behind. */
  function ensureLive(): Promise<LiveConversation> {
    creating ??= (async () => {
      journal ??= await shelf.create(id);
      live ??= openLive(journal);
      return live;
    })();
    return creating;
  }

  async function saveDraft(): Promise<void> {
    clearTimeout(draftTimer);
    draftTimer = undefined;
    if (draft === "" && live === undefined) return;
    await ensureLive();
    await journal?.writeDraft(draft);
  }

  const model = () => chosen ?? live?.state.turns.at(-1)?.model ?? needs.defaultModel();
  const inBackground = (work: Promise<void>, sentence: string) => {
    work.catch((error: unknown) => log.error(sentence, error));
  };

  function inTurn(ask: (conversation: LiveConversation) => Promise<void>): void {
    inBackground(ensureLive().then(ask), "A turn could not be run.");
  }

  function retry(): void {
    const last = live?.state.turns.at(-1);
    if (last === undefined) return;
    // Faults, row 59: what a tool has done is done; only the answer to it is missing.
    const acted = last.parts.some(({ type }) => type === "tool" || type === "patch");
    inTurn((conversation) =>
      acted ? conversation.goOn(model()) : conversation.regenerate(last.id, model()),
    );
  }

  return {
    get conversation() {
      return live?.state ?? emptyConversation(id);
    },
    get draft() {
      return draft;
    },
    get model() {
      return model();
    },
    onEvent: events.on,
    onReset: resets.on,
    onModel: models.on,
    send: (prompt) => inTurn((conversation) => conversation.send(prompt, model())),
    retry,
    goOn: () => inTurn((conversation) => conversation.goOn(model())),
    regenerate: (turn) => inTurn((conversation) => conversation.regenerate(turn, model())),
    edit: (turn, prompt) => inTurn((conversation) => conversation.edit(turn, prompt, model())),
    decide: (call, decision) => void live?.decide(call, decision),
    stop: () => live?.stop(),
    setDraft(text) {
      draft = text;
      draftTimer ??= setTimeout(() => inBackground(saveDraft(), "The draft could not be saved."), draftDelay);
    },
    chooseModel(id) {
      chosen = id;
      models.fire();
    },
    async newConversation() {
      await put();
      await take(undefined);
    },
    async openConversation(wanted) {
      if (wanted === id) return;
      // Opened first: when that fails, nothing has changed.
      const opened = await shelf.open(wanted);
      await put();
      await take(opened);
    },
    close: put,
  };

  async function take(next: ConversationJournal | undefined): Promise<void> {
    journal = next;
    id = next?.id ?? needs.newId();
    live = next && openLive(next);
    creating = undefined;
    chosen = undefined;
    draft = (await next?.readDraft()) ?? "";
    resets.fire();
    models.fire();
  }

  /** Puts the open conversation back on its shelf, with everything that was said in it. */
  async function put(): Promise<void> {
    await saveDraft();
    await live?.close();
    await journal?.close();
  }
}
