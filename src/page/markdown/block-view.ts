// The DOM view of a block of any kind, and its updates while the text grows.
import { h } from "../elements/dom.ts";
import { codeView } from "./code/code-view.ts";
import { firstOf, showDirection } from "./direction.ts";
import type { MarkdownContext } from "./markdown-context.ts";
import { emptyNote } from "./node-window.ts";
import type { Block, Item, List, Quote } from "./parse/read-blocks.ts";
import { type Room, reconcile, type View } from "./reconcile.ts";
import { drawSource } from "./scripts/renderers.ts";
import { tableView } from "./table-view.ts";
import { leafIn } from "./text-view.ts";

/** The turn around a text has a heading of level 3. */
const headingsAbove = 3;

export function blockView(block: Block, open: boolean, around: MarkdownContext, inList = false): View<Block> {
  const view = emptyView(block, around, inList);
  view.update(block, open);
  return view;
}

function emptyView(block: Block, around: MarkdownContext, inList: boolean): View<Block> {
  switch (block.kind) {
    case "paragraph":
    case "heading":
      return textView(block, around, inList);
    case "rule":
      return { root: h("hr"), update: (next) => next.kind === "rule" };
    case "code":
      return codeView(block, around);
    case "math": {
      const root = h("div", { class: "md-math md-display", dir: "ltr" });
      drawSource("math", root, block.tex, true, around);
      return { root, update: (next) => next.kind === "math" && next.tex === block.tex };
    }
    case "quote":
      return quoteView(around);
    case "list":
      return listView(block, around);
    case "table":
      return tableView(block, around);
    case "definition":
      // Nothing is visible, but the placeholder keeps positions in the page and in the text equal.
      return { root: document.createComment(""), update: (next) => next.kind === "definition" };
    default:
      return block satisfies never;
  }
}

/** The direction is set on the list; its paragraphs inherit it. */
const direction = (around: MarkdownContext, inList = false): Readonly<Record<string, string>> =>
  around.autoDirection && !inList ? { dir: "auto" } : {};

function textView(
  block: Extract<Block, { kind: "paragraph" | "heading" }>,
  around: MarkdownContext,
  inList: boolean,
): View<Block> {
  const level = block.kind === "heading" ? block.level : undefined;
  const root = h(level === undefined ? "p" : (headings[level - 1] ?? "h6"), direction(around, inList));
  if (level !== undefined) root.setAttribute("aria-level", String(level + headingsAbove));
  const leaf = leafIn(root, around);
  return {
    root,
    update(next, open) {
      if (next.kind === "paragraph" && level === undefined) leaf.show(next.content, open, next.verbatim);
      else if (next.kind === "heading" && next.level === level) leaf.show(next.content, open);
      else return false;
      return true;
    },
    dispose: leaf.dispose,
  };
}

const headings = ["h1", "h2", "h3", "h4", "h5", "h6"] as const;

function quoteView(around: MarkdownContext): View<Block> {
  const root = h("blockquote");
  const room = growing<Block>(root, (child, open) => blockView(child, open, around));
  return {
    root,
    update(next, open) {
      if (next.kind !== "quote") return false;
      room.show(next, open);
      if (next.from + next.children.length > manyChildren)
        around.windows.watch(root, { standIn: () => emptyNote("div") });
      return true;
    },
    dispose: room.dispose,
  };
}

/** Of a list or quote with more children, those far from the reader are not in the document. */
const manyChildren = 24;
/** A longer list has the direction of its first items. */
const longList = 8;

function listView({ ordered, start }: List, around: MarkdownContext): View<Block> {
  const root = h(ordered ? "ol" : "ul", direction(around));
  if (ordered && start !== 1) root.setAttribute("start", String(start));
  const room = growing<Item>(root, (item, open) => itemView(item, open, around));
  return {
    root,
    update(next, open) {
      if (next.kind !== "list" || next.ordered !== ordered || next.start !== start) return false;
      const last = String(start + next.from + next.children.length - 1);
      // Longer numbers need more room than the style sheet reserves.
      if (ordered && last.length > 2) root.style.setProperty("--md-digits", String(last.length));
      const className = next.tight ? "md-tight" : "md-loose";
      if (root.className !== className) root.className = className;
      room.show(next, open);
      const count = next.from + next.children.length;
      const isLong = count > longList;
      if (count > manyChildren) around.windows.watch(root, { standIn: emptyItem, keep: longList });
      showDirection(root, open ? "growing" : isLong ? "long" : "short", () =>
        firstOf(root.children, longList),
      );
      return true;
    },
    dispose: room.dispose,
  };

  /** The item after it has the next number. */
  function emptyItem(last: number): HTMLElement {
    return h("li", ordered ? { value: String(start + last) } : {});
  }
}

function itemView(item: Item, open: boolean, around: MarkdownContext): View<Item> {
  const { task } = item;
  const root = h("li", task === undefined ? {} : { class: "md-task" });
  if (task !== undefined) {
    const label = task === "done" ? around.labels.done : around.labels.notDone;
    root.append(h("span", { class: `md-box md-${task}`, role: "img", "aria-label": label }));
  }
  const room = growing<Block>(root, (child, isOpen) => blockView(child, isOpen, around, true));
  const view: View<Item> = {
    root,
    update: (next, isOpen) => next.task === task && room.show({ from: 0, children: next.children }, isOpen),
    dispose: room.dispose,
  };
  view.update(item, open);
  return view;
}

/** A container whose first children settle: their views are released, their nodes stay. */
function growing<T extends Block | Item>(root: Element, create: (child: T, open: boolean) => View<T>) {
  const room: Room<T> = { views: [], create, append: (child) => root.append(child) };
  let settled = 0;
  return {
    show(
      { from, children }: Pick<Quote | List, "from"> & { readonly children: readonly T[] },
      open: boolean,
    ): boolean {
      room.views.splice(0, from - settled);
      settled = from;
      reconcile(room, children, open);
      return true;
    },
    dispose(): void {
      for (const view of room.views) view.dispose?.();
    },
  };
}
