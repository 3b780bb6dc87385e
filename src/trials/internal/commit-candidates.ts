// Which commits of a repository could be given to a model as a task: those that changed sources and brought tests for it,
// of a bounded size, with a message that says what to do. Runs nothing of the repository.
import type { GitObjects } from "./git-objects.ts";

export interface ChangedFile {
  readonly path: string;
  /** Absent for a file that is no text. */
  readonly added?: number;
  readonly deleted?: number;
}

export interface Candidate {
  readonly hash: string;
  readonly parent: string;
  /** The first line of its message. */
  readonly subject: string;
  /** Its message without trailers. */
  readonly task: string;
  readonly tests: readonly ChangedFile[];
  readonly sources: readonly ChangedFile[];
}

/** Why a commit is not even tried. */
const unfitReasons = ["no-parent", "no-tests", "no-sources", "too-large", "no-task", "not-text"] as const;
export type UnfitReason = (typeof unfitReasons)[number];

interface Candidates {
  readonly looked: number;
  readonly unfit: Readonly<Record<UnfitReason, number>>;
  /** Newest first. */
  readonly found: readonly Candidate[];
}

const maxCommits = 1000;
const maxFiles = 30;
const maxSourceFiles = 10;
const maxSourceLines = 400;
const minTaskLetters = 12;

const start = "\u0001";
const headEnd = "\u0002";

/** `head`: the newest commit. */
export async function findCandidates(
  git: GitObjects,
  head: string,
  signal: AbortSignal,
): Promise<Candidates> {
  const log = await git.run(
    [
      ...["log", "-z", `--max-count=${maxCommits}`, "--no-merges", "--no-color", "--no-ext-diff"],
      ...["--no-textconv", "--no-renames", "--relative", "--numstat"],
      ...["--encoding=UTF-8", "--format=%x01%H%x00%P%x00%B%x02"],
      ...[head, "--", "."],
    ],
    signal,
  );
  const unfit = Object.fromEntries(unfitReasons.map((each) => [each, 0])) as Record<UnfitReason, number>;
  const found: Candidate[] = [];
  const commits = log.split(start).slice(1);
  for (const commit of commits) {
    const judged = readCommit(commit);
    if (typeof judged === "string") unfit[judged] += 1;
    else found.push(judged);
  }
  return { looked: commits.length, unfit, found };
}

function readCommit(text: string): Candidate | UnfitReason {
  const at = text.lastIndexOf(headEnd);
  const [hash = "", parents = "", ...message] = text.slice(0, at).split("\0");
  const files = text
    .slice(at + 1)
    .split("\0")
    .flatMap((line) => {
      const [, added, deleted, path] = /^\n?(\d+|-)\t(\d+|-)\t(.+)$/s.exec(line) ?? [];
      if (path === undefined) return [];
      return [added === "-" ? { path } : { path, added: Number(added), deleted: Number(deleted) }];
    });
  const tests = files.filter(({ path }) => isTest(path));
  const sources = files.filter(({ path }) => !isTest(path) && isSource(path));
  if (parents === "") return "no-parent";
  if (!tests.some(({ path, added = 0 }) => added > 0 && isSource(path))) return "no-tests";
  if (sources.length === 0) return "no-sources";
  if (files.some(({ added }) => added === undefined)) return "not-text";
  const lines = sources.reduce((sum, { added = 0, deleted = 0 }) => sum + added + deleted, 0);
  if (files.length > maxFiles || sources.length > maxSourceFiles || lines > maxSourceLines)
    return "too-large";
  const task = withoutTrailers(message.join("\0"));
  const [subject = ""] = task.split("\n");
  if (task.replace(/[^\p{L}\p{N}]/gu, "").length < minTaskLetters) return "no-task";
  return { hash, parent: parents.split(" ")[0] ?? "", subject, task, tests, sources };
}

/** Who signed, reviewed or helped is no part of the task. */
function withoutTrailers(message: string): string {
  const lines = message.trim().split("\n");
  while (lines.length > 1 && trailer.test(lines.at(-1) ?? "")) lines.pop();
  return lines.join("\n").trim();
}

const trailer = /^(?:\s*$|[A-Za-z][\w-]{0,40}-(?:by|to|on|id): |(?:Bug|Closes|Fixes|Refs?): )/i;

const testFolder = /(?:^|\/)(?:tests?|__tests__|specs?|testing|__snapshots__)\//i;
const testName =
  /(?:^|\/)(?:test_[^/]+\.py|conftest\.py)$|[._-](?:test|tests|spec)\.[^/.]+$|[a-z\d](?:Tests?|Spec)\.(?:java|kt|cs|scala|swift|php)$/;

export const isTest = (path: string): boolean => testFolder.test(path) || testName.test(path);

const isSource = (path: string): boolean =>
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|c|cc|cpp|h|hpp|java|kt|scala|rb|php|cs|swift|ex|exs|clj|lua|sh|dart)$/i.test(
    path,
  );
