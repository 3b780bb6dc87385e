// What of a session's proposal breaks its checks: the search on the copy, its progress, and its result. The result belongs
// to one state of the proposal and of the files: if they change the search stops, and what it has found is gone.
import { acceptableHunks, type PendingFile } from "../changes/pending-changes.ts";
import { type ProposalPart, partOf } from "../changes/proposed-workspace.ts";
import type { CheckResult } from "../checks/check-result.ts";
import { newFindings } from "../checks/judge.ts";
import type { SessionChecks } from "../checks/session-checks.ts";
import { type Message, message } from "../conversation/messages.ts";
import type { FileName } from "../patch/model.ts";
import { Emitter } from "../util/emitter.ts";
import type { Log } from "../util/log.ts";
import { present } from "../util/present.ts";
import { describeBreaking } from "./internal/breaking-report.ts";
import { placeOf, unitsOf } from "./internal/proposal-units.ts";
import { groupsOf } from "./internal/requiring-groups.ts";
import {
  type BreakingSets,
  type CheckExtent,
  findBreakingSets,
  type PartOutcome,
  type SearchRun,
} from "./internal/smallest-breaking-set.ts";

interface WhatBreaksDeps {
  readonly checks: Pick<
    SessionChecks,
    "isCurrent" | "isRunning" | "onDidChange" | "onParts" | "outputOf" | "questions" | "results" | "state"
  >;
  readonly changes: {
    readonly pending: readonly PendingFile[];
    onDidChange(listener: () => void): { dispose(): void };
  };
  readonly log: Log;
  /** The display name of a file. */
  nameOf(file: FileName): string;
}

/** Where a change is. */
export interface BreakingPlace {
  /** The display name of the file. */
  readonly path: string;
  readonly line?: number;
}

export type WhatBreaks =
  | { readonly kind: "running"; readonly said: Message }
  | {
      readonly kind: "found";
      readonly said: Message;
      readonly places: readonly BreakingPlace[];
      /** Hunks that were seen to pass the checks that the search runs; absent if none were, or if they have been accepted. */
      readonly passing?: readonly string[];
      /** Hunks that are left then. */
      readonly rest: readonly string[];
      /** What the model is told about them. */
      readonly report: string;
    }
  /** Nothing was found, or nothing that is still true. */
  | { readonly kind: "ended"; readonly said: Message };

interface PartResult {
  readonly result: CheckResult;
  readonly output: string;
}

interface Broken {
  readonly size: number;
  readonly units: ReadonlySet<string>;
  readonly results: readonly PartResult[];
}

interface Passed {
  readonly units: ReadonlySet<string>;
  readonly results: readonly CheckResult[];
}

export class BreakingChanges {
  readonly #deps: WhatBreaksDeps;
  readonly #changed = new Emitter<void>();
  readonly #listening: readonly { dispose(): void }[];
  #state: WhatBreaks | undefined;
  #stop: AbortController | undefined;
  /** The passing changes were accepted: the result stands as long as the others are pending. */
  #isAccepted = false;
  /** What the checks have said of the passing changes. */
  #proof: readonly CheckResult[] = [];
  #isAccepting = false;
  #version = 0;

  readonly onDidChange = this.#changed.on;

  constructor(deps: WhatBreaksDeps) {
    this.#deps = deps;
    const look = () => this.#look();
    this.#listening = [deps.changes.onDidChange(look), deps.checks.onDidChange(look)];
  }

  get state(): WhatBreaks | undefined {
    return this.#state;
  }

  /** Changes with the state: what a person decides about is what they saw. */
  get version(): number {
    return this.#version;
  }

