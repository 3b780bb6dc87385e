// What a person has chosen so far in patches that wait: which hunks are ticked, which are settled one by one, and the
// reasons they gave. A patch is decided as a whole, so the decision leaves when its last hunk is settled. Pure.
import type { Decision } from "../../core/conversation/decision.ts";

interface Choice {
  readonly left: Set<string>;
  readonly settled: Set<string>;
  readonly reasons: string[];
}

export class Choices {
  readonly #patches = new Map<string, Choice>();

  /** Everything is taken until somebody says otherwise. */
  takes(call: string, hunk: string): boolean {
    return this.#patches.get(call)?.left.has(hunk) !== true;
  }

  isSettled(call: string, hunk: string): boolean {
    return this.#patches.get(call)?.settled.has(hunk) === true;
  }

  /** A tick is a wish, not yet an answer. */
  tick(call: string, hunks: readonly string[], on: boolean): void {
    const { left } = this.#of(call);
    for (const hunk of hunks) {
      if (on) left.delete(hunk);
      else left.add(hunk);
    }
  }

  /** Accepted or rejected for itself. */
  settle(call: string, hunks: readonly string[], on: boolean, reason?: string): void {
    this.tick(call, hunks, on);
    const { settled, reasons } = this.#of(call);
    for (const hunk of hunks) settled.add(hunk);
    if (reason !== undefined && reason.trim() !== "") reasons.push(reason.trim());
  }

  /** The patch has changed: what was settled was something else. */
  reopen(call: string): void {
    this.#patches.get(call)?.settled.clear();
  }

  /** The answer, once every hunk is settled. */
  complete(call: string, hunks: readonly string[]): Decision | undefined {
    return hunks.every((hunk) => this.isSettled(call, hunk)) ? this.decision(call, hunks) : undefined;
  }

  /** What the ticks say now. */
  decision(call: string, hunks: readonly string[]): Decision {
    const taken = hunks.filter((hunk) => this.takes(call, hunk));
    const reasons = this.#patches.get(call)?.reasons ?? [];
    const reason = reasons.length > 0 ? { reason: reasons.join(" ").slice(0, 4000) } : {};
    if (taken.length === hunks.length) return { kind: "accept" };
    return taken.length === 0 ? { kind: "reject", ...reason } : { kind: "partly", hunks: taken, ...reason };
  }

  /** Forgets all patches but these. */
  keepOnly(calls: ReadonlySet<string>): void {
    for (const call of [...this.#patches.keys()]) if (!calls.has(call)) this.#patches.delete(call);
  }

  #of(call: string): Choice {
    const known = this.#patches.get(call);
    if (known !== undefined) return known;
    const choice = { left: new Set<string>(), settled: new Set<string>(), reasons: [] };
    this.#patches.set(call, choice);
    return choice;
  }
}
