// Rejecting a call: its pending hunks go, what later calls have built on them becomes conflicted, and what it had written
// over is pending again. Pure.
import { closed, type Proposal, withoutPending } from "../proposal.ts";
import { type HunkPart, type Line, type SharedLines, spell } from "./shared-lines.ts";
import { always, isFileChange, partsBy, pendingParts, settled, some, whole } from "./text-changes.ts";

/** Whether a call has a hunk in this proposal that is pending, or could be again. */
export const canRejectCall = ({ lines, shares }: Proposal, call: string): boolean =>
  (lines?.parts ?? []).some(({ share }) => shares[share]?.call === call);

/**
 * Without all hunks of a call that are in effect: what it wrote is proposed no longer, and what it removed, brought back or
 * wrote over is as the others have left it. What later calls wrote over its lines, between or next to them, becomes
 * conflicted.
 */
export function withoutCall(proposal: Proposal, call: string): Proposal {
  const { shares, base, proposed } = proposal;
  const known = whole(proposal);
  const { parts } = known.lines;
  const own = parts.filter(({ share }) => shares[share]?.call === call);
  const isInEffect = whatIsInEffect(parts);
  const inEffect = own.filter((part) => part.status === "pending" || isInEffect(part));
  const rejected = new Set(own);
  // All of it was written over: it only cannot come back.
  if (inEffect.length === 0) return settled(known, { leaving: always("replaced"), out: rejected });
  const isFile = inEffect.some(({ share }) => shares.some((each, at) => at === share && isFileChange(each)));
  if (isFile || proposed === undefined) {
    // If the call added, moved or deleted the file, everything else proposed for it depends on that.
    const left = withoutPending(proposal, (each) => (each.call === call ? "rejected" : "conflict"));
    return closed({ ...proposal, shares: left }, base);
  }
  const builtOn = withBuiltOn(inEffect, pendingParts(known), known.lines);
  const out = new Set([...own, ...builtOn]);
  const lines = { ...known.lines, proposed: withoutParts(out, known.lines) };
  const text = spell(lines.all, lines.proposed);
  const leaving = (part: HunkPart) => {
    if (rejected.has(part)) return "rejected";
    return out.has(part) ? "conflict" : "replaced";
  };
  return settled({ ...known, proposed: { ...proposed, text }, lines }, { leaving, out, isBack: true });
}

/** Whether a part is the last one to name one of its lines: a part that was written over as a whole is not. */
function whatIsInEffect(parts: readonly HunkPart[]): (part: HunkPart) => boolean {
  const last = new Map<Line, HunkPart>();
  for (const part of parts)
    for (const lines of [part.made, part.took]) for (const line of lines) last.set(line, part);
  return (part) => [part.made, part.took].some((lines) => some(lines, (line) => last.get(line) === part));
}

/** With the pending parts of later calls that wrote over lines of these, between them or next to them. */
function withBuiltOn(
  own: readonly HunkPart[],
  pending: readonly HunkPart[],
  { all, proposed }: SharedLines,
): ReadonlySet<HunkPart> {
  const places = new Map(all.map((line, at) => [line, at]));
  const [makers, removers] = [partsBy("made", pending), partsBy("took", pending)];
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

/** The proposed lines without these parts: of each of their lines, the last of the others that names it tells what it is. */
function withoutParts(out: ReadonlySet<HunkPart>, { base, proposed, parts }: SharedLines): ReadonlySet<Line> {
  const told = new Map<Line, boolean>();
  for (const part of parts) {
    if (out.has(part)) continue;
    for (const line of part.took) told.set(line, false);
    for (const line of part.made) told.set(line, true);
  }
  const next = new Set(proposed);
  for (const { made, took } of out)
    for (const lines of [made, took])
      for (const line of lines) {
        if (told.get(line) ?? base.has(line)) next.add(line);
        else next.delete(line);
      }
  return next;
}
