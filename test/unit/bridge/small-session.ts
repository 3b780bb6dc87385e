// The connection of a page with a true little host, over a port that remembers.

import { blankView } from "../../../src/bridge/blank-view.ts";
import { connectPage, type Handlers, type PageHost } from "../../../src/bridge/page-connection.ts";
import type { Act, ToPage } from "../../../src/bridge/protocol.ts";
import type { ConversationEvent } from "../../../src/conversation/events.ts";
import { emptyConversation, reduce } from "../../../src/conversation/reduce.ts";
import { Emitter } from "../../../src/util/emitter.ts";
import { silentLog } from "../../../src/util/log.ts";

export function open() {
  const events = new Emitter<ConversationEvent>();
  const heard = new Emitter<ConversationEvent>();
  const viewStates = new Emitter<void>();
  const toHost = new Emitter<unknown>();
  const putBacks = new Emitter<string>();
  const acts = new Emitter<Act>();
  let inUse: object | undefined;
  const done: string[] = [];
  const posted: ToPage[] = [];
  let conversation = emptyConversation("c");
  const handlers: Handlers = {
    send: ({ prompt, command }) =>
      void done.push(command === undefined ? `send ${prompt}` : `${command} ${prompt}`),
    unqueue: ({ id }) => void done.push(`unqueue ${id}`),
    deliver: ({ id, delivery }) => void done.push(`deliver ${id} ${delivery}`),
    "send-queued": () => void done.push("send queued"),
    attach: ({ attachment: { kind } }) => void done.push(`attach ${kind}`),
    "attach-uris": ({ uris }) => void done.push(`attach ${uris.join(" ")}`),
    pick: ({ kind }) => void done.push(`pick ${kind}`),
    detach: ({ id }) => void done.push(`detach ${id}`),
    cost: ({ turn }, page) =>
      page.post({ type: "cost", turn, edit: turn.length, branch: 48_120, branchPrice: "€0.17" }),
    "plan-rewind": ({ turn }) => void done.push(`plan rewind ${turn}`),
    rewind: ({ turn, scope }) => void done.push(`rewind ${turn} ${scope}`),
    "set-options": ({ type: _, ...chosen }) =>
      void done.push(`options ${Object.entries(chosen).flat().join(" ")}`),
    run: ({ command }) => void done.push(`run ${command}`),
    rename: ({ title }) => void done.push(`rename ${title}`),
    stop: () => void done.push("stop"),
    draft: ({ text }) => void done.push(`draft ${text}`),
    "choose-model": ({ model }) => void done.push(`model ${model}`),
    "choose-agent": ({ agent }) => void done.push(`agent ${agent}`),
    act: ({ action }) => void done.push(`act ${action}`),
    answer: ({ question, action }) => void done.push(`answer ${question} ${action}`),
    "act-on-turn": ({ turn, action }) => void done.push(`${action} ${turn}`),
    "edit-turn": ({ turn, prompt }) => void done.push(`edit ${turn} ${prompt}`),
    decide: ({ call, decision }) => void done.push(`${decision.kind} ${call}`),
    go: ({ prompt }) => void done.push(`go ${prompt}`),
    "edit-plan": ({ edit }) => void done.push(`${edit.kind} ${edit.text}`),
    "act-on-call": ({ call, action }) => void done.push(`${action} ${call}`),
    "ask-again-in": ({ folder }) => void done.push(`ask again in ${folder}`),
    "try-ways": ({ prompt }) => void done.push(`try ${prompt}`),
    "try-turn": ({ turn }) => void done.push(`try turn ${turn}`),
    "choose-trial-way": ({ way }) => void done.push(`way ${way}`),
    "act-on-trial": ({ action, candidate }) => void done.push(`${action} try ${candidate}`),
    "act-on-check": ({ check, action }) => void done.push(`${action} ${check}`),
    "act-on-remarks": ({ action }) => void done.push(`remarks ${action}`),
    "act-on-breaking": ({ action, shown }) => void done.push(`${action} ${shown}`),
    "act-on-changes": ({ action, shown }) => void done.push(`${action} ${shown}`),
    "open-file": ({ path, line }) => void done.push(`open ${path} ${line}`),
    copy: ({ text }) => void done.push(`copy ${text}`),
    "use-code": ({ use, code, language }) => void done.push(`${use} ${language} ${code}`),
    focus: ({ focus }) => void done.push(`focus ${focus.area}`),
    "open-link": ({ url }) => void done.push(`open ${url}`),
    "show-code": ({ theme }) => void done.push(`show code ${theme}`),
    "colour-code": ({ language }) => void done.push(`colour ${language}`),
    "draw-diagram": ({ source }) => void done.push(`draw ${source}`),
  };
  const shown = {
    get state() {
      return conversation;
    },
    draft: { text: "half a sen" },
    onEvent: events.on,
    onRemoteEvent: heard.on,
    onPutBack: putBacks.on,
  };
  const host: PageHost = {
    viewState: { ...blankView, model: "svc-k3" },
    handlers,
    async *complete(query) {
      if (query === "broken") throw new Error("No disk.");
      const items = [{ label: query, attachment: { kind: "file" as const, path: query } }];
      yield { items: [], isIndexing: true };
      yield { items, isIndexing: false };
    },
    follow: (listener) => listener(shown),
    onViewState: viewStates.on,
    onAct: acts.on,
    use(page) {
      inUse = page;
    },
    isInUse: (page) => inUse === undefined || inUse === page,
    leave() {
      inUse = undefined;
    },
  };
  const session = connectPage(
    { post: (message) => void posted.push(message), onMessage: toHost.on },
    host,
    silentLog,
  );
  const happenIn = (where: Emitter<ConversationEvent>) => (event: ConversationEvent) => {
    conversation = reduce(conversation, event);
    where.fire(event);
  };
  return {
    session,
    posted,
    done,
    happen: happenIn(events),
    /** In another window. */
    happenElsewhere: happenIn(heard),
    tell: (message: unknown) => toHost.fire(message),
    viewStates,
    putBacks,
    acts,
    /** Somebody is in another page now. */
    goElsewhere() {
      inUse = {};
    },
  };
}

export const started: ConversationEvent = {
  type: "started",
  turn: "1",
  at: 1,
  model: "svc-k3",
  route: "responses",
  prompt: "Hi",
};
export const text = (delta: string): ConversationEvent => ({ type: "text", turn: "1", part: "p", delta });
export const ended: ConversationEvent = { type: "ended", turn: "1", at: 2, ending: "done" };
