// Finds own stretches: how long the main thread computed in the product without a pause, by its processor time, which
// other work on the machine does not lengthen. A beat of an interval ends a stretch, and so do the borders of tests and
// of the cases in them. What is own is told by a sampling profile: a sample belongs to whoever is nearest to what runs,
// `src/` or tests; packages and Node belong to their caller. On Linux only; elsewhere nothing is watched.
import { openSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { Session } from "node:inspector";
import { fileURLToPath } from "node:url";
import { slowness } from "./slowness.mjs";

/** Milliseconds, where the machine is as fast as usual. */
const maxOwnStretch = 100;
const beatEvery = 5;
const sampledEvery = 10;

/**
 * @typedef {{ test: string, ms: number, where: string }} Stretch
 * @typedef {{ beat(): void, enter(test: string): void, stop(): { long: Stretch[], longest: Stretch | undefined, all: number[] } }} Watchdog
 */

/** @returns {Watchdog | undefined} */
export function startWatchdog() {
  const time = mainThreadTime();
  if (time === undefined) return undefined;
  const slownessBefore = slowness();
  /** @type {{ test: string, from: number, to: number, ms: number }[]} */
  const stretches = [];
  let test = "";
  let last = { at: now(), ms: time() };
  const beat = () => {
    const next = { at: now(), ms: time() };
    const ms = next.ms - last.ms;
    if (ms > 0 && test !== "") stretches.push({ test, from: last.at, to: next.at, ms });
    last = next;
  };
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.setSamplingInterval", { interval: sampledEvery * 1000 });
  session.post("Profiler.start");
  const timer = setInterval(beat, beatEvery);
  timer.unref();
  return {
    beat,
    enter(name) {
      beat();
      test = name;
    },
    stop() {
      beat();
      clearInterval(timer);
      /** @type {import("node:inspector").Profiler.Profile | undefined} */
      let profile;
      session.post("Profiler.stop", (_, found) => {
        profile = found?.profile;
      });
      session.disconnect();
      if (profile === undefined) throw new Error("The profile of the watchdog is not there.");
      return judge(stretches, profile, maxOwnStretch * Math.max(slownessBefore, slowness()));
    },
  };
}

/** In microseconds, on the clock of profiles. */
const now = () => Number(process.hrtime.bigint() / 1000n);

function mainThreadTime() {
  if (process.platform !== "linux") return undefined;
  const file = openSync(`/proc/${readlinkSync("/proc/thread-self")}/schedstat`, "r");
  const bytes = Buffer.alloc(64);
  return () => {
    const length = readSync(file, bytes, 0, bytes.length, 0);
    return Number(bytes.latin1Slice(0, length).split(" ", 1)[0]) / 1e6;
  };
}

/**
 * @param {{ test: string, from: number, to: number, ms: number }[]} stretches
 * @param {import("node:inspector").Profiler.Profile} profile
 * @param {number} limit the longest that is not too long, in milliseconds
 */
function judge(stretches, profile, limit) {
  const ownerOf = readOwners(profile);
  const samples = profile.samples ?? [];
  const deltas = profile.timeDeltas ?? [];
  /** @type {Stretch[]} */
  const found = [];
  const all = [];
  let index = 0;
  let at = profile.startTime + (deltas[0] ?? 0);
  for (const { test, from, to, ms } of stretches) {
    const places = new Map();
    let count = 0;
    let own = 0;
    for (; index < samples.length && at <= to; at += deltas[++index] ?? 0) {
      if (at <= from) continue;
      count++;
      const owner = ownerOf(samples[index] ?? 0);
      if (owner === undefined) continue;
      own++;
      places.set(owner, (places.get(owner) ?? 0) + 1);
    }
    if (own === 0) continue;
    const ownTime = (ms * own) / count;
    all.push(ownTime);
    const [where = ""] = [...places].sort((one, other) => other[1] - one[1])[0] ?? [];
    found.push({ test, ms: Math.round(ownTime), where });
  }
  const longest = found.toSorted((one, other) => other.ms - one.ms)[0];
  return { long: found.filter(({ ms }) => ms > limit), longest, all };
}

/**
 * The product's function that a sample belongs to, or undefined.
 * @param {import("node:inspector").Profiler.Profile} profile
 */
function readOwners({ nodes }) {
  const fileAt = readBundles();
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  /** @type {Map<number, string | undefined>} */
  const owners = new Map();
  /** @returns {string | undefined} */
  const ownerOf = (id) => {
    if (owners.has(id)) return owners.get(id);
    const frame = byId.get(id)?.callFrame;
    const file = frame === undefined ? undefined : fileAt(frame.url, frame.lineNumber);
    const parent = parents.get(id);
    let owner = parent === undefined ? undefined : ownerOf(parent);
    if (isHosts(file)) owner = `${frame?.functionName || "a function"} (${file})`;
    else if (file !== undefined && /^(?:src|test)\//.test(file)) owner = undefined;
    owners.set(id, owner);
    return owner;
  };
  return ownerOf;
}

/** What the page computes, or the second thread, which alone reads the output of checks, holds that alone. */
const elsewhere = /^src\/(?:page\/|checks\/internal\/read-check-output\.ts$)/;

const isHosts = (file) => file?.startsWith("src/") === true && !elsewhere.test(file);

/** Which source file a line of a bundle comes from: esbuild writes its name above. */
function readBundles() {
  /** @type {Map<string, (string | undefined)[]>} */
  const bundles = new Map();
  const read = (url) => {
    const path = url.startsWith("file:") ? fileURLToPath(url) : url;
    let file;
    return readFileSync(path, "utf8")
      .split("\n")
      .map((line) => {
        file = /^\s*\/\/ ((?:src|test|node_modules|sim)\/.*)$/.exec(line)?.[1] ?? file;
        return file;
      });
  };
  return (url, line) => {
    if (!/[\\/](?:\.build|dist|tests)[\\/]/.test(url)) return undefined;
    if (!bundles.has(url))
      bundles.set(
        url,
        readOr(() => read(url), []),
      );
    return bundles.get(url)?.[line];
  };
}

function readOr(read, otherwise) {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
