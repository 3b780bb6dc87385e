// What is done to a proposal: a call or a person writes, a person decides. Each step makes the next two texts; what has
// become of a hunk is then one question: in which of the two are its lines? Pure.
import { lineEdits } from "../../patch/edits.ts";
import type { FileChange, LineEdit } from "../../patch/model.ts";
import { present } from "../../util/present.ts";
import {
  type CallEdit,
  closed,
  type FileState,
  type HunkStatus,
  isByPerson,
  isInFile,
  isOpen,
  isSameFile,
  linesOfProposal,
  mergedOn,
  type Proposal,
  type ProposalView,
  personHunkId,
  stateAfter,
  withoutPending,
} from "../proposal.ts";
import {
  type HunkLines,
  type Line,
  proposedRuns,
  pruned,
  type Rewriting,
  type Run,
  rewrite,
  type SharedLines,
  spell,
  withRuns,
} from "./shared-lines.ts";

type TextView = ProposalView & { readonly kind: "text" };

/** The status of a hunk that is no longer pending. */
type Leaving = (hunk: HunkLines) => HunkStatus;

export const always =
  (status: HunkStatus): Leaving =>
  () =>
    status;

/** The proposal with the lines of all its hunks known. */
export const whole = (proposal: Proposal): Proposal & { readonly lines: SharedLines } => ({
  ...proposal,
  lines: linesOfProposal(proposal),
});

// Which hunks wait, and where.

/** Tells which hunks have a part in these places: a hunk also has one where only something is missing for it. */
function partIn(runs: readonly Run[]): (hunk: HunkLines) => boolean {
  const written = new Set(runs.flatMap(({ made }) => made));
  const removed = new Set(runs.flatMap(({ took, gone }) => [...took, ...gone]));
  return ({ made, took }) =>
    some(made, (line) => written.has(line)) || some(took, (line) => removed.has(line));
}

/** Tells in which places these hunks have a part. */
export function placesOf(hunks: readonly HunkLines[]): (run: Run) => boolean {
  const written = new Set(hunks.flatMap(({ made }) => [...made]));
  const removed = new Set(hunks.flatMap(({ took }) => [...took]));
  return ({ made, took, gone }) =>
    made.some((line) => written.has(line)) || [...took, ...gone].some((line) => removed.has(line));
}

const statuses = new WeakMap<CallEdit, ReadonlyMap<string, HunkStatus>>();

export function statusIn({ shares }: Proposal, { share, id }: HunkLines): HunkStatus | undefined {
  const edit = shares[share];
  if (edit === undefined) return undefined;
  const known = statuses.get(edit) ?? new Map(edit.hunks.map((hunk) => [hunk.id, hunk.status]));
  statuses.set(edit, known);
  return known.get(id);
}

/** The pending hunks of a proposal, with their lines. */
export const pendingLines = (proposal: Proposal): readonly HunkLines[] =>
  (proposal.lines?.hunks ?? []).filter((hunk) => statusIn(proposal, hunk) === "pending");

/** Whether a call adds, deletes or renames the file. */
export const isFileChange = ({ before, after }: CallEdit): boolean => areOther(before, after);

const areOther = (one: Named, other: Named): boolean =>
  one === undefined || other === undefined ? one !== other : !isSameFile(one.file, other.file);

type Named = Pick<NonNullable<FileState>, "file"> | undefined;

/** For each removed line the last of these hunks that has removed it, or written over the one that had. */
function removersIn(hunks: readonly HunkLines[]): ReadonlyMap<Line, HunkLines> {
  const last = new Map<Line, HunkLines>();
  for (const hunk of hunks)
    for (const line of hunk.took) {
      const known = last.get(line);
      if (known === undefined || known.share <= hunk.share) last.set(line, hunk);
    }
  return last;
}

export function some(lines: Iterable<Line>, is: (line: Line) => boolean): boolean {
  for (const line of lines) if (is(line)) return true;
  return false;
}

