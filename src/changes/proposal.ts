// What a session proposes for one file: the base text, the proposed text, and what each call of the model contributed.
// Views – hunks, conflicts, what a tool reads – are always derived from this stored data and the current file, so
// typing and undoing it leaves no trace. Pure.

import type { Message } from "../conversation/messages.ts";
import {
  type Conflict,
  differingRange,
  diffLines,
  isUnambiguous,
  type LineChange,
  linesOf,
  rebaseEdits,
} from "../patch/diff-and-merge.ts";
import { applyEdits, comparing, nameAfter } from "../patch/edits.ts";
import type { FileChange, FileName, LineEdit, LineRange } from "../patch/model.ts";
import { runTask } from "../util/background.ts";
import {
  type MergedLines,
  mergeTyped,
  proposedRuns,
  type Run,
  type SharedLines,
  shareLines,
  spell,
} from "./internal/shared-lines.ts";

interface TextFile {
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
  readonly status: HunkStatus;
}

/**
 * Prefix for the ids of hunks a person has written beside a call's own changes. No path begins with it, and no row
 * contains such ids before they were accepted.
 */
const byPerson = "/by-person/";
export const personHunkId = (proposal: string, number: number): string => `${byPerson}${proposal}.${number}`;
export const isByPerson = (hunk: string): boolean => hunk.startsWith(byPerson);

/** Whether a hunk is in the file, or the part of it that was accepted. `share`: the index of its call's edit. */
export const isInFile = ({ writes }: Pick<Proposal, "writes">, share: number, id: string): boolean =>
  writes.some((each) => each.share === share && each.hunks.some((hunk) => hunk.id === id && !hunk.undone));

/** A reference to a stored text, which keeps the change set itself small. */
export interface KeptState {
  readonly file: FileName;
  readonly text: string;
}

/** What a call has made of a proposed file. */
export interface CallEdit {
  readonly call: string;
  readonly turn: string;
  /** What it found and what it left when it was proposed. */
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

/** What was written of a call's hunks when they were accepted, on top of the calls before it. */
export interface CallWrite {
  /** The index of the call's edit in its proposal. */
  readonly share: number;
  readonly before?: KeptState | undefined;
  readonly after?: KeptState | undefined;
  /** What differs between the two, in lines. */
  readonly changes: readonly LineChange[];
  readonly hunks: readonly WrittenHunk[];
}

/** A hunk that was written, or the part of it that was accepted then. */
export interface WrittenHunk {
  readonly id: string;
  /** The indices of its changes. */
  readonly changes: readonly number[];
  /** It is no longer in the file. */
  readonly undone?: boolean | undefined;
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
  /** Everything that was accepted of it, oldest first. */
  readonly writes: readonly CallWrite[];
  /** The lines of its two texts, as long as something is to be decided. */
  readonly lines?: SharedLines | undefined;
}

export const isSameFile = (one: FileName, other: FileName): boolean =>
  one.folder === other.folder && one.path === other.path;

/** The file name as a single map key. */
export const keyOf = ({ folder, path }: FileName): string => `${folder}\0${path}`;

/** Loaded with the first text that is hashed: that takes a thread which hashes none 5 ms and 1 MB. */
let crypto: typeof import("node:crypto") | undefined;

/** Hashes in one call: a hash object for each hunk would cost more than hashing its text. */
export function hashOf(text: string): string {
  crypto ??= process.getBuiltinModule("node:crypto");
  return crypto.hash("sha256", text, "hex");
}

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
      /** The proposed lines of each edit. */
      readonly runs: readonly Run[];
      readonly conflicts: readonly Conflict[];
      /** The proposed lines of each conflict. */
      readonly aside: readonly Run[];
      /** Whether it renames the file. */
      readonly isMove: boolean;
    }
  | { readonly kind: "obstacle"; readonly why: Obstacle };

/** The text a review shows on the proposed side. */
export const textOfView = (seen: ProposalView): string | undefined =>
  seen.kind === "text" ? seen.shown : seen.kind === "add" ? seen.text : undefined;

/** `live`: what exists at the current name of the file; `target`: what exists at the proposed one. */
export function deriveView(proposal: Proposal, live: PathContent, target: PathContent): ProposalView {
  const { base, proposed } = proposal;
  if (base === undefined)
    return proposed === undefined ? { kind: "nothing" } : addition(proposed.text, target);
  if (proposed === undefined) return deletion(base.text, live);
  const isMove = !isSameFile(base.file, proposed.file);
  if (isMove && live.kind === "nothing" && target.kind === "text" && target.text === proposed.text)
    return { kind: "nothing" };
  if (isMove && target.kind !== "nothing") return { kind: "obstacle", why: "exists" };
  if (live.kind === "nothing") return { kind: "obstacle", why: "missing" };
  if (live.kind === "other") return { kind: "obstacle", why: "no-text" };
  const merged = shownOn(proposal, live.text);
  if (!isMove && merged.edits.length === 0 && merged.conflicts.length === 0) return { kind: "nothing" };
  return { kind: "text", live: live.text, ...merged, isMove };
}

