// Runs a comparison: finds commits whose tests tell whether the task is done, gives each of them to every model, and lets
// the commit's own tests judge. It goes on where it was stopped, since everything known is kept after every step.
import { isDeepStrictEqual } from "node:util";
import type { Check, CheckCopy, CheckRun, Overlaid, RunEnd } from "../../checks/check.ts";
import { MessageError } from "../../conversation/english.ts";
import { type Message, message } from "../../conversation/messages.ts";
import type { RequestUsage } from "../../conversation/state.ts";
import { cleanText } from "../../files/privacy.ts";
import type { Workspace } from "../../files/workspace.ts";
import { present } from "../../util/present.ts";
import { forModel } from "../../util/sentences.ts";
import { type Candidate, type ChangedFile, findCandidates } from "./commit-candidates.ts";
import { CommitTrees, NotText, type Replaced } from "./commit-tree.ts";
import { commitWorkspace } from "./commit-workspace.ts";
import {
  type Comparison,
  type ComparisonRun,
  ComparisonStop,
  type Contestant,
  type RunOutcome,
  runsLeft,
  spentTokens,
  type TriedCommit,
  validCommits,
} from "./comparison.ts";
import type { TaskSize } from "./comparison-quote.ts";
import { GitObjects } from "./git-objects.ts";
import { testCommand } from "./test-command.ts";

/** What a model is asked to do, and where. */
export interface Task extends Contestant {
  readonly workspace: Workspace;
  readonly prompt: string;
  /** Above this many tokens it is stopped before its next request. */
  readonly tokens: number;
}

export interface Attempt {
  readonly proposed: Overlaid;
  readonly ending: "done" | "failed" | "stopped" | "over-limit";
  readonly usage: readonly RequestUsage[];
  readonly tokens: number;
  readonly seconds: number;
  readonly refused: number;
}

export interface CompareDeps {
  /** An absolute path. */
  readonly git: string;
  /** The folder's name, and its real path on the disk. */
  readonly folder: string;
  readonly path: string;
  /** The folder's copy with these texts in the place of its own. They are asked for once nobody else uses it. */
  withCopy<T>(
    overlaid: () => Promise<Overlaid>,
    use: (copy: CheckCopy) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T>;
  /** The scripts that a command runs, read from such a tree. */
  resolveCommand(
    command: string,
    read: (path: string) => Promise<string | undefined>,
    packages: () => Promise<readonly string[]>,
  ): Promise<string | undefined>;
  /** Paths of documents with unsaved text. */
  unsaved(): ReadonlySet<string>;
  /** Whether a file of the folder is excluded by the privacy rules. */
  isPrivate(path: string): boolean;
  /** What the folder's file for the privacy rules says now. */
  ignoreRules(): Promise<string>;
  attempt(task: Task, signal: AbortSignal): Promise<Attempt>;
  cost(run: Contestant, usage: readonly RequestUsage[]): ComparisonRun["cost"];
  /** Called before each task, which costs something. @throws ComparisonStop if another window goes on with it. */
  hold(comparison: Comparison): Promise<void>;
  /** Another window may go on with it. */
  release(id: string): Promise<void>;
  /** Called after every step; resolves once it is kept. */
  keep(comparison: Comparison): Promise<void>;
  now(): number;
}

/** The most candidates that are tried for one that is wanted. */
const triesPerCommit = 5;
/** How often tests run again because the folder has changed meanwhile. */
const mostAgain = 5;
/** More are not named. */
const maxTouched = 200;

export class ModelComparison {
  readonly #deps: CompareDeps;
  readonly #git: GitObjects;
  readonly #trees: CommitTrees;
  #candidates: ReadonlyMap<string, Candidate> | undefined;
  #comparison: Comparison;
  #tell: (comparison: Comparison) => void = () => {};

  constructor(comparison: Comparison, deps: CompareDeps) {
    this.#comparison = comparison;
    this.#deps = deps;
    this.#git = new GitObjects(deps.git, deps.path);
    this.#trees = new CommitTrees(this.#git, deps);
  }

  /** Called after every step, with what is known by then; one listener. */
  onStep(listener: (comparison: Comparison) => void): void {
    this.#tell = listener;
  }

  get comparison(): Comparison {
    return this.#comparison;
  }

