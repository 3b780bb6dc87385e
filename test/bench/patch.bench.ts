// Prints how long patches take, ours beside the peers that install from npm, in one run on one machine. Ours is the
// whole way (parse, look, place uniquely, hash, plan, text); the peer's is its function alone. It fails nothing.
import { cpus } from "node:os";
import { applyDiff } from "@openai/agents-core";
import { applyEdits } from "../../src/core/patch/edits.ts";
import { PatchError } from "../../src/core/patch/patch-error.ts";
import { planPatch } from "../../src/core/patch/plan.ts";
import { MemoryWorkspace } from "../support/memory-workspace.ts";

type Kind = "exact" | "drifted" | "one stale";

interface Job {
  readonly lines: number;
  readonly hunks: number;
  readonly kind: Kind;
}

const jobs: Job[] = [2_000, 20_000, 200_000].flatMap((lines) =>
  [1, 100, 1_000].flatMap((hunks) =>
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
  const stretch = Math.floor(text.length / hunks / 8) * 8 || 8;
  const drift = kind === "drifted" ? (line: string) => line.replace(/^ {2}/, "\t") : (line: string) => line;
  const parts: string[] = [];
  for (let hunk = 0; hunk < hunks && hunk * stretch + 8 <= text.length; hunk++) {
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

async function ours(text: string, hunks: string): Promise<string> {
  const workspace = new MemoryWorkspace({ "a.ts": text });
  const patch = `*** Begin Patch\n*** Update File: a.ts\n${hunks}\n*** End Patch\n`;
  try {
    const [change] = (await planPatch(patch, workspace)).changes;
    return change?.kind === "update" ? applyEdits(change.base.text, change.edits) : "";
  } catch (error) {
    if (error instanceof PatchError) return "refused";
    throw error;
  }
}

async function agents(text: string, hunks: string): Promise<string> {
  try {
    return applyDiff(text, hunks);
  } catch {
    return "refused";
  }
}

async function time(run: (text: string, hunks: string) => Promise<string>, text: string, hunks: string) {
  const times: number[] = [];
  let result = "";
  const budget = performance.now() + 2_000;
  while (times.length < 3 || (times.length < 7 && performance.now() < budget)) {
    const started = performance.now();
    result = await run(text, hunks);
    times.push(performance.now() - started);
  }
  times.sort((one, other) => one - other);
  return { first: times[0] ?? 0, median: times[times.length >> 1] ?? 0, result };
}

const format = (ms: number) => ms.toFixed(ms < 10 ? 1 : 0).padStart(8);
console.log(`\nPatches, ms, medians; Node ${process.version}, ${cpus()[0]?.model} × ${cpus().length}\n`);
console.log("   lines   hunks  kind           ours  agents-js    ratio   same result");
for (const job of jobs) {
  const lines = makeText(job.lines);
  const text = `${lines.join("\n")}\n`;
  const hunks = makeHunks(lines, job);
  const own = await time(ours, text, hunks);
  const peer = await time(agents, text, hunks);
  const ratio = (peer.median / own.median).toFixed(1).padStart(8);
  const same = own.result === peer.result ? "yes" : "no";
  const name = `${String(job.lines).padStart(8)}${String(job.hunks).padStart(8)}  ${job.kind.padEnd(10)}`;
  console.log(`${name}${format(own.median)} ${format(peer.median)}   ${ratio}   ${same}`);
}
