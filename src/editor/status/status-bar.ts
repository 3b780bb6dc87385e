// The status bar item: collects the facts and draws them. status-text.ts determines the content. Selecting text makes
// no request.

import * as vscode from "vscode";
import type { Problem } from "../../conversation/problem.ts";
import type { Turn } from "../../conversation/state.ts";
import type { Service } from "../../host/services.ts";
import type { Session } from "../../session/session.ts";
import type { OtherActivity } from "../../session/session-registry.ts";
import { LocalEstimate } from "../../usage/local-estimate.ts";
import { type Warmth, warmth } from "../../usage/prompt-cache.ts";
import { rowsOfTurn } from "../../usage/usage-rows.ts";
import type { Disposable } from "../../util/disposables.ts";
import { monotonicClocks } from "../../util/monotonic-clock.ts";
import { localize } from "../localize.ts";
import { type ConnectionStep, commands } from "../manifest.ts";
import { tableTooltip } from "../ui/table-tooltip.ts";
import type { SelectionCount } from "./selection-count.ts";
import {
  arriving,
  draftCount,
  type StatusCount,
  type StatusFace,
  type StatusFacts,
  type StatusPart,
  type StatusState,
  statusFace,
  statusState,
} from "./status-text.ts";

interface StatusLoopDeps {
  /** Must be cheap: it is called at every event. */
  state(): StatusState;
  face(): StatusFace;
  draw(face: StatusFace): void;
  now(): number;
}

const rhythm = 1000;

/**
 * Determines when the status bar is drawn: immediately when its state changes, once a second while a response is
 * streamed, and whenever a countdown advances. Independent of the editor.
 */
export class StatusLoop implements Disposable {
  readonly #needs: StatusLoopDeps;
  #timer: NodeJS.Timeout | undefined;
  #drawn: { readonly state: StatusState; readonly at: number } | undefined;
  #ended = false;

  constructor(deps: StatusLoopDeps) {
    this.#needs = deps;
  }

