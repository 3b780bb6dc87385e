// The host's end of one open page: answers `ready` with a snapshot, sends events in order with a sequence number,
// turns the page's messages into actions. Knows no vscode; a port is anything that posts and listens.
import type { ConversationEvent } from "../core/conversation/events.ts";
import { joinDeltas } from "../core/conversation/join-deltas.ts";
import type { ProblemAction } from "../core/conversation/problem.ts";
import type { Conversation } from "../core/conversation/state.ts";
import { Coalesce } from "../core/util/coalesce.ts";
import { type Disposable, Disposables } from "../core/util/disposables.ts";
import type { Log } from "../core/util/log.ts";
import { type Surroundings, ToHost, type ToPage } from "./protocol.ts";

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
    port.post({ type: "snapshot", seq, conversation, draft, surroundings });
  };

  const take = (message: ToHost): void => {
    switch (message.type) {
      case "ready":
        awake = true;
        snapshot();
        break;
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
      default:
        message satisfies never;
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
