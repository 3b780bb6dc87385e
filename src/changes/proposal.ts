// What a session proposes for one file: the base text, the proposed text, and what each call of the model contributed.
// Views – hunks, conflicts, what a tool reads – are always derived from this stored data and the current file, so
// typing and undoing it leaves no trace. Pure.

import { hash } from "node:crypto";
import type { Message } from "../conversation/messages.ts";
import {
  type Conflict,
  differingRange,
  diffLines,
  isUnambiguous,
  type LineChange,
  linesOf,
  merge3,
  rebaseEdits,
} from "../patch/diff-and-merge.ts";
import { applyEdits, comparing, lineEdits, mergingTexts, nameAfter } from "../patch/edits.ts";
import type { FileChange, FileName, LineEdit, LineRange } from "../patch/model.ts";
import { runTask } from "../util/background.ts";

export interface TextFile {
  readonly file: FileName;
  readonly text: string;
}

/** `undefined`: there is no file. */
export type FileState = TextFile | undefined;

/**
 * The status of a change that a call made. `conflict`: it could not be merged with the file or another decision;
 * `replaced`: a later call has written something else in its place.
 */
export type HunkStatus = "pending" | "applied" | "rejected" | "undone" | "conflict" | "replaced";

/** One change of a call, with its id in the row of the call. */
export interface CallHunk {
  readonly id: string;
  /** Its lines in the text after the call; absent for the file as a whole. */
  readonly at?: LineRange | undefined;
  readonly fate: HunkStatus;
  /** A later call overwrote it before it was decided: that call's `before` text contains it, but the file never did. */
  readonly overwritten?: boolean | undefined;
}

/**
 * Prefix for the ids of hunks a person has written beside a call's own changes. No path begins with it, and no row
 * contains such ids before they were accepted.
 */
const byPerson = "/by-person/";
export const personHunkId = (proposal: string, number: number): string => `${byPerson}${proposal}.${number}`;
export const isByPerson = (hunk: string): boolean => hunk.startsWith(byPerson);

/** A reference to a stored text, which keeps the change set itself small. */
export interface KeptState {
  readonly file: FileName;
  readonly text: string;
}

export interface CallEdit {
  readonly call: string;
  readonly turn: string;
  readonly before?: KeptState | undefined;
  readonly after?: KeptState | undefined;
  readonly hunks: readonly CallHunk[];
  /** The confirmations the change required. They are not asked for again when it is undone. */
  readonly reasons: readonly Message[];
  /** Nobody had named, attached or read the file when it was proposed. */
  readonly outside?: boolean | undefined;
  /** The model that made it, and the receipt the service signed for its request. */
  readonly model?: string | undefined;
  readonly receipt?: string | undefined;
  readonly acceptance?: Acceptance | undefined;
  /** A person has edited its proposed text. */
  readonly edited?: boolean | undefined;
}

/** A change as it was written to a file: its edits, by the hunks that made them. */
export interface WrittenChange {
  readonly change: FileChange;
  readonly hunks: readonly { readonly id: string; readonly edits: readonly number[] }[];
}

/** When part of it was last accepted, and what the person's checks reported about the proposal at that time. */
export interface Acceptance {
  readonly at: number;
  readonly proof: readonly Message[];
}

export interface Proposal {
  readonly id: string;
  /** Incremented with every change of the proposal. */
  readonly revision: number;
  readonly base?: FileState;
  readonly proposed?: FileState;
  /** What the model had proposed; set once a person has edited the proposed text. */
  readonly edited?: string | undefined;
  readonly shares: readonly CallEdit[];
}

export const isSameFile = (one: FileName, other: FileName): boolean =>
  one.folder === other.folder && one.path === other.path;

/** The file name as a single map key. */
export const keyOf = ({ folder, path }: FileName): string => `${folder}\0${path}`;

/** Hashes in one call: a hash object for each hunk would cost more than hashing its text. */
export const hashOf = (text: string): string => hash("sha256", text, "hex");

function isSameState(one: FileState, other: FileState): boolean {
  if (one === undefined || other === undefined) return one === other;
  return isSameFile(one.file, other.file) && one.text === other.text;
}

/** Whether it contains undecided changes. */
export const isOpen = ({ base, proposed }: Proposal): boolean => !isSameState(base, proposed);

