// The composer: pending changes, the queue, attachments, the input and the request options. Sent text leaves the input
// when the host has stored it; text typed in the meantime goes below it and stays.

import { maxText } from "../../../bridge/protocol.ts";
import type { ViewState } from "../../../bridge/view-state.ts";
import { promptsOf } from "../../../conversation/reduce.ts";
import { type Conversation, maxDropped } from "../../../conversation/state.ts";
import { h, iconButton, setLabel } from "../../elements/dom.ts";
import { type Choices, isHosted, type Post, type PrimaryPlace } from "../../render-context.ts";
import { messageText } from "../../words/messages.ts";
import { exact } from "../../words/numbers-and-times.ts";
import { fill, strings } from "../../words/strings.ts";
import { changesBar } from "../changes/changes-bar.ts";
import { asksAgain } from "../transcript/turn/ending.ts";
import { draftChips } from "./attachment-chips.ts";
import { composerInput } from "./composer-input.ts";
import { hasFiles, type Incoming, readIncoming } from "./incoming-files.ts";
import { requestOptions } from "./options/request-options.ts";
import { planView } from "./plan-view.ts";
import { queueList } from "./queue-list.ts";
import { type CompletionResults, splitCommand, suggestions } from "./suggestions.ts";

interface ComposerState {
  /** The host has sent its state; nothing is sent before. */
  readonly ready: boolean;
  readonly viewState: ViewState;
  readonly conversation: Conversation;
  readonly running: boolean;
  readonly primary: PrimaryPlace;
}

interface ComposerDeps {
  readonly post: Post;
  readonly choices: Choices;
  say(sentence: string): void;
  /** Announces that something did not go as the user expected. */
  tell(sentence: string): void;
  draftChanged(text: string): void;
  help(): void;
}

/** `try-ways`: proposes to try it in several ways. */
type Asked = "send" | "try-ways";

interface Composer {
  readonly root: HTMLElement;
  /** `typed` is what the user has typed for it, the end of the input's current text. */
  setDraft(text: string, typed: string): void;
  /** The host has stored this question: it is removed from the input. */
  sent(prompt: string): void;
  /** Inserts the text before the current text. */
  putBack(text: string): void;
  /** Appends the text as a quotation. */
  quote(text: string): void;
  update(state: ComposerState): void;
  takeCompletions(found: CompletionResults): void;
  takeIncoming(data: DataTransfer): void;
  chooseModel(): void;
  focus(): void;
}

