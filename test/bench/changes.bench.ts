// Prints what a change set costs at the size of 1,000 files with ten changes each, in memory, and what merging costs
// beside `git merge-file`, which is told the texts as files. The way is the product's own: planned on the overlay, kept,
// looked at, accepted, taken back. Then what a long patch leaves in a journal. It fails nothing.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { ChangeSet } from "../../src/changes/change-set.ts";
import { memoryChangeStore } from "../../src/changes/change-store.ts";
import type { HunkStatus } from "../../src/changes/proposal.ts";
import { overlayOn } from "../../src/changes/proposed-workspace.ts";
import type { ConversationEvent } from "../../src/conversation/events.ts";
import { emptyConversation, reduce } from "../../src/conversation/reduce.ts";
import type { PatchPart } from "../../src/conversation/state.ts";
import type { Workspace } from "../../src/files/workspace.ts";
import { merge3, shiftEdits } from "../../src/patch/diff-and-merge.ts";
import { defaultPathInfo, type FileName, type PathInfo, type Plan } from "../../src/patch/model.ts";
import { planPatch } from "../../src/patch/plan.ts";
import { patchRowUpdate } from "../../src/session/internal/decision-report.ts";
import { StreamingPatches } from "../../src/tools/patch-view.ts";
import { silentLog } from "../../src/util/log.ts";
import { MemoryWorkspace, worldOf } from "../support/memory-workspace.ts";
import { removeFolder } from "../support/remove-folder.mjs";
import { threadTime } from "../support/thread-time.ts";
import { startWorker } from "../support/worker-thread.ts";

const print = (line: string) => void process.stdout.write(`${line}\n`);
const figure = (ms: number) => ms.toFixed(ms < 10 ? 2 : 0).padStart(8);
const used = () => process.cpuUsage();
const since = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

/** How long the thread of this process computes in one piece, at the longest; other work on the machine does not count. */
function watchStretches(): () => number {
  let [last, longest] = [threadTime(), 0];
  const look = () => {
    const now = threadTime();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  return () => {
    clearInterval(timer);
    look();
    return longest;
  };
}

interface Spent {
  readonly clock: number;
  readonly processor: number;
  /** How long this thread has computed of that: the rest is the thread for long work, and the engine's own. */
  readonly own: number;
  readonly stretch: number;
}

async function spend<T>(work: () => Promise<T>): Promise<Spent & { readonly result: T }> {
  const [began, before, ownBefore, stretches] = [performance.now(), used(), threadTime(), watchStretches()];
  const result = await work();
  const [clock, processor, own] = [performance.now() - began, since(before), threadTime() - ownBefore];
  return { result, clock, processor, own, stretch: stretches() };
}

const spentOf = ({ clock, processor, own, stretch }: Spent): Spent => ({ clock, processor, own, stretch });

function printSpent(what: string, { clock, processor, own, stretch }: Spent, goal: string): void {
  const spent = `${figure(processor)} ms of the processor, ${figure(own)} ms of them here`;
  const row = `${what.padEnd(58)} ${figure(clock)} ms ${spent}`;
  print(`${row}, longest stretch ${figure(stretch)} ms   ${goal}`);
}

async function time<T>(what: string, goal: string, work: () => Promise<T>): Promise<T> {
  const { result, ...spent } = await spend(work);
  printSpent(what, spent, goal);
  return result;
}

/** The least of some runs: what else the machine does is not ours. */
function least(what: string, goal: string, work: () => unknown, runs = 50): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const began = performance.now();
    work();
    best = Math.min(best, performance.now() - began);
  }
  print(`${what.padEnd(58)} ${figure(best)} ms ${" ".repeat(27)} ${goal}`);
  return best;
}

/** Looking at a file costs what it costs on a disk that knows it: a step, and no walk through all names. */
class ManyFiles extends MemoryWorkspace {
  override async look(file: FileName): Promise<PathInfo> {
    const text = this.files.get(file.path);
    const kind = text === undefined ? "nothing" : "file";
    const bytes = text?.length ?? 0;
    return { ...defaultPathInfo, kind, real: file.path, bytes };
  }
}

function world(files: Readonly<Record<string, string>>) {
  const memory = new ManyFiles(files);
  const seen = worldOf(memory);
  const store = memoryChangeStore();
  let ids = 0;
  const open = () =>
    new ChangeSet({
      world: () => seen,
      apply: seen.apply,
      store,
      log: silentLog,
      newId: () => `p${++ids}`,
      decided: async () => {},
      nameOf: ({ path }) => path,
      redact: async (text) => text,
      isFull: () => false,
    });
  return { files: memory.files, seen, open };
}

