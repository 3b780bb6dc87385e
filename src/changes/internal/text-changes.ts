// What is done to a proposal: a call or a person writes, a person decides. Each step makes the next two texts; what has
// become of a hunk is then one question: in which of the two are its lines? Pure.
import { lineEdits } from "../../patch/edits.ts";
import type { FileChange, LineEdit } from "../../patch/model.ts";
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
  type HunkPart,
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

/** The status of a part that is no longer pending. */
type Leaving = (part: HunkPart) => HunkStatus;

export const always =
  (status: HunkStatus): Leaving =>
  () =>
    status;

/** The proposal with the lines of all its hunks known. */
export const whole = (proposal: Proposal): Proposal & { readonly lines: SharedLines } => ({
  ...proposal,
  lines: linesOfProposal(proposal),
});

// Which parts of hunks wait, and where.

/** Tells which parts are in these places: also one of which only something is missing there. */
function isPartOf(runs: readonly Run[]): (part: HunkPart) => boolean {
  const written = new Set(runs.flatMap(({ made }) => made));
  const removed = new Set(runs.flatMap(({ took, gone }) => [...took, ...gone]));
  return ({ made, took }) =>
    some(made, (line) => written.has(line)) || some(took, (line) => removed.has(line));
}

/** Tells in which places these parts are. */
export function placesOf(parts: readonly HunkPart[]): (run: Run) => boolean {
  const written = new Set(parts.flatMap(({ made }) => [...made]));
  const removed = new Set(parts.flatMap(({ took }) => [...took]));
  return ({ made, took, gone }) =>
    made.some((line) => written.has(line)) || [...took, ...gone].some((line) => removed.has(line));
}

/** The pending parts of hunks. */
export const pendingParts = ({ lines }: Pick<Proposal, "lines">): readonly HunkPart[] =>
  (lines?.parts ?? []).filter(({ status }) => status === "pending");

/** Whether a call adds, deletes or renames the file. */
export const isFileChange = ({ before, after }: CallEdit): boolean => areOther(before, after);

const areOther = (one: Named, other: Named): boolean =>
  one === undefined || other === undefined ? one !== other : !isSameFile(one.file, other.file);

type Named = Pick<NonNullable<FileState>, "file"> | undefined;

/** For each line the parts that have written or removed it. */
export function partsBy(
  what: "made" | "took",
  parts: Iterable<HunkPart>,
): ReadonlyMap<Line, readonly HunkPart[]> {
  const found = new Map<Line, HunkPart[]>();
  for (const part of parts)
    for (const line of part[what]) {
      const known = found.get(line);
      if (known === undefined) found.set(line, [part]);
      else known.push(part);
    }
  return found;
}

/** For each removed line the last of these parts that has removed it, or written over the one that had. */
function removersIn(parts: readonly HunkPart[]): ReadonlyMap<Line, HunkPart> {
  const last = new Map<Line, HunkPart>();
  for (const part of parts)
    for (const line of part.took) {
      const known = last.get(line);
      if (known === undefined || known.share <= part.share) last.set(line, part);
    }
  return last;
}

export function some(lines: Iterable<Line>, is: (line: Line) => boolean): boolean {
  for (const line of lines) if (is(line)) return true;
  return false;
}

interface Settling {
  readonly leaving: Leaving;
  /** These parts are left out for good. */
  readonly out?: ReadonlySet<HunkPart>;
  /** What a call had written over may be proposed again. */
  readonly isBack?: boolean;
  /** Nothing of what is no longer pending can come back, nor of what that had replaced. */
  readonly isFinal?: boolean;
}

const none: ReadonlySet<HunkPart> = new Set();

