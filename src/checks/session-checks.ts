// The checks of one session: which ran on its proposal, and with which results. A result belongs to one state of the
// proposal and is never shown for another: earlier results are marked as outdated, and a run is aborted when the
// proposal changes. Knows neither copies nor processes.
import type { ChangeSet } from "../changes/change-set.ts";
import { MessageError } from "../conversation/english.ts";
import { type Message, message } from "../conversation/messages.ts";
import type { GuardedFiles } from "../files/guarded-files.ts";
import { Refusal } from "../files/refusal.ts";
import { nameAfter } from "../patch/edits.ts";
import type { FileChange, FileName } from "../patch/model.ts";
import { Emitter } from "../util/emitter.ts";
import { readIgnoreRules } from "../util/ignore-patterns.ts";
import type { Log } from "../util/log.ts";
import { present } from "../util/present.ts";
import { type Check, type CheckCopy, type CheckHost, type Confinement, runsAutomatically } from "./check.ts";
import type { CheckResult } from "./check-result.ts";
import { modelReport, type ReportDeps } from "./internal/model-report.ts";
import { onParts, type RunOnPart } from "./internal/part-runs.ts";
import {
  hashOfAll,
  judgeAlone,
  judgeProposal,
  namesOf,
  pathsOf,
  type VerdictDeps,
  worstFirst,
} from "./internal/run-and-judge.ts";
import { inLine } from "./internal/wait-in-line.ts";
import { fewFiles, summarizeProposalRun, summarizeWorkspaceRun } from "./report.ts";

interface SessionChecksDeps extends VerdictDeps {
  readonly host: CheckHost;
  readonly changes: Pick<ChangeSet, "pending" | "overlaid" | "refresh" | "onDidChange">;
  readonly log: Log;
}

interface RunRequest {
  /** Ids of checks. Absent: all that run automatically. */
  readonly which?: "all" | readonly string[];
  /** The check that the model asks for by name. It does not run again if it already has a result for this proposal. */
  readonly name?: string;
  /** The state of the proposal for which a person has agreed to what a check may execute. */
  readonly agreedTo?: string | undefined;
}

/** What a person must know before code of a proposal runs with their rights. */
export interface RunQuestion {
  readonly check: Check;
  /** Most dangerous first. */
  readonly files: readonly string[];
  readonly confinement: Confinement;
}

interface Kept {
  readonly result: CheckResult;
  readonly output: string;
}

interface Running {
  readonly hash: string;
  readonly files: number;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

export class SessionChecks {
  readonly #deps: SessionChecksDeps;
  readonly #changed = new Emitter<void>();
  readonly #disposed = new AbortController();
  readonly #kept = new Map<string, Kept>();
  #checks: readonly Check[] = [];
  /** Ids of checks that have last executed the proposal in a sandbox. */
  readonly #confined = new Set<string>();
  /** The proposal that the results are about. */
  #proved: { readonly hash: string; readonly files: number } | undefined;
  #running: Running | undefined;
  /** The checks whose new findings the model was told, and on which proposal. */
  #told: { readonly hash: string | undefined; readonly checks: ReadonlySet<string> } | undefined;
  /** The staleness that was last reported to listeners. */
  #wasStale = false;
  readonly #listening: readonly { dispose(): void }[];

  readonly onDidChange = this.#changed.on;

  constructor(deps: SessionChecksDeps) {
    this.#deps = deps;
    const look = () => this.#look();
    this.#listening = [deps.changes.onDidChange(look), deps.host.onDidChange(look)];
  }

  /** The current results; empty if nothing is proposed. */
  get results(): readonly CheckResult[] {
    const isStale = this.#isStale;
    return [...this.#kept.values()].map(({ result }) =>
      isStale && result.state !== "running" ? { ...result, state: "stale" } : result,
    );
  }