const planOn = async (changes: ChangeSet, seen: Workspace, patch: string): Promise<Plan> =>
  planPatch(patch, (await overlayOn(seen, changes)).workspace);

async function enter(changes: ChangeSet, plan: Plan, call: string): Promise<void> {
  const named = plan.changes.map((change) => ({
    change,
    ids:
      "hunks" in change ? change.hunks.map((_, at) => `${change.file.path}#${at + 1}`) : [change.file.path],
  }));
  if ((await changes.propose(named, { call, turn: "turn" })) !== "kept") throw new Error("stale");
}

const lineOf = (at: number) => `line ${at} of some code, as long as lines are\n`;
const textOf = (lines: number) => Array.from({ length: lines }, (_, at) => lineOf(at)).join("");
function patchOf(paths: readonly string[], lines: number, hunks: number): string {
  const every = Math.floor(lines / hunks);
  const body = paths.flatMap((path) => [
    `*** Update File: ${path}\n`,
    ...Array.from({ length: hunks }, (_, at) => {
      const line = at * every + 2;
      return `@@\n ${lineOf(line - 1)}-${lineOf(line)}+changed ${at}\n ${lineOf(line + 1)}`;
    }),
  ]);
  return `*** Begin Patch\n${body.join("")}*** End Patch\n`;
}

print(`\nChange sets; Node ${process.version}, ${cpus()[0]?.model} × ${cpus().length}\n`);

const paths = Array.from({ length: 1000 }, (_, at) => `folder-${at % 40}/file-${at}.ts`);
const calls = ["1", "2", "3", "4", "5"];

async function propose() {
  const many = world(Object.fromEntries(paths.map((path) => [path, textOf(100)])));
  const changes = many.open();
  const patches = calls.map((_, at) => patchOf(paths.slice(at * 200, at * 200 + 200), 100, 10));
  // Making files and patches is no part of the work.
  await setTimeout(10);
  const placed = await spend(() => Promise.all(patches.map((patch) => planOn(changes, many.seen, patch))));
  const kept = await spend(async () => {
    for (const [at, plan] of placed.result.entries()) await enter(changes, plan, calls[at] ?? "");
  });
  return { many, changes, placed, kept };
}

async function proposeAll(when: string) {
  const proposed = await propose();
  const kept = "≤ 600 ms by the clock, stretches ≤ 10 ms";
  printSpent(`1,000 files × 10 changes read and placed${when}`, proposed.placed, "");
  printSpent(`proposed: kept, and seen on the files${when}`, proposed.kept, kept);
  return proposed;
}

const thread = await startWorker();
// A process that has done it before has nothing left to compile: the first figure holds the engine's own compiler.
const { many, changes } = await proposeAll("");
await proposeAll(", once more");
// Kept are only the figures: what lives longer than in a window would be collected again and again.
const runs: Readonly<Record<"placed" | "kept", Spent>>[] = [];
for (let run = 0; run < 8; run++) {
  const { placed, kept } = await propose();
  runs.push({ placed: spentOf(placed), kept: spentOf(kept) });
}
const leastOf = (of: (run: (typeof runs)[number]) => number) => Math.min(...runs.map(of));
for (const part of ["placed", "kept"] as const) {
  const spent = {
    clock: leastOf((run) => run[part].clock),
    processor: leastOf((run) => run[part].processor),
    own: leastOf((run) => run[part].own),
    stretch: leastOf((run) => run[part].stretch),
  };
  printSpent(`  the least of eight more: ${part}`, spent, "");
}
await time("looked at again, nothing new", "≤ 300 ms", () => changes.refresh());
await time("one of the files typed into, looked at again", "≤ 300 ms", async () => {
  const path = paths[500] ?? "";
  many.files.set(path, `typed\n${many.files.get(path)}`);
  await changes.refresh();
});
await time("listed by another window, from what is kept", "", async () => {
  const other = many.open();
  await other.refresh();
  const hunks = other.pending.flatMap((file) => file.hunks);
  if (hunks.length !== 10_000) throw new Error(`${hunks.length} changes wait.`);
});
const ids = changes.pending.flatMap((file) => file.hunks.map(({ id }) => id));
await time("one of 10,000 changes accepted", "", () => changes.accept(ids.slice(0, 1)));
await time("the others accepted", "≤ 5,000 ms", () => changes.accept(ids.slice(1)));
if (changes.pending.length > 0) throw new Error("Something still waits.");
await time("all of it taken back", "", () => changes.undo(calls));
if (many.files.get(paths[0] ?? "") !== textOf(100)) throw new Error("It is not what it was.");

