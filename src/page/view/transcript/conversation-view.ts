// The conversation as it is read: turns in a window, the reading position, and navigation.
import type { ViewState } from "../../../bridge/view-state.ts";
import { h, setText } from "../../elements/dom.ts";
import { icon } from "../../elements/icons.ts";
import type { TurnCost, TurnDeps, TurnRewindPlan } from "../../render-context.ts";
import { strings } from "../../words/strings.ts";
import { bringIntoSight } from "../find/find-highlights.ts";
import { finder } from "../find/finder.ts";
import { trialArea } from "../trial/trial-area.ts";
import { emptyState } from "./empty-state.ts";
import { scrollKeeper, stuckQuestion } from "./scroll.ts";
import { drawSelected } from "./selected-text.ts";
import { turnView } from "./turn/turn-view.ts";
import { turnSteps } from "./turn-navigation.ts";
import { type Content, type DrawnTurn, turnWindow } from "./turn-window.ts";

interface EndPill {
  readonly root: HTMLElement;
  /** `foot` is the end of the conversation, or undefined while it is not drawn; `empty` if there are no turns. */
  watch(foot: HTMLElement | undefined, empty: boolean): void;
  /** New text has arrived that may be out of view. */
  news(): void;
  /** Another conversation was opened: nothing in it is new. */
  reset(): void;
  /** The scroll position has changed. */
  scrolled(): void;
}

interface EndPillDeps {
  readonly scroller: HTMLElement;
  following(): boolean;
  goToEnd(): void;
}

/** A button that scrolls to the end of the conversation, shown while the end is out of view; it indicates new text. */
function endPill({ scroller, following, goToEnd }: EndPillDeps): EndPill {
  const text = h("span", {}, strings.newText);
  const root = h("button", { type: "button", class: "pill", hidden: "" }, icon("down"), text);
  let inSight = true;
  let unread = false;
  /** When text arrived last: earlier observations say nothing about it. */
  let newsAt = 0;
  let watched: Element | undefined;
  const observer = new IntersectionObserver(
    (entries) => {
      const entry = entries.findLast(({ target }) => target === watched);
      if (entry === undefined) return;
      inSight = entry.isIntersecting;
      if (inSight && entry.time >= newsAt) unread = false;
      draw();
    },
    { root: scroller },
  );
  root.addEventListener("click", goToEnd);

  return {
    root,
    watch(foot, empty) {
      if (foot === watched) return;
      if (watched !== undefined) observer.unobserve(watched);
      watched = foot;
      if (foot === undefined) inSight = empty;
      else observer.observe(foot);
      draw();
    },
    news() {
      unread = true;
      newsAt = performance.now();
      // The observer only reports changes, so observe again to learn whether the end is visible below the new text.
      if (watched !== undefined) {
        observer.unobserve(watched);
        observer.observe(watched);
      }
      draw();
    },
    reset() {
      unread = false;
    },
    scrolled: draw,
  };

  function draw(): void {
    root.hidden = inSight || following();
    root.classList.toggle("news", unread);
    setText(text, unread ? strings.newText : strings.toEnd);
  }
}

/** A reading position: this many pixels into a turn. */
export interface ReadingPlace {
  readonly turn: string;
  readonly offset: number;
}

interface Transcript {
  readonly root: HTMLElement;
  /** Opens a conversation, or reopens it after a reload, at the reading position or else at its end. */
  open(content: Content, place: ReadingPlace | undefined): void;
  /** `asked`: the user of this page has just asked, so they want to see the response. */
  update(content: Content, asked: boolean): void;
  tick(): void;
  /** What rewinding to a turn costs. */
  takeCost(cost: TurnCost): void;
  takeRewindPlan(plan: TurnRewindPlan): void;
  readonly place: ReadingPlace | undefined;
  /** Scrolls to a turn and focuses it. */
  goTo(index: number): void;
  /** The same by id; a turn that has not arrived yet is shown as soon as it does. */
  goToTurn(id: string): void;
  /** Several tries at a question, below the last turn. */
  showTrial(trial: ViewState["trial"]): void;
  focusLast(): void;
  /** Moves to the turn before or after the one that is focused or being read. */
  step(by: 1 | -1): void;
  find(): void;
  editLast(): void;
  copyMessage(): void;
}

interface TranscriptDeps extends TurnDeps {
  /** The scroll position has changed. */
  moved(): void;
  /** Moves the focus below the last turn. */
  leaveDownwards(): void;
}

