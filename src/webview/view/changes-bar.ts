// What waits for a decision in this conversation, above the box: how much, and what can be done with all of it. Nothing
// waits for it; a question goes out meanwhile.
import type { ChangesAction } from "../../bridge/protocol.ts";
import type { ViewState, WaitingChanges } from "../../bridge/view-state.ts";
import { h } from "../dom.ts";
import { icon } from "../icons.ts";
import { wordsOf } from "../messages.ts";
import { exact } from "../numbers-and-times.ts";
import { type Row, rows } from "../rows.ts";
import { fill, plural, words } from "../words.ts";
import { changedLines } from "./changed-lines.ts";
import { type ActOnCheck, checkChips } from "./check-chips.ts";
import { decisionButtons } from "./decision-buttons.ts";

export interface ChangesBar {
  readonly root: HTMLElement;
  update(viewState: Pick<ViewState, "changes" | "checks" | "readOnly">): void;
}

export interface ChangesBarDeps {
  /** With what the person had before them. */
  act(action: ChangesAction, shown: number): void;
  actOnCheck: ActOnCheck;
  /** To people who do not see the page. */
  say(sentence: string): void;
}

export function changesBar({ act, actOnCheck, say }: ChangesBarDeps): ChangesBar {
  const about = h("div");
  const buttons = h("div");
  const checks = checkChips(actOnCheck, say);
  const root = h("section", { class: "changes", "aria-label": words.changes }, about, checks.root, buttons);
  const drawAbout = rows<WaitingChanges & Row>(about, ({ files, added, removed, ...more }, before) => {
    const count = plural(files, words.oneFile, words.files);
    const stuck = more.conflicts === 0 ? [] : [plural(more.conflicts, words.oneConflict, words.conflicts)];
    const notes = [...stuck, ...more.risks.map(wordsOf)];
    if (before === undefined) {
      const lines = fill(words.linesChanged, { added: exact(added), removed: exact(removed) });
      say([words.changes, count, lines, ...notes].join(", "));
    }
    return h(
      "p",
      { class: "fate" },
      icon("diff"),
      h("span", {}, count),
      changedLines({ added, removed }),
      ...notes.map((note) => h("span", {}, note)),
    );
  });
  // They are made anew with what they decide about: the old ones could decide about something that nobody has seen.
  const drawButtons = rows<Pick<WaitingChanges, "shown" | "hunks"> & Row>(buttons, ({ shown, hunks }) => {
    const choice = (label: string, action: ChangesAction, primary = false) => ({
      label,
      primary,
      run: () => act(action, shown),
    });
    const choices = [
      ...(hunks > 0 ? [choice(words.acceptAll, "accept-all", true)] : []),
      choice(words.review, "review"),
      choice(words.rejectAll, "reject-all"),
    ];
    return decisionButtons({ label: words.changes, choices, isToolbar: true, say });
  });
  return {
    root,
    update({ changes, checks: results, readOnly }) {
      const waiting = readOnly || changes === undefined ? [] : [changes];
      root.hidden = waiting.length === 0;
      checks.update(waiting.length === 0 ? [] : results);
      // News is what there is more or less to decide.
      drawAbout(waiting.map((each) => ({ ...each, id: `${each.hunks} ${each.conflicts}` })));
      drawButtons(waiting.map(({ shown, hunks }) => ({ id: "all", shown, hunks })));
    },
  };
}
