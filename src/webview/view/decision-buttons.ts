// Yes and no for what asks. They take a moment to arm, so that a click or a key meant for something else that was in
// this place an instant ago decides nothing (threats B7).
import { button, h, setAvailable, setText } from "../dom.ts";
import { words } from "../words.ts";
import { reasonBox } from "./reason-box.ts";

const arming = 500;

export interface Choice {
  readonly label: string;
  readonly primary?: boolean;
  run(): void;
}

export interface DecisionButtons {
  readonly root: HTMLElement;
  /** Says in other words what the button in this place does, and whether it can. */
  relabel(index: number, label: string, available: boolean): void;
}

/** `refuse`: takes a no that says why. */
export function decisionButtons(
  choices: readonly Choice[],
  refuse?: (reason: string) => void,
): DecisionButtons {
  let armed = false;
  const buttons = choices.map(({ label, primary = false, run }) => {
    const one = button(label, primary ? "primary" : "secondary", () => {
      if (armed && one.ariaDisabled !== "true") run();
    });
    return one;
  });
  const row = h("div", { class: "buttons", role: "group", "aria-label": words.needsApproval }, ...buttons);
  const root = h("div", {}, row);
  if (refuse !== undefined) {
    const reason = reasonBox(refuse);
    row.append(reason.button);
    root.append(reason.root);
  }
  setTimeout(() => {
    armed = true;
    root.dataset["armed"] = "";
  }, arming);
  return {
    root,
    relabel(index, label, available) {
      const one = buttons[index];
      if (one === undefined) return;
      setText(one, label);
      setAvailable(one, available);
    },
  };
}
