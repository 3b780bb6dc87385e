// What a session proposes for one file: the text that it was built on, the text that the file would have, and what each
// call of the model has added to it. What is seen of it now – the hunks, the conflicts, what a tool reads – is derived
// from these and from the file as it is, always from what is stored, so that typing and taking it back changes nothing. Pure.

import { diffLines, type LineChange, linesOf } from "../diff/diff-lines.ts";
import { editing } from "../diff/line-edits.ts";
import { type Conflict, merge3, merging } from "../diff/merge.ts";
import type { Message } from "../messages/message.ts";
import { applyEdits, nameAfter } from "../patch/edits.ts";
import type { FileChange, FileName, LineEdit, LineRange } from "../patch/model.ts";
import { differing, isFirm, rebaseEdits } from "../patch/rebase.ts";
import { atOnce, type Steps } from "../util/yield-to-event-loop.ts";

export interface TextFile {
  readonly file: FileName;
  readonly text: string;
}

/** `undefined`: there is no file. */
export type FileState = TextFile | undefined;

/**
 * What has become of a change that a call made. `conflict`: it was left aside, because the file or another decision did
 * not let it in; `replaced`: a later call has written something else there.
 */
export type Fate = "pending" | "applied" | "rejected" | "undone" | "conflict" | "replaced";

/** One change of a call, under the name that its row has for it. */
export interface CallHunk {
  readonly id: string;
  /** Lines of the text after the call; absent: the file as a whole. */
  readonly at?: LineRange | undefined;
  readonly fate: Fate;
}

/** In front of the names of what a person has written beside a call's own changes: no path begins so, and no row has it. */
const byPerson = "/by-person/";
export const personsName = (proposal: string, number: number): string => `${byPerson}${proposal}.${number}`;
export const isByPerson = (hunk: string): boolean => hunk.startsWith(byPerson);

/** Where a text is kept: a change set is small, what it speaks of is not. */
export interface KeptState {
  readonly file: FileName;
  readonly text: string;
}

/** What one call has done to the file. */
export interface CallShare {
  readonly call: string;
  readonly turn: string;
  readonly before?: KeptState | undefined;
  readonly after?: KeptState | undefined;
  readonly hunks: readonly CallHunk[];
  /** What was to be asked about it: nobody is asked the same when it is taken back. */
  readonly reasons: readonly Message[];
  /** Nobody had named, attached or read the file when it was proposed. */
  readonly outside?: boolean | undefined;
  /** Who made it, and what the service signed for the request that it came with. */
  readonly model?: string | undefined;
  readonly receipt?: string | undefined;
  readonly acceptance?: Acceptance | undefined;
}

/** When something of it was accepted last, and what the person's checks said of what was proposed then. */
export interface Acceptance {
  readonly at: number;
  readonly proof: readonly Message[];
}

export interface Proposal {
  readonly id: string;
  /** Counts whatever is done to it here. */
  readonly revision: number;
  readonly base?: FileState;
  readonly proposed?: FileState;
  /** A person has written into the proposed text: what the model had proposed. */
  readonly edited?: string | undefined;
  readonly shares: readonly CallShare[];
}

export const isSameFile = (one: FileName, other: FileName): boolean =>
  one.folder === other.folder && one.path === other.path;

/** One word for a file, to look it up among many. */
export const keyOf = ({ folder, path }: FileName): string => `${folder}\0${path}`;

function isSameState(one: FileState, other: FileState): boolean {
  if (one === undefined || other === undefined) return one === other;
  return isSameFile(one.file, other.file) && one.text === other.text;
}

/** There is something in it that nobody has decided. */
export const isOpen = ({ base, proposed }: Proposal): boolean => !isSameState(base, proposed);

/** What stands at a name: `other` is what is no text, or may not be read. */
export type Live =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "nothing" }
  | { readonly kind: "other" };

/** Why nothing of it can be accepted. */
export type Obstacle = "missing" | "no-text" | "exists" | "grown";

/** What is left to be decided, on the files as they are. */
export type Seen =
  /** The files hold it already. */
  | { readonly kind: "nothing" }
  | { readonly kind: "add"; readonly text: string }
  | { readonly kind: "delete"; readonly text: string }
  | {
      readonly kind: "text";
      readonly live: string;
      readonly shown: string;
      readonly edits: readonly LineEdit[];
      readonly conflicts: readonly Conflict[];
      /** It is called otherwise afterwards. */
      readonly isMove: boolean;
    }
  | { readonly kind: "obstacle"; readonly why: Obstacle };

