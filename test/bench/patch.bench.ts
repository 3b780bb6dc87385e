// Prints how long patches take, ours beside the peer that installs from npm, in one run on one machine, and how far
// that is from the goals. Ours is the whole way (parse, look, place uniquely, hash, plan, text); the peer's is its
// function alone. It fails nothing.
import { cpus } from "node:os";
import { applyDiff } from "@openai/agents-core";
import { applyEdits } from "../../src/patch/edits.ts";
import { parsePatch } from "../../src/patch/parse.ts";
import { PatchError } from "../../src/patch/patch-error.ts";
import { planPatch } from "../../src/patch/plan.ts";
import { MemoryWorkspace } from "../support/memory-workspace.ts";

type Kind = "exact" | "drifted" | "one stale";

interface Job {
  readonly lines: number;
  readonly hunks: number;
  readonly kind: Kind;
}

const jobs: Job[] = [2_000, 20_000, 200_000].flatMap((lines) =>
  // A hunk takes eight lines, so that 2,000 lines have room for 250.
  [1, 100, Math.min(1_000, lines / 8)].flatMap((hunks) =>
    (["exact", "drifted", "one stale"] as const).map((kind) => ({ lines, hunks, kind })),
  ),
);

/** Code-like text: nested, with braces and blank lines that repeat, and lines that do not. */
function makeText(count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const step = at % 8;
    if (step === 0) return `function f${at}() {`;
    if (step === 6) return "  return a;";
    if (step === 7) return "}";
    return step === 5 ? "" : `  const v${at} = ${step};`;
  });
}