export function transcript(deps: TranscriptDeps): Transcript {
  const empty = emptyState(deps);
  // Until the host has answered, it is not known whether the conversation is empty.
  empty.root.hidden = true;
  const scroller = h("main", { class: "transcript" });
  const turns = turnWindow(scroller, strings.transcript, () => turnView(deps));
  const finding = finder({
    turns: () => content?.turns ?? [],
    bring: (index) => turns.bring(index)?.view.root,
    drawn: () => turns.drawn,
    reveal,
    here: () => steps.here ?? 0,
  });
  const trial = trialArea(deps);
  scroller.append(empty.root, turns.root, trial.root);
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
      // The button disappears, and with it the focus.
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
  const stuck = stuckQuestion(scroller, goTo);
  const root = h("div", { class: "reading" }, finding.root, scroller, stuck.root, pill.root);
  let content: Content | undefined;
  /** Where the reader was, or the turn to go to, which then takes the focus. */
  let wantedPlace: (ReadingPlace & { readonly takesFocus?: true }) | undefined;

  const sizes = new ResizeObserver(() => {
    scroll.settle();
    refresh();
  });
  // A user who begins to read is no longer scrolled to a saved position.
  for (const sign of ["wheel", "pointerdown", "keydown"]) {
    scroller.addEventListener(sign, () => (wantedPlace = undefined), { passive: true });
  }
  // A user who unfolds something wants to read it, so it must not scroll itself out of view.
  scroller.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("summary, .fold-head") !== null) scroll.leave();
  });
  sizes.observe(scroller);
  sizes.observe(turns.root);
  // Draw the whole selection, so that it can be copied: of turns at once, of a long text only while it is copied.
  document.addEventListener("selectionchange", () => {
    if (document.getSelection()?.isCollapsed === false) refresh();
  });
  for (const takes of ["copy", "dragstart"])
    document.addEventListener(
      takes,
      () => {
        drawSelected(turns.root);
        setTimeout(refresh);
      },
      { capture: true },
    );

  return {
    root,
    open(next, place) {
      pill.reset();
      draw(next);
      // An empty page was at its end, which does not mean that the reader wants to follow.
      scroll.reset();
      wantedPlace = place;
      // What an empty conversation offers is read from its top.
      if (next.turns.length === 0) scroller.scrollTop = 0;
      else if (!restore()) goToEnd();
      watchEnd();
    },
    update(next, asked) {
      const before = content?.turns.at(-1);
      const last = next.turns.at(-1);
      const begins = last !== undefined && last.id !== before?.id && last.status === "running";
      // Check before drawing: afterwards the new turn would be between the reader and the end.
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
    takeRewindPlan: (plan) => turns.drawnTurn(plan.turn)?.view.takeRewindPlan(plan),
    get place() {
      return readersPlace();
    },
    goTo,
    goToTurn(id) {
      const index = content?.turns.findIndex((turn) => turn.id === id) ?? -1;
      scroll.leave();
      if (index < 0) wantedPlace = { turn: id, offset: 0, takesFocus: true };
      else goTo(index);
    },
    showTrial(next) {
      const isNew = trial.update(next);
      if (content !== undefined) empty.root.hidden = content.turns.length > 0 || next !== undefined;
      if (isNew) trial.root.scrollIntoView({ block: "nearest" });
    },
    focusLast: () => goTo((content?.turns.length ?? 0) - 1),
    step: steps.step,
    find: finding.open,
    editLast() {
      const index =
        content?.turns.findLastIndex(({ continues, compacts }) => !continues && compacts !== true) ?? -1;
      if (index >= 0 && content?.context.busy !== true) turns.bring(index)?.view.edit();
    },
    copyMessage: steps.copyMessage,
  };

  function refresh(): void {
    turns.refresh();
    for (const { view } of turns.drawn) view.refresh(scroller);
    steps.drawn();
    stuck.update(turns.drawn, content?.turns ?? []);
    finding.changed();
  }

  function reveal(range: Range): void {
    wantedPlace = undefined;
    // Turns drawn around a distant match may push it out of view again.
    for (let round = 0; round < 4 && bringIntoSight(range, scroller); round += 1) refresh();
  }

  function draw(next: Content): void {
    content = next;
    empty.root.hidden = next.turns.length + next.above > 0 || !trial.root.hidden;
    empty.update(next);
    scroll.setMode(next.context.preferences.scroll);
    turns.show(next);
  }

  function watchEnd(): void {
    const last = content?.turns.at(-1);
    pill.watch(last === undefined ? undefined : turns.drawnTurn(last.id)?.view.end, last === undefined);
  }

  function goToEnd(): void {
    wantedPlace = undefined;
    // The position of the end is known only once it is drawn.
    for (let round = 0; round < 3; round += 1) {
      scroll.toEnd();
      refresh();
    }
    watchEnd();
  }

  /** The turn may not have arrived yet; then this is tried again when more of the conversation is loaded. */
  function restore(): boolean {
    const index = content?.turns.findIndex(({ id }) => id === wantedPlace?.turn) ?? -1;
    if (index < 0 || wantedPlace === undefined) return false;
    // Turns inserted above have moved the page, which looks like scrolling to the end.
    scroll.leave();
    const { offset, takesFocus } = wantedPlace;
    const one = turns.bring(index);
    align(one, offset);
    if (takesFocus === true) one?.view.root.focus({ preventScroll: true });
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

  function readersPlace(): ReadingPlace | undefined {
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
