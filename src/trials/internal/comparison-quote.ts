// What a comparison will probably use, per model, before it starts: an estimate from the size of its tasks, or from what
// earlier tasks of the same model have used.
import { type Comparison, type Contestant, isSameContestant, runsLeft } from "./comparison.ts";

/** Requests of a usual task: look around, read, edit, correct. */
const requests = 6;
const bytesPerToken = 3.5;
/** What is read besides the files that have to be changed. */
const looking = 3;
const outputTokens = 3_000;

export interface QuoteRow extends Contestant {
  readonly tasks: number;
  readonly tokens: number;
  /** Of them, as output. */
  readonly output: number;
}

export interface TaskSize {
  /** Of the files that the commit changes, in the parent. */
  readonly bytes: number;
}

/**
 * `opening`: tokens of the first request of a task. `isCached`: whether the service keeps a conversation's beginning for
 * this model, so that each text counts once; else everything counts again with each request.
 */
export function quote(
  comparison: Comparison,
  sizes: readonly TaskSize[],
  opening: (contestant: Contestant) => number,
  isCached: (model: string) => boolean,
): readonly QuoteRow[] {
  const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0) / Math.max(1, sizes.length);
  const left = runsLeft(comparison);
  return comparison.contestants.map((contestant) => {
    const tasks = left.filter((each) => isSameContestant(each, contestant)).length;
    const own = comparison.runs.filter((run) => isSameContestant(run, contestant));
    const read = (looking * bytes) / bytesPerToken;
    const first = opening(contestant);
    const input = isCached(contestant.model) ? first + read : requests * (first + read / 2);
    const measured = own.reduce((sum, { tokens }) => sum + tokens, 0) / Math.max(1, own.length);
    const each = own.length > 0 ? measured : input + outputTokens;
    return { ...contestant, tasks, tokens: Math.ceil(tasks * each), output: tasks * outputTokens };
  });
}

/** Twice the estimate, in round numbers. */
export function usualCap(rows: readonly QuoteRow[]): number {
  const tokens = 2 * rows.reduce((sum, row) => sum + row.tokens, 0);
  return Math.max(50_000, Math.ceil(tokens / 50_000) * 50_000);
}
