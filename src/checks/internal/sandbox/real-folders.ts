// Folders of a copy on which a command has run. It may have left links there, which would lead our own mkdir or rm, or
// bubblewrap, elsewhere.
import type { Stats } from "node:fs";
import { lstat, mkdir, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { removeTree } from "./remove-tree.ts";

/**
 * Prepares a mount point in a copy. Makes every part of the path a real folder in the copy, and the last one a file if
 * a file is to be mounted.
 */
export async function prepareMountPoint(copy: string, path: string, kind: "folder" | "file"): Promise<void> {
  let place = copy;
  const parts = path.split(sep);
  for (const [index, part] of parts.entries()) {
    place = join(place, part);
    const wanted = index === parts.length - 1 ? kind : "folder";
    const stats = await statsOf(place);
    if (wanted === "folder" ? stats?.isDirectory() : stats?.isFile()) continue;
    if (stats !== undefined) await removeTree(place);
    if (wanted === "folder") await mkdir(place);
    else await writeFile(place, "", { flag: "wx" });
  }
}

/** What distinguishes a folder from a later one at the same path. */
type FolderIdentity = Pick<Stats, "dev" | "ino">;

/** Removes what is at this path of the copy, if the copy and all folders above the path are still real folders. */
export async function removeBelow(copy: string, path: string, { dev, ino }: FolderIdentity): Promise<void> {
  const root = await statsOf(copy);
  if (root?.isDirectory() !== true || root.dev !== dev || root.ino !== ino) return;
  let place = copy;
  for (const part of dirname(path).split(sep)) {
    place = join(place, part);
    if ((await statsOf(place))?.isDirectory() !== true) return;
  }
  await removeTree(join(copy, path));
}

const statsOf = (path: string): Promise<Stats | undefined> => lstat(path).catch(() => undefined);
