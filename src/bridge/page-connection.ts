// The host's end of one open page: answers `ready` with a snapshot, sends events in order with sequence numbers, and
// dispatches each message of the page to its handler. Does not know vscode; a port is anything that posts and listens.

import type { ConversationEvent } from "../conversation/events.ts";
import { waitingTools } from "../conversation/reduce.ts";
import type { Conversation, Part, Turn } from "../conversation/state.ts";
import { type Disposable, Disposables } from "../util/disposables.ts";
import type { Log } from "../util/log.ts";
import { batchEvents } from "./internal/batch-events.ts";
import { type Act, type Completion, pageScopedActs, ToHost, type ToPage } from "./protocol.ts";
import type { ViewState } from "./view-state.ts";

export interface Port {
  post(message: ToPage): void;
  onMessage(listener: (message: unknown) => void): Disposable;
}

/** A conversation, as far as a page shows it. */
interface ShownSession {
  readonly state: Conversation;
  readonly draft: { readonly text: string };
  onEvent(listener: (event: ConversationEvent) => void): Disposable;
  /** Fires for events from another window. */
  onRemoteEvent(listener: (event: ConversationEvent) => void): Disposable;
  /** Fires with text that was not sent after all. */
  onPutBack(listener: (words: string) => void): Disposable;
}

/** Messages that the connection answers itself. */
type AnsweredHere = "ready" | "earlier" | "complete";

export interface Completions {
  readonly items: readonly Completion[];
  /** The workspace is still being listed, so there may be more. */
  readonly isIndexing: boolean;
}

/** A handler for each message of the page. */
export type Handlers = {
  readonly [Type in Exclude<ToHost["type"], AnsweredHere>]: (
    message: Extract<ToHost, { type: Type }>,
    page: Pick<Port, "post">,
  ) => void;
};

/** What is behind a page. The connection has validated the form of messages, but not whether they make sense. */
export interface PageHost {
  readonly viewState: ViewState;
  readonly handlers: Handlers;
  /** May yield several times until `signal` ends it because another query has replaced it. */
  complete(query: string, signal: AbortSignal): AsyncIterable<Completions>;
  /** Calls the listener for the shown conversation, and again for each that replaces it. */
  follow(listener: (session: ShownSession) => Disposable): Disposable;
  onViewState(listener: () => void): Disposable;
  onAct(listener: (act: Act) => void): Disposable;
  /** The user is active in this page: commands on what is shown apply to this page only. */
  use(page: object): void;
  isInUse(page: object): boolean;
  /** The page was closed; `sender` is the object by which its messages' handlers know it. */
  leave(page: object, sender: Pick<Port, "post">): void;
}

const ofOnePage: ReadonlySet<Act> = new Set<Act>(pageScopedActs);

