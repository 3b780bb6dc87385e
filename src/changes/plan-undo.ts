// Plans how to reverse changes that were carried out, hunk by hunk: exactly if the file is unchanged since, otherwise
// merged with what was typed. What would remove somebody's own edits is left, with a reason. Everything is simulated on
// the files, so that the changes of several calls become one step. Pure.

import { type Message, message } from "../conversation/messages.ts";
import { diffLines, type LineChange, linesOf, merge3, rebaseEdits } from "../patch/diff-and-merge.ts";
import { applyEdits, lineEdits } from "../patch/edits.ts";
import type { FileChange, FileName, LineEdit, PathInfo } from "../patch/model.ts";
import { isNotebook } from "../patch/notebook.ts";
import { permissionFor } from "../patch/paths.ts";
import { orderOfWork } from "../patch/plan.ts";
import type { Step } from "./change-store.ts";
import { hashOf, isSameFile, keyOf, type PathContent, stateAfter } from "./proposal.ts";

/** A hunk of a call with its id in the row; `edits`: indices of its edits in the reversal, empty for a whole file. */
interface ReversedHunk {
  readonly id: string;
  readonly edits: readonly number[];
}

interface BaseEdits {
  /** The text before the edits. */
  readonly from: string;
  readonly edits: readonly LineEdit[];
}

interface ReversedText {
  readonly text: string;
  /** The hunks that are reversed in it. */
  readonly taken: readonly ReversedHunk[];
  /** The edits that lead here from the previous text, if known. */
  readonly edits?: readonly LineEdit[];
}

/**
 * Reverses one call's edits in the current text. A hunk that somebody has edited, or edited next to, is left as it is;
 * the others are reversed.
 */
function reverseEdits(
  { from, edits }: BaseEdits,
  hunks: readonly ReversedHunk[],
  live: string,
): ReversedText {
  const target = applyEdits(from, edits);
  if (live === from) return { text: target, taken: hunks, edits };
  if (live === target) return { text: live, taken: hunks, edits: [] };
  // The common case, which needs no line comparison: typed in one place, away from everything that was changed.
  const moved = rebaseEdits(edits, from, live);
  if (moved !== undefined) return { text: applyEdits(live, moved), taken: hunks, edits: moved };
  const whole = merge3(from, live, target);
  if (whole.conflicts.length === 0) return { text: whole.text, taken: hunks };
  const typed = typedBetween(from, live);
  const blocked = new Set(blockedBy(typed, edits));
  const taken = takenOf(hunks, blocked);
  const kept = new Set(taken);
  const rest = new Set(hunks.filter((hunk) => !kept.has(hunk)).flatMap((hunk) => hunk.edits));
  const part = edits.filter((_, at) => !rest.has(at) && !blocked.has(at));
  const { text, conflicts } = merge3(from, live, applyEdits(from, part));
  // Conflicts left here come from lines that match ambiguously, so nothing is reversed.
  return conflicts.length > 0 ? { text: live, taken: [], edits: [] } : { text, taken };
}

/** A hunk is reversed as a whole, together with the hunks it shares edits with. */
function takenOf(hunks: readonly ReversedHunk[], blocked: ReadonlySet<number>): readonly ReversedHunk[] {
  const out = new Set(blocked);
  for (let left = hunks; ; ) {
    const free = left.filter((hunk) => !hunk.edits.some((edit) => out.has(edit)));
    if (free.length === left.length) return free;
    for (const hunk of left)
      if (hunk.edits.some((edit) => out.has(edit))) for (const edit of hunk.edits) out.add(edit);
    left = free;
  }
}

interface Typed extends LineChange {
  readonly lines: string;
}

function typedBetween(from: string, live: string): readonly Typed[] {
  const now = linesOf(live);
  const changes = diffLines(linesOf(from), now);
  return changes.map((change) => ({ ...change, lines: now.slice(change.newFrom, change.newTo).join("") }));
}

