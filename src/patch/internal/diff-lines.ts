// Line diff: Myers' shortest edit script searched from both ends, with limits that keep it fast on texts with little in
// common, and runs of changes moved to where those of the other side are. It makes the same decisions as git's diff, so
// that a merge here and one in the repository agree. Pure.
import type { LineChange } from "../diff-and-merge.ts";

/** Numbers the lines of versions of one text: equal lines have equal numbers. */
export class LineNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #base: readonly string[];
  /** Of the base, where each number occurs last. */
  readonly #places: readonly number[];
  readonly ofBase: Int32Array;

  constructor(base: readonly string[]) {
    const places: number[] = [];
    this.#base = base;
    this.ofBase = new Int32Array(base.length);
    for (const [at, line] of base.entries()) {
      const number = this.#numberOf(line);
      this.ofBase[at] = number;
      places[number] = at;
    }
    this.#places = places;
  }

  /** How many different lines there are so far. */
  get count(): number {
    return this.#numbers.size;
  }

  /** Most lines are those of the base, one after the other, which is cheaper to see than to look up. */
  of(lines: readonly string[]): Int32Array {
    const numbers = new Int32Array(lines.length);
    let expected = 0;
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at] ?? "";
      const isExpected = line === this.#base[expected];
      const number = isExpected ? (this.ofBase[expected] ?? 0) : this.#numberOf(line);
      numbers[at] = number;
      expected = isExpected ? expected + 1 : (this.#places[number] ?? expected) + 1;
    }
    return numbers;
  }

  #numberOf(line: string): number {
    const known = this.#numbers.get(line);
    if (known !== undefined) return known;
    const { size } = this.#numbers;
    this.#numbers.set(line, size);
    return size;
  }
}

export class Side {
  /** The number of each line. */
  readonly lines: Int32Array;
  /** A flag per line, with a zero before the first and after the last. */
  readonly #changed: Uint8Array;
  /** The lines that are compared; a line that cannot be on the other side is marked as changed from the start. */
  kept: Int32Array = new Int32Array(0);

  constructor(lines: Int32Array) {
    this.lines = lines;
    this.#changed = new Uint8Array(lines.length + 2);
  }

  get length(): number {
    return this.lines.length;
  }

  isChanged(line: number): boolean {
    return this.#changed[line + 1] === 1;
  }

  change(line: number, on: boolean): void {
    this.#changed[line + 1] = on ? 1 : 0;
  }

  same(line: number, other: number): boolean {
    return this.lines[line] === this.lines[other];
  }

  /** Considers only the lines between the common head and tail of both texts. */
  choose({ lines }: Side, from: number, to: number, numbers: number): void {
    const counts = new Int32Array(numbers);
    for (const line of lines) counts[line] = (counts[line] ?? 0) + 1;
    const many = Math.min(roughRoot(this.length), maxEqual);
    const kinds = new Uint8Array(this.length);
    for (let at = from; at < to; at++) {
      const count = counts[this.lines[at] ?? 0] ?? 0;
      kinds[at] = count === 0 ? absent : count >= many ? frequent : known;
    }
    const kept: number[] = [];
    for (let at = from; at < to; at++) {
      const kind = kinds[at];
      const isKept = kind === known || (kind === frequent && !standsAmongAbsent(kinds, at, from, to - 1));
      if (isKept) kept.push(at);
      else this.change(at, true);
    }
    this.kept = new Int32Array(kept);
  }
}

const [absent, known, frequent] = [0, 1, 2];
const maxEqual = 1024;
/**
 * How far the surroundings of a frequent line are examined; at most one in `share` of those lines may be frequent too.
 */
const window = 100;
const share = 4;

/** Whether a frequent line is among lines that the other side lacks. It then says nothing about where those belong. */
function standsAmongAbsent(kinds: Uint8Array, at: number, from: number, last: number): boolean {
  const count = (step: number, end: number): readonly [missing: number, many: number] => {
    let [missing, many] = [0, 1];
    for (let place = at + step; step < 0 ? place >= end : place <= end; place += step) {
      if (kinds[place] === absent) missing += 1;
      else if (kinds[place] === frequent) many += 1;
      else break;
    }
    return [missing, many];
  };
  const [before, manyBefore] = count(-1, Math.max(from, at - window));
  if (before === 0) return false;
  const [after, manyAfter] = count(1, Math.min(last, at + window));
  if (after === 0) return false;
  const many = manyBefore + manyAfter;
  return many * share < many + before + after;
}

