// The checks of one session: which have run on what it proposes, and what came of it. A result belongs to one state of the
// proposal, and is never shown for another: what was found before is told to be out of date, and a run is ended when what it
// runs on is not proposed any more. Knows neither copies nor processes.
import type { ChangeSet } from "../changes/change-set.ts";
import type { PendingFile } from "../changes/pending-file.ts";
import { hashOf } from "../changes/text-store.ts";
import type { CheckFinding, CheckResult } from "../conversation/check-result.ts";
import { readIgnoreRules } from "../files/ignore-rules.ts";
import { type Message, message } from "../messages/message.ts";
import { MessageError } from "../messages/message-error.ts";
import { nameAfter } from "../patch/edits.ts";
import type { FileChange, FileName } from "../patch/model.ts";
import { Emitter } from "../util/emitter.ts";
import type { Log } from "../util/log.ts";
import { present } from "../util/present.ts";
import { type Check, type CheckCopy, type CheckHost, type CheckRun, runsByItself } from "./check.ts";
import { judge, judgeAlone, type Verdict } from "./judge.ts";
import { mayRun } from "./may-run.ts";

export interface SessionChecksDeps {
  readonly host: CheckHost;
  readonly changes: Pick<ChangeSet, "pending" | "overlaid" | "refresh" | "onDidChange">;
  /** Makes what a program has written fit to be kept, shown and told. */
  clean(text: string): Promise<string>;
  /** How a file is called. */
  nameOf(file: FileName): string;
  readonly log: Log;
}

export interface RunWish {
  /** Absent: all that run by themselves. */
  readonly which?: "all" | readonly string[];
  /** The state of the proposal in which a person has agreed to what a check may execute. */
  readonly agreedTo?: string | undefined;
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
  readonly #kept = new Map<string, Kept>();
  /** What the results are about. */
  #proved: { readonly hash: string; readonly files: number } | undefined;
  #running: Running | undefined;
  #reported: string | undefined;
  /** As it was told last. */
  #wasStale = false;
  readonly #listening: readonly { dispose(): void }[];

  readonly onDidChange = this.#changed.on;

  constructor(deps: SessionChecksDeps) {
    this.#deps = deps;
    const look = () => this.#look();
    this.#listening = [deps.changes.onDidChange(look), deps.host.onDidChange(look)];
  }

  /** As they stand now; none where nothing is proposed. */
  get results(): readonly CheckResult[] {
    const isStale = this.#isStale;
    return [...this.#kept.values()].map(({ result }) =>
      isStale && result.state !== "running" ? { ...result, state: "stale" } : result,
    );
  }

