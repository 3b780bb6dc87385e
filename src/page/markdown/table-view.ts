// A table. Complete rows are kept; only the last one is drawn again. Those of a long table that are far from the reader
// are not in the document.
import { h } from "../elements/dom.ts";
import { firstOf, showDirection } from "./direction.ts";
import type { MarkdownContext } from "./markdown-context.ts";
import type { Alignment, Block, Row, Table } from "./parse/read-blocks.ts";
import { type Room, reconcile, type View } from "./reconcile.ts";
import { type Leaf, leafIn } from "./text-view.ts";

/**
 * Further cells are not drawn, and a line below the table says so: nobody reads that many, and they would block the
 * page.
 */
const maxCells = 5_000;
const maxColumns = 500;

/** A longer table has the direction of its first rows. */
const longTable = 8;
const manyRows = 40;

export function tableView(table: Table, around: MarkdownContext): View<Block> {
  const shown = table.columns.slice(0, maxColumns);
  const columns = shown.length;
  const head = h("tr");
  const body = h("tbody");
  const inner = h("table", around.autoDirection ? { dir: "auto" } : {}, h("thead", {}, head));
  const root = h(
    "div",
    { class: "md-table", tabindex: "0", role: "group", "aria-label": around.labels.table },
    inner,
  );
  const more = h("p", { class: "md-more" }, around.labels.moreTable);
  const names = shown.map((alignment) => cell("th", alignment, head, around));
  const rows: Room<Row> = {
    views: [],
    create: (row, open) => rowView(row, open, shown, around),
    append: (row) => body.append(row),
  };
  let settled = 0;
  let width = 0;
  return {
    root,
    update(next, open) {
      if (next.kind !== "table" || next.columns.join() !== table.columns.join()) return false;
      const isHeadOpen = open && next.from + next.children.length === 0;
      for (const [index, leaf] of names.entries())
        leaf.show(next.head[index] ?? "", isHeadOpen && index === columns - 1);
      rows.views.splice(0, next.from - settled);
      settled = next.from;
      const room = Math.max(0, Math.floor(maxCells / Math.max(1, columns)) - next.from);
      reconcile(rows, next.children.slice(0, room), open);
      const isWhole = next.children.length <= room && columns === table.columns.length;
      if (!isWhole && more.parentNode === null) root.append(more);
      // Append the body only once: appending it again would lay out the whole table again.
      const isThere = body.parentNode !== null;
      if (next.from + next.children.length === 0) body.remove();
      else if (!isThere) inner.append(body);
      const count = next.from + next.children.length;
      if (count > manyRows)
        around.windows.watch(body, { standIn: emptyRow, keep: longTable, leaves: keepWidths });
      const isLong = count > longTable;
      showDirection(inner, open ? "growing" : isLong ? "long" : "short", () =>
        firstOf(inner.rows, longTable),
      );
      return true;
    },
    dispose() {
      for (const leaf of names) leaf.dispose();
      for (const row of rows.views) row.dispose?.();
    },
  };

  function emptyRow(): HTMLElement {
    return h("tr", {}, h("td", { colspan: String(columns) }));
  }

  /** Columns stay as wide as the rows that leave have made them, until the page has another width. */
  function keepWidths(): void {
    const cells = [...head.cells];
    if (root.clientWidth !== width) for (const { style } of cells) style.minWidth = "";
    width = root.clientWidth;
    const widths = cells.map((each) => each.getBoundingClientRect().width);
    for (const [index, { style }] of cells.entries()) style.minWidth = `${widths[index] ?? 0}px`;
  }
}

function rowView(row: Row, open: boolean, columns: readonly Alignment[], around: MarkdownContext): View<Row> {
  const root = h("tr");
  const cells = columns.map((alignment) => cell("td", alignment, root, around));
  const view: View<Row> = {
    root,
    update(next, isOpen) {
      const last = next.cells.findLastIndex((content) => content !== "");
      for (const [index, leaf] of cells.entries())
        leaf.show(next.cells[index] ?? "", isOpen && index === last);
      return true;
    },
    dispose() {
      for (const leaf of cells) leaf.dispose();
    },
  };
  view.update(row, open);
  return view;
}

function cell(tag: "th" | "td", alignment: Alignment, row: Element, around: MarkdownContext): Leaf {
  const root = h(tag, alignment === "none" ? {} : { class: `md-${alignment}` });
  row.append(root);
  return leafIn(root, around);
}
