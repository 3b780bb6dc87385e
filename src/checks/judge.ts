// Compares a run with the proposal to a run without it, as multisets of findings without line numbers. If no conclusion
// is possible, the verdict says so. Pure.

import { type Message, message } from "../conversation/messages.ts";
import { groupBy } from "../util/collections.ts";
import { parseJson } from "../util/json.ts";
import type { CheckRun } from "./check.ts";
import type { CheckFinding, Earlier } from "./check-result.ts";
import { readCheckOutput } from "./internal/read-check-output.ts";

export type Verdict =
  | { readonly state: "no-new"; readonly earlier?: Earlier }
  /** `findings`: new warnings, which do not make the check fail. */
  | { readonly state: "passed"; readonly findings?: readonly CheckFinding[]; readonly earlier?: Earlier }
  | {
      readonly state: "new-findings";
      readonly findings: readonly CheckFinding[];
      readonly why?: Message;
      readonly earlier?: Earlier;
    }
  | { readonly state: "could-not-compare" | "unavailable"; readonly why: Message };

interface StateQuestion {
  /** The beginning of the incremental state that a run of the compiler has written. */
  readonly text: string;
  /** Paths of proposed files by their names in it, as `nameInState` spells them. */
  readonly wanted: ReadonlyMap<string, string>;
}

/** The task that finds the proposed files that the compiler has not read; none if the state has an unknown format. */
export const findingUnseen = {
  name: "unseen",
  run({ text, wanted }: StateQuestion): readonly string[] {
    const names = namesInState(text);
    if (names === undefined) return [];
    const seen = new Set(names.map((name) => wanted.get(nameInState(name))));
    return [...new Set(wanted.values())].filter((path) => !seen.has(path));
  },
};

