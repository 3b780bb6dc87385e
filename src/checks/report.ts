// Summarizes results of checks for people in one short line.

import { type Message, message } from "../conversation/messages.ts";
import type { CheckFinding, CheckResult } from "./check-result.ts";

export const hasNew = (results: readonly CheckResult[]): boolean =>
  results.some(({ state }) => state === "new-findings");

export const tenths = (seconds: number): number => Math.round(seconds * 10) / 10;

/** Summary of a run on a proposal: `types ✓ 3.6 s; lint ✓ 12 fixed; tests ✗ 2 new`. */
export const summarizeProposalRun = (results: readonly CheckResult[]): Message =>
  message("checksDone", { results: results.map(mended) });

/** Summary of a run on the workspace as it is, where no finding counts as new. */
export const summarizeWorkspaceRun = (results: readonly CheckResult[]): Message =>
  message("checksDone", {
    results: results.map((each) =>
      each.state === "new-findings"
        ? message("checkFound", { name: each.name, count: each.findings.length })
        : summarizeResult(each),
    ),
  });

/** Shown next to a change, without numbers that nobody acts on: `types ✓`, `tests ✗ 2 new`. */
export const evidenceOf = (results: readonly CheckResult[]): readonly Message[] =>
  mostTellingFirst(results).map((each) => {
    const { name, state, findings } = each;
    if (state === "new-findings") return message("checkNew", { name, count: findings.length });
    if (state !== "passed" || findings.length > 0 || isRepaired(each)) return summarizeResult(each);
    return asFarAsSeen(message("checkOk", { name }), each);
  });

/** The check fails without the proposal and passes with it. */
export const isRepaired = ({ state, findings, earlier }: CheckResult): boolean =>
  state === "passed" && findings.length === 0 && earlier?.failed === true && earlier.gone > 0;

/** Sorts the most informative results first: what the proposal fixes, then what it breaks. */
export function mostTellingFirst(results: readonly CheckResult[]): readonly CheckResult[] {
  const rank = (each: CheckResult) => (isRepaired(each) ? 0 : each.state === "new-findings" ? 1 : 2);
  return results.toSorted((one, other) => rank(one) - rank(other));
}

/** Evidence about a proposal, to be stored with it. Checks without a result are left out. */
export const proofOf = (results: readonly CheckResult[]): readonly Message[] =>
  evidenceOf(results.filter(({ state }) => proving.has(state)));

const proving: ReadonlySet<CheckResult["state"]> = new Set(["passed", "no-new", "new-findings"]);

export const summarizeResult = (result: CheckResult): Message => asFarAsSeen(inShort(result), result);

function mended(result: CheckResult): Message {
  const { name, state, findings, earlier } = result;
  const [fixed, count] = [earlier?.gone ?? 0, findings.length];
  if (fixed === 0 || isRepaired(result)) return summarizeResult(result);
  if (state === "new-findings") return message("checkNewFixed", { name, count, fixed });
  if (state === "no-new") return message("checkNoNewFixed", { name, count: earlier?.still ?? 0, fixed });
  if (state !== "passed" || count > 0) return summarizeResult(result);
  return asFarAsSeen(message("checkFixed", { name, count: fixed }), result);
}

/** `types ✓ (not index.js)`. */
function asFarAsSeen(said: Message, result: CheckResult): Message {
  const files = namesNotSeen(result);
  return files === undefined ? said : message("checkExcept", { check: said, files });
}

/** Names the proposed files that a check has not looked at, without their folders. */
function namesNotSeen({ notSeen = [] }: CheckResult): Message | undefined {
  if (notSeen.length === 0) return undefined;
  return fewFiles(notSeen.map((path) => path.slice(path.lastIndexOf("/") + 1)));
}

/** Names the first ones and counts the rest. */
export function fewFiles(names: readonly string[]): Message {
  const files = names.slice(0, 2).join(", ");
  const count = names.length - 2;
  return count > 0 ? message("checkFilesMore", { files, count }) : message("checkFiles", { files });
}

function inShort(result: CheckResult): Message {
  const { name, state, seconds = 0, findings, why } = result;
  if (isRepaired(result)) return message("checkRepaired", { name });
  switch (state) {
    case "passed":
      if (findings.length === 0) return message("checkPassedIn", { name, seconds: tenths(seconds) });
      return findings.length === 1
        ? message("checkWarning", { name })
        : message("checkWarnings", { name, count: findings.length });
    case "no-new":
      return message("checkNoNew", { name });
    case "new-findings":
      return newInShort(result);
    case "could-not-compare":
      return message(why?.code === "checkNoBaseline" ? "checkNoNew" : "checkNot", { name });
    case "waiting":
      return message("checkWaiting", { name });
    case "unavailable":
      return message("checkUnavailable", { name });
    case "stale":
      return message("checkStale", { name });
    case "running":
      return message("checkRunning", { name });
    default:
      return state satisfies never;
  }
}

function newInShort({ name, kind, findings }: CheckResult): Message {
  const said = { name, count: findings.length, first: nameOf(findings[0]) };
  const isOne = findings.length === 1;
  if (kind === "tests") return message(isOne ? "checkNewFailure" : "checkNewFailures", said);
  return message(isOne ? "checkNewError" : "checkNewErrors", said);
}

/** Enough to identify the finding; the complete text is in the output of the check. */
const longestName = 90;

/** `cart.ts:4 Cannot find name "x"`, or a test's name without the prefix that its program writes before each. */
function nameOf(finding: CheckFinding | undefined): string {
  if (finding === undefined) return "";
  const { path, line, text } = finding;
  const [first = ""] = text.split(/\n| · /, 1);
  const name = first.replace(/^(?:FAIL(?:ED|URE)?:?|not ok \d+ -|[●✗✕✖×])\s+/i, "").trim();
  const file = path?.slice(path.lastIndexOf("/") + 1);
  const place =
    file === undefined || name.includes(file) ? "" : `${file}${line === undefined ? "" : `:${line}`} `;
  const whole = `${place}${name}`;
  return whole.length > longestName ? `${whole.slice(0, longestName - 1).trimEnd()}…` : whole;
}
