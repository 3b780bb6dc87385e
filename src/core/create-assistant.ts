// The assistant behind its façade: which conversation is open, how another takes its place, and who does what is asked.
import type { Assistant, AssistantNeeds } from "./assistant.ts";
import { BeforeSending } from "./before-sending.ts";
import type { Attachment } from "./conversation/attachment.ts";
import type { ConversationEvent } from "./conversation/events.ts";
import { routeOf } from "./conversation/models.ts";
import type { Turn } from "./conversation/state.ts";
import type { ConversationJournal } from "./conversation-recorder.ts";
import { LiveConversation } from "./live-conversation.ts";
import { OpenConversation } from "./open-conversation.ts";
import { guardFiles } from "./tools/guarded-files.ts";
import { otherTools } from "./tools/other-tools.ts";
import { type ReadAttachment, readAttachment } from "./tools/read-attachment.ts";
import { allCommands } from "./turn/commands.ts";
import type { Asked } from "./turn/question.ts";
import type { Disposable } from "./util/disposables.ts";
import { Emitter } from "./util/emitter.ts";
import { inOrder } from "./util/in-order.ts";
import { present } from "./util/present.ts";
import { WorkspacePrompts } from "./workspace-prompts.ts";

/** Interface, "Limits": what holds when nothing is set, and the most that can be. */
const serviceLimit = 131_072;
const mostTokens = 1_048_576;

interface Moving {
  /** The words that an empty conversation begins with. */
  readonly draft?: string;
  /** It is the one that lies there already, read again. */
  readonly isSame?: boolean;
}

