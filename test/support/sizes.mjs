// How large what ships may be: caps with room to grow, in size-caps.json, each with the reasons for which it was set.
// `npm run sizes` prints them beside what the product has now; `npm run sizes -- raise <name> <reason>` sets one anew.
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";

const file = "test/support/size-caps.json";

/** A cap that is set lies so far above what it was set for. */
const room = 1.05;

/**
 * @typedef {{ date: string, bytes: number, why: string }} Reason
 * @typedef {{ what: string, files: string[], bytes: number, reasons: Reason[] }} Cap
 * @returns {Record<string, Cap>}
 */
export const readCaps = () => JSON.parse(readFileSync(file, "utf8"));

/**
 * One line for each cap whose files are all there, and whether each holds.
 * @param {(name: string) => number | undefined} sizeOf in bytes
 */
export function compareSizes(sizeOf, caps = readCaps()) {
  const rows = Object.entries(caps).flatMap(([name, { what, files, bytes }]) => {
    const sizes = files.map(sizeOf);
    if (sizes.some((size) => size === undefined)) return [];
    const size = sizes.reduce((sum, each) => sum + each, 0);
    return [{ name, what, size, bytes }];
  });
  const lines = rows.map(({ name, what, size, bytes }) => {
    const rest = size > bytes ? `${kilobytes(size - bytes)} TOO MUCH` : `${kilobytes(bytes - size)} left`;
    return `${name.padEnd(11)}${kilobytes(size)} of ${kilobytes(bytes)}, ${rest}   ${what}`;
  });
  return { lines, isWithin: rows.every(({ size, bytes }) => size <= bytes) };
}

/** What lies there after a build that ships, and the package if it was made. */
export const builtSize = (name) => {
  const place = name.endsWith(".vsix") ? join(".build", name) : join("dist", name);
  return existsSync(place) ? statSync(place).size : undefined;
};

const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1).padStart(6)} KB`;

/** Answers the exit code. Without a reason it is asked for, where somebody can answer. */
export async function raiseCap(name, words, sizeOf = builtSize, today = new Date()) {
  const caps = readCaps();
  const cap = caps[name];
  if (cap === undefined) {
    console.error(
      `npm run sizes -- raise <name> <reason>, where the name is one of: ${Object.keys(caps).join(", ")}`,
    );
    return 1;
  }
  const sizes = cap.files.map(sizeOf);
  const missing = cap.files.filter((_, index) => sizes[index] === undefined);
  if (missing.length > 0) {
    console.error(`${missing.join(", ")} is not built: npm run package comes first.`);
    return 1;
  }
  const why = words.join(" ").trim() || (await askFor(`Why may ${name} be larger? `));
  if (why === "") {
    console.error("A cap is raised for a reason: it is written beside the figure.");
    return 1;
  }
  const bytes = Math.ceil(sizes.reduce((sum, each) => sum + each, 0) * room);
  cap.bytes = bytes;
  cap.reasons.push({ date: today.toISOString().slice(0, 10), bytes, why });
  writeFileSync(file, `${JSON.stringify(caps, undefined, 2)}\n`);
  console.log(`${name}: ${kilobytes(bytes).trim()}, for: ${why}`);
  return 0;
}

async function askFor(question) {
  if (!process.stdin.isTTY) return "";
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await reader.question(question);
  reader.close();
  return answer.trim();
}
