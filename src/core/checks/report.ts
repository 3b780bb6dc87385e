// What checks have found, in words: for the model every new finding with its place, for people one short line.
import type { CheckFinding, CheckResult } from "../conversation/check-result.ts";
import { inEnglish } from "../messages/english.ts";
import { type Message, message } from "../messages/message.ts";

/** Enough to know what is wrong; the rest goes with the same mistake, mostly. */
const maxFindings = 40;

/** For the model. */
export function reportOf(results: readonly CheckResult[]): string {
  if (results.length === 0) return "No check applies to your proposed changes.";
  return ["Checks on the workspace with your proposed changes:", ...results.map(lineOf)].join("\n");
}

export const hasNew = (results: readonly CheckResult[]): boolean =>
  results.some(({ state }) => state === "new-findings");

function lineOf({ name, state, seconds, findings, why }: CheckResult): string {
  const because = why === undefined ? "" : ` ${inEnglish(why)}`;
  switch (state) {
    case "passed":
      return `- ${name}: passed${seconds === undefined ? "" : ` in ${tenths(seconds)} s`}.`;
    case "no-new":
      return `- ${name}: fails as it did without your changes; nothing new.`;
    case "new-findings": {
      const more = findings.length - maxFindings;
      const lines = findings.slice(0, maxFindings).map((each) => `  ${placeOf(each)}`);
      const rest = more > 0 ? [`  [${more} more are not shown.]`] : [];
      return [`- ${name}: ${findings.length} new:`, ...lines, ...rest].join("\n");
    }
    case "could-not-compare":
      return `- ${name}: could not be compared.${because}`;
    case "waiting":
      return `- ${name}: waits for the user.${because}`;
    case "unavailable":
      return `- ${name}: cannot run.${because}`;
    default:
      return `- ${name}: was not run on these changes to its end.`;
  }
}

function placeOf({ path, line, column, code, text }: CheckFinding): string {
  const place = [path, line, column].filter((each) => each !== undefined).join(":");
  return [place, code, text].filter((each) => each !== undefined && each !== "").join(" ");
}

export const tenths = (seconds: number): number => Math.round(seconds * 10) / 10;

/** For people: `types ✓ 3.6 s; tests ✗ 2 new`. */
export const resultsInShort = (results: readonly CheckResult[]): Message =>
  message("checksDone", { results: results.map(resultInShort) });

/** Beside a change, without figures that nobody acts on: `types ✓`, `tests ✗ 2 new`. */
export const evidenceOf = (results: readonly CheckResult[]): readonly Message[] =>
  results.map((each) =>
    each.state === "passed" ? message("checkOk", { name: each.name }) : resultInShort(each),
  );

/** What has been found out about what is proposed, to be kept with it; what has no result says nothing of it. */
export const proofOf = (results: readonly CheckResult[]): readonly Message[] =>
  evidenceOf(results.filter(({ state }) => proving.has(state)));

const proving: ReadonlySet<CheckResult["state"]> = new Set(["passed", "no-new", "new-findings"]);

export function resultInShort({ name, state, seconds = 0, findings }: CheckResult): Message {
  switch (state) {
    case "passed":
      return message("checkPassedIn", { name, seconds: tenths(seconds) });
    case "no-new":
      return message("checkNoNew", { name });
    case "new-findings":
      return message("checkNew", { name, count: findings.length });
    case "could-not-compare":
      return message("checkNot", { name });
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
