// The page as a whole: a projection of the conversation by the same reducer the host runs, a transcript, a composer.
// Messages change the projection at once; what has changed is drawn once per frame.
import { blankView } from "../bridge/blank-view.ts";
import type { PageAct, ToHost, ToPage } from "../bridge/protocol.ts";
import type { ViewState } from "../bridge/view-state.ts";
import { runningTurn } from "../core/conversation/reduce.ts";
import type { Turn } from "../core/conversation/state.ts";
import { createAnnouncer, sentenceFor } from "./announcer.ts";
import { showCodeColours } from "./code-colours.ts";
import { contextMenu } from "./context-menu.ts";
import { h } from "./dom.ts";
import { firstLine } from "./first-line.ts";
import { keepFocus, watchFocus } from "./focus.ts";
import { bringsFiles } from "./incoming-files.ts";
import { movingDraft } from "./moving-draft.ts";
import type { PageState } from "./page-state.ts";
import { fromSnapshot, nothing, type Projection, withEarlier, withEvents } from "./projection.ts";
import { createRewrites } from "./question-rewrites.ts";
import { type Post, type Scene, sceneOf } from "./turn-context.ts";
import { composer } from "./view/composer.ts";
import { header } from "./view/header.ts";
import { noticeArea } from "./view/notice-area.ts";
import { transcript } from "./view/transcript.ts";
import { words } from "./words.ts";

export interface App {
  readonly root: HTMLElement;
  take(message: ToPage): void;
}

