// Carries out a plan in the editor: looked at once more, then one WorkspaceEdit, so that one Undo takes it back. All
// of it or none: VS Code stops where a step fails and leaves the rest, so what was done until then is put back here.
import * as vscode from "vscode";
import type { FileChange, FileName } from "../../core/patch/model.ts";
import { HumanError } from "../../core/util/human-error.ts";
import type { Applied, Workspace } from "../../core/workspace.ts";
import { Deleted } from "./deleted.ts";
import { toUri } from "./places.ts";
import { leadsAway, putBack } from "./put-back.ts";
import { refuseReadOnly } from "./read-only.ts";
import { rebase } from "./rebase.ts";
import { bytesAt, isSame, liveDocument, nameOf, type Standpoint, takeStandpoint } from "./standpoint.ts";
import { toWorkspaceEdit } from "./workspace-edit.ts";

export interface ApplyNeeds {
  readonly world: Pick<Workspace, "look" | "read" | "sha256">;
  /** Asks about sensitive files, outside of everything that a model could imitate. */
  agree(changes: readonly FileChange[]): Promise<boolean>;
  savesAfterApply(uri: vscode.Uri): boolean;
}

/** One at a time: what the second finds is what the first has left. */
export function createApply(needs: ApplyNeeds): Workspace["apply"] {
  const deleted = new Deleted();
  let last: Promise<unknown> = Promise.resolve();
  return (changes, label) => {
    const next = last.then(() => apply(changes, label, needs, deleted));
    last = next.catch(() => undefined);
    return next;
  };
}

const mostAttempts = 20;

const refused = (why: string): Applied => ({ outcome: "refused", why });
const stale: Applied = { outcome: "stale" };

async function apply(
  changes: readonly FileChange[],
  label: string,
  needs: ApplyNeeds,
  deleted: Deleted,
): Promise<Applied> {
  const t = vscode.l10n.t;
  if (!vscode.workspace.isTrusted) return refused(t("Nothing is changed in Restricted Mode."));
  if (!(await areAsPlanned(changes, needs.world))) return stale;
  const why = await findRefusal(changes, needs.world);
  if (why !== undefined) return refused(why);
  if (!(await needs.agree(changes).catch(() => false))) return { outcome: "declined" };
  try {
    const points = await takeStandpoints(changes, deleted);
    const unsaved = points.find(({ change, wasClean }) => change.kind === "delete" && !wasClean);
    if (unsaved !== undefined)
      return refused(t("{0} has unsaved changes, which would be lost with it.", nameOf(unsaved.uri)));
    // Once more: a person may have taken their time, and a link may have been turned elsewhere.
    if (!(await areAsPlanned(changes, needs.world))) return stale;
    for (let attempt = 1; ; attempt++) {
      const applied = await carryOut(points, label, needs, deleted);
      // A key on its way crossed the edit, and VS Code refused it: nothing was done, and the next moment is as good.
      if (applied !== "crossed") return applied;
      if (attempt === mostAttempts || !(await areAsPlanned(changes, needs.world))) return stale;
    }
  } catch (error) {
    if (error instanceof HumanError) return refused(error.message);
    throw error;
  }
}

/** VS Code keeps so many documents open that nobody shows; of more at once it closes the first before it tells of it. */
const mostOpened = 50;

async function takeStandpoints(changes: readonly FileChange[], deleted: Deleted): Promise<Standpoint[]> {
  const points: Standpoint[] = [];
  const atOnce = mostOpened / 2;
  for (let at = 0; at < changes.length; at += atOnce) {
    const next = changes.slice(at, at + atOnce);
    points.push(...(await Promise.all(next.map((change) => takeStandpoint(change, deleted.find)))));
  }
  return points;
}

async function carryOut(
  planned: readonly Standpoint[],
  label: string,
  needs: ApplyNeeds,
  deleted: Deleted,
): Promise<Applied | "crossed"> {
  const newFolders = await foldersToCome(planned);
  if (!(await areStillRead(planned))) return stale;
  // From here to applyEdit nothing may wait: VS Code itself refuses what is typed after it.
  const points = planned.map(ontoDocument).filter((point) => point !== undefined);
  if (points.length < planned.length) return stale;
  const done = await vscode.workspace.applyEdit(toWorkspaceEdit(points, label)).then(
    (applied) => applied,
    () => false,
  );
  if (done && (await haveLandedWhereMeant(points, needs.world))) {
    deleted.remember(points);
    await save(points.filter(({ change, uri }) => change.kind !== "delete" && needs.savesAfterApply(uri)));
    return { outcome: "applied" };
  }
  const crossed = !done && points.some(hasTypingOnly);
  const left = await putBack(points, newFolders, needs.world.look);
  const changes = points.map(({ change }) => change);
  if (left.length > 0) {
    const sentence = "The editor stopped in the middle, and {0} changed meanwhile and could not be put back.";
    return refused(vscode.l10n.t(sentence, left.join(", ")));
  }
  if (crossed) return "crossed";
  if (!(await areAsPlanned(changes, needs.world))) return stale;
  return refused(vscode.l10n.t("The editor refused the edit; everything is as it was."));
}

