// Where a person writes. Enter sends, Shift+Enter breaks, Escape stops; all three are left alone while an input
// method is composing, since there they choose a word.
import { button, h } from "../dom.ts";
import { composingGuard } from "../ime.ts";
import { words } from "../words.ts";

export interface ComposerState {
  readonly running: boolean;
  readonly blocked: boolean;
  readonly model: string;
  readonly models: readonly { readonly id: string; readonly label: string }[];
}

export interface ComposerActions {
  send(prompt: string): void;
  stop(): void;
  draft(text: string): void;
  chooseModel(model: string): void;
}

export interface Composer {
  readonly root: HTMLElement;
  setDraft(text: string): void;
  update(state: ComposerState): void;
  focus(): void;
}

export function composer(actions: ComposerActions): Composer {
  const input = h("textarea", {
    class: "input",
    rows: "1",
    "aria-label": words.ask,
    placeholder: words.ask,
    dir: "auto",
  });
  const models = h("select", { class: "models", "aria-label": words.model, title: words.model });
  const send = button(words.send, "primary send", () => submit());
  const stop = button(words.stop, "secondary stop", () => actions.stop());
  const row = h("div", { class: "row" }, models, h("span", { class: "space" }), stop, send);
  const root = h("form", { class: "composer" }, input, row);
  const composing = composingGuard(input);
  let state: ComposerState = { running: false, blocked: true, model: "", models: [] };

  root.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", () => {
    grow();
    draw();
    actions.draft(input.value);
  });
  models.addEventListener("change", () => actions.chooseModel(models.value));
  input.addEventListener("keydown", (event) => {
    if (composing(event)) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      submit();
    } else if (event.key === "Escape" && state.running) {
      event.preventDefault();
      actions.stop();
    }
  });

  return {
    root,
    focus: () => input.focus(),
    setDraft(text) {
      input.value = text;
      grow();
      draw();
    },
    update(next) {
      state = next;
      draw();
    },
  };

  function submit(): void {
    const prompt = input.value.trim();
    // What cannot be sent now stays in the box: nothing typed is ever lost.
    if (prompt === "" || state.running || state.blocked) return;
    input.value = "";
    grow();
    draw();
    actions.draft("");
    actions.send(prompt);
  }

  function draw(): void {
    send.disabled = state.running || state.blocked || input.value.trim() === "";
    stop.hidden = !state.running;
    send.hidden = state.running;
    const known = [...models.options].map((option) => option.value).join();
    if (known !== state.models.map(({ id }) => id).join()) {
      models.replaceChildren(...state.models.map(({ id, label }) => h("option", { value: id }, label)));
    }
    models.value = state.model;
  }

  function grow(): void {
    input.rows = Math.min(12, Math.max(1, input.value.split("\n").length));
  }
}
