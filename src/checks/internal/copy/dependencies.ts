// The installed dependencies in the copy of a folder (copy-thread.ts). A program that runs code of the folder gets
// copied files; very many dependencies are linked only for programs that execute nothing of the folder.
import * as fs from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  below,
  type Copy,
  type FolderBefore,
  linkText,
  makeLink,
  makeReal,
  putBytes,
  putFile,
  removeAt,
  statAt,
} from "./files-without-links.ts";

/**
 * `own`: copied files, however many. `links`: links if there are very many. `none`: nothing is copied, because they are
 * mounted over the copy.
 */
export type Dependencies = "own" | "links" | "none";

/** Finds dependency folders next to the files that declare them, unless Git tracks them. */
function findDependencies(copy: Copy, files: ReadonlySet<string>): Map<string, string> {
  const beside: Readonly<Record<string, readonly string[]>> = {
    "package.json": ["node_modules"],
    "pyproject.toml": [".venv", "venv"],
    "setup.py": [".venv", "venv"],
    "requirements.txt": [".venv", "venv"],
    "composer.json": ["vendor"],
    "go.mod": ["vendor"],
  };
  const found = new Map<string, string>();
  const own = new Set<string>();
  for (const path of files) {
    const at = path.search(/(?:^|\/)(?:vendor|\.?venv|node_modules)\//);
    if (at >= 0) own.add(path.slice(0, path.indexOf("/", at + 1)));
  }
  for (const path of files) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    for (const folder of beside[name] ?? []) {
      const place = path.slice(0, path.length - name.length) + folder;
      if (own.has(place) || found.has(place)) continue;
      const signature = dependencySignature(copy, place);
      if (signature !== undefined) found.set(place, signature);
    }
  }
  return found;
}

export function updateDependencies(copy: Copy, files: ReadonlySet<string>, wanted: Dependencies): boolean {
  const found = findDependencies(copy, files);
  const isOther = !hasSame(copy.installed, found);
  copy.installed = found;
  for (const place of [...copy.dependencies.keys()]) {
    if (found.has(place)) continue;
    removeAt(copy, place);
    copy.dependencies.delete(place);
  }
  if (wanted === "none") return isOther;
  const isNew = [...found].some(([place, signature]) => copy.dependencies.get(place) !== signature);
  const isThere = [...found.keys()].every((place) => statAt(join(copy.copy, place))?.isDirectory() === true);
  if (!isNew && isThere && (wanted !== "own" || copy.linked.size === 0)) return isOther;
  const isWhole = wanted === "own" || isSmall(copy, sizeOf(copy, [...found.keys()], true));
  copy.linked.clear();
  for (const [place] of found) {
    removeAt(copy, place);
    if (!isWhole) copy.linked.add(place);
    copyDependencies(copy, place, isWhole, 0);
  }
  copy.dependencies = new Map(found);
  return true;
}

function hasSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([place, signature]) => other.get(place) === signature);
}

/** Changes when packages are installed, since package managers rewrite their own list in the folder. */
function dependencySignature(copy: Copy, place: string): string | undefined {
  const folder = join(copy.root, place);
  const stats = fs.statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory()) return undefined;
  const lists = [".package-lock.json", ".modules.yaml", ".yarn-state.yml", "pyvenv.cfg", "modules.txt"];
  const times = lists.map((name) => statAt(join(folder, name)));
  const libraries = join(folder, "lib");
  const packages = fs.existsSync(libraries) ? fs.readdirSync(libraries) : [];
  const sites = packages.map((name) => statAt(join(libraries, name, "site-packages")));
  return [stats, ...times, ...sites].map((each) => each?.mtimeMs ?? "").join(":");
}

/**
 * The size of the dependencies next to these files, if it is large enough that the user should be asked before copying.
 */
export function measureDependencies(copy: Copy, paths: readonly string[]): DependencySize | undefined {
  if (copy.dependencies.size > 0 && copy.linked.size === 0) return undefined;
  const size = sizeOf(copy, [...findDependencies(copy, new Set(paths)).keys()], false);
  return isSmall(copy, size) ? undefined : size;
}

export interface DependencySize {
  readonly files: number;
  readonly bytes: number;
}

function isSmall(copy: Copy, { files, bytes }: DependencySize): boolean {
  return files <= copy.limits.dependencyFiles && bytes <= copy.limits.dependencyBytes;
}

/** `isEnough`: stop counting once the limit is exceeded. */
function sizeOf(copy: Copy, places: readonly string[], isEnough: boolean): DependencySize {
  let [files, bytes] = [0, 0];
  const open = places.map((place) => join(copy.root, place));
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      const place = join(folder, entry.name);
      if (entry.isDirectory()) open.push(place);
      else if (entry.isFile()) {
        files++;
        bytes += statAt(place)?.size ?? 0;
      }
    }
    if (isEnough && !isSmall(copy, { files, bytes })) break;
  }
  return { files, bytes };
}

