// The page as a whole: a projection of the conversation, kept by the reducer that the host runs, a transcript and a
// composer. Messages change the projection immediately; changes are drawn once per frame.

import { blankView } from "../bridge/blank-view.ts";
import type { PageAct, ToHost, ToPage, TurnAction } from "../bridge/protocol.ts";
import { CodeColour, type CodeColours, type ViewState } from "../bridge/view-state.ts";
import type { ProblemAction } from "../conversation/problem.ts";
import { runningTurn } from "../conversation/reduce.ts";
import type { Turn } from "../conversation/state.ts";
import { createAnnouncer, sentenceFor } from "./announcer.ts";
import { contextMenu } from "./context-menu.ts";
import { h, setTitle } from "./elements/dom.ts";
import { keepFocus, watchFocus } from "./focus.ts";
import { createEditorColours } from "./markdown/code/editor-colours.ts";
import { takeDiagram } from "./markdown/diagrams/diagram-blocks.ts";
import { createRewrites, type PageState } from "./page-state.ts";
import { fromSnapshot, nothing, type Projection, withEarlier, withEvents } from "./projection.ts";
import { type Post, type RenderContext, renderContextOf } from "./render-context.ts";
import { composer } from "./view/composer/composer.ts";
import { bringsFiles } from "./view/composer/incoming-files.ts";
import { header } from "./view/header.ts";
import { noticeArea } from "./view/notice-area.ts";
import { transcript } from "./view/transcript/conversation-view.ts";
import { firstLine, questionWords } from "./words/messages.ts";
import { strings } from "./words/strings.ts";

/** Passes the code colours of the user's theme to the style sheet (styles/markdown.css). */
function showCodeColours({ style }: HTMLElement, colours: CodeColours): void {
  for (const name of CodeColour.options) {
    const property = `--patchbay-theme-${name}`;
    const colour = colours[name] ?? "";
    // Setting the property again would recompute the styles of all descendants, even with the same value.
    if (style.getPropertyValue(property) !== colour) style.setProperty(property, colour);
  }
}

/** Parts of rows that end in "…" where there is not enough room. */
const pieces = ".headline, .what, .verb, .search q, .queue-items .name";

/** Shows text that is cut off in a row as its tooltip. Screen readers have the whole text anyway. */
function showCutText(root: HTMLElement): void {
  root.addEventListener("pointerover", ({ target }) => {
    const piece = target instanceof Element ? target.closest<HTMLElement>(pieces) : null;
    if (piece === null) return;
    // Keep a tooltip that says something else.
    if (piece.title !== "" && piece.dataset["cut"] === undefined) return;
    const isCut = piece.scrollWidth > piece.clientWidth;
    piece.toggleAttribute("data-cut", isCut);
    if (isCut) setTitle(piece, piece.textContent ?? "");
    else piece.removeAttribute("title");
  });
}

interface DraftHandoff {
  /** Called when the page sends `message` while the composer contains `draft`. */
  asks(message: ToHost, draft: string): void;
  /** Called when another conversation is open. Returns the part of `draft` that moves to it. */
  arrives(draft: string): string;
}

/**
 * Text typed while another conversation is being opened is meant for that conversation and moves there. What was in the
 * composer before stays with the conversation that is being left.
 */
function draftHandoff(): DraftHandoff {
  let left: string | undefined;
  return {
    asks(message, draft) {
      if (leaves(message)) left = draft;
      // A question is sent in the open conversation, so no other one is being opened.
      else if (message.type === "send") left = undefined;
    },
    arrives(draft) {
      const before = left;
      left = undefined;
      if (before === undefined) return "";
      return (draft.startsWith(before) ? draft.slice(before.length) : draft).trimStart();
    },
  };
}

const leaves = (message: ToHost): boolean =>
  (message.type === "act-on-turn" && message.action === "branch") ||
  (message.type === "run" && (message.command === "new-conversation" || message.command === "go-back"));

/** Actions on a turn or a problem that ask the model again. */
const beginning = new Set<ProblemAction | TurnAction>([
  "retry",
  "retry-whole",
  "regenerate",
  "continue",
  "send-anyway",
]);

/** Whether a turn may begin because of it: then its sender wants to see the response, wherever they are reading. */
function asksModel(message: ToHost): boolean {
  switch (message.type) {
    case "send":
    case "send-queued":
    case "go":
    case "edit-turn":
      return true;
    case "act":
    case "answer":
    case "act-on-turn":
      return beginning.has(message.action);
    case "act-on-call":
      return message.action === "send-current" || message.action === "fix-errors";
    case "act-on-changes":
      return message.reason !== undefined;
    case "act-on-remarks":
      return message.action === "send";
    case "act-on-breaking":
      return message.action === "send-back";
    default:
      return false;
  }
}

interface App {
  readonly root: HTMLElement;
  take(message: ToPage): void;
}

