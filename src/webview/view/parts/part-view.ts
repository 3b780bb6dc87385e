// Every kind of part and the view that draws it.
import type { Part, Turn } from "../../../core/conversation/state.ts";
import type { Scene, TurnDeps } from "../../turn-context.ts";
import { otherPart } from "./other-part.ts";
import { patchPart } from "./patch-part.ts";
import { reasoningPart } from "./reasoning-part.ts";
import { searchPart } from "./search-part.ts";
import { notePart, refusalPart, textPart } from "./text-part.ts";
import { toolPart } from "./tool-part.ts";

/** The part with the turn around it: a part may look different while its turn runs. */
export interface PartSituation {
  readonly turn: Turn;
  readonly scene: Scene;
}

export interface PartView<P extends Part = Part> {
  readonly root: HTMLElement;
  update(part: P, situation: PartSituation): void;
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
};

export function partView(kind: Kind, deps: TurnDeps): PartView {
  // The table pairs every kind with its own view; the compiler cannot follow that through one variable.
  return views[kind](deps) as PartView;
}
