// The page as a whole: a projection of the conversation by the same reducer the host runs, a transcript, a composer.
import type { ToPage } from "../bridge/protocol.ts";
import { defaultPreferences, type Surroundings } from "../bridge/surroundings.ts";
import type { ProblemAction } from "../core/conversation/problem.ts";
import { runningTurn } from "../core/conversation/reduce.ts";
import { h, setChildren } from "./dom.ts";
import { fromSnapshot, nothing, type Projection, withEarlier, withEvents } from "./projection.ts";
import type { SavedState } from "./saved.ts";
import { scrollKeeper } from "./scroll.ts";
import type { Post, Scene, TurnNeeds } from "./turn-context.ts";
import { composer } from "./view/composer.ts";
import { problemCard } from "./view/problem-card.ts";
import { type TurnView, turnView } from "./view/turn-view.ts";
import { words } from "./words.ts";

export interface App {
  readonly root: HTMLElement;
  take(message: ToPage): void;
}

export function createApp(post: Post, saved: SavedState): App {
  const act = (action: ProblemAction) => post({ type: "act", action });
  const lines = [words.emptyFirst, words.emptySecond, words.emptyThird];
  const empty = h("div", { class: "empty" }, ...lines.map((line) => h("p", {}, line)));
  const log = h("div", { class: "turns", role: "log", "aria-label": words.transcript, "aria-live": "off" });
  const transcript = h("main", { class: "transcript" }, empty, log);
  const notice = h("div", { class: "notice" });
  const status = h("div", { class: "heard", role: "status" });
  const input = composer({
    send: (prompt) => post({ type: "send", prompt }),
    stop: () => post({ type: "stop" }),
    draft(text) {
      saved.setDraft(text);
      post({ type: "draft", text });
    },
    chooseModel: (model) => post({ type: "choose-model", model }),
  });
  const root = h("div", { class: "app" }, transcript, notice, input.root, status);
  const scroll = scrollKeeper(transcript);
  const say = (sentence: string) => {
    status.textContent = sentence;
  };
  const needs: TurnNeeds = { post, choices: saved.choices, say };

  const views = new Map<string, TurnView>();
  let now: Projection = nothing;
  let scene: Scene = { surroundings: nowhere, busy: false };

  setInterval(() => {
    const running = runningTurn(now.conversation);
    if (running !== undefined) views.get(running.id)?.tick(Date.now());
  }, 1000);

  return { root, take };

  function take(message: ToPage): void {
    switch (message.type) {
      case "snapshot": {
        const moved = now.conversation.id !== message.conversation.id;
        now = fromSnapshot(message);
        saved.open(now.conversation.id);
        views.clear();
        log.replaceChildren();
        draw(message.surroundings);
        if (moved) input.setDraft(message.draft);
        scroll.toEnd();
        askForEarlier();
        break;
      }
      case "earlier":
        now = withEarlier(now, message);
        draw();
        askForEarlier();
        break;
      case "events": {
        const next = withEvents(now, message);
        // A gap means that something was lost on the way: ask for the whole truth again.
        if (next === undefined) post({ type: "ready" });
        else now = next;
        draw();
        break;
      }
      case "surroundings":
        draw(message.surroundings);
        break;
      default:
        message satisfies never;
    }
  }

  function askForEarlier(): void {
    if (now.above > 0) post({ type: "earlier", before: now.above });
  }

  function draw(surroundings = scene.surroundings): void {
    const { turns } = now.conversation;
    const busy = runningTurn(now.conversation) !== undefined;
    if (surroundings !== scene.surroundings || busy !== scene.busy) scene = { surroundings, busy };
    scroll.around(() => {
      empty.hidden = turns.length > 0;
      const count = now.above + turns.length;
      const roots = turns.map((turn, index) => {
        let view = views.get(turn.id);
        if (view === undefined) {
          view = turnView(needs);
          views.set(turn.id, view);
        }
        view.update(turn, { index: now.above + index, count }, scene);
        return view.root;
      });
      setChildren(log, roots);
    });
    const { problem, model, models } = surroundings;
    notice.replaceChildren(...(problem === undefined ? [] : [problemCard(problem, act)]));
    input.update({ running: busy, blocked: problem !== undefined, model, models });
    say(busy ? words.responding : "");
  }
}

/** Until the host has answered. */
const nowhere: Surroundings = { model: "", models: [], abilities: [], preferences: defaultPreferences };
