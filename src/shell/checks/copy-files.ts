// Files and folders of a copy (copy-thread.ts): put, removed and linked so that nothing is ever written through a link, and what
// tells whether one is still as it was left. Text for the thread: the functions know nothing but each other and what they are
// given.
import type * as nodeCrypto from "node:crypto";
import type * as nodeFs from "node:fs";
import type * as nodePath from "node:path";

export interface CopyData {
  /** The folder, and where its copy lies: real paths. */
  readonly root: string;
  readonly copy: string;
  /** What is known of the copy, for the next window. */
  readonly manifest: string;
  readonly limits: CopyLimits;
}

export interface CopyLimits {
  readonly files: number;
  readonly bytes: number;
  /** Up to so much dependencies are copied, so that nothing can be written through; beyond it they are links. */
  readonly dependencyFiles: number;
  readonly dependencyBytes: number;
}

/** Texts that stand for what the disk has; `null`: there is no such file. */
export type Texts = readonly (readonly [path: string, text: string | null])[];

type Signature = readonly number[];

interface Known {
  /** Of the file in the folder, and of that in the copy. */
  from: Signature;
  to: Signature;
}

export interface Copy extends CopyData {
  readonly fs: typeof nodeFs;
  readonly path: typeof nodePath;
  readonly crypto: typeof nodeCrypto;
  readonly tick: (done: number, all: number) => void;
  known: Map<string, Known>;
  texts: Map<string, string | null>;
  /** Of texts that were written: what the copy has had since. */
  textSignatures: Map<string, Signature>;
  dependencies: Map<string, string>;
  linked: Set<string>;
  realFolders: Set<string>;
  /** Files of the copy that were just seen to be as they were left; nothing: each is looked at when it is its turn. */
  intact: Set<string> | undefined;
  /** Of the folder when it was looked at last: of very many files it takes a while to say. */
  state: string | undefined;
  leftOut: number;
}

export function signatureOf(stats: nodeFs.Stats): Signature {
  return [stats.mtimeMs, stats.size, stats.ino, stats.ctimeMs, stats.mode];
}

export function isSame(one: Signature, other: Signature): boolean {
  return one.every((each, at) => each === other[at]);
}

/** The same as comparing what `signatureOf` makes of it. */
export function isLike(signature: Signature, { mtimeMs, size, ino, ctimeMs, mode }: nodeFs.Stats): boolean {
  return (
    signature[0] === mtimeMs &&
    signature[1] === size &&
    signature[2] === ino &&
    signature[3] === ctimeMs &&
    signature[4] === mode
  );
}

/** Of very many paths: what `path.join` makes of them costs as much as looking at the files. */
export function below(copy: Copy, folder: string, path: string): string {
  return folder + copy.path.sep + path;
}

/** A check could have put a link to the folder in place of a folder of the copy. */
export function makeReal(copy: Copy, folder: string): void {
  if (folder === "" || folder === "." || copy.realFolders.has(folder)) return;
  makeReal(copy, copy.path.dirname(folder));
  const place = copy.path.join(copy.copy, folder);
  const stats = copy.fs.lstatSync(place, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory()) copy.fs.unlinkSync(place);
  if (stats === undefined || !stats.isDirectory()) copy.fs.mkdirSync(place, { mode: 0o700 });
  copy.realFolders.add(folder);
}

/** Nor is the copy itself a link to somewhere else by now. @throws where a folder above it is. */
export function makeRoot(copy: Copy): void {
  copy.realFolders.clear();
  const stats = copy.fs.lstatSync(copy.copy, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory()) copy.intact = undefined;
  if (stats !== undefined && !stats.isDirectory()) copy.fs.unlinkSync(copy.copy);
  copy.fs.mkdirSync(copy.copy, { recursive: true, mode: 0o700 });
  if (copy.fs.realpathSync(copy.copy) !== copy.copy) throw new Error("The copy leads elsewhere.");
}

/** Whatever stands at a name of the copy; a link is taken away, not what it leads to. */
export function removeAt(copy: Copy, path: string): void {
  copy.fs.rmSync(copy.path.join(copy.copy, path), { recursive: true, force: true, maxRetries: 2 });
}

export function putFile(copy: Copy, from: string, path: string, stats: nodeFs.Stats): void {
  makeReal(copy, copy.path.dirname(path));
  const place = copy.path.join(copy.copy, path);
  removeAt(copy, path);
  // Cloned where the file system can: it is a file of its own all the same.
  copy.fs.copyFileSync(from, place, copy.fs.constants.COPYFILE_FICLONE | copy.fs.constants.COPYFILE_EXCL);
  copy.fs.chmodSync(place, (stats.mode & 0o100) === 0 ? 0o600 : 0o700);
}

export function putText(copy: Copy, path: string, text: string): void {
  makeReal(copy, copy.path.dirname(path));
  const place = copy.path.join(copy.copy, path);
  const mode = copy.fs.lstatSync(copy.path.join(copy.root, path), { throwIfNoEntry: false })?.mode ?? 0;
  removeAt(copy, path);
  copy.fs.writeFileSync(place, text, { flag: "wx", mode: (mode & 0o100) === 0 ? 0o600 : 0o700 });
  copy.textSignatures.set(path, signatureOf(copy.fs.lstatSync(place)));
}

/** Where a link of the folder leads, as seen from the copy; undefined where it leads out of it. */
export function linkText(copy: Copy, from: string, path: string): string | undefined {
  const text = copy.fs.readlinkSync(from);
  const target = copy.path.resolve(copy.path.dirname(from), text);
  let real = target;
  try {
    real = copy.fs.realpathSync(target);
  } catch {
    // It leads to nothing, which is nothing to fear.
  }
  if (!isInside(copy, copy.root, target) || !isInside(copy, copy.root, real)) return undefined;
  const inCopy = copy.path.join(copy.copy, copy.path.relative(copy.root, target));
  return copy.path.relative(copy.path.dirname(copy.path.join(copy.copy, path)), inCopy) || ".";
}

function isInside(copy: Copy, folder: string, place: string): boolean {
  const way = copy.path.relative(folder, place);
  return way !== ".." && !way.startsWith(`..${copy.path.sep}`) && !copy.path.isAbsolute(way);
}

export function makeLink(copy: Copy, text: string, path: string, isFolder: boolean): void {
  makeReal(copy, copy.path.dirname(path));
  removeAt(copy, path);
  // On Windows anybody may make a junction, which needs a whole path.
  const place = copy.path.join(copy.copy, path);
  const isWindows = copy.path.sep === "\\";
  const target = isWindows && isFolder ? copy.path.resolve(copy.path.dirname(place), text) : text;
  copy.fs.symlinkSync(target, place, isWindows ? (isFolder ? "junction" : "file") : undefined);
}

export const fileFunctions = [
  ...[signatureOf, isSame, isLike, below, makeReal, makeRoot, removeAt],
  ...[putFile, putText, linkText, isInside, makeLink],
];
