// What the view of a turn needs from the rest of the page. Views receive `TurnDeps` when they are created; what changes
// reaches them as `RenderContext`.

import type { ToHost, ToPage } from "../bridge/protocol.ts";
import type {
  CheckState,
  EvidenceState,
  NewErrors,
  ViewState,
  WaitingChanges,
} from "../bridge/view-state.ts";
import type { ProblemKind } from "../conversation/problem.ts";
import { waitingTools } from "../conversation/reduce.ts";
import type { Turn } from "../conversation/state.ts";
import type { EditorColours } from "./markdown/code/editor-colours.ts";
import type { Rewrites } from "./page-state.ts";

/**
 * Where it is: in a tool call that needs approval, in a card above the composer, in the bar of pending changes, or at
 * the end of the last turn.
 */
export type PrimaryPlace = "tool" | "notice" | "changes" | "turn";

/** A page has one primary button at a time: the next thing to do. */
function primaryPlace(
  { question, problem, caution, changes, readOnly }: ViewState,
  last: Turn | undefined,
): PrimaryPlace {
  if (last !== undefined && waitingTools(last).length > 0) return "tool";
  if (question !== undefined || problem !== undefined) return "notice";
  if (!readOnly && (changes?.hunks ?? 0) > 0) return "changes";
  return caution !== undefined && !isSaidBy(last, caution.kind) ? "notice" : "turn";
}

/** What the last turn says, or is about to say, is not repeated above the composer. */
export const isSaidBy = (last: Turn | undefined, kind: string): boolean =>
  last?.status === "running" || last?.problem?.kind === kind;

export type Post = (message: ToHost) => void;

/** What rewinding to a turn would cost, as calculated by the host. */
export type TurnCost = Extract<ToPage, { type: "cost" }>;

/** What the user has opened or closed by hand; kept across redraws and reloads. */
export interface Choices {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
}

/** What going back to before a turn would take along. */
export type TurnRewindPlan = Extract<ToPage, { type: "rewind-plan" }>;

export interface TurnDeps {
  readonly post: Post;
  readonly choices: Choices;
  readonly editorColours: EditorColours;
  readonly rewrites: Pick<Rewrites, "get" | "set">;
  /** Announces a sentence to screen readers. */
  say(sentence: string): void;
}

/** The context of a turn at the time of rendering. Replaced when it changes, identical when it does not. */
export interface RenderContext extends Pick<ViewState, "proposesCode" | "models" | "preferences"> {
  /** What is wrong with the connection to the service now. */
  readonly trouble: ProblemKind | undefined;
  /** A turn is running, though it may be another one. */
  readonly busy: boolean;
  readonly primary: PrimaryPlace;
  /** Pending patches that no longer apply to the files. */
  readonly inConflict: readonly string[];
  /** Files of pending patches that are flagged as risky. */
  readonly flagged: WaitingChanges["flagged"];
  /** The state of the user's checks on the pending changes. */
  readonly checks: readonly CheckState[];
  /** What is known of the pending changes beside their response. */
  readonly evidence: EvidenceState | undefined;
  /** Errors that are new since patches were applied. */
  readonly newErrors: readonly NewErrors[];
  /** Folders in which commands run without asking. */
  readonly commandFolders: readonly string[];
  /** A question can be tried in several ways. */
  readonly canTry: boolean;
  /** Nothing can be decided in this view. */
  readonly readOnly: boolean;
}

/** Derives the context from the view state; returns `before` while nothing has changed. */
export function renderContextOf(
  viewState: ViewState,
  busy: boolean,
  last: Turn | undefined,
  before?: RenderContext,
): RenderContext {
  const { proposesCode, models, preferences, changes, checks, evidence, newErrors } = viewState;
  const { problem, caution, commandFolders, readOnly } = viewState;
  const canTry = viewState.canTry === true;
  const { inConflict = [], flagged = [] } = changes ?? {};
  const trouble = (problem ?? caution)?.kind;
  const waiting = { inConflict, flagged, checks, evidence, newErrors };
  const primary = primaryPlace(viewState, last);
  const context: RenderContext = {
    proposesCode,
    models,
    preferences,
    trouble,
    busy,
    primary,
    ...waiting,
    ...{ canTry, commandFolders, readOnly },
  };
  return before !== undefined && JSON.stringify(before) === JSON.stringify(context) ? before : context;
}

/** A host is connected: it has sent the available models. */
export const isHosted = ({ models }: Pick<ViewState, "models">): boolean => models.length > 0;
