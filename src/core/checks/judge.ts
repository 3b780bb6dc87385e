// What a run with the proposal says that a run without it does not: findings are compared as multisets, with the numbers of
// lines taken off, and where nothing can be said that is what is said. Pure.
import type { CheckFinding } from "../conversation/check-result.ts";
import { type Message, message } from "../messages/message.ts";
import type { CheckRun } from "./check.ts";
import { readCheckOutput } from "./read-check-output.ts";

export type Verdict =
  | { readonly state: "passed" | "no-new" }
  | { readonly state: "new-findings"; readonly findings: readonly CheckFinding[] }
  | { readonly state: "could-not-compare" | "unavailable"; readonly why: Message };

/** A file that is called otherwise with the proposal. */
export type Moved = ReadonlyMap<string, string>;

/** Nothing where the run without the proposal has to be known first. */
export function judgeAlone(run: CheckRun): Verdict | undefined {
  const failed = whyUnusable(run);
  if (failed !== undefined) return failed;
  return run.code === 0 && readCheckOutput(run.output).findings.length === 0
    ? { state: "passed" }
    : undefined;
}

export function judge(run: CheckRun, baseline: CheckRun, moved: Moved = new Map()): Verdict {
  const failed = whyUnusable(run);
  if (failed !== undefined) return failed;
  if (whyUnusable(baseline) !== undefined)
    return { state: "could-not-compare", why: message("checkNoBaseline") };
  const [before, after] = [readCheckOutput(baseline.output), readCheckOutput(run.output)];
  const stoppedEarly = baseline.code !== 0 && (before.findings.length === 0 || before.isCutShort);
  if (stoppedEarly && run.code !== 0) return { state: "could-not-compare", why: message("checkNoBaseline") };
  const fresh = newFindings(before.findings, after.findings, moved);
  if (fresh.length > 0) return { state: "new-findings", findings: fresh };
  if (run.code === 0) return { state: "passed" };
  if (baseline.code === 0) return { state: "new-findings", findings: [lastWords(run)] };
  return { state: "no-new" };
}

/** Of several that read the same those count as old that stand where one stood. */
export function newFindings(
  before: readonly CheckFinding[],
  after: readonly CheckFinding[],
  moved: Moved = new Map(),
): readonly CheckFinding[] {
  const known = new Map<string, CheckFinding[]>();
  for (const each of before) {
    const path = each.path === undefined ? undefined : (moved.get(each.path) ?? each.path);
    const key = keyOf({ ...each, ...(path !== undefined && { path }) });
    known.set(key, [...(known.get(key) ?? []), each]);
  }
  const groups = new Map<string, CheckFinding[]>();
  for (const each of after) {
    const key = keyOf(each);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  const fresh = new Set<CheckFinding>();
  for (const [key, group] of groups) {
    const old = known.get(key) ?? [];
    const surplus = group.length - old.length;
    if (surplus <= 0) continue;
    const lines = new Set(old.map(({ line }) => line));
    const apart = group.filter(({ line }) => !lines.has(line));
    const beside = group.filter(({ line }) => lines.has(line));
    for (const each of [...apart, ...beside].slice(0, surplus)) fresh.add(each);
  }
  return after.filter((each) => fresh.has(each));
}

function whyUnusable({ end, code }: CheckRun): Verdict | undefined {
  if (end === "timeout") return { state: "could-not-compare", why: message("checkTimeout") };
  if (end === "output") return { state: "could-not-compare", why: message("checkOutput") };
  if (end === "disk") return { state: "could-not-compare", why: message("checkDisk") };
  if (end === "broken" || code === undefined)
    return { state: "could-not-compare", why: message("checkBroken") };
  // What a shell answers where there is no such program, or it may not be run.
  if (code === 127 || code === 126 || code === 9009)
    return { state: "unavailable", why: message("checkMissing") };
  return undefined;
}

const keyOf = ({ path = "", code = "", text }: CheckFinding): string =>
  JSON.stringify([path, code, normalized(text)]);

/** Numbers of lines, addresses and times are others each time. */
const normalized = (text: string): string =>
  text
    .replace(/\b0x[0-9a-fA-F]+\b/g, "0x")
    .replace(/\bline \d+/gi, "line")
    .replace(/:\d+(?::\d+)?/g, ":")
    .replace(/\(\d+,\d+\)/g, "()")
    .replace(/\b\d+(?:\.\d+)? ?m?s\b/g, "s");

/** A failure in no known form: its end says most. */
function lastWords({ output, code = 1 }: CheckRun): CheckFinding {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  return { text: lines.slice(-3).join(" · ").slice(-300) || `exit code ${code}` };
}
