// The foot of a turn: progress while it runs, how it ended, usage and actions.
import type { TurnAction } from "../../../../bridge/protocol.ts";
import { answerMarkdown } from "../../../../conversation/reduce.ts";
import type { Turn } from "../../../../conversation/state.ts";
import { visible } from "../../../../util/hidden-characters.ts";
import { monotonicClocks } from "../../../../util/monotonic-clock.ts";
import { toolbar } from "../../../elements/controls.ts";
import { h, iconButton, setAvailable, setChildren, setText, setTitle } from "../../../elements/dom.ts";
import type { IconName } from "../../../elements/icons.ts";
import { rows } from "../../../elements/rows.ts";
import type { RenderContext, TurnCost, TurnDeps } from "../../../render-context.ts";
import { duration } from "../../../words/messages.ts";
import { strings } from "../../../words/strings.ts";
import { lossInWords, usageInShort, usageText } from "../../../words/usage-text.ts";
import { untilText } from "../problem-card.ts";
import { type EndingRow, endingCard, endingOf } from "./ending.ts";
import { turnProgress } from "./turn-progress.ts";

type Doing = "copy" | "edit" | "rewind" | TurnAction;

interface TurnActions {
  readonly root: HTMLElement;
  update(turn: Turn, last: boolean, context: RenderContext): void;
  takeCost(cost: TurnCost): void;
}

/** The actions of a turn: always visible, one Tab stop. */
function turnActions({ post, say }: TurnDeps, edit: () => void, rewind: () => void): TurnActions {
  const bar = toolbar(strings.turnActions);
  let turn: Turn | undefined;

  const ask = (action: TurnAction) => () => {
    if (turn !== undefined) post({ type: "act-on-turn", turn: turn.id, action });
  };
  const make = (doing: Doing, label: string, icon: IconName, run: () => void) =>
    ({ doing, button: iconButton(label, icon, run) }) as const;
  const all = [
    make("copy", strings.copyMessage, "copy", () => {
      if (turn === undefined) return;
      post({ type: "copy", text: visible(answerMarkdown(turn)) });
      say(strings.copied);
    }),
    make("regenerate", strings.regenerate, "refresh", ask("regenerate")),
    make("edit", strings.edit, "edit", edit),
    make("rewind", strings.rewind, "undo", rewind),
    make("branch", strings.branch, "branch", ask("branch")),
    make("inspect", strings.inspect, "inspect", ask("inspect")),
  ];

  // The pointer or focus is near: ask for the cost of rewinding now, because it changes over time.
  for (const sign of ["pointerenter", "focusin"])
    bar.root.addEventListener(sign, () => {
      if (turn !== undefined && turn.status !== "running") post({ type: "cost", turn: turn.id });
    });

  return {
    root: bar.root,
    takeCost({ edit, branch, editPrice, branchPrice }) {
      const hints: Partial<Record<Doing, string>> = {
        edit: hint(strings.edit, strings.editCost, edit, editPrice),
        branch: hint(strings.branch, strings.branchCost, branch, branchPrice),
      };
      for (const { doing, button } of all) button.title = hints[doing] ?? button.title;
    },
    update(next, last, context) {
      turn = next;
      const shown = all.filter(({ doing }) => fits(doing, next, last));
      // Not hidden while another turn runs, or the page would jump; not `disabled`, or the focus would be lost.
      for (const { doing, button } of shown) setAvailable(button, !context.busy || !changes.has(doing));
      bar.root.hidden = shown.length === 0;
      bar.show(shown.map(({ button }) => button));
    },
  };
}

const hint = (label: string, sentence: string, tokens: number, price?: string): string =>
  tokens === 0 ? label : `${label}\n${lossInWords(sentence, tokens, price)}`;

/** Actions that create or change a turn must wait for the running one. */
const changes: ReadonlySet<Doing> = new Set(["regenerate", "edit", "rewind", "branch"]);

function fits(doing: Doing, turn: Turn, last: boolean): boolean {
  switch (doing) {
    case "copy":
      return turn.parts.some(({ type }) => type === "text" || type === "refusal");
    case "regenerate":
      return last && turn.status !== "running";
    case "edit":
    case "rewind":
      return !turn.continues && turn.compacts !== true && turn.status !== "running";
    default:
      return turn.status !== "running";
  }
}

interface TurnFoot {
  readonly root: HTMLElement;
  update(turn: Turn, last: boolean, context: RenderContext): void;
  takeCost(cost: TurnCost): void;
  /** Called once a second: updates the elapsed time of a running turn and the waiting time of a failed one. */
  tick(): void;
}

/** A turn that is drawn again continues counting, even if the system clock was changed in the meantime. */
const nowIn = monotonicClocks();

export function turnFoot(deps: TurnDeps, edit: () => void, rewind: () => void): TurnFoot {
  const progress = turnProgress();
  const shortly = h("span", {});
  const figuresLabel = h("span", { class: "heard" });
  const usage = h("p", { class: "usage" }, shortly, figuresLabel);
  const ending = h("div", { class: "ending" });
  const drawEnding = rows<EndingRow>(ending, (row) => endingCard(row, deps.post));
  const actions = turnActions(deps, edit, rewind);
  const root = h("div", { class: "foot" });
  let turn: Turn | undefined;

  return {
    root,
    update(next, last, context) {
      turn = next;
      actions.update(next, last, context);
      drawEnding(endingOf(next, last, context));
      const running = next.status === "running";
      tick();
      if (!running) showUsage(next, context);
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

  /**
   * The model, the time and a summary of usage; the exact figures are in the tooltip and for screen readers. A failed
   * turn shows none.
   */
  function showUsage(ended: Turn, { models }: RenderContext): void {
    const { usage: rows, receipts, status, model } = ended;
    usage.hidden = status === "failed";
    const label = models.find(({ id }) => id === model)?.label ?? model;
    const took = modelTime(ended);
    const proof = receipts.length === 0 ? [] : [strings.receiptRecorded];
    const figures = [usageText(rows) ?? strings.usageMissing, ...proof].join("\n");
    setText(figuresLabel, figures);
    const inShort = usageInShort(rows);
    setText(
      shortly,
      [label, took === undefined ? undefined : duration(took), inShort]
        .filter((each) => each !== undefined)
        .join(" · "),
    );
    setTitle(usage, figures);
  }
}

/**
 * The total time of the requests; where it was not measured, the turn's duration if it cannot have waited for the user.
 */
function modelTime({ usage, parts, at, endedAt }: Turn): number | undefined {
  const known = usage.flatMap(({ milliseconds }) => milliseconds ?? []);
  if (known.length > 0) return known.reduce((sum, each) => sum + each, 0);
  const waits = parts.some(({ type }) => type === "tool" || type === "patch");
  return endedAt === undefined || waits ? undefined : endedAt - at;
}