/** The hunks that are pending after a step. `isBack`: what a call had written over may be proposed again. */
function stillPending(
  proposal: Proposal & { readonly lines: SharedLines },
  isBack: boolean,
): ReadonlySet<HunkLines> {
  const { lines, shares, base, proposed } = proposal;
  const pending = new Set<HunkLines>();
  const left: HunkLines[] = [];
  const isIn = (hunk: HunkLines) =>
    some(hunk.made, (line) => lines.proposed.has(line) && !lines.base.has(line));
  const seen = lines.hunks.map((hunk) => {
    return { hunk, isWaiting: statusIn(proposal, hunk) === "pending", isProposed: isIn(hunk) };
  });
  // What is proposed again has removed again what it had written over.
  const removers = removersIn(
    seen.flatMap(({ hunk, isWaiting, isProposed }) => (isWaiting || isProposed ? [hunk] : [])),
  );
  for (const { hunk, isWaiting, isProposed } of seen) {
    const isRemoved = (line: Line) =>
      lines.base.has(line) &&
      !lines.proposed.has(line) &&
      (removers.get(line)?.share ?? hunk.share) <= hunk.share;
    if (isProposed || ((isWaiting || isBack) && some(hunk.took, isRemoved))) pending.add(hunk);
    else if (isWaiting) left.push(hunk);
  }
  if (left.length === 0) return pending;
  const written = new Set([...pending].flatMap(({ made }) => [...made]));
  const isFileOpen = areOther(base, proposed);
  for (const hunk of left) {
    // A hunk that only removed lines of another pending one goes the way of that one.
    const isWithin =
      hunk.made.size === 0 && some(hunk.took, (line) => written.has(line) && !lines.base.has(line));
    const edit = shares[hunk.share];
    const isFile = isFileOpen && edit !== undefined && isFileChange(edit);
    if (isWithin || (isFile && ![...pending].some(({ share }) => share === hunk.share))) pending.add(hunk);
  }
  return pending;
}

/** Whether a hunk has only removed lines that the other one had written. */
function removesOnlyOf({ took }: HunkLines, host: HunkLines): boolean {
  return took.size > 0 && ![...took].some((line) => !host.made.has(line));
}

/** The proposal with the statuses that follow from its two texts. A deletion within a hunk goes the way of that. */
export function settled(
  proposal: Proposal & { readonly lines: SharedLines },
  leaving: Leaving,
  isBack = false,
): Proposal {
  const pending = stillPending(proposal, isBack);
  const hosts = proposal.lines.hunks.filter((hunk) => statusIn(proposal, hunk) === "pending");
  const leavingIn = (hunk: HunkLines): HunkStatus => {
    if (isInFile(proposal, hunk.share, hunk.id)) return "applied";
    const host = hunk.made.size === 0 ? hosts.find((each) => removesOnlyOf(hunk, each)) : undefined;
    return host === undefined ? leaving(hunk) : leavingIn(host);
  };
  const next = new Map<number, Map<string, HunkStatus>>();
  const hunks = proposal.lines.hunks.filter((hunk) => {
    const before = statusIn(proposal, hunk);
    const left = before === "pending" ? leavingIn(hunk) : before;
    const status = pending.has(hunk) ? "pending" : left;
    if (status !== undefined && status !== before) {
      const own = next.get(hunk.share) ?? new Map<string, HunkStatus>();
      next.set(hunk.share, own.set(hunk.id, status));
    }
    return status === "pending" || status === "replaced" || status === "conflict";
  });
  const shares = proposal.shares.map((share, at) => {
    const own = next.get(at);
    if (own === undefined) return share;
    const hunks = share.hunks.map((hunk) => ({ ...hunk, status: own.get(hunk.id) ?? hunk.status }));
    return { ...share, hunks };
  });
  return { ...proposal, shares, lines: pruned({ ...proposal.lines, hunks }) };
}

/** Nothing of it is left to decide. */
function settledAll(proposal: Proposal, state: FileState, leaving: Leaving): Proposal {
  const { lines, shares } = whole(proposal);
  const texts = { lines, base: state, proposed: state };
  const none = { ...lines, base: lines.base, proposed: lines.base };
  const { shares: left } = settled({ ...proposal, shares, ...texts, lines: none }, leaving);
  return closed(
    { ...proposal, shares: withoutPending({ ...proposal, shares: left }, () => "replaced") },
    state,
  );
}

// Writing.

/**
 * The proposal on the file as it is now. What the file and the proposal have both changed is given up: its hunks get the
 * status `lost`. What somebody has typed into the file themselves is theirs.
 */