export function connectPage(port: Port, host: PageHost, log: Log): Disposable {
  const owned = new Disposables();
  let session: ShownSession | undefined;
  let seq = 0;
  let awake = false;
  let wanted: string | undefined;
  /** Identifies this page to its messages' handlers: always the same object. */
  const page = { post: (answer: ToPage) => void (awake && port.post(answer)) };

  const batches = owned.add(
    batchEvents((events) => {
      port.post({ type: "events", seq, events: [...events] });
      seq += events.length;
    }),
  );

  const snapshot = () => {
    // Pending deltas are already in the conversation; sending them after the snapshot would show them twice.
    batches.flush();
    if (session === undefined) return;
    const { state } = session;
    const above = windowStart(state, state.turns.length);
    const end = { ...state, turns: state.turns.slice(above) };
    port.post({
      type: "snapshot",
      seq,
      conversation: end,
      above,
      draft: session.draft.text,
      viewState: host.viewState,
    });
  };

  /** A page that has just opened is told after it has sent `ready`; one that shows another conversation is not. */
  const goTo = (turn: string) => {
    wanted = awake ? undefined : turn;
    if (awake && session?.state.turns.some(({ id }) => id === turn) === true)
      port.post({ type: "go-to-turn", turn });
  };

  const earlier = (before: number) => {
    if (session === undefined || before > session.state.turns.length) return;
    const { id, turns } = session.state;
    const first = windowStart(session.state, before);
    port.post({ type: "earlier", conversation: id, first, turns: turns.slice(first, before) });
  };

  let completing = new AbortController();
  const complete = async (query: string): Promise<void> => {
    completing.abort();
    completing = new AbortController();
    const { signal } = completing;
    const answer = (items: readonly Completion[], indexing: boolean) => {
      if (awake && !signal.aborted) port.post({ type: "completions", query, items: [...items], indexing });
    };
    try {
      for await (const { items, isIndexing } of host.complete(query, signal)) answer(items, isIndexing);
    } catch (error) {
      if (signal.aborted) return;
      log.error("Nothing could be suggested.", error);
      // The page waits for a final answer.
      answer([], false);
    }
  };
  owned.add({ dispose: () => completing.abort() });

  const take = (message: ToHost): void => {
    if (message.type === "ready") {
      awake = true;
      snapshot();
      if (wanted !== undefined) goTo(wanted);
    } else if (message.type === "earlier") earlier(message.before);
    else if (message.type === "complete") void complete(message.query);
    else if (session !== undefined && isMeant(message, session.state)) {
      if (message.type === "focus" && message.focus.area !== "elsewhere") host.use(port);
      handle(host.handlers, message, page);
    } else if (message.type === "edit-turn")
      page.post({ type: "put-back", text: message.prompt, gone: true });
  };

  owned.add(
    port.onMessage((message) => {
      const parsed = ToHost.safeParse(message);
      if (parsed.success) take(parsed.data);
      else log.warn("The page sent a message that is not part of the protocol; it was dropped.");
    }),
  );
  owned.add(
    host.follow((shown) => {
      session = shown;
      const listening = new Disposables();
      const show = (event: ConversationEvent) => {
        if (awake) batches.push(event);
      };
      listening.add(shown.onEvent(show));
      listening.add(shown.onRemoteEvent(show));
      listening.add(shown.onPutBack((text) => awake && port.post({ type: "put-back", text })));
      if (awake) snapshot();
      return listening;
    }),
  );
  owned.add(
    host.onAct((what) => {
      if (typeof what === "object") return goTo(what.turn);
      const isForHere = !ofOnePage.has(what) || host.isInUse(port);
      if (awake && isForHere) port.post({ type: "do", what });
    }),
  );
  owned.add(host.onViewState(() => awake && port.post({ type: "view-state", viewState: host.viewState })));
  owned.add({
    dispose() {
      awake = false;
      host.leave(port, page);
    },
  });
  return owned;
}

/** Ignores ids that are not in the conversation, whoever sends them (threats B6). */
function isMeant(message: Handled, state: Conversation): boolean {
  if (message.type === "act-on-turn" || message.type === "edit-turn")
    return state.turns.some(({ id }) => id === message.turn);
  // The last keystrokes in one conversation do not belong to the one that has just replaced it.
  if (message.type === "draft") return message.conversation === state.id;
  const isIt = (part: Part) => "call" in part && "call" in message && part.call === message.call;
  if (message.type === "act-on-call") return state.turns.some(({ parts }) => parts.some(isIt));
  const isRunning = (part: Part) => part.type === "tool" && part.status === "running" && isIt(part);
  if (message.type === "decide" && message.decision.kind === "stop")
    return state.turns.some(({ parts }) => parts.some(isRunning));
  // Only a pending question can be answered, and only once. A person's own patch waits below an ended answer.
  if (message.type === "decide") return state.turns.some((turn) => waitingTools(turn).some(isIt));
  return true;
}

type Handled = Exclude<ToHost, { type: AnsweredHere }>;

/** For each type, the map has the handler of exactly that message, which the compiler cannot infer through an index. */
function handle<Type extends Handled["type"]>(
  handlers: Handlers,
  message: Extract<Handled, { type: Type }>,
  page: Pick<Port, "post">,
): void;
function handle(handlers: Handlers, message: Handled, page: Pick<Port, "post">): void {
  const handler = handlers[message.type] as (message: Handled, page: Pick<Port, "post">) => void;
  handler(message, page);
}

const maxTurns = 100;
const maxCharacters = 256 * 1024;

/** Index of the first turn of the window that ends before `end`. The window is never empty if there are turns. */
function windowStart({ turns }: Conversation, end: number): number {
  let first = end;
  let characters = 0;
  while (first > 0 && end - first < maxTurns && characters < maxCharacters) {
    first -= 1;
    const turn = turns[first];
    if (turn !== undefined) characters += sizeOf(turn);
  }
  return first;
}

const sizeOf = ({ prompt, parts }: Turn): number =>
  parts.reduce((sum, part) => sum + ("text" in part ? part.text.length : 200), prompt.length);
