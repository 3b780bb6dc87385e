// Where a person writes: what waits to be sent, what goes out with the question, the box, and how it will be asked. What was
// sent leaves the box when the host has it on the disk; what is typed meanwhile stands behind it and stays.
import { maxText } from "../../bridge/protocol.ts";
import type { ViewState } from "../../bridge/view-state.ts";
import { maxDropped } from "../../core/conversation/attachment-limits.ts";
import type { Conversation } from "../../core/conversation/state.ts";
import { h, iconButton, setLabel } from "../dom.ts";
import { hasFiles, type Incoming, readIncoming } from "../incoming-files.ts";
import { wordsOf } from "../messages.ts";
import { exact } from "../numbers-and-times.ts";
import { isHosted, type Post } from "../turn-context.ts";
import { fill, words } from "../words.ts";
import { changesBar } from "./changes-bar.ts";
import { draftChips } from "./draft-chips.ts";
import { asksAgain } from "./ending.ts";
import { promptBox } from "./prompt-box.ts";
import { queueList } from "./queue-list.ts";
import { requestOptions } from "./request-options.ts";
import { splitCommand } from "./suggestion-trigger.ts";
import { type Found, suggestions } from "./suggestions.ts";

export interface ComposerState {
  /** The host has told what there is; nothing is sent before. */
  readonly ready: boolean;
  readonly viewState: ViewState;
  readonly conversation: Conversation;
  readonly running: boolean;
}

export interface ComposerDeps {
  readonly post: Post;
  say(sentence: string): void;
  /** For what went otherwise than meant. */
  tell(sentence: string): void;
  draftChanged(text: string): void;
  help(): void;
}

export interface Composer {
  readonly root: HTMLElement;
  setDraft(text: string): void;
  /** The host has this question: it leaves the box. */
  sent(prompt: string): void;
  /** Before what stands there already. */
  putBack(text: string): void;
  /** Behind what stands there, as words of somebody else. */
  quote(text: string): void;
  update(state: ComposerState): void;
  takeCompletions(found: Found): void;
  takeIncoming(data: DataTransfer): void;
  chooseModel(): void;
  focus(): void;
}