export function takenOver(proposal: Proposal, view: TextView, lost: HunkStatus = "conflict"): Proposal {
  const { base, proposed } = proposal;
  if (base === undefined || proposed === undefined || base.text === view.live) return proposal;
  const { lines, aside } = mergedOn(proposal, view.live);
  const texts = { base: { ...base, text: view.live }, proposed: { ...proposed, text: view.shown } };
  const isLost = partIn(aside);
  return settled({ ...proposal, ...texts, lines }, (hunk) => (isLost(hunk) ? lost : "replaced"));
}

/** A call has made the next text of it. */
export function proposedOn(proposal: Proposal, change: FileChange, edit: CallEdit): Proposal {
  const after = stateAfter(change);
  const { lines: before, shares } = whole(proposal);
  const edits = editsTo(proposal.proposed, change, after);
  const { lines, done, isOther } = rewrite(before, edits, after?.text ?? "");
  const share = shares.length;
  const makers = new Map(
    pendingLines(proposal).flatMap((hunk) => [...hunk.made].map((line) => [line, hunk] as const)),
  );
  const own = edit.hunks.map(({ id }) => ({ share, id, made: new Set<Line>(), took: new Set<Line>() }));
  const [first] = own;
  for (const [at, { made, took, missing, returned }] of done.entries()) {
    const numbers = "edits" in change ? (change.edits[at]?.hunks ?? []) : [];
    // Where its edits are others here, nobody can tell its hunks apart.
    const named = isOther ? own : numbers.flatMap((number) => own[number] ?? []);
    // Whoever writes over a pending hunk also removes what that one has removed in this place.
    const over = new Set(took.flatMap((line) => makers.get(line) ?? []));
    const inherited = missing.filter((line) => [...over].some((hunk) => hunk.took.has(line)));
    for (const hunk of named.length > 0 || first === undefined ? named : [first]) {
      for (const line of [...made, ...returned]) hunk.made.add(line);
      for (const line of [...took, ...inherited]) hunk.took.add(line);
    }
  }
  const { edited: _, ...rest } = proposal;
  const next = { ...rest, proposed: after, shares: [...shares, edit] };
  return settled({ ...next, lines: { ...lines, hunks: [...lines.hunks, ...own] } }, always("replaced"));
}

/** The edits of a change to the text that was proposed before. */
function editsTo(before: FileState, change: FileChange, after: FileState): readonly LineEdit[] {
  const text = before?.text ?? "";
  if ("edits" in change && change.base.text === text) return change.edits;
  return lineEdits(text, after?.text ?? "");
}

/**
 * A person has turned the proposed text into this one by these edits. What they wrote in the place of a hunk's lines is
 * part of that hunk. Anything else is a change of its own: beside a hunk it goes with the call of that, otherwise the row
 * of the last call shows it.
 */
export function editedBy(proposal: Proposal, text: string, edits: readonly LineEdit[]): Proposal {
  const { proposed } = proposal;
  if (proposed === undefined) return proposal;
  const known = whole(proposal);
  const { lines, done } = rewrite(known.lines, edits, text);
  const places = proposedRuns(lines).runs;
  const pending = pendingLines(known);
  const hunks = new Map(lines.hunks.map((hunk) => [hunk, hunk]));
  const persons: HunkLines[] = [];
  for (const rewriting of done) {
    const { made, took } = rewriting;
    if (made.length + took.length === 0) continue;
    const hosts = pending.filter((hunk) => took.some((line) => hunk.made.has(line)));
    const next = hosts.map((host) => rewritten(hunks.get(host) ?? host, rewriting, lines));
    const isLeft = (hunk: HunkLines, host: HunkLines | undefined) =>
      hunk.made.size === 0
        ? host !== undefined && host.took.size > 0
        : some(hunk.made, (line) => lines.proposed.has(line));
    // If they removed all that is left of a hunk, what it had removed is their change now.
    const over = next.filter((hunk, at) => !isLeft(hunk, hosts[at]));
    const removed = new Set([
      ...took.filter((line) => lines.base.has(line)),
      ...over.flatMap((hunk) => [...hunk.took]),
    ]);
    for (const [at, host] of hosts.entries()) {
      const hunk = next[at] ?? host;
      const out = over.includes(hunk) ? new Set<Line>() : new Set([...hunk.took, ...removed]);
      hunks.set(host, { ...hunk, took: out });
    }
    if (hosts.length > over.length || made.length + removed.size === 0) continue;
    const isBeside = partIn(places.filter((run) => isAt(rewriting, run)));
    const share = pending.findLast(isBeside)?.share ?? known.shares.length - 1;
    persons.push({ share, id: freeId(known, persons.length), made: new Set(made), took: removed });
  }
  const edited = new Set([...hunks].flatMap(([before, after]) => (before === after ? [] : [after.share])));
  const shares = known.shares.map((each, at): CallEdit => {
    const own = persons.filter(({ share }) => share === at);
    if (own.length === 0 && !edited.has(at)) return each;
    const news = own.map(({ id }) => ({ id, status: "pending" as const }));
    return { ...each, hunks: [...each.hunks, ...news], edited: true };
  });
  const next = { ...lines, hunks: [...hunks.values(), ...persons] };
  return settled({ ...known, shares, proposed: { ...proposed, text }, lines: next }, always("replaced"));
}

