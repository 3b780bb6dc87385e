// Patches that were proposed in this window, with all that is needed to look at them in full and to take them back.
// The events carry what a card shows; documents, diffs and the way back are made from the plan.
import type { FileChange, Plan } from "../patch/model.ts";

export interface Proposal {
  readonly plan: Plan;
  /** What was carried out of it; none while it waits, or when it was rejected. */
  readonly applied: readonly FileChange[];
  /** Texts that a person has put in the place of proposed ones, by path: the review writes them while it waits. */
  readonly edited?: Map<string, string>;
}

export class Proposals {
  readonly #known = new Map<string, Proposal>();

  get(call: string): Proposal | undefined {
    return this.#known.get(call);
  }

  set(call: string, proposal: Proposal): void {
    this.#known.set(call, proposal);
  }

  delete(call: string): void {
    this.#known.delete(call);
  }
}
