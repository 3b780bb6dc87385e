// What a run costs, where PATCHBAY_TIMES is set: the processor seconds of every process below us, by the job that
// started it and by what it is, and which tests took longest. Read from /proc while they live, because a browser ends without being waited for; so
// on Linux only. Knows no job: one is what we start ourselves.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";

const every = 250;

/** A process that is just being started still carries the words of its starter. */
const looksAtItsName = 4;

const ticksPerSecond = 100;

/** Answers what ends the watching and tells the table; it is empty where nobody asked. */
export function watchTimes() {
  if (process.env.PATCHBAY_TIMES === undefined || !existsSync("/proc/self/stat")) return () => "";
  /** By process id and start: { job, role, seconds, looks }. */
  const seen = new Map();
  // Who was waited for before we began, as npm for the dependencies.
  const waitedFor = readStat("self");
  seen.set("before", { job: "before", role: "before", seconds: waitedFor?.ofChildren ?? 0 });
  const look = () => sample(seen);
  const timer = setInterval(look, every).unref();
  return (slowest) => {
    clearInterval(timer);
    look();
    const all = [...seen.values()];
    const total = all.reduce((sum, { seconds }) => sum + seconds, 0);
    const tables = [tableOf(all, "job"), tableOf(all, "role"), `Slowest:\n${listOf(slowest)}`];
    return `\nProcessor seconds: ${total.toFixed(1)}\n\n${tables.join("\n\n")}\n`;
  };
}

function sample(seen) {
  const alive = new Map();
  for (const name of readdirSync("/proc").filter((it) => /^\d+$/.test(it))) {
    const stat = readStat(name);
    if (stat !== undefined) alive.set(stat.id, stat);
  }
  for (const { id, key, seconds } of alive.values()) {
    const known = seen.get(key) ?? { looks: 0, job: jobOf(id, alive, seen) };
    if (known.job === undefined) continue;
    if (known.looks < looksAtItsName) {
      const words = wordsOf(id);
      if (words.length > 0) known.role = roleOf(words);
      if (alive.get(id)?.parent === process.pid) known.job = inShort(words) || known.job;
      known.looks += 1;
    }
    seen.set(key, { ...known, seconds });
  }
}

/** Undefined for what is none of ours. */
function jobOf(id, alive, seen) {
  if (id === process.pid) return "test/run.mjs";
  const stat = alive.get(id);
  if (stat === undefined) return undefined;
  if (stat.parent === process.pid) return inShort(wordsOf(id)) || "?";
  return seen.get(stat.key)?.job ?? jobOf(stat.parent, alive, seen);
}

/** The name in the second field may hold anything, brackets too. */
function readStat(name) {
  try {
    const text = readFileSync(`/proc/${name}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const [id, seconds, ofChildren] = [
      Number.parseInt(text, 10),
      (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
      (Number(fields[13]) + Number(fields[14])) / ticksPerSecond,
    ];
    return { id, key: `${id} ${fields[19]}`, parent: Number(fields[1]), seconds, ofChildren };
  } catch {
    return undefined;
  }
}

function wordsOf(id) {
  try {
    return readFileSync(`/proc/${id}/cmdline`, "utf8").split("\0").filter(Boolean);
  } catch {
    return [];
  }
}

/** What a browser starts has the whole command line for its first word. */
function roleOf(words) {
  const line = words.join(" ");
  const type = / --type=(\S+)/.exec(line)?.[1];
  const program = basename(line.split(" ", 1)[0]);
  return type === undefined ? `${program} ${inShort(words)}` : `${program} ${type}`;
}

/** The program and what it works on, without options and paths. */
function inShort(words) {
  const named = words.filter((word) => !/^-|^\{|\s/.test(word) && basename(word) !== "leash.mjs");
  const names = named.map((word) => word.split("/").slice(-2).join("/")).filter((it) => it !== "bin/node");
  return [names[0], names.length > 1 ? names.at(-1) : undefined].filter(Boolean).join(" ").slice(0, 60);
}

function listOf(slowest) {
  const sorted = slowest.toSorted((one, other) => other.ms - one.ms).slice(0, 40);
  return sorted.map(({ ms, name }) => `${String(Math.round(ms)).padStart(8)}  ${name}`).join("\n");
}

function tableOf(all, column) {
  const rows = new Map();
  for (const one of all) {
    const [seconds, count] = rows.get(one[column]) ?? [0, 0];
    rows.set(one[column], [seconds + one.seconds, count + 1]);
  }
  return [...rows]
    .sort(([, [one]], [, [other]]) => other - one)
    .slice(0, 24)
    .map(([name, [seconds, count]]) => `${seconds.toFixed(1).padStart(8)}  ${`×${count}`.padEnd(5)} ${name}`)
    .join("\n");
}
