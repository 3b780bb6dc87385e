// JSON of our own making.
import { wellFormed } from "../util/well-formed.ts";

/** Half a surrogate pair cannot be sent and becomes U+FFFD. */
export function quote(value: unknown): string {
  return JSON.stringify(value, (_, held: unknown) => (typeof held === "string" ? wellFormed(held) : held));
}