/** On some systems, names are in lower case. */
export const nameInState = (path: string): string =>
  path.replaceAll("\\", "/").replace(/^\.\//, "").normalize().toLowerCase();

function namesInState(text: string): readonly string[] | undefined {
  const mark = '"fileNames":[';
  const start = text.indexOf(mark);
  // A name may contain a bracket, so search for the quote that ends it.
  const end = start < 0 ? -1 : text.indexOf('"],', start);
  if (end < 0) return undefined;
  const names = parseJson(text.slice(start + mark.length - 1, end + 2));
  return Array.isArray(names) && names.every((each) => typeof each === "string") ? names : undefined;
}

/** Old and new names of files that the proposal renames. */
type MovedFiles = ReadonlyMap<string, string>;

type Unusable = Extract<Verdict, { readonly state: "could-not-compare" | "unavailable" }>;

export interface JudgeInput {
  readonly run: CheckRun;
  /** The run without the proposal; absent if it has not run. */
  readonly baseline?: CheckRun;
  readonly moved?: MovedFiles;
  /** Files of the proposal, relative to the folder. Old findings in them are listed. */
  readonly proposed?: readonly string[];
}

/** The baseline if all findings count as new. */
export const cleanRun: CheckRun = { end: "done", code: 0, output: "", seconds: 0 };

/** Limit for old findings that are passed on with their places. */
const maxStill = 100;

/** Returns `undefined` if the run without the proposal is needed first. */
export const judgeRuns = ({ run, baseline, moved, proposed }: JudgeInput): Verdict | undefined =>
  baseline === undefined ? judgeAlone(run) : judge(run, baseline, moved, proposed);

export function judgeAlone(run: CheckRun): Verdict | undefined {
  const failed = whyUnusable(run);
  if (failed !== undefined) return failed;
  return run.code === 0 && readCheckOutput(run.output).findings.length === 0
    ? { state: "passed" }
    : undefined;
}

export function judge(
  run: CheckRun,
  baseline: CheckRun,
  moved: MovedFiles = new Map(),
  proposed: readonly string[] = [],
): Verdict {
  const failed = whyUnusable(run);
  if (failed !== undefined) return failed;
  const cannot = (why: Message): Verdict => ({ state: "could-not-compare", why });
  const without = whyUnusable(baseline);
  if (without !== undefined) return cannot(message("checkWithout", { why: without.why }));
  const [before, after] = [readCheckOutput(baseline.output), readCheckOutput(run.output)];
  if (before.isCapped || baseline.end === "output") return cannot(message("checkOutput"));
  const stoppedEarly = baseline.code !== 0 && (before.findings.length === 0 || before.isCutShort);
  if (stoppedEarly && run.code !== 0)
    return cannot(message("checkNoBaseline", { output: lastWords(baseline).text }));
  const fresh = newFindings(before.findings, after.findings, moved);
  const isCapped = after.isCapped || run.end === "output";
  const isWhole = !isCapped && !after.isCutShort && (run.code === 0 || after.findings.length > 0);
  const earlier = isWhole ? earlierOf(baseline, before.findings, after.findings, fresh, proposed) : {};
  if (run.code === 0 && !isCapped && fresh.length > 0 && fresh.every(({ isWarning }) => isWarning))
    return { state: "passed", findings: fresh, ...earlier };
  if (fresh.length > 0) {
    const first = isCapped && { why: message("checkFirstOnly") };
    return { state: "new-findings", findings: fresh, ...first, ...earlier };
  }
  // The findings within the limit are not new, but the dropped ones might be.
  if (isCapped) return cannot(message("checkOutput"));
  if (run.code === 0) return { state: "passed", ...earlier };
  if (baseline.code === 0) return { state: "new-findings", findings: [lastWords(run)] };
  return { state: "no-new", ...earlier };
}

/**
 * What has become of earlier findings; `undefined` if there were none. A failure in an unknown format counts as one
 * finding.
 */
function earlierOf(
  baseline: CheckRun,
  before: readonly CheckFinding[],
  after: readonly CheckFinding[],
  fresh: readonly CheckFinding[],
  proposed: readonly string[],
): { readonly earlier?: Earlier } {
  const count = before.length === 0 && baseline.code !== 0 ? 1 : before.length;
  if (count === 0) return {};
  const isFresh = new Set(fresh);
  const isProposed = new Set(proposed);
  const still = after.filter((each) => !isFresh.has(each));
  const here = still.filter(({ path }) => path !== undefined && isProposed.has(path));
  const failed = baseline.code === 0 ? {} : ({ failed: true } as const);
  return {
    earlier: { gone: count - still.length, still: still.length, here: here.slice(0, maxStill), ...failed },
  };
}

/** If several findings have the same text, those at an old finding's place count as old. */
export function newFindings(
  before: readonly CheckFinding[],
  after: readonly CheckFinding[],
  moved: MovedFiles = new Map(),
): readonly CheckFinding[] {
  const known = groupBy(before, ({ path, ...rest }) =>
    path === undefined ? keyOf(rest) : keyOf({ ...rest, path: moved.get(path) ?? path }),
  );
  const fresh = new Set<CheckFinding>();
  for (const [key, group] of groupBy(after, keyOf)) {
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

function whyUnusable({ end, code, output }: CheckRun): Unusable | undefined {
  if (end === "timeout") return { state: "could-not-compare", why: message("checkTimeout") };
  // The output up to the limit is worth reading.
  if (end === "output") return undefined;
  if (end === "disk") return { state: "could-not-compare", why: message("checkDisk") };
  if (end === "memory" || end === "processes")
    return { state: "could-not-compare", why: message("checkTooMuch") };
  if (end === "sandbox") return { state: "could-not-compare", why: message("checkNoSandbox") };
  if (end === "broken" || code === undefined)
    return { state: "could-not-compare", why: message("checkBroken") };
  // Exit codes of shells if a program does not exist or is not executable.
  if (code === 127 || code === 126 || code === 9009) return { state: "unavailable", why: whyMissing(output) };
  return undefined;
}

/** `sh: 1: vitest: not found`, `bash: line 1: vitest: command not found`, `'vitest' is not recognized …`. */
function whyMissing(output: string): Message {
  const end = output.trimEnd().slice(-1000);
  const found =
    /command not found: ([\w.@/+-]{1,60})/.exec(end) ??
    /(?:^|[\s:])([\w.@/+-]{1,60}): (?:command )?not found/m.exec(end) ??
    /'([\w.@/+-]{1,60})' is not recognized/.exec(end);
  const program = found?.[1];
  return program === undefined ? message("checkMissing") : message("checkNotInstalled", { program });
}

/** A warning that has become an error counts as a different finding. */
const keyOf = ({ path = "", code = "", text, isWarning }: CheckFinding): string =>
  JSON.stringify([path, code, normalized(text), isWarning === true]);

/** Replaces line numbers, addresses and times, which differ on each run. */
const normalized = (text: string): string =>
  text
    .replace(/\b0x[0-9a-fA-F]+\b/g, "0x")
    .replace(/\bline \d+/gi, "line")
    .replace(/:\d+(?::\d+)?/g, ":")
    .replace(/\(\d+,\d+\)/g, "()")
    .replace(/\b\d+(?:\.\d+)? ?m?s\b/g, "s");

/** For a failure in an unknown format, the end of the output is the most informative part. */
function lastWords({ output, code = 1 }: CheckRun): CheckFinding {
  // Splitting a very long output into an array of all lines takes seconds.
  const lines = output
    .trimEnd()
    .slice(-10_000)
    .split("\n")
    .filter((line) => line.trim() !== "");
  // After this line, npm may report that the script failed.
  const end = lines.findLastIndex((line) => line.startsWith("Node.js v"));
  return (
    thrownIn(lines.slice(0, end + 1)) ?? {
      text: lines.slice(-3).join(" · ").slice(-longestWords) || `exit code ${code}`,
    }
  );
}

const longestWords = 300;

/**
 * The error with which Node exited, from its output up to the version line. After the error there are only places in
 * Node itself. A missing module is the fault of the file that imports it.
 */
function thrownIn(lines: readonly string[]): CheckFinding | undefined {
  const at = lines.findLastIndex((line) => thrownError.test(line));
  const [, code, said] = thrownError.exec(lines[at] ?? "") ?? [];
  if (said === undefined) return undefined;
  const requiring = lines[at + 1] === "Require stack:" ? lines[at + 2]?.slice("- ".length) : undefined;
  const [, what = said, wantedBy = requiring] = /^(.+) imported from (.+)$/.exec(said) ?? [];
  const isInFolder = wantedBy !== undefined && !/^(?:[\\/]|[A-Za-z]:)/.test(wantedBy);
  return {
    ...(isInFolder && { path: wantedBy.replaceAll("\\", "/") }),
    ...(code !== undefined && { code }),
    text: (isInFolder ? what : said).slice(0, longestWords),
  };
}

const thrownError = /^\w*Error(?: \[(\w+)\])?: (.+)/;