/** The parts that are pending after a step. */
function stillPending(
  proposal: Proposal & { readonly lines: SharedLines },
  { out = none, isBack = false }: Settling,
): ReadonlySet<HunkPart> {
  const { lines, shares, base, proposed } = proposal;
  const pending = new Set<HunkPart>();
  const left: HunkPart[] = [];
  const isIn = (part: HunkPart) =>
    some(part.made, (line) => lines.proposed.has(line) && !lines.base.has(line));
  const seen = lines.parts.flatMap((part) =>
    out.has(part) ? [] : [{ part, isWaiting: part.status === "pending", isProposed: isIn(part) }],
  );
  // What is proposed again has removed again what it had written over.
  const removers = removersIn(
    seen.flatMap(({ part, isWaiting, isProposed }) => (isWaiting || isProposed ? [part] : [])),
  );
  for (const { part, isWaiting, isProposed } of seen) {
    const isRemoved = (line: Line) =>
      lines.base.has(line) &&
      !lines.proposed.has(line) &&
      (removers.get(line)?.share ?? part.share) <= part.share;
    // What wrote something is not back by what somebody else has removed, and is by what nobody else has.
    const isItsOwn = (line: Line) => isWaiting || part.made.size === 0 || !removers.has(line);
    const mayRemove = isWaiting || isBack;
    if (isProposed || (mayRemove && some(part.took, (line) => isRemoved(line) && isItsOwn(line))))
      pending.add(part);
    else if (isWaiting || isBack) left.push(part);
  }
  if (left.length === 0) return pending;
  const written = new Set([...pending].flatMap(({ made }) => [...made]));
  const isFileOpen = areOther(base, proposed);
  for (const part of left) {
    // A part that only removed lines of another pending one goes the way of that one.
    const isWithin =
      part.made.size === 0 && some(part.took, (line) => written.has(line) && !lines.base.has(line));
    const edit = shares[part.share];
    const isFile = isFileOpen && edit !== undefined && isFileChange(edit);
    const isLeft = isFile && part.status === "pending";
    if (isWithin || (isLeft && ![...pending].some(({ share }) => share === part.share))) pending.add(part);
  }
  return pending;
}

/** Whether a part has only removed lines that the other one had written. */
function removesOnlyOf({ took }: HunkPart, host: HunkPart): boolean {
  return !some(took, (line) => !host.made.has(line));
}

/** A hunk is decided, with all of its parts, when one of them is accepted or rejected and none is left pending. */
const canComeBack = (status: HunkStatus): status is HunkPart["status"] =>
  status === "pending" || status === "replaced" || status === "conflict";

/** What has become of several parts at once is for their hunk the first of these. */
const foremost = ["pending", "applied", "rejected", "undone", "conflict", "replaced"] as const;

/**
 * The proposal with the statuses that follow from its two texts. A hunk is pending as long as one of its parts is. A
 * deletion within a part goes the way of that.
 */
export function settled(
  proposal: Proposal & { readonly lines: SharedLines },
  settling: Settling,
): Proposal & { readonly lines: SharedLines } {
  const { leaving, out = none, isFinal = false } = settling;
  const pending = stillPending(proposal, settling);
  let makers: ReturnType<typeof partsBy> | undefined;
  const leavingIn = (part: HunkPart): HunkStatus => {
    const [first] = part.took;
    makers ??= partsBy("made", pendingParts(proposal));
    const hosts = first === undefined || part.made.size > 0 ? [] : (makers.get(first) ?? []);
    const host = hosts.find((each) => removesOnlyOf(part, each));
    return host === undefined ? leaving(part) : leavingIn(host);
  };
  /** By edit and hunk. */
  const become = new Map<number, Map<string, HunkStatus>>();
  const decided = new Set<Line>();
  const parts = proposal.lines.parts.flatMap((part): HunkPart[] => {
    const { share, id, status: before } = part;
    const left = before === "pending" && !pending.has(part) ? leavingIn(part) : before;
    const status = pending.has(part) ? "pending" : left;
    if (before === "pending" || status === "pending") {
      const own = become.get(share) ?? new Map<string, HunkStatus>();
      const known = own.get(id) ?? status;
      become.set(share, own.set(id, foremost.find((each) => each === known || each === status) ?? status));
    }
    if (out.has(part)) return [];
    if (status === before) return [part];
    if (isFinal && before === "pending") {
      for (const lines of [part.made, part.took]) for (const line of lines) decided.add(line);
      return [];
    }
    return canComeBack(status) ? [{ ...part, status }] : [];
  });
  /** What a hunk is now, if a part of it was pending or is. */
  const statusOf = (share: number, id: string): HunkStatus | undefined => {
    const status = become.get(share)?.get(id);
    const isDecided = status !== undefined && status !== "pending";
    return isDecided && isInFile(proposal, share, id) ? "applied" : status;
  };
  const shares = proposal.shares.map((share, at) => {
    const hunks = share.hunks.map((hunk) => ({ ...hunk, status: statusOf(at, hunk.id) ?? hunk.status }));
    return hunks.some(({ status }, hunk) => status !== share.hunks[hunk]?.status)
      ? { ...share, hunks }
      : share;
  });
  const left = parts.filter(({ share, id, status }) => canComeBack(become.get(share)?.get(id) ?? status));
  return { ...proposal, shares, lines: pruned({ ...proposal.lines, parts: left }, decided) };
}

