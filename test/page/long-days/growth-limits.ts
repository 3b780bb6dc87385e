// What must not grow in a long day.
import { growing, thirdsOf } from "../../support/growing-figures.ts";
import type { Figures } from "./day-order.ts";

export interface DayFigures extends Figures {
  /**
   * Of the page, after garbage was collected: also those that are in no document any more. Without the one that the browser
   * keeps for each text that was typed, so that it can be typed again by Redo.
   */
  readonly nodes: number;
  readonly pageListeners: number;
  readonly pageHeap: number;
  /** Bytes and files on the disk. */
  readonly bytes: number;
  readonly files: number;
}

const megabyte = 2 ** 20;

/** By how much the last third may lie above the middle one: what a collection of garbage, a socket or a file more makes of it. */
const room: Readonly<Record<Exclude<keyof DayFigures, "bytes" | "files">, number>> = {
  heap: 1.5 * megabyte,
  timers: 6,
  listeners: 15,
  descriptors: 4,
  nodes: 20,
  pageListeners: 12,
  pageHeap: megabyte,
};

/** What is kept grows with what is said: as fast at the end as before, give or take. */
const maxFaster = 1.5;

/** One sentence for each that grows. */
export function grown(series: readonly DayFigures[]): string[] {
  const { middle, last } = thirdsOf(series);
  const found = growing(series, room);
  for (const figure of ["bytes", "files"] as const) {
    const [before, after] = [rise(middle, figure), rise(last, figure)];
    if (after > before * maxFaster)
      found.push(`${figure} on the disk grow by ${before}, and then by ${after}`);
  }
  return found;
}

const rise = (part: readonly DayFigures[], figure: "bytes" | "files"): number =>
  (part.at(-1)?.[figure] ?? 0) - (part[0]?.[figure] ?? 0);
