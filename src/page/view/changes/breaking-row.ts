// Which of the pending changes break a check: offered beside a red result, shown as it runs, and what was found, with two
// ways on: accept what passes, send the rest back to the model.
import type { BreakingAction } from "../../../bridge/protocol.ts";
import type { BreakingSearch } from "../../../bridge/view-state.ts";
import { message } from "../../../conversation/messages.ts";
import { button, h, setTitle } from "../../elements/dom.ts";
import { type Row, rows } from "../../elements/rows.ts";
import { messageText } from "../../words/messages.ts";
import { exact } from "../../words/numbers-and-times.ts";
import { fill, strings } from "../../words/strings.ts";
import { decisionButtons } from "./decision-buttons.ts";

/** `shown` identifies what the user saw. */
export type ActOnBreaking = (action: BreakingAction, shown: number) => void;

interface BreakingRowDeps {
  readonly act: ActOnBreaking;
  openFile(path: string, line?: number): void;
  /** Announces a sentence to screen readers. */
  say(sentence: string): void;
}

interface Deciding extends Pick<BreakingSearch, "passing" | "rest" | "shown">, Row {
  readonly isPrimary: boolean;
}

export function breakingRow({ act, openFile, say }: BreakingRowDeps) {
  const about = h("div", { class: "checks" });
  const buttons = h("div");
  const root = h(
    "div",
    { class: "breaking", role: "group", "aria-label": strings.whatBreaks },
    about,
    buttons,
  );
  const drawAbout = rows<BreakingSearch & Row>(about, (search) => {
    const { said, isRunning, canFind, rest, places, shown } = search;
    const [first] = places;
    const what = said === undefined ? "" : messageText(said);
    const find = button(messageText(message("breakingFind")), "link", () => act("find", shown));
    setTitle(find, strings.findWhatBreaksMeans);
    const sentence =
      first === undefined
        ? h("span", isRunning ? { class: "progress" } : {}, what)
        : button(what, "check", () => openFile(first.path, first.line));
    if (rest !== undefined) sentence.dataset["state"] = "new-findings";
    return h(
      "div",
      { class: "no-result" },
      ...(what === "" ? [] : [sentence]),
      ...(isRunning ? [button(strings.stopFinding, "link", () => act("stop", shown))] : []),
      ...(canFind ? [find] : []),
    );
  });
  const drawButtons = rows<Deciding>(buttons, ({ passing, rest = 0, shown, isPrimary }, before) => {
    const accept = {
      label: fill(strings.acceptPassing, { count: exact(passing ?? 0) }),
      primary: isPrimary,
      run: () => act("accept", shown),
    };
    const send = {
      label: fill(strings.sendBack, { count: exact(rest) }),
      run: () => act("send-back", shown),
    };
    const choices = [...(passing === undefined ? [] : [accept]), send];
    return decisionButtons({ label: strings.whatBreaks, choices, isToolbar: true, before, say });
  });
  let last: string | undefined;
  return {
    root,
    update(search: BreakingSearch | undefined, isPrimary: boolean): void {
      root.hidden = search === undefined;
      drawAbout(search === undefined ? [] : [{ ...search, id: search.isRunning ? "running" : "rest" }]);
      const isFound = search?.rest !== undefined;
      drawButtons(isFound ? [{ id: "found", ...search, isPrimary }] : []);
      announce(search);
    },
  };

  /** The beginning and the end are announced; each run would interrupt too often. */
  function announce(search: BreakingSearch | undefined): void {
    const said = search?.said === undefined ? undefined : messageText(search.said);
    const now = search?.isRunning === true ? strings.whatBreaks : said;
    if (now === last) return;
    last = now;
    if (said !== undefined) say(said);
  }
}
