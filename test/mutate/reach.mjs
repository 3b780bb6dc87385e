// Which lines of the sources a test file executes, and how long it takes: each is run once alone, watched by V8's coverage.
// What was learned is kept beside the build until one of the sources of the test changes.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle, folderOf, output, run } from "./test-runs.mjs";

const kept = join(output, "reach.json");

/** A test that hangs without a fault, too, is of no use. */
const longestSeconds = 300;

/**
 * @typedef {{ passes: boolean, seconds: number, at: number, lines: Record<string, number[]> }} Reach
 * `lines` are those that the test executes, by source.
 */

/** @returns {Promise<(tests: readonly string[]) => Promise<Map<string, Reach>>>} */
export async function learnReach(tests) {
  const outdir = folderOf("sound");
  const at = Date.now();
  const { metafile } = await bundle(tests, outdir, { metafile: true, sourcemap: "linked" });
  const reaches = readKept();
  const places = new Map();
  const isFresh = (test) => {
    const reach = reaches[test];
    return reach !== undefined && inputsOf(metafile, test).every((file) => statSync(file).mtimeMs < reach.at);
  };
  const known = new Set(tests.filter(isFresh));
  return async (wanted) => {
    for (const test of wanted) {
      if (known.has(test)) continue;
      known.add(test);
      const folder = folderOf("coverage");
      rmSync(folder, { recursive: true, force: true });
      const began = Date.now();
      const { passed, told } = await run([test], outdir, longestSeconds, { NODE_V8_COVERAGE: folder });
      if (!passed) console.log(`Left out, for it fails without a fault: ${test} (${told})`);
      reaches[test] = {
        passes: passed,
        seconds: (Date.now() - began) / 1000,
        at,
        lines: passed ? executedLines(folder, outdir, places) : {},
      };
      // Another run may be reading or writing it.
      const next = `${kept}-${process.pid}`;
      writeFileSync(next, JSON.stringify({ ...readKept(), [test]: reaches[test] }));
      renameSync(next, kept);
    }
    return new Map(wanted.map((test) => [test, reaches[test]]));
  };
}

/** @returns {Record<string, Reach>} */
function readKept() {
  try {
    return JSON.parse(readFileSync(kept, "utf8"));
  } catch {
    return {};
  }
}

/** Every source that a built test is made of. */
function inputsOf(metafile, test) {
  const first = Object.keys(metafile.outputs).find((name) => metafile.outputs[name].entryPoint === test);
  const files = new Set([first]);
  for (const file of files)
    for (const { path, external } of metafile.outputs[file].imports) if (!external) files.add(path);
  return [...files].flatMap((file) => Object.keys(metafile.outputs[file].inputs));
}

function executedLines(folder, outdir, places) {
  mkdirSync(folder, { recursive: true });
  const lines = new Map();
  for (const report of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, report), "utf8"));
    for (const { url, functions } of result) {
      const file = url.startsWith("file:") ? relative(process.cwd(), fileURLToPath(url)) : "";
      if (!file.startsWith(outdir) || file.endsWith("entry.mjs")) continue;
      if (!places.has(file)) places.set(file, placesIn(file));
      const counts = countsByOffset(functions);
      for (const { offset, source, line } of places.get(file)) {
        if (!source.startsWith("src/") || !counts(offset)) continue;
        lines.set(source, (lines.get(source) ?? new Set()).add(line));
      }
    }
  }
  return Object.fromEntries([...lines].map(([source, each]) => [source, [...each].sort((a, b) => a - b)]));
}

/** The count of the innermost range around an offset; offsets are asked for in rising order. */
function countsByOffset(functions) {
  const ranges = functions
    .flatMap((each) => each.ranges)
    .sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const around = [];
  let next = 0;
  return (offset) => {
    for (; next < ranges.length && ranges[next].startOffset <= offset; next++) around.push(ranges[next]);
    while (around.length > 0 && around.at(-1).endOffset <= offset) around.pop();
    return (around.at(-1)?.count ?? 0) > 0;
  };
}

/** Every place of a built file that its source map knows, in the order of the built file. */
function placesIn(file) {
  const { mappings, sources } = JSON.parse(readFileSync(`${file}.map`, "utf8"));
  const names = sources.map((source) => relative(process.cwd(), join(dirname(file), source)));
  const found = [];
  const built = readFileSync(file, "utf8").split("\n");
  let [start, source, line] = [0, 0, 1];
  for (const [at, row] of mappings.split(";").entries()) {
    let column = 0;
    for (const segment of row === "" ? [] : row.split(",")) {
      const [columns, sourcesOn = 0, linesOn = 0] = decode(segment);
      column += columns;
      source += sourcesOn;
      line += linesOn;
      found.push({ offset: start + column, source: names[source], line });
    }
    start += built[at].length + 1;
  }
  return found;
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The numbers of one segment of a source map (base64 VLQ). */
function decode(segment) {
  const numbers = [];
  let [value, shift] = [0, 0];
  for (const letter of segment) {
    const digit = digits.indexOf(letter);
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}
