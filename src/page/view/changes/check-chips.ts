// The user's checks of the pending changes, one chip each: the result, and on click its output or another run. The
// result that says most about the proposal comes first. Shown above the composer, where checks can also be run and set up,
// and on the card of each pending patch.
import type { CheckState } from "../../../bridge/view-state.ts";
import { button, h, setTitle } from "../../elements/dom.ts";
import { rows } from "../../elements/rows.ts";
import { messageText } from "../../words/messages.ts";
import { fill, strings } from "../../words/strings.ts";

export type ActOnCheck = (check: string, action: "open" | "run") => void;

/** Labels for checks without a current result, which a click runs; others show their result. */
const invitations: Partial<Record<CheckState["state"], string>> = {
  running: strings.checkRuns,
  waiting: strings.runCheck,
  stale: strings.runCheckAgain,
  offered: strings.proveEdits,
};

/** The check has no result, and the user can do something about that. */
const isWithoutResult = ({ state, why }: CheckState): boolean =>
  state === "unavailable" || (state === "could-not-compare" && why?.code !== "checkNoBaseline");

function labelOf(check: CheckState): string {
  const { name, state, said, why } = check;
  const invitation = invitations[state];
  if (invitation !== undefined) return fill(invitation, { name });
  const what = messageText(said);
  return isWithoutResult(check) && why !== undefined
    ? fill(strings.because, { what, why: messageText(why) })
    : what;
}

const actionOf = ({ state }: CheckState): "open" | "run" =>
  state === "stale" || state === "waiting" || state === "offered" ? "run" : "open";

interface CheckChipsDeps {
  readonly act: ActOnCheck;
  /** Announces the results to screen readers; passed in one place only. */
  readonly say?: (sentence: string) => void;
  /** Offered once, beside the last check without a result. */
  readonly setUp?: () => void;
}

interface Chip extends CheckState {
  readonly offersSetUp: boolean;
}

export function checkChips({ act, say, setUp }: CheckChipsDeps) {
  const root = h("div", { class: "checks", role: "group", "aria-label": strings.checks });
  const draw = rows<Chip>(root, (check) => {
    const { id, state, found, why, isRepaired } = check;
    const label = labelOf(check);
    const chip = button(label, "check", () => act(id, actionOf(check)));
    chip.dataset["state"] = isRepaired === true ? "repaired" : state;
    setTitle(chip, [label, ...(why === undefined ? [] : [messageText(why)]), ...found].join("\n"));
    if (setUp === undefined || !check.offersSetUp) return chip;
    return h("div", { class: "no-result" }, chip, button(strings.setUpChecks, "link", setUp));
  });
  return {
    root,
    update(checks: readonly CheckState[]): void {
      const last = checks.findLastIndex(isWithoutResult);
      const chips = checks.map((check, at) => ({ ...check, offersSetUp: at === last }));
      const isSettled = checks.length > 0 && checks.every(({ state }) => state !== "running");
      if (draw(chips) && isSettled) say?.([strings.checks, ...checks.map(labelOf)].join(", "));
    },
  };
}
