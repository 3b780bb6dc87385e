// Accepting: which changes a person means, writing them file by file, and why some could not be written.

import { type Message, message } from "../../conversation/messages.ts";
import type { ApplyOutcome, RefusedFile } from "../../files/workspace.ts";
import { nameAfter } from "../../patch/edits.ts";
import type { FileChange, FileName } from "../../patch/model.ts";
import { orderOfWork } from "../../patch/plan.ts";
import type { KeptRefusal } from "../change-store.ts";
import type { PendingFile } from "../pending-changes.ts";
import type { PathState } from "../plan-undo.ts";
import { type AcceptOutcome, hashOf, isSameFile, type Proposal, type ProposalView } from "../proposal.ts";

/** A proposal, its view on the current files, and what a review shows of it. */
export interface ShownProposal {
  readonly proposal: Proposal;
  readonly view: ProposalView;
  readonly file: PendingFile;
}

/** What is to be written to one file. */
export interface ChosenChange extends ShownProposal {
  readonly ids: ReadonlySet<string>;
  readonly change: FileChange;
}

/**
 * The changes a person means by these hunks: with the whole-file hunks and other files they require, in an order in
 * which they can be carried out; undefined if one no longer exists.
 */
export function chooseHunks<Shown extends Pick<ShownProposal, "file">>(
  hunks: readonly string[],
  shown: readonly Shown[],
): readonly (Shown & Pick<ChosenChange, "ids" | "change">)[] | undefined {
  const wanted = new Set(hunks);
  const chosen = new Map<Shown, Set<string>>();
  for (const each of shown) {
    const own = each.file.hunks.filter(({ id }) => wanted.delete(id)).map(({ id }) => id);
    if (own.length === 0) continue;
    if (each.file.problem !== undefined) return undefined;
    chosen.set(each, new Set([...own, ...wholeFileHunks(each.file)]));
  }
  if (wanted.size > 0) return undefined;
  // A required file may itself require another. The loop also visits entries that are added while it runs.
  for (const { file } of chosen.keys())
    for (const id of file.requires) {
      const needed = shown.find((each) => each.file.id === id);
      if (needed?.file.problem !== undefined) return undefined;
      if (needed !== undefined && !chosen.has(needed))
        chosen.set(needed, new Set(wholeFileHunks(needed.file)));
    }
  return inOrderOfWork([...chosen].map(([each, ids]) => ({ ...each, ids, change: taken(each.file, ids) })));
}

/**
 * Those of these files that can be written, without any that requires a file which cannot. `only`: restricts them to
 * these hunks.
 */
function writableChanges(
  files: ReadonlySet<string>,
  shown: readonly ShownProposal[],
  only?: ReadonlySet<string>,
): readonly ChosenChange[] {
  const hunksOf = ({ hunks }: PendingFile) =>
    hunks.flatMap(({ id }) => (only === undefined || only.has(id) ? [id] : []));
  const waiting = new Set(shown.map(({ file }) => file.id));
  let fit = shown.filter(
    ({ file }) => files.has(file.id) && file.problem === undefined && hunksOf(file).length > 0,
  );
  for (;;) {
    const ids = new Set(fit.map(({ file }) => file.id));
    const isFree = ({ file }: ShownProposal) => file.requires.every((id) => ids.has(id) || !waiting.has(id));
    const left = fit.filter(isFree);
    if (left.length === fit.length) break;
    fit = left;
  }
  const hunks = fit.flatMap(({ file }) => hunksOf(file));
  return chooseHunks(hunks, shown) ?? [];
}

/**
 * Splits the parts in two without separating a file from those it requires; a single half if all depend on each other.
 */
function splitInHalf(parts: readonly ChosenChange[]): readonly (readonly ChosenChange[])[] {
  const groupOf = new Map(parts.map((part) => [part.file.id, new Set([part])]));
  for (const part of parts)
    for (const id of part.file.requires) {
      const [own, other] = [groupOf.get(part.file.id), groupOf.get(id)];
      if (own === undefined || other === undefined || own === other) continue;
      for (const each of other) groupOf.set(each.file.id, own.add(each));
    }
  const groups = [...new Set(groupOf.values())];
  const half = Math.ceil(groups.length / 2);
  const halves = [groups.slice(0, half), groups.slice(half)];
  return halves.map((each) => each.flatMap((group) => [...group])).filter((each) => each.length > 0);
}

