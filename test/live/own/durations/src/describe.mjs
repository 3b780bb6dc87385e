import { unitOf } from "./units.mjs";

/** `describe(2, "h")` is "2 hours". */
export function describe(count, letter) {
  const { name } = unitOf(letter);
  return count === 1 ? `1 ${name}` : `${count} ${name}s`;
}
