// The box where a person writes. It grows with what is in it, sends with the key that was chosen, recalls earlier
// questions with ↑ while it is empty, and leaves every key to an input method that is composing.
import type { Preferences } from "../../bridge/view-state.ts";
import { followDirection } from "../box-direction.ts";
import { h } from "../dom.ts";
import { composingGuard } from "../ime.ts";
import { sends } from "../send-key.ts";
import { words } from "../words.ts";

export interface PromptBoxActions {
  submit(): void;
  changed(): void;
  /** A key that nobody has used yet; true when it is used now. */
  menuKey(event: KeyboardEvent): boolean;
  escape(): void;
  /** Earlier questions, the latest first. */
  history(): readonly string[];
}

export interface PromptBox {
  readonly input: HTMLTextAreaElement;
  /** Says nothing about it: whoever sets the text knows. */
  set(text: string): void;
  sendKey: Preferences["sendKey"];
}

export function promptBox(actions: PromptBoxActions): PromptBox {
  const input = h("textarea", {
    class: "input",
    rows: "1",
    "aria-label": words.ask,
    placeholder: words.ask,
    dir: "auto",
    spellcheck: "true",
  });
  const composing = composingGuard(input);
  const directed = followDirection(input);
  /** Which earlier question is in the box; -1: none. */
  let recalled = -1;

  const box: PromptBox = {
    input,
    sendKey: "enter",
    set(text) {
      recalled = -1;
      input.value = text;
      directed();
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
        if (!sends(event, box.sendKey)) return false;
        // A key that is held down has said so once.
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
