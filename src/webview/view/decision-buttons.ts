// Yes and no for what asks. They take a moment to arm, so that a click or a key meant for something else that was in
// this place an instant ago decides nothing (threats B7).
import { button, h } from "../dom.ts";
import { words } from "../words.ts";

const arming = 500;

export interface Choice {
  readonly label: string;
  readonly primary?: boolean;
  run(): void;
}

export function decisionButtons(choices: readonly Choice[]): HTMLElement {
  let armed = false;
  const buttons = choices.map(({ label, primary = false, run }) =>
    button(label, primary ? "primary" : "secondary", () => {
      if (armed) run();
    }),
  );
  const root = h("div", { class: "buttons", role: "group", "aria-label": words.needsApproval }, ...buttons);
  setTimeout(() => {
    armed = true;
    root.dataset["armed"] = "";
  }, arming);
  return root;
}