export function composer({ post, choices, say, tell, draftChanged, help }: ComposerDeps): Composer {
  let state: ComposerState | undefined;
  /** A question that is being sent, and its text at the beginning of the input. */
  let leaving: { readonly type: Asked; readonly prompt: string; readonly text: string } | undefined;
  /** What was asked for again before that question was removed. */
  let asksNext: Asked | undefined;
  /** What was asked for before the conversation had arrived, and what the input held then. */
  let early: { readonly type: Asked; readonly text: string } | undefined;

  const box = composerInput({
    submit: () => submit(),
    changed,
    menuKey: (event) => menu.key(event),
    escape: () => state?.running === true && post({ type: "stop" }),
    history: () => (state?.conversation.turns ?? []).flatMap(promptsOf).filter(Boolean).reverse(),
  });
  const { input } = box;
  const menu = suggestions(input, {
    complete: (query) => post({ type: "complete", query }),
    pick: (kind) => post({ type: "pick", kind }),
    attach: ({ attachment }) => post({ type: "attach", attachment }),
    runHere,
    say,
  });
  /** The suggestion that the user dismissed last: it stays dismissed until another one is suggested. */
  let unwanted = "";
  const suggestionNow = () => {
    const { suggested, preferences } = state?.viewState ?? {};
    if (suggested === undefined) return undefined;
    const { kind, label, attachment } = suggested;
    const isWanted = preferences?.attachActiveEditor === true;
    const isOn = isWanted && unwanted !== JSON.stringify(attachment);
    return { kind, label, attachment, isOn };
  };
  const drawChips = () => {
    const { viewState, conversation } = state ?? {};
    chips.update(viewState?.attachments ?? [], conversation?.id ?? "", suggestionNow());
  };
  const chips = draftChips({
    toggle() {
      const suggestion = suggestionNow();
      if (suggestion?.isOn === true) unwanted = JSON.stringify(suggestion.attachment);
      else if (suggestion !== undefined) post({ type: "attach", attachment: suggestion.attachment });
      drawChips();
      input.focus();
    },
    detach: (id) => post({ type: "detach", id }),
    say,
  });
  const queue = queueList({
    remove: (id) => post({ type: "unqueue", id }),
    deliver: (id, delivery) => post({ type: "deliver", id, delivery }),
    sendNow: () => post({ type: "send-queued" }),
  });
  const changes = changesBar({
    act: (action, shown, reason) =>
      post({ type: "act-on-changes", action, shown, ...(reason !== undefined && { reason }) }),
    actOnCheck: (check, action) => post({ type: "act-on-check", check, action }),
    actOnBreaking: (action, shown) => post({ type: "act-on-breaking", action, shown }),
    actOnRemarks: (action) => post({ type: "act-on-remarks", action }),
    openFile: (path, line) => post({ type: "open-file", path, ...(line !== undefined && { line }) }),
    setUpChecks: () => post({ type: "run", command: "set-up-checks" }),
    say,
  });
  const plan = planView({ post, choices, say });
  const options = requestOptions(post, () => submit("try-ways"));
  const send = iconButton(strings.send, "send", () => submit());
  const stop = iconButton(strings.stop, "stop", () => {
    post({ type: "stop" });
    input.focus();
  });
  send.classList.add("send");
  stop.classList.add("stop");
  const row = h("div", { class: "row" }, options.root, h("span", { class: "space" }), stop, send);
  const root = h(
    "section",
    { class: "composer", "aria-label": strings.composer },
    plan.root,
    changes.root,
    queue.root,
    h("div", { class: "box" }, menu.root, ...options.popups, chips.root, input, row),
  );

  // Before the input takes the key for a new line.
  root.addEventListener(
    "keydown",
    (event) => {
      const isGo = event.key === "Enter" && event.shiftKey && (event.ctrlKey || event.metaKey);
      if (!isGo || !plan.go()) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
  for (const event of ["keyup", "click", "focus"]) input.addEventListener(event, updateMenu);
  input.addEventListener("blur", () => menu.leave());
  input.addEventListener("paste", (event) => {
    if (!hasFiles(event.clipboardData) || event.clipboardData === null) return;
    event.preventDefault();
    takeIncoming(event.clipboardData);
  });

  return {
    root,
    setDraft(text, typed) {
      box.bring(text, leavingBefore(typed + text), typed);
      menu.leave();
      if (typed === "") draw();
      else changed();
    },
    sent,
    putBack(text) {
      const isHere = leaving !== undefined && evenly(leaving.text) === evenly(text);
      const typed = written();
      if (isHere && leaving?.type === "try-ways") tell(strings.tryWaysNotNow);
      // Another question that is being sent stays before this text until the host has stored it.
      if (isHere) leaving = undefined;
      else if (typed.trim() === "") box.bring(text, leavingBefore(text), "");
      else box.setBefore([`${leavingBefore(text)}${text}`, typed].join("\n\n"));
      changed();
    },
    quote(text) {
      const quoted = text.replace(/^/gm, "> ");
      box.set(`${[input.value.trimEnd(), quoted].filter(Boolean).join("\n\n")}\n\n`);
      changed();
      input.focus();
    },
    update(next) {
      state = next;
      const { viewState } = next;
      box.sendKey = viewState.preferences.sendKey;
      drawChips();
      plan.update(viewState, next.conversation);
      changes.update(viewState, next.primary === "changes");
      queue.update(viewState.queue, !next.running);
      options.update(viewState, next.conversation.turns.at(-1));
      draw();
      if (next.ready) submitEarly();
    },
    takeCompletions(found) {
      menu.take(found);
      options.takeCompletions(found);
    },
    takeIncoming,
    chooseModel: options.chooseModel,
    focus: () => input.focus(),
  };

  function changed(): void {
    updateMenu();
    draw();
    draftChanged(written().replace(/^\n+/, ""));
  }

  /** The text that is being sent, separated from the text that goes below it. */
  function leavingBefore(text: string): string {
    if (leaving === undefined || text === "") return leaving?.text ?? "";
    leaving = { ...leaving, text: `${leaving.text.trimEnd()}\n\n` };
    return leaving.text;
  }

  /** The text in the input that has not been sent. */
  function written(): string {
    if (leaving === undefined) return input.value;
    if (input.value.startsWith(leaving.text)) return input.value.slice(leaving.text.length);
    // The user has edited it in the meantime, so it is a new text now.
    leaving = undefined;
    return input.value;
  }

  function sent(prompt: string): void {
    if (leaving?.prompt !== prompt) return;
    box.setBefore(written());
    leaving = undefined;
    draw();
    updateMenu();
    if (asksNext !== undefined && box.own.trim() !== "") submit(asksNext);
    else if (asksNext === "try-ways") tell(strings.tryWaysEmpty);
  }

  function updateMenu(): void {
    if (state !== undefined && document.activeElement === input) menu.update(state.viewState);
  }

  function submit(type: Asked = "send"): void {
    asksNext = leaving === undefined ? undefined : type;
    if (state === undefined || asksNext !== undefined) return;
    const { viewState } = state;
    const names = viewState.commands.map(({ name }) => name);
    const { prompt, command } = splitCommand(box.outgoing.trim(), names);
    const again = prompt === "" && command === undefined;
    const turn = unasked();
    if (again && turn === undefined) {
      if (type === "try-ways") tell(strings.tryWaysEmpty);
      return;
    }
    // What cannot be sent now stays in the input: typed text is never lost.
    const hindrance = whyNot();
    if (hindrance !== undefined) {
      if (!state.ready) early = { type, text: box.outgoing };
      tell(hindrance);
      // Start the first action that solves the problem; the same key then sends the text.
      const [action] = viewState.problem?.actions ?? [];
      if (action !== undefined) post({ type: "act", action });
      return;
    }
    if (again && turn !== undefined) {
      post(type === "send" ? { type: "act-on-turn", turn, action: "retry" } : { type: "try-turn", turn });
      return;
    }
    const suggestion = suggestionNow();
    if (suggestion?.isOn === true) post({ type: "attach", attachment: suggestion.attachment });
    leaving = { type, prompt, text: box.outgoing };
    changed();
    menu.close();
    post({ type, prompt, ...(command !== undefined && { command }) });
    if (state.running && type === "send") say(strings.queued);
  }

  /** Not if the input was changed since. A saved draft that has just come is not part of it. */
  function submitEarly(): void {
    const asked = early;
    early = undefined;
    if (asked !== undefined && asked.text === box.outgoing) submit(asked.type);
  }

  /** The last turn, if it failed without leaving anything: with an empty input, the send key retries it. */
  function unasked(): string | undefined {
    const last = state?.conversation.turns.at(-1);
    const isOther = (state?.viewState.attachments.length ?? 0) > 0;
    return last !== undefined && asksAgain(last) && !isOther ? last.id : undefined;
  }

  function whyNot(): string | undefined {
    if (state?.ready !== true) return strings.notReady;
    const { problem } = state.viewState;
    if (problem !== undefined) return messageText(problem.message);
    return input.value.length > maxText ? strings.tooLong : undefined;
  }

  function draw(): void {
    const running = state?.running === true;
    const text = written().trim() !== "";
    const again = !text && unasked() !== undefined;
    input.placeholder = again ? strings.askAgain : strings.ask;
    stop.hidden = !running;
    // While a turn runs, only the stop button is shown until there is text to queue.
    send.hidden = running && !text;
    send.disabled = !text && !again;
    send.classList.toggle("primary-here", isNext());
    setLabel(send, running ? strings.addToQueue : strings.send);
  }

  /** No other button of the page is the primary one, such as Try Again on the card of a failed turn. */
  function isNext(): boolean {
    const last = state?.conversation.turns.at(-1);
    const hasCard = last !== undefined && last.status !== "done" && last.status !== "running";
    return state === undefined || (state.primary === "turn" && !hasCard);
  }

  function runHere(name: string): void {
    if (name === "model") options.chooseModel();
    else if (name === "clear") post({ type: "run", command: "new-conversation" });
    else if (name === "compact") {
      post({ type: "run", command: "compact" });
      if (state?.running === true) tell(strings.compactsNext);
    } else if (name === "help") help();
  }

  function takeIncoming(data: DataTransfer): void {
    if (state === undefined || !isHosted(state.viewState)) tell(strings.cannotAttach);
    else void readIncoming(data).then(attachIncoming, () => tell(strings.cannotRead));
  }

  function attachIncoming({ attachments, uris, refused, isCut }: Incoming): void {
    if (uris.length > 0) post({ type: "attach-uris", uris: [...uris] });
    for (const attachment of attachments) post({ type: "attach", attachment });
    const left = [
      ...(isCut ? [fill(strings.onlyFirstFiles, { count: exact(maxDropped) })] : []),
      ...(refused.length > 0 ? [fill(strings.refusedFiles, { names: refused.join(", ") })] : []),
    ];
    if (left.length > 0) tell(left.join(" "));
  }
}

/** A command is returned with one space after its name, however many were typed. */
const evenly = (text: string): string => text.trim().split(/\s+/).join(" ");