/** The change reduced to these hunks. */
function taken(file: PendingFile, ids: ReadonlySet<string>): FileChange {
  const { change } = file;
  if (!("edits" in change)) return change;
  return { ...change, edits: change.edits.filter((_, number) => hasHunk(file, ids, number)) };
}

function inOrderOfWork<Part extends Pick<ChosenChange, "change">>(parts: readonly Part[]): readonly Part[] {
  const partOf = new Map(parts.map((part) => [part.change, part]));
  return orderOfWork(parts.map(({ change }) => change)).flatMap((change) => partOf.get(change) ?? []);
}

export const hasHunk = ({ hunks }: PendingFile, ids: ReadonlySet<string>, number: number): boolean =>
  hunks.some((hunk) => hunk.number === number && ids.has(hunk.id));

/** The hunk for the file itself (added, deleted or moved), which is accepted along with any hunk in it. */
export const wholeFileHunks = ({ hunks }: PendingFile): readonly string[] =>
  hunks.filter(({ number }) => number === undefined).map(({ id }) => id);

/** Whether the ids include the file itself or everything that can be decided in it. */
export const coversFile = (file: PendingFile, ids: ReadonlySet<string>): boolean =>
  wholeFileHunks(file).some((id) => ids.has(id)) ||
  file.hunks.every(({ id, number }) => number === undefined || ids.has(id));

/** The files by the call that wrote them last. */
export function filesOfCalls(parts: readonly ChosenChange[]): ReadonlyMap<string, readonly FileName[]> {
  const written = new Map<string, FileName[]>();
  for (const { proposal, change } of parts) {
    const call = proposal.shares.at(-1)?.call;
    if (call === undefined || change.kind === "delete") continue;
    written.set(call, [...(written.get(call) ?? []), nameAfter(change)]);
  }
  return written;
}

interface FileWriting {
  /** The pending proposals, derived from the files at this moment. */
  look(): Promise<readonly ShownProposal[]>;
  write(parts: readonly ChosenChange[]): Promise<ApplyOutcome>;
  nameOf(part: ShownProposal): string;
}

/** Enough rounds for any plausible race between typing and accepting. */
export const maxRounds = 20;

/**
 * Accepts whole files, as many as can be written. A file that cannot be written does not hold up the others; its reason
 * is kept until it is tried again. Files that depend on it keep waiting too.
 */
export async function acceptFiles(
  wanted: ReadonlySet<string>,
  refusals: Refusals,
  { look, write, nameOf }: FileWriting,
  only?: ReadonlySet<string>,
): Promise<AcceptOutcome> {
  for (const id of wanted) refusals.forget(id);
  const batches: ReadonlySet<string>[] = [wanted];
  let rounds = 0;
  let isAny = false;
  for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
    const parts = writableChanges(new Set([...batch].filter((id) => !refusals.has(id))), await look(), only);
    if (parts.length === 0) continue;
    isAny = true;
    const done = await write(parts);
    if (done.outcome === "declined") return done;
    if (done.outcome === "refused") {
      if (done.halfDone === true || done.files === undefined) {
        // Files that were written anyway are no longer pending; the rows of the remaining ones show the reason.
        const waiting = (await look()).map(({ file }) => file);
        return refusedInRows(parts, waiting, done.why, refusals);
      }
      for (const each of withoutRefused(parts, done.files, done.why, refusals).toReversed())
        batches.unshift(each);
    }
    if (done.outcome !== "stale") continue;
    rounds += 1;
    if (rounds === maxRounds) return { outcome: "refused", why: message("changeMoving") };
    batches.unshift(batch);
  }
  explainWaiting(wanted, refusals, await look(), nameOf);
  return { outcome: isAny ? "done" : "unfit" };
}

/** Notes the reason for each of these files that is still pending. */
export function refusedInRows(
  parts: readonly ChosenChange[],
  pending: readonly { readonly id: string }[],
  why: Message,
  refusals: Refusals,
): AcceptOutcome {
  const ids = new Set(pending.map(({ id }) => id));
  const left = parts.filter(({ file }) => ids.has(file.id));
  for (const { file } of left) refusals.note(file.id, why);
  return { outcome: "refused", why, ...(left.length > 0 && { isInRows: true }) };
}

