// Find in the conversation: counts in all turns that are here, brings the turn of a match into the document, marks
// what is in it, and leads to it. The counts come from the turns, the marks from what is drawn.
import type { Turn } from "../../core/conversation/state.ts";
import { type Match, matchesIn, patternOf } from "../find-text.ts";
import { mark, rangesIn } from "../found-ranges.ts";
import { searchableText } from "../searchable-text.ts";
import type { DrawnTurn } from "../turn-window.ts";
import { findBar } from "./find-bar.ts";

export interface FinderDeps {
  turns(): readonly Turn[];
  /** Puts this turn into the document and answers its element. */
  bring(turn: number): HTMLElement | undefined;
  readonly drawn: () => readonly DrawnTurn[];
  /** Brings a place into the middle of the view. */
  reveal(range: Range): void;
  /** Where to begin: the turn the reader is at. */
  here(): number;
}

export interface Finder {
  readonly root: HTMLElement;
  open(): void;
  /** Turns have changed, or others are drawn. */
  changed(): void;
}

export function finder(deps: FinderDeps): Finder {
  let matches: readonly Match[] = [];
  let current = -1;
  let searched: readonly Turn[] = [];
  let planned = false;
  let cameFrom: Element | null = null;

  const bar = findBar({ search, step, closed: close });
  return { root: bar.root, open, changed };

  function open(): void {
    if (bar.root.hidden) cameFrom = document.activeElement;
    const selected = String(document.getSelection() ?? "");
    bar.open(selected.includes("\n") ? "" : selected.slice(0, 200));
  }

  function close(): void {
    const at = matches[current]?.turn ?? deps.here();
    bar.close();
    matches = [];
    current = -1;
    mark([], undefined);
    // Where somebody came from may be gone; what they have found is not.
    const before = cameFrom instanceof HTMLElement && cameFrom !== document.body ? cameFrom : undefined;
    const back = before?.checkVisibility() === true ? before : deps.bring(at);
    back?.focus({ preventScroll: true });
  }

  function search(query: string): void {
    searched = deps.turns();
    matches = matchesIn(searched, query, searchableText);
    const here = deps.here();
    current = matches.findIndex(({ turn }) => turn >= here);
    if (current < 0) current = matches.length - 1;
    go();
  }

  function step(by: 1 | -1): void {
    if (matches.length === 0) return;
    current = (current + by + matches.length) % matches.length;
    go();
  }

  function go(): void {
    bar.show(matches.length, current);
    const match = matches[current];
    const pattern = patternOf(bar.query);
    if (match === undefined || pattern === undefined) {
      mark([], undefined);
      return;
    }
    const range = rangeOf(match, pattern);
    draw(pattern, range);
    if (range !== undefined) deps.reveal(range);
  }

  /** What is folded away is unfolded, so that what was found is seen. */
  function rangeOf({ turn, nth }: Match, pattern: RegExp): Range | undefined {
    const root = deps.bring(turn);
    if (root === undefined) return undefined;
    const ranges = rangesIn(root, pattern);
    const range = ranges[Math.min(nth, ranges.length - 1)];
    const around = range?.startContainer.parentElement;
    const reasoning = around?.closest(".reasoning")?.querySelector<HTMLElement>("[aria-expanded='false']");
    reasoning?.click();
    const prompt = around?.closest(".prompt.folded");
    prompt?.parentElement?.querySelector<HTMLElement>(".more")?.click();
    // A row that was found itself is in sight as it is.
    const fold = around?.closest("summary") === null ? around.closest("details") : null;
    if (fold !== null) fold.open = true;
    return range;
  }

  function draw(pattern: RegExp, now: Range | undefined): void {
    const all = deps.drawn().flatMap(({ view }) => rangesIn(view.root, pattern));
    const same = all.find((range) => now !== undefined && isSame(range, now));
    mark(all, same ?? now);
  }

  function changed(): void {
    if (bar.root.hidden || planned) return;
    planned = true;
    requestAnimationFrame(() => {
      planned = false;
      if (!bar.root.hidden) refresh();
    });
  }

  /** Marks again what is drawn now, and counts again when there is more to count; the reader is not moved. */
  function refresh(): void {
    const pattern = patternOf(bar.query);
    if (pattern === undefined) return;
    const turns = deps.turns();
    const before = matches[current];
    if (turns !== searched) {
      const shift = turns.length - searched.length;
      const moved = searched[0] !== undefined && turns[shift] === searched[0] ? shift : 0;
      searched = turns;
      matches = matchesIn(turns, bar.query, searchableText);
      const wanted = before === undefined ? undefined : before.turn + moved;
      current = matches.findIndex(({ turn, nth }) => turn === wanted && nth === before?.nth);
      if (current < 0 && matches.length > 0) current = 0;
      bar.show(matches.length, current);
    }
    const match = matches[current];
    const drawn = deps.drawn().find(({ index }) => index === match?.turn);
    const ranges = drawn === undefined ? [] : rangesIn(drawn.view.root, pattern);
    draw(pattern, ranges[Math.min(match?.nth ?? 0, ranges.length - 1)]);
  }
}

const isSame = (one: Range, other: Range): boolean =>
  one.startContainer === other.startContainer && one.startOffset === other.startOffset;