/** The same file at the same real path, and nothing where something new is to stand. */
async function areAsPlanned(changes: readonly FileChange[], world: ApplyNeeds["world"]): Promise<boolean> {
  const freed = new Set<string>();
  for (const change of changes) {
    if (!(await isAsPlanned(change, freed, world))) return false;
    if (change.kind === "delete" || change.kind === "move") freed.add(keyOf(change.file));
  }
  return true;
}

const keyOf = ({ folder, path }: FileName): string => `${folder}\0${path}`;

async function isAsPlanned(
  change: FileChange,
  freed: ReadonlySet<string>,
  { look, read, sha256 }: ApplyNeeds["world"],
): Promise<boolean> {
  const isFree = async (file: FileName, real: string) => {
    if (freed.has(keyOf(file))) return true;
    const standing = await look(file);
    return standing.kind === "nothing" && standing.real === real;
  };
  if (change.kind === "add") return isFree(change.file, change.permission.real);
  const standing = await look(change.file);
  if (standing.kind !== "file" || standing.real !== change.permission.real) return false;
  if (change.kind === "move" && !(await isFree(change.to, change.toReal))) return false;
  // A text that is edited is compared with its document, at the last moment.
  if (change.kind !== "delete") return true;
  const reading = await read(change.file);
  return reading.kind === "text" && sha256(reading.text) === change.base.sha256;
}

async function findRefusal(
  changes: readonly FileChange[],
  { look }: ApplyNeeds["world"],
): Promise<string | undefined> {
  for (const change of changes) {
    const { writable } = await look(change.file);
    const why = refuseReadOnly(toUri(change.file), writable);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** A document that VS Code has closed since is what its file is. */
async function areStillRead(points: readonly Standpoint[]): Promise<boolean> {
  for (const point of points) {
    if (liveDocument(point)?.isClosed !== true) continue;
    const now = await bytesAt(point.uri);
    if (now === undefined || point.bytes === undefined || !isSame(now, point.bytes)) return false;
  }
  return true;
}

/** On the text as it is in this moment; nothing where somebody has typed into what would be changed. */
function ontoDocument(point: Standpoint): Standpoint | undefined {
  const { change } = point;
  const document = liveDocument(point);
  if (document === undefined || !("edits" in change)) return point;
  const now = rebase(change, document.getText());
  return now && { ...point, document, change: now };
}

/** Somebody has typed since, and the edit is not in the text. */
function hasTypingOnly(point: Standpoint): boolean {
  const { change } = point;
  const document = liveDocument(point);
  if (document === undefined || !("edits" in change)) return false;
  const now = document.getText();
  return now !== change.base.text && rebase(change, now) !== undefined;
}

/** A folder on the way may have been swapped for a link in the last moment (threats C6). */
async function haveLandedWhereMeant(
  points: readonly Standpoint[],
  { look }: ApplyNeeds["world"],
): Promise<boolean> {
  for (const { change, to, bytes } of points) {
    const [file, real] =
      change.kind === "move" ? [change.to, change.toReal] : [change.file, change.permission.real];
    const standing = await look(file);
    if (change.kind === "delete") {
      if (leadsAway(standing)) return false;
      continue;
    }
    if (standing.kind !== "file" || standing.real !== real) return false;
    if (change.kind !== "move" || change.edits.length > 0 || to === undefined) continue;
    const moved = await bytesAt(to);
    if (moved === undefined || bytes === undefined || !isSame(moved, bytes)) return false;
  }
  return true;
}

/** Only what was clean before, and only where saving would change nothing else. */
async function save(points: readonly Standpoint[]): Promise<void> {
  for (const { change, uri, to, wasClean, isFaithful } of points) {
    if (!("edits" in change) || change.edits.length === 0 || !wasClean || !isFaithful) continue;
    const document = await vscode.workspace.openTextDocument(to ?? uri);
    await document.save();
  }
}

/** Folders that the edit will make, outermost first. */
async function foldersToCome(points: readonly Standpoint[]): Promise<vscode.Uri[]> {
  const found = new Map<string, vscode.Uri>();
  for (const { change, uri, to } of points) {
    if (change.kind !== "add" && change.kind !== "move") continue;
    const missing: vscode.Uri[] = [];
    let folder = vscode.Uri.joinPath(to ?? uri, "..");
    while (!found.has(folder.toString()) && !(await exists(folder))) {
      missing.unshift(folder);
      folder = vscode.Uri.joinPath(folder, "..");
    }
    for (const one of missing) found.set(one.toString(), one);
  }
  return [...found.values()];
}

function exists(uri: vscode.Uri): Thenable<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
