// What can be done with a turn: always visible, one Tab stop, only what the host is able to do right now.
import type { TurnAction } from "../../bridge/protocol.ts";
import type { Ability } from "../../bridge/view-state.ts";
import { answerMarkdown } from "../../core/conversation/answer-markdown.ts";
import { visible } from "../../core/conversation/hidden-characters.ts";
import type { Turn } from "../../core/conversation/state.ts";
import { iconButton, setAvailable } from "../dom.ts";
import type { IconName } from "../icons.ts";
import { can, type Scene, type TurnCost, type TurnNeeds } from "../turn-context.ts";
import { lossInWords } from "../usage-text.ts";
import { words } from "../words.ts";
import { toolbar } from "./toolbar.ts";

export interface TurnActions {
  readonly root: HTMLElement;
  update(turn: Turn, last: boolean, scene: Scene): void;
  takeCost(cost: TurnCost): void;
}

export function turnActions({ post, say }: TurnNeeds, edit: () => void): TurnActions {
  const bar = toolbar(words.turnActions);
  let turn: Turn | undefined;

  const doing = (action: TurnAction) => () => {
    if (turn !== undefined) post({ type: "act-on-turn", turn: turn.id, action });
  };
  const make = (ability: Ability, label: string, icon: IconName, run: () => void) =>
    ({ ability, button: iconButton(label, icon, run) }) as const;
  const all = [
    make("copy", words.copyMessage, "copy", () => {
      if (turn === undefined) return;
      post({ type: "copy", text: visible(answerMarkdown(turn)) });
      say(words.copied);
    }),
    make("regenerate", words.regenerate, "refresh", doing("regenerate")),
    make("edit-turn", words.edit, "edit", edit),
    make("branch", words.branch, "branch", doing("branch")),
    make("inspect", words.inspect, "inspect", doing("inspect")),
  ];

  // Whoever comes near is about to go back: what that costs depends on the moment.
  for (const sign of ["pointerenter", "focusin"])
    bar.root.addEventListener(sign, () => {
      if (turn !== undefined && turn.status !== "running") post({ type: "cost", turn: turn.id });
    });

  return {
    root: bar.root,
    takeCost({ edit, branch, editPrice, branchPrice }) {
      const hints: Partial<Record<Ability, string>> = {
        "edit-turn": hint(words.edit, words.editCost, edit, editPrice),
        branch: hint(words.branch, words.branchCost, branch, branchPrice),
      };
      for (const { ability, button } of all) button.title = hints[ability] ?? button.title;
    },
    update(next, last, scene) {
      turn = next;
      const shown = all.filter(({ ability }) => can(scene, ability) && fits(ability, next, last));
      // Not hidden while another turn runs: the page would jump; not `disabled`: the focus would be lost.
      for (const { ability, button } of shown) setAvailable(button, !scene.busy || !changes.has(ability));
      bar.root.hidden = shown.length === 0;
      bar.show(shown.map(({ button }) => button));
    },
  };
}

const hint = (label: string, sentence: string, tokens: number, price?: string): string =>
  tokens === 0 ? label : `${label}\n${lossInWords(sentence, tokens, price)}`;

/** What makes or changes a turn has to wait for the one that runs. */
const changes: ReadonlySet<Ability> = new Set(["regenerate", "edit-turn", "branch"]);

function fits(ability: Ability, turn: Turn, last: boolean): boolean {
  switch (ability) {
    case "copy":
      return turn.parts.some(({ type }) => type === "text" || type === "refusal");
    case "regenerate":
      return last && turn.status !== "running";
    case "edit-turn":
      return !turn.continues && turn.status !== "running";
    default:
      return turn.status !== "running";
  }
}