print("");
const long = world({ "a.ts": textOf(20_000) });
const inOne = long.open();
await enter(inOne, await planOn(inOne, long.seen, patchOf(["a.ts"], 20_000, 1000)), "1");
const [file] = inOne.pending;
if (file === undefined || !("edits" in file.change)) throw new Error("Nothing waits.");
const { edits } = file.change;
const typed = { lines: { first: 10_001, last: 10_001 }, removed: 0, text: "x" };
least("a key in a file of 20,000 lines with 1,000 changes", "≤ 2 ms", () => shiftEdits(edits, typed));
let keys = 0;
await time("the same file once the keys rest: merged and shown", "", async () => {
  const text = long.files.get("a.ts") ?? "";
  long.files.set("a.ts", text.replace(lineOf(10_005), `${"x".repeat(++keys)}${lineOf(10_005)}`));
  await inOne.refresh();
});

print("");
const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(0)} KB`;
for (const files of [50, 200]) {
  const own = paths.slice(0, files);
  const sent = patchOf(own, 20, 1);
  const started = { type: "started", turn: "1", at: 0, model: "m", route: "responses", prompt: "" } as const;
  let state = reduce(emptyConversation("c"), started);
  const row = () => state.turns[0]?.parts[0] as PatchPart;
  const written = { told: 0, whole: 0 };
  const take = (event: ConversationEvent | undefined) => {
    if (event === undefined) return;
    state = reduce(state, event);
    written.told += JSON.stringify(event).length;
    written.whole += JSON.stringify({ ...row(), turn: "1" }).length;
  };
  const say = (what: string) => {
    print(`${what.padEnd(58)} ${kilobytes(written.told)}; told whole each time ${kilobytes(written.whole)}`);
    Object.assign(written, { told: 0, whole: 0 });
  };
  const arriving = new StreamingPatches();
  take(arriving.take("1", 0, { type: "call", item: "x", name: "apply_patch" }));
  for (let at = 0; at < sent.length; at += 64)
    take(arriving.take("1", 0, { type: "call-input", item: "x", delta: sent.slice(at, at + 64) }));
  say(`${files} files, ${kilobytes(sent.length)}, arrive in a journal`);
  const statuses = new Map<string, HunkStatus>(own.map((path) => [`${path}#1`, "pending"]));
  for (const id of statuses.keys()) {
    statuses.set(id, "applied");
    const news = patchRowUpdate(row(), { statuses, note: undefined, halfWritten: undefined });
    take(news && { ...news, turn: "1" });
  }
  say("  decided one by one");
}

print("");
const folder = mkdtempSync(join(tmpdir(), "patchbay-changes-bench-"));
try {
  for (const [lines, each] of [
    [2_000, 20],
    [20_000, 200],
    [200_000, 1000],
  ] as const) {
    const changed = (by: string, from: number) => {
      const now = Array.from({ length: lines }, (_, at) => lineOf(at));
      const every = Math.floor(lines / each);
      for (let at = from; at < lines; at += every) now[at] = `${by} ${at}\n`;
      return now.join("");
    };
    const [base, mine, theirs] = [textOf(lines), changed("mine", 3), changed("theirs", 7)];
    const names = { base, mine, theirs };
    for (const [name, text] of Object.entries(names)) writeFileSync(join(folder, name), text);
    const merge = (...files: string[]) =>
      spawnSync("git", ["merge-file", "-p", ...files], { cwd: folder, maxBuffer: 2 ** 28 });
    const what = `${lines.toLocaleString("en")} lines, ${each.toLocaleString("en")} changes on each side`;
    const own = least(`merged: ${what}`, "", () => merge3(base, mine, theirs), 5);
    writeFileSync(join(folder, "none"), "");
    const start = least(
      "  git merge-file of empty files: its process alone",
      "",
      () => merge("none", "none", "none"),
      5,
    );
    const peer = least("  git merge-file of these", "", () => merge("mine", "base", "theirs"), 5);
    const said = merge("mine", "base", "theirs").stdout.toString();
    const same = said === merge3(base, mine, theirs).text ? "the same text" : "ANOTHER TEXT";
    print(
      `  ${(own / peer).toFixed(2)} × of git's, ${(own / (peer - start)).toFixed(2)} × without its process; ${same}`,
    );
  }
  print(`\n${execFileSync("git", ["--version"], { encoding: "utf8" }).trim()}`);
} finally {
  await thread.close();
  await removeFolder(folder);
}
