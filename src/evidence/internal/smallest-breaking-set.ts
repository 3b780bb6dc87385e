// Which smallest set of changes breaks a check that passes without them? A search that only ever adds to what has
// passed: the changes are put together one after another, and halving finds the first one with which the check breaks.
// Leaving that one out shows whether there are more. Says "at least these" where its runs don't end it. Pure: what it
// knows comes from `run`.
import { groupsOf, type RequiringUnit } from "./requiring-groups.ts";

/**
 * `broke`: with what the whole set breaks. `other`: it did not pass, for another reason or an unknown one, as when a
 * change is missing that this one needs.
 */
export type PartOutcome = "passed" | "broke" | "other";

/** `failing`: the checks that the whole set breaks. `all`: the others as well. */
export type CheckExtent = "failing" | "all";

export interface SearchRun {
  /** 1-based. */
  readonly run: number;
  readonly atMost: number;
  /** How many changes this run has. */
  readonly changes: number;
  /** It repeats a run, to see whether the check is steady. */
  readonly isRepeat: boolean;
}

export interface BreakingSearch {
  /** Those that others are likely to need come first. All of them together break the check, none of them does not. */
  readonly units: readonly RequiringUnit[];
  /** Runs checks on exactly these. */
  run(units: ReadonlySet<string>, extent: CheckExtent): Promise<PartOutcome>;
  onRun?(run: SearchRun): void;
}

export interface BreakingSets {
  /**
   * `found`: these, and no others. `at-least`: these, and possibly others. `unsteady`: the same changes have passed and
   * failed, so nothing follows.
   */
  readonly ending: "found" | "at-least" | "unsteady";
  /** Each breaks the check; all changes of one of them are needed for that. */
  readonly sets: readonly (readonly string[])[];
  /** The largest set that was seen to pass all checks; absent if none was. */
  readonly passing?: ReadonlySet<string>;
  readonly runs: number;
  /** Runs that were repeated because what they had shown did not fit together; not counted among `runs`. */
  readonly repeats: number;
}

/** Enough for one culprit, or for two that break on their own. */
export const runsAtMost = (groups: number): number => 2 * Math.ceil(Math.log2(Math.max(groups, 1))) + 4;

export const findBreakingSets = (search: BreakingSearch): Promise<BreakingSets> => new Search(search).find();

interface Observed {
  readonly set: ReadonlySet<number>;
  readonly outcome: PartOutcome;
  readonly extent: CheckExtent;
}

interface Culprit {
  /** The groups that break together, as far as they are known. */
  readonly set: Set<number>;
  /** What was there before it; with it the check broke. */
  readonly before: readonly number[];
  /** `partnered`: it breaks together with others that are not known yet. `unknown`: it was not, or could not be, tried. */
  kind: "explained" | "partnered" | "unknown";
}

/** The same changes have passed and failed. */
const unsteady = Symbol("unsteady");

class Search {
  readonly #search: BreakingSearch;
  readonly #groups: ReturnType<typeof groupsOf>;
  readonly #all: readonly number[];
  readonly #atMost: number;
  readonly #seen = new Map<string, Observed>();
  readonly #culprits: Culprit[] = [];
  #runs = 0;
  #repeats = 0;

  constructor(search: BreakingSearch) {
    this.#search = search;
    this.#groups = groupsOf(search.units);
    this.#all = [...this.#groups.keys()];
    this.#atMost = runsAtMost(this.#all.length);
  }

