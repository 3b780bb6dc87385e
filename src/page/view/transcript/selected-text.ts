// A selection that reaches over text which is not in the document (markdown/node-window.ts).
import { undrawnText } from "../find/find-highlights.ts";

/** Draws all undrawn Markdown inside the selection, so that it can be copied whole. */
export function drawSelected(root: Element): void {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed) return;
  const range = selection.getRangeAt(0).cloneRange();
  keepSelection(() => {
    // What is drawn may contain a part that is not.
    for (let isWhole = false; !isWhole; ) {
      isWhole = true;
      for (const element of root.querySelectorAll(".md [data-undrawn]")) {
        if (!range.intersectsNode(element)) continue;
        undrawnText(element)?.draw(0);
        isWhole = false;
      }
    }
  });
}

/**
 * Changes nodes without a change of what is selected. Chromium takes no notice of nodes that come into a selection which
 * begins or ends beside them, until the selection is set again.
 */
export function keepSelection(change: () => void): void {
  const selection = document.getSelection();
  const selected = selection?.rangeCount ? selection.getRangeAt(0) : undefined;
  if (selection === null || selected === undefined || selected.collapsed) {
    change();
    return;
  }
  const isForward =
    selection.anchorNode === selected.startContainer && selection.anchorOffset === selected.startOffset;
  const range = selected.cloneRange();
  change();
  const { startContainer, startOffset, endContainer, endOffset } = range;
  if (startContainer instanceof Text && endContainer instanceof Text) return;
  if (isForward) selection.setBaseAndExtent(startContainer, startOffset, endContainer, endOffset);
  else selection.setBaseAndExtent(endContainer, endOffset, startContainer, startOffset);
}
