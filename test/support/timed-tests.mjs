// Preloaded where files of tests are compared by what they take: each test's time is taken as it begins and ends, since the
// reporter hears of a test that computes without a pause only after the next one.
import { relative } from "node:path";
import { afterEach, beforeEach } from "node:test";
import { fileURLToPath } from "node:url";
import { addTime } from "./file-times.mjs";
import { processorTime } from "./processor-time.mjs";

const now = () => ({ seconds: performance.now() / 1000, processor: processorTime(process.pid) ?? 0 });

/** Tests that run now, each inside of the one before. */
let depth = 0;
let began = now();
/** Of outermost tests that have ended and have not been reported, by name. */
const untold = new Map();
/** @type {Map<string, import("./file-times.mjs").FileTime>} */
const files = new Map();

beforeEach(() => {
  if (depth++ === 0) began = now();
});
afterEach((test) => {
  if (--depth > 0) return;
  const { seconds, processor } = now();
  const took = { seconds: seconds - began.seconds, processor: processor - began.processor };
  const { name } = /** @type {{ name: string }} */ (test);
  untold.set(name, [...(untold.get(name) ?? []), took]);
});

/**
 * The reporter knows in which file a test is, and nobody else does.
 * @param {{ name: string, file?: string }} reported
 */
export function addReported({ name, file = "" }) {
  const took = untold.get(name)?.shift();
  if (took === undefined) return;
  const path = relative(process.cwd(), file.startsWith("file:") ? fileURLToPath(file) : file);
  addTime(files, path.replaceAll("\\", "/"), name, took);
}

export const fileTimes = () => [...files.values()];
