// Rejecting a call: its pending hunks go, what later calls have built on them becomes conflicted, and what it had written
// over is pending again. Pure.
import { closed, type Proposal, withoutPending } from "../proposal.ts";
import { type HunkPart, type Line, type SharedLines, spell } from "./shared-lines.ts";
import {
  always,
  isFileChange,
  makersIn,
  pendingParts,
  removersIn,
  settled,
  some,
  whole,
} from "./text-changes.ts";

/** Whether a call has a hunk in this proposal that is pending, or could be again. */
export const canRejectCall = ({ lines, shares }: Proposal, call: string): boolean =>
  (lines?.parts ?? []).some(({ share }) => shares[share]?.call === call);

/**
 * Without all pending hunks of a call, and with the lines of earlier ones that it only removed. What later calls wrote
 * over its lines, between or next to them, becomes conflicted.
 */
export function withoutCall(proposal: Proposal, call: string): Proposal {
  const { shares, base, proposed } = proposal;
  const isOf = ({ share }: HunkPart) => shares[share]?.call === call;
  const known = withoutOverwritten(whole(proposal), isOf);
  const pending = pendingParts(known);
  const own = new Set(known.lines.parts.filter(isOf));
  // All of it was written over: it only cannot come back.
  if (own.size === 0) return settled(known, { leaving: always("replaced") });
  const isFile = [...own].some(({ share }) => shares.some((each, at) => at === share && isFileChange(each)));
  const isAll = pending.every((part) => own.has(part)) && !bringsBack(own, known);
  if (isFile || isAll || proposed === undefined) {
    // If the call added, moved or deleted the file, everything else proposed for it depends on that.
    const left = withoutPending(proposal, (each) => (each.call === call ? "rejected" : "conflict"));
    return closed({ ...proposal, shares: left }, base);
  }
  const out = withBuiltOn(own, pending, known.lines);
  const lines = { ...known.lines, proposed: withoutParts(out, pending, known.lines) };
  const text = spell(lines.all, lines.proposed);
  const leaving = (part: HunkPart) => {
    if (own.has(part)) return "rejected";
    return out.has(part) ? "conflict" : "replaced";
  };
  return settled({ ...known, proposed: { ...proposed, text }, lines }, { leaving, out, isBack: true });
}

/**
 * Without those parts that were written over: they cannot come back. Whoever later wrote over one has removed what it had
 * removed. A deletion of proposed lines in whose place nothing is left to decide is not pending, and yet in effect.
 */
function withoutOverwritten(
  proposal: ReturnType<typeof whole>,
  isOf: (part: HunkPart) => boolean,
): ReturnType<typeof whole> {
  const { lines } = proposal;
  const removers = removersIn(lines.parts);
  const isInEffect = (part: HunkPart) =>
    part.made.size === 0 &&
    some(
      part.took,
      (line) => !lines.base.has(line) && !lines.proposed.has(line) && removers.get(line) === part,
    );
  const lost = new Set(
    lines.parts.filter((part) => isOf(part) && part.status !== "pending" && !isInEffect(part)),
  );
  if (lost.size === 0) return proposal;
  const makers = makersIn(lost);
  const left = lines.parts.filter((part) => !lost.has(part));
  const parts = left.map((part) => {
    const took = new Set(part.took);
    const over = new Set<HunkPart>();
    // The loop also visits the lines that are added while it runs.
    for (const line of took)
      for (const each of makers.get(line) ?? []) {
        if (each.share >= part.share || over.has(each)) continue;
        over.add(each);
        for (const removed of each.took) if (!part.made.has(removed)) took.add(removed);
      }
    return took.size === part.took.size ? part : { ...part, took };
  });
  return { ...proposal, lines: { ...lines, parts } };
}

/** Whether without these parts another one is pending again, since they have written over it. */
function bringsBack(own: ReadonlySet<HunkPart>, { lines }: ReturnType<typeof whole>): boolean {
  const removed = new Set([...own].flatMap(({ took }) => [...took]));
  return lines.parts.some(
    ({ status, made }) => status === "replaced" && some(made, (line) => removed.has(line)),
  );
}

/** With the pending parts of later calls that wrote over lines of these, between them or next to them. */
function withBuiltOn(
  own: ReadonlySet<HunkPart>,
  pending: readonly HunkPart[],
  { all, proposed }: SharedLines,
): ReadonlySet<HunkPart> {
  const places = new Map(all.map((line, at) => [line, at]));
  const makers = makersIn(pending);
  const removers = new Map<Line, HunkPart[]>();
  for (const part of pending)
    for (const line of part.took) removers.set(line, [...(removers.get(line) ?? []), part]);
  const out = new Set(own);
  // The loop also visits the parts that are added while it runs.
  for (const part of out) {
    const isIts = (line: Line) => part.made.has(line) || part.took.has(line);
    const isLater = ({ share }: HunkPart) => share > part.share;
    const take = (found: readonly HunkPart[] = []) => {
      for (const other of found) if (isLater(other)) out.add(other);
    };
    for (const line of part.made) take(removers.get(line));
    for (const line of [...part.made, ...part.took])
      for (const step of [-1, 1])
        for (let at = (places.get(line) ?? 0) + step; ; at += step) {
          const next = all[at];
          if (next === undefined || isIts(next)) break;
          const found = proposed.has(next) ? makers.get(next) : removers.get(next);
          take(found);
          if (proposed.has(next) || found?.some(isLater)) break;
        }
  }
  return out;
}

/** The proposed lines without these parts, and with what they had removed, as far as nobody else has removed it. */
function withoutParts(
  out: ReadonlySet<HunkPart>,
  pending: readonly HunkPart[],
  { base, proposed, parts }: SharedLines,
): ReadonlySet<Line> {
  const stay = pending.filter((part) => !out.has(part));
  const next = new Set(proposed);
  const kept = new Set(stay.flatMap(({ made }) => [...made]));
  const others = parts.filter((part) => !out.has(part));
  // A line that they brought back stays if whoever had removed it is rejected as well.
  const gone = new Set(others.flatMap(({ took }) => [...took]));
  for (const { made } of out)
    for (const line of made) if (!kept.has(line) && (!base.has(line) || gone.has(line))) next.delete(line);
  const removed = [...out].flatMap(({ took }) => [...took]);
  // Parts that these had written over are proposed again: what they have removed stays removed.
  const written = new Set(others.flatMap(({ made }) => [...made]));
  const back = others.filter(({ made }) => removed.some((line) => made.has(line)));
  const missing = new Set([...stay, ...back].flatMap(({ took }) => [...took]));
  for (const line of removed) if (!missing.has(line) && (base.has(line) || written.has(line))) next.add(line);
  return next;
}