  async find(): Promise<BreakingSets> {
    try {
      const isOver = await this.#findCulprits();
      for (const each of this.#culprits) await this.#findPartners(each);
      await this.#confirmLargest();
      const isFound = isOver && this.#culprits.every(({ kind }) => kind === "explained");
      if (isFound) await this.#look();
      return this.#conclude(isFound ? "found" : "at-least");
    } catch (error) {
      if (error === unsteady) return this.#conclude("unsteady");
      throw error;
    }
  }

  #conclude(ending: BreakingSets["ending"]): BreakingSets {
    const counts = { runs: this.#runs, repeats: this.#repeats };
    if (ending === "unsteady") return { ending, sets: [], ...counts };
    const sets = this.#culprits.map(({ set }) => [...set].flatMap((each) => this.#groups[each]?.ids ?? []));
    const largest = this.#largest("all");
    return { ending, sets, ...(largest && { passing: this.#idsOf(largest) }), ...counts };
  }

  /** Finds one after the other, until the rest passes. Returns false if the runs were over before that. */
  async #findCulprits(): Promise<boolean> {
    let rest = this.#all;
    const movedUp = new Set<number>();
    let lastly: PartOutcome = "broke";
    for (let fine = 0; ; ) {
      // A rest that fails for another reason misses something that was left out: what needs it has to go as well.
      const isCulprit: boolean = lastly === "broke";
      const isBad = (outcome: PartOutcome) => (isCulprit ? outcome === "broke" : outcome !== "passed");
      const parts = (size: number) => rest.slice(0, size);
      const at = await this.#halve(fine, rest.length, parts, isBad, isCulprit ? "failing" : "all");
      const found = at === undefined ? undefined : rest[at - 1];
      if (at === undefined || found === undefined) return false;
      const before = rest.slice(0, at - 1);
      if (isCulprit && this.#outcomeOf(before) === "other" && !movedUp.has(found)) {
        // Those before it may only have needed it to work: then it comes first, and the search begins again.
        movedUp.add(found);
        const first = this.#withNeeded([found]).filter((each) => rest.includes(each));
        rest = [...first, ...rest.filter((each) => !first.includes(each))];
        fine = 0;
        continue;
      }
      const needing = this.#groups[found]?.neededBy ?? new Set();
      rest = rest.filter((each) => each !== found && !needing.has(each));
      const culprit: Culprit = { set: new Set([found]), before, kind: "unknown" };
      if (isCulprit) this.#culprits.push(culprit);
      const without = rest.length === 0 ? "passed" : await this.#run(rest, "all");
      if (isCulprit) await this.#runAlone(culprit);
      if (without === undefined) return false;
      if (without === "passed") return true;
      fine = at - 1;
      lastly = without;
    }
  }

  /** Returns the smallest size above `fine` whose part is bad, where that of `bad` is known to be. */
  async #halve(
    fine: number,
    bad: number,
    partOf: (size: number) => readonly number[],
    isBad: (outcome: PartOutcome) => boolean,
    extent: CheckExtent,
  ): Promise<number | undefined> {
    let [low, high] = [fine, bad];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      const outcome = await this.#run(partOf(middle), extent);
      if (outcome === undefined) return undefined;
      if (isBad(outcome)) high = middle;
      else low = middle;
    }
    return high;
  }

  async #runAlone(culprit: Culprit): Promise<void> {
    const alone = this.#withNeeded(culprit.set);
    const outcome = alone.length === this.#all.length ? "broke" : await this.#run(alone, "failing");
    // It may need others to work at all, so that it cannot be tried alone: then what was there before it is enough.
    const isClear = outcome === "other" && this.#outcomeOf(culprit.before) !== "other";
    if (outcome === "broke" || isClear) culprit.kind = "explained";
    if (outcome !== "broke" && !this.#isAnySeen("broke")) await this.#repeat(this.#all, "broke");
    if (outcome !== "passed") return;
    culprit.kind = "partnered";
    // Either it breaks only together with another one, or the check is not steady.
    const together = [...culprit.before, ...culprit.set];
    for (const _ of [1, 2]) await this.#repeat(together, "broke");
    await this.#repeat(culprit.before, "passed");
  }

  /** Finds the others without which it does not break. */
  async #findPartners(culprit: Culprit): Promise<void> {
    const { set, before } = culprit;
    let high = before.length;
    while (culprit.kind === "partnered" && high > 0) {
      const parts = (size: number) => this.#withNeeded([...set, ...before.slice(0, size)]);
      const at = await this.#halve(0, high, parts, (outcome) => outcome === "broke", "failing");
      const found = at === undefined ? undefined : before[at - 1];
      if (at === undefined || found === undefined) return;
      if (set.size === 1) await this.#repeat(this.#withNeeded(set), "passed");
      set.add(found);
      high = at - 1;
      const together = await this.#run(this.#withNeeded(set), "failing");
      if (together === undefined) return;
      if (together === "broke") culprit.kind = "explained";
    }
  }

