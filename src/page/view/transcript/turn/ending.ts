// How a turn ended, as a card with the actions it allows; there is none when the turn ended normally with a response.
import type { Problem, ProblemAction } from "../../../../conversation/problem.ts";
import { isExcludable, resendModeOf } from "../../../../conversation/reduce.ts";
import type { Turn } from "../../../../conversation/state.ts";
import type { Row } from "../../../elements/rows.ts";
import type { Post, RenderContext } from "../../../render-context.ts";
import { fill, strings } from "../../../words/strings.ts";
import { sizeText } from "../../composer/attachment-chips.ts";
import {
  actionLabels,
  type Card,
  type CardAction,
  card,
  cardWords,
  problemCard,
  problemWords,
} from "../problem-card.ts";

const maxNamed = 3;

/** The ending of a turn with the actions that are possible there. */
export interface EndingRow extends Row {
  readonly ending: Problem | Ending;
  readonly hint: string | undefined;
  readonly isExcludable: boolean;
  /** Its question can be tried in several ways. */
  readonly canTry: boolean;
  readonly isPrimary: boolean;
}

export function endingOf(turn: Turn, last: boolean, context: RenderContext): readonly EndingRow[] {
  const ending = turn.status === "running" ? undefined : (problemOf(turn) ?? endings(turn));
  if (ending === undefined) return [];
  const possible = "kind" in ending ? wayOutOf(ending, context) : ending.actions;
  const actions = possible.filter((action) => fits(action, last && !context.busy));
  return [
    {
      id: turn.id,
      // An earlier turn shows no countdown, because nothing can be done when it is over.
      ending: { ...ending, actions, ...(!last && { retryAt: undefined }) },
      hint: excludedWords(turn),
      // A running turn may continue this one, and its request has already been sent.
      isExcludable: isExcludable(turn) && !context.busy && !context.readOnly,
      canTry: last && turn.status === "failed" && turn.compacts !== true && context.canTry,
      isPrimary: last && context.primary === "turn",
    },
  ];
}

export function endingCard(
  { id, ending, hint, isExcludable, canTry, isPrimary }: EndingRow,
  post: Post,
): HTMLElement {
  const act = (action: ProblemAction) =>
    action === "retry" || action === "continue"
      ? post({ type: "act-on-turn", turn: id, action })
      : post({ type: "act", action });
  const exclude = () => post({ type: "act-on-turn", turn: id, action: "exclude" });
  const more: CardAction[] = [
    ...(canTry ? [{ label: strings.tryWays, run: () => post({ type: "try-turn", turn: id }) }] : []),
    ...(isExcludable ? [{ label: strings.exclude, run: exclude }] : []),
  ];
  if ("kind" in ending) return problemCard(ending, act, { more, hint, isPrimary });
  const own = ending.actions.map((action) => ({ label: actionLabels[action], run: () => act(action) }));
  return card({ ...ending.card, hint, isPrimary: isPrimary && own.length > 0, actions: [...own, ...more] });
}

/** Problems with the connection, which are solved there: then the only action left is to retry. */
const ofTheConnection: ReadonlySet<Problem["kind"]> = new Set([
  "auth",
  "no-key",
  "not-configured",
  "redirect",
]);

function wayOutOf({ kind, actions }: Problem, { trouble }: RenderContext): readonly ProblemAction[] {
  if (!ofTheConnection.has(kind)) return actions;
  return trouble === undefined ? ["retry"] : [...actions, "retry"];
}

/** Whether a failed turn left nothing behind and can be retried unchanged. */
export function asksAgain({ status, parts, problem }: Turn): boolean {
  if (status !== "failed" || problem === undefined) return false;
  const isAskable = problem.actions.includes("retry") || ofTheConnection.has(problem.kind);
  return isAskable && parts.every(({ type }) => type === "note");
}

/** The readable text of the card. */
export function endingWords(turn: Turn): readonly string[] {
  if (turn.status === "running") return [];
  const problem = problemOf(turn);
  const card = problem === undefined ? endings(turn)?.card : problemWords(problem);
  return card === undefined ? [] : cardWords({ ...card, hint: excludedWords(turn) ?? card.hint });
}

function problemOf(turn: Turn): Problem | undefined {
  if (turn.problem === undefined) return undefined;
  const detail = [turn.problem.detail, largestOf(turn), sendingWords(turn)]
    .filter((each) => each !== undefined)
    .join("\n");
  return { ...turn.problem, detail };
}

/** The visible confirmation of *Exclude from Context*. */
const excludedWords = (turn: Turn): string | undefined =>
  turn.excluded === true ? strings.excluded : undefined;

/** What the model is told about the turn in later requests. */
function sendingWords(turn: Turn): string | undefined {
  if (turn.excluded === true) return undefined;
  const how = resendModeOf(turn);
  if (how === "whole") return undefined;
  return how === "nothing"
    ? strings.notSentAgain
    : turn.status === "stopped"
      ? strings.toldStopped
      : strings.toldFailed;
}

const sending = (turn: Turn): readonly string[] => [sendingWords(turn) ?? ""];

/** Names the largest attachments when the service refused a request as too large (requirements M5). */
function largestOf({ problem, attachments }: Turn): string | undefined {
  const sent = attachments.filter(({ bytes }) => bytes > 0);
  if (problem?.kind !== "too-large" || sent.length === 0) return undefined;
  const largest = sent.toSorted((one, other) => other.bytes - one.bytes).slice(0, maxNamed);
  const items = largest.map(({ label, bytes }) => `${label} (${sizeText(bytes)})`).join(", ");
  return fill(strings.largestSent, { items });
}

/** An earlier turn cannot be continued: the turns after it would be lost. */
function fits(action: ProblemAction, again: boolean): boolean {
  return again || !["retry", "continue", "raise-limit"].includes(action);
}

interface Ending {
  readonly card: Omit<Card, "actions">;
  readonly actions: readonly ProblemAction[];
}

function endings(turn: Turn): Ending | undefined {
  switch (turn.status) {
    case "running":
      return undefined;
    case "done":
      if (turn.parts.some(({ type }) => type !== "note" && type !== "reasoning")) return undefined;
      return { card: { icon: "warning", message: strings.emptyAnswer }, actions: ["retry"] };
    case "stopped":
      return {
        card: {
          icon: "stop",
          message: strings.stopped,
          remark: strings.stoppedMeans,
          details: sending(turn),
        },
        actions: ["continue", "retry"],
      };
    // The turn's problem already says how the response was cut off.
    case "incomplete":
    case "interrupted":
      return {
        card: { icon: "warning", message: strings.interrupted, details: sending(turn) },
        actions: ["continue", "retry"],
      };
    case "failed":
      return {
        card: { icon: "error", message: strings.failedPlain, details: sending(turn) },
        actions: ["retry"],
      };
    default:
      turn.status satisfies never;
      return undefined;
  }
}
