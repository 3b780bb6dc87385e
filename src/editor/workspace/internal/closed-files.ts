// Changes hundreds of closed files on this machine's disk: VS Code would load each as a document, save it and close it,
// which takes minutes. A file is held open from the check of its bytes until the new ones are written, so that its path
// cannot be redirected in between and what others have written is not lost.
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { applyEdits } from "../../../patch/edits.ts";
import type { FileChange } from "../../../patch/model.ts";
import { inBatches } from "../../../util/concurrency.ts";
import { diskPathsOf, toUri } from "../file-uris.ts";
import { bytesAt, isSame, nameOf, withOneLineEnd } from "./pre-edit-state.ts";
import type { PathSnapshot } from "./symlink-race-guard.ts";

/** A file whose text is to change, with its bytes before and after. */
interface ClosedFile {
  readonly change: FileChange;
  readonly uri: vscode.Uri;
  /** Absolute path. */
  readonly path: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/**
 * The closed files that can be written directly, if there are more than `most`: saving them changes nothing but the
 * edits. All others, or a small number of files, are left to the editor, whose own Undo then covers them.
 */
export async function readClosedFiles(
  changes: readonly FileChange[],
  most: number,
  savesAfterApply: (uri: vscode.Uri) => boolean,
): Promise<readonly ClosedFile[]> {
  const opened = openedNames();
  const closed = changes.filter((change) => {
    const uri = toUri(change.file);
    return (
      change.kind === "update" && uri.scheme === "file" && !opened.has(uri.toString()) && savesAfterApply(uri)
    );
  });
  if (closed.length <= most) return [];
  const read = await inBatches(closed, readClosedFile);
  return read.flatMap((file) => file ?? []);
}

async function readClosedFile(change: FileChange): Promise<ClosedFile | undefined> {
  const [place] = diskPathsOf([change]);
  if (change.kind !== "update" || place === undefined) return undefined;
  const uri = toUri(change.file);
  const before = await bytesAt(uri);
  if (before === undefined) return undefined;
  const { decode, encode } = vscode.workspace;
  const text = await decode(before, { uri }).then(
    (decoded) => decoded,
    () => undefined,
  );
  // Its line ends are mixed, a byte order mark would be lost, or it was written meanwhile.
  if (text !== change.base.text || withOneLineEnd(text) !== text) return undefined;
  if (!isSame(before, await encode(text, { uri }))) return undefined;
  const after = await encode(applyEdits(text, change.edits), { uri });
  return { change, uri, path: join(place.folder, place.path), before, after };
}

/**
 * "stale": a file was opened, written or replaced since it was read; "full": the disk is full. In both cases nothing
 * was changed, except for the files named in `left`, which could not be reverted.
 */
interface Written {
  readonly outcome: "written" | "stale" | "full";
  readonly left: readonly string[];
}

/** All files or none. */
export async function writeClosedFiles(
  files: readonly ClosedFile[],
  snapshot: PathSnapshot,
): Promise<Written> {
  const written: ClosedFile[] = [];
  const left: string[] = [];
  let outcome: Written["outcome"] = "written";
  await inBatches(files, async (file) => {
    if (outcome !== "written") return;
    if (openedNames().has(file.uri.toString())) {
      outcome = "stale";
      return;
    }
    const done = await write(file, file.before, file.after, snapshot).catch(() => "stale" as const);
    if (done === "written") written.push(file);
    else outcome = done === "stale" ? "stale" : "full";
    if (done === "half") left.push(nameOf(file.uri));
  });
  if (outcome === "written") return { outcome, left };
  return { outcome, left: [...left, ...(await revertClosedFiles(written, snapshot))] };
}

/** Restores the earlier bytes; returns the names of files that others have written since. */
export async function revertClosedFiles(
  files: readonly ClosedFile[],
  snapshot: PathSnapshot,
): Promise<readonly string[]> {
  const left = await inBatches(files, async (file) => {
    const done = await write(file, file.after, file.before, snapshot).catch(() => "half" as const);
    return done === "written" ? [] : [nameOf(file.uri)];
  });
  return left.flat();
}

/** "half": the file contains neither text. */
async function write(
  { path }: ClosedFile,
  from: Uint8Array,
  to: Uint8Array,
  snapshot: PathSnapshot,
): Promise<"written" | "stale" | "full" | "half"> {
  const { O_RDWR, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  const file = await open(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW);
  try {
    const known = snapshot.get(path);
    const { dev, ino } = await file.stat({ bigint: true });
    if (known?.kind !== "file" || known.found.dev !== dev || known.found.ino !== ino) return "stale";
    if (!isSame(await file.readFile(), from)) return "stale";
    if (await fill(file, to)) return "written";
    return (await fill(file, from)) ? "full" : "half";
  } finally {
    await file.close();
  }
}

/** False if the disk is full. */
async function fill(file: FileHandle, bytes: Uint8Array): Promise<boolean> {
  try {
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, at, bytes.length - at, at);
      at += bytesWritten;
    }
    await file.truncate(bytes.length);
    return true;
  } catch {
    return false;
  }
}

const openedNames = (): ReadonlySet<string> =>
  new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