export function createApp(send: Post, saved: PageState): App {
  let now: Projection = nothing;
  let viewState: ViewState = blankView;
  let context: RenderContext = renderContextOf(blankView, false, undefined);
  /** The last turn as it was last drawn. */
  let shown: Turn | undefined;
  /** The user has requested a turn that has not started yet. */
  let asked = false;
  let drawing = false;
  /** The draft as the host knows it, so that a draft which came from the host is not sent back. */
  let hostDraft = "";
  /** The host has sent its first snapshot. */
  let ready = false;

  const moving = draftHandoff();
  const rewrites = createRewrites(saved.rewrites, saved.setRewrites);
  const announcer = createAnnouncer();
  const notice = noticeArea({
    act: (action) => post({ type: "act", action }),
    answer: (question, action) => post({ type: "answer", question, action }),
    goBack: () => post({ type: "run", command: "go-back" }),
    takeOver: () => post({ type: "run", command: "take-over" }),
    say: announcer.say,
  });
  const editorColours = createEditorColours(send);
  const reading = transcript({
    post,
    editorColours,
    choices: saved.choices,
    rewrites,
    say: announcer.say,
    moved: () => saved.setPlace(reading.place),
    leaveDownwards: () => input.focus(),
  });
  const above = header({ post, find: reading.find, step: reading.step });
  const input = composer({
    post,
    choices: saved.choices,
    say: announcer.say,
    tell: announcer.tell,
    draftChanged(text) {
      if (text === hostDraft) return;
      hostDraft = text;
      // Before the first snapshot, this would overwrite a saved draft that has not been shown yet.
      if (ready) post({ type: "draft", text, conversation: now.conversation.id });
    },
    help: () =>
      announcer.tell(viewState.preferences.sendKey === "enter" ? strings.keys : strings.keysModified),
  });
  const root = h(
    "div",
    { class: "app" },
    above.root,
    reading.root,
    notice.root,
    announcer.hint,
    input.root,
    announcer.root,
  );

  // Files can be dropped anywhere, because nobody aims at an input while dragging. Dropped text is left to the browser.
  root.addEventListener("dragover", (event) => bringsFiles(event.dataTransfer) && event.preventDefault());
  root.addEventListener("drop", (event) => {
    if (event.dataTransfer === null || !bringsFiles(event.dataTransfer)) return;
    event.preventDefault();
    input.takeIncoming(event.dataTransfer);
  });
  const menu = contextMenu(root, { post, say: announcer.say, tell: announcer.tell, quote: input.quote });
  showCutText(root);
  watchFocus(root, (focus) => post({ type: "focus", focus }));
  const settleFocus = keepFocus(root, input.focus);
  setInterval(() => reading.tick(), 1000);
  drawAround();
  return { root, take };

  function post(message: ToHost): void {
    if (asksModel(message)) asked = true;
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
        // A gap in the sequence numbers means that events were lost: request a new snapshot.
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
      case "rewind-plan":
        reading.takeRewindPlan(message);
        break;
      case "taken":
        input.sent(message.prompt);
        break;
      case "put-back":
        input.putBack(message.text);
        if (message.gone === true) announcer.tell(strings.questionGone);
        break;
      case "do":
        obey(message.what);
        break;
      case "code-table":
      case "code-lines":
      case "code-none":
        editorColours.take(message);
        break;
      case "diagram":
        takeDiagram(message);
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
    context = renderContextOf(viewState, isBusy(), now.conversation.turns.at(-1), context);
    shown = now.conversation.turns.at(-1);
    // Draw the rest of the page first: it determines how much room is left for the transcript, and so where its end is.
    hostDraft = message.draft;
    if (another) {
      above.reset();
      input.setDraft(message.draft, typed);
    }
    keepRewrites();
    drawAround();
    reading.open(content(), another ? saved.place : reading.place);
    settleFocus();
    askForEarlier();
    // A mark for the benchmark and for profiling: the page responds from now on.
    requestAnimationFrame(() => setTimeout(() => performance.mark("interactive")));
  }

  /** Returns what the user typed for the arriving conversation before it was open. */
  function typedFor(draft: string): string {
    const typed = ready ? moving.arrives(hostDraft) : hostDraft;
    return ["", draft.trim()].includes(typed.trim()) ? "" : typed;
  }

  /** If the conversation was rewound past a question that was being edited here, moves its text to the composer. */
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
    context = renderContextOf(viewState, isBusy(), now.conversation.turns.at(-1), context);
    keepRewrites();
    const last = now.conversation.turns.at(-1);
    reading.update(content(), asked);
    if (last?.status === "running" && last.id !== shown?.id) asked = false;
    // The turn that was the last one may have ended since, and another one may have started.
    const before = now.conversation.turns.findLast(({ id }) => id === shown?.id);
    for (const turn of new Set([before, last])) {
      const sentence = sentenceFor(shown, turn);
      if (sentence !== undefined) announcer.say(sentence);
    }
    shown = last;
    drawAround();
    settleFocus();
  }

  function drawAround(): void {
    showCodeColours(root, viewState.codeColours);
    notice.update(viewState, now.conversation.turns.at(-1), context.primary === "notice");
    const [first] = now.conversation.turns;
    const isHere = now.above === 0 && first !== undefined;
    const title = isHere ? firstLine(questionWords(first.prompt)) : strings.transcript;
    above.update(viewState, title, first === undefined);
    reading.showTrial(viewState.trial);
    input.update({
      ready,
      viewState,
      conversation: now.conversation,
      running: context.busy && !viewState.readOnly,
      primary: context.primary,
    });
  }

  /**
   * Handles commands of the editor, most of them invoked by key. The page does not listen for these keys itself, or
   * both would act.
   */
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
        menu.handleCommand(what);
    }
  }

  function isBusy(): boolean {
    return runningTurn(now.conversation) !== undefined;
  }

  function content() {
    const { suggested, starters } = viewState;
    return { turns: now.conversation.turns, above: now.above, context, starting: { suggested, starters } };
  }
}
