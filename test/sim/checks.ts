// How rules of a request are combined; the rules themselves live in validate-*.ts.
import type { Refusal } from "./refusal.ts";

/** Runs the rules in order; the first refusal is the answer. */
export function firstRefusal(...rules: readonly (() => Refusal | undefined)[]): Refusal | undefined {
  for (const rule of rules) {
    const refusal = rule();
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
