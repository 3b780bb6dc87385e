// Rejecting a call: its pending hunks go, those of later calls that were built on them become conflicted, and what it had
// written over is pending again. Pure.
import { closed, isPending, type Proposal, withoutPending } from "../proposal.ts";
import { type HunkLines, type Line, type SharedLines, spell } from "./shared-lines.ts";
import { always, isFileChange, pendingLines, settled, some, statusIn, whole } from "./text-changes.ts";

/** Whether anything of a call is pending in this proposal. */
const hasPending = ({ shares }: Proposal, call: string): boolean =>
  shares.some((share) => share.call === call && share.hunks.some(isPending));

/** Whether a call has a hunk in this proposal that is pending, or could be again. */
export const canRejectCall = (proposal: Proposal, call: string): boolean =>
  hasPending(proposal, call) ||
  (proposal.lines?.hunks ?? []).some(({ share }) => proposal.shares[share]?.call === call);

/**
 * Without all pending hunks of a call. Hunks of later calls that wrote over its lines, between or next to them, become
 * conflicted.
 */
export function withoutCall(proposal: Proposal, call: string): Proposal {
  const { shares, base, proposed } = proposal;
  const isOf = ({ share }: HunkLines) => shares[share]?.call === call;
  const known = withoutOverwritten(whole(proposal), isOf);
  const pending = pendingLines(known);
  const own = new Set(pending.filter(isOf));
  // All of it was written over: it only cannot come back.
  if (!hasPending(proposal, call)) return settled(known, always("replaced"));
  const isFile = [...own].some(({ share }) => shares.some((each, at) => at === share && isFileChange(each)));
  const isAll = own.size === pending.length && !bringsBack(own, known);
  if (isFile || isAll || proposed === undefined) {
    // If the call added, moved or deleted the file, everything else proposed for it depends on that.
    const left = withoutPending(proposal, (each) => (each.call === call ? "rejected" : "conflict"));
    return closed({ ...proposal, shares: left }, base);
  }
  const out = withBuiltOn(own, pending, known.lines);
  const hunks = known.lines.hunks.filter((hunk) => !out.has(hunk));
  const lines = { ...known.lines, hunks, proposed: withoutHunks(out, pending, known.lines) };
  const decided = settled(
    { ...known, lines: { ...known.lines, proposed: known.lines.base, hunks: [...out] } },
    (hunk) => (own.has(hunk) ? "rejected" : "conflict"),
  );
  const text = spell(lines.all, lines.proposed);
  return settled(
    { ...known, shares: decided.shares, proposed: { ...proposed, text }, lines },
    always("replaced"),
    true,
  );
}

/**
 * Without those of these hunks that are no longer pending: they cannot come back. Whoever later wrote over one has
 * removed what it had removed there.
 */
function withoutOverwritten(
  proposal: ReturnType<typeof whole>,
  isOf: (hunk: HunkLines) => boolean,
): ReturnType<typeof whole> {
  const { lines } = proposal;
  const lost = new Set(lines.hunks.filter((hunk) => isOf(hunk) && statusIn(proposal, hunk) !== "pending"));
  if (lost.size === 0) return proposal;
  const below = [...new Set([...lost].map(({ share }) => share))].map((share) => {
    const own = [...lost].filter((hunk) => hunk.share === share);
    return { share, removed: removedWith(share, own, lines) };
  });
  const left = lines.hunks.filter((hunk) => !lost.has(hunk));
  const hunks = left.map((hunk) => {
    const earlier = below.filter(({ share }) => share < hunk.share);
    const took = new Set(hunk.took);
    const places = new Set<ReadonlySet<Line>>();
    // The loop also visits the lines that are added while it runs; lines of one place have the same set.
    for (const line of took)
      for (const { removed } of earlier) {
        const place = removed.get(line);
        if (place === undefined || places.has(place)) continue;
        places.add(place);
        for (const each of place) if (!hunk.made.has(each)) took.add(each);
      }
    return took.size === hunk.took.size ? hunk : { ...hunk, took };
  });
  return { ...proposal, lines: { ...lines, hunks } };
}