export function composer({ post, say, tell, draftChanged, help }: ComposerDeps): Composer {
  let state: ComposerState | undefined;
  /** On its way out of the box: what was asked, as it stands at the beginning of the box. */
  let leaving: { readonly prompt: string; readonly text: string } | undefined;
  /** Enter was pressed once more before it had left. */
  let isAnother = false;

  const box = promptBox({
    submit,
    changed,
    menuKey: (event) => menu.key(event),
    escape: () => state?.running === true && post({ type: "stop" }),
    history: () =>
      (state?.conversation.turns ?? [])
        .map(({ prompt }) => prompt)
        .filter(Boolean)
        .reverse(),
  });
  const { input } = box;
  const menu = suggestions(input, {
    complete: (query) => post({ type: "complete", query }),
    pick: (kind) => post({ type: "pick", kind }),
    attach: ({ attachment }) => post({ type: "attach", attachment }),
    runHere,
    say,
  });
  /** What was suggested when a person last took it away: it stays away until it is another one. */
  let unwanted = "";
  const suggestionNow = () => {
    const { suggested, preferences } = state?.viewState ?? {};
    if (suggested === undefined) return undefined;
    const { kind, label, attachment } = suggested;
    const isOn = preferences?.attachActiveEditor === true && unwanted !== JSON.stringify(attachment);
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
    sendNow: () => post({ type: "send-queued" }),
  });
  const changes = changesBar({
    act: (action, shown) => post({ type: "act-on-changes", action, shown }),
    actOnCheck: (check, action) => post({ type: "act-on-check", check, action }),
    say,
  });
  const options = requestOptions(post);
  const send = iconButton(words.send, "send", submit);
  const stop = iconButton(words.stop, "stop", () => {
    post({ type: "stop" });
    input.focus();
  });
  send.classList.add("send");
  stop.classList.add("stop");
  const row = h("div", { class: "row" }, options.root, h("span", { class: "space" }), stop, send);
  const root = h(
    "section",
    { class: "composer", "aria-label": words.composer },
    changes.root,
    queue.root,
    h("div", { class: "box" }, menu.root, ...options.popups, chips.root, input, row),
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
    setDraft(text) {
      box.set(`${leaving?.text ?? ""}${text}`);
      menu.leave();
      draw();
    },
    sent,
    putBack(text) {
      const isHere = leaving !== undefined && evenly(leaving.text) === evenly(text);
      const unsent = [text, written()].filter((each) => each.trim() !== "").join("\n\n");
      // Another question that is on its way out stands before them until the host has it.
      if (isHere) leaving = undefined;
      else box.set(`${leaving?.text ?? ""}${unsent}`);
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
      changes.update(viewState);
      queue.update(viewState.queue, !next.running);
      options.update(viewState, next.conversation.turns.at(-1));
      draw();
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
    draftChanged(written());
  }

  /** What stands in the box and was not sent. */
  function written(): string {
    if (leaving === undefined) return input.value;
    if (input.value.startsWith(leaving.text)) return input.value.slice(leaving.text.length);
    // The person has changed it meanwhile: it is another text now.
    leaving = undefined;
    return input.value;
  }

  function sent(prompt: string): void {
    if (leaving?.prompt !== prompt) return;
    const rest = written();
    const gone = input.value.length - rest.length;
    const [from, to] = [input.selectionStart - gone, input.selectionEnd - gone];
    leaving = undefined;
    box.set(rest);
    input.setSelectionRange(Math.max(from, 0), Math.max(to, 0));
    draw();
    updateMenu();
    if (isAnother && rest.trim() !== "") submit();
  }

  function updateMenu(): void {
    if (state !== undefined && document.activeElement === input) menu.update(state.viewState);
  }

  function submit(): void {
    isAnother = leaving !== undefined;
    if (state === undefined || isAnother) return;
    const { viewState } = state;
    const names = viewState.commands.map(({ name }) => name);
    const { prompt, command } = splitCommand(input.value.trim(), names);
    const again = prompt === "" && command === undefined;
    const turn = unasked();
    if (again && turn === undefined) return;
    // What cannot be sent now stays in the box: nothing typed is ever lost.
    const hindrance = whyNot();
    if (hindrance !== undefined) {
      tell(hindrance);
      // What has to be done first begins by itself; what is typed goes out afterwards, with the same key.
      const [action] = viewState.problem?.actions ?? [];
      if (action !== undefined) post({ type: "act", action });
      return;
    }
    if (again && turn !== undefined) {
      post({ type: "act-on-turn", turn, action: "retry" });
      return;
    }
    const suggestion = suggestionNow();
    if (suggestion?.isOn === true) post({ type: "attach", attachment: suggestion.attachment });
    leaving = { prompt, text: input.value };
    changed();
    menu.close();
    post({ type: "send", prompt, ...(command !== undefined && { command }) });
    if (state.running) say(words.queued);
  }

  /** What has failed and left nothing behind: in an empty box the key that sends asks it again. */
  function unasked(): string | undefined {
    const last = state?.conversation.turns.at(-1);
    const isOther = (state?.viewState.attachments.length ?? 0) > 0;
    return last !== undefined && asksAgain(last) && !isOther ? last.id : undefined;
  }

  function whyNot(): string | undefined {
    if (state?.ready !== true) return words.notReady;
    const { problem } = state.viewState;
    if (problem !== undefined) return wordsOf(problem.message);
    return input.value.length > maxText ? words.tooLong : undefined;
  }

  function draw(): void {
    const running = state?.running === true;
    const text = written().trim() !== "";
    const again = !text && unasked() !== undefined;
    input.placeholder = again ? words.askAgain : words.ask;
    stop.hidden = !running;
    // While an answer is written there is one button, until there is something to line up behind it.
    send.hidden = running && !text;
    send.disabled = !text && !again;
    setLabel(send, running ? words.addToQueue : words.send);
  }

  function runHere(name: string): void {
    if (name === "model") options.chooseModel();
    else if (name === "clear") post({ type: "run", command: "new-conversation" });
    else if (name === "compact") {
      post({ type: "run", command: "compact" });
      if (state?.running === true) tell(words.compactsNext);
    } else if (name === "help") help();
  }

  function takeIncoming(data: DataTransfer): void {
    if (state === undefined || !isHosted(state.viewState)) tell(words.cannotAttach);
    else void readIncoming(data).then(attachIncoming, () => tell(words.cannotRead));
  }

  function attachIncoming({ attachments, uris, refused, isCut }: Incoming): void {
    if (uris.length > 0) post({ type: "attach-uris", uris: [...uris] });
    for (const attachment of attachments) post({ type: "attach", attachment });
    const left = [
      ...(isCut ? [fill(words.onlyFirstFiles, { count: exact(maxDropped) })] : []),
      ...(refused.length > 0 ? [fill(words.refusedFiles, { names: refused.join(", ") })] : []),
    ];
    if (left.length > 0) tell(left.join(" "));
  }
}

/** A command comes back with one space behind its name, however many were typed. */
const evenly = (text: string): string => text.trim().split(/\s+/).join(" ");