  /**
   * Tries candidates until as many valid ones are found as are wanted. Sends nothing. From now on no other window goes on
   * with this comparison, until `close`.
   */
  async findCommits(signal: AbortSignal): Promise<Comparison> {
    await this.#deps.hold(this.#comparison);
    if (this.#comparison.isSearched) return this.#comparison;
    const known = this.#comparison.head;
    const head = known !== "" ? known : (await this.#git.run(["rev-parse", "HEAD"], signal)).trim();
    const { looked, unfit, found } = await findCandidates(this.#git, head, signal);
    await this.#set({ head, looked, unfit, candidates: found.length });
    const most = this.#comparison.wanted * triesPerCommit;
    let hasRunShort = false;
    for (const candidate of found) {
      const { tried, wanted } = this.#comparison;
      if (validCommits(this.#comparison).length >= wanted || tried.length >= most) break;
      if (tried.some(({ hash }) => hash === candidate.hash)) continue;
      const next = await this.#try(candidate, signal).catch((error: unknown) => {
        // Where the tests of two commits in a row use up what this computer has, it is not because of the commit.
        if (!(error instanceof RunsShort) || hasRunShort) throw error;
        return error;
      });
      hasRunShort = next instanceof RunsShort;
      const { hash, subject } = candidate;
      const notRun: TriedCommit = { hash, subject, outcome: "not-run", isRestricted: false };
      await this.#set({ tried: [...tried, next instanceof RunsShort ? notRun : next] });
    }
    await this.#set({ isSearched: true });
    return this.#comparison;
  }

  /** The sizes of all tasks, to estimate what they cost. */
  async tasks(signal: AbortSignal): Promise<readonly TaskSize[]> {
    const found: TaskSize[] = [];
    for (const { hash } of validCommits(this.#comparison)) {
      const candidate = await this.#candidate(hash, signal);
      // Whether they are text does not matter for that.
      const tree = await this.#trees.tree(candidate.parent, signal);
      found.push({
        bytes: candidate.sources.reduce((sum, { path }) => sum + (tree.get(path)?.bytes ?? 0), 0),
      });
    }
    return found;
  }

  /** The workspace in which a model reads the parent of the first valid commit, and its task. */
  async example(signal: AbortSignal): Promise<Pick<Task, "workspace" | "prompt"> | undefined> {
    const [first] = validCommits(this.#comparison);
    if (first === undefined) return undefined;
    const candidate = await this.#candidate(first.hash, signal);
    return this.#task(candidate, signal);
  }

  /** A person has agreed to spend no more than this. */
  agreeTo(cap: number): Promise<void> {
    return this.#set({ cap });
  }

  /** Gives each valid commit to each model, up to the cap. Resolves once nothing is left, or the cap is reached. */
  async run(signal: AbortSignal): Promise<Comparison> {
    for (const { hash, ...contestant } of runsLeft(this.#comparison)) {
      signal.throwIfAborted();
      const { cap = 0 } = this.#comparison;
      const left = cap - spentTokens(this.#comparison);
      if (left <= 0) break;
      const candidate = await this.#candidate(hash, signal);
      const task = await this.#task(candidate, signal);
      await this.#deps.hold(this.#comparison);
      const attempt = await this.#deps.attempt({ ...contestant, ...task, tokens: left }, signal);
      const { stoppedTokens } = this.#comparison;
      // They are used, even if the tests cannot be run, or the window closes meanwhile.
      await this.#set({ stoppedTokens: stoppedTokens + attempt.tokens });
      if (attempt.ending === "stopped" || attempt.ending === "over-limit") {
        signal.throwIfAborted();
        break;
      }
      const outcome = await this.#judge(candidate, attempt, signal);
      const { usage, tokens, seconds, refused } = attempt;
      const cost = this.#deps.cost(contestant, usage);
      const run = { ...contestant, hash, outcome, at: this.#deps.now(), usage, tokens, seconds, refused };
      const { runs } = this.#comparison;
      await this.#set({ runs: [...runs, cost === undefined ? run : { ...run, cost }], stoppedTokens });
    }
    return this.#comparison;
  }

  async close(): Promise<void> {
    this.#git.close();
    await this.#deps.release(this.#comparison.id);
  }

  async #set(changes: Partial<Comparison>): Promise<void> {
    this.#comparison = { ...this.#comparison, ...changes };
    this.#tell(this.#comparison);
    await this.#deps.keep(this.#comparison);
  }

  async #candidate(hash: string, signal: AbortSignal): Promise<Candidate> {
    this.#candidates ??= new Map(
      (await findCandidates(this.#git, this.#comparison.head, signal)).found.map(
        (each) => [each.hash, each] as const,
      ),
    );
    const found = this.#candidates.get(hash);
    if (found === undefined) throw new Error(`The commit ${hash} is not there any more.`);
    return found;
  }

  /** Its tests have to fail on the parent and to pass on the commit, twice each. */
  async #try(candidate: Candidate, signal: AbortSignal): Promise<TriedCommit> {
    const { hash, parent, subject } = candidate;
    const tried = (outcome: TriedCommit["outcome"], isRestricted = false) => ({
      ...{ hash, subject, outcome, isRestricted },
    });
    try {
      const tests = await this.#testsOf(candidate, signal);
      const before = await this.#runTests(candidate, parent, tests, 2, true, signal);
      const { isRestricted } = before;
      for (const run of before.runs) throwIfUnable(run);
      if (before.runs.some(isUnfinished)) return tried("not-run", isRestricted);
      const passed = before.runs.filter(isPass).length;
      if (passed > 0) return tried(before.runs.length > 1 ? "unsteady" : "passes-before", isRestricted);
      const after = await this.#runTests(candidate, hash, tests, 2, false, signal);
      for (const run of after.runs) throwIfUnable(run);
      if (after.runs.some(isUnfinished)) return tried("not-run", isRestricted);
      if (after.runs.every(isPass)) return tried("valid", isRestricted);
      return tried(after.runs.length > 1 ? "unsteady" : "fails-after", isRestricted);
    } catch (error) {
      if (error instanceof NotText) return tried("not-text");
      throw error;
    }
  }

  async #task(candidate: Candidate, signal: AbortSignal): Promise<Pick<Task, "workspace" | "prompt">> {
    const { folder } = this.#deps;
    const tree = await this.#trees.tree(candidate.parent, signal);
    const ignoreRules = await this.#deps.ignoreRules();
    const workspace = commitWorkspace({ git: this.#git, tree, folder, ignoreRules });
    return { workspace, prompt: await taskPrompt(candidate.task) };
  }

  async #judge(candidate: Candidate, attempt: Attempt, signal: AbortSignal): Promise<RunOutcome> {
    const { ending, proposed } = attempt;
    if (proposed.length === 0) return ending === "failed" ? "failed" : "nothing";
    const tests = await this.#testsOf(candidate, signal);
    const replaced = new Map<string, string | undefined>(
      proposed.map(([{ path }, state]) => [path, state?.text]),
    );
    for (const [path, text] of tests) replaced.set(path, text);
    const { parent } = candidate;
    const { command } = this.#comparison;
    if (
      (await this.#body(command, parent, replaced, signal)) !==
      (await this.#body(command, parent, tests, signal))
    )
      return "command";
    const { runs } = await this.#runTests(candidate, parent, replaced, 1, false, signal);
    if (runs.some(({ end }) => end === "sandbox" || end === "broken"))
      throw new MessageError(message("checkNoSandbox"));
    return runs.every(isPass) ? "solved" : "unsolved";
  }

  /** The test files of a commit as they are in it, to be put on top of another tree. */
  #testsOf({ hash, tests }: Candidate, signal: AbortSignal): Promise<Replaced> {
    return this.#trees.texts(
      hash,
      tests.map(({ path }) => path),
      signal,
    );
  }

  /** Runs up to `times`, and no more once a run has passed where it should fail, or the other way around. */
  async #runTests(
    { tests }: Candidate,
    commit: string,
    replaced: Replaced,
    times: number,
    shouldFail: boolean,
    signal: AbortSignal,
  ): Promise<{ readonly runs: readonly CheckRun[]; readonly isRestricted: boolean }> {
    const { folder, unsaved } = this.#deps;
    const { command, isConfined, timeoutSeconds } = this.#comparison;
    const body = await this.#body(command, commit, replaced, signal);
    const restricted = testCommand(
      command,
      body,
      tests.filter(isThere).map(({ path }) => path),
    );
    const check: Check = {
      ...{ name: "tests", kind: "tests", folder, blind: [], isConfined },
      ...{ command: restricted.command, id: restricted.command },
      ...present({ timeoutSeconds }),
    };
    if (!isConfined && !this.#comparison.ranUnconfined) await this.#set({ ranUnconfined: true });
    const overlay = () => this.#trees.overlay(commit, replaced, unsaved(), signal);
    const runOnce = () => {
      let before: Overlaid = [];
      return this.#deps.withCopy(
        async () => {
          before = await overlay();
          return before;
        },
        async (copy) => {
          const made: CheckRun[] = [];
          while (made.length < times) {
            const run = await copy.run(check, signal);
            made.push(run);
            if (isPass(run) === shouldFail || isUnfinished(run)) break;
          }
          return { made, isSame: isDeepStrictEqual(before, await overlay()) };
        },
        signal,
      );
    };
    let { made: runs, isSame } = await runOnce();
    // What somebody edits meanwhile may be in the copy. From then on the text of the commit takes its place.
    for (let again = 0; !isSame; again++) {
      if (again === mostAgain) throw new ComparisonStop("moving");
      ({ made: runs, isSame } = await runOnce());
    }
    await this.#noteTouched(runs.flatMap((run) => run.touched ?? []));
    return { runs, isRestricted: restricted.isRestricted };
  }

  async #noteTouched(paths: readonly string[]): Promise<void> {
    const { touched, touchedPrivate } = this.#comparison;
    const [hidden, shown] = [new Set<string>(), new Set(touched)];
    for (const path of paths) (this.#deps.isPrivate(path) ? hidden : shown).add(path);
    const most = Math.max(touchedPrivate, hidden.size);
    if (shown.size > touched.length || most > touchedPrivate)
      await this.#set({ touched: [...shown].slice(0, maxTouched), touchedPrivate: most });
  }

  #body(
    command: string,
    commit: string,
    replaced: Replaced,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const read = async (path: string) => {
      signal.throwIfAborted();
      return replaced.has(path) ? replaced.get(path) : this.#trees.text(commit, path, signal);
    };
    const packages = async () => {
      const paths = new Set([...(await this.#trees.tree(commit, signal)).keys(), ...replaced.keys()]);
      return [...paths].filter(isManifest).sort();
    };
    return this.#deps.resolveCommand(command, read, packages);
  }
}

/** What a model is asked: the commit's message, without what looks like a secret. */
export async function taskPrompt(task: string): Promise<string> {
  const { text } = await cleanText(task);
  const asked = forModel(
    "Make the change that this commit message describes. Edit the files; nobody can answer questions.",
  );
  return `${asked}\n\n${text}`;
}

/** Whether the folder has commits. */
export async function isRepository(git: string, path: string): Promise<boolean> {
  const objects = new GitObjects(git, path);
  const found = objects.run(["rev-parse", "--verify", "--quiet", "HEAD"], new AbortController().signal);
  return found.then(
    () => true,
    () => false,
  );
}

const isManifest = (path: string): boolean =>
  /(?:^|\/)package\.json$/.test(path) && !/(?:^|\/)node_modules\//.test(path);

const isThere = ({ added = 0 }: ChangedFile): boolean => added > 0;

const isPass = ({ end, code }: CheckRun): boolean => end === "done" && code === 0;

/** Tests have used up what this computer has of something. */
class RunsShort extends MessageError {}

/** What keeps any tests from running on this computer now, and is not the commit's fault. */
const obstacles: Partial<Record<RunEnd, Message>> = {
  sandbox: message("checkNoSandbox"),
  broken: message("checkBroken"),
};

/** What may also be because of a commit's own tests. */
const shortages: Partial<Record<RunEnd, Message>> = {
  disk: message("checkDisk"),
  memory: message("checkTooMuch"),
  processes: message("checkTooMuch"),
};

function throwIfUnable({ end }: CheckRun): void {
  const obstacle = obstacles[end];
  if (obstacle !== undefined) throw new MessageError(obstacle);
  const shortage = shortages[end];
  if (shortage !== undefined) throw new RunsShort(shortage);
}

/** It says nothing about the tests. */
const isUnfinished = ({ end, code }: CheckRun): boolean => end !== "done" || code === undefined;
