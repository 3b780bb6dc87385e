// Reads a source that is still growing. Only what can still change is parsed again: the last block, and if that is a
// list, quote, table or fence only its last child. The tree at the end is the one that a single reading of the whole
// gives, wherever the source was cut (a property test holds that). Pure: what is drawn, and how, is decided elsewhere.
import { type Block, definitionsIn, type Item, readBlocks } from "./blocks.ts";
import { type OpenBlock, offsetOfLine, settleInside } from "./open-block.ts";
import type { Parser, Target } from "./parser.ts";
import { firstUnsettled } from "./settled.ts";
import { shownLength } from "./undecided.ts";

export type Targets = ReadonlyMap<string, Target>;

export interface Reading {
  /** Every block that was not settled before; an open one begins with its first unsettled child (`from`). */
  readonly blocks: readonly Block[];
  /** How many of the blocks, from the first, are settled now: they come no more. */
  readonly settled: number;
  /** Definitions that are settled now, and all of this reading, of which some can still change. */
  readonly defined: Targets;
  readonly provisional: Targets;
}

export interface BlockStream {
  append(text: string): void;
  /** No text comes after this. */
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
      // A "\r" may be half a line break; a high surrogate is half a character.
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

  /** Forgets the source of what is settled; returns that, children of the open block included. */
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
