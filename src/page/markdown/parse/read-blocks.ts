// The block structure of a source as a tree, read from markdown-it's tokens. Text inside a block stays source and is
// parsed where it is drawn (inline.ts). Pure; the only trace of streaming is the index at which an open block begins.
import type { Token } from "markdown-it";

/** The first line and the line after the last one, in the parsed source. */
type Lines = readonly [start: number, end: number];

export type Alignment = "left" | "center" | "right" | "none";

interface Placed {
  readonly lines: Lines;
}

/** `from` is the index of the first of these children; earlier ones are already settled and drawn. */
interface Continued {
  readonly from: number;
}

interface Paragraph extends Placed {
  readonly kind: "paragraph";
  readonly content: string;
  /** Shown literally, without any markup. */
  readonly verbatim: boolean;
}
interface Heading extends Placed {
  readonly kind: "heading";
  readonly level: number;
  readonly content: string;
  /** Written with a line of "=" or "-" below it. */
  readonly underlined: boolean;
}
interface Rule extends Placed {
  readonly kind: "rule";
}
export interface Code extends Placed, Continued {
  readonly kind: "code";
  readonly fenced: boolean;
  readonly info: string;
  readonly closed: boolean;
  readonly children: readonly string[];
}
interface MathBlock extends Placed {
  readonly kind: "math";
  readonly tex: string;
}
export interface Quote extends Placed, Continued {
  readonly kind: "quote";
  readonly children: readonly Block[];
}
export interface List extends Placed, Continued {
  readonly kind: "list";
  readonly ordered: boolean;
  readonly start: number;
  readonly tight: boolean;
  /** Whether the settled items before `from` are tight. */
  readonly settledTight: boolean;
  readonly children: readonly Item[];
}
export interface Item extends Placed {
  readonly kind: "item";
  readonly task: "open" | "done" | undefined;
  readonly children: readonly Block[];
  /** There is no blank line between its children. */
  readonly tight: boolean;
  /** It ends in a blank line, so that a following item makes the list loose. */
  readonly endsEmpty: boolean;
}
export interface Table extends Placed, Continued {
  readonly kind: "table";
  readonly columns: readonly Alignment[];
  readonly head: readonly string[];
  readonly children: readonly Row[];
}
export interface Row extends Placed {
  readonly kind: "row";
  readonly cells: readonly string[];
}
/** A link reference definition, which is not drawn. */
interface Definition extends Placed {
  readonly kind: "definition";
  readonly label: string;
}

export type Block = Paragraph | Heading | Rule | Code | MathBlock | Quote | List | Table | Definition;

/** Labels of all definitions among the blocks and inside them, in order. */
export function definitionsIn(blocks: readonly (Block | Item)[]): readonly string[] {
  return blocks.flatMap((block) => {
    if (block.kind === "definition") return [block.label];
    return block.kind === "quote" || block.kind === "list" || block.kind === "item"
      ? definitionsIn(block.children)
      : [];
  });
}

export function readBlocks(tokens: readonly Token[]): readonly Block[] {
  return blocksBetween({ tokens, at: 0 }, undefined);
}

/** A position in the token list; every reader leaves it after what it has read. */
interface Cursor {
  readonly tokens: readonly Token[];
  at: number;
}

function next(cursor: Cursor): Token {
  const token = cursor.tokens[cursor.at];
  if (token === undefined) throw new Error("markdown-it's tokens end in the middle of a block.");
  cursor.at += 1;
  return token;
}

function blocksBetween(cursor: Cursor, closing: string | undefined): readonly Block[] {
  const blocks: Block[] = [];
  while (cursor.at < cursor.tokens.length) {
    const token = next(cursor);
    if (token.type === closing) break;
    blocks.push(readBlock(token, cursor));
  }
  return blocks;
}

