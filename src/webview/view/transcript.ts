// The conversation as it is read: turns in a window, the place of the reader, the way to other places.
import { h } from "../dom.ts";
import { bringIntoSight } from "../found-ranges.ts";
import { scrollKeeper } from "../scroll.ts";
import type { TurnCost, TurnDeps } from "../turn-context.ts";
import { type Content, type DrawnTurn, turnWindow } from "../turn-window.ts";
import { words } from "../words.ts";
import { emptyState } from "./empty-state.ts";
import { endPill } from "./end-pill.ts";
import { finder } from "./finder.ts";
import { turnSteps } from "./turn-steps.ts";
import { turnView } from "./turn-view.ts";

/** Where somebody was reading: this many pixels into a turn. */
export interface Place {
  readonly turn: string;
  readonly offset: number;
}

export interface Transcript {
  readonly root: HTMLElement;
  /** A conversation is opened, or opened again after a reload: at the place of the reader, else at its end. */
  open(content: Content, place: Place | undefined): void;
  /** `asked`: the person in front of this page has just asked, so they want to see the answer. */
  update(content: Content, asked: boolean): void;
  tick(): void;
  /** What going back to a turn costs. */
  takeCost(cost: TurnCost): void;
  readonly place: Place | undefined;
  /** Scrolls to a turn and gives it the focus. */
  goTo(index: number): void;
  /** The same by its name; of one that has not come yet as soon as it has. */
  goToTurn(id: string): void;
  focusLast(): void;
  /** To the turn before or after the one that has the focus, or is read. */
  step(by: 1 | -1): void;
  find(): void;
  editLast(): void;
  copyMessage(): void;
}

export interface TranscriptDeps extends TurnDeps {
  /** The reader is somewhere else. */
  moved(): void;
  /** Out of the last turn, downwards. */
  leaveDownwards(): void;
}

export function transcript(deps: TranscriptDeps): Transcript {
  const empty = emptyState();
  // Before the host has answered nobody knows whether it is.
  empty.hidden = true;
  const scroller = h("main", { class: "transcript" });
  const turns = turnWindow(scroller, words.transcript, () => turnView(deps));
  const finding = finder({
    turns: () => content?.turns ?? [],
    bring: (index) => turns.bring(index)?.view.root,
    drawn: () => turns.drawn,
    reveal,
    here: () => steps.here ?? 0,
  });
  scroller.append(empty, turns.root);
  const scroll = scrollKeeper(scroller, () => {
    pill.scrolled();
    refresh();
    deps.moved();
  });
  const pill = endPill({
    scroller,
    following: () => scroll.following,
    goToEnd() {
      goToEnd();
      // It goes out of sight, and with it the focus.
      deps.leaveDownwards();
    },
  });
  const steps = turnSteps({
    ...deps,
    scroller,
    window: turns,
    turns: () => content?.turns ?? [],
    goTo,
  });
  const root = h("div", { class: "reading" }, finding.root, scroller, pill.root);
  let content: Content | undefined;
  let wantedPlace: Place | undefined;

  const sizes = new ResizeObserver(() => {
    scroll.settle();
    refresh();
  });
  // Whoever starts to read is not taken elsewhere any more.
  for (const sign of ["wheel", "pointerdown", "keydown"]) {
    scroller.addEventListener(sign, () => (wantedPlace = undefined), { passive: true });
  }
  sizes.observe(scroller);
  sizes.observe(turns.root);

  return {
    root,
    open(next, place) {
      pill.reset();
      draw(next);
      // A page that was empty was at its end: that is no wish to follow.
      scroll.reset();
      wantedPlace = place;
      if (!restore()) goToEnd();
      watchEnd();
    },
    update(next, asked) {
      const before = content?.turns.at(-1);
      const last = next.turns.at(-1);
      const begins = last !== undefined && last.id !== before?.id && last.status === "running";
      // Asked before drawing: afterwards the new turn itself would stand between the reader and the end.
      const wantsToSee = begins && (asked || scroll.atEnd);
      if (last !== before) pill.news();
      draw(next);
      if (wantedPlace !== undefined) restore();
      refresh();
      watchEnd();
      if (wantsToSee) {
        const one = turns.bring(next.turns.length - 1);
        if (one !== undefined) scroll.begin(one.view);
        refresh();
      }
    },
    tick() {
      const last = content?.turns.at(-1);
      if (last !== undefined) turns.drawnTurn(last.id)?.view.tick();
    },
    takeCost: (cost) => turns.drawnTurn(cost.turn)?.view.takeCost(cost),
    get place() {
      return readersPlace();
    },
    goTo,
    goToTurn(id) {
      const index = content?.turns.findIndex((turn) => turn.id === id) ?? -1;
      scroll.leave();
      if (index < 0) wantedPlace = { turn: id, offset: 0 };
      else goTo(index);
    },
    focusLast: () => goTo((content?.turns.length ?? 0) - 1),
    step: steps.step,
    find: finding.open,
    editLast() {
      const index =
        content?.turns.findLastIndex(({ continues, compacts }) => !continues && compacts !== true) ?? -1;
      if (content?.scene.busy !== true) turns.bring(index)?.view.edit();
    },
    copyMessage: steps.copyMessage,
  };

  function refresh(): void {
    turns.refresh();
    steps.drawn();
    finding.changed();
  }

  function reveal(range: Range): void {
    wantedPlace = undefined;
    // What is drawn around a far place may push it away again.
    for (let round = 0; round < 4 && bringIntoSight(range, scroller); round += 1) refresh();
  }

  function draw(next: Content): void {
    content = next;
    empty.hidden = next.turns.length + next.above > 0;
    scroll.setMode(next.scene.preferences.scroll);
    turns.show(next);
  }

  function watchEnd(): void {
    const last = content?.turns.at(-1);
    pill.watch(last === undefined ? undefined : turns.drawnTurn(last.id)?.view.end, last === undefined);
  }

  function goToEnd(): void {
    wantedPlace = undefined;
    // The end is only known once it is drawn.
    for (let round = 0; round < 3; round += 1) {
      scroll.toEnd();
      refresh();
    }
    watchEnd();
  }

  /** The turn may not have come yet; then it is tried again when more of the conversation is here. */
  function restore(): boolean {
    const index = content?.turns.findIndex(({ id }) => id === wantedPlace?.turn) ?? -1;
    if (index < 0 || wantedPlace === undefined) return false;
    // What came above in the meantime has moved the page, which looks like going to the end.
    scroll.leave();
    align(turns.bring(index), wantedPlace.offset);
    wantedPlace = undefined;
    return true;
  }

  function align(one: DrawnTurn | undefined, offset: number): void {
    if (one === undefined) return;
    for (let round = 0; round < 3; round += 1) {
      const top = one.view.root.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
      scroller.scrollTop += top + offset;
      refresh();
    }
  }

  function readersPlace(): Place | undefined {
    const edge = scroller.getBoundingClientRect().top;
    if (scroll.atEnd) return undefined;
    const one = turns.drawn.find(({ view }) => view.root.getBoundingClientRect().bottom > edge);
    if (one === undefined) return undefined;
    return { turn: one.turn.id, offset: edge - one.view.root.getBoundingClientRect().top };
  }

  function goTo(index: number): void {
    if (index < 0) return;
    wantedPlace = undefined;
    const one = turns.bring(index);
    align(one, 0);
    one?.view.root.focus({ preventScroll: true });
  }
}
