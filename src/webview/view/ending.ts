// How a turn ended, as a card with what can be done about it; nothing when it ended well and said something.
import type { Problem, ProblemAction } from "../../core/conversation/problem.ts";
import { isExcludable, sentAgain } from "../../core/conversation/sent-again.ts";
import type { Turn } from "../../core/conversation/state.ts";
import type { Row } from "../rows.ts";
import type { Post, Scene } from "../turn-context.ts";
import { fill, words } from "../words.ts";
import { sizeText } from "./attachment-chips.ts";
import {
  actionLabels,
  type Card,
  type CardAction,
  card,
  cardWords,
  problemCard,
  problemWords,
} from "./problem-card.ts";

const maxNamed = 3;

/** What an ended turn has to say, with what can be done about it where it stands. */
export interface EndingRow extends Row {
  readonly ending: Problem | Ending;
  readonly hint: string | undefined;
  readonly isExcludable: boolean;
}

export function endingOf(turn: Turn, last: boolean, scene: Scene): readonly EndingRow[] {
  const ending = turn.status === "running" ? undefined : (problemOf(turn) ?? endings(turn));
  if (ending === undefined) return [];
  const possible = "kind" in ending ? wayOutOf(ending, scene) : ending.actions;
  const actions = possible.filter((action) => fits(action, last && !scene.busy));
  return [
    {
      id: turn.id,
      // Of one further up nobody counts down any more, and nothing can be done when it is over.
      ending: { ...ending, actions, ...(!last && { retryAt: undefined }) },
      hint: excludedWords(turn),
      // What goes on with it needs it, and what runs has been sent already.
      isExcludable: isExcludable(turn) && !scene.busy && !scene.readOnly,
    },
  ];
}

export function endingCard({ id, ending, hint, isExcludable }: EndingRow, post: Post): HTMLElement {
  const act = (action: ProblemAction) =>
    action === "retry" || action === "continue"
      ? post({ type: "act-on-turn", turn: id, action })
      : post({ type: "act", action });
  const exclude = () => post({ type: "act-on-turn", turn: id, action: "exclude" });
  const more: CardAction[] = isExcludable ? [{ label: words.exclude, run: exclude }] : [];
  if ("kind" in ending) return problemCard(ending, act, more, hint);
  const own = ending.actions.map((action) => ({ label: actionLabels[action], run: () => act(action) }));
  return card({ ...ending.card, hint, actions: [...own, ...more] });
}

/** Of the connection, and mended there: it can be asked again then, and there is nothing else left to do. */
const ofTheConnection: ReadonlySet<Problem["kind"]> = new Set([
  "auth",
  "no-key",
  "not-configured",
  "redirect",
]);

function wayOutOf({ kind, actions }: Problem, { trouble }: Scene): readonly ProblemAction[] {
  if (!ofTheConnection.has(kind)) return actions;
  return trouble === undefined ? ["retry"] : [...actions, "retry"];
}

/** What has failed and left nothing behind can be asked again as it is. */
export function asksAgain({ status, parts, problem }: Turn): boolean {
  if (status !== "failed" || problem === undefined) return false;
  const isAskable = problem.actions.includes("retry") || ofTheConnection.has(problem.kind);
  return isAskable && parts.every(({ type }) => type === "note");
}

/** What can be read of the card. */
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

/** The answer to a click on *Exclude from Context*: it is in sight. */
const excludedWords = (turn: Turn): string | undefined =>
  turn.excluded === true ? words.excluded : undefined;

/** What the model hears of it with later messages. */
function sendingWords(turn: Turn): string | undefined {
  if (turn.excluded === true) return undefined;
  const how = sentAgain(turn);
  if (how === "whole") return undefined;
  return how === "nothing"
    ? words.notSentAgain
    : turn.status === "stopped"
      ? words.toldStopped
      : words.toldFailed;
}

const sending = (turn: Turn): readonly string[] => [sendingWords(turn) ?? ""];

/** What to leave out where the service found a request too large (requirements M5). */
function largestOf({ problem, attachments }: Turn): string | undefined {
  const sent = attachments.filter(({ bytes }) => bytes > 0);
  if (problem?.kind !== "too-large" || sent.length === 0) return undefined;
  const largest = sent.toSorted((one, other) => other.bytes - one.bytes).slice(0, maxNamed);
  const items = largest.map(({ label, bytes }) => `${label} (${sizeText(bytes)})`).join(", ");
  return fill(words.largestSent, { items });
}

/** A turn further up cannot be continued: what came after it would be lost. */
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
      return { card: { icon: "warning", message: words.emptyAnswer }, actions: ["retry"] };
    case "stopped":
      return {
        card: { icon: "stop", message: words.stopped, remark: words.stoppedMeans, details: sending(turn) },
        actions: ["continue", "retry"],
      };
    // How an answer was cut off is said by its problem.
    case "incomplete":
    case "interrupted":
      return {
        card: { icon: "warning", message: words.interrupted, details: sending(turn) },
        actions: ["continue", "retry"],
      };
    case "failed":
      return {
        card: { icon: "error", message: words.failedPlain, details: sending(turn) },
        actions: ["retry"],
      };
    default:
      turn.status satisfies never;
      return undefined;
  }
}
