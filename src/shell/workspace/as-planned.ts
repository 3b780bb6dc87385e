// Whether files still are what a plan was made for, and may be written: asked before anything is done, and once more
// just before it is. Looks only.

import type { Workspace } from "../../core/changes/workspace.ts";
import type { Message } from "../../core/messages/message.ts";
import type { FileChange, FileName } from "../../core/patch/model.ts";
import { toUri } from "./file-uris.ts";
import { refuseReadOnly } from "./read-only.ts";

type World = Pick<Workspace, "look" | "read" | "sha256">;

/** The same file at the same real path, and nothing where something new is to stand. */
export async function areAsPlanned(changes: readonly FileChange[], world: World): Promise<boolean> {
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
  { look, read, sha256 }: World,
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

/** Why the first that cannot be written cannot. */
export async function findRefusal(
  changes: readonly FileChange[],
  { look }: World,
): Promise<Message | undefined> {
  for (const change of changes) {
    const { writable } = await look(change.file);
    const why = refuseReadOnly(toUri(change.file), writable);
    if (why !== undefined) return why;
  }
  return undefined;
}
