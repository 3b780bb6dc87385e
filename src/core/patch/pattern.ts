// A hunk prepared for the search: its old lines without the air around them, and how loosely each may be matched.

import { atOnce, type Steps } from "../util/yield-to-event-loop.ts";
import { fold, hashOf, type Tier } from "./line-equality.ts";
import type { Hunk, HunkLine, LineRange } from "./model.ts";
import type { Lines } from "./text.ts";

export interface Pattern {
  readonly hunk: Hunk;
  /** The hunk's lines without the air around them. */
  readonly body: readonly HunkLine[];
  /** The old lines that must be there; empty when the hunk only inserts. */
  readonly lines: readonly string[];
  readonly hashes: readonly number[];
  /** The loosest tier at which each old line may match. */
  readonly caps: readonly Tier[];
  /** Bare empty lines before and after them: wanted, but not required. */
  readonly above: number;
  readonly below: number;
  /** The changed part in old lines: from the first change to behind the last. */
  readonly change: { readonly first: number; readonly last: number };
  /** The last old line is an empty context line, which may stand for the end of the file. */
  readonly mayEndBeyond: boolean;
}

/** So many lines are hashed without a pause. */
const linesAtOnce = 4_000;

export const preparePattern = (hunk: Hunk): Pattern => atOnce(preparing(hunk));

/** The same for a long hunk, in pieces. */
export function* preparing(hunk: Hunk): Steps<Pattern> {
  const body = trimAir(hunk.lines);
  const old = body.lines.filter((line) => line.kind !== "added");
  const isLong = body.lines.length > linesAtOnce;
  if (isLong) yield;
  const hashes: number[] = [];
  for (const [at, { text }] of old.entries()) {
    if (at % linesAtOnce === linesAtOnce - 1) yield;
    hashes.push(hashOf(text));
  }
  const addsNothing = old.length === body.lines.length;
  const caps = addsNothing ? old.map((): Tier => 3) : yield* capsOf(body.lines, hashes);
  if (isLong) yield;
  return {
    hunk,
    body: body.lines,
    lines: old.map((line) => line.text),
    hashes,
    caps,
    above: body.above,
    below: body.below,
    change: changeOf(body.lines),
    mayEndBeyond: old.length > 1 && endsWithBlankContext(body.lines),
  };
}

/** The hunk's lines without the bare empty ones at its edges. */
export function trimAir(lines: readonly HunkLine[]): {
  readonly lines: readonly HunkLine[];
  readonly above: number;
  readonly below: number;
} {
  if (lines[0]?.bare !== true && lines.at(-1)?.bare !== true) return { lines, above: 0, below: 0 };
  const first = lines.findIndex((line) => line.bare !== true);
  const last = lines.findLastIndex((line) => line.bare !== true);
  return { lines: lines.slice(first, last + 1), above: first, below: lines.length - 1 - last };
}

function endsWithBlankContext(lines: readonly HunkLine[]): boolean {
  const last = lines.at(-1);
  return last?.kind === "context" && last.text.trim() === "";
}

function changeOf(lines: readonly HunkLine[]): { first: number; last: number } {
  let old = 0;
  let first: number | undefined;
  let last = 0;
  for (const line of lines) {
    if (line.kind !== "context") first ??= old;
    if (line.kind !== "added") old += 1;
    if (line.kind !== "context") last = old;
  }
  return first === undefined ? { first: 0, last: 0 } : { first, last };
}

/**
 * A tier must not cover what the hunk itself changes: where a removed line and an added one differ in white space
 * only, white space must match; where they differ in look-alikes only, those must.
 */
function* capsOf(lines: readonly HunkLine[], hashes: readonly number[]): Steps<Tier[]> {
  const caps: Tier[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]?.kind === "context") {
      caps.push(3);
      continue;
    }
    const from = at;
    while (at + 1 < lines.length && lines[at + 1]?.kind !== "context") at += 1;
    const run = lines.slice(from, at + 1);
    const added = yield* addedByHash(run);
    for (const { kind, text } of run)
      if (kind === "removed") caps.push(capOf(text, added.get(hashes[caps.length] ?? 0)));
  }
  return caps;
}

/** With the lines whose indentation the hunk changes in any indentation; undefined if it does nothing else. */
export function withShift(pattern: Pattern): Pattern | undefined {
  if (!pattern.caps.includes(1)) return undefined;
  const hashes = (kind: HunkLine["kind"]) =>
    new Set(pattern.body.flatMap((line) => (line.kind === kind ? [hashOf(line.text)] : [])));
  const [removed, added] = [hashes("removed"), hashes("added")];
  const isMore =
    [...removed].some((hash) => !added.has(hash)) || [...added].some((hash) => !removed.has(hash));
  return isMore ? { ...pattern, caps: pattern.caps.map((cap) => (cap === 1 ? 3 : cap)) } : undefined;
}

/** Lines that differ in spelling only have one hash. */
function* addedByHash(run: readonly HunkLine[]): Steps<ReadonlyMap<number, Alike>> {
  const added = new Map<number, string | Set<string>>();
  for (const [at, { kind, text }] of run.entries()) {
    if (at % linesAtOnce === linesAtOnce - 1) yield;
    if (kind !== "added") continue;
    const hash = hashOf(text);
    const alike = added.get(hash);
    if (alike === undefined) added.set(hash, text);
    else if (typeof alike !== "string") alike.add(text);
    else if (alike !== text) added.set(hash, new Set([alike, text]));
  }
  return added;
}

/** Most lines are alike to none, and a set for each of a long hunk would be felt. */
type Alike = string | ReadonlySet<string>;

function capOf(removed: string, alike: Alike | undefined): Tier {
  if (alike === undefined || alike === removed) return 3;
  const others = typeof alike === "string" ? [alike] : [...alike].filter((line) => line !== removed);
  if (others.some((line) => line.trimEnd() === removed.trimEnd())) return 0;
  if (others.some((line) => line.trim() === removed.trim())) return 1;
  return others.some((line) => fold(line) === fold(removed)) ? 2 : 3;
}

/** The lines of the text that the pattern covers at a place. */
export function rangeOf(pattern: Pattern, at: number, lines: Lines): LineRange {
  return { first: at, last: Math.min(lines.count, at + pattern.lines.length) };
}
