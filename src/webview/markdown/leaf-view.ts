// An element whose contents are text: parsed only when it is drawn, and again when a definition that it asked for comes.
import { completeEnd } from "./half-written.ts";
import { type Inline, readInline, readVerbatim } from "./inline.ts";
import { inlineRoom } from "./inline-view.ts";
import { reconcile } from "./reconcile.ts";
import type { Surroundings } from "./surroundings.ts";

export interface Leaf {
  show(content: string, open: boolean, verbatim?: boolean): void;
  dispose(): void;
}

export function leafIn(root: Element, around: Surroundings): Leaf {
  const room = inlineRoom(root, around);
  const reader = { again: draw };
  let shown = { content: "", open: false, verbatim: false };
  return {
    show(content, open, verbatim = false) {
      if (content === shown.content && open === shown.open && verbatim === shown.verbatim) return;
      shown = { content, open, verbatim };
      draw();
    },
    dispose: () => around.references.forget(reader),
  };

  function draw(): void {
    reconcile(room, read(), false);
  }

  function read(): readonly Inline[] {
    if (shown.verbatim) return readVerbatim(shown.content);
    const source = shown.open ? completeEnd(shown.content) : shown.content;
    return around.references.ask(reader, (definitions) =>
      readInline(around.parser.inline(source, definitions)),
    );
  }
}