/** One hunk in every stretch of lines: three lines of context, one line replaced, three lines of context. */
function makeHunks(text: readonly string[], { hunks, kind }: Job): string {
  const stretch = Math.floor(text.length / hunks / 8) * 8;
  const drift = kind === "drifted" ? (line: string) => line.replace(/^ {2}/, "\t") : (line: string) => line;
  const parts: string[] = [];
  for (let hunk = 0; hunk < hunks; hunk++) {
    const at = hunk * stretch + 3;
    const stale = kind === "one stale" && hunk === hunks - 1;
    const old = text.slice(at - 3, at + 4).map((line) => drift(line));
    parts.push("@@");
    for (const [step, line] of old.entries()) {
      if (step !== 3) parts.push(` ${line}`);
      else parts.push(`-${stale ? `${line} // gone` : line}`, `+${line.replace("const", "let")}`);
    }
  }
  return parts.join("\n");
}

interface Result {
  readonly text: string | undefined;
  readonly error?: string;
}

const patchOf = (hunks: string) => `*** Begin Patch\n*** Update File: a.ts\n${hunks}\n*** End Patch\n`;

/** Reading the patch and doing nothing with it: what more hunks cost whoever reads them. */
async function reading(_: string, hunks: string): Promise<Result> {
  return { text: parsePatch(patchOf(hunks)).kind };
}

async function ours(text: string, hunks: string): Promise<Result> {
  const workspace = new MemoryWorkspace({ "a.ts": text });
  const patch = patchOf(hunks);
  try {
    const [change] = (await planPatch(patch, workspace)).changes;
    return { text: change?.kind === "update" ? applyEdits(change.base.text, change.edits) : text };
  } catch (error) {
    if (error instanceof PatchError) return { text: undefined, error: error.message };
    throw error;
  }
}

async function agents(text: string, hunks: string): Promise<Result> {
  try {
    return { text: applyDiff(text, hunks) };
  } catch (error) {
    return { text: undefined, error: error instanceof Error ? error.message : String(error) };
  }
}

interface Timed extends Result {
  readonly median: number;
  readonly best: number;
}

/** Seven runs, or as many of them as fit into two seconds. */
async function time(run: typeof ours, text: string, hunks: string): Promise<Timed> {
  const times: number[] = [];
  let result: Result = { text: undefined };
  const end = performance.now() + 2_000;
  while (times.length === 0 || (times.length < 7 && performance.now() < end)) {
    const started = performance.now();
    result = await run(text, hunks);
    times.push(performance.now() - started);
  }
  times.sort((one, other) => one - other);
  return { ...result, median: times[times.length >> 1] ?? 0, best: times[0] ?? 0 };
}

/** Where the indentation drifted, ours writes new lines in the file's own; the peer leaves them as the patch has them. */
function compare(own: Result, peer: Result): string {
  if (own.text === peer.text) return own.text === undefined ? "both refuse" : "same text";
  if (peer.text === undefined) return `peer fails: ${peer.error?.split("\n")[0]?.slice(0, 40)}`;
  return own.text === undefined ? "ours refuses" : "another text";
}

const format = (ms: number) => ms.toFixed(ms < 10 ? 1 : 0);
const cells = (...texts: readonly string[]) => texts.map((text) => text.padStart(10)).join("");
console.log(`\nPatches, ms, medians; Node ${process.version}, ${cpus()[0]?.model} × ${cpus().length}\n`);
console.log(`${cells("lines", "hunks", "kind", "ours", "agents-js", "ratio")}   result`);
const best = new Map<string, { readonly own: number; readonly peer: number; readonly read: number }>();
for (const job of jobs) {
  const lines = makeText(job.lines);
  const text = `${lines.join("\n")}\n`;
  const hunks = makeHunks(lines, job);
  const own = await time(ours, text, hunks);
  const peer = await time(agents, text, hunks);
  const read = await time(reading, text, hunks);
  best.set(`${job.lines} ${job.hunks} ${job.kind}`, { own: own.best, peer: peer.best, read: read.best });
  const ratio = (peer.median / own.median).toFixed(1);
  const row = cells(
    String(job.lines),
    String(job.hunks),
    job.kind,
    format(own.median),
    format(peer.median),
    ratio,
  );
  console.log(`${row}   ${compare(own, peer)}`);
}

/** In turn, so that what else the machine does meets both: the least and the median of each. */
async function warm(runs: readonly (typeof ours)[], text: string, hunks: string) {
  const times: number[][] = runs.map(() => []);
  const count = 2_000;
  for (let round = 0; round < count; round++) {
    for (const [at, run] of runs.entries()) {
      const started = performance.now();
      await run(text, hunks);
      times[at]?.push(performance.now() - started);
    }
  }
  return times.map((all) => {
    const last = all.slice(count / 2).sort((one, other) => one - other);
    return { least: last[0] ?? 0, median: last[last.length >> 1] ?? 0 };
  });
}

console.log("\n2,000 lines, 100 hunks, warm, goal ≤ 2 × agents-js; ms, least and median of 1,000");
console.log(cells("", "ours", "", "agents-js", "", "ratio", "", "read only"));
for (const kind of ["exact", "drifted", "one stale"] as const) {
  const lines = makeText(2_000);
  const hunks = makeHunks(lines, { lines: 2_000, hunks: 100, kind });
  const [own, peer, read] = await warm([ours, agents, reading], `${lines.join("\n")}\n`, hunks);
  if (own === undefined || peer === undefined || read === undefined) continue;
  const ratios = [own.least / peer.least, own.median / peer.median].map((ratio) => `${ratio.toFixed(2)} ×`);
  const times = [own.least, own.median, peer.least, peer.median].map((ms) => ms.toFixed(2));
  console.log(cells(kind, ...times, ...ratios, read.least.toFixed(2)));
}

const goals: readonly (readonly [Kind, number])[] = [
  ["exact", 150],
  ["drifted", 300],
  ["one stale", 150],
];
console.log("\n200,000 lines, the best run of each: 1,000 hunks, and how it grows from 1 hunk");
console.log(cells("", "ours", "goal", "growth", "goal", "agents-js", "read only"));
const nothing = { own: 0, peer: 0, read: 0 };
for (const [kind, goal] of goals) {
  const [one = nothing, thousand = nothing] = [best.get(`200000 1 ${kind}`), best.get(`200000 1000 ${kind}`)];
  const growth = (from: number, to: number) => `${(to / from).toFixed(1)} ×`;
  console.log(
    cells(
      ...[kind, `${format(thousand.own)} ms`, `≤ ${goal} ms`, growth(one.own, thousand.own), "≤ 1.3 ×"],
      ...[growth(one.peer, thousand.peer), `${format(thousand.read)} ms`],
    ),
  );
}
