// What of the turns so far goes out with the next question: nothing that was refused, nothing that a person has left out, and
// behind what was stopped or failed a word that it is over. Where they were compacted, the hand-over text stands for all
// before it. Derived again each time from how turns ended, so that a journal says the same in every window.
import { verbatim } from "../conversation/content.ts";
import { sentAgain } from "../conversation/sent-again.ts";
import type { Turn } from "../conversation/state.ts";
import { userItem } from "./history.ts";
import { answerOpenCalls } from "./pending-calls.ts";

export interface TurnItems {
  readonly turn: string;
  /** What the person asked, in raw items: the first thing a turn adds. */
  readonly asked: readonly string[];
  readonly items: readonly string[];
  /** How many of them there were when the service's latest reply had come. */
  readonly replied: number;
}

export interface HistoryPoint<Items extends TurnItems = TurnItems> {
  readonly all: readonly Items[];
  readonly turns: readonly Turn[];
  /** What follows goes on with the last turn: that one is not over, and what was refused is tried again. */
  readonly goesOn?: boolean;
}

/** Those whose items may go out: from the last hand-over on. */
export function sinceHandOver<Items extends TurnItems>({
  all,
  turns,
}: HistoryPoint<Items>): readonly Items[] {
  const done = new Set(
    turns.flatMap(({ id, compacts, status }) => (compacts && status === "done" ? [id] : [])),
  );
  const start = all.findLastIndex(({ turn, items }) => done.has(turn) && items.length > 0);
  return start < 0 ? all : all.slice(start);
}

export function sentHistory(point: HistoryPoint): string[] {
  const byId = new Map(point.turns.map((turn) => [turn.id, turn]));
  const [first, ...others] = sinceHandOver(point);
  const isOwn = ({ turn }: TurnItems) => byId.get(turn)?.compacts !== true;
  const rest = first === undefined ? [] : [first, ...others.filter(isOwn)];
  const sent: string[][] = [];
  // From the end: whether a turn is over, and whether what it had refused was taken after all, the next one tells.
  let isGoneOn = point.goesOn === true;
  for (const own of rest.toReversed()) {
    const turn = byId.get(own.turn);
    const how = turn === undefined ? "whole" : sentAgain(turn);
    const isTaken = isGoneOn && turn?.excluded !== true;
    if (turn === undefined || turn.compacts === true || isTaken || how === "whole") sent.push([...own.items]);
    else if (how !== "nothing") sent.push([...(how === "cut" ? accepted(own) : own.items), over(turn)]);
    isGoneOn = turn?.continues === true && turn.excluded !== true && (isTaken || how !== "nothing");
  }
  return sent.toReversed().flat();
}

/** Whose calls the model still knows, each with its answer. */
export function heldTurns(point: HistoryPoint): ReadonlySet<string> {
  const known = new Set(sinceHandOver(point).map(({ turn }) => turn));
  const isHeld = (turn: Turn) => known.has(turn.id) && ["whole", "marked"].includes(sentAgain(turn));
  return new Set(point.turns.filter(isHeld).map(({ id }) => id));
}

/** Up to the service's last reply; what it called for has an output that says why there is no other. */
function accepted({ items, replied }: TurnItems): readonly string[] {
  const taken = items.slice(0, replied);
  return [...taken, ...answerOpenCalls(taken, () => leftOut)];
}

const leftOut = "The service refused the request that held the output of this call, so it is left out.";

const endings: Readonly<Partial<Record<Turn["status"], string>>> = {
  stopped: "The user stopped this request before it was done.",
  interrupted: "This request was cut off before it was done.",
  failed: "This request failed before it was done.",
};

const over = ({ status }: Turn): string =>
  userItem([
    {
      kind: "text",
      text: verbatim(
        `[Patchbay: ${endings[status] ?? ""} It is over: do not go on with it unless the user asks for it.]`,
      ),
    },
  ]);
