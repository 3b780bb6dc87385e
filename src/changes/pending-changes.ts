// A file as a review shows it: what is proposed for it, on top of the file as it is now. Derived from the proposal and
// the file, and derived again whenever one of them changes.

import { type Message, message } from "../conversation/messages.ts";
import type { Conflict } from "../patch/diff-and-merge.ts";
import type {
  Base,
  FileChange,
  FileName,
  LineEdit,
  PathInfo,
  Permission,
  PlacedHunk,
} from "../patch/model.ts";
import { permissionFor } from "../patch/paths.ts";
import { lossOf, permissionOf } from "../patch/plan.ts";
import { type HunkRisk, type RatedChange, type Rating, ratingEach } from "../risk/file-risk.ts";
import { countMessages, flagMessages, type RiskFlag } from "../risk/flags.ts";
import { TaskBatches } from "../util/background.ts";
import { createYieldPoint } from "../util/concurrency.ts";
import type { ChangeSet } from "./change-set.ts";
import {
  type FileState,
  hashOf,
  isSameFile,
  type Obstacle,
  type Proposal,
  type ProposalView,
} from "./proposal.ts";

export interface PendingHunk {
  /** Derived from the content of the hunk, so it stays the same when typing moves it. */
  readonly id: string;
  /** The hunk number in the change; absent for the file as a whole: added, deleted or moved. */
  readonly number?: number;
  /** Where it begins in the current file, 1-based. */
  readonly line?: number;
  readonly added: number;
  readonly removed: number;
  /** Why it needs attention, most severe first. */
  readonly flags: readonly RiskFlag[];
  /** Public names that it changes. */
  readonly names: readonly string[];
}

export interface PendingFile {
  readonly id: string;
  readonly revision: number;
  /** What accepting all of it would do; with an obstacle, what was intended. */
  readonly change: FileChange;
  readonly hunks: readonly PendingHunk[];
  /** Places where both the file and the proposal changed the same lines; the text of the file is kept. */
  readonly conflicts: readonly Conflict[];
  /** Why nothing of it can be accepted now. */
  readonly problem?: Message | undefined;
  /** Why the last attempt to write it failed; it can be tried again. */
  readonly refused?: Message | undefined;
  /** For a change or move with an obstacle: the intended file. */
  readonly meant?: FileState;
  /** Ids of files that must be accepted first because they free its name. */
  readonly requires: readonly string[];
  /** Whether a person has edited it. */
  readonly isEdited: boolean;
  /** The calls that made it. */
  readonly calls: readonly string[];
}

interface ViewedFile {
  readonly view: ProposalView;
  readonly live: PathInfo;
  readonly target: PathInfo;
}

/** What is proposed for a file, before its texts are rated. */
interface UnratedFile {
  /** Its permission depends on the names alone so far. */
  readonly change: FileChange;
  readonly problem: Message | undefined;
  readonly isOutside: boolean;
}

/** Undefined if the file already contains what is proposed. */
export function unratedFile(proposal: Proposal, { view, live, target }: ViewedFile): UnratedFile | undefined {
  if (view.kind === "nothing") return undefined;
  const { base, proposed, shares } = proposal;
  const names = [
    ...(base === undefined ? [] : [{ file: base.file, standing: live }]),
    ...(proposed === undefined || (base !== undefined && isSameFile(base.file, proposed.file))
      ? []
      : [{ file: proposed.file, standing: target }]),
  ];
  const allowed: Permission[] = [];
  let problem = view.kind === "obstacle" ? obstacles[view.why] : undefined;
  for (const { file, standing } of names) {
    const permission = permissionFor(file, standing);
    if (permission.verdict === "deny") problem ??= permission.why;
    else allowed.push(permission);
  }
  const change = changeOf(proposal, view, allowed);
  const isOutside = shares.some(({ outside, hunks }) => outside === true && hunks.some(isWaiting));
  return change && { change, problem, isOutside };
}

export function ratedFile(
  { id, revision, base, proposed, edited, shares }: Proposal,
  view: ProposalView,
  { change: unrated, problem }: UnratedFile,
  { dangers, risks }: Rating,
): Omit<PendingFile, "requires"> {
  const change = { ...unrated, permission: permissionOf([unrated.permission], dangers) };
  const calls = shares.filter(({ hunks }) => hunks.some(isWaiting));
  return {
    id,
    revision,
    change,
    hunks: hunksOf(id, change, risks, view.kind === "obstacle"),
    conflicts: view.kind === "text" ? view.conflicts : [],
    problem,
    meant: view.kind === "obstacle" && base !== undefined ? proposed : undefined,
    isEdited: edited !== undefined,
    calls: [...new Set(calls.map(({ call }) => call))],
  };
}

/** The ratings of what is pending. */
const ratings = new WeakMap<FileChange, Rating>();

export interface PendingQuestion {
  readonly proposal: Proposal;
  readonly viewed: ViewedFile;
  readonly requires: readonly string[];
  /** The previous result for the same file. */
  readonly known?: PendingFile | undefined;
}