/** What exists at a file name; `other` is anything that is not text or must not be read. */
export type PathContent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "nothing" }
  | { readonly kind: "other" };

/** Why nothing of it can be accepted. */
export type Obstacle = "missing" | "no-text" | "exists" | "grown";

/** What is left to decide, derived from the current files. */
export type ProposalView =
  /** The files already contain it. */
  | { readonly kind: "nothing" }
  | { readonly kind: "add"; readonly text: string }
  | { readonly kind: "delete"; readonly text: string }
  | {
      readonly kind: "text";
      readonly live: string;
      readonly shown: string;
      readonly edits: readonly LineEdit[];
      readonly conflicts: readonly Conflict[];
      /** Whether it renames the file. */
      readonly isMove: boolean;
    }
  | { readonly kind: "obstacle"; readonly why: Obstacle };

/** The text a review shows on the proposed side. */
export const textOfView = (seen: ProposalView): string | undefined =>
  seen.kind === "text" ? seen.shown : seen.kind === "add" ? seen.text : undefined;

/** `live`: what exists at the current name of the file; `target`: what exists at the proposed one. */
export function deriveView(
  { base, proposed }: Proposal,
  live: PathContent,
  target: PathContent,
): ProposalView {
  if (base === undefined)
    return proposed === undefined ? { kind: "nothing" } : addition(proposed.text, target);
  if (proposed === undefined) return deletion(base.text, live);
  const isMove = !isSameFile(base.file, proposed.file);
  if (isMove && live.kind === "nothing" && target.kind === "text" && target.text === proposed.text)
    return { kind: "nothing" };
  if (isMove && target.kind !== "nothing") return { kind: "obstacle", why: "exists" };
  if (live.kind === "nothing") return { kind: "obstacle", why: "missing" };
  if (live.kind === "other") return { kind: "obstacle", why: "no-text" };
  const { shown, edits, conflicts } = proposedOn(base.text, live.text, proposed);
  if (!isMove && edits.length === 0 && conflicts.length === 0) return { kind: "nothing" };
  return { kind: "text", live: live.text, shown, edits, conflicts, isMove };
}

interface MergedFile {
  readonly shown: string;
  readonly edits: readonly LineEdit[];
  readonly conflicts: readonly Conflict[];
}

/** The edits from base to proposed text, cached as long as both are the same. */
const changedBy = new WeakMap<TextFile, { readonly base: string; readonly edits: readonly LineEdit[] }>();

function editsFrom(base: string, proposed: TextFile): readonly LineEdit[] {
  const known = changedBy.get(proposed);
  if (known?.base === base) return known.edits;
  const edits = numberHunks(lineEdits(base, proposed.text));
  changedBy.set(proposed, { base, edits });
  return edits;
}

/** The edits from base to proposed text, each numbered as a hunk of its own. */
export const proposedEdits = (base: TextFile, proposed: TextFile): readonly LineEdit[] =>
  editsFrom(base.text, proposed);

/**
 * Computes and caches the merge of a proposal with the current file ahead of time, because it is slow for long texts.
 */
export async function warmCache({ base, proposed }: Proposal, live: PathContent): Promise<void> {
  if (base === undefined || proposed === undefined) return;
  const [before, after] = [base.text, proposed.text];
  if (changedBy.get(proposed)?.base !== before) {
    const edits = await runTask(comparing, { before, after }, before.length + after.length);
    changedBy.set(proposed, { base: before, edits: numberHunks(edits) });
  }
  if (live.kind !== "text" || rebasedOn(before, live.text, proposed) !== undefined) return;
  const known = mergedLast.get(proposed);
  if (known?.base === before && known.live === live.text) return;
  const texts = { base: before, mine: live.text, theirs: after };
  keepMerged(
    proposed,
    texts,
    await runTask(mergingTexts, texts, before.length + live.text.length + after.length),
  );
}

/** Makes each edit a hunk of its own. */
export const numberHunks = (edits: readonly LineEdit[]): readonly LineEdit[] =>
  edits.map((edit, hunk) => ({ ...edit, hunks: [hunk] }));

/** The result of the last merge for each proposed text. */
const mergedLast = new WeakMap<TextFile, { readonly base: string; readonly live: string } & MergedFile>();

