// The three buckets of the input as a bar drawn in text. What is there is seen: a bucket that is not empty has at
// least one cell, and the cells always add up to the width.
import type { Totals } from "../conversation/usage-totals.ts";

const cells = { cached: "█", written: "▓", uncached: "░" } as const;
const order = ["cached", "written", "uncached"] as const;

/** Empty when there is nothing to draw. */
export function usageBar(totals: Pick<Totals, (typeof order)[number]>, width: number): string {
  const sum = order.reduce((all, name) => all + totals[name], 0);
  if (sum === 0 || width < order.length) return "";
  const drawn = order.filter((name) => totals[name] > 0);
  const spare = width - drawn.length;
  const exact = drawn.map((name) => (totals[name] / sum) * spare);
  const whole = exact.map(Math.floor);
  // The cells that rounding down has left go to those who lost most.
  const byLoss = drawn.map((_, at) => at).sort((a, b) => loss(exact, b) - loss(exact, a) || a - b);
  const left = spare - whole.reduce((all, count) => all + count, 0);
  for (const at of byLoss.slice(0, left)) whole[at] = (whole[at] ?? 0) + 1;
  return drawn.map((name, at) => cells[name].repeat((whole[at] ?? 0) + 1)).join("");
}

const loss = (exact: readonly number[], at: number): number => (exact[at] ?? 0) % 1;
