// A last block whose children settle one by one: a list, quote, table or fence. Its settled lines are not parsed again;
// in their place stand one or two lines that make the parser see what follows as the inside of the same block.
import { type Block, type Code, type Item, isTight, type List, type Quote, type Table } from "./blocks.ts";
import { firstUnsettled } from "./settled.ts";

export interface OpenBlock {
  /** Parsed before what is left of the source. */
  readonly prefix: string;
  readonly prefixLines: number;
  /** True while the inside is literal text. */
  readonly literal: boolean;
  /** The block as the parser gave it with the prefix, as it really is. */
  restore(block: Block): Block;
}

export interface SettledInside {
  /** The children that are settled now and can hold definitions. */
  readonly finished: readonly (Block | Item)[];
  /** The line, in what was parsed, that the first unsettled child begins at. */
  readonly line: number;
  readonly open: OpenBlock;
}

/** `block` is the only one that is not settled; undefined where nothing inside it is settled either. */
export function settleInside(block: Block, source: string): SettledInside | undefined {
  switch (block.kind) {
    case "list":
      return settleItems(block, source);
    case "quote":
      return settleQuoted(block);
    case "table":
      return settleRows(block, source);
    case "code":
      return block.fenced ? settleLines(block, source) : undefined;
    default:
      return undefined;
  }
}

/** In place of settled items: one with the same indentation and marker. */
function settleItems(list: List, source: string): SettledInside | undefined {
  const finished = list.children.slice(0, -1);
  const rest = list.children.at(-1);
  if (finished.length === 0 || rest === undefined) return undefined;
  const settledTight = list.settledTight && finished.every((item) => item.tight && !item.endsEmpty);
  const marker = /^ *(?:[-+*]|\d+[.)])/.exec(lineAt(source, rest.lines[0]))?.[0] ?? "-";
  const { ordered, start } = list;
  const from = list.from + finished.length;
  const restore = (block: Block): Block => {
    if (block.kind !== "list") throw new Error(`An open list came back as a ${block.kind}.`);
    const children = block.children.slice(1);
    return {
      ...block,
      ordered,
      start,
      from,
      settledTight,
      tight: settledTight && isTight(children),
      children,
    };
  };
  const prefix = `${marker.replace(/\d+/, "1")} x\n`;
  return { finished, line: rest.lines[0], open: { prefix, prefixLines: 1, literal: false, restore } };
}

/** In place of settled blocks: a rule, which nothing that follows can continue. */
function settleQuoted(quote: Quote): SettledInside | undefined {
  const finished = quote.children.slice(0, firstUnsettled(quote.children));
  const rest = quote.children[finished.length];
  if (finished.length === 0 || rest === undefined) return undefined;
  const from = quote.from + finished.length;
  const restore = (block: Block): Block => {
    if (block.kind !== "quote") throw new Error(`An open quote came back as a ${block.kind}.`);
    return { ...block, from, children: block.children.slice(1) };
  };
  const open = { prefix: "> ***\n", prefixLines: 1, literal: false, restore };
  return { finished, line: rest.lines[0], open };
}

/**
 * A row is settled when another one follows, so that it has been drawn as one that is complete; the head and the line
 * below it make the rest rows of the same table.
 */
function settleRows(table: Table, source: string): SettledInside | undefined {
  const children = table.children.length - 1;
  if (children < 1) return undefined;
  const [head] = table.lines;
  const prefix = `${lineAt(source, head)}\n${lineAt(source, head + 1)}\n`;
  const from = table.from + children;
  const restore = (block: Block): Block => {
    if (block.kind !== "table") throw new Error(`An open table came back as a ${block.kind}.`);
    return { ...block, from };
  };
  const line = head + 2 + children;
  return { finished: [], line, open: { prefix, prefixLines: 2, literal: false, restore } };
}

/** The lines of a fence need its opening line before them, without the words that could make a table of it. */
function settleLines(code: Code, source: string): SettledInside | undefined {
  const children = code.closed
    ? code.children.length
    : completeOf(code.children.length, code.lines[1], source);
  if (children < 1) return undefined;
  const [opening] = code.lines;
  const { info } = code;
  const from = code.from + children;
  const fence = /^ *(?:`+|~+)/.exec(lineAt(source, opening))?.[0] ?? "```";
  const restore = (block: Block): Block => {
    if (block.kind !== "code") throw new Error(`An open fence came back as a ${block.kind}.`);
    return { ...block, info, from };
  };
  const open = { prefix: `${fence}\n`, prefixLines: 1, literal: !code.closed, restore };
  return { finished: [], line: opening + 1 + children, open };
}

/** How many of the children, one to a line, are on complete lines: the last line of the source may not be. */
function completeOf(children: number, endLine: number, source: string): number {
  const lastLineIsOpen = !source.endsWith("\n") && endLine > countLines(source);
  return lastLineIsOpen ? children - 1 : children;
}

export function countLines(source: string): number {
  let count = 0;
  for (let at = source.indexOf("\n"); at !== -1; at = source.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** Where a line begins; the length of the source for lines beyond it. */
export function offsetOfLine(source: string, line: number): number {
  let offset = 0;
  for (let count = 0; count < line; count += 1) {
    const end = source.indexOf("\n", offset);
    if (end === -1) return source.length;
    offset = end + 1;
  }
  return offset;
}

function lineAt(source: string, line: number): string {
  const start = offsetOfLine(source, line);
  const end = source.indexOf("\n", start);
  return source.slice(start, end === -1 ? source.length : end);
}
