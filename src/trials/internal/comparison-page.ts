// A comparison as a page to keep and to share. Every number on it follows from the comparison's data.
import { markdownTable, plainMarkdown } from "../../util/markdown-table.ts";
import { duration, formatAmount, inDigits, type Translate } from "../../util/numbers-and-times.ts";
import type { UnfitReason } from "./commit-candidates.ts";
import {
  type Comparison,
  type Contestant,
  type FailedReason,
  fewestCommits,
  isClear,
  isSameContestant,
  type RunOutcome,
  runsLeft,
  type Score,
  scoresOf,
  validCommits,
} from "./comparison.ts";

export interface PageWords {
  readonly t: Translate;
  readonly language: string;
  nameOfModel(id: string): string;
}

export function contestantName({ model, effort }: Contestant, { t, nameOfModel }: PageWords): string {
  return effort === "" ? nameOfModel(model) : t("{0}, effort {1}", nameOfModel(model), effort);
}

/** `data`: with the comparison's data at its end, from which the page can be made again. */
export function comparisonPage(comparison: Comparison, words: PageWords, data = false): string {
  const { t, language } = words;
  const { folder, at } = comparison;
  const date = new Date(at).toLocaleDateString(language, { dateStyle: "long" });
  return [
    `# ${t("Models Compared on {0}", plainMarkdown(folder))}`,
    `**${plainMarkdown(verdict(comparison, words))}**`,
    ...(comparison.runs.length === 0 ? [] : [scoreTable(comparison, words)]),
    ...(comparison.runs.length === 0 ? [] : [plainMarkdown(legend(comparison, words))]),
    `## ${t("How It Was Measured")}`,
    method(comparison, date, words)
      .map((line) => `- ${plainMarkdown(line)}`)
      .join("\n"),
    ...commitTable(comparison, words),
    `## ${t("What Fell Out")}`,
    fellOut(comparison, words),
    ...(data ? [`## ${t("Data")}`, `\`\`\`json\n${dataOf(comparison)}\n\`\`\``] : []),
    "",
  ].join("\n\n");
}

/** Where the folder is on this computer is nobody else's business. */
const dataOf = ({ path: _, ...shared }: Comparison): string => JSON.stringify(shared);

/** In one sentence. */
export function verdict(comparison: Comparison, words: PageWords): string {
  const { t } = words;
  const valid = validCommits(comparison).length;
  if (!comparison.isSearched) return t("It was stopped while looking for commits.");
  if (valid < fewestCommits)
    return t("No verdict: {0} commits are valid, and at least {1} are needed.", valid, fewestCommits);
  const left = runsLeft(comparison).length;
  const all = valid * comparison.contestants.length;
  if (left > 0) return t("No verdict yet: {0} of {1} tasks are left.", left, all);
  const scores = scoresOf(comparison);
  const [best] = scores;
  const clear = isClear(scores);
  if (best === undefined) return "";
  const name = contestantName(best, words);
  if (clear === undefined) return t("{0} solved {1} of {2} tasks.", name, best.solved, best.of);
  return clear
    ? t("{0} solved {1} of {2} tasks, more than the others beyond chance.", name, best.solved, best.of)
    : t(
        "No clear winner: {0} solved {1} of {2} tasks, but chance alone could explain the difference.",
        name,
        best.solved,
        best.of,
      );
}

function scoreTable(comparison: Comparison, words: PageWords): string {
  const { t, language } = words;
  const scores = scoresOf(comparison);
  const head = [
    ...[t("Model"), t("Solved"), t("95% interval"), t("Cost"), t("Tokens")],
    ...[t("Time per task"), t("Refused patches"), t("Failed responses")],
  ];
  const rows = scores.map((score) => [
    contestantName(score, words),
    `${score.solved}/${score.of}`,
    score.interval === undefined ? t("no verdict (fewer than {0})", fewestCommits) : percents(score.interval),
    costText(score, words),
    inDigits(score.tokens, language),
    duration(score.seconds * 1000),
    inDigits(score.refused, language),
    inDigits(score.failed, language),
  ]);
  return markdownTable(head, rows);
}

const percents = ({ low, high }: NonNullable<Score["interval"]>): string =>
  `${Math.round(100 * low)}–${Math.round(100 * high)}%`;

function costText({ cost }: Score, { t, language }: PageWords): string {
  if (cost === undefined) return t("no price");
  const text = formatAmount(cost.amount, cost.currency, language);
  return cost.unpriced === 0 ? text : `≥ ${text}`;
}

function legend({ stoppedTokens }: Comparison, { t, language }: PageWords): string {
  const sentences = [
    t("The interval says where the true share lies in 95 of 100 such comparisons."),
    t("Tokens are those not read from the cache. Time is the middle one of all tasks, without tests."),
    ...(stoppedTokens === 0
      ? []
      : [t("Stopped tasks have used another {0} tokens.", inDigits(stoppedTokens, language))]),
  ];
  return sentences.join(" ");
}

