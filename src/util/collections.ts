// Helpers for collections: grouping, caching by key, natural order, binary search.

/** Groups items by key; groups and their items keep the order of appearance. (Map.groupBy needs Node 21.) */
export function groupBy<T>(all: Iterable<T>, keyOf: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return groups;
}

/** Total characters of the keys; the results take a multiple of that. */
const maxKept = 512 * 1024;

/** Caches the results of a function of one string; keeps the most recently used. */
export function memoizeLru<T>(work: (text: string) => T): (text: string) => T {
  const kept = new Map<string, T>();
  let letters = 0;
  const forget = (text: string) => {
    if (kept.delete(text)) letters -= text.length;
  };
  return (text) => {
    const answer = kept.get(text) ?? work(text);
    // The least recently used is the first of the map.
    forget(text);
    kept.set(text, answer);
    letters += text.length;
    for (const first of kept.keys()) {
      if (letters <= maxKept) break;
      forget(first);
    }
    return answer;
  };
}

/** Made when it is first needed: its tables take ten milliseconds and four megabytes. */
let collator: Intl.Collator | undefined;

/**
 * Sorts names the way people expect: m1, m2, m10. Names that the natural order considers equal are compared by code
 * units.
 */
export function compareNaturally(one: string, other: string): number {
  collator ??= new Intl.Collator("en", { numeric: true });
  return collator.compare(one, other) || Number(one > other) - Number(one < other);
}

/**
 * Returns the index of the first item that passes, in a list where all passing items come last; its length if none
 * does.
 */
export function firstIndexWhere<T>(list: ArrayLike<T>, passes: (item: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
