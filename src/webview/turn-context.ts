// What the view of one turn needs from the rest of the page. Views get it at birth; what changes reaches them in `Scene`.

import type { ToHost, ToPage } from "../bridge/protocol.ts";
import type { CheckState, NewErrors, ViewState, WaitingChanges } from "../bridge/view-state.ts";
import type { ProblemKind } from "../core/conversation/problem.ts";
import type { Rewrites } from "./question-rewrites.ts";

export type Post = (message: ToHost) => void;

/** What going back to a turn would cost, as the host says. */
export type TurnCost = Extract<ToPage, { type: "cost" }>;

/** What a person has opened or closed by hand; kept over redraws and reloads. */
export interface Choices {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
}

export interface TurnDeps {
  readonly post: Post;
  readonly choices: Choices;
  readonly rewrites: Pick<Rewrites, "get" | "set">;
  /** Says something to people who do not see the page. */
  say(sentence: string): void;
}

/** What stands around a turn at the moment of drawing. Replaced when it changes, identical when it does not. */
export interface Scene extends Pick<ViewState, "proposesCode" | "models" | "preferences"> {
  /** What is wrong with the way to the service now. */
  readonly trouble: ProblemKind | undefined;
  /** A turn is running, maybe another one. */
  readonly busy: boolean;
  /** Patches that wait and no longer fit the files. */
  readonly inConflict: readonly string[];
  /** Files of patches that wait and deserve a look. */
  readonly flagged: WaitingChanges["flagged"];
  /** The person's checks on what waits. */
  readonly checks: readonly CheckState[];
  /** What is wrong since patches were applied. */
  readonly newErrors: readonly NewErrors[];
  /** Nothing in it can be decided here. */
  readonly readOnly: boolean;
}

/** The scene for these viewState; the same object while nothing in it is different. */
export function sceneOf(
  { proposesCode, models, preferences, changes, checks, newErrors, problem, caution, readOnly }: ViewState,
  busy: boolean,
  before?: Scene,
): Scene {
  const { inConflict = [], flagged = [] } = changes ?? {};
  const trouble = (problem ?? caution)?.kind;
  const waiting = { inConflict, flagged, checks, newErrors };
  const scene: Scene = { proposesCode, models, preferences, trouble, busy, ...waiting, readOnly };
  return before !== undefined && JSON.stringify(before) === JSON.stringify(scene) ? before : scene;
}

/** A host stands behind the page: it has told what there is to choose from. */
export const isHosted = ({ models }: Pick<ViewState, "models">): boolean => models.length > 0;