/** The numbers of the edits where somebody has typed. Adjacent changes count as one place, as in a merge. */
function blockedBy(typed: readonly Typed[], edits: readonly LineEdit[]): number[] {
  const blocked: number[] = [];
  let next = 0;
  for (const [at, { lines, text }] of edits.entries()) {
    while ((typed[next]?.to ?? lines.first) < lines.first) next += 1;
    const [one, other] = [typed[next], typed[next + 1]];
    if (one === undefined || one.from > lines.last) continue;
    const isAlone = other === undefined || other.from > lines.last;
    const isSame = one.from === lines.first && one.to === lines.last && one.lines === text;
    if (!isAlone || !isSame) blocked.push(at);
  }
  return blocked;
}

/** What exists at a file name. */
export interface PathState {
  readonly live: PathContent;
  readonly info: PathInfo;
}

export type PathLookup = (file: FileName) => PathState;

/** What one call did to one file, to be reversed. */
export interface Reversal {
  readonly call: string;
  readonly proposal: string;
  /** The index of what it reverses in the writes of the proposal. */
  readonly write: number;
  /**
   * Leads from what the call left to what it found, or vice versa. Its confirmations were given when it was carried
   * out.
   */
  readonly change: FileChange;
  readonly hunks: readonly ReversedHunk[];
}

/** A part that cannot be reversed, and why. `reversal.change` holds only what would have been done for that part. */
export interface LeftReversal {
  readonly reversal: Reversal;
  readonly why: Message;
}

/** Which hunks of what was written for a call are reversed. */
export type Reversed = Omit<Reversal, "change">;

export interface ReversalPlan {
  /** In an order in which they can be carried out. */
  readonly changes: readonly FileChange[];
  /** What is reversed once these changes are carried out, or was already. */
  readonly reversed: readonly Reversed[];
  readonly left: readonly LeftReversal[];
}

/** The simulated state of a file. */
interface Tried {
  readonly live: PathContent;
  /** The file it originates from; absent for a new one. */
  readonly from?: FileName | undefined;
  /** The edits that lead here from the current text, if nothing else was done to it. */
  readonly edits?: readonly LineEdit[] | undefined;
  /** Nobody has typed into it since. */
  readonly isExact: boolean;
  readonly asked: readonly Message[];
}

interface ReversalQuestion {
  readonly reversals: readonly Reversal[];
  /** Every file that they name, by `keyOf`. */
  readonly files: ReadonlyMap<string, PathState & { readonly name: string }>;
}

/** The task for texts of any length. */
export const reversing = {
  name: "reverse",
  run({ reversals, files }: ReversalQuestion): ReversalPlan {
    const find = (file: FileName) => {
      const found = files.get(keyOf(file));
      if (found === undefined) throw new Error("A file of a reversal was not looked up.");
      return found;
    };
    return planReverse(reversals, find, (file) => find(file).name);
  },
};

