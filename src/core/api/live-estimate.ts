// Counts the tokens of a text that is still being written: a moment after the last key, one request at a time, and
// only the newest answer counts. A service that keeps failing is not asked again; nobody waits for a number.
import { createHash } from "node:crypto";
import type { EstimateOutcome } from "./estimate.ts";
import type { EstimateRequest } from "./request.ts";

export type LiveCount =
  | { readonly tokens: number }
  /** Asked again meanwhile; whoever did gets the answer. */
  | "superseded"
  /** Shown as "– tokens". */
  | "unknown";

export interface LiveEstimateNeeds {
  estimate(request: EstimateRequest, signal: AbortSignal): Promise<EstimateOutcome>;
  /** Ends early when the signal does. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

const quietMilliseconds = 800;
const failuresAllowed = 3;
const answersKept = 200;

export class LiveEstimate {
  readonly #needs: LiveEstimateNeeds;
  readonly #known = new Map<string, number>();
  #newest = new AbortController();
  #failures = 0;

  constructor(needs: LiveEstimateNeeds) {
    this.#needs = needs;
  }

  /** What came before is given up, also on the wire. */
  async count(request: EstimateRequest): Promise<LiveCount> {
    this.#newest.abort();
    const turn = new AbortController();
    this.#newest = turn;
    const hash = createHash("sha256").update(JSON.stringify(request)).digest("base64");
    const known = this.#known.get(hash);
    if (known !== undefined) return { tokens: known };
    if (this.#failures >= failuresAllowed) return "unknown";
    await this.#needs.wait(quietMilliseconds, turn.signal);
    if (turn.signal.aborted) return "superseded";
    const outcome = await this.#needs.estimate(request, turn.signal);
    if (turn.signal.aborted) return "superseded";
    if ("problem" in outcome) {
      this.#failures++;
      return "unknown";
    }
    this.#failures = 0;
    this.#keep(hash, outcome.tokens);
    return { tokens: outcome.tokens };
  }

  dispose(): void {
    this.#newest.abort();
  }

  #keep(hash: string, tokens: number): void {
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= answersKept) this.#known.delete(oldest);
    this.#known.set(hash, tokens);
  }
}
