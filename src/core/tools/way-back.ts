// The way back from changes that were carried out: exact where a file still is what they left, found again by its
// lines where somebody has typed since, and refused where it would take something of theirs along. Writes nothing.

import { HumanError } from "../messages/human-error.ts";
import { message } from "../messages/message.ts";
import { MessageError } from "../messages/message-error.ts";
import type { FileChange, FileName } from "../patch/model.ts";
import { PatchError } from "../patch/patch-error.ts";
import { planPatch } from "../patch/plan.ts";
import { printPatch } from "../patch/print.ts";
import { reverseChanges } from "../patch/reverse.ts";
import type { Workspace } from "../workspace.ts";
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
  if (change.edits.length === 0)
    return { ...change, base: { text, sha256: workspace.sha256(text), version: undefined } };
  return replanned(change, nameOf, workspace);
}

/** The same lines, wherever they stand now. */
async function replanned(
  change: Extract<FileChange, { kind: "update" | "move" }>,
  nameOf: (file: FileName) => string,
  workspace: Workspace,
): Promise<FileChange> {
  try {
    const plan = await planPatch(printPatch([change], nameOf), workspace, { complete: true });
    const [found] = plan.changes;
    if (found !== undefined && found.kind === change.kind) return found;
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
  }
  throw new HumanError(
    `${nameOf(change.file)} has been changed in the same lines since; nothing was taken back.`,
  );
}
