// Yes and no for what asks. They take a moment to arm, so that a click or a key meant for something else that was in
// this place an instant ago decides nothing (threats B7); until then they look it, and whoever presses one is told.
import { button, h, setAvailable } from "../dom.ts";
import { words } from "../words.ts";
import { reasonBox } from "./reason-box.ts";
import { toolbar } from "./toolbar.ts";

const arming = 500;

export interface Choice {
  readonly label: string;
  readonly primary?: boolean;
  run(): void;
}

export interface DecisionDeps {
  /** What they decide about, for those who listen. */
  readonly label: string;
  readonly choices: readonly Choice[];
  /** They stay while much else happens: one stop for the Tab key. */
  readonly isToolbar?: boolean;
  /** Takes a no that says why. */
  readonly refuse?: ((reason: string) => void) | undefined;
  /** What they take the place of. */
  readonly before?: HTMLElement | undefined;
  /** To people who do not see the page. */
  say(sentence: string): void;
}

export function decisionButtons({
  label: name,
  choices,
  isToolbar = false,
  refuse,
  before,
  say,
}: DecisionDeps): HTMLElement {
  let armed = false;
  const buttons = choices.map(({ label, primary = false, run }) => {
    const one = button(label, primary ? "primary" : "secondary", () => {
      if (armed) run();
      else tellTooSoon();
    });
    setAvailable(one, false);
    return one;
  });
  const row = isToolbar
    ? bar()
    : h("div", { class: "buttons", role: "group", "aria-label": name }, ...buttons);
  const tooSoon = h("p", { class: "too-soon", hidden: "" }, words.tooSoon);
  const root = h("div", {}, row, tooSoon);
  if (refuse !== undefined) {
    const reason = reasonBox(refuse, before);
    row.append(reason.button);
    root.append(reason.root);
  }
  setTimeout(() => {
    armed = true;
    root.dataset["armed"] = "";
    for (const one of buttons) setAvailable(one, true);
  }, arming);
  return root;

  function bar(): HTMLElement {
    const { root, show } = toolbar(name, "buttons");
    show(buttons);
    return root;
  }

  function tellTooSoon(): void {
    tooSoon.hidden = false;
    say(words.tooSoon);
  }
}
