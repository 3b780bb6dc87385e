// The conversation as it is read: turns in a window, the place of the reader, the way to what is new, the keyboard.
import { h, setText } from "../dom.ts";
import { icon } from "../icons.ts";
import { scrollKeeper } from "../scroll.ts";
import type { TurnNeeds } from "../turn-context.ts";
import { type Content, type DrawnTurn, turnWindow } from "../turn-window.ts";
import { words } from "../words.ts";
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
  tick(now: number): void;
  readonly place: Place | undefined;
  /** Scrolls to a turn and gives it the focus. */
  goTo(index: number): void;
  focusLast(): void;
}

export interface TranscriptNeeds extends TurnNeeds {
  /** The reader is somewhere else. */
  moved(): void;
}

export function transcript(needs: TranscriptNeeds): Transcript {
  const lines = [words.emptyFirst, words.emptySecond, words.emptyThird];
  const empty = h("div", { class: "empty" }, ...lines.map((line) => h("p", {}, line)));
  const scroller = h("main", { class: "transcript" });
  const pillText = h("span", {}, words.newText);
  const pill = h("button", { type: "button", class: "pill", hidden: "" }, icon("down"), pillText);
  const root = h("div", { class: "reading" }, scroller, pill);
  const turns = turnWindow(scroller, words.transcript, () => turnView(needs));
  scroller.append(empty, turns.root);
  const scroll = scrollKeeper(scroller, () => {
    // The observer has not spoken about this scroll yet: this is what was in sight before it.
    if (endInSight) newText = false;
    turns.refresh();
    drawPill();
    needs.moved();
  });
  const end = new IntersectionObserver(
    (entries) => {
      endInSight = entries.at(-1)?.isIntersecting ?? false;
      if (endInSight) newText = false;
      drawPill();
    },
    { root: scroller },
  );
  let content: Content | undefined;
  let wantedPlace: Place | undefined;
  let endInSight = true;
  let newText = false;
  let observed: Element | undefined;

  const sizes = new ResizeObserver(() => {
    scroll.settle();
    turns.refresh();
  });
  // Whoever starts to read is not taken elsewhere any more.
  for (const sign of ["wheel", "pointerdown", "keydown"]) {
    scroller.addEventListener(sign, () => (wantedPlace = undefined), { passive: true });
  }
  sizes.observe(scroller);
  sizes.observe(turns.root);
  pill.addEventListener("click", goToEnd);

  return {
    root,
    open(next, place) {
      scroll.reset();
      newText = false;
      draw(next);
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
      if (last !== before) newText = true;
      draw(next);
      if (wantedPlace !== undefined) restore();
      turns.refresh();
      watchEnd();
      if (wantsToSee) {
        const one = turns.bring(next.turns.length - 1);
        if (one !== undefined) scroll.begin(one.view);
        turns.refresh();
      }
    },
    tick(now) {
      const last = content?.turns.at(-1);
      if (last?.status === "running") turns.drawnTurn(last.id)?.view.tick(now);
    },
    get place() {
      return readersPlace();
    },
    goTo,
    focusLast() {
      if (content !== undefined && content.turns.length > 0) goTo(content.turns.length - 1);
    },
  };

  function draw(next: Content): void {
    content = next;
    empty.hidden = next.turns.length + next.above > 0;
    scroll.setMode(next.scene.preferences.scroll);
    turns.show(next);
  }

  function watchEnd(): void {
    const last = content?.turns.at(-1);
    const foot = last === undefined ? undefined : (turns.drawnTurn(last.id)?.view.end ?? undefined);
    if (foot === observed) return;
    if (observed !== undefined) end.unobserve(observed);
    observed = foot;
    if (foot === undefined) endInSight = last === undefined;
    else end.observe(foot);
    drawPill();
  }

  function drawPill(): void {
    const far = !endInSight && !scroll.following;
    pill.hidden = !far;
    pill.classList.toggle("news", newText);
    setText(pillText, newText ? words.newText : words.toEnd);
  }

  function goToEnd(): void {
    wantedPlace = undefined;
    // The end is only known once it is drawn.
    for (let round = 0; round < 3; round += 1) {
      scroll.toEnd();
      turns.refresh();
    }
    watchEnd();
  }

  /** The turn may not have come yet; then it is tried again when more of the conversation is here. */
  function restore(): boolean {
    const index = content?.turns.findIndex(({ id }) => id === wantedPlace?.turn) ?? -1;
    if (index < 0 || wantedPlace === undefined) return false;
    align(turns.bring(index), wantedPlace.offset);
    wantedPlace = undefined;
    return true;
  }

  function align(one: DrawnTurn | undefined, offset: number): void {
    if (one === undefined) return;
    for (let round = 0; round < 3; round += 1) {
      const top = one.view.root.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
      scroller.scrollTop += top + offset;
      turns.refresh();
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
    const one = turns.bring(index);
    align(one, 0);
    one?.view.root.focus({ preventScroll: true });
  }
}