function readBlock(token: Token, cursor: Cursor): Block {
  const lines = linesOf(token);
  switch (token.type) {
    case "paragraph_open":
      return { kind: "paragraph", lines, content: contentBefore(cursor, "paragraph_close"), verbatim: false };
    case "heading_open": {
      const underlined = !token.markup.startsWith("#");
      const content = contentBefore(cursor, "heading_close");
      return { kind: "heading", lines, level: Number(token.tag.slice(1)), content, underlined };
    }
    case "fence":
    case "code_block":
      return readCode(token, lines);
    case "math_block":
      // Without its closing line it was not a formula, and is shown literally.
      return token.meta?.["closed"] === true
        ? { kind: "math", lines, tex: token.content }
        : { kind: "paragraph", lines, content: token.content, verbatim: true };
    case "hr":
      return { kind: "rule", lines };
    case "reference_definition":
      return { kind: "definition", lines, label: String(token.meta?.["label"]) };
    case "blockquote_open":
      return { kind: "quote", lines, from: 0, children: blocksBetween(cursor, "blockquote_close") };
    case "bullet_list_open":
    case "ordered_list_open":
      return readList(token, lines, cursor);
    case "table_open":
      return readTable(lines, cursor);
    default:
      throw new Error(`markdown-it gave a ${token.type} where a block begins.`);
  }
}

const linesOf = (token: Token): Lines => token.map ?? [0, 0];

function contentBefore(cursor: Cursor, closing: string): string {
  const { content } = next(cursor);
  if (next(cursor).type !== closing) throw new Error(`markdown-it gave no ${closing} after its text.`);
  return content;
}

function readCode(token: Token, lines: Lines): Code {
  const fenced = token.type === "fence";
  const children = linesOfCode(token.content);
  const closed = fenced && lines[1] - lines[0] === children.length + 2;
  return { kind: "code", lines, from: 0, fenced, info: token.info.trim(), closed, children };
}

/** The final line break belongs to the last line. */
function linesOfCode(content: string): readonly string[] {
  if (content === "") return [];
  return (content.endsWith("\n") ? content.slice(0, -1) : content).split("\n");
}

function readList(token: Token, lines: Lines, cursor: Cursor): List {
  const ordered = token.type === "ordered_list_open";
  const children: Item[] = [];
  for (let item = next(cursor); item.type === "list_item_open"; item = next(cursor)) {
    children.push(readItem(item, cursor));
  }
  const start = Number(token.attrGet("start") ?? 1);
  const tight = isTight(children);
  return { kind: "list", lines, from: 0, ordered, start, tight, settledTight: true, children };
}

export const isTight = (items: readonly Item[]): boolean =>
  items.every((item, index) => item.tight && (!item.endsEmpty || index === items.length - 1));

function readItem(token: Token, cursor: Cursor): Item {
  const blocks = blocksBetween(cursor, "list_item_close");
  const [first, ...rest] = blocks;
  const box = first?.kind === "paragraph" ? /^\[([ xX])\][ \t\n]+(?=\S)/.exec(first.content) : null;
  const isTask = first?.kind === "paragraph" && box !== null;
  const lines = linesOf(token);
  return {
    kind: "item",
    lines,
    task: isTask ? (box[1] === " " ? "open" : "done") : undefined,
    children: isTask ? [{ ...first, content: first.content.slice(box[0].length) }, ...rest] : blocks,
    tight: token.meta?.["tight"] !== false,
    // Only an empty item includes the blank line after it without its contents being tokenized (parser.ts).
    endsEmpty: token.meta === null ? lines[1] - lines[0] > 1 : token.meta["endsEmpty"] === true,
  };
}

function readTable(lines: Lines, cursor: Cursor): Table {
  const rows: Row[] = [];
  const columns: Alignment[] = [];
  let cells: string[] = [];
  for (let token = next(cursor); token.type !== "table_close"; token = next(cursor)) {
    if (token.type === "tr_open") {
      cells = [];
      rows.push({ kind: "row", lines: linesOf(token), cells });
    }
    if (token.type === "th_open") columns.push(alignmentOf(token));
    if (token.type === "inline") cells.push(token.content);
  }
  const [head, ...children] = rows;
  return { kind: "table", lines, from: 0, columns, head: head?.cells ?? [], children };
}

function alignmentOf(token: Token): Alignment {
  const alignment = /left|center|right/.exec(String(token.attrGet("style") ?? ""))?.[0];
  return alignment === "left" || alignment === "center" || alignment === "right" ? alignment : "none";
}