/** In their order. What has not been rated before is rated together. */
export async function pendingFiles(
  questions: readonly PendingQuestion[],
): Promise<readonly (PendingFile | undefined)[]> {
  const batches = new TaskBatches<RatedChange, Rating>(ratingEach);
  const found: { readonly unrated: UnratedFile | undefined; readonly last: Rating | undefined }[] = [];
  const nextStep = createYieldPoint();
  for (const { proposal, viewed, known } of questions) {
    await nextStep();
    const unrated = unratedFile(proposal, viewed);
    const last =
      unrated !== undefined && known !== undefined && isSameChange(known.change, unrated.change)
        ? ratings.get(known.change)
        : undefined;
    found.push({ unrated, last });
    if (unrated === undefined || last !== undefined) continue;
    const { change, isOutside } = unrated;
    batches.add({ change, isOutside }, sizeOf(change));
  }
  const rated = (await batches.results()).values();
  const files: (PendingFile | undefined)[] = [];
  for (const [at, { proposal, viewed, requires }] of questions.entries()) {
    await nextStep();
    const { unrated, last } = found[at] ?? {};
    const own = unrated && (last ?? rated.next().value);
    const file = unrated && own && { ...ratedFile(proposal, viewed.view, unrated, own), requires };
    if (file !== undefined && own !== undefined) ratings.set(file.change, own);
    files.push(file);
  }
  return files;
}

/** In characters. */
function sizeOf(change: FileChange): number {
  if (change.kind === "add") return change.text.length;
  const added = change.kind === "delete" ? [] : change.edits;
  return added.reduce((sum, { text }) => sum + text.length, change.base.text.length);
}

const obstacles = {
  missing: message("changeMissing"),
  "no-text": message("changeNoText"),
  exists: message("changeExists"),
  grown: message("changeGrown"),
} as const satisfies Readonly<Record<Obstacle, Message>>;

function changeOf(
  { base, proposed, shares }: Proposal,
  seen: Exclude<ProposalView, { kind: "nothing" }>,
  allowed: readonly Permission[],
): FileChange | undefined {
  const on = (text: string): Base => ({ text, sha256: hashOf(text), version: undefined });
  if (base === undefined) {
    if (proposed === undefined) return undefined;
    const { file, text } = proposed;
    return { kind: "add", file, permission: permissionOf(allowed, []), text };
  }
  if (proposed === undefined)
    return { kind: "delete", file: base.file, permission: permissionOf(allowed, []), base: on(base.text) };
  const [text, edits] = seen.kind === "text" ? [seen.live, seen.edits] : [base.text, []];
  const permission = permissionOf(allowed, [], isReplaced(shares) ? "replaced" : lossOf(text, edits));
  const hunks = edits.map(placed);
  const common = { file: base.file, permission, base: on(text), edits, hunks };
  if (seen.kind !== "text" || !seen.isMove) return { kind: "update", ...common };
  return { kind: "move", ...common, to: proposed.file, toReal: allowed[1]?.real ?? proposed.file.path };
}

/** Whether one call has deleted the file and created another one under its name. */
const isReplaced = (shares: Proposal["shares"]): boolean =>
  shares.some(
    ({ hunks, reasons }) =>
      hunks.some(({ status }) => status === "pending") &&
      reasons.some(({ code }) => code === "cautionReplaced"),
  );

const isWaiting = ({ status }: Proposal["shares"][number]["hunks"][number]): boolean => status === "pending";

const unflagged: HunkRisk = { flags: [], names: [] };

/** Changes are the same if they differ only in position, as after typing elsewhere in the file. */
function isSameChange(one: FileChange, other: FileChange): boolean {
  if ("edits" in one && "edits" in other) {
    const isSame = (edit: LineEdit, at: number) =>
      edit.removed === other.edits[at]?.removed && edit.text === other.edits[at]?.text;
    return one.kind === other.kind && one.edits.length === other.edits.length && one.edits.every(isSame);
  }
  if (one.kind === "add" && other.kind === "add") return one.text === other.text;
  return one.kind === "delete" && other.kind === "delete" && one.base.text === other.base.text;
}

const placed = ({ lines }: LineEdit): PlacedHunk => ({
  line: 0,
  matched: lines,
  looseness: "exact",
  onEarlier: false,
});

function hunksOf(
  file: string,
  change: FileChange,
  risks: readonly HunkRisk[],
  isStuck: boolean,
): PendingHunk[] {
  // A move has none itself, only its edits have.
  const [{ flags, names } = unflagged] = change.kind === "move" ? [] : risks;
  const whole = { id: `${file}:${change.kind}`, flags, names };
  if (change.kind === "add") return [{ ...whole, line: 1, added: linesIn(change.text), removed: 0 }];
  if (change.kind === "delete") return [{ ...whole, added: 0, removed: linesIn(change.base.text) }];
  // Its lines have no position now, so it is decided as a whole.
  if (isStuck) return [{ ...whole, added: 0, removed: 0 }];
  const seen = new Map<string, number>();
  const hunks = change.edits.map(({ removed, text, lines, written }, number) => {
    const made = hashOf(JSON.stringify([removed, text])).slice(0, 16);
    const ordinal = seen.get(made) ?? 0;
    seen.set(made, ordinal + 1);
    const { flags, names } = risks[number] ?? unflagged;
    return {
      id: `${file}:${made}.${ordinal}`,
      number,
      line: lines.first + 1,
      added: written,
      removed: lines.last - lines.first,
      flags,
      names,
    };
  });
  return change.kind === "move" ? [{ ...whole, added: 0, removed: 0 }, ...hunks] : hunks;
}