/** A power of two near the square root. */
function roughRoot(number: number): number {
  let root = 1;
  for (let left = number; left > 0; left >>= 2) root <<= 1;
  return root;
}

export function commonHead(one: Int32Array, other: Int32Array): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one[at] === other[at]) at += 1;
  return at;
}

export function commonTail(one: Int32Array, other: Int32Array, head: number): number {
  const most = Math.min(one.length, other.length) - head;
  let at = 0;
  while (at < most && one[one.length - 1 - at] === other[other.length - 1 - at]) at += 1;
  return at;
}

interface EditRegion {
  readonly from: number;
  readonly to: number;
  readonly newFrom: number;
  readonly newTo: number;
  /** Whether the shortest script is wanted at any cost. */
  readonly exact: boolean;
}

/** Where a region is split in two, and which halves are worth an exact search. */
interface Cut {
  readonly at: number;
  readonly newAt: number;
  readonly exactBefore: boolean;
  readonly exactAfter: boolean;
}

const snake = 20;
const leastCost = 256;
const progress = 4;
const farthest = 0x7fffffff;

export class Search {
  readonly #old: Int32Array;
  readonly #now: Int32Array;
  readonly #one: Side;
  readonly #other: Side;
  /** How far each diagonal has advanced, from the beginning and from the end. */
  readonly #ahead: Int32Array;
  readonly #back: Int32Array;
  readonly #middle: number;
  readonly #mostCost: number;

  constructor(one: Side, other: Side) {
    this.#one = one;
    this.#other = other;
    this.#old = one.kept.map((at) => one.lines[at] ?? 0);
    this.#now = other.kept.map((at) => other.lines[at] ?? 0);
    const diagonals = this.#old.length + this.#now.length + 3;
    this.#ahead = new Int32Array(diagonals + 1);
    this.#back = new Int32Array(diagonals + 1);
    this.#middle = this.#now.length + 1;
    this.#mostCost = Math.max(roughRoot(diagonals), leastCost);
  }

  run(): void {
    const waiting: EditRegion[] = [
      { from: 0, to: this.#old.length, newFrom: 0, newTo: this.#now.length, exact: false },
    ];
    for (let box = waiting.pop(); box !== undefined; box = waiting.pop()) {
      const { from, to, newFrom, newTo, exact } = this.#shrunk(box);
      if (from === to)
        for (let at = newFrom; at < newTo; at++) this.#other.change(this.#other.kept[at] ?? 0, true);
      else if (newFrom === newTo)
        for (let at = from; at < to; at++) this.#one.change(this.#one.kept[at] ?? 0, true);
      else {
        const cut = this.#cut({ from, to, newFrom, newTo, exact });
        waiting.push(
          { from: cut.at, to, newFrom: cut.newAt, newTo, exact: cut.exactAfter },
          { from, to: cut.at, newFrom, newTo: cut.newAt, exact: cut.exactBefore },
        );
      }
    }
  }

  #shrunk(box: EditRegion): EditRegion {
    let { from, to, newFrom, newTo } = box;
    while (from < to && newFrom < newTo && this.#old[from] === this.#now[newFrom]) {
      from += 1;
      newFrom += 1;
    }
    while (from < to && newFrom < newTo && this.#old[to - 1] === this.#now[newTo - 1]) {
      to -= 1;
      newTo -= 1;
    }
    return { ...box, from, to, newFrom, newTo };
  }