  /** What is offered has passed all checks. */
  async #confirmLargest(): Promise<void> {
    const largest = this.#largest();
    if (largest === undefined || this.#isConfirmed()) return;
    await this.#run([...largest], "all", 0);
  }

  /** With the runs that are left, looks a second time at what is said to break and at what is said to pass. */
  async #look(): Promise<void> {
    const broken = this.#culprits.map(({ set }) => this.#withNeeded(set));
    for (const part of [...broken, [...(this.#largest("all") ?? [])]]) {
      const expected = this.#outcomeOf(part);
      if (expected === undefined || expected === "other") continue;
      if (this.#runs >= this.#atMost) return;
      this.#runs += 1;
      await this.#runAgain(part, expected);
    }
  }

  /** Runs a part unless that was done; undefined if no runs are left. One is kept to confirm what will be offered. */
  async #run(
    part: readonly number[],
    extent: CheckExtent,
    kept = this.#isConfirmed() ? 0 : 1,
  ): Promise<PartOutcome | undefined> {
    const key = keyOf(part);
    const known = this.#seen.get(key);
    const isKnown = known?.extent === "all" || known?.extent === extent || known?.outcome === "broke";
    if (known !== undefined && isKnown) return known.outcome;
    if (part.length === 0) return "passed";
    if (this.#runs + kept >= this.#atMost) return undefined;
    this.#runs += 1;
    this.#announce(part, false);
    const outcome = await this.#search.run(this.#idsOf(part), extent);
    if (known?.outcome === "passed" && outcome === "broke") throw unsteady;
    this.#seen.set(key, { set: new Set(part), outcome, extent });
    return outcome;
  }

  async #repeat(part: readonly number[], expected: PartOutcome): Promise<void> {
    if (part.length === 0) return;
    this.#repeats += 1;
    await this.#runAgain(part, expected);
  }

  async #runAgain(part: readonly number[], expected: PartOutcome): Promise<void> {
    this.#announce(part, true);
    const outcome = await this.#search.run(this.#idsOf(part), "failing");
    if (outcome !== expected && outcome !== "other") throw unsteady;
  }

  #announce(part: readonly number[], isRepeat: boolean): void {
    const changes = this.#idsOf(part).size;
    this.#search.onRun?.({ run: this.#runs, atMost: this.#atMost, changes, isRepeat });
  }

  #outcomeOf(part: readonly number[]): PartOutcome | undefined {
    return this.#seen.get(keyOf(part))?.outcome;
  }

  #isAnySeen(outcome: PartOutcome): boolean {
    return [...this.#seen.values()].some((each) => each.outcome === outcome);
  }

  /** Whether nothing has to be run any more before it can be offered. */
  #isConfirmed(): boolean {
    const largest = this.#largest();
    return largest === undefined || (this.#largest("all")?.size ?? 0) >= largest.size;
  }

  #largest(extent?: CheckExtent): ReadonlySet<number> | undefined {
    const passed = [...this.#seen.values()].filter(
      (each) => each.outcome === "passed" && (extent === undefined || each.extent === extent),
    );
    return passed.toSorted((one, other) => other.set.size - one.set.size)[0]?.set;
  }

  /** In their order. */
  #withNeeded(part: Iterable<number>): readonly number[] {
    const whole = new Set(part);
    for (const each of [...whole]) for (const needed of this.#groups[each]?.needs ?? []) whole.add(needed);
    return [...whole].sort((one, other) => one - other);
  }

  #idsOf(part: Iterable<number>): ReadonlySet<string> {
    return new Set([...part].flatMap((each) => this.#groups[each]?.ids ?? []));
  }
}

const keyOf = (part: readonly number[]): string => part.toSorted((one, other) => one - other).join(" ");
