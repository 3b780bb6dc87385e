// Find in conversation: counts matches in all loaded turns, brings the turn of a match into the document, and
// highlights and reveals it. Counts come from the turns, highlights from what is drawn.

import type { Turn } from "../../../conversation/state.ts";
import { h, iconButton, setText } from "../../elements/dom.ts";
import { exact } from "../../words/numbers-and-times.ts";
import { fill, strings } from "../../words/strings.ts";
import { composingGuard } from "../composer/text-input.ts";
import type { DrawnTurn } from "../transcript/turn-window.ts";
import { mark, nthPlace, rangesIn } from "./find-highlights.ts";
import { type Match, matchesIn, patternOf } from "./find-text.ts";
import { searchableText } from "./searchable-text.ts";

interface FindBarActions {
  /** The query has changed. */
  search(query: string): void;
  step(by: 1 | -1): void;
  closed(): void;
}

interface FindBar {
  readonly root: HTMLElement;
  /** Opens with this query unless it is empty. */
  open(query: string): void;
  close(): void;
  readonly query: string;
  show(count: number, current: number): void;
}

/** The find bar, like the one of VS Code's editors. It knows nothing about turns. */
function findBar({ search, step, closed }: FindBarActions): FindBar {
  const input = h("input", {
    type: "text",
    class: "field",
    "aria-label": strings.find,
    placeholder: strings.find,
    dir: "auto",
    spellcheck: "false",
  });
  const count = h("span", { class: "count", "aria-live": "polite" });
  const previous = iconButton(strings.findPrevious, "up", () => step(-1));
  const next = iconButton(strings.findNext, "down", () => step(1));
  const shut = iconButton(strings.close, "close", () => closed());
  const root = h("search", { class: "find", hidden: "" }, input, count, previous, next, shut);
  const composing = composingGuard(input);

  input.addEventListener("input", () => search(input.value));
  root.addEventListener("keydown", (event) => {
    if (composing(event)) return;
    if (event.key === "Escape") closed();
    else if (event.key === "Enter" && event.target === input) step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    root,
    open(query) {
      root.hidden = false;
      if (query !== "") input.value = query;
      input.focus();
      input.select();
      search(input.value);
    },
    close() {
      root.hidden = true;
      setText(count, "");
    },
    get query() {
      return input.value;
    },
    show(all, current) {
      const nothing = input.value !== "" && all === 0;
      root.classList.toggle("nothing", nothing);
      const place = fill(strings.foundAt, { current: exact(current + 1), count: exact(all) });
      setText(count, input.value === "" ? "" : all === 0 ? strings.foundNothing : place);
    },
  };
}

interface FinderDeps {
  turns(): readonly Turn[];
  /** Puts this turn into the document and returns its element. */
  bring(turn: number): HTMLElement | undefined;
  readonly drawn: () => readonly DrawnTurn[];
  /** Scrolls a match to the middle of the view. */
  reveal(range: Range): void;
  /** The turn the reader is at, where the search begins. */
  here(): number;
}

interface Finder {
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
    // The element that had the focus before may be gone; then focus the turn of the match.
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

  /** The range of a match. Unfolds what hides it. */
  function rangeOf({ turn, nth }: Match, pattern: RegExp): Range | undefined {
    const root = deps.bring(turn);
    if (root === undefined) return undefined;
    let place = nthPlace(root, pattern, nth);
    // The row of a file is drawn first, then its changes.
    for (let round = 0; round < 3 && place !== undefined && !(place instanceof Range); round += 1) {
      place.draw();
      place = nthPlace(root, pattern, nth);
    }
    const range = place instanceof Range ? place : undefined;
    const around = range?.startContainer.parentElement;
    openSteps(around);
    const reasoning = around?.closest(".reasoning")?.querySelector<HTMLElement>("[aria-expanded='false']");
    reasoning?.click();
    around?.closest(".md-drawn")?.querySelector<HTMLElement>(".md-show-code")?.click();
    const prompt = around?.closest(".prompt.folded");
    prompt?.parentElement?.querySelector<HTMLElement>(".more")?.click();
    // A match in a summary is visible without unfolding.
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

  /** Highlights what is drawn now and counts again if turns have changed, without scrolling. */
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
    const place = drawn && nthPlace(drawn.view.root, pattern, match?.nth ?? 0);
    draw(pattern, place instanceof Range ? place : undefined);
  }
}

/** A step of a finished turn is collapsed into a row. */
function openSteps(around: Element | null | undefined): void {
  if (around?.closest(".part")?.matches("[hidden]") !== true) return;
  const row = around.closest("article")?.querySelector<HTMLElement>(".steps > [aria-expanded='false']");
  row?.click();
}

const isSame = (one: Range, other: Range): boolean =>
  one.startContainer === other.startContainer && one.startOffset === other.startOffset;
