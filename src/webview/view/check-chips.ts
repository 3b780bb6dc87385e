// The person's checks on what waits, one chip each: how it went, and with a click what it has written, or the check once more.
// Above the box, and on the card of each patch that waits.
import type { CheckState } from "../../bridge/view-state.ts";
import { button, h, setTitle } from "../dom.ts";
import { wordsOfAll } from "../messages.ts";
import { exact, tenths } from "../numbers-and-times.ts";
import { rows } from "../rows.ts";
import { fill, words } from "../words.ts";

export type ActOnCheck = (check: string, action: "open" | "run") => void;

const sentences: Readonly<Record<CheckState["state"], string>> = {
  running: words.checkRunning,
  passed: words.checkPassed,
  "no-new": words.checkNoNew,
  "new-findings": words.checkNew,
  "could-not-compare": words.checkNot,
  stale: words.checkStale,
  waiting: words.checkWaiting,
  unavailable: words.checkUnavailable,
};

const labelOf = ({ state, name, seconds = 0, found }: CheckState): string =>
  fill(sentences[state], { name, seconds: tenths(seconds), count: exact(found) });

/** What has a result shows it; what has none yet, or none any more, is run. */
const actionOf = ({ state }: CheckState): "open" | "run" =>
  state === "stale" || state === "waiting" ? "run" : "open";

/** `say`: what has come of them, to people who do not see the page; said in one place. */
export function checkChips(act: ActOnCheck, say?: (sentence: string) => void) {
  const root = h("div", { class: "checks", role: "group", "aria-label": words.checks });
  const draw = rows<CheckState>(root, (check) => {
    const chip = button(labelOf(check), "check", () => act(check.id, actionOf(check)));
    chip.dataset["state"] = check.state;
    setTitle(chip, check.why === undefined ? labelOf(check) : wordsOfAll([check.why]));
    return chip;
  });
  return {
    root,
    update(checks: readonly CheckState[]): void {
      const isSettled = checks.length > 0 && checks.every(({ state }) => state !== "running");
      if (draw(checks) && isSettled) say?.([words.checks, ...checks.map(labelOf)].join(", "));
    },
  };
}