/**
 * Copies a dependency folder as a real folder, so that new files in it stay in the copy. Links to packages of the
 * folder itself point into the copy; caches are not copied.
 */
function copyDependencies(copy: Copy, folder: string, isWhole: boolean, depth: number): void {
  makeReal(copy, folder);
  for (const entry of fs.readdirSync(join(copy.root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (isCache(entry.name)) continue;
    if (!entry.isDirectory()) putDependency(copy, path, entry);
    else if (isWhole || isTaken(entry.name, depth)) copyDependencies(copy, path, isWhole, depth + 1);
    else makeLink(copy, join(copy.root, path), path, true);
  }
}

function isCache(name: string): boolean {
  return /^(?:\.cache|\.vite|\.vite-temp|\.vitest|\.turbo|__pycache__|\.mypy_cache)$/.test(name);
}

type Kind = Pick<fs.Dirent, "isSymbolicLink" | "isFile">;

function putDependency(copy: Copy, path: string, kind: Kind): void {
  const from = join(copy.root, path);
  if (kind.isFile()) putRewritten(copy, from, path);
  if (!kind.isSymbolicLink()) return;
  const isFolder = fs.statSync(from, { throwIfNoEntry: false })?.isDirectory() === true;
  makeLink(copy, linkText(copy, from, path) ?? realOf(from), path, isFolder);
}

/** Replaces a link to a dependency folder by a real folder with the same content. */
export function refillDependencies(copy: Copy, folder: string): void {
  const isShared = [...copy.linked].some((place) => folder === place || folder.startsWith(`${place}/`));
  const from = fs.statSync(join(copy.root, folder), { throwIfNoEntry: false });
  if (isShared && from?.isDirectory() === true) copyDependencies(copy, folder, false, 9);
}

/** Restores a dependency file that was replaced by a text. */
export function putBackDependency(copy: Copy, path: string): void {
  const stats = statAt(join(copy.root, path));
  removeAt(copy, path);
  if (stats !== undefined) putDependency(copy, path, stats);
}

export function isDependency(copy: Copy, path: string): boolean {
  return [...copy.dependencies.keys()].some((place) => path.startsWith(`${place}/`));
}

/**
 * Whether a folder is created rather than linked: one that holds packages or their executables, or a dot folder, which
 * tools write to.
 */
function isTaken(name: string, depth: number): boolean {
  if (name === ".pnpm") return false;
  if (name.startsWith(".") || name.startsWith("@")) return true;
  return depth < 3 && /^(?:bin|Scripts|lib|Lib|python[\d.]*|site-packages)$/.test(name);
}

function realOf(from: string): string {
  try {
    return fs.realpathSync(from);
  } catch {
    return resolve(dirname(from), fs.readlinkSync(from));
  }
}

/** Rewrites programs and path lists so that they refer to the copy instead of the folder. */
function putRewritten(copy: Copy, from: string, path: string): void {
  const stats = fs.lstatSync(from);
  const mayName = /(?:^|\/)(?:bin|\.bin|Scripts)\/[^/]+$|\.pth$|\.egg-link$|__editable__|pyvenv\.cfg$/.test(
    path,
  );
  const text = mayName && stats.size < 100_000 ? fs.readFileSync(from) : undefined;
  if (text === undefined || text.includes(0) || !text.includes(copy.root)) {
    putFile(copy, from, path, stats);
    return;
  }
  putBytes(copy, path, text.toString("utf8").split(copy.root).join(copy.copy), stats.mode);
}

// What programs leave in a copy (copy-thread.ts) is removed: unknown files among the sources are deleted; outputs and
// caches are kept to speed up the next run, unless a program ran on a proposal, whose results must not influence the
// next one.

/**
 * All folders in the copy. Whatever a program leaves in another one cannot be told from older outputs. One that has not
 * changed since it was last read is not read again. `now`: by the clock of the disk; a folder as new as that may change
 * without another time.
 */
export function foldersOf(copy: Copy, now: number): ReadonlyMap<string, FolderBefore> {
  const found = new Map<string, FolderBefore>();
  const open = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    try {
      const read = unchangedFolder(copy, folder) ?? readFolder(copy, folder, now);
      found.set(folder, read);
      for (const name of read.folders) open.push(folder === "" ? name : `${folder}/${name}`);
    } catch {
      // A check may have made it unreadable, or its path too long. What is in it is not kept.
    }
  }
  return found;
}

function readFolder(copy: Copy, folder: string, now: number): FolderBefore {
  const place = below(copy.copy, folder);
  const { ino, ctimeMs } = fs.lstatSync(place);
  const folders: string[] = [];
  // Windows may tell the time of a folder's last change late.
  let isSettled = ctimeMs < now && process.platform !== "win32";
  // What programs leave in dependencies is found file by file; here only the folders matter.
  const isInstalled = copy.dependencies.has(folder) || isDependency(copy, folder);
  for (const entry of fs.readdirSync(place, { withFileTypes: true })) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) folders.push(entry.name);
    else if (!isInstalled && !copy.known.has(path) && !copy.texts.has(path)) isSettled = false;
  }
  return { ino, ctimeMs, folders, isSettled };
}

