// Reads a Markdown source that is still growing. Only what can still change is parsed again: the last block, or only
// the last child if that block is a list, quote, table or fence. The resulting tree equals that of a single reading of
// the whole source, wherever it was cut (a property test checks this). Pure: drawing is done elsewhere.

import { shownLength } from "./half-written-blocks.ts";
import type { Parser, Target } from "./parser.ts";
import {
  type Block,
  type Code,
  definitionsIn,
  type Item,
  isTight,
  type List,
  type Quote,
  readBlocks,
  type Table,
} from "./read-blocks.ts";

/**
 * Returns the index of the first block that can still change when more text arrives; all earlier ones are settled. In
 * CommonMark only the last one can change, except for link reference definitions: their label and title may span lines
 * that parse as a paragraph, heading or indented code until the closing character arrives. Only a blank line, or a
 * block that can end a paragraph, settles them.
 */
function firstUnsettled(blocks: readonly Block[]): number {
  let unsettled = Math.max(0, blocks.length - 1);
  for (let index = blocks.length - 1; index >= 0; index -= 1) {
    const block = blocks[index];
    const next = blocks[index + 1];
    const last = block === undefined ? undefined : lastLeaf(block);
    if (last === undefined || !isText(last)) break;
    if (next !== undefined && next.lines[0] !== last.lines[1]) break;
    if (mayBecomeDefinition(last, next)) unsettled = index;
    // A list or quote ends what comes before it.
    if (last !== block) break;
  }
  return unsettled;
}

/** The block that a line without the container's own marker would continue. */
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

/**
 * A last block whose children settle one by one: a list, quote, table or fence. Its settled lines are not parsed again;
 * one or two lines in their place make the parser treat what follows as the inside of the same block.
 */
interface OpenBlock {
  /** Lines parsed before the remaining source. */
  readonly prefix: string;
  readonly prefixLines: number;
  /** The inside of the block is literal text. */
  readonly literal: boolean;
  /** Converts the block as parsed with the prefix to what it really is. */
  restore(block: Block): Block;
}

interface SettledInside {
  /** Children that are settled now and can contain definitions. */
  readonly finished: readonly (Block | Item)[];
  /** The line of the parsed source at which the first unsettled child begins. */
  readonly line: number;
  readonly open: OpenBlock;
}

/** `block` is the only unsettled one; returns undefined where nothing inside it is settled either. */
function settleInside(block: Block, source: string): SettledInside | undefined {
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

/** Settled items are replaced by one with the same indentation and marker. */
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

/** Settled blocks are replaced by a rule, which cannot be continued by what follows. */
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
 * A row is settled once another one follows, so that it has been drawn in its complete form; the head and the line
 * below it make the remaining lines rows of the same table.
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

/**
 * The lines of a fence need its opening line before them, without the info string, which could turn it into a table.
 */
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

/** How many of the children, one per line, are on complete lines; the last line of the source may be incomplete. */
function completeOf(children: number, endLine: number, source: string): number {
  const lastLineIsOpen = !source.endsWith("\n") && endLine > countLines(source);
  return lastLineIsOpen ? children - 1 : children;
}

function countLines(source: string): number {
  let count = 0;
  for (let at = source.indexOf("\n"); at !== -1; at = source.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** The offset at which a line begins; the length of the source for lines beyond its end. */
function offsetOfLine(source: string, line: number): number {
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

export type Targets = ReadonlyMap<string, Target>;

interface Reading {
  /** Every block that was not settled before; an open one begins with its first unsettled child (`from`). */
  readonly blocks: readonly Block[];
  /** How many of the blocks, counted from the first, are settled now. They are not returned again. */
  readonly settled: number;
  /** Definitions that are settled now, and all definitions of this reading, some of which can still change. */
  readonly defined: Targets;
  readonly provisional: Targets;
}

export interface BlockStream {
  append(text: string): void;
  /** No more text follows. */
  end(): void;
  read(): Reading;
}

const none: Targets = new Map();

export function createBlockStream(parser: Parser): BlockStream {
  let tail = "";
  let half = "";
  let ended = false;
  let open: OpenBlock | undefined;

  return {
    append(text) {
      const whole = half + text;
      // A "\r" may be half a line break, and a high surrogate is half a character.
      half = /[\r\uD800-\uDBFF]$/.exec(whole)?.[0] ?? "";
      tail += normalized(whole.slice(0, whole.length - half.length));
    },
    end() {
      tail += normalized(half);
      half = "";
      ended = true;
    },
    read,
  };

  function read(): Reading {
    const shown = ended ? tail : tail.slice(0, shownLength(tail, open?.literal === true));
    const source = (open?.prefix ?? "") + shown;
    const { tokens, definitions } = parser.blocks(source);
    const blocks = readBlocks(tokens).map((block, index) =>
      index === 0 && open ? open.restore(block) : block,
    );
    const settled = ended ? blocks.length : firstUnsettled(blocks);
    const finished = settle(blocks, settled, source);
    const labels = Object.keys(definitions).length === 0 ? [] : definitionsIn(finished);
    return {
      blocks,
      settled,
      defined: labels.length === 0 ? none : pick(definitions, labels),
      provisional: pick(definitions, Object.keys(definitions)),
    };
  }

  /** Discards the source of settled blocks and returns them, settled children of the open block included. */
  function settle(blocks: readonly Block[], settled: number, source: string): readonly (Block | Item)[] {
    const prefixLines = open?.prefixLines ?? 0;
    const rest = blocks[settled];
    const inside =
      rest !== undefined && settled === blocks.length - 1 ? settleInside(rest, source) : undefined;
    const finished = blocks.slice(0, settled);
    if (rest === undefined) tail = tail.slice(source.lastIndexOf("\n") + 1);
    else if (inside !== undefined) tail = tail.slice(offsetOfLine(tail, inside.line - prefixLines));
    else if (settled > 0) tail = tail.slice(offsetOfLine(tail, rest.lines[0] - prefixLines));
    if (inside !== undefined) open = inside.open;
    else if (settled > 0) open = undefined;
    return inside === undefined ? finished : [...finished, ...inside.finished];
  }
}

const normalized = (text: string): string => text.replace(/\r\n?/g, "\n").replaceAll("\0", "\uFFFD");

function pick(definitions: Readonly<Record<string, Target>>, labels: readonly string[]): Targets {
  if (labels.length === 0) return none;
  return new Map(
    labels.flatMap((label) => {
      const target = definitions[label];
      return target === undefined ? [] : [[label, target] as const];
    }),
  );
}
