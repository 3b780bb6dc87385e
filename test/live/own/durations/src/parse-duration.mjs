import { unitOf } from "./units.mjs";

const part = /(-?\d+(?:\.\d+)?)\s*([a-z])/g;

/** Seconds; a part without a number, or words between the parts, are no duration. */
export function parseDuration(text) {
  const trimmed = text.trim().toLowerCase();
  const parts = [...trimmed.matchAll(part)];
  if (parts.length === 0 || trimmed.replace(part, "").trim() !== "")
    throw new SyntaxError(`"${text}" is no duration.`);
  return parts.reduce((sum, [, count, letter]) => sum + Number(count) * unitOf(letter).seconds, 0);
}