  /** Which state of the proposal they are about. */
  get state(): string | undefined {
    return this.#proved?.hash;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** What a check has written, without secrets. */
  outputOf(id: string): string | undefined {
    return this.#kept.get(id)?.output;
  }

  /** Whether the person has set any up, and something is proposed that they have not run on. */
  get isDue(): boolean {
    const { host, changes } = this.#deps;
    return host.hasAny && changes.pending.length > 0 && this.#isStale;
  }

  /** Runs what has not run on this proposal; resolves with what there is to say, once nothing runs any more. */
  async run(signal: AbortSignal, { which, agreedTo }: RunWish = {}): Promise<readonly CheckResult[]> {
    const { changes, host } = this.#deps;
    await changes.refresh();
    const [hash, files] = [hashOfAll(changes.pending), host.filesRevision];
    const running = this.#running;
    if (running !== undefined) {
      if (running.hash !== hash || running.files !== files) running.stop.abort();
      await running.done;
      if (this.#running === undefined || this.#running === running)
        return this.run(signal, { agreedTo, ...present({ which }) });
    }
    if (changes.pending.length === 0) return this.#forget();
    if (this.#proved?.hash !== hash || this.#proved.files !== files) this.#outdate();
    this.#proved = { hash, files };
    const all = (await host.checks()).filter((check) => this.#applies(check));
    for (const id of this.#kept.keys()) if (!all.some((check) => check.id === id)) this.#kept.delete(id);
    const wanted = all.filter(
      (check) =>
        (which === "all" || (which === undefined ? runsByItself(check) : which.includes(check.id))) &&
        (which !== undefined || !this.#isKnown(check)),
    );
    signal.throwIfAborted();
    if (wanted.length > 0) await this.#start(wanted, { hash, files, agreed: agreedTo === hash }, signal);
    return this.results;
  }

  /** New findings that the model has not been told yet, of what is proposed now. */
  takeNews(): readonly CheckResult[] {
    const { results } = this;
    const proved = this.#proved?.hash;
    if (proved === this.#reported || !results.some(({ state }) => state === "new-findings")) return [];
    this.#reported = proved;
    return results;
  }

  dispose(): void {
    this.#running?.stop.abort();
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
    // Each key that is typed is heard here; what they say becomes another only once.
    const isStale = this.#isStale;
    if (this.#kept.size > 0 && isStale === this.#wasStale) return;
    this.#wasStale = isStale;
    this.#changed.fire();
  }

  /** What has been found so far is about another state; what does not run again now still says so. */
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
    return this.#changesIn(folder).flatMap((change) => [change.file.path, nameAfter(change).path]);
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
    for (const check of checks) {
      const held = this.#holds(check, agreed);
      this.#keep({ ...namesOf(check), findings: [], ...(held ?? { state: "running" }) }, "");
      if (held === undefined) ready.push(check);
    }
    this.#changed.fire();
    for (const folder of new Set(ready.map((check) => check.folder))) {
      const own = ready.filter((check) => check.folder === folder);
      const overlaid = await this.#deps.changes.overlaid();
      const here = overlaid.filter(([file]) => file.folder === folder);
      await this.#deps.host.withCopy(folder, here, (copy) => this.#runOn(copy, own, signal), signal);
    }
  }

  /** Why a check does not run now. */
  #holds(check: Check, agreed: boolean): Pick<CheckResult, "state" | "why"> | undefined {
    if (check.writesOut === true) return { state: "unavailable", why: message("checkWritesOut") };
    if (check.isChanged === true) return { state: "waiting", why: message("checkBodyChanged") };
    const files = agreed ? [] : mayRun(check, this.#changesIn(check.folder));
    if (files.length === 0) return undefined;
    return { state: "waiting", why: message("checkWaits", { files: listed(files) }) };
  }

  /** All of them with the proposal, then without it those that have something to say. */
  async #runOn(copy: CheckCopy, checks: readonly Check[], signal: AbortSignal): Promise<void> {
    const open: (readonly [Check, CheckRun])[] = [];
    for (const check of checks) {
      const run = await this.#cleaned(copy.run(check, signal));
      signal.throwIfAborted();
      const verdict = judgeAlone(run);
      if (verdict === undefined) open.push([check, run]);
      else this.#conclude(check, run, verdict);
    }
    for (const [check, run] of open) {
      const baseline = await this.#cleaned(copy.baseline(check, signal));
      signal.throwIfAborted();
      this.#conclude(check, run, judge(run, baseline, this.#movedIn(check.folder)));
    }
  }

  async #cleaned(running: Promise<CheckRun>): Promise<CheckRun> {
    const run = await running;
    return { ...run, output: await this.#deps.clean(run.output) };
  }

  #conclude(check: Check, run: CheckRun, verdict: Verdict): void {
    const { state } = verdict;
    const findings =
      "findings" in verdict ? verdict.findings.map((each) => this.#named(check.folder, each)) : [];
    const unseen = state === "passed" || state === "no-new" ? this.#unseen(check) : undefined;
    const why: Message | undefined = unseen ?? ("why" in verdict ? verdict.why : undefined);
    this.#keep(
      {
        ...namesOf(check),
        state: unseen === undefined ? state : "could-not-compare",
        seconds: run.seconds,
        findings,
        ...present({ why }),
      },
      run.output,
    );
    this.#changed.fire();
  }

  /** What is proposed in packages that the check was found not to look at. */
  #unseen({ folder, blind }: Check): Message | undefined {
    const paths = this.#pathsIn(folder);
    const packages = blind.filter((name) => paths.some((path) => name === "" || path.startsWith(`${name}/`)));
    if (packages.length === 0) return undefined;
    return message("checkBlind", { packages: listed(packages.map((each) => each || folder)) });
  }

  #named(folder: string, { path, ...rest }: CheckFinding): CheckFinding {
    return path === undefined ? rest : { ...rest, path: this.#deps.nameOf({ folder, path }) };
  }

  #movedIn(folder: string): ReadonlyMap<string, string> {
    return new Map(
      this.#changesIn(folder).flatMap((change) =>
        change.kind === "move" ? [[change.file.path, change.to.path] as const] : [],
      ),
    );
  }

  #keep(result: CheckResult, output: string): void {
    this.#kept.set(result.id, { result, output });
  }
}

const namesOf = ({ id, name, kind }: Check) => ({ id, name, kind });

/** A few, by name. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(", ");
  return names.length > 3 ? `${shown}, …` : shown;
}

const hashes = new WeakMap<PendingFile, string>();

/** Of all that is proposed and of the texts that it is proposed for. */
function hashOfAll(pending: readonly PendingFile[]): string {
  return hashOf(JSON.stringify(pending.map(hashOfFile)));
}

function hashOfFile(file: PendingFile): string {
  const known = hashes.get(file);
  if (known !== undefined) return known;
  const { change, conflicts } = file;
  const text = "text" in change ? change.text : change.base.sha256;
  const edits = "edits" in change ? change.edits.map(({ lines, text: written }) => [lines, written]) : [];
  const made = hashOf(
    JSON.stringify([change.kind, change.file, nameAfter(change), text, edits, conflicts.length]),
  );
  hashes.set(file, made);
  return made;
}
