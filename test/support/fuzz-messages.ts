// Messages that nobody would send: true ones with something broken in them, and things that are no messages at all.
// The same seed gives the same messages.

/** Mulberry32: small, fast, good enough to be surprised by. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `longest`: of the strings that are too long. */
export function fuzzMessages(trueOnes: readonly unknown[], seed: number, longest = 3 * 1024 * 1024) {
  const random = randomNumbers(seed);
  const below = (end: number) => Math.floor(random() * end);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;

  const junk = (): unknown => {
    // Rare: a string that is too long for anything costs as much as thousands of others.
    if (random() < 0.002) return "x".repeat(below(longest));
    return pick<() => unknown>([
      () => undefined,
      () => null,
      () => Number.NaN,
      () => -1,
      () => 2 ** 53,
      () => "",
      () => "__proto__",
      () => "constructor",
      () => "\ud800\u202e\0",
      () => "<img src=x onerror=alert(1)>",
      () => "javascript:alert(1)",
      () => [],
      () => [null, [null, [null]]],
      () => ({}),
      () => JSON.parse('{"__proto__": {"polluted": true}, "toString": 1}'),
      () => true,
      () => new Date(0),
      () => new Map([["type", "send"]]),
    ])();
  };

  /** One place inside, somewhere, is something else. */
  const broken = (value: unknown, depth = 0): unknown => {
    if (depth > 0 && random() < 0.3) return junk();
    if (Array.isArray(value)) {
      if (value.length === 0 || random() < 0.2) return [...value, junk()];
      const at = below(value.length);
      return value.with(at, broken(value[at], depth + 1));
    }
    if (typeof value !== "object" || value === null) return junk();
    const entries = Object.entries(value);
    const at = below(entries.length + 1);
    const [key, inner] = entries[at] ?? [pick(["__proto__", "constructor", "extra", ""]), undefined];
    if (random() < 0.15) return Object.fromEntries(entries.filter((_, index) => index !== at));
    return Object.fromEntries([...entries, [key, broken(inner, depth + 1)]]);
  };

  return {
    next(): unknown {
      const one = structuredClone(pick(trueOnes));
      const chance = random();
      if (chance < 0.2) return one;
      if (chance < 0.25) return junk();
      return chance < 0.3 ? broken(broken(broken(one))) : broken(one);
    },
  };
}
