// Creates, removes and links files in a copy (copy-thread.ts) without ever following a link, and detects whether an
// entry is unchanged.
import * as fs from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { limits } from "../../../patch/model.ts";
import { fileOfNotebook, isNotebook, textOfNotebook } from "../../../patch/notebook.ts";

export interface CopyData {
  /** Real paths of the folder and of its copy. */
  readonly root: string;
  readonly copy: string;
  /** File with what is known of the copy, for the next window. */
  readonly manifest: string;
  /** Temporary folder for programs; emptied at each update. */
  readonly temporary: string;
  readonly limits: CopyLimits;
}

export interface CopyLimits {
  readonly files: number;
  readonly bytes: number;
  /** Up to this many dependency files are copied; above it, programs that execute nothing get links. */
  readonly dependencyFiles: number;
  readonly dependencyBytes: number;
}

/** Texts that replace files of the disk; `null`: the file does not exist. */
export type Texts = readonly (readonly [path: string, text: string | null])[];

type Signature = readonly number[];

interface Known {
  /** `from` is the file in the folder, `to` the one in the copy. */
  from: Signature;
  to: Signature;
}

/** A folder of the copy as it was read. */
export interface FolderBefore {
  readonly ino: number;
  readonly ctimeMs: number;
  /** Names of the folders in it. */
  readonly folders: readonly string[];
  /** It had only files of the copy or of dependencies, and later changes give it another time. */
  readonly isSettled: boolean;
}

export interface Copy extends CopyData {
  readonly tick: (done: number, all: number) => void;
  known: Map<string, Known>;
  texts: Map<string, string | null>;
  /** Signatures of the texts as written to the copy. */
  textSignatures: Map<string, Signature>;
  /** Dependency folders in the copy, and in the original folder, with their signatures. */
  dependencies: Map<string, string>;
  installed: ReadonlyMap<string, string>;
  linked: Set<string>;
  /** All folders of the copy when a program on a proposal was started. */
  foldersBefore: ReadonlyMap<string, FolderBefore>;
  /** Paths known to be real folders of the copy since the last program ran on it. */
  realFolders: Set<string>;
  /** Fills a dependency folder that has been a link. */
  readonly refill: (folder: string) => void;
  /** The files of the folder that belong in the copy. */
  listed: ReadonlySet<string>;
  /** Files of the copy just found to be unchanged; `undefined`: check each when it is reached. */
  intact: Set<string> | undefined;
  /** State hash of the folder as last computed; kept because it takes a while for very many files. */
  state: string | undefined;
  leftOut: number;
}

export function signatureOf(stats: fs.Stats): Signature {
  return [stats.mtimeMs, stats.size, stats.ino, stats.ctimeMs, stats.mode];
}

export function isSame(one: Signature, other: Signature): boolean {
  return one.every((each, at) => each === other[at]);
}

/** Compares without building a signature with `signatureOf`. */
export function isLike(signature: Signature, { mtimeMs, size, ino, ctimeMs, mode }: fs.Stats): boolean {
  return (
    signature[0] === mtimeMs &&
    signature[1] === size &&
    signature[2] === ino &&
    signature[3] === ctimeMs &&
    signature[4] === mode
  );
}

/** Used for very many paths: `path.join` would cost as much as reading the file's status. */
export function below(folder: string, path: string): string {
  return folder + sep + path;
}

/** `undefined` also if a file is in the place of one of its parent folders. */
export function statAt(place: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(place, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return undefined;
    throw error;
  }
}

/**
 * Makes every folder down to this one a real folder of the copy, so that nothing is written, removed or listed through
 * a link, whoever created it. A link to dependencies is replaced by its content. If `isMade` is false, missing folders
 * are not created and the result is false.
 */
export function makeReal(copy: Copy, folder: string, isMade = true): boolean {
  if (folder === "" || folder === "." || copy.realFolders.has(folder)) return true;
  if (!makeReal(copy, dirname(folder), isMade)) return false;
  const place = join(copy.copy, folder);
  const stats = statAt(place);
  if (stats?.isDirectory() === true) {
    copy.realFolders.add(folder);
    return true;
  }
  if (!isMade && stats?.isSymbolicLink() !== true) return false;
  if (stats !== undefined) fs.unlinkSync(place);
  fs.mkdirSync(place, { mode: 0o700 });
  copy.realFolders.add(folder);
  if (stats !== undefined) copy.refill(folder);
  return true;
}

/** Makes sure that the copy itself has not become a link. @throws if one of its parent folders has. */
export function makeRoot(copy: Copy): void {
  copy.realFolders.clear();
  const stats = statAt(copy.copy);
  if (stats === undefined || !stats.isDirectory()) copy.intact = undefined;
  if (stats !== undefined && !stats.isDirectory()) fs.unlinkSync(copy.copy);
  fs.mkdirSync(copy.copy, { recursive: true, mode: 0o700 });
  if (fs.realpathSync(copy.copy) !== copy.copy) throw new Error("The copy leads elsewhere.");
}

