// What can be done with a turn: always visible, one Tab stop.
import type { TurnAction } from "../../bridge/protocol.ts";
import { answerMarkdown } from "../../core/conversation/answer-markdown.ts";
import { visible } from "../../core/conversation/hidden-characters.ts";
import type { Turn } from "../../core/conversation/state.ts";
import { iconButton, setAvailable } from "../dom.ts";
import type { IconName } from "../icons.ts";
import type { Scene, TurnCost, TurnDeps } from "../turn-context.ts";
import { lossInWords } from "../usage-text.ts";
import { words } from "../words.ts";
import { toolbar } from "./toolbar.ts";

type Doing = "copy" | "edit" | TurnAction;

export interface TurnActions {
  readonly root: HTMLElement;
  update(turn: Turn, last: boolean, scene: Scene): void;
  takeCost(cost: TurnCost): void;
}

export function turnActions({ post, say }: TurnDeps, edit: () => void): TurnActions {
  const bar = toolbar(words.turnActions);
  let turn: Turn | undefined;

  const ask = (action: TurnAction) => () => {
    if (turn !== undefined) post({ type: "act-on-turn", turn: turn.id, action });
  };
  const make = (doing: Doing, label: string, icon: IconName, run: () => void) =>
    ({ doing, button: iconButton(label, icon, run) }) as const;
  const all = [
    make("copy", words.copyMessage, "copy", () => {
      if (turn === undefined) return;
      post({ type: "copy", text: visible(answerMarkdown(turn)) });
      say(words.copied);
    }),
    make("regenerate", words.regenerate, "refresh", ask("regenerate")),
    make("edit", words.edit, "edit", edit),
    make("branch", words.branch, "branch", ask("branch")),
    make("inspect", words.inspect, "inspect", ask("inspect")),
  ];

  // Whoever comes near is about to go back: what that costs depends on the moment.
  for (const sign of ["pointerenter", "focusin"])
    bar.root.addEventListener(sign, () => {
      if (turn !== undefined && turn.status !== "running") post({ type: "cost", turn: turn.id });
    });

  return {
    root: bar.root,
    takeCost({ edit, branch, editPrice, branchPrice }) {
      const hints: Partial<Record<Doing, string>> = {
        edit: hint(words.edit, words.editCost, edit, editPrice),
        branch: hint(words.branch, words.branchCost, branch, branchPrice),
      };
      for (const { doing, button } of all) button.title = hints[doing] ?? button.title;
    },
    update(next, last, scene) {
      turn = next;
      const shown = all.filter(({ doing }) => fits(doing, next, last));
      // Not hidden while another turn runs: the page would jump; not `disabled`: the focus would be lost.
      for (const { doing, button } of shown) setAvailable(button, !scene.busy || !changes.has(doing));
      bar.root.hidden = shown.length === 0;
      bar.show(shown.map(({ button }) => button));
    },
  };
}

const hint = (label: string, sentence: string, tokens: number, price?: string): string =>
  tokens === 0 ? label : `${label}\n${lossInWords(sentence, tokens, price)}`;

/** What makes or changes a turn has to wait for the one that runs. */
const changes: ReadonlySet<Doing> = new Set(["regenerate", "edit", "branch"]);

function fits(doing: Doing, turn: Turn, last: boolean): boolean {
  switch (doing) {
    case "copy":
      return turn.parts.some(({ type }) => type === "text" || type === "refusal");
    case "regenerate":
      return last && turn.status !== "running";
    case "edit":
      return !turn.continues && turn.compacts !== true && turn.status !== "running";
    default:
      return turn.status !== "running";
  }
}