/** Applies the reversals one after the other, each on the result of the previous ones. */
export function planReverse(
  reversals: readonly Reversal[],
  lookUp: PathLookup,
  nameOf: (file: FileName) => string,
): ReversalPlan {
  const tried = new Map<string, Tried & { readonly file: FileName }>();
  const at = (file: FileName): Tried =>
    tried.get(keyOf(file)) ?? { live: lookUp(file).live, from: file, isExact: true, asked: [] };
  const put = (file: FileName, to: Tried) => void tried.set(keyOf(file), { ...to, file });
  const reversed: Reversed[] = [];
  const left: LeftReversal[] = [];
  for (const reversal of reversals) {
    const done = tryOne(reversal);
    if (done.left !== undefined) left.push(done.left);
    // Without its texts, which the thread would have to copy back.
    if (done.reversed !== undefined) {
      const { change: _, ...rest } = done.reversed;
      reversed.push(rest);
    }
  }
  return { changes: changesTo([...tried.values()], lookUp), reversed, left };

  function tryOne(reversal: Reversal): {
    readonly reversed?: Reversal | undefined;
    readonly left?: LeftReversal | undefined;
  } {
    const { change } = reversal;
    const { file } = change;
    const here = at(file);
    const { live } = here;
    const stays = (why: Message) => ({ left: { reversal, why } });
    const name = nameOf(file);
    const asked = [...here.asked, ...change.permission.reasons];
    if (change.kind === "add") {
      if (live.kind === "text" && live.text === change.text) return { reversed: reversal };
      if (live.kind !== "nothing") return stays(message("editsTaken", { name }));
      put(file, { ...here, live: { kind: "text", text: change.text }, edits: undefined, asked });
      return { reversed: reversal };
    }
    if (change.kind === "delete") {
      if (live.kind === "nothing") return { reversed: reversal };
      if (live.kind !== "text" || live.text !== change.base.text)
        return stays(message("editsGrown", { name }));
      put(file, { ...here, live: { kind: "nothing" }, asked });
      return { reversed: reversal };
    }
    const target = change.kind === "move" && !isSameFile(change.to, file) ? at(change.to) : undefined;
    const text = applyEdits(change.base.text, change.edits);
    if (target !== undefined && change.kind === "move" && target.live.kind !== "nothing") {
      if (live.kind === "nothing" && target.live.kind === "text" && target.live.text === text)
        return { reversed: reversal };
      return stays(message("editsTaken", { name: nameOf(change.to) }));
    }
    if (live.kind === "nothing") return stays(message("editsMissing", { name }));
    if (live.kind === "other") return stays(message("editsNoText", { name }));
    const {
      taken,
      text: after,
      edits,
    } = reverseEdits({ from: change.base.text, edits: change.edits }, reversal.hunks, live.text);
    const kept = new Set(taken);
    const rest = reversal.hunks.filter((hunk) => !kept.has(hunk));
    const origin = here.from ?? file;
    const isRenamed = !isSameFile(origin, target !== undefined && change.kind === "move" ? change.to : file);
    if (isNotebook(file.path) && isRenamed && !isSameText(lookUp(origin).live, after))
      return stays(message("editsNotebookTwice", { name }));
    // A move is reversed completely or not at all.
    if (target !== undefined && rest.length > 0) return stays(message("editsTouched", { name }));
    const isFirst = here.edits === undefined && isSameText(lookUp(here.from ?? file).live, live.text);
    const to: Tried = {
      ...here,
      live: { kind: "text", text: after },
      edits: isFirst && here.from !== undefined ? edits : undefined,
      isExact: here.isExact && live.text === change.base.text,
      asked,
    };
    if (target !== undefined && change.kind === "move") {
      put(change.to, to);
      put(file, { live: { kind: "nothing" }, isExact: true, asked });
    } else if (after !== live.text) put(file, to);
    if (rest.length === 0) return { reversed: reversal };
    const own = new Set(rest.flatMap((hunk) => hunk.edits));
    const numbers = new Map([...own].sort((one, other) => one - other).map((edit, number) => [edit, number]));
    const rests = rest.map((hunk) => ({
      ...hunk,
      edits: hunk.edits.flatMap((edit) => numbers.get(edit) ?? []),
    }));
    const restOfChange = { ...change, edits: change.edits.filter((_, edit) => own.has(edit)) };
    return {
      reversed: taken.length === 0 ? undefined : { ...reversal, hunks: taken },
      left: {
        reversal: { ...reversal, change: restOfChange, hunks: rests },
        why: message("editsTouched", { name }),
      },
    };
  }
}

const isSameText = (live: PathContent, text: string): boolean => live.kind === "text" && live.text === text;

function changesTo(
  tried: readonly (Tried & { readonly file: FileName })[],
  lookUp: PathLookup,
): readonly FileChange[] {
  const changes: FileChange[] = [];
  const isThere = ({ live }: Tried) => live.kind === "text";
  /** Files that have another name in the end. */
  const moved = new Set(
    tried.flatMap((each) =>
      isThere(each) && each.from !== undefined && !isSameFile(each.from, each.file) ? [keyOf(each.from)] : [],
    ),
  );
  for (const each of tried) {
    const { file, live: now } = each;
    const { live: before, info } = lookUp(file);
    const isFreed = moved.has(keyOf(file));
    if (now.kind !== "text") {
      if (before.kind !== "text" || isFreed) continue;
      const base = { text: before.text, sha256: hashOf(before.text), version: undefined };
      changes.push({ kind: "delete", file, permission: permissionOf(each, info), base });
      continue;
    }
    const isOwn = each.from !== undefined && isSameFile(each.from, file);
    const from = each.from !== undefined && !isOwn ? each.from : file;
    const { live: source, info: there } = lookUp(from);
    if (source.kind !== "text" || (from === file && isFreed)) {
      changes.push({ kind: "add", file, permission: permissionOf(each, info), text: now.text });
      continue;
    }
    const base = { text: source.text, sha256: hashOf(source.text), version: undefined };
    const edits = each.edits ?? lineEdits(source.text, now.text);
    const common = { file: from, permission: permissionOf(each, there), base, edits, hunks: [] };
    if (from !== file) changes.push({ kind: "move", ...common, to: file, toReal: info.real ?? file.path });
    else if (source.text !== now.text) changes.push({ kind: "update", ...common });
  }
  return orderOfWork(changes);
}