export function createApp(send: Post, saved: PageState): App {
  let now: Projection = nothing;
  let viewState: ViewState = blankView;
  let scene: Scene = sceneOf(blankView, false);
  /** The last turn as it was drawn. */
  let shown: Turn | undefined;
  /** The person here has asked for a turn that has not begun yet. */
  let asked = false;
  let drawing = false;
  /** The draft as the host has it: what it said itself is not told back to it. */
  let hostDraft = "";
  /** The host has answered. */
  let ready = false;

  const moving = movingDraft();
  const rewrites = createRewrites(saved.rewrites, saved.setRewrites);
  const voice = createAnnouncer();
  const notice = noticeArea({
    act: (action) => post({ type: "act", action }),
    goBack: () => post({ type: "run", command: "go-back" }),
    say: voice.say,
  });
  const reading = transcript({
    post,
    choices: saved.choices,
    rewrites,
    say: voice.say,
    moved: () => saved.setPlace(reading.place),
    leaveDownwards: () => input.focus(),
  });
  const above = header({ post, find: reading.find, step: reading.step });
  const input = composer({
    post,
    say: voice.say,
    tell: voice.tell,
    draftChanged(text) {
      if (text === hostDraft) return;
      hostDraft = text;
      // Before that it would take the place of a draft that nobody has seen yet.
      if (ready) post({ type: "draft", text });
    },
    help: () => voice.tell(viewState.preferences.sendKey === "enter" ? words.keys : words.keysModified),
  });
  const root = h(
    "div",
    { class: "app" },
    above.root,
    reading.root,
    notice.root,
    voice.hint,
    input.root,
    voice.root,
  );

  // Files are taken everywhere: nobody aims at a box while dragging. Text goes where the browser puts it.
  root.addEventListener("dragover", (event) => bringsFiles(event.dataTransfer) && event.preventDefault());
  root.addEventListener("drop", (event) => {
    if (event.dataTransfer === null || !bringsFiles(event.dataTransfer)) return;
    event.preventDefault();
    input.takeIncoming(event.dataTransfer);
  });
  const menu = contextMenu(root, { post, say: voice.say, tell: voice.tell, quote: input.quote });
  watchFocus(root, (focus) => post({ type: "focus", focus }));
  const settleFocus = keepFocus(root, input.focus);
  setInterval(() => reading.tick(), 1000);
  drawAround();
  return { root, take };

  function post(message: ToHost): void {
    if (message.type === "send" || message.type === "edit-turn" || message.type === "act-on-turn")
      asked = true;
    moving.asks(message, hostDraft);
    send(message);
  }

  function take(message: ToPage): void {
    switch (message.type) {
      case "snapshot":
        open(message);
        break;
      case "earlier":
        now = withEarlier(now, message);
        drawSoon();
        askForEarlier();
        break;
      case "events": {
        const next = withEvents(now, message);
        // A gap means that something was lost on the way: ask for the whole truth again.
        if (next === undefined) post({ type: "ready" });
        else now = next;
        drawSoon();
        break;
      }
      case "view-state":
        viewState = message.viewState;
        drawSoon();
        break;
      case "completions":
        input.takeCompletions(message);
        break;
      case "cost":
        reading.takeCost(message);
        break;
      case "taken":
        input.sent(message.prompt);
        break;
      case "put-back":
        input.putBack(message.text);
        if (message.gone === true) voice.tell(words.questionGone);
        break;
      case "do":
        obey(message.what);
        break;
      case "go-to-turn":
        reading.goToTurn(message.turn);
        break;
      default:
        message satisfies never;
    }
  }

  function open(message: Extract<ToPage, { type: "snapshot" }>): void {
    const another = now.conversation.id !== message.conversation.id;
    now = fromSnapshot(message);
    const typed = another ? typedFor(message.draft) : "";
    ready = true;
    saved.open(now.conversation.id);
    viewState = message.viewState;
    scene = sceneOf(viewState, isBusy(), scene);
    shown = now.conversation.turns.at(-1);
    // The rest of the page first: what it leaves is the room to read in, and the end of the text depends on that.
    hostDraft = message.draft;
    if (another) {
      above.reset();
      input.setDraft(message.draft);
    }
    if (typed !== "") input.putBack(typed);
    keepRewrites();
    drawAround();
    reading.open(content(), another ? saved.place : reading.place);
    settleFocus();
    askForEarlier();
    // For the benchmark and for whoever profiles the page: from now on it answers.
    requestAnimationFrame(() => setTimeout(() => performance.mark("interactive")));
  }

  /** What a person has typed for the conversation that arrives, before it was here. */
  function typedFor(draft: string): string {
    const typed = ready ? moving.arrives(hostDraft) : hostDraft.trim();
    return typed === draft ? "" : typed;
  }

  /** Somebody has gone back behind a question that was being changed here: the words are another question now. */
  function keepRewrites(): void {
    const lost = rewrites.open(now).join("\n\n").trim();
    if (lost !== "") take({ type: "put-back", text: lost, gone: true });
  }

  function askForEarlier(): void {
    if (now.above > 0)
      requestIdleCallback(() => post({ type: "earlier", before: now.above }), { timeout: 200 });
  }

  function drawSoon(): void {
    if (drawing) return;
    drawing = true;
    requestAnimationFrame(() => {
      drawing = false;
      draw();
    });
  }

  function draw(): void {
    scene = sceneOf(viewState, isBusy(), scene);
    keepRewrites();
    const last = now.conversation.turns.at(-1);
    reading.update(content(), asked);
    if (last?.status === "running" && last.id !== shown?.id) asked = false;
    // What was the last one may have ended since, and another one begun.
    const before = now.conversation.turns.findLast(({ id }) => id === shown?.id);
    for (const turn of new Set([before, last])) {
      const sentence = sentenceFor(shown, turn);
      if (sentence !== undefined) voice.say(sentence);
    }
    shown = last;
    drawAround();
    settleFocus();
  }

  function drawAround(): void {
    showCodeColours(root, viewState.codeColours);
    notice.update(viewState, now.conversation.turns.at(-1));
    const [first] = now.conversation.turns;
    const title = now.above > 0 || first === undefined ? words.transcript : firstLine(first.prompt);
    above.update(viewState, title, first === undefined);
    input.update({
      ready,
      viewState,
      conversation: now.conversation,
      running: scene.busy && !viewState.readOnly,
    });
  }

  /** Commands of the editor, most of them by their keys. The page listens to none of these itself: both would act. */
  function obey(what: PageAct): void {
    switch (what) {
      case "focus":
        input.focus();
        break;
      case "focus-last":
        reading.focusLast();
        break;
      case "choose-model":
        input.chooseModel();
        break;
      case "find":
        reading.find();
        break;
      case "next-turn":
        reading.step(1);
        break;
      case "previous-turn":
        reading.step(-1);
        break;
      case "edit-last":
        reading.editLast();
        break;
      case "copy-last":
        reading.copyMessage();
        break;
      default:
        menu.obey(what);
    }
  }

  function isBusy(): boolean {
    return runningTurn(now.conversation) !== undefined;
  }

  function content() {
    return { turns: now.conversation.turns, above: now.above, scene };
  }
}