/** A folder that had only files of the copy, or of dependencies, and that nothing was added to or removed from since. */
function unchangedFolder(copy: Copy, folder: string): FolderBefore | undefined {
  const before = copy.foldersBefore.get(folder);
  if (before?.isSettled !== true) return undefined;
  const now = statAt(below(copy.copy, folder));
  return now?.ino === before.ino && now.ctimeMs === before.ctimeMs ? before : undefined;
}

/**
 * From when on files of this folder are the program's own: all of them, if the folder is not the one that was there.
 * A folder that is moved to another place keeps the times of its files.
 */
function startIn(copy: Copy, folder: string, since: number): number {
  const isOld = copy.foldersBefore.get(folder)?.ino === statAt(join(copy.copy, folder))?.ino;
  return isOld ? since : 0;
}

/** Removes files that are not part of the folder: they would be checked along with the sources. */
export function removeStrangers(
  copy: Copy,
  folder: string,
  ours: ReadonlySet<string>,
  since: number | undefined,
): void {
  const outputs =
    /^(?:\..+|node_modules|venv|vendor|target|dist|build|out|lib|coverage|obj|bin|__pycache__|.*\.egg-info)$/;
  const cleanFolder = (name: string, path: string) => {
    if (copy.dependencies.has(path)) {
      if (since !== undefined && copy.linked.size === 0) mendDependencies(copy, path, since);
    } else if (ours.has(path)) removeStrangers(copy, path, ours, since);
    else if (!outputs.test(name)) removeAt(copy, path);
    else if (since !== undefined) removeNewer(copy, path, since);
  };
  const unchanged = unchangedFolder(copy, folder);
  if (unchanged !== undefined) {
    for (const name of unchanged.folders) cleanFolder(name, folder === "" ? name : `${folder}/${name}`);
    return;
  }
  const start = since === undefined ? undefined : startIn(copy, folder, since);
  for (const entry of fs.readdirSync(join(copy.copy, folder), { withFileTypes: true })) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) cleanFolder(entry.name, path);
    else if (copy.known.has(path) || copy.texts.has(path)) continue;
    // Whatever its name: a later program that writes an output would write to the link's target.
    else if (entry.isSymbolicLink() || !isOutput(entry.name)) removeAt(copy, path);
    else if (start !== undefined) removeIfNewer(copy, path, start);
  }
}

function isOutput(name: string): boolean {
  return /\.(?:tsbuildinfo|pyc|d\.ts\.map)$|^\./.test(name);
}

function removeNewer(copy: Copy, folder: string, since: number): void {
  const start = startIn(copy, folder, since);
  for (const entry of fs.readdirSync(join(copy.copy, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) removeNewer(copy, path, since);
    else if (!copy.known.has(path) && !copy.texts.has(path)) removeIfNewer(copy, path, start);
  }
}

function removeIfNewer(copy: Copy, path: string, since: number): void {
  const stats = statAt(join(copy.copy, path));
  if (stats !== undefined && stats.ctimeMs >= since) removeAt(copy, path);
}

/**
 * Restores dependencies that a program has changed, removed or added. There may be tens of thousands of files, so the
 * folder they come from is only looked at where something is newer than the program's start: a name that was added or
 * removed gives its folder a later time.
 */
function mendDependencies(copy: Copy, folder: string, since: number): void {
  const place = below(copy.copy, folder);
  const start = startIn(copy, folder, since);
  // Windows may tell the time of a folder's last change late.
  const isChanged = process.platform === "win32" || fs.lstatSync(place).ctimeMs >= start;
  const kept = new Set<string>();
  for (const name of fs.readdirSync(place)) {
    const path = `${folder}/${name}`;
    const stats = fs.lstatSync(below(place, name));
    kept.add(name);
    if (copy.texts.has(path)) continue;
    const isFolder = stats.isDirectory();
    if (isChanged || isCache(name)) {
      const from = statAt(below(copy.root, path));
      if (from === undefined || isCache(name) || from.isDirectory() !== isFolder) {
        if (isFolder && isTextBelow(copy, path)) mendDependencies(copy, path, since);
        else removeAt(copy, path);
        if (!isCache(name)) kept.delete(name);
        continue;
      }
    }
    if (isFolder) mendDependencies(copy, path, since);
    else if (stats.ctimeMs >= start) putBackDependency(copy, path);
  }
  if (!isChanged) return;
  const there = below(copy.root, folder);
  if (statAt(there)?.isDirectory() !== true) return;
  for (const entry of fs.readdirSync(there, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (kept.has(entry.name) || isCache(entry.name) || copy.texts.has(path)) continue;
    if (entry.isDirectory()) copyDependencies(copy, path, true, 0);
    else putDependency(copy, path, entry);
  }
}

function isTextBelow(copy: Copy, folder: string): boolean {
  return [...copy.texts.keys()].some((path) => path.startsWith(`${folder}/`));
}