/** Drops the confirmations the person already gave when the change was carried out. */
function permissionOf({ file, isExact, asked }: Tried & { readonly file: FileName }, standing: PathInfo) {
  const real = standing.real ?? file.path;
  const now = permissionFor(file, standing);
  // If the file may no longer be written, applying the change reports that.
  if (isExact || now.verdict === "deny") return { verdict: "allow", reasons: [], real } as const;
  const known = new Set(asked.map((reason) => JSON.stringify(reason)));
  const reasons = now.reasons.filter((reason) => !known.has(JSON.stringify(reason)));
  return { ...now, verdict: reasons.length > 0 ? ("confirm" as const) : ("allow" as const), reasons };
}

// Which files were changed in one step, by hash before and after, so that the editor's own Undo and Redo can be
// recognized from the file contents alone.

/** The editor's own Undo is not expected to reach further back. */
const maxSteps = 100;

export const withStep = (steps: readonly Step[], step: Step): readonly Step[] =>
  [...steps, step].slice(-maxSteps);

export const hashedFilesOf = (
  changes: readonly FileChange[],
  hash: (text: string) => string,
): Step["files"] => changes.flatMap((change) => hashesOf(change, hash));

export const stepsNear = (steps: readonly Step[], file: FileName): readonly Step[] =>
  steps.filter(({ files }) => files.some((each) => isSameFile(each.file, file)));

/** The steps that an Undo or Redo has reversed, given that it has changed this file. */
export function findReversedSteps(
  steps: readonly Step[],
  file: FileName,
  by: "undo" | "redo" | undefined,
  lookUp: PathLookup,
): readonly Step[] {
  const near = stepsNear(steps, file);
  const done = near.filter(({ isDone }) => isDone).toReversed();
  // Undo starts with the newest step: while that is still in the files, nothing was undone, whatever the texts look
  // like.
  const back = by === "redo" ? [] : findStepsAtSide("before", done, lookUp);
  const undone = near.filter(({ isDone }) => !isDone);
  const again = by === "undo" || back.length > 0 ? [] : findStepsAtSide("after", undone, lookUp);
  return [...back, ...again];
}

/** The first steps up to the one whose state the files are in; several may have been reversed at once. */
function findStepsAtSide(
  side: "before" | "after",
  steps: readonly Step[],
  lookUp: PathLookup,
): readonly Step[] {
  const [first] = steps;
  const other = side === "before" ? "after" : "before";
  if (first === undefined || holds(first.files, other, lookUp)) return [];
  const files = new Map<string, Step["files"][number]>();
  for (const [at, step] of steps.entries()) {
    for (const each of step.files) files.set(JSON.stringify(each.file), each);
    if (holds([...files.values()], side, lookUp)) return steps.slice(0, at + 1);
  }
  return [];
}

function holds(files: Step["files"], side: "before" | "after", lookUp: PathLookup): boolean {
  return files.every(({ file, ...hashes }) => {
    const { live } = lookUp(file);
    if (live.kind === "other") return false;
    return (live.kind === "text" ? hashOf(live.text) : undefined) === hashes[side];
  });
}

function hashesOf(change: FileChange, hash: (text: string) => string): Step["files"] {
  const after = stateAfter(change);
  const from = { file: change.file, ...("base" in change && { before: change.base.sha256 }) };
  if (change.kind === "move" && after) return [from, { file: after.file, after: hash(after.text) }];
  return [{ ...from, ...(after && { after: hash(after.text) }) }];
}
