export { describe } from "./describe.mjs";
export { formatDuration } from "./format-duration.mjs";
export { parseDuration } from "./parse-duration.mjs";
export { Stopwatch } from "./stopwatch.mjs";
export { unitOf, units } from "./units.mjs";
