// The host's end of one open page: answers `ready` with a snapshot, sends events in order with a sequence number,
// turns the page's messages into actions. Knows no vscode; a port is anything that posts and listens.

import type { Decision } from "../core/conversation/decision.ts";
import type { ConversationEvent } from "../core/conversation/events.ts";
import { joinDeltas } from "../core/conversation/join-deltas.ts";
import type { ProblemAction } from "../core/conversation/problem.ts";
import { runningTurn } from "../core/conversation/reduce.ts";
import type { Conversation } from "../core/conversation/state.ts";
import { Coalesce } from "../core/util/coalesce.ts";
import { type Disposable, Disposables } from "../core/util/disposables.ts";
import type { Log } from "../core/util/log.ts";
import { type CallAction, ToHost, type ToPage, type TurnAction } from "./protocol.ts";
import type { Surroundings } from "./surroundings.ts";
import { windowStart } from "./window.ts";

export interface Port {
  post(message: ToPage): void;
  onMessage(listener: (message: unknown) => void): Disposable;
}

/** What a page shows and what can be done in it. */
export interface PageSubject {
  readonly conversation: Conversation;
  readonly draft: string;
  readonly surroundings: Surroundings;
  onEvent(listener: (event: ConversationEvent) => void): Disposable;
  /** Another conversation: the page starts over from a snapshot. */
  onReset(listener: () => void): Disposable;
  onSurroundings(listener: () => void): Disposable;
  send(prompt: string): void;
  stop(): void;
  setDraft(text: string): void;
  chooseModel(model: string): void;
  act(action: ProblemAction): void;
  actOnTurn(turn: string, action: TurnAction): void;
  editTurn(turn: string, prompt: string): void;
  decide(call: string, decision: Decision): void;
  actOnCall(call: string, action: CallAction): void;
  /** Opens a file of the workspace, never another one: the path may come from the model. */
  openFile(path: string, line: number | undefined): void;
  copy(text: string): void;
  /** The page has not looked at the address; whoever opens it does. */
  openLink(url: string): void;
}

/** One frame: deltas that arrive within it reach the page as one. */
const frame = 16;

export function openSession(port: Port, subject: PageSubject, log: Log): Disposable {
  const owned = new Disposables();
  let seq = 0;
  let awake = false;

  const waiting = owned.add(
    new Coalesce<ConversationEvent>({
      milliseconds: frame,
      join: joinDeltas,
      deliver(events) {
        port.post({ type: "events", seq, events: [...events] });
        seq += events.length;
      },
    }),
  );

  const snapshot = () => {
    // What waits is in the conversation already; sending it after the snapshot would show it twice.
    waiting.flush();
    const { conversation, draft, surroundings } = subject;
    const above = windowStart(conversation, conversation.turns.length);
    const end = { ...conversation, turns: conversation.turns.slice(above) };
    port.post({ type: "snapshot", seq, conversation: end, above, draft, surroundings });
  };

  const earlier = (before: number) => {
    const { conversation } = subject;
    if (before > conversation.turns.length) return;
    const first = windowStart(conversation, before);
    const turns = conversation.turns.slice(first, before);
    port.post({ type: "earlier", conversation: conversation.id, first, turns });
  };

  const take = (message: ToHost): void => {
    switch (message.type) {
      case "ready":
        awake = true;
        snapshot();
        break;
      case "earlier":
        earlier(message.before);
        break;
      default:
        act(subject, message);
    }
  };

  owned.add(
    port.onMessage((message) => {
      const parsed = ToHost.safeParse(message);
      if (parsed.success) take(parsed.data);
      else log.warn("The page sent a message that is not part of the protocol; it was dropped.");
    }),
  );
  owned.add(
    subject.onEvent((event) => {
      if (!awake) return;
      waiting.push(event);
      // Only running text may wait for its frame; everything else is news.
      if (!("delta" in event)) waiting.flush();
    }),
  );
  owned.add(subject.onReset(() => awake && snapshot()));
  owned.add(
    subject.onSurroundings(
      () => awake && port.post({ type: "surroundings", surroundings: subject.surroundings }),
    ),
  );
  return owned;
}

function act(subject: PageSubject, message: Exclude<ToHost, { type: "ready" | "earlier" }>): void {
  switch (message.type) {
    case "send":
      subject.send(message.prompt);
      break;
    case "stop":
      subject.stop();
      break;
    case "draft":
      subject.setDraft(message.text);
      break;
    case "choose-model":
      subject.chooseModel(message.model);
      break;
    case "act":
      subject.act(message.action);
      break;
    case "act-on-turn":
      // An id the conversation does not have is not a turn, whoever names it (threats B6).
      withTurn(subject, message.turn, () => subject.actOnTurn(message.turn, message.action));
      break;
    case "edit-turn":
      withTurn(subject, message.turn, () => subject.editTurn(message.turn, message.prompt));
      break;
    case "decide":
      if (isAsking(subject, message.call)) subject.decide(message.call, message.decision);
      break;
    case "act-on-call":
      subject.actOnCall(message.call, message.action);
      break;
    case "open-file":
      subject.openFile(message.path, message.line);
      break;
    case "copy":
      subject.copy(message.text);
      break;
    case "open-link":
      subject.openLink(message.url);
      break;
    default:
      message satisfies never;
  }
}

function withTurn({ conversation }: PageSubject, id: string, run: () => void): void {
  if (conversation.turns.some((turn) => turn.id === id)) run();
}

/** Only what waits for an answer can be answered, once (threats B6). */
function isAsking({ conversation }: PageSubject, call: string): boolean {
  const parts = runningTurn(conversation)?.parts ?? [];
  return parts.some(
    (part) =>
      (part.type === "tool" && part.status === "asked" && part.call === call) ||
      (part.type === "patch" && part.status === "proposed" && part.call === call),
  );
}
