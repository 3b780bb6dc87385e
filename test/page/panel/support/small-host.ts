// A small true host for page tests: a conversation that events change, and a record of everything the page asked for.
import { blankView } from "../../../../src/bridge/blank-view.ts";
import type { Completions, Handlers, PageHost } from "../../../../src/bridge/page-connection.ts";
import type { Act, Completion, PageFocus } from "../../../../src/bridge/protocol.ts";
import type { ViewState } from "../../../../src/bridge/view-state.ts";
import type { ConversationEvent } from "../../../../src/conversation/events.ts";
import { builtInModels } from "../../../../src/conversation/models.ts";
import { emptyConversation, reduce } from "../../../../src/conversation/reduce.ts";
import type { Conversation, RewindPlan } from "../../../../src/conversation/state.ts";
import type { PricedRewindCost } from "../../../../src/usage/price.ts";
import type { Disposable } from "../../../../src/util/disposables.ts";
import { Emitter } from "../../../../src/util/emitter.ts";
import { type Asked, recordingHandlers } from "../../../support/page-handlers.ts";

export interface SmallHost extends PageHost {
  readonly conversation: Conversation;
  /** What the page asked for, in order: the type of each message and what it says. */
  readonly asked: readonly (readonly unknown[])[];
  /** Where the page said its focus is, in order. */
  readonly focused: readonly PageFocus[];
  happen(...events: readonly ConversationEvent[]): void;
  setViewState(changes: Partial<ViewState>): void;
  open(conversation: Conversation): void;
  tell(act: Act): void;
  putBack(words: string): void;
  /** Answers what going back to before a turn would take along. */
  planned(turn: string, plan: RewindPlan): void;
  /** It is on the disk now. */
  taken(prompt: string): void;
}

export const ordinary: ViewState = {
  ...blankView,
  model: "svc-k3",
  models: builtInModels.map(({ id, label, route }) => ({ id, label, route })),
  countsTokens: true,
  proposesCode: true,
};

export function smallHost(
  start: {
    conversation?: Conversation;
    draft?: string;
    viewState?: Partial<ViewState>;
    completions?: readonly Completion[];
    /** Instead of all completions at once. */
    answer?: (query: string) => AsyncIterable<Completions>;
    cost?: PricedRewindCost;
    /** The conversation is here only then. */
    arrival?: Promise<unknown>;
    colours?: Partial<Pick<Handlers, "show-code" | "colour-code" | "draw-diagram">>;
    /** False: its disk is slow, and says nothing of what was sent. */
    keeps?: boolean;
  } = {},
): SmallHost {
  const events = new Emitter<ConversationEvent>();
  const resets = new Emitter<void>();
  const changes = new Emitter<void>();
  const acts = new Emitter<Act>();
  const putBacks = new Emitter<string>();
  const asked: unknown[][] = [];
  const focused: PageFocus[] = [];
  let page: Parameters<Handlers["send"]>[1] | undefined;
  let conversation = start.conversation ?? emptyConversation("c1");
  let viewState: ViewState = { ...ordinary, ...start.viewState };
  const handlers = recordingHandlers((message) => void asked.push([message.type, ...valuesOf(message)]), {
    cost: ({ turn }, page) => page.post({ type: "cost", turn, ...(start.cost ?? { edit: 0, branch: 0 }) }),
    send(message, sender) {
      page = sender;
      asked.push([message.type, ...valuesOf(message)]);
      if (start.keeps !== false) page.post({ type: "taken", prompt: message.prompt });
    },
    "plan-rewind"(message, sender) {
      page = sender;
      asked.push([message.type, ...valuesOf(message)]);
    },
    draft: ({ text }) => void asked.push(["draft", text]),
    focus: ({ focus }) => void focused.push(focus),
    // Without an editor the page colours code itself.
    "show-code": ({ theme }, sender) => theme !== undefined && sender.post({ type: "code-table", table: 1 }),
    "colour-code": () => {},
    ...start.colours,
  });
  const shown = {
    get state() {
      return conversation;
    },
    draft: { text: start.draft ?? "" },
    onEvent: events.on,
    onRemoteEvent: () => ({ dispose() {} }),
    onPutBack: putBacks.on,
  };
  return {
    asked,
    focused,
    handlers,
    async *complete(query) {
      asked.push(["complete", query]);
      yield* start.answer?.(query) ?? [
        {
          items: (start.completions ?? []).filter(({ label }) => label.includes(query)),
          isIndexing: false,
        },
      ];
    },
    get conversation() {
      return conversation;
    },
    get viewState() {
      return viewState;
    },
    follow(listener) {
      let listening: Disposable = { dispose() {} };
      const show = () => {
        listening.dispose();
        listening = listener(shown);
      };
      if (start.arrival === undefined) show();
      else void start.arrival.then(show);
      const switching = resets.on(show);
      return {
        dispose() {
          switching.dispose();
          listening.dispose();
        },
      };
    },
    onViewState: changes.on,
    onAct: acts.on,
    use() {},
    isInUse: () => true,
    leave() {},
    happen(...all) {
      for (const event of all) {
        conversation = reduce(conversation, event);
        events.fire(event);
      }
    },
    setViewState(next) {
      viewState = { ...viewState, ...next };
      changes.fire();
    },
    tell: (act) => acts.fire(act),
    putBack: (words) => putBacks.fire(words),
    planned: (turn, plan) => page?.post({ type: "rewind-plan", turn, ...plan }),
    taken: (prompt) => page?.post({ type: "taken", prompt }),
    open(next) {
      conversation = next;
      resets.fire();
    },
  };
}

/** What a message says besides its type, in the order in which the protocol has it. */
const valuesOf = ({ type: _, ...values }: Asked): readonly unknown[] => Object.values(values);
