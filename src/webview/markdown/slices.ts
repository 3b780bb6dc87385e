// How much of a waiting text is drawn in one go. Most texts cost as much as they are long, and are drawn in small slices;
// a block that is drawn again with each of them costs the same for a small slice as for a large one.

const smallest = 4_096;
/** Milliseconds of drawing before the page gets its turn. */
export const maxStretch = 8;
/** A slice twice as long that costs more than this many times as much was not worth its length. */
const worth = 1.5;

export interface Slices {
  /** Characters of the next slice. */
  readonly size: number;
  /** What the last one cost, in milliseconds. */
  spent(cost: number): void;
}

export function slices(): Slices {
  let size = smallest;
  let before = 0;
  return {
    get size() {
      return size;
    },
    spent(cost) {
      const isWorth = size === smallest || cost < worth * before;
      size = cost > maxStretch && isWorth ? size * 2 : smallest;
      before = cost;
    },
  };
}
