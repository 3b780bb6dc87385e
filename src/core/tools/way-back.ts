// The way back from changes that were carried out: exact where a file still is what they left, merged with what somebody
// has typed since, and refused where it would take something of theirs along. Writes nothing.

import { merge3 } from "../changes/merge.ts";
import { message } from "../messages/message.ts";
import { MessageError } from "../messages/message-error.ts";
import { applyEdits } from "../patch/edits.ts";
import type { FileChange, FileName } from "../patch/model.ts";
import { permit } from "../patch/paths.ts";
import { rebase } from "../patch/rebase.ts";
import { reverseChanges } from "../patch/reverse.ts";
import type { Workspace } from "../workspace.ts";
import { lineEdits } from "./line-edits.ts";
import { pathOf } from "./locate.ts";

/** @throws HumanError when a file has become something else. What Undo has taken back already is left out. */
export async function wayBack(
  applied: readonly FileChange[],
  workspace: Workspace,
): Promise<readonly FileChange[]> {
  const freed = new Set<string>();
  const back: FileChange[] = [];
  const reversed = reverseChanges(applied, workspace.sha256);
  for (const [at, change] of reversed.entries()) {
    const original = applied[applied.length - 1 - at];
    if (original !== undefined && (await isBack(original, workspace))) continue;
    back.push(unasked(await onto(change, freed, workspace), change));
    if (change.kind === "delete" || change.kind === "move") freed.add(keyOf(change.file));
  }
  return back;
}

/** What a person was asked about when this was carried out is not asked about again. */
function unasked(change: FileChange, { permission: asked }: FileChange): FileChange {
  const reasons = change.permission.reasons.filter((reason) => !asked.reasons.includes(reason));
  const verdict = reasons.length > 0 ? "confirm" : "allow";
  return { ...change, permission: { ...change.permission, verdict, reasons } };
}

/** The files are as they were before this change. */
export async function isBack(
  change: FileChange,
  workspace: Pick<Workspace, "look" | "read" | "sha256">,
): Promise<boolean> {
  const { kind } = await workspace.look(change.file);
  if (change.kind === "add") return kind === "nothing";
  if (kind !== "file") return false;
  if (change.kind === "move" && (await workspace.look(change.to)).kind !== "nothing") return false;
  const reading = await workspace.read(change.file);
  return reading.kind === "text" && workspace.sha256(reading.text) === change.base.sha256;
}

const keyOf = ({ folder, path }: FileName): string => `${folder}\0${path}`;

async function onto(
  change: FileChange,
  freed: ReadonlySet<string>,
  workspace: Workspace,
): Promise<FileChange> {
  const nameOf = (file: FileName) => pathOf(file, workspace.folders);
  const name = nameOf(change.file);
  const isTaken = async (file: FileName) =>
    !freed.has(keyOf(file)) && (await workspace.look(file)).kind !== "nothing";
  const target = change.kind === "add" ? change.file : change.kind === "move" ? change.to : undefined;
  if (target !== undefined && (await isTaken(target)))
    throw new MessageError(message("editsTaken", { name: nameOf(target) }));
  if (change.kind === "add") return change;
  if ((await workspace.look(change.file)).kind !== "file")
    throw new MessageError(message("editsMissing", { name }));
  const reading = await workspace.read(change.file);
  const text = reading.kind === "text" ? reading.text : undefined;
  if (text !== undefined && workspace.sha256(text) === change.base.sha256) return change;
  if (change.kind === "delete") throw new MessageError(message("editsGrown", { name }));
  if (text === undefined) throw new MessageError(message("editsNoText", { name }));
  return merged(change, text, nameOf, workspace);
}

/** Backwards from what it made, beside what was typed since. */
async function merged(
  change: Extract<FileChange, { kind: "update" | "move" }>,
  live: string,
  nameOf: (file: FileName) => string,
  { look, sha256 }: Pick<Workspace, "look" | "sha256">,
): Promise<FileChange> {
  const base = { text: live, sha256: sha256(live), version: undefined };
  const now = permit(change.file, await look(change.file));
  // Where it may not be written any more, applying it says so.
  const permission = now.verdict === "deny" ? change.permission : now;
  // The common case, which needs no comparison of lines: typed in one place, and apart from all that was changed.
  const moved = rebase(change, live);
  if (moved !== undefined) return { ...moved, base, permission };
  const { text: made } = change.base;
  const { text, conflicts } = merge3(made, live, applyEdits(made, change.edits));
  if (conflicts > 0) throw new MessageError(message("editsTouched", { name: nameOf(change.file) }));
  return { ...change, base, permission, edits: lineEdits(live, text) };
}