export async function createAssistant(needs: AssistantNeeds): Promise<Assistant> {
  const { shelf, log, settings } = needs;
  const events = new Emitter<ConversationEvent>();
  const resets = new Emitter<void>();
  const changes = new Emitter<void>();
  const putBacks = new Emitter<string>();
  const before = new BeforeSending(() => changes.fire());
  const files = () => guardFiles(needs.workspace, () => settings().privacy);
  const seen = needs.seenPrompts ?? new Set<string>();
  const prompts = new WorkspacePrompts({ ...needs, seen, files, changed: () => changes.fire() });
  const { turnsOf } = shelf;
  let chosen: string | undefined;
  const oneMove = inOrder();
  let isOver = false;
  /** Another conversation is on its way to the table. */
  let arriving: Promise<void> | undefined;
  /** What another window says in the conversation on the table. */
  let following: Disposable | undefined;
  let open = await lay(await shelf.openLatest());

  async function lay(journal: ConversationJournal | undefined, words = ""): Promise<OpenConversation> {
    const draft = (await journal?.readDraft()) ?? words;
    const attached = (await journal?.readAttached()) ?? [];
    const laid: OpenConversation = new OpenConversation({
      id: journal?.id ?? needs.newId(),
      journal,
      draft,
      attached,
      create: shelf.create,
      goLive(from) {
        const live = new LiveConversation({ ...needs, turnsOf, journal: from, prompts, ask: before.ask });
        // What ends after its conversation has gone from the table is not news of the one that lies there now.
        live.onEvent((event) => laid === open && events.fire(event));
        return live;
      },
      look,
      countTokens: (content) => needs.countTokens?.(content, model()),
      model,
      changed: () => changes.fire(),
      putBack: (words) => putBacks.fire(words),
      log,
      newId: needs.newId,
    });
    following?.dispose();
    following = journal?.onGoneOn?.(() => {
      if (laid !== open || arriving !== undefined || !laid.isAtRest) return changes.fire();
      move(() => shelf.open(laid.state.id), { isSame: true }).catch((error: unknown) =>
        log.error("What another window has said could not be read.", error),
      );
    });
    return laid;
  }

  function look(wish: Attachment, signal: AbortSignal): Promise<ReadAttachment> {
    const { attachmentBytes: mostBytes } = settings();
    return readAttachment(wish, { files: files(), mostBytes, turnsOf }, signal);
  }

  function model(): string {
    return chosen ?? open.state.turns.at(-1)?.model ?? needs.defaultModel();
  }

  function inBackground(turn: Promise<Turn | undefined>): void {
    turn.catch((error: unknown) => log.error("A turn could not be run.", error));
  }

  /** What is asked about the turns of a conversation that is leaving is asked too late. */
  const inTurn = (ask: (live: LiveConversation) => Promise<Turn | undefined>) => {
    if (arriving === undefined) inBackground(open.run(ask));
  };

  /** Whoever has asked for another conversation means that one. */
  function send(asked: Asked): Promise<Turn | undefined> {
    if (arriving !== undefined) return arriving.then(() => send(asked));
    return open.send({ ...asked, attachments: asked.attachments ?? open.attachments.take() });
  }

  async function branchAside(turn: string): Promise<string> {
    // What was said last may not be on the disk yet.
    await open.live?.flush();
    return shelf.branch(open.state.id, turn);
  }

  /** One move after the other. The next one is opened first: when that fails, nothing has changed. */
  function move(next: () => Promise<ConversationJournal | undefined>, how: Moving = {}): Promise<void> {
    const moved = oneMove(async () => {
      if (isOver) return;
      await open.settleDraft();
      const journal = await next();
      await open.close();
      const laid = await lay(journal, how.draft);
      if (how.isSame === true) open.handOn(laid);
      open = laid;
      chosen = undefined;
      resets.fire();
      changes.fire();
    });
    const there = moved
      .catch(() => {})
      .then(() => {
        if (arriving === there) arriving = undefined;
      });
    arriving = there;
    return moved;
  }

  return {
    get conversation() {
      return open.state;
    },
    get draft() {
      return open.draft;
    },
    get readOnly() {
      return open.readOnly;
    },
    get repaired() {
      return open.repaired;
    },
    get model() {
      return model();
    },
    get models() {
      return settings().models;
    },
    get route() {
      return routeOf(model(), settings().models);
    },
    get attachments() {
      return open.attachments.list;
    },
    get draftContents() {
      const text = open.draft.trim() === "" ? [] : [{ kind: "text", text: open.draft } as const];
      return [...open.attachments.parts.map(({ content }) => content), ...text];
    },
    get draftParts() {
      return open.attachments.parts;
    },
    get queue() {
      return open.queue.list;
    },
    get commands() {
      return allCommands(settings().prompts, prompts.list);
    },
    get question() {
      return before.question;
    },
    get webSearch() {
      return open.choices.webSearch ?? settings().webSearch;
    },
    get cacheTier() {
      return open.choices.cacheTier ?? settings().limits.cacheTtl ?? "default";
    },
    get outputLimit() {
      const { outputLimit = settings().limits.outputTokens } = open.choices;
      return outputLimit ?? undefined;
    },
    onEvent: events.on,
    onReset: resets.on,
    onChange: changes.on,
    onPutBack: putBacks.on,
    send,
    answer: (action) => before.answer(action),
    lookForPrompts: () => prompts.look(),
    unqueue: (id) => open.unqueue(id),
    sendQueued: () => open.sendQueued(),
    attach: (wish) => open.attachments.add(wish),
    detach: (id) => open.attachments.remove(id),
    read: look,
    retry: () => inTurn((live) => live.retry(model())),
    retryWhole: () => inTurn((live) => live.retry(model(), false)),
    retryPlainly: () => inTurn((live) => live.retryPlainly(model())),
    askBare() {
      const last = open.state.turns.at(-1);
      if (last !== undefined) inTurn((live) => live.askBare(last.id, model()));
    },
    raiseLimit() {
      const { outputLimit = settings().limits.outputTokens } = open.choices;
      open.choose({ outputLimit: Math.min(2 * (outputLimit ?? serviceLimit), mostTokens) });
      inTurn((live) => live.goOn(model()));
    },
    goOn: () => inTurn((live) => live.goOn(model())),
    regenerate: (turn) => inTurn((live) => live.regenerate(turn, model())),
    async edit(turn, prompt) {
      if (arriving !== undefined) {
        putBacks.fire(prompt);
        return undefined;
      }
      const edited = open.edit(turn, prompt);
      inBackground(edited);
      return edited.catch(() => undefined);
    },
    async branch(turn) {
      await move(async () => shelf.open(await branchAside(turn)));
    },
    branchAside,
    propose: (turn, patch) => open.propose(turn, patch),
    decide: (call, decision) => void open.live?.decide(call, decision),
    preview: (asked, signal) => open.preview(asked, signal),
    sent: (turn) => open.live?.sent.of(turn) ?? [],
    keptOf: async (turn) => open.live?.keptOf(turn),
    costOfGoingBack: (turn) => open.live?.costOfGoingBack(turn, model()) ?? { edit: 0, branch: 0 },
    whyMissed: (turn, request) => open.live?.sent.whyMissed(turn, request),
    proposal: (call) => open.live?.proposal(call),
    get keptPatches() {
      return open.live?.keptPatches;
    },
    tookBack: async (call) => open.live?.tookBack(call),
    putAgain: async (call) => open.live?.putAgain(call),
    stop: () => open.live?.stop(),
    setDraft(text) {
      open.setDraft(text);
      changes.fire();
    },
    chooseModel(id) {
      chosen = id;
      changes.fire();
    },
    chooseWebSearch: (webSearch) => open.choose({ webSearch }),
    get otherTools() {
      return otherTools(needs.hostTools?.() ?? [], settings().tools, open.choices.tools ?? {});
    },
    chooseTools: (tools) => open.choose({ tools }),
    chooseCacheTier: (cacheTier) => open.choose({ cacheTier }),
    chooseOutputLimit: (tokens) => open.choose({ outputLimit: tokens ?? null }),
    newConversation: (draft) => move(async () => undefined, present({ draft })),
    async openConversation(id) {
      if (id !== open.state.id) await move(() => shelf.open(id));
    },
    close() {
      // A move under way has yet to put its conversation where it can be closed.
      isOver = true;
      return oneMove(() => open.close());
    },
  };
}
