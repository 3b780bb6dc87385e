// An assistant that others hold on to while another one takes its place behind it: they are told that everything is
// different, and go on asking the same one.
import type { Assistant } from "./assistant.ts";
import type { ConversationEvent } from "./conversation/events.ts";
import { Disposables } from "./util/disposables.ts";
import { Emitter } from "./util/emitter.ts";

/** How it comes to another conversation is not always the affair of the one behind it. */
export type Moves = Pick<Assistant, "newConversation" | "openConversation" | "branch">;

export interface StandIn {
  readonly assistant: Assistant;
  /** From now on this one answers. */
  standFor(next: Assistant): void;
}

export function createStandIn(first: Assistant, moves?: Moves): StandIn {
  const events = new Emitter<ConversationEvent>();
  const resets = new Emitter<void>();
  const changes = new Emitter<void>();
  const putBacks = new Emitter<string>();
  let now = first;
  let heard = listen(first);

  function listen(to: Assistant): Disposables {
    const all = new Disposables();
    all.add(to.onEvent((event) => events.fire(event)));
    all.add(to.onReset(() => resets.fire()));
    all.add(to.onChange(() => changes.fire()));
    all.add(to.onPutBack((words) => putBacks.fire(words)));
    return all;
  }

  const assistant: Assistant = {
    get conversation() {
      return now.conversation;
    },
    get draft() {
      return now.draft;
    },
    get readOnly() {
      return now.readOnly;
    },
    get repaired() {
      return now.repaired;
    },
    get model() {
      return now.model;
    },
    get models() {
      return now.models;
    },
    get route() {
      return now.route;
    },
    get attachments() {
      return now.attachments;
    },
    get draftContents() {
      return now.draftContents;
    },
    get draftParts() {
      return now.draftParts;
    },
    get queue() {
      return now.queue;
    },
    get commands() {
      return now.commands;
    },
    get question() {
      return now.question;
    },
    get webSearch() {
      return now.webSearch;
    },
    get cacheTier() {
      return now.cacheTier;
    },
    get outputLimit() {
      return now.outputLimit;
    },
    get keptPatches() {
      return now.keptPatches;
    },
    get otherTools() {
      return now.otherTools;
    },
    onEvent: events.on,
    onReset: resets.on,
    onChange: changes.on,
    onPutBack: putBacks.on,
    send: (asked) => now.send(asked),
    answer: (action) => now.answer(action),
    lookForPrompts: () => now.lookForPrompts(),
    unqueue: (id) => now.unqueue(id),
    sendQueued: () => now.sendQueued(),
    attach: (wish) => now.attach(wish),
    detach: (id) => now.detach(id),
    read: (wish, signal) => now.read(wish, signal),
    retry: () => now.retry(),
    retryWhole: () => now.retryWhole(),
    retryPlainly: () => now.retryPlainly(),
    askBare: () => now.askBare(),
    raiseLimit: () => now.raiseLimit(),
    goOn: () => now.goOn(),
    regenerate: (turn) => now.regenerate(turn),
    edit: (turn, prompt) => now.edit(turn, prompt),
    branchAside: (turn) => now.branchAside(turn),
    propose: (turn, patch) => now.propose(turn, patch),
    decide: (call, decision) => now.decide(call, decision),
    preview: (asked, signal) => now.preview(asked, signal),
    sent: (turn) => now.sent(turn),
    keptOf: (turn) => now.keptOf(turn),
    costOfGoingBack: (turn) => now.costOfGoingBack(turn),
    whyMissed: (turn, request) => now.whyMissed(turn, request),
    proposal: (call) => now.proposal(call),
    tookBack: (call) => now.tookBack(call),
    putAgain: (call) => now.putAgain(call),
    stop: () => now.stop(),
    setDraft: (text) => now.setDraft(text),
    chooseModel: (model) => now.chooseModel(model),
    chooseWebSearch: (on) => now.chooseWebSearch(on),
    chooseTools: (tools) => now.chooseTools(tools),
    chooseCacheTier: (tier) => now.chooseCacheTier(tier),
    chooseOutputLimit: (tokens) => now.chooseOutputLimit(tokens),
    newConversation: (draft) => (moves ?? now).newConversation(draft),
    openConversation: (id) => (moves ?? now).openConversation(id),
    branch: (turn) => (moves ?? now).branch(turn),
    close: () => now.close(),
  };

  return {
    assistant,
    standFor(next) {
      if (next === now) return;
      heard.dispose();
      now = next;
      heard = listen(next);
      resets.fire();
      changes.fire();
    },
  };
}
