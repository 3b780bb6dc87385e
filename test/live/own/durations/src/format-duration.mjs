import { units } from "./units.mjs";

/** The reverse of parseDuration. */
export function formatDuration(seconds) {
  let rest = Math.round(seconds);
  const parts = [];
  for (const { letter, seconds: size } of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    parts.push(`${count}${letter}`);
  }
  return parts.join(" ");
}
