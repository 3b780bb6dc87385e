// What a comparison of models on a repository's own commits knows: which commits were tried and why others fell out, and
// how each model did on each of them. Everything that its page shows follows from this, so it can be kept and recomputed.
import type { RequestUsage } from "../../conversation/state.ts";
import { forLog } from "../../util/sentences.ts";
import type { UnfitReason } from "./commit-candidates.ts";

/** A model with an effort; empty: the service's default. */
export interface Contestant {
  readonly model: string;
  readonly effort: string;
}

/**
 * Why a commit that was tried fell out. `passes-before`: its tests pass on the parent as well; `fails-after`: they don't
 * pass on the commit; `unsteady`: two runs ended differently; `not-run`: they could not be run to an end.
 */
const failedReasons = ["passes-before", "fails-after", "unsteady", "not-run", "not-text"] as const;
export type FailedReason = (typeof failedReasons)[number];

export interface TriedCommit {
  readonly hash: string;
  readonly subject: string;
  readonly outcome: "valid" | FailedReason;
  /** Whether only its own tests were run. */
  readonly isRestricted: boolean;
}

/**
 * `unsolved`: its tests fail on what was proposed; `nothing`: nothing was proposed; `command`: the proposal changes what
 * the test command runs, so that it judges nothing; `failed`: the service or the model's response ended with a problem.
 */
export type RunOutcome = "solved" | "unsolved" | "nothing" | "command" | "failed";

/** One model on one commit. */
export interface ComparisonRun extends Contestant {
  readonly hash: string;
  readonly outcome: RunOutcome;
  readonly at: number;
  /** From the question to the end of the response, without its tests. */
  readonly seconds: number;
  readonly usage: readonly RequestUsage[];
  /** All tokens that were not read from the cache. */
  readonly tokens: number;
  /** By the person's prices at that time; absent if they cover none of it. */
  readonly cost?: { readonly amount: number; readonly unpriced: number; readonly currency: string };
  /** Patches that did not fit. */
  readonly refused: number;
}

export interface Comparison {
  readonly id: string;
  /** The name of the folder. */
  readonly folder: string;
  readonly path: string;
  readonly at: number;
  /** The newest commit when it began. */
  readonly head: string;
  /** The command as the person has chosen it. */
  readonly command: string;
  /** How long it may run; absent: as long as is usual for tests. */
  readonly timeoutSeconds?: number;
  /** Whether tests run in a sandbox now. */
  readonly isConfined: boolean;
  /** Whether any have run without one. */
  readonly ranUnconfined: boolean;
  readonly contestants: readonly Contestant[];
  /** How many commits are wanted. */
  readonly wanted: number;
  /** It stops before more tokens than this; absent until a person has agreed to it. */
  readonly cap?: number;
  readonly looked: number;
  readonly unfit: Readonly<Record<UnfitReason, number>>;
  /** How many candidates there were. */
  readonly candidates: number;
  readonly tried: readonly TriedCommit[];
  readonly isSearched: boolean;
  readonly runs: readonly ComparisonRun[];
  /** Files of the real folder that changed while tests ran without a sandbox. */
  readonly touched: readonly string[];
  /** How many more are private. */
  readonly touchedPrivate: number;
  /** Tokens of runs that were stopped before their end, or are not judged yet. */
  readonly stoppedTokens: number;
}

/**
 * Why it cannot go on now, although what is known is kept. `moving`: files of the folder change with every run of the
 * tests; `elsewhere`: another window goes on with it; `partial`: Git would have to fetch objects.
 */
export class ComparisonStop extends Error {
  readonly reason: "moving" | "elsewhere" | "partial";

  constructor(reason: ComparisonStop["reason"], cause?: unknown) {
    super(forLog(`A comparison cannot go on: ${reason}.`), { cause });
    this.reason = reason;
  }
}

/** With fewer commits nothing is concluded. */
export const fewestCommits = 10;

export const validCommits = ({ tried }: Pick<Comparison, "tried">): readonly TriedCommit[] =>
  tried.filter(({ outcome }) => outcome === "valid");

