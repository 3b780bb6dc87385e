// The end of a turn: its progress while it runs, how it ended, what it used, what can be done with it.

import { monotonicClocks } from "../../core/conversation/monotonic-clock.ts";
import type { Turn } from "../../core/conversation/state.ts";
import { h, setChildren, setText, setTitle } from "../dom.ts";
import { duration } from "../duration.ts";
import { rows } from "../rows.ts";
import type { Scene, TurnCost, TurnDeps } from "../turn-context.ts";
import { usageText } from "../usage-text.ts";
import { words } from "../words.ts";
import { type EndingRow, endingCard, endingOf } from "./ending.ts";
import { untilText } from "./problem-card.ts";
import { turnActions } from "./turn-actions.ts";
import { turnProgress } from "./turn-progress.ts";

export interface TurnFoot {
  readonly root: HTMLElement;
  update(turn: Turn, last: boolean, scene: Scene): void;
  takeCost(cost: TurnCost): void;
  /** Once a second: a turn that runs says how long, one that failed how long it has to wait. */
  tick(): void;
}

/** A turn that is drawn again goes on counting, whatever the machine's clock was set to meanwhile. */
const nowIn = monotonicClocks();

export function turnFoot(deps: TurnDeps, edit: () => void): TurnFoot {
  const progress = turnProgress();
  const shortly = h("span", {});
  const figuresLabel = h("span", { class: "heard" });
  const usage = h("p", { class: "usage" }, shortly, figuresLabel);
  const ending = h("div", { class: "ending" });
  const drawEnding = rows<EndingRow>(ending, (row) => endingCard(row, deps.post));
  const actions = turnActions(deps, edit);
  const root = h("div", { class: "foot" });
  let turn: Turn | undefined;

  return {
    root,
    update(next, last, scene) {
      turn = next;
      actions.update(next, last, scene);
      drawEnding(endingOf(next, last, scene));
      const running = next.status === "running";
      tick();
      if (!running) showUsage(next, scene);
      setChildren(root, running ? [progress.root, actions.root] : [ending, usage, actions.root]);
    },
    takeCost: actions.takeCost,
    tick,
  };

  function tick(): void {
    if (turn === undefined) return;
    if (turn.status === "running") progress.update(turn, nowIn(turn.id));
    for (const hint of ending.querySelectorAll<HTMLElement>("[data-until]"))
      setText(hint, untilText(Number(hint.dataset["until"]), nowIn(turn.id)));
  }

  /** Who answered, and how long that took; the figures are for those who hover or listen. What failed claims nothing. */
  function showUsage(ended: Turn, { models }: Scene): void {
    const { usage: rows, receipts, status, model } = ended;
    usage.hidden = status === "failed";
    const label = models.find(({ id }) => id === model)?.label ?? model;
    const took = modelTime(ended);
    const proof = receipts.length === 0 ? [] : [words.receiptRecorded];
    const figures = [usageText(rows) ?? words.usageMissing, ...proof].join("\n");
    setText(figuresLabel, figures);
    setText(shortly, [label, ...(took === undefined ? [] : [duration(took)])].join(" · "));
    setTitle(usage, figures);
  }
}

/** What its requests took; where nobody measured that, only of a turn that cannot have waited for a person. */
function modelTime({ usage, parts, at, endedAt }: Turn): number | undefined {
  const known = usage.flatMap(({ milliseconds }) => milliseconds ?? []);
  if (known.length > 0) return known.reduce((sum, each) => sum + each, 0);
  const waits = parts.some(({ type }) => type === "tool" || type === "patch");
  return endedAt === undefined || waits ? undefined : endedAt - at;
}