/**
 * For each line that these hunks of an edit have made, the lines that they have removed in the same place. Also one hunk
 * may have changed several: between them is a line that the edit found and left.
 */
function removedWith(
  share: number,
  own: readonly HunkLines[],
  { all, base, hunks }: SharedLines,
): ReadonlyMap<Line, ReadonlySet<Line>> {
  const found = new Map<Line, { readonly share: number; readonly isThere: boolean }>();
  for (const hunk of hunks) {
    if (hunk.share >= share) continue;
    const note = (line: Line, isThere: boolean) => {
      if ((found.get(line)?.share ?? 0) <= hunk.share) found.set(line, { share: hunk.share, isThere });
    };
    for (const line of hunk.took) note(line, false);
    for (const line of hunk.made) note(line, true);
  }
  const made = new Set(own.flatMap((hunk) => [...hunk.made]));
  const took = new Set(own.flatMap((hunk) => [...hunk.took]));
  const removed = new Map<Line, ReadonlySet<Line>>();
  let place = new Set<Line>();
  for (const line of all) {
    if (took.has(line)) place.add(line);
    if (made.has(line)) removed.set(line, place);
    else if (!took.has(line) && (found.get(line)?.isThere ?? base.has(line))) place = new Set();
  }
  return removed;
}

/** Whether without these hunks another one is pending again, since they have written over it. */
function bringsBack(own: ReadonlySet<HunkLines>, proposal: ReturnType<typeof whole>): boolean {
  const removed = new Set([...own].flatMap(({ took }) => [...took]));
  return proposal.lines.hunks.some(
    (hunk) => statusIn(proposal, hunk) === "replaced" && some(hunk.made, (line) => removed.has(line)),
  );
}

/** With the pending hunks of later calls that wrote over lines of these, between them or next to them. */
function withBuiltOn(
  own: ReadonlySet<HunkLines>,
  pending: readonly HunkLines[],
  { all, proposed }: SharedLines,
): ReadonlySet<HunkLines> {
  const places = new Map(all.map((line, at) => [line, at]));
  const [makers, removers] = [new Map<Line, HunkLines[]>(), new Map<Line, HunkLines[]>()];
  for (const hunk of pending) {
    for (const line of hunk.made) makers.set(line, [...(makers.get(line) ?? []), hunk]);
    for (const line of hunk.took) removers.set(line, [...(removers.get(line) ?? []), hunk]);
  }
  const out = new Set(own);
  // The loop also visits the hunks that are added while it runs.
  for (const hunk of out) {
    const isIts = (line: Line) => hunk.made.has(line) || hunk.took.has(line);
    const isLater = ({ share }: HunkLines) => share > hunk.share;
    const take = (found: readonly HunkLines[] = []) => {
      for (const other of found) if (isLater(other)) out.add(other);
    };
    for (const line of hunk.made) take(removers.get(line));
    for (const line of [...hunk.made, ...hunk.took])
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

/** The proposed lines without these hunks, and with what they had removed, as far as nobody else has removed it. */
function withoutHunks(
  out: ReadonlySet<HunkLines>,
  pending: readonly HunkLines[],
  { base, proposed, hunks }: SharedLines,
): ReadonlySet<Line> {
  const stay = pending.filter((hunk) => !out.has(hunk));
  const next = new Set(proposed);
  const kept = new Set(stay.flatMap(({ made }) => [...made]));
  const others = hunks.filter((hunk) => !out.has(hunk));
  // A line that they brought back stays if whoever had removed it is rejected as well.
  const gone = new Set(others.flatMap(({ took }) => [...took]));
  for (const { made } of out)
    for (const line of made) if (!kept.has(line) && (!base.has(line) || gone.has(line))) next.delete(line);
  const removed = [...out].flatMap(({ took }) => [...took]);
  // Hunks that these had written over are proposed again: what they have removed stays removed.
  const written = new Set(others.flatMap(({ made }) => [...made]));
  const back = others.filter(({ made }) => removed.some((line) => made.has(line)));
  const missing = new Set([...stay, ...back].flatMap(({ took }) => [...took]));
  for (const line of removed) if (!missing.has(line) && (base.has(line) || written.has(line))) next.add(line);
  return next;
}