/** The common case, which needs no line comparison: typed in one place, away from everything that is proposed. */
const rebasedOn = (base: string, live: string, proposed: TextFile): readonly LineEdit[] | undefined =>
  isUnambiguous(base, live) ? rebaseEdits(editsFrom(base, proposed), base, live) : undefined;

function proposedOn(base: string, live: string, proposed: TextFile): MergedFile {
  const moved = rebasedOn(base, live, proposed);
  if (moved !== undefined) {
    const shown = live === base ? proposed.text : applyEdits(live, moved);
    return { shown, edits: moved, conflicts: [] };
  }
  const known = mergedLast.get(proposed);
  if (known?.base === base && known.live === live) return known;
  const texts = { base, mine: live, theirs: proposed.text };
  return keepMerged(proposed, texts, mergingTexts.run(texts));
}

function keepMerged(
  proposed: TextFile,
  { base, mine: live }: Parameters<typeof mergingTexts.run>[0],
  { text: shown, conflicts, edits }: ReturnType<typeof mergingTexts.run>,
): MergedFile {
  const merged = { shown, edits: numberHunks(edits), conflicts };
  mergedLast.set(proposed, { base, live, ...merged });
  return merged;
}

function addition(text: string, target: PathContent): ProposalView {
  if (target.kind === "nothing") return { kind: "add", text };
  return target.kind === "text" && target.text === text
    ? { kind: "nothing" }
    : { kind: "obstacle", why: "exists" };
}

function deletion(text: string, live: PathContent): ProposalView {
  if (live.kind === "nothing") return { kind: "nothing" };
  if (live.kind === "other") return { kind: "obstacle", why: "no-text" };
  return live.text === text ? { kind: "delete", text } : { kind: "obstacle", why: "grown" };
}

/** What the session's tools read: the proposed state, or the current file if the proposal conflicts with it. */
export function overlayOf({ base, proposed }: Proposal, seen: ProposalView): FileState | "live" {
  if (seen.kind === "text") return { file: (proposed ?? base)?.file ?? noFile, text: seen.shown };
  if (seen.kind === "add") return proposed;
  return seen.kind === "delete" ? undefined : "live";
}

const noFile: FileName = { folder: "", path: "" };

/** The lines each hunk has written in the text after these edits, by hunk number. */
export function writtenBy(edits: readonly LineEdit[]): ReadonlyMap<number, LineRange> {
  const known = writtenLast.get(edits);
  if (known !== undefined) return known;
  const found = new Map<number, LineRange>();
  let shift = 0;
  for (const { lines, written, hunks } of edits) {
    const first = lines.first + shift;
    shift += written - (lines.last - lines.first);
    for (const hunk of hunks) found.set(hunk, joined(found.get(hunk), { first, last: first + written }));
  }
  writtenLast.set(edits, found);
  return found;
}

/** Cached, because it is needed for each change of each call. */
const writtenLast = new WeakMap<readonly LineEdit[], ReadonlyMap<number, LineRange>>();

const joined = (known: LineRange | undefined, next: LineRange): LineRange =>
  known === undefined ? next : { first: known.first, last: Math.max(known.last, next.last) };

/** Maps a range of lines to another text. Lines that no longer exist map to where they would be. */
export function moveRange(changes: readonly LineChange[], { first, last }: LineRange): LineRange {
  const [start, end] = [moveLine(changes, first, "start"), moveLine(changes, last, "end")];
  // What was inserted at an empty range lies between the two ends.
  return { first: Math.min(start, end), last: Math.max(start, end) };
}

function moveLine(changes: readonly LineChange[], line: number, end: "start" | "end"): number {
  let shift = 0;
  for (const { from, to, newFrom, newTo } of changes) {
    if (end === "start" ? line < from || (line === from && to > from) : line <= from) break;
    if (line < to) return end === "start" ? newFrom : newTo;
    shift = newTo - to;
  }
  return line + shift;
}

/** A diff good enough to relocate lines. The common start and end are not compared line by line. */
export function changesBetween(one: string, other: string): readonly LineChange[] {
  if (one === other) return [];
  const { from, to, nowTo, line } = differingRange(one, other);
  return diffLines(linesOf(one.slice(from, to)), linesOf(other.slice(from, nowTo))).map((change) => ({
    from: change.from + line,
    to: change.to + line,
    newFrom: change.newFrom + line,
    newTo: change.newTo + line,
  }));
}

