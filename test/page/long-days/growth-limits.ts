// Whether something grows that must not: its middle third against its last one, by the middle value of each. What fills up
// once – code, caches with a limit – has done so by then.
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

type Figure = keyof DayFigures;

const megabyte = 2 ** 20;

/** By how much the last third may lie above the middle one: what a collection of garbage, a socket or a file more makes of it. */
const room: Readonly<Record<Exclude<Figure, "bytes" | "files">, number>> = {
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
  const third = Math.floor(series.length / 3);
  const last = series.slice(-third);
  const middle = series.slice(-2 * third, -third);
  const of = (part: readonly DayFigures[], figure: Figure) => part.map((each) => each[figure] ?? 0);
  const found: string[] = [];
  for (const [figure, more] of Object.entries(room) as [keyof typeof room, number][]) {
    const [before, after] = [median(of(middle, figure)), median(of(last, figure))];
    if (after > before + more) found.push(`${figure} grows from ${before} to ${after}`);
  }
  for (const figure of ["bytes", "files"] as const) {
    const [before, after] = [rise(of(middle, figure)), rise(of(last, figure))];
    if (after > before * maxFaster)
      found.push(`${figure} on the disk grow by ${before}, and then by ${after}`);
  }
  return found;
}

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

const rise = (values: readonly number[]): number => (values.at(-1) ?? 0) - (values[0] ?? 0);