/** Nothing of it is left to decide. */
function settledAll(proposal: Proposal, state: FileState, leaving: Leaving): Proposal {
  const { lines, shares } = whole(proposal);
  const texts = { lines, base: state, proposed: state };
  const empty = { ...lines, proposed: lines.base };
  const { shares: left } = settled({ ...proposal, shares, ...texts, lines: empty }, { leaving });
  return closed(
    { ...proposal, shares: withoutPending({ ...proposal, shares: left }, () => "replaced") },
    state,
  );
}

// Writing.

/**
 * The proposal on the file as it is now. What the file and the proposal have both changed is given up: its parts get the
 * status `lost`. What somebody has typed into the file themselves is theirs.
 */
export function takenOver(proposal: Proposal, view: TextView, lost: HunkStatus = "conflict"): Proposal {
  const { base, proposed } = proposal;
  if (base === undefined || proposed === undefined || base.text === view.live) return proposal;
  const { lines, aside } = mergedOn(proposal, view.live);
  const texts = { base: { ...base, text: view.live }, proposed: { ...proposed, text: view.shown } };
  const isLost = isPartOf(aside);
  const leaving = (part: HunkPart) => (isLost(part) ? lost : "replaced");
  return settled({ ...proposal, ...texts, lines }, { leaving, isFinal: true });
}

/** A call has made the next text of it by a change, which leads to `after`. */
export function proposedOn(
  proposal: Proposal,
  { change, after }: { readonly change: FileChange; readonly after: FileState },
  edit: CallEdit,
): Proposal {
  const { lines: before, shares } = whole(proposal);
  const edits = editsTo(proposal.proposed, change, after);
  const { lines, done, isOther } = rewrite(before, edits, after?.text ?? "");
  const share = shares.length;
  const makers = partsBy("made", before.parts);
  const ids = edit.hunks.map(({ id }) => id);
  const own: HunkPart[] = [];
  const enter = (id: string, made: Iterable<Line>, took: Iterable<Line>) =>
    own.push({ share, id, status: "pending", made: new Set(made), took: new Set(took) });
  for (const { edit: at, made, took, missing, returned } of done) {
    const numbers = "edits" in change ? (change.edits[at]?.hunks ?? []) : [];
    // Where its edits are others here, nobody can tell its hunks apart.
    const named = isOther ? ids : numbers.flatMap((number) => ids[number] ?? []);
    // Whoever writes over a part also removes what that one has removed, and had written over itself.
    const over = [...new Set(took.flatMap((line) => makers.get(line) ?? []))];
    const lost = over.filter((part) => !some(part.made, (line) => lines.proposed.has(line)));
    const inherited = [
      ...missing.filter((line) => over.some((part) => part.took.has(line))),
      ...lost.flatMap((part) => [...part.took].filter((line) => isGone(line, lines))),
    ];
    for (const id of named.length > 0 ? named : ids.slice(0, 1))
      enter(id, [...made, ...returned], [...took, ...inherited]);
  }
  const known = new Set(own.map(({ id }) => id));
  for (const id of ids) if (!known.has(id)) enter(id, [], []);
  const { edited: _, ...rest } = proposal;
  const next = { ...rest, proposed: after, shares: [...shares, edit] };
  return settled(
    { ...next, lines: { ...lines, parts: [...lines.parts, ...own] } },
    { leaving: always("replaced") },
  );
}

