// Texts with shared lines as they are stored beside the texts: which lines the two share, and which lines each part of a
// hunk has written and removed, as numbers. Pure.
import * as z from "zod/mini";
import { linesOf } from "../../patch/diff-and-merge.ts";
import type { HunkPart, Line, SharedLines } from "./shared-lines.ts";

/** First number and count, again and again. */
const Spans = z.array(z.number());

export const LinesForm = z.object({
  /** In order, a kind and how many: lines of neither text (0), of the base (1), of the proposed text (2), of both (3). */
  order: z.array(z.number()),
  /** The lines of neither text. */
  gone: z.array(z.string()),
  /** Each of their parts. */
  hunks: z.array(
    z.object({
      share: z.number(),
      id: z.string(),
      /** Absent: it is pending. */
      left: z.optional(z.enum(["replaced", "conflict"])),
      made: Spans,
      took: Spans,
    }),
  ),
});
type KeptLines = z.infer<typeof LinesForm>;

export function keepLines({ all, base, proposed, parts }: SharedLines): KeptLines {
  const order: number[] = [];
  const gone: string[] = [];
  /** Where the lines of the parts are, which are few of all. */
  const numbers = new Map<Line, number>();
  for (const { made, took } of parts)
    for (const own of [made, took]) for (const line of own) numbers.set(line, -1);
  let number = 0;
  for (const line of all) {
    if (numbers.has(line)) numbers.set(line, number);
    number += 1;
    const kind = (base.has(line) ? 1 : 0) + (proposed.has(line) ? 2 : 0);
    if (kind === 0) gone.push(line.text);
    if (order.at(-2) === kind) order[order.length - 1] = (order.at(-1) ?? 0) + 1;
    else order.push(kind, 1);
  }
  const spans = (lines: ReadonlySet<Line>): number[] => {
    const own: number[] = [];
    for (const line of lines) {
      const number = numbers.get(line);
      if (number !== undefined && number >= 0) own.push(number);
    }
    own.sort((one, other) => one - other);
    const found: number[] = [];
    let next = -1;
    for (const number of own) {
      if (number === next) found[found.length - 1] = (found.at(-1) ?? 0) + 1;
      else found.push(number, 1);
      next = number + 1;
    }
    return found;
  };
  return {
    order,
    gone,
    hunks: parts.map(({ share, id, status, made, took }) => ({
      ...{ share, id, made: spans(made), took: spans(took) },
      ...(status !== "pending" && { left: status }),
    })),
  };
}

export function openLines(kept: KeptLines, base: string, proposed: string): SharedLines {
  const [own, other] = [linesOf(base), linesOf(proposed)];
  const all: Line[] = [];
  const texts = { base: new Set<Line>(), proposed: new Set<Line>() };
  let [at, next, lost] = [0, 0, 0];
  for (let part = 0; part < kept.order.length; part += 2) {
    const [kind, count = 0] = kept.order.slice(part, part + 2);
    for (let number = 0; number < count; number++) {
      const words = kind === 0 ? kept.gone[lost++] : kind === 2 ? other[next] : own[at];
      const line = { text: words ?? "" };
      all.push(line);
      if (kind === 1 || kind === 3) {
        texts.base.add(line);
        at += 1;
      }
      if (kind === 2 || kind === 3) {
        texts.proposed.add(line);
        next += 1;
      }
    }
  }
  const linesIn = (spans: readonly number[]): ReadonlySet<Line> => {
    const found = new Set<Line>();
    for (let span = 0; span < spans.length; span += 2) {
      const [first = 0, count = 0] = spans.slice(span, span + 2);
      for (const line of all.slice(first, first + count)) found.add(line);
    }
    return found;
  };
  const parts = kept.hunks.map(({ left, made, took, ...part }): HunkPart => {
    return { ...part, status: left ?? "pending", made: linesIn(made), took: linesIn(took) };
  });
  return { all, ...texts, parts };
}