/** Lines that were derived from the texts alone. */
const derivedLines = new WeakMap<Proposal, SharedLines>();

/** The lines of its two texts. */
export function linesOfProposal(proposal: Proposal): SharedLines {
  const { base, proposed, lines } = proposal;
  const known = lines ?? derivedLines.get(proposal);
  if (known !== undefined) return known;
  const derived = shareLines(base?.text ?? "", proposed?.text ?? "");
  derivedLines.set(proposal, derived);
  return derived;
}

/** The result of the last merge for each pair of texts. */
const mergedLast = new WeakMap<SharedLines, { readonly live: string; readonly merged: MergedLines }>();

/** A proposal merged with the current text of its file. */
export function mergedOn(proposal: Proposal, live: string): MergedLines {
  const lines = linesOfProposal(proposal);
  const base = proposal.base?.text ?? "";
  if (live === base) return proposedRuns(lines);
  const known = mergedLast.get(lines);
  if (known?.live === live) return known.merged;
  const merged = mergeTyped(lines, comparing.run({ before: base, after: live }));
  mergedLast.set(lines, { live, merged });
  return merged;
}

/**
 * Computes and caches the merge of a proposal with the current file ahead of time, because it is slow for long texts.
 */
export async function warmCache(proposal: Proposal, live: PathContent): Promise<void> {
  const { base, proposed } = proposal;
  if (base === undefined || proposed === undefined || live.kind !== "text") return;
  const [before, after] = [base.text, live.text];
  if (before === after) return;
  const lines = linesOfProposal(proposal);
  if (rebasedOn(lines, before, after) !== undefined || mergedLast.get(lines)?.live === after) return;
  const typed = await runTask(comparing, { before, after }, before.length + after.length);
  mergedLast.set(lines, { live: after, merged: mergeTyped(lines, typed) });
}

/** The common case, which needs no line comparison: typed in one place, away from everything that is proposed. */
const rebasedOn = (lines: SharedLines, base: string, live: string): readonly LineEdit[] | undefined =>
  isUnambiguous(base, live) ? rebaseEdits(proposedRuns(lines).edits, base, live) : undefined;

type ShownText = Omit<ProposalView & { readonly kind: "text" }, "kind" | "live" | "isMove">;

function shownOn(proposal: Proposal, live: string): ShownText {
  const { base, proposed } = proposal;
  const lines = linesOfProposal(proposal);
  if (live === base?.text && proposed !== undefined) {
    const { lines: _, ...found } = proposedRuns(lines);
    return { shown: proposed.text, ...found };
  }
  const moved = rebasedOn(lines, base?.text ?? "", live);
  if (moved !== undefined)
    return {
      ...{ shown: applyEdits(live, moved), edits: moved, runs: proposedRuns(lines).runs },
      ...{ conflicts: [], aside: [] },
    };
  const { lines: merged, ...found } = mergedOn(proposal, live);
  return { shown: spell(merged.all, merged.proposed), ...found };
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

// Progress.

export function stateAfter(change: FileChange): FileState {
  if (change.kind === "delete") return undefined;
  if (change.kind === "add") return { file: change.file, text: change.text };
  return { file: nameAfter(change), text: applyEdits(change.base.text, change.edits) };
}

/** The proposal with nothing left to decide. */
export const closed = ({ edited: _, lines: _lines, ...proposal }: Proposal, state: FileState): Proposal => ({
  ...proposal,
  base: state,
  proposed: state,
});

/** The edits of its calls with nothing pending. A hunk that was accepted in part is in the file, whatever follows. */
export const withoutPending = (
  proposal: Pick<Proposal, "shares" | "writes">,
  leaving: (share: CallEdit) => HunkStatus,
): readonly CallEdit[] =>
  proposal.shares.map((share, at) => {
    if (!share.hunks.some(isPending)) return share;
    const left = (hunk: CallHunk) => (isInFile(proposal, at, hunk.id) ? "applied" : leaving(share));
    const hunks = share.hunks.map((hunk) => (isPending(hunk) ? { ...hunk, status: left(hunk) } : hunk));
    return { ...share, hunks };
  });

export const isPending = ({ status }: CallHunk): boolean => status === "pending";

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