export const isSameContestant = (one: Contestant, other: Contestant): boolean =>
  one.model === other.model && one.effort === other.effort;

/** Every run that is still to be made, commit by commit, so that a stop leaves all models with the same commits. */
export function runsLeft(comparison: Comparison): readonly (Contestant & { readonly hash: string })[] {
  const { contestants, runs } = comparison;
  return validCommits(comparison).flatMap(({ hash }) =>
    contestants
      .filter((each) => !runs.some((run) => run.hash === hash && isSameContestant(run, each)))
      .map((each) => ({ ...each, hash })),
  );
}

export const spentTokens = ({ runs, stoppedTokens }: Comparison): number =>
  runs.reduce((sum, { tokens }) => sum + tokens, stoppedTokens);

export interface Score extends Contestant {
  readonly solved: number;
  /** The commits it was given. */
  readonly of: number;
  /** The share of solved ones, as a 95 % interval by Wilson; absent with too few commits. */
  readonly interval?: { readonly low: number; readonly high: number };
  /** Absent if nothing of it could be priced. */
  readonly cost?: { readonly amount: number; readonly unpriced: number; readonly currency: string };
  readonly tokens: number;
  /** The middle one of all runs. */
  readonly seconds: number;
  readonly refused: number;
  readonly failed: number;
}

/** In the order of what they solved. */
export function scoresOf(comparison: Comparison): readonly Score[] {
  const scores = comparison.contestants.map((contestant): Score => {
    const own = comparison.runs.filter((run) => isSameContestant(run, contestant));
    const solved = own.filter(({ outcome }) => outcome === "solved").length;
    // After a change of the currency, what was priced in the old one has no price in the new one.
    const currency = comparison.runs.findLast(({ cost }) => cost !== undefined)?.cost?.currency;
    const priced = own.flatMap(({ cost, usage }) =>
      cost === undefined || cost.currency !== currency ? [] : [{ ...cost, of: usage.length }],
    );
    const requests = own.reduce((sum, { usage }) => sum + usage.length, 0);
    const unpriced = priced.reduce((sum, each) => sum - each.of + each.unpriced, requests);
    const seconds = own.map((run) => run.seconds).toSorted((one, other) => one - other);
    return {
      ...contestant,
      solved,
      of: own.length,
      ...(own.length >= fewestCommits && { interval: wilson(solved, own.length) }),
      ...(priced.length > 0 &&
        currency !== undefined && {
          cost: { amount: priced.reduce((sum, { amount }) => sum + amount, 0), unpriced, currency },
        }),
      tokens: own.reduce((sum, { tokens }) => sum + tokens, 0),
      seconds: seconds[Math.floor((seconds.length - 1) / 2)] ?? 0,
      refused: own.reduce((sum, { refused }) => sum + refused, 0),
      failed: own.filter(({ outcome }) => outcome === "failed").length,
    };
  });
  return scores.toSorted((one, other) => solvedShare(other) - solvedShare(one) || one.tokens - other.tokens);
}

const solvedShare = ({ solved, of }: Score): number => (of === 0 ? 0 : solved / of);

/**
 * Whether the first did better than all others beyond what chance explains: no interval of another reaches into its own.
 * `undefined`: nothing is concluded, because one of them was given too few commits.
 */
export function isClear([first, ...others]: readonly Score[]): boolean | undefined {
  const low = first?.interval?.low;
  if (low === undefined || others.length === 0) return undefined;
  const highs = others.map(({ interval }) => interval?.high);
  if (highs.includes(undefined)) return undefined;
  return highs.every((high) => high !== undefined && high < low);
}

const z = 1.96;

function wilson(solved: number, of: number): { readonly low: number; readonly high: number } {
  const share = solved / of;
  const middle = share + (z * z) / (2 * of);
  const half = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  const scale = 1 + (z * z) / of;
  return { low: Math.max(0, (middle - half) / scale), high: Math.min(1, (middle + half) / scale) };
}
