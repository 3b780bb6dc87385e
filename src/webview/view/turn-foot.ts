// The end of a turn: what is happening while it runs, how it ended, what it used, what can be done with it.

import { asking } from "../../core/conversation/asking.ts";
import { monotonicClocks } from "../../core/conversation/monotonic-clock.ts";
import type { Turn } from "../../core/conversation/state.ts";
import { h, setChildren, setText } from "../dom.ts";
import { wordsOf } from "../messages.ts";
import type { Scene, TurnCost, TurnNeeds } from "../turn-context.ts";
import { usageText } from "../usage-text.ts";
import { duration, fill, words } from "../words.ts";
import { endingCard } from "./ending.ts";
import { untilText } from "./problem-card.ts";
import { turnActions } from "./turn-actions.ts";

export interface TurnFoot {
  readonly root: HTMLElement;
  update(turn: Turn, last: boolean, scene: Scene): void;
  takeCost(cost: TurnCost): void;
  /** Once a second: a turn that runs says how long, one that failed how long it has to wait. */
  tick(): void;
}

/** A turn that is drawn anew goes on counting, whatever the machine's clock was set to meanwhile. */
const nowIn = monotonicClocks();

export function turnFoot(needs: TurnNeeds, edit: () => void): TurnFoot {
  const progress = h("p", { class: "progress" });
  const usage = h("p", { class: "usage" });
  const ending = h("div", { class: "ending" });
  const actions = turnActions(needs, edit);
  const root = h("div", { class: "foot" });
  let turn: Turn | undefined;
  let drawn: { status: Turn["status"]; excluded: boolean; last: boolean; scene: Scene } | undefined;

  return {
    root,
    update(next, last, scene) {
      turn = next;
      actions.update(next, last, scene);
      const { status, excluded = false } = next;
      const isSame = drawn?.status === status && drawn.excluded === excluded && drawn.last === last;
      if (!isSame || drawn?.scene !== scene) {
        const card = endingCard(next, last, scene, needs);
        setChildren(ending, card === undefined ? [] : [card]);
        drawn = { status, excluded, last, scene };
      }
      const running = status === "running";
      tick();
      if (!running) showUsage(next);
      setChildren(root, running ? [progress, actions.root] : [ending, usage, actions.root]);
    },
    takeCost: actions.takeCost,
    tick,
  };

  function tick(): void {
    if (turn === undefined) return;
    if (turn.status === "running") setText(progress, progressText(turn, nowIn(turn.id)));
    for (const hint of ending.querySelectorAll<HTMLElement>("[data-until]"))
      setText(hint, untilText(Number(hint.dataset["until"]), nowIn(turn.id)));
  }

  function showUsage({ usage: rows, receipts, at, endedAt, status }: Turn): void {
    const text = usageText(rows);
    const took = endedAt === undefined ? [] : [duration(endedAt - at)];
    // What failed before it was sent used nothing; of everything else something was asked.
    const missing = status !== "failed" || rows.length > 0 ? [words.usageMissing] : [];
    const proof = receipts.length === 0 ? [] : [words.receipt];
    const pieces = [...(text === undefined ? missing : [text.short]), ...took, ...proof];
    setText(usage, pieces.join(" · "));
    const hints = [text?.exact ?? "", proof.length === 0 ? "" : words.receiptRecorded];
    usage.title = hints.filter((hint) => hint !== "").join("\n");
    usage.hidden = pieces.length === 0;
  }
}

function progressText(turn: Turn, now: number): string {
  const { at, waiting } = turn;
  if (asking(turn).length > 0) return words.needsApproval;
  if (waiting !== undefined) {
    const left = Math.max(1000, waiting.until - now);
    return fill(words.waiting, {
      reason: wordsOf(waiting.reason),
      duration: duration(left),
    });
  }
  const passed = now - at;
  // The first seconds are not worth a number.
  return passed < 3000 ? words.working : fill(words.workingFor, { duration: duration(passed) });
}
