// What waits for a decision in this conversation, above the box: how much, and what can be done with all of it. Nothing
// waits for it; a question goes out meanwhile.
import type { ChangesAction } from "../../bridge/protocol.ts";
import type { ViewState, WaitingChanges } from "../../bridge/view-state.ts";
import { h, setChildren } from "../dom.ts";
import { icon } from "../icons.ts";
import { wordsOf } from "../messages.ts";
import { exact, fill, plural, words } from "../words.ts";
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
  const text = h("p", { class: "fate" });
  const buttons = h("div", {});
  const checks = checkChips(actOnCheck, say);
  const root = h(
    "section",
    { class: "changes", "aria-label": words.changes, hidden: "" },
    text,
    checks.root,
    buttons,
  );
  let shown: WaitingChanges | undefined;
  /** Buttons for what is not there any more could decide about something that nobody has seen. */
  let armedFor = -1;
  return {
    root,
    update({ changes, checks: results, readOnly }) {
      checks.update(readOnly || changes === undefined ? [] : results);
      const next = readOnly ? undefined : changes;
      if (JSON.stringify(next) === JSON.stringify(shown)) return;
      const isNew = next?.hunks !== shown?.hunks || next?.conflicts !== shown?.conflicts;
      shown = next;
      root.hidden = next === undefined;
      if (next === undefined) return;
      const { files, added, removed, conflicts, risks } = next;
      const count = plural(files, words.oneFile, words.files);
      const stuck = conflicts === 0 ? [] : [plural(conflicts, words.oneConflict, words.conflicts)];
      const flags = risks.map(wordsOf);
      setChildren(text, [
        icon("diff"),
        h("span", {}, count),
        changedLines({ added, removed }),
        ...[...stuck, ...flags].map((text) => h("span", {}, text)),
      ]);
      if (isNew) {
        const lines = fill(words.linesChanged, { added: exact(added), removed: exact(removed) });
        say([words.changes, count, lines, ...stuck, ...flags].join(", "));
      }
      if (armedFor === next.shown) return;
      armedFor = next.shown;
      const choice = (label: string, action: ChangesAction, primary = false) => ({
        label,
        primary,
        run: () => shown && act(action, shown.shown),
      });
      const choices = [
        ...(next.hunks > 0 ? [choice(words.acceptAll, "accept-all", true)] : []),
        choice(words.review, "review"),
        choice(words.rejectAll, "reject-all"),
      ];
      const hadFocus = [...buttons.querySelectorAll("button")].findIndex((one) => one.matches(":focus"));
      const view = decisionButtons({ label: words.changes, choices, isToolbar: true, say });
      setChildren(buttons, [view]);
      if (hadFocus >= 0) view.querySelectorAll("button")[hadFocus]?.focus();
    },
  };
}
