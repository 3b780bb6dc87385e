// What a table tells of a candidate, from the turn that it is: its ending, its change, its checks, its cost.
import { countPending } from "../../changes/pending-changes.ts";
import type { CheckResult } from "../../checks/check-result.ts";
import { evidenceOf } from "../../checks/report.ts";
import { message } from "../../conversation/messages.ts";
import { answerMarkdown } from "../../conversation/reduce.ts";
import type { Turn } from "../../conversation/state.ts";
import { nameAfter, textAfter, textBefore } from "../../patch/edits.ts";
import type { FileName } from "../../patch/model.ts";
import { countMessages } from "../../risk/flags.ts";
import type { SideTurn } from "../../session/side-turn.ts";
import { rowsOfTurn, tokensOfRun, type UsageRow } from "../../usage/usage-rows.ts";
import { present } from "../../util/present.ts";
import type { Facts } from "../candidate.ts";
import type { KeptCandidate } from "./kept-trial.ts";

/** A candidate of this window. */
export interface Candidate {
  known: KeptCandidate;
  side?: SideTurn;
  stop?: AbortController;
  /** Resolves when it has ended and was checked. */
  over: Promise<void>;
  /** Resolves when its first reply is there, with false if it has ended without one. */
  readonly replied: Promise<boolean>;
  tell(hasReplied: boolean): void;
}

export function candidateOf(known: KeptCandidate): Candidate {
  let tell: Candidate["tell"] = () => {};
  const replied = new Promise<boolean>((resolve) => {
    tell = resolve;
  });
  return { known, over: Promise.resolve(), replied, tell };
}

interface FactsDeps {
  readonly conversation: string;
  /** What requests cost by the person's table. */
  price(rows: readonly UsageRow[]): string | undefined;
  /** A person has stopped it. */
  readonly isStopped: boolean;
}

export function factsOf(side: SideTurn, { conversation, price, isStopped }: FactsDeps): Facts {
  const { state, turns, files, nameOf } = side;
  const { added, removed } = countPending(files);
  const unasked = state === undefined && !isStopped ? message("sideUnasked") : undefined;
  const hunks = files.flatMap((file) => file.hunks);
  const rows = turns.flatMap((turn) => rowsOfTurn(conversation, turn));
  return present({
    ...checkFactsOf(side),
    paths: files.map(({ change }) => nameOf(change.file)),
    ...{ added, removed },
    flags: [...countMessages(hunks.map(({ flags }) => flags))],
    tokens: tokensOf(turns),
    price: rows.length === 0 ? undefined : price(rows),
    milliseconds: state?.endedAt === undefined ? undefined : state.endedAt - (turns[0] ?? state).at,
    problem: state?.problem?.message ?? unasked,
  });
}

/** What the person's checks have found in it. */
export function checkFactsOf({ files, checks }: SideTurn): Pick<Facts, "verdict" | "checks" | "asks"> {
  const results = files.length === 0 ? [] : (checks?.results ?? []);
  return {
    verdict: verdictOf(results.map(({ state }) => state)),
    checks: [...evidenceOf(results)],
    asks: results.some(isLeft),
  };
}

/** It waits for a person, or was stopped. One whose command is another by now has to be set up again. */
export const isLeft = ({ state, why }: CheckResult): boolean =>
  state === "stale" || (state === "waiting" && why?.code === "checkWaits");

interface ReadableFile {
  readonly file: FileName;
  readonly path: string;
  /** Another path if it is moved. */
  readonly to: string;
  /** Absent: the file doesn't exist. */
  readonly before?: string;
  readonly after?: string;
}

/** A try for reading: its response, and each file that it changes, as it is now and as it would be. */
export interface ReadableTry {
  readonly said: string;
  readonly files: readonly ReadableFile[];
}

/** Reads the files once more first. */
export async function readable(side: SideTurn): Promise<ReadableTry> {
  await side.changes.refresh();
  const { state, files, nameOf } = side;
  return {
    said: state === undefined ? "" : answerMarkdown(state).trim(),
    files: files.map(({ change, meant }) => ({
      ...{ file: change.file, path: nameOf(change.file), to: nameOf(nameAfter(change)) },
      ...present({ before: textBefore(change), after: meant?.text ?? textAfter(change) }),
    })),
  };
}

export const tokensOf = (turns: readonly Turn[]): number =>
  turns.reduce((sum, turn) => sum + tokensOfRun([turn], turn.id, () => false), 0);

export function stateOf(turn: Turn | undefined, isStopped: boolean): KeptCandidate["state"] {
  if (turn?.status === "done") return "finished";
  if (isStopped || turn?.status === "incomplete" || turn?.status === "stopped") return "stopped";
  return "failed";
}

export const isUnderWay = ({ state }: Pick<KeptCandidate, "state">): boolean =>
  state === "waiting" || state === "running";

/** What ran ended with its window. */
export const cutOff = (known: KeptCandidate): KeptCandidate => ({
  ...known,
  state: "stopped",
  facts: { ...known.facts, verdict: "none", problem: message("sideCutOff") },
});

/** Checks that ran ended with their window. */
export const uncheckedIfCutOff = (known: KeptCandidate): KeptCandidate =>
  known.facts.verdict === "pending"
    ? { ...known, facts: { ...known.facts, verdict: "open", asks: true } }
    : known;

function verdictOf(states: readonly string[]): Facts["verdict"] {
  if (states.length === 0) return "none";
  if (states.includes("new-findings")) return "fail";
  return states.every((state) => state === "passed" || state === "no-new") ? "pass" : "open";
}