function method(comparison: Comparison, date: string, { t }: PageWords): readonly string[] {
  const { command, head, touched, touchedPrivate } = comparison;
  const restricted = validCommits(comparison).filter(({ isRestricted }) => isRestricted).length;
  return [
    t(
      "Each task is a commit of this repository that brought tests. A model got the files of its parent, without Git's history, and the commit's message. The commit's tests were then put on top and run: solved means that they pass.",
    ),
    t(
      "A commit is valid if its tests fail on the parent and pass on the commit, twice each, with the dependencies that are installed.",
    ),
    t("Files that are no text stayed as they are in the folder today."),
    t("Models could read, search and edit files. They had no commands, no checks and no web."),
    t("Models may have seen public commits in their training."),
    [
      t("Tests: {0}.", command),
      t("For {0} of {1} commits only their own test files ran.", restricted, validCommits(comparison).length),
      sandboxed(comparison, t),
      t("Begun on {0} at commit {1}.", date, head.slice(0, 10)),
    ].join(" "),
    ...(touched.length === 0
      ? []
      : [t("While tests ran, files of the folder itself changed: {0}.", touched.join(", "))]),
    ...(touchedPrivate === 0
      ? []
      : [t("While tests ran, private files of the folder itself changed: {0}.", touchedPrivate)]),
  ];
}

function sandboxed({ isConfined, ranUnconfined }: Comparison, t: Translate): string {
  if (!isConfined) return t("They ran without a sandbox.");
  return ranUnconfined ? t("Some of them ran without a sandbox.") : t("They ran in a sandbox.");
}

function commitTable(comparison: Comparison, words: PageWords): readonly string[] {
  const { t } = words;
  const { contestants, runs } = comparison;
  const valid = validCommits(comparison);
  if (valid.length === 0) return [];
  const outcomes = outcomeWords(words);
  const rows = valid.map(({ hash, subject }) => [
    `${hash.slice(0, 10)} ${subject.slice(0, 80)}`,
    ...contestants.map((contestant) => {
      const run = runs.find((each) => each.hash === hash && isSameContestant(each, contestant));
      return run === undefined ? "–" : outcomes[run.outcome];
    }),
  ]);
  const head = [t("Commit"), ...contestants.map((each) => contestantName(each, words))];
  return [`## ${t("Commits")}`, markdownTable(head, rows, "words")];
}

const outcomeWords = ({ t }: PageWords): Readonly<Record<RunOutcome, string>> => ({
  solved: t("✓ solved"),
  unsolved: t("✗ tests fail"),
  nothing: t("✗ no edit"),
  command: t("✗ changed the test command"),
  failed: t("✗ response failed"),
});

function fellOut({ looked, unfit, candidates, tried }: Comparison, words: PageWords): string {
  const { t, language } = words;
  const count = (number: number) => inDigits(number, language);
  const reasons = reasonWords(words);
  const untried = candidates - tried.length;
  const failed = Object.entries(reasons.failed).map(
    ([reason, text]) => [tried.filter(({ outcome }) => outcome === reason).length, text] as const,
  );
  const others = Object.entries(reasons.unfit).map(
    ([reason, text]) => [unfit[reason as UnfitReason], text] as const,
  );
  const lines = [...failed, ...others]
    .filter(([number]) => number > 0)
    .map(([number, text]) => `- ${count(number)}: ${plainMarkdown(text)}`);
  const all = t(
    "{0} commits were looked at, and {1} of them tried: {2} are valid.",
    ...[looked, tried.length, tried.filter(({ outcome }) => outcome === "valid").length].map(count),
  );
  const rest = untried > 0 ? [`- ${plainMarkdown(t("{0} more were not tried", count(untried)))}`] : [];
  return [plainMarkdown(all), "", ...lines, ...rest].join("\n");
}

function reasonWords({ t }: PageWords): {
  readonly failed: Readonly<Record<FailedReason, string>>;
  readonly unfit: Readonly<Record<UnfitReason, string>>;
} {
  return {
    failed: {
      "passes-before": t("tried, but the tests pass on the parent too"),
      "fails-after": t("tried, but the tests don't pass on the commit"),
      unsteady: t("tried, but two runs of the tests disagree"),
      "not-run": t("tried, but the tests couldn't be run to the end"),
      "not-text": t("tried, but its tests are no text"),
    },
    unfit: {
      "no-parent": t("no parent"),
      "no-tests": t("no new tests"),
      "no-sources": t("no changed sources"),
      "too-large": t("too large"),
      "no-task": t("the message doesn't say what to do"),
      "not-text": t("changes files that are no text"),
    },
  };
}