/** Whether ranges share a line. An empty range overlaps whatever it touches. */
export function overlap(one: LineRange, other: LineRange): boolean {
  const isGap = one.first === one.last || other.first === other.last;
  return isGap
    ? one.first <= other.last && other.first <= one.last
    : one.first < other.last && other.first < one.last;
}

/** Applies the changes between two texts to a third one; undefined if they conflict. */
export function transplant(text: string, from: string, to: string): string | undefined {
  const merged = merge3(from, text, to);
  return merged.conflicts.length === 0 ? merged.text : undefined;
}

/** Applies only some of the hunks. */
const withHunks = (text: string, edits: readonly LineEdit[], takes: (hunk: number) => boolean): string =>
  applyEdits(
    text,
    edits.filter(({ hunks }) => hunks.every(takes)),
  );

// Progress.

export function stateAfter(change: FileChange): FileState {
  if (change.kind === "delete") return undefined;
  if (change.kind === "add") return { file: change.file, text: change.text };
  return { file: nameAfter(change), text: applyEdits(change.base.text, change.edits) };
}

/** The proposal with nothing left to decide. */
export const closed = ({ edited: _, ...proposal }: Proposal, state: FileState): Proposal => ({
  ...proposal,
  base: state,
  proposed: state,
});

/** Advances the base by what was accepted. Conflicts remain, because the base does not change there. */
export function advanceBase(proposal: Proposal, seen: ProposalView, change: FileChange): Proposal {
  const { base, proposed } = proposal;
  const after = stateAfter(change);
  if (seen.kind !== "text" || after === undefined || base === undefined || proposed === undefined)
    return closed(proposal, after);
  if (after.text === seen.shown && seen.conflicts.length === 0) return closed(proposal, after);
  const text = transplant(base.text, seen.live, after.text);
  return text === undefined
    ? { ...proposal, base: after, proposed: { file: after.file, text: seen.shown } }
    : { ...proposal, base: { file: after.file, text }, proposed: { ...proposed, file: after.file } };
}

/** The proposal without these hunks, or without all of them. */
export function withoutHunks(
  proposal: Proposal,
  seen: ProposalView,
  isWhole: boolean,
  isOut: (hunk: number) => boolean,
): Proposal {
  const { base, proposed } = proposal;
  if (seen.kind !== "text" || base === undefined || proposed === undefined) return closed(proposal, base);
  if (isWhole && (seen.isMove || seen.conflicts.length === 0)) return closed(proposal, base);
  const left = withHunks(seen.live, seen.edits, (hunk) => !isOut(hunk));
  const text = transplant(proposed.text, seen.shown, left);
  return text === undefined
    ? { ...proposal, base: { ...base, text: seen.live }, proposed: { ...proposed, text: left } }
    : { ...proposal, proposed: { ...proposed, text } };
}

export type AcceptOutcome =
  | { readonly outcome: "done" }
  /** The proposal has changed since it was shown; nothing was written. */
  | { readonly outcome: "revised" }
  /** Nothing fits the files as they are now; nothing was written. */
  | { readonly outcome: "unfit" }
  /** The editor itself asked the person, who declined. */
  | { readonly outcome: "declined" }
  /** `isInRows`: the rows of the affected files show the reason themselves. */
  | { readonly outcome: "refused"; readonly why: Message; readonly isInRows?: true };

/** What could not be reversed in a file, and why. */
export interface LeftFile {
  readonly call: string;
  /** Identifies the file; stays the same when the file is renamed. */
  readonly file: string;
  /** The displayed path. */
  readonly path: string;
  readonly why: Message;
  /** The change that would have been made; absent if its texts are no longer stored. */
  readonly change?: FileChange | undefined;
}

export type ReverseOutcome =
  /** The editor itself asked the person, who declined; nothing was changed. */
  | { readonly outcome: "declined" }
  /** `left`: what could not be done; `said`: the same as one sentence. */
  | { readonly outcome: "done"; readonly left: readonly LeftFile[]; readonly said?: Message | undefined };

/** One change of a patch planned on the overlay, with the ids its hunks have in the row. */
export interface ProposedChange {
  readonly change: FileChange;
  readonly ids: readonly string[];
}
