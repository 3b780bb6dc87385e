// What went out in this window, request by request, as the service's cache sees it: to look at, to learn from, and to
// say why a request read less from the cache than the one before it promised. Kept in memory, the latest ones only.
import type { Usage } from "../conversation/usage.ts";
import { tierOf } from "../tokens/cache.ts";
import { explainMiss, type MissReason, type SentRequest } from "../tokens/explain-miss.ts";

export interface Sent extends SentRequest {
  readonly turn: string;
  /** From 1, within its turn. */
  readonly request: number;
  /** As far as the service reported it. */
  readonly usage: Usage | undefined;
}

const maxKept = 50;

export class SentRequests {
  readonly #sent: Sent[] = [];

  /** Once its reply has ended. */
  add(sent: Sent): void {
    this.#sent.push(sent);
    if (this.#sent.length > maxKept) this.#sent.shift();
  }

  of(turn: string): readonly Sent[] {
    return this.#sent.filter((each) => each.turn === turn);
  }

  /** `undefined`: it is no longer known, or read all it could. */
  whyMissed(turn: string, request: number): MissReason | undefined {
    const index = this.#sent.findIndex((each) => each.turn === turn && each.request === request);
    const [before, after] = [this.#sent[index - 1], this.#sent[index]];
    if (after === undefined || hasHit(before, after)) return undefined;
    return explainMiss(before, after);
  }
}

/** What the earlier request had in the cache when it ended, the later one has read. */
function hasHit(before: Sent | undefined, after: Sent): boolean {
  const { cached = 0, cacheWrite = 0 } = before?.usage ?? {};
  const known = cached + cacheWrite;
  return known > 0 && (after.usage?.cached ?? 0) >= known;
}

export const tierAsked = (ttl: "5m" | "1h" | undefined, applied: string | undefined): SentRequest["tier"] =>
  tierOf({ ttl: applied }, ttl);