  /** Whether there is something to find: a current result that is red, and changes that can be there without others. */
  get canFind(): boolean {
    const { checks } = this.#deps;
    if (this.#state?.kind === "running" || this.#state?.kind === "found") return false;
    if (checks.isRunning || this.#failing.length === 0) return false;
    const { pending } = this.#deps.changes;
    return pending.flatMap(acceptableHunks).length > 1 && groupsOf(unitsOf(pending)).length > 1;
  }

  /** What the checks have said of these changes together; undefined unless they are the passing ones and no others. */
  proofOf(hunks: ReadonlySet<string>): readonly CheckResult[] | undefined {
    if (this.#state?.kind !== "found") return undefined;
    const { passing, rest } = this.#state;
    const isThem = passing?.every((id) => hunks.has(id)) === true && !rest.some((id) => hunks.has(id));
    return isThem ? this.#proof : undefined;
  }

  /** The checks that a search runs. */
  get checks(): readonly string[] {
    return this.#deps.checks.results.filter(({ state }) => conclusive.has(state)).map(({ id }) => id);
  }

  /** `agreedTo`: the state for which a person has agreed to what the checks may execute. Never throws. */
  async find(agreedTo?: string): Promise<void> {
    if (!this.canFind) return;
    const { checks, changes, log } = this.#deps;
    const stop = new AbortController();
    this.#stop = stop;
    this.#isAccepted = false;
    const { pending } = changes;
    const failing = this.#failing;
    const others = checks.results.filter((each) => conclusive.has(each.state) && !failing.includes(each));
    const units = unitsOf(pending);
    const broken: Broken[] = [];
    const passed: Passed[] = [];
    const touched = new Map<string, Message>();
    this.#show({ kind: "running", said: message("breakingPrepares") });
    try {
      const found = await checks.onParts(
        this.checks,
        agreedTo,
        (runOnPart) => {
          const runAll = async (part: ProposalPart, results: readonly CheckResult[]) => {
            const found: (Broken["results"][number] & { readonly before: CheckResult })[] = [];
            for (const before of results) {
              const ran = await runOnPart(before.id, part, stop.signal);
              const { why } = ran.result;
              if (why?.code === "checkTouched") touched.set(JSON.stringify(why), why);
              found.push({ before, ...ran });
              stop.signal.throwIfAborted();
            }
            return found;
          };
          const run = async (ids: ReadonlySet<string>, extent: CheckExtent): Promise<PartOutcome> => {
            const part = partOf(pending, [...ids]);
            if (part === undefined) return "other";
            const red = await runAll(part, failing);
            if (red.some(({ before, result }) => isSameFailure(before, result))) {
              broken.push({ size: ids.size, units: ids, results: red });
              return "broke";
            }
            const rest = extent === "all" && red.every(isGreen) ? await runAll(part, others) : [];
            if (![...red, ...rest].every(isGreen)) return "other";
            passed.push({ units: ids, results: [...red, ...rest].map(({ result }) => result) });
            return "passed";
          };
          const onRun = (told: SearchRun) =>
            this.#show({ kind: "running", said: runSaid(told, units.length) });
          return findBreakingSets({ units, run, onRun });
        },
        stop.signal,
      );
      const ran = [...failing, ...others].map(({ name }) => name);
      const shown = await this.#conclude(found, { pending, failing, broken, passed, ran });
      this.#show({ ...shown, said: withTouched(shown.said, touched) });
    } catch (error) {
      if (!stop.signal.aborted) log.error("What breaks could not be found.", error);
      this.#show({ kind: "ended", said: withTouched(whyEnded(stop.signal), touched) });
    } finally {
      this.#stop = undefined;
    }
  }

  stop(): void {
    this.#stop?.abort(stopped);
  }

  /** Accepts exactly what was seen to pass; then only the others are left to be sent back. */
  async accept(write: (hunks: readonly string[]) => Promise<boolean>): Promise<void> {
    const accepted = this.#state;
    if (this.#isAccepting || accepted?.kind !== "found") return;
    const { passing, ...rest } = accepted;
    if (passing === undefined) return;
    this.#isAccepted = true;
    this.#isAccepting = true;
    let isDone = false;
    try {
      isDone = await write(passing);
    } finally {
      this.#isAccepting = false;
      this.#isAccepted = isDone;
      // The others may have been decided meanwhile: then nothing is left to be sent back.
      if (isDone && this.#state === accepted) this.#show(rest);
      else this.#look();
    }
  }

  /** What was found was sent to the model, which will change it. */
  sent(): void {
    this.#show(undefined);
  }

  dispose(): void {
    this.#stop?.abort(stopped);
    for (const each of this.#listening) each.dispose();
  }

  /** None if the results are about another state. */
  get #failing(): readonly CheckResult[] {
    return this.#deps.checks.results.filter(({ state }) => state === "new-findings");
  }

  #show(state: WhatBreaks | undefined): void {
    this.#state = state;
    this.#version += 1;
    this.#changed.fire();
  }

  #look(): void {
    const { checks, changes } = this.#deps;
    const state = this.#state;
    // What was said of an earlier search is over with the next run.
    const isOver = state?.kind === "ended" && checks.isRunning;
    if (state === undefined || (checks.isCurrent && !isOver)) return;
    if (state.kind === "running") {
      this.#stop?.abort(stale);
      return;
    }
    const ids = new Set(changes.pending.flatMap(({ hunks }) => hunks.map(({ id }) => id)));
    const isLeft = state.kind === "found" && this.#isAccepted && state.rest.every((each) => ids.has(each));
    if (!isLeft) this.#show(undefined);
  }

  async #conclude(
    { ending, sets, passing }: BreakingSets,
    {
      pending,
      failing,
      broken,
      passed,
      ran,
    }: {
      readonly pending: readonly PendingFile[];
      readonly failing: readonly CheckResult[];
      readonly broken: readonly Broken[];
      readonly passed: readonly Passed[];
      /** The names of the checks. */
      readonly ran: readonly string[];
    },
  ): Promise<WhatBreaks> {
    const { nameOf, checks } = this.#deps;
    const names = failing.map(({ name }) => name).join(", ");
    if (ending === "unsteady" || sets.length === 0)
      return {
        kind: "ended",
        said: message(ending === "unsteady" ? "breakingUnsteady" : "breakingNone", { names }),
      };
    const culprits = sets.flat();
    const rest =
      passing === undefined ? culprits : unitsOf(pending).flatMap(({ id }) => (passing.has(id) ? [] : [id]));
    const places = sets.map((set) => set.map((id) => placeOf(pending, id, nameOf)));
    const said = spellSets(places);
    const whole = failing.map((result) => ({ result, output: checks.outputOf(result.id) ?? "" }));
    const runs = new Set(sets.map((set) => smallestWith(set, broken)?.results ?? whole));
    const isPassing = ({ units }: Passed) =>
      passing?.size === units.size && [...units].every((id) => passing.has(id));
    this.#proof = passed.findLast(isPassing)?.results ?? [];
    const report = describeBreaking({
      ...{ part: partOf(pending, rest), nameOf, places, ran },
      runs: [...runs],
      passing: passing?.size ?? 0,
      isAll: ending === "found",
    });
    return {
      kind: "found",
      said: message(ending === "found" ? "breakingFound" : "breakingAtLeast", { names, places: said }),
      places: places.flat(),
      rest,
      report,
      ...present({ passing: passing && [...passing] }),
    };
  }
}

/** The same, and what the runs have changed outside of the copy. */
const withTouched = (said: Message, touched: ReadonlyMap<string, Message>): Message =>
  touched.size === 0 ? said : message("breakingTouched", { said, touched: [...touched.values()] });

const stale = Symbol("stale");
const stopped = Symbol("stopped");

function whyEnded({ aborted, reason }: AbortSignal): Message {
  if (!aborted) return message("breakingFailed");
  return message(reason === stale ? "breakingStale" : "breakingStopped");
}

const conclusive: ReadonlySet<CheckResult["state"]> = new Set(["passed", "no-new", "new-findings"]);

const isGreen = ({ result: { state } }: { readonly result: CheckResult }): boolean =>
  state === "passed" || state === "no-new";

/** Whether one of the findings of the whole proposal is there with the part as well. */
function isSameFailure(whole: CheckResult, part: CheckResult): boolean {
  if (part.state !== "new-findings") return false;
  return newFindings(whole.findings, part.findings).length < part.findings.length;
}

function runSaid({ run, atMost, changes, isRepeat }: SearchRun, all: number): Message {
  return message(isRepeat ? "breakingRunsAgain" : "breakingRuns", { run, atMost, changes, all });
}

function smallestWith(set: readonly string[], broken: readonly Broken[]): Broken | undefined {
  const own = broken.filter(({ units }) => set.every((id) => units.has(id)));
  return own.toSorted((one, other) => one.size - other.size)[0];
}

/** `a.ts:3, b.ts:7 + c.ts:1`. */
const spellSets = (sets: readonly (readonly BreakingPlace[])[]): string =>
  sets.map((set) => set.map(spellPlace).join(" + ")).join(", ");

function spellPlace({ path, line }: BreakingPlace): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return line === undefined ? name : `${name}:${line}`;
}
