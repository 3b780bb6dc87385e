// A question of the model: its choices, a field for other words, and the button for no answer. A number chooses, Enter
// sends, Escape gives no answer.
import type { Decision } from "../../../conversation/events.ts";
import { maxAnswer, type UserQuestion } from "../../../conversation/state.ts";
import { h } from "../../elements/dom.ts";
import { exact } from "../../words/numbers-and-times.ts";
import { fill, strings } from "../../words/strings.ts";
import { decisionButtons } from "../changes/decision-buttons.ts";
import { composingGuard } from "../composer/text-input.ts";

interface QuestionDeps {
  decide(decision: Decision): void;
  /** Announces a sentence to screen readers. */
  say(sentence: string): void;
}

export function questionCard({ text, choices }: UserQuestion, { decide, say }: QuestionDeps): HTMLElement {
  const answer = (words: string) => decide({ kind: "answer", text: words });
  const buttons = decisionButtons({
    label: strings.asksYou,
    choices: [
      ...choices.map((choice, at) => ({
        label: fill(strings.choice, { number: exact(at + 1), choice }),
        run: () => answer(choice),
      })),
      { label: strings.noAnswer, run: () => decide({ kind: "reject" }) },
    ],
    say,
  });
  const field = h("input", {
    ...{ type: "text", class: "field", dir: "auto", maxlength: String(maxAnswer) },
    ...{ "aria-label": strings.ownAnswer, placeholder: strings.ownAnswer },
  });
  const asked = h("p", { class: "words", dir: "auto", "data-read": "" }, text);
  const root = h("div", { class: "asks", role: "group", "aria-label": text }, asked, buttons, field);
  const composing = composingGuard(field);
  root.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (composing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    // A key that is held was meant for what was here before.
    if (event.repeat) return;
    const words = field.value.trim();
    const all = [...buttons.querySelectorAll("button")];
    const chosen = target === field ? undefined : choices.findIndex((_, at) => key === String(at + 1));
    if (chosen !== undefined && chosen >= 0) all[chosen]?.click();
    else if (key === "Enter" && target === field && words !== "") answer(words);
    else if (key === "Escape" && words !== "") field.value = "";
    else if (key === "Escape") all.at(-1)?.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return root;
}
