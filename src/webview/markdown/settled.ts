// Which blocks can still change when more text comes. In CommonMark only the last one can, but for link reference
// definitions: their label and their title may run over lines that read as a paragraph, heading or indented code until
// the closing character arrives. Only a blank line, or a block that can end a paragraph, settles that.
import type { Block } from "./blocks.ts";

/** The index of the first block that is not settled; all before it are. */
export function firstUnsettled(blocks: readonly Block[]): number {
  let unsettled = Math.max(0, blocks.length - 1);
  for (let index = blocks.length - 1; index >= 0; index -= 1) {
    const block = blocks[index];
    const next = blocks[index + 1];
    const last = block === undefined ? undefined : lastLeaf(block);
    if (last === undefined || !isText(last)) break;
    if (next !== undefined && next.lines[0] !== last.lines[1]) break;
    if (mayBecomeDefinition(last, next)) unsettled = index;
    // A list or quote ends what stood before it.
    if (last !== block) break;
  }
  return unsettled;
}

/** What a line without the container's own marker would continue. */
function lastLeaf(block: Block): Block | undefined {
  const last =
    block.kind === "list"
      ? block.children.at(-1)?.children.at(-1)
      : block.kind === "quote"
        ? block.children.at(-1)
        : block;
  return last === undefined || last === block ? last : lastLeaf(last);
}

function isText(block: Block): boolean {
  switch (block.kind) {
    case "paragraph":
    case "definition":
      return true;
    case "heading":
      return block.underlined;
    case "code":
      return !block.fenced;
    default:
      return false;
  }
}

function mayBecomeDefinition(block: Block, next: Block | undefined): boolean {
  if (block.kind === "definition") return next !== undefined && /^["'(]/.test(startOf(next));
  return block.kind !== "code" && startOf(block).startsWith("[");
}

function startOf(block: Block): string {
  if (block.kind === "code") return block.children[0]?.trimStart() ?? "";
  return block.kind === "paragraph" || block.kind === "heading" ? block.content : "";
}
