// Diagrams as the page knows them before one is drawn: the script that draws is loaded with the first finished one. It
// is apart from the page, so it gets what the page has (`DiagramKit`) and imports only types and its own sentences.
import type { ToHost, ToPage } from "../../../bridge/protocol.ts";
import { longestDiagram } from "../../../conversation/state.ts";
import { withEscapes } from "../../../util/hidden-characters.ts";
import { h, iconButton } from "../../elements/dom.ts";
import { exact } from "../../words/numbers-and-times.ts";
import { fill, plural, translated } from "../../words/strings.ts";
import type { DeferredWork } from "../deferred-work.ts";
import { loadScript } from "../scripts/renderers.ts";

const kit = { h, iconButton, exact, fill, plural, translated, withEscapes, longestDiagram };
export type DiagramKit = typeof kit;

export type AskForDiagram = (request: Extract<ToHost, { type: "draw-diagram" }>) => void;
export type DiagramReply = Extract<ToPage, { type: "diagram" }>;

/** A finished block of code whose text is a diagram. */
export interface DiagramBlock {
  readonly root: HTMLElement;
  /** Shows the code. */
  readonly code: HTMLElement;
  readonly source: string;
  readonly ask: AskForDiagram;
  /** Puts buttons into the block's toolbar; those that are for code alone are hidden beside a picture. */
  setButtons(buttons: readonly HTMLButtonElement[], isPicture: boolean): void;
}

export interface DiagramViews {
  show(block: DiagramBlock): void;
  take(reply: DiagramReply): void;
}

let views: DiagramViews | undefined;

/** The block has its code until it has its picture. */
export function showDiagram(block: DiagramBlock, work: DeferredWork): void {
  work.after(loadScript("diagram"), () => {
    views ??= globalThis.patchbayDiagramViews?.(kit);
    views?.show(block);
  });
}

export const takeDiagram = (reply: DiagramReply): void => views?.take(reply);
