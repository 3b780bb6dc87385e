// The one status-bar item: gathers what there is to say and draws it. What it says is in status-text.ts, when in
// status-loop.ts. Looking at a selection makes no request.

import * as vscode from "vscode";
import { monotonicClocks } from "../../core/conversation/monotonic-clock.ts";
import type { Problem } from "../../core/conversation/problem.ts";
import type { Turn } from "../../core/conversation/state.ts";
import type { Session } from "../../core/session/session.ts";
import type { OtherActivity } from "../../core/session/session-registry.ts";
import { type Warmth, warmth } from "../../core/tokens/cache-warmth.ts";
import { LocalEstimate } from "../../core/tokens/local-estimate.ts";
import { rowsOfTurn } from "../../core/tokens/usage-rows.ts";
import type { Service } from "../../services.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import { commands } from "../manifest.ts";
import { tableTooltip } from "../table-tooltip.ts";
import type { SelectionCount } from "./selection-count.ts";
import { arriving, draftCount } from "./status-figures.ts";
import { StatusLoop } from "./status-loop.ts";
import {
  type StatusCount,
  type StatusFace,
  type StatusFacts,
  type StatusPart,
  statusFace,
  statusState,
} from "./status-text.ts";

/** What there is to show once somebody uses Patchbay. */
export interface RoomsStatus extends Pick<Service, "counts" | "price" | "pricing"> {
  /** The one in use. */
  readonly session: Session;
  /** What goes on in the others. */
  readonly others: OtherActivity;
  /** Changes that wait. */
  readonly toReview: number;
  /** Of them: what cannot be accepted as it is. */
  readonly conflicts: number;
}

export interface StatusBarDeps {
  /** Shows the chat. */
  readonly showChat: string;
  readonly selection: Pick<SelectionCount, "current" | "onDidChange">;
  problem(): Problem | undefined;
  isOut(): boolean;
  parts(): ReadonlySet<StatusPart>;
  defaultModel(): string;
  /** Once they are there; the status bar does not open them. */
  rooms(): RoomsStatus | undefined;
}

export interface StatusBar extends vscode.Disposable {
  /** Something may have changed. */
  refresh(): void;
}

export function createStatusBar(deps: StatusBarDeps): StatusBar {
  const item = vscode.window.createStatusBarItem("patchbay.status", vscode.StatusBarAlignment.Right, 90);
  item.name = "Patchbay";
  const words = { t: vscode.l10n.t, language: vscode.env.language, say: inReaderLanguage };
  const { selection } = deps;
  const unlearnt = new LocalEstimate();
  const loop = new StatusLoop({
    now: () => performance.now(),
    state: () => statusState(facts()),
    face: () => statusFace(facts(), words),
    draw,
  });

  /** A turn that runs has a clock of its own: the machine's may be set meanwhile. */
  const within = monotonicClocks();

  /** Asked at every event: what takes a while is worked out only where it is shown. */
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
        return read !== undefined && "message" in read ? inReaderLanguage(read.message) : undefined;
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

  /** What earlier requests of the turn reported, and about what is arriving since. */
  function arrived(turn: Turn): number {
    const reported = turn.usage.reduce((sum, { output = 0 }) => sum + output, 0);
    const text = arriving(turn).map((each) => ({ kind: "text", text: each }) as const);
    if (text.length === 0) return reported;
    return reported + (deps.rooms()?.counts.about(turn.model, text).tokens ?? 0);
  }

  function draw(face: StatusFace): void {
    const clicks = {
      connect: commands.manageConnection,
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
