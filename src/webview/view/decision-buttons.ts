// Yes and no for what asks. They take a moment to arm, so that a click or a key meant for something else that was in
// this place an instant ago decides nothing (threats B7); until then they look it, and whoever presses one is told.
import { button, h, setAvailable, setText } from "../dom.ts";
import { words } from "../words.ts";
import { reasonBox } from "./reason-box.ts";

const arming = 500;

export interface Choice {
  readonly label: string;
  readonly primary?: boolean;
  run(): void;
}

export interface DecisionNeeds {
  readonly choices: readonly Choice[];
  /** Takes a no that says why. */
  readonly refuse?: ((reason: string) => void) | undefined;
  /** To people who do not see the page. */
  say(sentence: string): void;
}

export interface DecisionButtons {
  readonly root: HTMLElement;
  /** Says in other words what the button in this place does, and whether it can. */
  relabel(index: number, label: string, available: boolean): void;
}

export function decisionButtons({ choices, refuse, say }: DecisionNeeds): DecisionButtons {
  let armed = false;
  const buttons = choices.map(({ label, primary = false, run }) => {
    const one = button(label, primary ? "primary" : "secondary", () => {
      if (!armed) tellTooSoon();
      else if (one.ariaDisabled !== "true") run();
    });
    setAvailable(one, false);
    return one;
  });
  /** Buttons that can do nothing, armed or not. */
  const empty = new Set<number>();
  const row = h("div", { class: "buttons", role: "group", "aria-label": words.needsApproval }, ...buttons);
  const tooSoon = h("p", { class: "too-soon", hidden: "" }, words.tooSoon);
  const root = h("div", {}, row, tooSoon);
  if (refuse !== undefined) {
    const reason = reasonBox(refuse);
    row.append(reason.button);
    root.append(reason.root);
  }
  setTimeout(() => {
    armed = true;
    root.dataset["armed"] = "";
    for (const [index, one] of buttons.entries()) setAvailable(one, !empty.has(index));
  }, arming);
  return {
    root,
    relabel(index, label, available) {
      const one = buttons[index];
      if (one === undefined) return;
      if (available) empty.delete(index);
      else empty.add(index);
      setText(one, label);
      setAvailable(one, armed && available);
    },
  };

  function tellTooSoon(): void {
    tooSoon.hidden = false;
    say(words.tooSoon);
  }
}
