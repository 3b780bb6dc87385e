// The bar above the composer with the pending changes of the conversation: how many there are, and actions on all of
// them. It is the only place in the page where changes are decided. It blocks nothing: questions can be sent meanwhile.
import type { ChangesAction, RemarksAction } from "../../../bridge/protocol.ts";
import type { ViewState, WaitingChanges } from "../../../bridge/view-state.ts";
import { remarksSend, remarksUnsent } from "../../../conversation/messages.ts";
import { button, h } from "../../elements/dom.ts";
import { icon } from "../../elements/icons.ts";
import { type Row, rows } from "../../elements/rows.ts";
import { messageText } from "../../words/messages.ts";
import { exact } from "../../words/numbers-and-times.ts";
import { fill, plural, strings } from "../../words/strings.ts";
import { type ActOnBreaking, breakingRow } from "./breaking-row.ts";
import { type ActOnCheck, checkChips } from "./check-chips.ts";
import { decisionButtons } from "./decision-buttons.ts";
import { changedLines } from "./diff-view.ts";

interface ChangesBar {
  readonly root: HTMLElement;
  /** `isPrimary`: the primary button of the page is here. */
  update(
    viewState: Pick<ViewState, "breaking" | "changes" | "checks" | "readOnly" | "remarks">,
    isPrimary: boolean,
  ): void;
}

interface ChangesBarDeps {
  /** `shown` identifies what the user saw when deciding; `reason` says why it is rejected. */
  act(action: ChangesAction, shown: number, reason?: string): void;
  actOnCheck: ActOnCheck;
  actOnBreaking: ActOnBreaking;
  actOnRemarks(action: RemarksAction): void;
  openFile(path: string, line?: number): void;
  setUpChecks(): void;
  /** Announces a sentence to screen readers. */
  say(sentence: string): void;
}

interface Deciding extends Pick<WaitingChanges, "shown" | "hunks" | "conflicts">, Row {
  /** The pending changes break a check that passes without them. */
  readonly breaks: boolean;
  readonly isPrimary: boolean;
}

interface Remarks extends Row {
  readonly count: number;
}

export function changesBar({
  act,
  actOnCheck,
  actOnBreaking,
  actOnRemarks,
  openFile,
  setUpChecks,
  say,
}: ChangesBarDeps): ChangesBar {
  const about = h("div");
  const buttons = h("div");
  const remarks = h("div");
  const checks = checkChips({ act: actOnCheck, say, setUp: setUpChecks });
  const breaking = breakingRow({ act: actOnBreaking, openFile, say });
  const parts = [about, checks.root, breaking.root, buttons, remarks];
  const root = h("section", { class: "changes", "aria-label": strings.changes }, ...parts);
  const drawAbout = rows<WaitingChanges & Row>(about, ({ files, added, removed, ...more }, before) => {
    const count = plural(files, strings.oneFile, strings.files);
    const stuck =
      more.conflicts === 0 ? [] : [plural(more.conflicts, strings.oneConflict, strings.conflicts)];
    const notes = [...stuck, ...more.risks.map(messageText)];
    if (before === undefined) {
      const lines = fill(strings.linesChanged, { added: exact(added), removed: exact(removed) });
      say([strings.changes, count, lines, ...notes].join(", "));
    }
    return h(
      "p",
      { class: "fate" },
      icon("diff"),
      h("span", {}, count),
      ...changedLines({ added, removed }),
      ...notes.map((note) => h("span", {}, note)),
    );
  });
  // The buttons are recreated with the changes they decide about: an old button could decide about changes that nobody
  // has seen.
  const drawButtons = rows<Deciding>(buttons, (deciding, before) => {
    const { shown, hunks, conflicts, breaks, isPrimary } = deciding;
    const isOne = hunks + conflicts === 1;
    const accept = breaks ? strings.acceptAnyway : isOne ? strings.accept : strings.acceptAll;
    const choice = (label: string, action: ChangesAction, primary = false) => ({
      label,
      primary,
      run: () => act(action, shown),
    });
    const choices = [
      ...(hunks > 0 ? [choice(accept, "accept-all", isPrimary && !breaks)] : []),
      choice(isOne ? strings.reject : strings.rejectAll, "reject-all"),
      choice(strings.review, "review"),
    ];
    const refuse = (reason: string) => act("reject-all", shown, reason);
    return decisionButtons({ label: strings.changes, choices, isToolbar: true, refuse, before, say });
  });
  let known: number | undefined;
  const drawRemarks = rows<Remarks>(remarks, ({ count }) =>
    h(
      "p",
      { class: "fate" },
      icon("comment"),
      button(messageText(remarksUnsent(count)), "link", () => actOnRemarks("list")),
      button(messageText(remarksSend(count)), "link", () => actOnRemarks("send")),
    ),
  );
  return {
    root,
    update({ changes, checks: results, breaking: search, readOnly, remarks: count = 0 }, isPrimary) {
      const waiting = readOnly || changes === undefined ? [] : [changes];
      const remarked = readOnly || count === 0 ? [] : [{ id: "remarks", count }];
      // Remarks can outlast the changes that they are about.
      root.hidden = waiting.length + remarked.length === 0;
      drawRemarks(remarked);
      // What a person has just written is announced, not what waits when the page is opened.
      if (known !== undefined && count > known) say(messageText(remarksUnsent(count)));
      known = count;
      checks.update(waiting.length === 0 ? [] : results);
      breaking.update(waiting.length === 0 ? undefined : search, isPrimary);
      // Only a changed number of decisions is announced.
      drawAbout(waiting.map((each) => ({ ...each, id: `${each.hunks} ${each.conflicts}` })));
      const breaks = results.some(({ state }) => state === "new-findings");
      drawButtons(
        waiting.map(({ shown, hunks, conflicts }) => {
          return { id: "all", shown, hunks, conflicts, breaks, isPrimary };
        }),
      );
    },
  };
}
