// The page as a whole: a projection of the conversation by the same reducer the host runs, a transcript, a composer.
import type { Surroundings, ToHost, ToPage } from "../bridge/protocol.ts";
import { emptyConversation, reduce, runningTurn } from "../core/conversation/reduce.ts";
import type { Conversation } from "../core/conversation/state.ts";
import { h } from "./dom.ts";
import { scrollKeeper } from "./scroll.ts";
import { composer } from "./view/composer.ts";
import { problemCard } from "./view/problem-card.ts";
import { type TurnView, turnView } from "./view/turn-view.ts";
import { words } from "./words.ts";

export interface App {
  readonly root: HTMLElement;
  take(message: ToPage): void;
}

export function createApp(post: (message: ToHost) => void): App {
  const act = (action: Extract<ToHost, { type: "act" }>["action"]) => post({ type: "act", action });
  const empty = h("div", { class: "empty" }, ...words.empty.map((line) => h("p", {}, line)));
  const log = h("div", { class: "turns", role: "log", "aria-label": words.transcript, "aria-live": "off" });
  const transcript = h("main", { class: "transcript" }, empty, log);
  const notice = h("div", { class: "notice" });
  const status = h("div", { class: "spoken", role: "status" });
  const input = composer({
    send: (prompt) => post({ type: "send", prompt }),
    stop: () => post({ type: "stop" }),
    draft: (text) => post({ type: "draft", text }),
    chooseModel: (model) => post({ type: "choose-model", model }),
  });
  const root = h("div", { class: "app" }, transcript, notice, input.root, status);
  const scroll = scrollKeeper(transcript);

  const views = new Map<string, TurnView>();
  let conversation: Conversation = emptyConversation("");
  let surroundings: Surroundings = { model: "", models: [] };
  let next = 0;

  return { root, take };

  function take(message: ToPage): void {
    switch (message.type) {
      case "snapshot": {
        const moved = conversation.id !== message.conversation.id;
        ({ conversation, surroundings } = message);
        next = message.seq;
        views.clear();
        log.replaceChildren();
        draw();
        if (moved) input.setDraft(message.draft);
        scroll.toEnd();
        break;
      }
      case "events":
        // A gap means that something was lost on the way: ask for the whole truth again.
        if (message.seq !== next) {
          post({ type: "ready" });
          break;
        }
        next += message.events.length;
        for (const event of message.events) conversation = reduce(conversation, event);
        draw();
        break;
      case "surroundings":
        surroundings = message.surroundings;
        draw();
        break;
      default:
        message satisfies never;
    }
  }

  function draw(): void {
    scroll.around(() => {
      empty.hidden = conversation.turns.length > 0;
      for (const turn of conversation.turns) {
        let view = views.get(turn.id);
        if (view === undefined) {
          view = turnView(act);
          views.set(turn.id, view);
          log.append(view.root);
        }
        view.update(turn);
      }
    });
    const running = runningTurn(conversation) !== undefined;
    const { problem, model, models } = surroundings;
    notice.replaceChildren(...(problem === undefined ? [] : [problemCard(problem, act)]));
    input.update({ running, blocked: problem !== undefined, model, models });
    status.textContent = running ? words.responding : "";
  }
}
