// A session of a page with a true little subject, over a port that remembers.
import type { PageSubject } from "../../../src/bridge/page-subject.ts";
import type { PageAct, ToPage } from "../../../src/bridge/protocol.ts";
import { openSession } from "../../../src/bridge/session.ts";
import { defaultPreferences } from "../../../src/bridge/surroundings.ts";
import type { ConversationEvent } from "../../../src/core/conversation/events.ts";
import { emptyConversation, reduce } from "../../../src/core/conversation/reduce.ts";
import { Emitter } from "../../../src/core/util/emitter.ts";
import { silentLog } from "../../../src/core/util/log.ts";

export function open() {
  const events = new Emitter<ConversationEvent>();
  const resets = new Emitter<void>();
  const surroundings = new Emitter<void>();
  const toHost = new Emitter<unknown>();
  const putBacks = new Emitter<string>();
  const acts = new Emitter<PageAct>();
  let inUse: object | undefined;
  const done: string[] = [];
  const posted: ToPage[] = [];
  let conversation = emptyConversation("c");
  const subject: PageSubject = {
    get conversation() {
      return conversation;
    },
    draft: "half a sen",
    surroundings: { model: "svc-k3", models: [], abilities: [], preferences: defaultPreferences },
    onEvent: events.on,
    onReset: resets.on,
    onSurroundings: surroundings.on,
    onPutBack: putBacks.on,
    onAct: acts.on,
    use(page) {
      inUse = page;
    },
    isInUse: (page) => inUse === undefined || inUse === page,
    leave() {
      inUse = undefined;
    },
    send: (prompt, command) =>
      void done.push(command === undefined ? `send ${prompt}` : `${command} ${prompt}`),
    unqueue: (id) => void done.push(`unqueue ${id}`),
    sendQueued: () => void done.push("send queued"),
    attach: ({ kind }) => void done.push(`attach ${kind}`),
    attachUris: (uris) => void done.push(`attach ${uris.join(" ")}`),
    pick: (kind) => void done.push(`pick ${kind}`),
    detach: (id) => void done.push(`detach ${id}`),
    complete: async (query) => [{ label: query, attachment: { kind: "file", path: query } }],
    costOfGoingBack: (turn) => ({ edit: turn.length, branch: 48_120, branchPrice: "€0.17" }),
    setWebSearch: (on) => void done.push(`web ${on}`),
    setCacheTier: (tier) => void done.push(`tier ${tier}`),
    run: (command) => void done.push(`run ${command}`),
    rename: (title) => void done.push(`rename ${title}`),
    stop: () => void done.push("stop"),
    setDraft: (text) => void done.push(`draft ${text}`),
    chooseModel: (model) => void done.push(`model ${model}`),
    act: (action) => void done.push(`act ${action}`),
    actOnTurn: (turn, action) => void done.push(`${action} ${turn}`),
    editTurn: (turn, prompt) => void done.push(`edit ${turn} ${prompt}`),
    decide: (call, { kind }) => void done.push(`${kind} ${call}`),
    actOnCall: (call, action) => void done.push(`${action} ${call}`),
    openFile: (path, line) => void done.push(`open ${path} ${line}`),
    copy: (text) => void done.push(`copy ${text}`),
    useCode: (use, code, language) => void done.push(`${use} ${language} ${code}`),
    setFocus: ({ area }) => void done.push(`focus ${area}`),
    openLink: (url) => void done.push(`open ${url}`),
  };
  const session = openSession(
    { post: (message) => void posted.push(message), onMessage: toHost.on },
    subject,
    silentLog,
  );
  const happen = (event: ConversationEvent) => {
    conversation = reduce(conversation, event);
    events.fire(event);
  };
  return {
    session,
    posted,
    done,
    happen,
    tell: (message: unknown) => toHost.fire(message),
    resets,
    surroundings,
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
