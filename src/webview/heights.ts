// How tall every turn is: measured where it has been drawn, estimated from its text where it has not. Estimates learn
// from what was measured. Knows no DOM.
import type { Turn } from "../core/conversation/state.ts";

export interface Heights {
  of(turn: Turn): number;
  /** Of a turn about which nothing is known. */
  readonly average: number;
  measured(turn: Turn, height: number): void;
  /** The page is wider or narrower: what was measured is now only a better estimate. */
  widthChanged(width: number): void;
}

const lineHeight = 20;
const characterWidth = 7;
/** Bylines, footer and paddings. */
const frame = 150;

export function turnHeights(): Heights {
  let known = new Map<string, number>();
  let width = 400;
  /** Real heights by estimated ones, so far. */
  let seen = { real: 0, guessed: 0, turns: 0 };

  const guess = (turn: Turn): number =>
    frame + lineHeight * linesOf(turn, Math.max(20, width / characterWidth));
  const scale = (): number => (seen.guessed === 0 ? 1 : seen.real / seen.guessed);

  return {
    of: (turn) => known.get(turn.id) ?? guess(turn) * scale(),
    get average() {
      return seen.turns === 0 ? frame * 2 : seen.real / seen.turns;
    },
    measured(turn, height) {
      const before = known.get(turn.id);
      if (before === undefined) {
        seen = { real: seen.real + height, guessed: seen.guessed + guess(turn), turns: seen.turns + 1 };
      } else seen = { ...seen, real: seen.real + height - before };
      known.set(turn.id, height);
    },
    widthChanged(next) {
      if (next === width) return;
      width = next;
      known = new Map();
      seen = { real: 0, guessed: 0, turns: 0 };
    },
  };
}

const lineCounts = new WeakMap<Turn, readonly [columns: number, lines: number]>();

function linesOf(turn: Turn, columns: number): number {
  const remembered = lineCounts.get(turn);
  if (remembered?.[0] === columns) return remembered[1];
  let lines = Math.min(12, wrapped(turn.prompt, columns));
  for (const part of turn.parts) lines += part.type === "text" ? wrapped(part.text, columns) + 1 : 1.5;
  lineCounts.set(turn, [columns, lines]);
  return lines;
}

function wrapped(text: string, columns: number): number {
  let lines = 0;
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    lines += Math.max(1, Math.ceil((end - start) / columns));
    start = end + 1;
  }
  return lines;
}