const isGone = (line: Line, { base, proposed }: SharedLines): boolean =>
  !base.has(line) && !proposed.has(line);

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
  const pending = pendingParts(known);
  const parts = new Map(lines.parts.map((part) => [part, part]));
  const persons: HunkPart[] = [];
  for (const rewriting of done) {
    const { made, took } = rewriting;
    if (made.length + took.length === 0) continue;
    const hosts = pending.filter((part) => took.some((line) => part.made.has(line)));
    const next = hosts.map((host) => rewritten(parts.get(host) ?? host, rewriting, lines));
    const isLeft = (part: HunkPart, host: HunkPart | undefined) =>
      part.made.size === 0
        ? host !== undefined && host.took.size > 0
        : some(part.made, (line) => lines.proposed.has(line));
    // If they removed all that is left of a part, what it had removed is their change now.
    const over = next.filter((part, at) => !isLeft(part, hosts[at]));
    const removed = new Set([
      ...took.filter((line) => lines.base.has(line)),
      ...over.flatMap((part) => [...part.took]),
    ]);
    for (const [at, host] of hosts.entries()) {
      const part = next[at] ?? host;
      const out = over.includes(part) ? new Set<Line>() : new Set([...part.took, ...removed]);
      parts.set(host, { ...part, took: out });
    }
    if (hosts.length > over.length || made.length + removed.size === 0) continue;
    const isBeside = isPartOf(places.filter((run) => isAt(rewriting, run)));
    const share = pending.findLast(isBeside)?.share ?? known.shares.length - 1;
    const id = freeId(known, persons.length);
    persons.push({ share, id, status: "pending", made: new Set(made), took: removed });
  }
  const edited = new Set([...parts].flatMap(([before, after]) => (before === after ? [] : [after.share])));
  const shares = known.shares.map((each, at): CallEdit => {
    const own = persons.filter(({ share }) => share === at);
    if (own.length === 0 && !edited.has(at)) return each;
    const news = own.map(({ id }) => ({ id, status: "pending" as const }));
    return { ...each, hunks: [...each.hunks, ...news], edited: true };
  });
  const next = { ...lines, parts: [...parts.values(), ...persons] };
  const texts = { shares, proposed: { ...proposed, text }, lines: next };
  return settled({ ...known, ...texts }, { leaving: always("replaced") });
}

const isAt = ({ made, took }: Rewriting, run: Run): boolean =>
  made.some((line) => run.made.includes(line)) ||
  took.some((line) => run.took.includes(line) || run.gone.includes(line));

/** A part with what a person has written in its place. */
function rewritten(part: HunkPart, { made, took }: Rewriting, { base }: SharedLines): HunkPart {
  const written = new Set([...part.made, ...made]);
  for (const line of took) written.delete(line);
  return { ...part, made: written, took: new Set([...part.took, ...took.filter((line) => base.has(line))]) };
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
  return settled({ ...known, ...next, lines }, { leaving, isFinal: true });
}

/** What has a part in these places gets this status; the rest is what the file had come to say itself. */
function inPlaces({ shares }: Proposal, runs: readonly Run[], status: HunkStatus): Leaving {
  const isIn = isPartOf(runs);
  return (part) => {
    const edit = shares[part.share];
    return isIn(part) || (edit !== undefined && isFileChange(edit)) ? status : "replaced";
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
  return settled({ ...known, proposed: { ...proposed, text }, lines }, { leaving, isFinal: true });
}

/** Nothing of it is wanted. */
export const withoutAll = (proposal: Proposal): Proposal =>
  closed({ ...proposal, shares: withoutPending(proposal, () => "rejected") }, proposal.base);

/** The proposal as it is stored: once nothing is left to decide, its lines are not needed. */
export function finished(proposal: Proposal): Proposal {
  if (isOpen(proposal)) return proposal;
  return closed({ ...proposal, shares: withoutPending(proposal, () => "replaced") }, proposal.base);
}
