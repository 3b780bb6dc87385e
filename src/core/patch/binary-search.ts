// The one binary search of the engine.

/** The index of the first item that passes, in a list where all that pass come last; its length if none does. */
export function firstThat<T>(list: ArrayLike<T>, passes: (item: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
