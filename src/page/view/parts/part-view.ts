// Maps every kind of part to its view.
import type { Part, Turn } from "../../../conversation/state.ts";
import type { RenderContext, TurnDeps } from "../../render-context.ts";
import { patchPart } from "../changes/patch-part.ts";
import { otherPart } from "./other-part.ts";
import { reasoningPart } from "./reasoning-part.ts";
import { searchPart } from "./search-part.ts";
import { steeredPart } from "./steered-part.ts";
import { notePart, refusalPart, textPart } from "./text-part.ts";
import { toolPart } from "./tool-part.ts";

/** The turn around a part, since a part may look different while its turn runs. */
export interface PartSituation {
  readonly turn: Turn;
  readonly context: RenderContext;
  /** Ids of text parts that are no longer the response. */
  readonly steps: ReadonlySet<string>;
}

export interface PartView<P extends Part = Part> {
  readonly root: HTMLElement;
  update(part: P, situation: PartSituation): void;
  /** The scroll position or sizes have changed; a long part draws only what is near the reader. */
  refresh?(scroller: HTMLElement): void;
}

type Kind = Part["type"];
type Views = { readonly [K in Kind]: (deps: TurnDeps) => PartView<Extract<Part, { type: K }>> };

const views: Views = {
  text: textPart,
  refusal: refusalPart,
  note: notePart,
  reasoning: reasoningPart,
  search: searchPart,
  other: otherPart,
  tool: toolPart,
  patch: patchPart,
  steered: steeredPart,
};

export function partView(kind: Kind, deps: TurnDeps): PartView {
  // The table pairs every kind with its own view; the compiler cannot infer that from one variable.
  return views[kind](deps) as PartView;
}