/** Notes the editor's reasons for single files. Returns the parts that were not refused. */
export function noteRefused(
  parts: readonly ChosenChange[],
  files: readonly RefusedFile[],
  refusals: Refusals,
): readonly ChosenChange[] {
  return parts.filter(({ file, change }) => {
    const found = files.find((each) => isSameFile(each.file, change.file));
    if (found !== undefined) refusals.note(file.id, found.why);
    return found === undefined;
  });
}

/** Returns the batches that are worth another try. */
function withoutRefused(
  parts: readonly ChosenChange[],
  files: readonly RefusedFile[],
  why: Message,
  refusals: Refusals,
): readonly ReadonlySet<string>[] {
  const left = noteRefused(parts, files, refusals);
  if (left.length < parts.length) return [idsOf(left)];
  // The editor did not say which file it refuses. Bisect: one half will succeed without it.
  const halves = splitInHalf(parts);
  if (halves.length > 1) return halves.map(idsOf);
  for (const { file } of parts) refusals.note(file.id, why);
  return [];
}

/** A file that takes the name of another pending file cannot be written before that one; note this as its reason. */
function explainWaiting(
  wanted: ReadonlySet<string>,
  refusals: Refusals,
  shown: readonly ShownProposal[],
  nameOf: FileWriting["nameOf"],
): void {
  const waiting = new Map(shown.map((each) => [each.file.id, each]));
  for (const { file } of shown) {
    const needed = file.requires.map((id) => waiting.get(id)).find((each) => each !== undefined);
    if (!wanted.has(file.id) || file.problem !== undefined || needed === undefined) continue;
    if (!refusals.has(file.id)) refusals.note(file.id, message("changeNeeds", { name: nameOf(needed) }));
  }
}

const idsOf = (parts: readonly ChosenChange[]): ReadonlySet<string> =>
  new Set(parts.map(({ file }) => file.id));

interface Refusal {
  readonly why: Message;
  /** A hash of the proposal and file when they were first looked at afterwards; absent before that. */
  readonly stood?: string | undefined;
}

/**
 * Why what a person asked for could not be done in single files, by proposal id. Kept with the change set, so that each
 * row shows it even after a reload, until it is tried again or the file or its proposal changes.
 */
export class Refusals {
  #known = new Map<string, Refusal>();
  #version = 0;

  get kept(): readonly KeptRefusal[] {
    return [...this.#known].map(([proposal, { why, stood = "" }]) => ({ proposal, why, stood }));
  }

  set kept(kept: readonly KeptRefusal[]) {
    this.#known = new Map(kept.map(({ proposal, ...refusal }) => [proposal, refusal]));
  }

  /** Incremented whenever something to be saved has changed. */
  get version(): number {
    return this.#version;
  }

  has(proposal: string): boolean {
    return this.#known.has(proposal);
  }

  note(proposal: string, why: Message): void {
    this.#known.set(proposal, { why });
    this.#version += 1;
  }

  forget(proposal: string): void {
    if (this.#known.delete(proposal)) this.#version += 1;
  }

  keepOnly(proposals: ReadonlySet<string>): void {
    for (const proposal of this.#known.keys()) if (!proposals.has(proposal)) this.forget(proposal);
  }

  /** The reason, as long as the proposal and the files are unchanged since. */
  whyOf(proposal: string, revision: number, lookUp: readonly PathState[]): Message | undefined {
    const known = this.#known.get(proposal);
    if (known === undefined) return undefined;
    const stood = spell(revision, lookUp);
    if (known.stood === stood) return known.why;
    if (known.stood !== undefined) {
      this.forget(proposal);
      return undefined;
    }
    this.#known.set(proposal, { ...known, stood });
    this.#version += 1;
    return known.why;
  }
}

const spell = (revision: number, lookUp: readonly PathState[]): string =>
  hashOf(JSON.stringify([revision, ...lookUp.map(serializePathState)]));

const serializePathState = ({ live, info: { writable } }: PathState) => [
  live.kind,
  live.kind === "text" ? hashOf(live.text) : "",
  writable,
];