function linesIn(text: string): number {
  if (text === "") return 0;
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return text.endsWith("\n") ? count : count + 1;
}

// Counts of what is pending, with the same meaning wherever they are shown: status bar, chat, list, badge and titles;
// and the list of what needs attention.

/** A file with something that needs attention. */
interface FlaggedFile {
  readonly path: string;
  /** The calls that changed it. */
  readonly calls: string[];
  /** The reasons, most severe first. */
  readonly flags: Message[];
}

export interface PendingCounts {
  /** Files with undecided changes. */
  readonly files: number;
  /** Undecided changes, including conflicts. A file that cannot be accepted at all counts as one. */
  readonly changes: number;
  /** How many of the changes cannot be accepted because the file has changed as well. */
  readonly conflicts: number;
  /** Lines of the changes that can be accepted. */
  readonly added: number;
  readonly removed: number;
}

type Counted = Pick<PendingFile, "hunks" | "conflicts" | "problem">;

export function countPending(pending: readonly Counted[]): PendingCounts {
  const counts = { files: pending.length, changes: 0, conflicts: 0, added: 0, removed: 0 };
  for (const file of pending) {
    const conflicts = conflictCount(file);
    const acceptable = acceptableHunks(file);
    counts.changes += Math.max(acceptable.length + conflicts, 1);
    counts.conflicts += conflicts;
    for (const { added, removed } of acceptable) {
      counts.added += added;
      counts.removed += removed;
    }
  }
  return counts;
}

/** The hunks that can be accepted: none in a file with a problem. */
export const acceptableHunks = <Hunk>({
  hunks,
  problem,
}: {
  readonly hunks: readonly Hunk[];
  readonly problem?: Message | undefined;
}): readonly Hunk[] => (problem === undefined ? hunks : []);

export interface Waiting extends PendingCounts {
  /** Undecided changes that can be accepted. */
  readonly hunks: number;
  /** Calls with conflicts. */
  readonly inConflict: string[];
  /** What needs attention, counted, most severe first. */
  readonly risks: Message[];
  readonly flagged: FlaggedFile[];
  /** The revision of the change set these counts belong to. */
  readonly shown: number;
}

/** Further files are only counted; the review names them. */
const maxFlagged = 100;

/** Returns undefined if nothing is pending. `nameOf`: the displayed name of a file. */
export function waitingIn(
  { pending, revision }: Pick<ChangeSet, "pending" | "revision">,
  nameOf: (file: FileName) => string,
): Waiting | undefined {
  if (pending.length === 0) return undefined;
  const hunks = pending.flatMap(acceptableHunks);
  const inConflict = pending.filter((file) => conflictCount(file) > 0).flatMap(({ calls }) => calls);
  return {
    ...countPending(pending),
    hunks: hunks.length,
    inConflict: [...new Set(inConflict)],
    risks: [...refusedIn(pending), ...countMessages(hunks.map(({ flags }) => flags))],
    flagged: pending.filter(isFlagged).slice(0, maxFlagged).map(flagged),
    shown: revision,
  };

  function flagged({ change, calls, hunks: own, problem, refused }: PendingFile): FlaggedFile {
    const flags = flagMessages(own.flatMap((hunk) => hunk.flags));
    const why = isUnwritten(refused) ? message("changeRefused", { why: refused }) : refused;
    const reason = problem ?? why;
    return {
      path: nameOf(change.file),
      calls: [...calls],
      flags: [...(reason === undefined ? [] : [reason]), ...flags],
    };
  }
}

/** Whether writing failed; the other reasons say that what the person decided about no longer existed. */
const isUnwritten = (refused: Message | undefined): refused is Message =>
  refused !== undefined && refused.code !== "changeRevised" && refused.code !== "changeConflict";

/** The number of conflicts; one if nothing in the file can be accepted. */
const conflictCount = ({ problem, conflicts }: Pick<PendingFile, "problem" | "conflicts">): number =>
  problem === undefined ? conflicts.length : 1;

function refusedIn(pending: readonly Pick<PendingFile, "refused">[]): readonly Message[] {
  const count = pending.filter(({ refused }) => isUnwritten(refused)).length;
  if (count === 0) return [];
  return [count === 1 ? message("changeNotWritten") : message("changesNotWritten", { count })];
}

const isFlagged = ({ hunks, problem, refused }: PendingFile): boolean =>
  problem !== undefined || refused !== undefined || hunks.some(({ flags }) => flags.length > 0);