  /** Call when something has happened. */
  refresh(): void {
    const state = this.#needs.state();
    const isSoon = this.#drawn !== undefined && this.#needs.now() - this.#drawn.at < rhythm;
    // The timer will draw it within a second.
    if (state === "streaming" && this.#drawn?.state === "streaming" && isSoon) return;
    this.#draw(state);
  }

  dispose(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  #draw(state: StatusState): void {
    if (this.#ended) return;
    clearTimeout(this.#timer);
    const face = this.#needs.face();
    this.#needs.draw(face);
    this.#drawn = { state, at: this.#needs.now() };
    if (face.again !== undefined)
      this.#timer = setTimeout(() => this.#draw(this.#needs.state()), Math.max(1, face.again));
  }
}

/** What the status bar reads from an open container. */
export interface RoomsStatus extends Pick<Service, "counts" | "price" | "pricing"> {
  /** The session in use. */
  readonly session: Session;
  /** Activity in other conversations. */
  readonly others: OtherActivity;
  /** Number of pending changes. */
  readonly toReview: number;
  /** How many of them cannot be accepted as they are. */
  readonly conflicts: number;
}

interface StatusBarDeps {
  /** The command that shows the chat. */
  readonly showChat: string;
  readonly selection: Pick<SelectionCount, "current" | "onDidChange">;
  problem(): Problem | undefined;
  isOut(): boolean;
  parts(): ReadonlySet<StatusPart>;
  defaultModel(): string;
  /** The container if it is open; the status bar does not open it. */
  rooms(): RoomsStatus | undefined;
}

interface StatusBar extends vscode.Disposable {
  /** Call when something may have changed. */
  refresh(): void;
}

export function createStatusBar(deps: StatusBarDeps): StatusBar {
  const item = vscode.window.createStatusBarItem("patchbay.status", vscode.StatusBarAlignment.Right, 90);
  item.name = "Patchbay";
  const words = { t: vscode.l10n.t, language: vscode.env.language, say: localize };
  const { selection } = deps;
  const unlearnt = new LocalEstimate();
  const loop = new StatusLoop({
    now: () => performance.now(),
    state: () => statusState(facts()),
    face: () => statusFace(facts(), words),
    draw,
  });

  /** Running turns are timed with a monotonic clock, since the system clock may be set meanwhile. */
  const within = monotonicClocks();

  /** Read at every event, so expensive values are computed only when they are displayed. */
  function facts(): StatusFacts {
    const rooms = deps.rooms();
    const conversation = rooms?.session.state;
    const turn = conversation?.turns.at(-1);
    const rows = () =>
      conversation === undefined || turn === undefined ? [] : rowsOfTurn(conversation.id, turn);
    const now = turn?.status === "running" ? within(turn.id) : Date.now();
    const count = once(() => countSelection() ?? countDraft());
    return {
      now,
      problem: deps.problem(),
      isOut: deps.isOut(),
      toReview: rooms?.toReview ?? 0,
      conflicts: rooms?.conflicts ?? 0,
      others: rooms?.others ?? { running: 0, waiting: 0, failed: 0 },
      turn,
      get show() {
        return deps.parts();
      },
      get count() {
        return count();
      },
      get warmth(): Warmth {
        if (turn?.model !== rooms?.session.choices.model) return { state: "unknown" };
        return warmth(rows(), now, tierOf(rooms?.session.choices.cacheTier));
      },
      get cost() {
        return rooms?.price(rows())?.text;
      },
      get costProblem() {
        const read = rooms?.pricing();
        return read !== undefined && "message" in read ? localize(read.message) : undefined;
      },
      arrived: () => (turn === undefined ? 0 : arrived(turn)),
    };
  }

  function countSelection(): StatusCount | undefined {
    const selected = selection.current;
    if (selected === undefined) return undefined;
    const rooms = deps.rooms();
    const model = rooms?.session.choices.model ?? deps.defaultModel();
    const exact = selected.counted.get(model);
    if (exact !== undefined) return { of: "selection", tokens: exact, exact: true };
    const { tokens, margin } = rooms
      ? rooms.counts.aboutFeatures(model, selected.features)
      : unlearnt.count(model, selected.features);
    return { of: "selection", tokens, exact: false, margin };
  }

  function countDraft(): StatusCount | undefined {
    const rooms = deps.rooms();
    return rooms && draftCount(rooms.session, rooms.counts);
  }

  /** Tokens reported by earlier requests of the turn, plus an estimate of what was streamed since. */
  function arrived(turn: Turn): number {
    const reported = turn.usage.reduce((sum, { output = 0 }) => sum + output, 0);
    const text = arriving(turn).map((each) => ({ kind: "text", text: each }) as const);
    if (text.length === 0) return reported;
    return reported + (deps.rooms()?.counts.about(turn.model, text).tokens ?? 0);
  }

  function draw(face: StatusFace): void {
    const clicks = {
      // This step asks for the URL first if there is none.
      connect: { title: "", command: commands.connection, arguments: ["key" satisfies ConnectionStep] },
      review: commands.openReview,
      chat: deps.showChat,
      stop: commands.stop,
      menu: commands.statusMenu,
    };
    item.text = face.text;
    item.tooltip = tableTooltip({ ...face, title: face.label });
    item.accessibilityInformation = { label: `Patchbay: ${face.label}` };
    item.command = clicks[face.click];
    item.backgroundColor =
      face.background === undefined
        ? undefined
        : new vscode.ThemeColor(`statusBarItem.${face.background}Background`);
  }

  loop.refresh();
  item.show();
  const selected = selection.onDidChange(() => loop.refresh());
  const settings = vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration("patchbay")) loop.refresh();
  });
  return {
    refresh: () => loop.refresh(),
    dispose: () => vscode.Disposable.from(loop, settings, selected, item).dispose(),
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly it: T } | undefined;
  return () => {
    made ??= { it: make() };
    return made.it;
  };
}

const tierOf = (tier: "default" | "5m" | "1h" | undefined) => (tier === "default" ? undefined : tier);
