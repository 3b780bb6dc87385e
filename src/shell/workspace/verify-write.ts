// What an edit has come to, seen after it: whether everything stands where it was meant to, and what may have been led
// elsewhere by a folder that somebody turned while VS Code wrote (threats C6). Looks only.

import type { Workspace } from "../../core/changes/workspace.ts";
import type { FileChange } from "../../core/patch/model.ts";
import { bytesAt, isSame, nameOf, type PreEditState } from "./pre-edit-state.ts";
import { leadsAway, lookAgain } from "./put-back.ts";

type World = Pick<Workspace, "look">;

/** A folder on the way may have been swapped for a link in the last moment. */
export async function haveLandedWhereMeant(states: readonly PreEditState[], world: World): Promise<boolean> {
  for (const { change, to, bytes } of states) {
    if (!(await isWhereMeant(change, world))) return false;
    if (change.kind !== "move" || change.edits.length > 0 || to === undefined) continue;
    const moved = await bytesAt(to);
    if (moved === undefined || bytes === undefined || !isSame(moved, bytes)) return false;
  }
  return true;
}

/** The file, or nothing where one was deleted, really is at the place that was looked at. */
export async function isWhereMeant(change: FileChange, world: World): Promise<boolean> {
  if (change.kind === "delete") return !(await leadsAway(change.file, world));
  const [file, real] =
    change.kind === "move" ? [change.to, change.toReal] : [change.file, change.permission.real];
  const standing = await lookAgain(file, world);
  return standing?.kind === "file" && standing.real === real;
}

/** What VS Code says it has written, and nobody finds: the folder was turned away, and perhaps back, around the write. */
export async function findRedirected(states: readonly PreEditState[], world: World): Promise<string[]> {
  const redirected: string[] = [];
  for (const { change, uri, to, contents } of states) {
    const place = to ?? (contents === undefined ? undefined : uri);
    if (place === undefined) continue;
    if ((await bytesAt(place)) === undefined || !(await isWhereMeant(change, world)))
      redirected.push(nameOf(place));
  }
  return redirected;
}
