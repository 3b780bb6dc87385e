// The host's end of one open page: answers `ready` with a snapshot, sends events in order with a sequence number,
// hands the page's messages to the subject. Knows no vscode; a port is anything that posts and listens.
import type { ConversationEvent } from "../core/conversation/events.ts";
import { joinDeltas } from "../core/conversation/join-deltas.ts";
import { Coalesce } from "../core/util/coalesce.ts";
import { type Disposable, Disposables } from "../core/util/disposables.ts";
import type { Log } from "../core/util/log.ts";
import type { PageSubject } from "./page-subject.ts";
import { actsOfOnePage, type PageAct, ToHost, type ToPage } from "./protocol.ts";
import { takeAction } from "./take-action.ts";
import { windowStart } from "./window.ts";

export interface Port {
  post(message: ToPage): void;
  onMessage(listener: (message: unknown) => void): Disposable;
}

/** One frame: deltas that arrive within it reach the page as one. */
const frame = 16;

const ofOnePage: ReadonlySet<PageAct> = new Set<PageAct>(actsOfOnePage);

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

  const complete = (query: string) => {
    subject.complete(query).then(
      (items) => awake && port.post({ type: "completions", query, items: [...items] }),
      (error: unknown) => log.error("Nothing could be suggested.", error),
    );
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
      case "complete":
        complete(message.query);
        break;
      case "cost":
        port.post({ type: "cost", turn: message.turn, ...subject.costOfGoingBack(message.turn) });
        break;
      case "focus":
        if (message.focus.area !== "elsewhere") subject.use(port);
        takeAction(subject, message);
        break;
      default:
        takeAction(subject, message);
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
  owned.add(subject.onPutBack((text) => awake && port.post({ type: "put-back", text })));
  owned.add(
    subject.onAct((what) => {
      const isForHere = !ofOnePage.has(what) || subject.isInUse(port);
      if (awake && isForHere) port.post({ type: "do", what });
    }),
  );
  owned.add({
    dispose() {
      awake = false;
      subject.leave(port);
    },
  });
  owned.add(subject.onReset(() => awake && snapshot()));
  owned.add(
    subject.onSurroundings(
      () => awake && port.post({ type: "surroundings", surroundings: subject.surroundings }),
    ),
  );
  return owned;
}