/** What a review shows of the proposed side. */
export const textOf = (seen: Seen): string | undefined =>
  seen.kind === "text" ? seen.shown : seen.kind === "add" ? seen.text : undefined;

/** `live` is what stands where it was, `target` what stands where it would be. */
export function seenOf({ base, proposed }: Proposal, live: Live, target: Live): Seen {
  if (base === undefined)
    return proposed === undefined ? { kind: "nothing" } : addition(proposed.text, target);
  if (proposed === undefined) return deletion(base.text, live);
  const isMove = !isSameFile(base.file, proposed.file);
  if (isMove && live.kind === "nothing" && target.kind === "text" && target.text === proposed.text)
    return { kind: "nothing" };
  if (isMove && target.kind !== "nothing") return { kind: "obstacle", why: "exists" };
  if (live.kind === "nothing") return { kind: "obstacle", why: "missing" };
  if (live.kind === "other") return { kind: "obstacle", why: "no-text" };
  const { shown, edits, conflicts } = atOnce(proposedOn(base.text, live.text, proposed));
  if (!isMove && edits.length === 0 && conflicts.length === 0) return { kind: "nothing" };
  return { kind: "text", live: live.text, shown, edits, conflicts, isMove };
}

interface MergedFile {
  readonly shown: string;
  readonly edits: readonly LineEdit[];
  readonly conflicts: readonly Conflict[];
}

/** What a proposal changes in the text that it was built on, known as long as it is the same one. */
const changedBy = new WeakMap<TextFile, { readonly base: string; readonly edits: readonly LineEdit[] }>();

function* editsFrom(base: string, proposed: TextFile): Steps<readonly LineEdit[]> {
  const known = changedBy.get(proposed);
  if (known?.base === base) return known.edits;
  const edits = numbered(yield* editing(base, proposed.text));
  changedBy.set(proposed, { base, edits });
  return edits;
}

/** What it comes to in the file as it is, is known from now on: of long texts that takes a while. */
export function* learned({ base, proposed }: Proposal, live: Live): Steps<void> {
  if (base === undefined || proposed === undefined) return;
  if (live.kind === "text") yield* proposedOn(base.text, live.text, proposed);
  else yield* editsFrom(base.text, proposed);
}

/** Each is a hunk of its own. */
export const numbered = (edits: readonly LineEdit[]): readonly LineEdit[] =>
  edits.map((edit, hunk) => ({ ...edit, hunks: [hunk] }));

/** The same for what was merged last. */
const mergedLast = new WeakMap<TextFile, { readonly base: string; readonly live: string } & MergedFile>();

function* proposedOn(base: string, live: string, proposed: TextFile): Steps<MergedFile> {
  // The common case, which needs no comparison of lines: typed in one place, and apart from all that is proposed.
  const moved = isFirm(base, live) ? rebaseEdits(yield* editsFrom(base, proposed), base, live) : undefined;
  if (moved !== undefined) {
    const shown = live === base ? proposed.text : applyEdits(live, moved);
    return { shown, edits: moved, conflicts: [] };
  }
  const known = mergedLast.get(proposed);
  if (known?.base === base && known.live === live) return known;
  const { text: shown, conflicts } = yield* merging(base, live, proposed.text);
  const merged = { shown, edits: numbered(yield* editing(live, shown)), conflicts };
  mergedLast.set(proposed, { base, live, ...merged });
  return merged;
}

function addition(text: string, target: Live): Seen {
  if (target.kind === "nothing") return { kind: "add", text };
  return target.kind === "text" && target.text === text
    ? { kind: "nothing" }
    : { kind: "obstacle", why: "exists" };
}

function deletion(text: string, live: Live): Seen {
  if (live.kind === "nothing") return { kind: "nothing" };
  if (live.kind === "other") return { kind: "obstacle", why: "no-text" };
  return live.text === text ? { kind: "delete", text } : { kind: "obstacle", why: "grown" };
}

/** What its tools read of it: where it stands aside, the file as it is. */
export function overlayOf({ base, proposed }: Proposal, seen: Seen): FileState | "live" {
  if (seen.kind === "text") return { file: (proposed ?? base)?.file ?? noFile, text: seen.shown };
  if (seen.kind === "add") return proposed;
  return seen.kind === "delete" ? undefined : "live";
}