  /** The state of the proposal that the results are about. */
  get state(): string | undefined {
    return this.#proved?.hash;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Whether the results are about the proposal and the files as they are. */
  get isCurrent(): boolean {
    return this.#proved !== undefined && !this.#isStale;
  }

  /**
   * Whether all checks of this file's folder have passed with the proposal as it is, and one of them executes what is
   * proposed and has done so in a sandbox.
   */
  isProvedInSandbox(file: FileName): boolean {
    const { nameOf } = this.#deps;
    const own = this.#checks.filter(({ id, folder }) => folder === file.folder && this.#kept.has(id));
    const names = [file.path, nameOf(file)];
    const isGreen = ({ id }: Check) => {
      const { state, notSeen = [] } = this.#kept.get(id)?.result ?? { state: "stale" };
      return state === "passed" && !notSeen.some((name) => names.includes(name));
    };
    return !this.#isStale && own.every(isGreen) && own.some(({ id }) => this.#confined.has(id));
  }

  /** The redacted output of a check. */
  outputOf(id: string): string | undefined {
    return this.#kept.get(id)?.output;
  }

  /** Whether checks are configured that have not run on the current proposal. */
  get isDue(): boolean {
    const { host, changes } = this.#deps;
    // If one check was run alone, the others may still be due.
    const isLeft = () => this.#checks.some((check) => runsAutomatically(check) && !this.#isKnown(check));
    return host.hasAny && changes.pending.length > 0 && (this.#isStale || isLeft());
  }

  /** Whether one of those that are due runs without asking a person first. */
  async runsUnasked(): Promise<boolean> {
    const confinement = await this.#deps.host.confinement();
    return (await this.#ofProposal()).some(
      (check) => runsAutomatically(check) && this.#holds(check, false, confinement) === undefined,
    );
  }

  /** The question about a check that waits for consent. */
  async question(id: string): Promise<RunQuestion | undefined> {
    const check = this.#checks.find((each) => each.id === id);
    if (check === undefined) return undefined;
    const confinement = await this.#deps.host.confinement();
    return { check, files: this.#filesFor(check), confinement };
  }

  /** Runs the checks that have not run on this proposal. Resolves with the results once no check is running. */
  async run(signal: AbortSignal, wish: RunRequest = {}): Promise<readonly CheckResult[]> {
    const { which, name, agreedTo } = wish;
    const { changes, host } = this.#deps;
    await changes.refresh();
    const [hash, files] = [hashOfAll(changes.pending), host.filesRevision];
    const running = this.#running;
    if (running !== undefined) {
      if (running.hash !== hash || running.files !== files) running.stop.abort();
      await running.done;
      return this.run(signal, wish);
    }
    if (changes.pending.length === 0) return this.#forget();
    const all = await this.#ofProposal();
    signal.throwIfAborted();
    // Meanwhile somebody may have changed the proposal or a file, or have asked for the same.
    const isSame = hash === hashOfAll(changes.pending) && files === host.filesRevision;
    if (!isSame || this.#running !== undefined) return this.run(signal, wish);
    if (this.#proved?.hash !== hash || this.#proved.files !== files) this.#outdate();
    this.#proved = { hash, files };
    this.#checks = all;
    for (const id of this.#kept.keys()) if (!all.some((check) => check.id === id)) this.#kept.delete(id);
    const wanted = all.filter(
      (check) =>
        (which === "all" || (which?.includes(check.id) ?? isMeant(check, name))) &&
        (which !== undefined || !this.#isKnown(check)),
    );
    if (wanted.length > 0) await this.#start(wanted, { hash, files, agreed: agreedTo === hash }, signal);
    return this.results;
  }

  /** The questions to be answered before these checks can run on parts of the proposal. */
  async questions(ids: readonly string[]): Promise<readonly RunQuestion[]> {
    const confinement = await this.#deps.host.confinement();
    // A person may have agreed to one since the last run.
    const held = (await this.#ofProposal()).filter(
      (check) => ids.includes(check.id) && this.#holds(check, false, confinement) !== undefined,
    );
    return held.map((check) => ({ check, files: this.#filesFor(check), confinement }));
  }

  /**
   * Lets these checks run on parts of the proposal. Others use the copies between two runs. The results are those of parts
   * and are not kept. `agreedTo`: as for a run.
   */
  async onParts<T>(
    ids: readonly string[],
    agreedTo: string | undefined,
    use: (run: RunOnPart) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const overlaid = await this.#deps.changes.overlaid();
    const checks = (await this.#ofProposal()).filter(({ id }) => ids.includes(id));
    const agreed = agreedTo !== undefined && agreedTo === this.state && this.isCurrent;
    const holds = (check: Check, confinement: Confinement) => this.#holds(check, agreed, confinement);
    const until = AbortSignal.any([signal, this.#disposed.signal]);
    return onParts({ checks, holds, overlaid }, this.#deps, use, until);
  }

  /** Everything that the checks find in the workspace as it is. Not stored, since no row shows it. */
  async lookAtWorkspace(signal: AbortSignal, name?: string): Promise<readonly CheckResult[]> {
    const checks = (await this.#deps.host.checks([])).filter((check) => isMeant(check, name));
    return judgeAlone(checks, this.#deps, AbortSignal.any([signal, this.#disposed.signal]));
  }

  /** The names of all checks that a person has accepted here. */
  async names(): Promise<readonly string[]> {
    const checks = await this.#deps.host.checks([]);
    return [...new Set(checks.map(({ name }) => name))];
  }

  /** Names of the proposal's files. */
  get proposed(): readonly string[] {
    const { changes, nameOf } = this.#deps;
    return changes.pending.flatMap(({ change }) => [nameOf(change.file), nameOf(nameAfter(change))]);
  }

  /**
   * Takes the results on the current proposal if the model has not been told yet that one of the checks has new findings:
   * a person may have started it later than the others.
   */
  takeNews(): readonly CheckResult[] {
    const { results } = this;
    const hash = this.#proved?.hash;
    const told = this.#told?.hash === hash ? this.#told?.checks : undefined;
    const failing = results.filter(({ state }) => state === "new-findings").map(({ id }) => id);
    if (failing.every((id) => told?.has(id))) return [];
    this.#told = { hash, checks: new Set([...(told ?? []), ...failing]) };
    return results;
  }

  dispose(): void {
    this.#running?.stop.abort();
    this.#disposed.abort();
    for (const each of this.#listening) each.dispose();
  }

  get #isStale(): boolean {
    const { changes, host } = this.#deps;
    return this.#proved?.hash !== hashOfAll(changes.pending) || this.#proved.files !== host.filesRevision;
  }

  #look(): void {
    const running = this.#running;
    if (running !== undefined && this.#isStale) running.stop.abort();
    if (this.#kept.size === 0) return;
    if (this.#deps.changes.pending.length === 0 && running === undefined) this.#forget();
    // This runs on every keystroke, so fire only when the staleness changes.
    const isStale = this.#isStale;
    if (this.#kept.size > 0 && isStale === this.#wasStale) return;
    this.#wasStale = isStale;
    this.#changed.fire();
  }

  /** The results so far are about another state. Checks that do not run again now keep a result that says so. */
  #outdate(): void {
    for (const [id, { result, output }] of this.#kept)
      this.#kept.set(id, { result: { ...result, state: "stale" }, output });
  }

  #forget(): readonly CheckResult[] {
    this.#kept.clear();
    this.#proved = undefined;
    return [];
  }

  #isKnown({ id }: Check): boolean {
    const state = this.#kept.get(id)?.result.state;
    return state !== undefined && state !== "stale";
  }

  #applies({ folder, files }: Check): boolean {
    const paths = this.#pathsIn(folder);
    if (files === undefined) return paths.length > 0;
    const rules = readIgnoreRules([files], { tolerant: true });
    return paths.some((path) => rules.ignores(path, false));
  }

  #changesIn(folder: string): readonly FileChange[] {
    const all = this.#deps.changes.pending.map(({ change }) => change);
    return all.filter((change) => change.file.folder === folder || nameAfter(change).folder === folder);
  }

  #pathsIn(folder: string): readonly string[] {
    return pathsOf(this.#changesIn(folder));
  }

  async #start(
    checks: readonly Check[],
    { hash, files, agreed }: { readonly hash: string; readonly files: number; readonly agreed: boolean },
    signal: AbortSignal,
  ): Promise<void> {
    const stop = new AbortController();
    const both = AbortSignal.any([signal, stop.signal]);
    const work = this.#runAll(checks, agreed, both);
    const running = { hash, files, stop, done: work.catch(() => {}) };
    this.#running = running;
    this.#wasStale = false;
    this.#changed.fire();
    try {
      await work;
    } catch (error) {
      if (!both.aborted) this.#deps.log.error("Checks could not be run.", error);
      for (const { id } of checks) {
        const kept = this.#kept.get(id);
        if (kept?.result.state !== "running") continue;
        const failed = error instanceof MessageError ? error.asMessage : message("checkFailedToStart");
        const why = both.aborted ? message("checkStopped") : failed;
        const state = both.aborted ? "stale" : "unavailable";
        this.#keep({ ...kept.result, state, why }, "");
      }
    } finally {
      this.#running = undefined;
      this.#changed.fire();
    }
  }

  async #runAll(checks: readonly Check[], agreed: boolean, signal: AbortSignal): Promise<void> {
    const ready: Check[] = [];
    const confinement = await this.#deps.host.confinement();
    for (const check of checks) {
      const held = this.#holds(check, agreed, confinement);
      this.#keep({ ...namesOf(check), findings: [], ...(held ?? { state: "running" }) }, "");
      const isConfined = held === undefined && confinement.kind === "sandbox";
      if (isConfined && check.reader === undefined) this.#confined.add(check.id);
      else this.#confined.delete(check.id);
      if (held === undefined) ready.push({ ...check, isConfined });
    }
    this.#changed.fire();
    const conclude = (result: CheckResult, output: string) => {
      this.#keep(result, output);
      this.#changed.fire();
    };
    for (const folder of new Set(ready.map((check) => check.folder))) {
      const own = ready.filter((check) => check.folder === folder);
      const overlaid = await this.#deps.changes.overlaid();
      const here = overlaid.filter(([file]) => file.folder === folder);
      const changes = this.#changesIn(folder);
      const judge = (copy: CheckCopy) =>
        judgeProposal({ copy, checks: own, changes }, this.#deps, conclude, signal);
      const tell = (isWaiting: boolean) => this.#tellWaiting(own, isWaiting);
      await inLine({ ...this.#deps, tell }, { folder, overlaid: here, use: judge, signal });
    }
  }

  #tellWaiting(checks: readonly Check[], isWaiting: boolean): void {
    const why = isWaiting ? message("checkInLine") : undefined;
    for (const check of checks)
      if (this.#kept.get(check.id)?.result.state === "running")
        this.#keep({ ...namesOf(check), findings: [], state: "running", ...present({ why }) }, "");
    this.#changed.fire();
  }

  async #ofProposal(): Promise<readonly Check[]> {
    const { host, changes } = this.#deps;
    return (await host.checks(await changes.overlaid())).filter((check) => this.#applies(check));
  }

  /** Why a check cannot run now. */
  #holds(
    check: Check,
    agreed: boolean,
    confinement: Confinement,
  ): Pick<CheckResult, "state" | "why"> | undefined {
    if (check.isChanged === true) return { state: "waiting", why: message("checkBodyChanged") };
    const isHarmless = check.reader !== undefined || confinement.kind === "sandbox";
    if (isHarmless || check.isAlways === true || agreed) return undefined;
    const files = fewFiles(this.#filesFor(check));
    return { state: "waiting", why: message("checkWaits", { files, why: confinement.why }) };
  }

  #filesFor(check: Check): readonly string[] {
    const { command, body = "", proposedBody = "", folder } = check;
    return worstFirst(this.#changesIn(folder), `${command} ${body} ${proposedBody}`);
  }

  #keep(result: CheckResult, output: string): void {
    this.#kept.set(result.id, { result, output });
  }
}

const isMeant = (check: Check, name: string | undefined): boolean =>
  name === undefined ? runsAutomatically(check) : check.name === name;

/**
 * A session's checks for the model: when it asks for them, and at the end of its turn. Results that the model has seen
 * once are not reported again.
 */
interface ChecksForModel {
  /**
   * Runs all automatic checks, or the one with this name, on the proposal, or on the workspace if nothing is proposed.
   */
  run(
    name: string | undefined,
    signal: AbortSignal,
    near?: ReportDeps["near"],
    path?: string,
  ): Promise<{ readonly output: string; readonly message: Message }>;
  /** Reports what the checks found on the proposal. */
  report(results: readonly CheckResult[], signal: AbortSignal): Promise<string>;
}

/** `files`: as the model sees them now. */
export function checksForModel(
  checks: SessionChecks,
  files: () => Promise<Pick<GuardedFiles, "read">>,
): ChecksForModel {
  return {
    async run(name, signal, near, path) {
      if (name !== undefined) await refuseUnknown(name, checks);
      const ofProposal = await checks.run(signal, present({ name }));
      signal.throwIfAborted();
      const { proposed } = checks;
      const isProposal = proposed.length > 0;
      if (isProposal && name === undefined) checks.takeNews();
      const all = isProposal ? ofProposal : await checks.lookAtWorkspace(signal, name);
      signal.throwIfAborted();
      const results = all.filter((each) => name === undefined || each.name === name);
      const deps = { files: await files(), proposed, listsStill: true, ...present({ near, path }) };
      const output = await modelReport(results, deps, signal);
      return { output, message: (isProposal ? summarizeProposalRun : summarizeWorkspaceRun)(results) };
    },
    report: async (results, signal) =>
      modelReport(results, { files: await files(), proposed: checks.proposed }, signal),
  };
}

async function refuseUnknown(name: string, checks: SessionChecks): Promise<void> {
  const names = await checks.names();
  if (!names.includes(name)) throw new Refusal(message("checkUnknown", { name, names: names.join(", ") }));
}