  /**
   * A diagonal is the difference between the two positions. Both searches advance on all diagonals in reach, one step
   * at a time.
   */
  #cut(box: EditRegion): Cut {
    const { from, to, newFrom, newTo } = box;
    const [old, now, ahead, back, middle] = [this.#old, this.#now, this.#ahead, this.#back, this.#middle];
    const [lowest, highest] = [from - newTo, to - newFrom];
    const [begin, end] = [from - newFrom, to - newTo];
    const isOdd = ((begin - end) & 1) !== 0;
    let [first, last, firstBack, lastBack] = [begin, begin, end, end];
    ahead[middle + begin] = from;
    back[middle + end] = to;
    for (let cost = 1; ; cost++) {
      let isLong = false;
      if (first > lowest) ahead[middle + --first - 1] = -1;
      else first += 1;
      if (last < highest) ahead[middle + ++last + 1] = -1;
      else last -= 1;
      for (let diagonal = last; diagonal >= first; diagonal -= 2) {
        const below = ahead[middle + diagonal - 1] ?? 0;
        const above = ahead[middle + diagonal + 1] ?? 0;
        const start = below >= above ? below + 1 : above;
        let at = start;
        while (at < to && at - diagonal < newTo && old[at] === now[at - diagonal]) at += 1;
        if (at - start > snake) isLong = true;
        ahead[middle + diagonal] = at;
        const meets = isOdd && firstBack <= diagonal && diagonal <= lastBack;
        if (meets && (back[middle + diagonal] ?? 0) <= at)
          return { at, newAt: at - diagonal, exactBefore: true, exactAfter: true };
      }
      if (firstBack > lowest) back[middle + --firstBack - 1] = farthest;
      else firstBack += 1;
      if (lastBack < highest) back[middle + ++lastBack + 1] = farthest;
      else lastBack -= 1;
      for (let diagonal = lastBack; diagonal >= firstBack; diagonal -= 2) {
        const below = back[middle + diagonal - 1] ?? 0;
        const above = back[middle + diagonal + 1] ?? 0;
        const start = below < above ? below : above - 1;
        let at = start;
        while (at > from && at - diagonal > newFrom && old[at - 1] === now[at - diagonal - 1]) at -= 1;
        if (start - at > snake) isLong = true;
        back[middle + diagonal] = at;
        const meets = !isOdd && first <= diagonal && diagonal <= last;
        if (meets && at <= (ahead[middle + diagonal] ?? 0))
          return { at, newAt: at - diagonal, exactBefore: true, exactAfter: true };
      }
      if (box.exact) continue;
      const reach = { first, last, firstBack, lastBack, begin, end };
      const good = isLong && cost > leastCost ? this.#promising(box, reach, cost) : undefined;
      const found = good ?? (cost >= this.#mostCost ? this.#farthest(box, reach) : undefined);
      if (found !== undefined) return found;
    }
  }

  /** Finds a diagonal that has advanced far and ends in a long run of equal lines. */
  #promising({ from, to, newFrom, newTo }: EditRegion, reach: Reach, cost: number): Cut | undefined {
    let best = 0;
    let found: Cut | undefined;
    for (let diagonal = reach.last; diagonal >= reach.first; diagonal -= 2) {
      const at = this.#ahead[this.#middle + diagonal] ?? 0;
      const newAt = at - diagonal;
      const worth = at - from + newAt - newFrom - Math.abs(diagonal - reach.begin);
      const isIn = from + snake <= at && at < to && newFrom + snake <= newAt && newAt < newTo;
      if (worth <= progress * cost || worth <= best || !isIn) continue;
      if (!this.#isSnake(at - snake, newAt - snake)) continue;
      best = worth;
      found = { at, newAt, exactBefore: true, exactAfter: false };
    }
    if (found !== undefined) return found;
    for (let diagonal = reach.lastBack; diagonal >= reach.firstBack; diagonal -= 2) {
      const at = this.#back[this.#middle + diagonal] ?? 0;
      const newAt = at - diagonal;
      const worth = to - at + newTo - newAt - Math.abs(diagonal - reach.end);
      const isIn = from < at && at <= to - snake && newFrom < newAt && newAt <= newTo - snake;
      if (worth <= progress * cost || worth <= best || !isIn) continue;
      if (!this.#isSnake(at, newAt)) continue;
      best = worth;
      found = { at, newAt, exactBefore: false, exactAfter: true };
    }
    return found;
  }

  #isSnake(at: number, newAt: number): boolean {
    for (let step = 0; step < snake; step++)
      if (this.#old[at + step] !== this.#now[newAt + step]) return false;
    return true;
  }

  /** Stops the exact search at its cost limit and splits at the end that has advanced farther. */
  #farthest({ from, to, newFrom, newTo }: EditRegion, reach: Reach): Cut {
    let [best, bestAt] = [-1, -1];
    for (let diagonal = reach.last; diagonal >= reach.first; diagonal -= 2) {
      let at = Math.min(this.#ahead[this.#middle + diagonal] ?? 0, to);
      if (at - diagonal > newTo) at = newTo + diagonal;
      if (2 * at - diagonal > best) [best, bestAt] = [2 * at - diagonal, at];
    }
    let [least, leastAt] = [farthest, farthest];
    for (let diagonal = reach.lastBack; diagonal >= reach.firstBack; diagonal -= 2) {
      let at = Math.max(this.#back[this.#middle + diagonal] ?? 0, from);
      if (at - diagonal < newFrom) at = newFrom + diagonal;
      if (2 * at - diagonal < least) [least, leastAt] = [2 * at - diagonal, at];
    }
    return to + newTo - least < best - (from + newFrom)
      ? { at: bestAt, newAt: best - bestAt, exactBefore: true, exactAfter: false }
      : { at: leastAt, newAt: least - leastAt, exactBefore: false, exactAfter: true };
  }
}

interface Reach {
  readonly first: number;
  readonly last: number;
  readonly firstBack: number;
  readonly lastBack: number;
  readonly begin: number;
  readonly end: number;
}

/** A run of changed lines, possibly empty: there is always one between two unchanged lines. */
class Run {
  readonly #side: Side;
  start = 0;
  end = 0;

  constructor(side: Side) {
    this.#side = side;
    this.#grow();
  }

  get isEmpty(): boolean {
    return this.start === this.end;
  }

  next(): boolean {
    if (this.end === this.#side.length) return false;
    this.start = this.end + 1;
    this.end = this.start;
    this.#grow();
    return true;
  }

  previous(): void {
    this.end = this.start - 1;
    this.start = this.end;
    while (this.#side.isChanged(this.start - 1)) this.start -= 1;
  }

  /** Moves the run one line down, if its first line equals the one after it. Merges with a run that it then touches. */
  down(): boolean {
    if (this.end >= this.#side.length || !this.#side.same(this.start, this.end)) return false;
    this.#side.change(this.start++, false);
    this.#side.change(this.end++, true);
    this.#grow();
    return true;
  }

  up(): boolean {
    if (this.start === 0 || !this.#side.same(this.start - 1, this.end - 1)) return false;
    this.#side.change(--this.start, true);
    this.#side.change(--this.end, false);
    while (this.#side.isChanged(this.start - 1)) this.start -= 1;
    return true;
  }

  #grow(): void {
    while (this.#side.isChanged(this.end)) this.end += 1;
  }
}

/** Moves a run with several possible positions next to a run of the other side, or else as far down as possible. */
export function settle(side: Side, other: Side): void {
  const [run, beside] = [new Run(side), new Run(other)];
  do {
    if (!run.isEmpty) slide(run, beside);
    // Both sides have the same number of runs, since they have the same number of unchanged lines.
  } while (run.next() && beside.next());
}

function slide(run: Run, beside: Run): void {
  let size: number;
  let earliest: number;
  let isBeside: boolean;
  do {
    size = run.end - run.start;
    while (run.up()) beside.previous();
    earliest = run.end;
    isBeside = !beside.isEmpty;
    while (run.down()) {
      beside.next();
      if (!beside.isEmpty) isBeside = true;
    }
    // The run may have merged with another one, and can then move further.
  } while (size !== run.end - run.start);
  if (run.end === earliest || !isBeside) return;
  while (beside.isEmpty) {
    run.up();
    beside.previous();
  }
}

export function changesOf(one: Side, other: Side): LineChange[] {
  const changes: LineChange[] = [];
  let [at, newAt] = [0, 0];
  while (at < one.length || newAt < other.length) {
    const [from, newFrom] = [at, newAt];
    while (one.isChanged(at)) at += 1;
    while (other.isChanged(newAt)) newAt += 1;
    if (at > from || newAt > newFrom) changes.push({ from, to: at, newFrom, newTo: newAt });
    at += 1;
    newAt += 1;
  }
  return changes;
}