/** Removes whatever is at a path of the copy. A link is removed, not its target, and none is followed. */
export function removeAt(copy: Copy, path: string): void {
  if (!makeReal(copy, dirname(path), false)) return;
  const place = join(copy.copy, path);
  const stats = statAt(place);
  if (stats === undefined) return;
  if (!stats.isDirectory()) {
    fs.unlinkSync(place);
    return;
  }
  for (const folder of copy.realFolders)
    if (folder === path || folder.startsWith(`${path}/`)) copy.realFolders.delete(folder);
  removeTree(place, dirname(copy.copy));
}

/**
 * Removes a place with everything below it, whatever a program has left there. Each folder is moved up into `near`
 * before it is emptied, because a path above 4,096 bytes names nothing and `rm` fails on it. No link is followed and no
 * file is opened.
 */
export function removeTree(place: string, near: string): void {
  const stats = fs.lstatSync(place, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isDirectory()) {
    fs.unlinkSync(place);
    return;
  }
  const gone = fs.mkdtempSync(join(near, "gone-"));
  const open: string[] = [];
  let number = 0;
  const move = (folder: string | Buffer) => {
    // A folder without write permission cannot be moved.
    fs.chmodSync(folder, 0o700);
    const name = join(gone, String(number++));
    fs.renameSync(folder, name);
    open.push(name);
  };
  move(place);
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    // As bytes: a name need not be valid text.
    for (const entry of fs.readdirSync(folder, { withFileTypes: true, encoding: "buffer" })) {
      const name = Buffer.concat([Buffer.from(folder + sep), entry.name]);
      if (entry.isDirectory()) move(name);
      else fs.unlinkSync(name);
    }
    fs.rmdirSync(folder);
  }
  fs.rmdirSync(gone);
}

export function putFile(copy: Copy, from: string, path: string, stats: fs.Stats): void {
  makeReal(copy, dirname(path));
  const place = join(copy.copy, path);
  removeAt(copy, path);
  // Cloned if the file system can; the result is an independent file either way.
  fs.copyFileSync(from, place, fs.constants.COPYFILE_FICLONE | fs.constants.COPYFILE_EXCL);
  fs.chmodSync(place, (stats.mode & 0o100) === 0 ? 0o600 : 0o700);
}

export function putBytes(copy: Copy, path: string, bytes: string, mode: number): void {
  makeReal(copy, dirname(path));
  removeAt(copy, path);
  const own = (mode & 0o100) === 0 ? 0o600 : 0o700;
  fs.writeFileSync(join(copy.copy, path), bytes, { flag: "wx", mode: own });
}

/** `texts`: all that replace files of the disk. */
export function putText(
  copy: Copy,
  path: string,
  text: string,
  texts: ReadonlyMap<string, string | null>,
): void {
  const mode = statAt(join(copy.root, path))?.mode ?? 0;
  putBytes(copy, path, isNotebook(path) ? notebookFile(copy.root, path, text, texts) : text, mode);
  copy.textSignatures.set(path, signatureOf(fs.lstatSync(join(copy.copy, path))));
}

/**
 * A proposed notebook as a program reads it: its cells, with the outputs and all else of the folder's own file. One that
 * is renamed keeps its cells, so its file is the one with the same text among those that are gone.
 */
export function notebookFile(
  root: string,
  path: string,
  text: string,
  texts: ReadonlyMap<string, string | null>,
): string {
  const own = readNotebook(join(root, path));
  if (own !== undefined) return fileOfNotebook(text, own) ?? fileOfNotebook(text, undefined) ?? text;
  for (const [gone, now] of texts) {
    const json = now === null && isNotebook(gone) ? readNotebook(join(root, gone)) : undefined;
    if (json !== undefined && textOfNotebook(json) === text) return json;
  }
  return fileOfNotebook(text, undefined) ?? text;
}

function readNotebook(place: string): string | undefined {
  const now = statAt(place);
  return now?.isFile() === true && now.size <= limits.fileBytes ? fs.readFileSync(place, "utf8") : undefined;
}

/** The link's target as seen from the copy; `undefined` if it leads out of the folder. */
export function linkText(copy: Copy, from: string, path: string): string | undefined {
  const text = fs.readlinkSync(from);
  const target = resolve(dirname(from), text);
  let real = target;
  try {
    real = fs.realpathSync(target);
  } catch {
    // A dangling link is harmless.
  }
  if (!isInside(copy.root, target) || !isInside(copy.root, real)) return undefined;
  const inCopy = join(copy.copy, relative(copy.root, target));
  return relative(dirname(join(copy.copy, path)), inCopy) || ".";
}

function isInside(folder: string, place: string): boolean {
  const way = relative(folder, place);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

export function makeLink(copy: Copy, text: string, path: string, isFolder: boolean): void {
  makeReal(copy, dirname(path));
  removeAt(copy, path);
  // On Windows, unprivileged users can create junctions only, which need an absolute path.
  const place = join(copy.copy, path);
  const isWindows = sep === "\\";
  const target = isWindows && isFolder ? resolve(dirname(place), text) : text;
  fs.symlinkSync(target, place, isWindows ? (isFolder ? "junction" : "file") : undefined);
}
