// `npm run mutate -- files [patch …] [--seed 7] [--count 20] [--only files/walk.ts:31,…] [--also session,…] [--within 60]`:
// plants that many faults in each room, one after another, and lists those that no test of the room notices. A test is run
// only if it executes the line that is spoilt. With `--only` those of the drawn faults are planted that stand at these lines, or in
// these files and folders; with `--also` what the room's tests let pass is tried on the unit tests that have one of these
// parts in their path. With `--within` no more tests are run for a fault than take so many seconds, the quickest of them.
// `npm run mutate -- planted` plants those of planted.mjs, `npm run mutate -- survivors` those that README.md lists. By hand,
// never part of a test run.
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { applyMutation, mutationsOf } from "./mutations.mjs";
import { planted } from "./planted.mjs";
import { learnReach } from "./reach.mjs";
import { survivors } from "./survivors.mjs";
import { findNoticing, folderOf } from "./test-runs.mjs";

/** @param {readonly string[]} args */
export async function mutate(args) {
  const { rooms, seed, count, only, also, within } = readArgs(args);
  if (rooms.length === 0) {
    console.error(
      "npm run mutate -- <room below src, planted or survivors> […] [--seed <number>] [--count <faults>]",
    );
    return 1;
  }
  const known = { planted: plantedFaults, survivors };
  const drawn = rooms.flatMap((room) => known[room]?.() ?? draw(room, count, seed));
  const isWanted = ({ file, line }) =>
    only.length === 0 ||
    only.some((place) => `${file}:${line}` === place || `${file}/`.startsWith(`${place}/`));
  const faults = drawn.filter(isWanted);
  console.log(`Seed ${seed}, ${faults.length} faults in ${rooms.join(", ")}.`);
  const findNoticed = await prepare(new Set(faults.map(({ room }) => room)), also, within);
  const counts = { near: 0, elsewhere: 0, survived: 0 };
  for (const fault of faults) {
    const { where, by } = await findNoticed(fault);
    counts[where] += 1;
    console.log(`${describe(fault)}\n${where === "survived" ? "SURVIVED" : `noticed ${where}`}: ${by}`);
  }
  for (const name of ["sound", "faulty", "coverage"])
    rmSync(folderOf(name), { recursive: true, force: true });
  console.log(`\nNoticed near ${counts.near}, elsewhere ${counts.elsewhere}, survived ${counts.survived}.`);
  return 0;
}

function readArgs(args) {
  const after = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const isValue = (at) => ["--seed", "--count", "--only", "--also", "--within"].includes(args[at - 1]);
  const rooms = args.filter((word, at) => !word.startsWith("--") && !isValue(at));
  return {
    rooms: rooms.map((room) => room.replace(/^(?:\.\/)?src\//, "").replace(/\/$/, "")),
    seed: Number(after("--seed") ?? Date.now() % 1_000_000),
    count: Number(after("--count") ?? 25),
    only:
      after("--only")
        ?.split(",")
        .map((place) => place.replace(/^(?:src\/)?/, "src/")) ?? [],
    also: after("--also")?.split(",") ?? [],
    within: Number(after("--within") ?? Number.POSITIVE_INFINITY),
  };
}

/** The same numbers for the same seed (mulberry32). */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Spread by lines: each line that can be spoilt has the same chance, whatever stands on it. */
function draw(room, count, seed) {
  const random = generator(seed);
  const lines = listFiles(`src/${room}`, /\.ts$/).flatMap((file) => {
    const source = readFileSync(file, "utf8");
    const byLine = new Map();
    for (const mutation of mutationsOf(source)) {
      const line = source.slice(0, mutation.start).split("\n").length;
      byLine.set(line, [...(byLine.get(line) ?? []), mutation]);
    }
    return [...byLine].map(([line, mutations]) => ({ file, source, line, mutations }));
  });
  return Array.from({ length: Math.min(count, lines.length) }, () => {
    const [drawn] = lines.splice(Math.floor(random() * lines.length), 1);
    const { file, source, line, mutations } = drawn;
    const mutation = mutations[Math.floor(random() * mutations.length)];
    return { room, file, source, line, text: applyMutation(source, mutation), what: mutation.what };
  });
}

function plantedFaults() {
  return planted.map(({ file, old, text, what }) => {
    const source = readFileSync(file, "utf8");
    if (source.split(old).length !== 2) throw new Error(`Not once in ${file}: ${old}`);
    const line = source.slice(0, source.indexOf(old)).split("\n").length;
    return {
      room: dirname(file).slice("src/".length),
      file,
      source,
      line,
      text: source.replace(old, () => text),
      what,
    };
  });
}

function listFiles(folder, pattern) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((file) => pattern.test(file) && statSync(file).isFile())
    .sort();
}

/**
 * The tests of a room are those in the folder of its name; what takes least is run before what takes longer. Slow ones come
 * last, after those of other rooms, and tests that measure time are left out.
 */
async function prepare(rooms, also, within) {
  const isNearTo = (room) => (test) => test.startsWith(`test/unit/${room}/`);
  const isWanted = (test) =>
    [...rooms].some((room) => isNearTo(room)(test)) || also.some((part) => test.includes(part));
  const all = listFiles("test/unit", /\.test\.ts$/).filter(
    (test) => isWanted(test) && !test.includes("/growth/"),
  );
  const reachOf = await learnReach(all);
  const findIn = async (tests, fault) => {
    const reaches = await reachOf(tests);
    const secondsOf = (test) => reaches.get(test).seconds;
    const chosen = [];
    let seconds = 0;
    for (const test of tests.toSorted((a, b) => secondsOf(a) - secondsOf(b))) {
      if (!reaches.get(test).lines[fault.file]?.includes(fault.line)) continue;
      if (seconds + secondsOf(test) > within) break;
      seconds += secondsOf(test);
      chosen.push(test);
    }
    const longest = Math.max(0, ...chosen.map(secondsOf));
    return { by: await findNoticing(chosen, longest, fault), files: chosen.length };
  };
  return async (fault) => {
    const isNear = isNearTo(fault.room);
    const isSlow = (test) => test.includes(".slow.");
    const near = await findIn(
      all.filter((test) => isNear(test) && !isSlow(test)),
      fault,
    );
    if (near.by !== undefined) return { where: "near", by: near.by };
    if (also.length === 0) return { where: "survived", by: `${near.files} files near execute the line` };
    const others = all.filter((test) => !isNear(test) && !isSlow(test));
    const elsewhere = await findIn(others, fault);
    if (elsewhere.by !== undefined) return { where: "elsewhere", by: elsewhere.by };
    const slow = await findIn(
      all.filter((test) => isNear(test) && isSlow(test)),
      fault,
    );
    if (slow.by !== undefined) return { where: "near", by: `${slow.by} (slow)` };
    const files = `${near.files} files near, ${slow.files} slow ones and ${elsewhere.files} elsewhere`;
    return { where: "survived", by: `${files} execute the line` };
  };
}

/** The line as it was and as it is; what leaves the line or takes out several is told by its first line. */
function describe({ file, source, line, text, what }) {
  const lineOf = (whole) => whole.split("\n")[line - 1]?.trim();
  return [`\n${file}:${line}  ${what}`, `- ${lineOf(source)}`, `+ ${lineOf(text)}`].join("\n");
}