const isAt = ({ made, took }: Rewriting, run: Run): boolean =>
  made.some((line) => run.made.includes(line)) ||
  took.some((line) => run.took.includes(line) || run.gone.includes(line));

/** A hunk with what a person has written in its place. */
function rewritten(hunk: HunkLines, { made, took }: Rewriting, { base }: SharedLines): HunkLines {
  const written = new Set([...hunk.made, ...made]);
  for (const line of took) written.delete(line);
  return { ...hunk, made: written, took: new Set([...hunk.took, ...took.filter((line) => base.has(line))]) };
}

function freeId({ id, shares }: Proposal, number: number): string {
  const taken = shares.flatMap(({ hunks }) => hunks).filter((hunk) => isByPerson(hunk.id));
  return personHunkId(id, taken.length + number);
}

// Deciding.

/** What was accepted of it is in the file now, in the state after the change. */
export function acceptedIn(
  proposal: Proposal,
  view: ProposalView,
  change: FileChange,
  isChosen: (hunk: number) => boolean,
): Proposal {
  const { base, proposed } = proposal;
  const after = stateAfter(change);
  if (view.kind !== "text" || after === undefined || base === undefined || proposed === undefined)
    return settledAll(proposal, after, always("applied"));
  const runs = view.runs.filter((_, hunk) => isChosen(hunk));
  const leaving = inPlaces(proposal, runs, "applied");
  if (after.text === view.shown && view.conflicts.length === 0) return settledAll(proposal, after, leaving);
  const known = whole(proposal);
  const lines = { ...known.lines, base: withRuns(known.lines.base, runs, "made") };
  const text = spell(lines.all, lines.base);
  const next = { base: { file: after.file, text }, proposed: { ...proposed, file: after.file } };
  return settled({ ...known, ...next, lines }, leaving);
}

/** What has a part in these places gets this status; the rest is what the file had come to say itself. */
function inPlaces({ shares }: Proposal, runs: readonly Run[], status: HunkStatus): Leaving {
  const isIn = partIn(runs);
  return (hunk) => {
    const edit = shares[hunk.share];
    return isIn(hunk) || (edit !== undefined && isFileChange(edit)) ? status : "replaced";
  };
}

/** Without these hunks of the view, or without all of them. */
export function rejectedIn(
  proposal: Proposal,
  view: ProposalView,
  isWhole: boolean,
  isOut: (hunk: number) => boolean,
): Proposal {
  const { base, proposed } = proposal;
  if (view.kind !== "text" || base === undefined || proposed === undefined)
    return settledAll(proposal, base, always("rejected"));
  const runs = view.runs.filter((_, hunk) => isOut(hunk));
  const leaving = inPlaces(proposal, [...runs, ...(isWhole ? view.aside : [])], "rejected");
  if (isWhole && (view.isMove || view.conflicts.length === 0)) return settledAll(proposal, base, leaving);
  const known = whole(proposal);
  const lines = { ...known.lines, proposed: withRuns(known.lines.proposed, runs, "took") };
  const text = spell(lines.all, lines.proposed);
  return settled({ ...known, proposed: { ...proposed, text }, lines }, leaving);
}

/** Nothing of it is wanted. */
export const withoutAll = (proposal: Proposal): Proposal =>
  closed({ ...proposal, shares: withoutPending(proposal, () => "rejected") }, proposal.base);

/** The proposal as it is stored: once nothing is left to decide, its lines are not needed. */
export function finished(proposal: Proposal): Proposal {
  if (isOpen(proposal)) return proposal;
  const { lines: _, ...rest } = proposal;
  return present({ ...rest, shares: withoutPending(proposal, () => "replaced") });
}
