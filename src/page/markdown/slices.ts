// Decides how much pending text is drawn at once. The cost of most texts is proportional to their length, and they are
// drawn in small slices; a block that is drawn again with each slice costs the same for a small one as for a large one.

const smallest = 4_096;
/** Milliseconds of drawing before the page may do other work. */
export const maxStretch = 8;
/** Slices keep growing while one twice as long costs less than this many times as much. */
const worth = 1.5;

interface Slices {
  /** Number of characters of the next slice. */
  readonly size: number;
  /** Reports what the last slice cost, in milliseconds. */
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