const noFile: FileName = { folder: "", path: "" };

/** Lines of the text after these edits that each of their hunks has made, by its number. */
export function writtenBy(edits: readonly LineEdit[]): ReadonlyMap<number, LineRange> {
  const found = new Map<number, LineRange>();
  let shift = 0;
  for (const { lines, written, hunks } of edits) {
    const first = lines.first + shift;
    shift += written - (lines.last - lines.first);
    for (const hunk of hunks) found.set(hunk, joined(found.get(hunk), { first, last: first + written }));
  }
  return found;
}

const joined = (known: LineRange | undefined, next: LineRange): LineRange =>
  known === undefined ? next : { first: known.first, last: Math.max(known.last, next.last) };

/** Where lines of one text stand in another one; what is not there any more is where it would stand. */
export function moveRange(changes: readonly LineChange[], { first, last }: LineRange): LineRange {
  const [start, end] = [moveLine(changes, first, "start"), moveLine(changes, last, "end")];
  // What was written at a gap stands between the two.
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

/** Good enough to find lines again; what both begin and end with is not compared line by line. */
export function changesBetween(one: string, other: string): readonly LineChange[] {
  if (one === other) return [];
  const { from, to, nowTo, line } = differing(one, other);
  return diffLines(linesOf(one.slice(from, to)), linesOf(other.slice(from, nowTo))).map((change) => ({
    from: change.from + line,
    to: change.to + line,
    newFrom: change.newFrom + line,
    newTo: change.newTo + line,
  }));
}

/** Ranges that share a line; a gap shares what it touches. */
export function overlap(one: LineRange, other: LineRange): boolean {
  const isGap = one.first === one.last || other.first === other.last;
  return isGap
    ? one.first <= other.last && other.first <= one.last
    : one.first < other.last && other.first < one.last;
}

/** A text with what happened between two others, where that can be had. */
export function carried(text: string, from: string, to: string): string | undefined {
  const merged = merge3(from, text, to);
  return merged.conflicts.length === 0 ? merged.text : undefined;
}

/** With only some of its hunks. */
const withHunks = (text: string, edits: readonly LineEdit[], takes: (hunk: number) => boolean): string =>
  applyEdits(
    text,
    edits.filter(({ hunks }) => hunks.every(takes)),
  );

// What is left of it.

export function stateAfter(change: FileChange): FileState {
  if (change.kind === "delete") return undefined;
  if (change.kind === "add") return { file: change.file, text: change.text };
  return { file: nameAfter(change), text: applyEdits(change.base.text, change.edits) };
}

/** Nothing of it waits any more. */
export const closed = ({ edited: _, ...proposal }: Proposal, state: FileState): Proposal => ({
  ...proposal,
  base: state,
  proposed: state,
});

/** This much of it is in the files. What stands aside stays aside: the base goes on by what was accepted alone. */
export function goneOn(proposal: Proposal, seen: Seen, change: FileChange): Proposal {
  const { base, proposed } = proposal;
  const after = stateAfter(change);
  if (seen.kind !== "text" || after === undefined || base === undefined || proposed === undefined)
    return closed(proposal, after);
  if (after.text === seen.shown && seen.conflicts.length === 0) return closed(proposal, after);
  const text = carried(base.text, seen.live, after.text);
  return text === undefined
    ? { ...proposal, base: after, proposed: { file: after.file, text: seen.shown } }
    : { ...proposal, base: { file: after.file, text }, proposed: { ...proposed, file: after.file } };
}

/** Those hunks are out, or all of it. */
export function without(
  proposal: Proposal,
  seen: Seen,
  isWhole: boolean,
  isOut: (hunk: number) => boolean,
): Proposal {
  const { base, proposed } = proposal;
  if (seen.kind !== "text" || base === undefined || proposed === undefined) return closed(proposal, base);
  if (isWhole && (seen.isMove || seen.conflicts.length === 0)) return closed(proposal, base);
  const left = withHunks(seen.live, seen.edits, (hunk) => !isOut(hunk));
  const text = carried(proposed.text, seen.shown, left);
  return text === undefined
    ? { ...proposal, base: { ...base, text: seen.live }, proposed: { ...proposed, text: left } }
    : { ...proposal, proposed: { ...proposed, text } };
}
