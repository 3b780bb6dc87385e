// A small true host for page tests: a conversation that events change, and a record of everything the page asked for.
import type { PageSubject } from "../../../../src/bridge/page-subject.ts";
import type { Completion, PageAct, PageFocus } from "../../../../src/bridge/protocol.ts";
import { Ability, defaultPreferences, type Surroundings } from "../../../../src/bridge/surroundings.ts";
import type { ConversationEvent } from "../../../../src/core/conversation/events.ts";
import { builtInModels } from "../../../../src/core/conversation/models.ts";
import { emptyConversation, reduce } from "../../../../src/core/conversation/reduce.ts";
import type { Conversation } from "../../../../src/core/conversation/state.ts";
import type { PricedGoingBack } from "../../../../src/core/tokens/going-back.ts";
import { Emitter } from "../../../../src/core/util/emitter.ts";

export interface SmallHost extends PageSubject {
  /** What the page asked for, in order: the name of the method and what it was given. */
  readonly asked: readonly (readonly unknown[])[];
  /** Where the page said its focus is, in order. */
  readonly focused: readonly PageFocus[];
  happen(...events: readonly ConversationEvent[]): void;
  setSurroundings(changes: Partial<Surroundings>): void;
  open(conversation: Conversation): void;
  tell(act: PageAct): void;
  putBack(words: string): void;
}

export const ordinary: Surroundings = {
  model: "svc-k3",
  models: builtInModels.map(({ id, label, route }) => ({ id, label, route })),
  abilities: [...Ability.options],
  preferences: defaultPreferences,
};

export function smallHost(
  start: {
    conversation?: Conversation;
    draft?: string;
    surroundings?: Partial<Surroundings>;
    completions?: readonly Completion[];
    cost?: PricedGoingBack;
  } = {},
): SmallHost {
  const events = new Emitter<ConversationEvent>();
  const resets = new Emitter<void>();
  const changes = new Emitter<void>();
  const acts = new Emitter<PageAct>();
  const putBacks = new Emitter<string>();
  const asked: unknown[][] = [];
  const focused: PageFocus[] = [];
  let conversation = start.conversation ?? emptyConversation("c1");
  let surroundings: Surroundings = { ...ordinary, ...start.surroundings };
  const record =
    (name: string) =>
    (...values: unknown[]) =>
      void asked.push([name, ...values]);
  return {
    asked,
    focused,
    get conversation() {
      return conversation;
    },
    draft: start.draft ?? "",
    get surroundings() {
      return surroundings;
    },
    onEvent: events.on,
    onReset: resets.on,
    onSurroundings: changes.on,
    onPutBack: putBacks.on,
    onAct: acts.on,
    use() {},
    isInUse: () => true,
    leave() {},
    send: record("send"),
    unqueue: record("unqueue"),
    sendQueued: record("sendQueued"),
    attach: record("attach"),
    attachUris: record("attachUris"),
    pick: record("pick"),
    detach: record("detach"),
    async complete(query) {
      asked.push(["complete", query]);
      return (start.completions ?? []).filter(({ label }) => label.includes(query));
    },
    costOfGoingBack: () => start.cost ?? { edit: 0, branch: 0 },
    setWebSearch: record("setWebSearch"),
    setCacheTier: record("setCacheTier"),
    run: record("run"),
    rename: record("rename"),
    stop: record("stop"),
    setDraft: record("setDraft"),
    chooseModel: record("chooseModel"),
    act: record("act"),
    actOnTurn: record("actOnTurn"),
    actOnCall: record("actOnCall"),
    decide: record("decide"),
    openFile: record("openFile"),
    editTurn: record("editTurn"),
    copy: record("copy"),
    useCode: record("useCode"),
    setFocus: (focus) => void focused.push(focus),
    openLink: record("openLink"),
    happen(...all) {
      for (const event of all) {
        conversation = reduce(conversation, event);
        events.fire(event);
      }
    },
    setSurroundings(next) {
      surroundings = { ...surroundings, ...next };
      changes.fire();
    },
    tell: (act) => acts.fire(act),
    putBack: (words) => putBacks.fire(words),
    open(next) {
      conversation = next;
      resets.fire();
    },
  };
}
