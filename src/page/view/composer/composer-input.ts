// The input for questions. It grows with its text, sends with the configured key, recalls earlier questions with ↑
// while it is empty, and leaves every key to an input method that is composing.
import type { Preferences } from "../../../bridge/preferences.ts";
import { h } from "../../elements/dom.ts";
import { strings } from "../../words/strings.ts";
import { composingGuard, followDirection, isSendKey } from "./text-input.ts";

interface InsertedDraft {
  /**
   * Inserts `draft`. `before` stays at the beginning of the input; `written` is what the user typed, the end of its
   * current text.
   */
  bring(draft: string, before: string, written: string): void;
  /** Replaces the text up to the caret, which keeps its distance from the end. */
  setBefore(text: string): void;
  /** The text was set by other code. */
  forget(): void;
  /** The text of the input without a draft that was set apart. */
  readonly own: string;
  /** What the send key sends. */
  readonly outgoing: string;
}

const gap = "\n\n";
/** Too short to have noticed a text, read it and continued it. */
const milliseconds = 500;

/**
 * A draft that the host inserts into an input in which the user may be typing at that moment. It is never joined to
 * typed text: it goes below, as a separate paragraph, and the caret stays where it is. The send key sends only the
 * user's own text until they have moved into the draft. `changed` is called when the text was rearranged after the last
 * event of the input.
 */
function insertedDraft(input: HTMLTextAreaElement, changed: () => void): InsertedDraft {
  /** The draft below the text that was typed. */
  let apart = "";
  /** A draft inserted while nothing was typed, and which cannot have been read yet. */
  let unread: { before: string; readonly draft: string; isBeingTyped: boolean } | undefined;

  const setAround = (before: string, behind: string) => {
    const { value, selectionStart, selectionEnd } = input;
    const placeOf = (index: number) => Math.max(0, before.length - (value.length - index));
    input.value = before + behind;
    input.setSelectionRange(placeOf(selectionStart), placeOf(selectionEnd));
  };

  /** Text typed at the end of a draft before it can have been read was meant for the empty input. */
  const setApart = (): boolean => {
    if (unread === undefined) return false;
    const { before, draft } = unread;
    const typed = input.value.slice(before.length + draft.length);
    const isBehind = typed !== "" && input.value.startsWith(before + draft);
    unread = undefined;
    if (!isBehind) return false;
    apart = draft;
    setAround(before + typed, gap + draft);
    return true;
  };

  const read = () => {
    unread = undefined;
  };
  input.addEventListener("pointerdown", read);
  input.addEventListener("keydown", ({ key }) => /^(Arrow|Home|End|Page)/.test(key) && read());
  input.addEventListener("input", (event) => {
    const isComposing = event instanceof InputEvent && event.isComposing;
    if (!isComposing) setApart();
    else if (unread !== undefined) unread.isBeingTyped = true;
  });
  // An input method would lose its word if the text around it moved earlier.
  input.addEventListener("compositionend", () => setApart() && changed());

  const arriving: InsertedDraft = {
    bring(draft, before, written) {
      if (written !== "") {
        unread = undefined;
        apart = draft;
        setAround(before + written, draft === "" ? "" : gap + draft);
      } else if (input.value !== before + draft) {
        apart = "";
        input.value = before + draft;
        const brought = { before, draft, isBeingTyped: false };
        unread = draft === "" ? undefined : brought;
        requestAnimationFrame(() =>
          setTimeout(() => {
            if (unread === brought && !brought.isBeingTyped) unread = undefined;
          }, milliseconds),
        );
      }
    },
    setBefore(text) {
      if (unread !== undefined && text.endsWith(unread.draft))
        unread.before = text.slice(0, text.length - unread.draft.length);
      setAround(text, "");
    },
    forget() {
      unread = undefined;
      apart = "";
    },
    get own() {
      const { value } = input;
      return apart !== "" && value.endsWith(gap + apart) ? value.slice(0, -gap.length - apart.length) : value;
    },
    get outgoing() {
      const { own } = arriving;
      return own.trim() !== "" && input.selectionEnd <= own.length ? own : input.value;
    },
  };
  return arriving;
}

interface ComposerInputActions {
  submit(): void;
  changed(): void;
  /** Offers a key that is not handled yet; returns true when it is handled. */
  menuKey(event: KeyboardEvent): boolean;
  escape(): void;
  /** Earlier questions, the latest first. */
  history(): readonly string[];
}

interface ComposerInput {
  readonly input: HTMLTextAreaElement;
  /** Does not call `changed`: the caller knows that it sets the text. */
  set(text: string): void;
  /** Inserts a draft of the host next to what is being typed. */
  bring: InsertedDraft["bring"];
  /** Replaces the text before the caret and keeps the caret in the user's own words. */
  setBefore: InsertedDraft["setBefore"];
  readonly own: string;
  readonly outgoing: string;
  sendKey: Preferences["sendKey"];
}

export function composerInput(actions: ComposerInputActions): ComposerInput {
  const input = h("textarea", {
    class: "input",
    rows: "1",
    "aria-label": strings.ask,
    placeholder: strings.ask,
    dir: "auto",
    spellcheck: "true",
  });
  const composing = composingGuard(input);
  const directed = followDirection(input);
  /** Index of the recalled question in the input; -1 if there is none. */
  let recalled = -1;
  // Registers its input listener before all others.
  const arriving = insertedDraft(input, actions.changed);

  const box: ComposerInput = {
    input,
    sendKey: "enter",
    set(text) {
      recalled = -1;
      arriving.forget();
      input.value = text;
      directed();
    },
    bring(draft, before, written) {
      recalled = -1;
      arriving.bring(draft, before, written);
      directed();
    },
    setBefore(text) {
      recalled = -1;
      arriving.setBefore(text);
      directed();
    },
    get own() {
      return arriving.own;
    },
    get outgoing() {
      return arriving.outgoing;
    },
  };

  input.addEventListener("input", () => {
    recalled = -1;
    actions.changed();
  });
  input.addEventListener("keydown", (event) => {
    if (composing(event)) return;
    if (actions.menuKey(event) || ownKey(event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  });
  return box;

  function ownKey(event: KeyboardEvent): boolean {
    switch (event.key) {
      case "Enter":
        if (!isSendKey(event, box.sendKey)) return false;
        // A key that is held down submits only once.
        if (!event.repeat) actions.submit();
        return true;
      case "Escape":
        actions.escape();
        return true;
      case "ArrowUp":
        return !hasModifier(event) && (input.value === "" || recalled >= 0) && recall(recalled + 1);
      case "ArrowDown":
        return !hasModifier(event) && recalled >= 0 && recall(recalled - 1);
      default:
        return false;
    }
  }

  function recall(index: number): boolean {
    const question = index < 0 ? "" : actions.history()[index];
    if (question === undefined) return index > 0;
    input.value = question;
    directed();
    input.setSelectionRange(question.length, question.length);
    actions.changed();
    recalled = index;
    return true;
  }
}

const hasModifier = ({ ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || shiftKey || altKey;
