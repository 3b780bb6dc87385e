// What waits, in VS Code's own Refactor Preview: a native list with a checkbox per change, made for keyboard and screen
// reader. It is shown copies; what was ticked there is read off them and decided on the desk, so that everything that
// guards an edit guards this one, too.
import * as vscode from "vscode";
import { amend } from "../../core/tools/amend.ts";
import { hasHunks, hunkName } from "../../core/tools/patch-view.ts";
import type { Desk } from "./desk.ts";
import type { PatchInReview } from "./patches.ts";
import { previewScheme, type ScratchFiles } from "./scratch-files.ts";
import type { ShownChange } from "./shown-change.ts";
import { takenIn, type Unit, unitsOf } from "./units.ts";

/** One change as it is tried out. */
interface Trial {
  readonly shown: ShownChange;
  readonly from: vscode.Uri;
  readonly to: vscode.Uri;
  readonly base: string;
  readonly units: readonly Unit[];
}

/** False when nothing was taken: the person closed the preview, or ticked nothing. */
export async function previewPatches(
  patches: readonly PatchInReview[],
  desk: Desk,
  scratch: ScratchFiles,
): Promise<boolean> {
  scratch.register();
  const edit = new vscode.WorkspaceEdit();
  const trials: Trial[] = [];
  try {
    for (const { call, turnNumber } of patches)
      for (const shown of desk.shown(call)) trials.push(await lay(shown, turnNumber, edit, scratch));
    if (trials.length === 0 || !(await vscode.workspace.applyEdit(edit))) return false;
    const taken = new Map<string, string[]>();
    for (const trial of trials) {
      const { call } = trial.shown;
      taken.set(call, [...(taken.get(call) ?? []), ...(await takenOf(trial, scratch))]);
    }
    for (const [call, hunks] of taken) if (hunks.length > 0) desk.take({ call, hunks });
    return [...taken.values()].some((hunks) => hunks.length > 0);
  } finally {
    await forget(scratch);
  }
}

async function lay(
  shown: ShownChange,
  turn: number,
  edit: vscode.WorkspaceEdit,
  scratch: ScratchFiles,
): Promise<Trial> {
  const { call, path, edited } = shown;
  const change = edited === undefined ? shown.change : amend(shown.change, edited);
  const uri = (name: string) => vscode.Uri.from({ scheme: previewScheme, path: `/${name}`, query: call });
  const [from, to] = [uri(path), uri(shown.to)];
  const told = { needsConfirmation: true, label: vscode.l10n.t("Turn {0}: proposed edits", turn) };
  const trial = { shown, from, to, base: "", units: [] };
  if (change.kind === "add") {
    edit.createFile(from, { contents: Buffer.from(change.text) }, told);
    return trial;
  }
  const base = change.base.text;
  scratch.put(from, base);
  if (change.kind === "delete") {
    edit.deleteFile(from, {}, told);
    return { ...trial, base };
  }
  const units = unitsOf(base, change.edits);
  const document = await vscode.workspace.openTextDocument(from);
  for (const { start, end, text } of units) {
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    edit.replace(from, range, text, told);
  }
  if (change.kind === "move") edit.renameFile(from, to, {}, told);
  return { ...trial, base, units };
}

/** The hunks that are in the copy now. */
async function takenOf({ shown, from, to, base, units }: Trial, scratch: ScratchFiles): Promise<string[]> {
  const { change, path, edited } = shown;
  const whole = [hunkName(path)];
  if (change.kind === "add") return scratch.has(from) ? whole : [];
  if (change.kind === "delete") return scratch.has(from) ? [] : whole;
  // A file that was to move and does not is not edited either: nobody has seen it edited where it is.
  if (change.kind === "move" && !scratch.has(to)) return [];
  const names = hasHunks(change) ? change.hunks.map((_, hunk) => hunkName(path, hunk)) : whole;
  const document = await vscode.workspace.openTextDocument(change.kind === "move" ? to : from);
  const taken = takenIn(base, units, document.getText());
  // What a person has written as one text is taken as one.
  if (edited !== undefined || !hasHunks(change)) return taken?.every((each) => each) === true ? names : [];
  const hunks = units.flatMap((unit, index) => (taken?.[index] === true ? unit.hunks : []));
  return hunks.map((hunk) => hunkName(path, hunk));
}

/** Saved first, or VS Code would ask what to do with the copies. */
async function forget(scratch: ScratchFiles): Promise<void> {
  for (const document of vscode.workspace.textDocuments)
    if (document.uri.scheme === previewScheme && document.isDirty) await document.save();
  scratch.clear();
}
