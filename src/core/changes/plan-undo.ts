// The way back from changes that were carried out: exact where a file still is what they left, merged with what somebody
// has typed since, and refused where it would take something of theirs along. Writes nothing. Pure.

import { lineEdits } from "../diff/line-edits.ts";
import { merge3 } from "../diff/merge.ts";
import { message } from "../messages/message.ts";
import { MessageError } from "../messages/message-error.ts";
import { applyEdits } from "../patch/edits.ts";
import type { FileChange, FileName, Standing } from "../patch/model.ts";
import { permit } from "../patch/paths.ts";
import { rebase } from "../patch/rebase.ts";
import { reverseChanges } from "../patch/reverse.ts";
import { isSameFile, type Live } from "./proposal.ts";
import { hashOf } from "./text-store.ts";

/** What stands at a name. */
export interface Stand {
  readonly live: Live;
  readonly standing: Standing;
}

export type Stands = (file: FileName) => Stand;

/** @throws HumanError when a file has become something else. What Undo has taken back already is left out. */
export function planUndo(
  applied: readonly FileChange[],
  stands: Stands,
  nameOf: (file: FileName) => string,
): readonly FileChange[] {
  const freed: FileName[] = [];
  const back: FileChange[] = [];
  for (const [at, change] of reverseChanges(applied, hashOf).entries()) {
    const original = applied[applied.length - 1 - at];
    if (original !== undefined && isBack(original, stands)) continue;
    back.push(unasked(onto(change, freed, stands, nameOf), change));
    if (change.kind === "delete" || change.kind === "move") freed.push(change.file);
  }
  return back;
}

/** What a person was asked about when this was carried out is not asked about again. */
function unasked(change: FileChange, { permission: asked }: FileChange): FileChange {
  const known = new Set(asked.reasons.map((reason) => JSON.stringify(reason)));
  const reasons = change.permission.reasons.filter((reason) => !known.has(JSON.stringify(reason)));
  const verdict = reasons.length > 0 ? "confirm" : "allow";
  return { ...change, permission: { ...change.permission, verdict, reasons } };
}

/** The files are as they were before this change. */
function isBack(change: FileChange, stands: Stands): boolean {
  const { live } = stands(change.file);
  if (change.kind === "add") return live.kind === "nothing";
  if (change.kind === "move" && stands(change.to).live.kind !== "nothing") return false;
  return live.kind === "text" && live.text === change.base.text;
}

function onto(
  change: FileChange,
  freed: readonly FileName[],
  stands: Stands,
  nameOf: (file: FileName) => string,
): FileChange {
  const name = nameOf(change.file);
  const target = change.kind === "add" ? change.file : change.kind === "move" ? change.to : undefined;
  const isFree = (file: FileName) => freed.some((each) => isSameFile(each, file));
  if (target !== undefined && !isFree(target) && stands(target).live.kind !== "nothing")
    throw new MessageError(message("editsTaken", { name: nameOf(target) }));
  const here = whereItLies(change, stands);
  if (here.kind === "add") return here;
  const { live, standing } = stands(change.file);
  if (live.kind === "nothing") throw new MessageError(message("editsMissing", { name }));
  if (live.kind === "text" && live.text === here.base.text) return here;
  if (here.kind === "delete") throw new MessageError(message("editsGrown", { name }));
  if (live.kind === "other") throw new MessageError(message("editsNoText", { name }));
  return merged(here, live.text, name, standing);
}

function whereItLies(change: FileChange, stands: Stands): FileChange {
  const realOf = (file: FileName) => stands(file).standing.real ?? file.path;
  const permission = { ...change.permission, real: realOf(change.file) };
  return change.kind === "move"
    ? { ...change, permission, toReal: realOf(change.to) }
    : { ...change, permission };
}

/** Backwards from what it made, beside what was typed since. */
function merged(
  change: Extract<FileChange, { kind: "update" | "move" }>,
  live: string,
  name: string,
  standing: Standing,
): FileChange {
  const base = { text: live, sha256: hashOf(live), version: undefined };
  const now = permit(change.file, standing);
  // Where it may not be written any more, applying it says so.
  const permission = now.verdict === "deny" ? change.permission : now;
  // The common case, which needs no comparison of lines: typed in one place, and apart from all that was changed.
  const moved = rebase(change, live);
  if (moved !== undefined) return { ...moved, base, permission };
  const { text: made } = change.base;
  const { text, conflicts } = merge3(made, live, applyEdits(made, change.edits));
  if (conflicts.length > 0) throw new MessageError(message("editsTouched", { name }));
  return { ...change, base, permission, edits: lineEdits(live, text) };
}
