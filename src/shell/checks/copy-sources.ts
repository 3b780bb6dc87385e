// The sources of a folder in its copy (copy-thread.ts): which there are, brought up to date with the folder and with the texts
// that stand for some of them, and put back after a check has run. Text for the thread.
import type * as nodeFs from "node:fs";
import { updateDependencies } from "./copy-dependencies.ts";
import {
  below,
  type Copy,
  isLike,
  isSame,
  linkText,
  makeLink,
  makeRoot,
  putFile,
  putText,
  removeAt,
  signatureOf,
  type Texts,
} from "./copy-files.ts";

export interface UpdateTask {
  /** Below the folder. */
  readonly paths: readonly string[];
  readonly texts: Texts;
}

export interface Updated {
  /** Of the files of the folder alone, without what is proposed. */
  readonly state: string;
  readonly files: number;
  readonly written: number;
  /** Dependency folders of which the copy has links. */
  readonly linked: readonly string[];
  /** Links that lead out of the folder are not in the copy. */
  readonly leftOut: number;
}

export function lookAtCopy(copy: Copy): void {
  makeRoot(copy);
  const intact = new Set<string>();
  for (const [path, { to }] of copy.known) {
    const now = copy.fs.lstatSync(below(copy, copy.copy, path), { throwIfNoEntry: false });
    if (now !== undefined && isLike(to, now)) intact.add(path);
  }
  copy.intact = intact;
}

/** Answers whether something had to be written. */
function updateFile(copy: Copy, path: string, stats: nodeFs.Stats): boolean {
  const known = copy.known.get(path);
  if (known !== undefined && copy.intact?.has(path) === true && isLike(known.from, stats)) return false;
  const from = signatureOf(stats);
  const now = copy.fs.lstatSync(copy.path.join(copy.copy, path), { throwIfNoEntry: false });
  if (
    known !== undefined &&
    now !== undefined &&
    isSame(known.from, from) &&
    isSame(known.to, signatureOf(now))
  )
    return false;
  const source = copy.path.join(copy.root, path);
  if (stats.isSymbolicLink()) {
    const text = linkText(copy, source, path);
    if (text === undefined) {
      copy.leftOut++;
      copy.known.delete(path);
      if (now !== undefined) removeAt(copy, path);
      return false;
    }
    makeLink(copy, text, path, copy.fs.statSync(source, { throwIfNoEntry: false })?.isDirectory() === true);
  } else putFile(copy, source, path, stats);
  const to = signatureOf(copy.fs.lstatSync(copy.path.join(copy.copy, path)));
  copy.known.set(path, { from, to });
  return true;
}

export function listAt(copy: Copy, places: readonly string[]): string[] {
  const found: string[] = [];
  for (const place of places) {
    const stats = copy.fs.lstatSync(copy.path.join(copy.root, place), { throwIfNoEntry: false });
    if (stats?.isDirectory()) walk(copy, place, found);
    else if (stats?.isFile()) found.push(place);
  }
  return found;
}

/** All files of a folder that Git knows nothing of. */
function walk(copy: Copy, folder: string, found: string[]): string[] {
  const skipped = new Set([
    ".git",
    ".hg",
    ".svn",
    "node_modules",
    ".venv",
    "venv",
    "target",
    ".next",
    "__pycache__",
  ]);
  for (const entry of copy.fs.readdirSync(copy.path.join(copy.root, folder), { withFileTypes: true })) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && !skipped.has(entry.name)) walk(copy, path, found);
    else if (entry.isFile() || entry.isSymbolicLink()) found.push(path);
    if (found.length > copy.limits.files) throw new Error("too-large");
  }
  return found;
}

export function updateAll(copy: Copy, { paths, texts }: UpdateTask): Updated {
  makeRoot(copy);
  copy.leftOut = 0;
  if (paths.length > copy.limits.files) throw new Error("too-large");
  let isOther = false;
  const wanted = new Set<string>();
  const seen: (readonly [string, nodeFs.Stats])[] = [];
  const mine = new Map(texts);
  let [written, bytes, done] = [0, 0, 0];
  for (const path of paths) {
    // Where little is written nobody has to be told.
    if (++done % 500 === 0 && written >= 400) copy.tick(done, paths.length);
    const stats = copy.fs.lstatSync(below(copy, copy.root, path), { throwIfNoEntry: false });
    if (stats === undefined || !(stats.isFile() || stats.isSymbolicLink())) continue;
    bytes += stats.size;
    if (bytes > copy.limits.bytes) throw new Error("too-large");
    wanted.add(path);
    seen.push([path, stats]);
    // What stands for a file says nothing of it.
    if (mine.has(path) || copy.texts.has(path)) {
      const known = copy.known.get(path);
      if (known === undefined || !isLike(known.from, stats)) copy.state = undefined;
    } else if (updateFile(copy, path, stats)) written++;
  }
  for (const path of [...copy.known.keys()]) {
    if (wanted.has(path)) continue;
    copy.known.delete(path);
    isOther = true;
    if (!mine.has(path)) removeAt(copy, path);
  }
  copy.intact = undefined;
  const isInstalled = updateDependencies(copy, wanted);
  if (isOther || isInstalled || written > 0 || copy.leftOut > 0 || copy.state === undefined)
    copy.state = stateOf(copy, seen);
  if (isOther || isInstalled || written > 0) keepManifest(copy);
  written += setTexts(copy, mine);
  removeStrangers(copy, "", knownFolders(copy));
  const { linked, leftOut } = copy;
  return { state: copy.state, files: wanted.size, written, linked: [...linked], leftOut };
}

function stateOf(copy: Copy, seen: readonly (readonly [string, nodeFs.Stats])[]): string {
  const hash = copy.crypto.createHash("sha256");
  const lines = seen.map(
    ([path, { mtimeMs, size, ino, ctimeMs }]) => `${path}\0${mtimeMs}:${size}:${ino}:${ctimeMs}\n`,
  );
  hash.update(lines.join(""));
  for (const [folder, signature] of copy.dependencies) hash.update(`${folder}\0${signature}\n`);
  return hash.digest("hex");
}

function setTexts(copy: Copy, texts: ReadonlyMap<string, string | null>): number {
  let written = 0;
  for (const path of new Set([...copy.texts.keys(), ...texts.keys()])) {
    const text = texts.get(path);
    if (text === undefined) {
      copy.textSignatures.delete(path);
      const stats = copy.fs.lstatSync(copy.path.join(copy.root, path), { throwIfNoEntry: false });
      copy.known.delete(path);
      if (stats?.isFile() || stats?.isSymbolicLink()) updateFile(copy, path, stats);
      else removeAt(copy, path);
      written++;
      continue;
    }
    const now = copy.fs.lstatSync(copy.path.join(copy.copy, path), { throwIfNoEntry: false });
    const known = copy.textSignatures.get(path);
    const isThere = now !== undefined && known !== undefined && isSame(known, signatureOf(now));
    if (text === null ? now === undefined : isThere && copy.texts.get(path) === text) continue;
    if (text === null) removeAt(copy, path);
    else putText(copy, path, text);
    written++;
  }
  copy.texts = new Map(texts);
  return written;
}

/** What a check has changed or taken away is put back; what it has made beside its outputs goes. */
export function restoreAll(copy: Copy, texts: ReadonlyMap<string, string | null>): number {
  makeRoot(copy);
  copy.intact = undefined;
  let written = 0;
  for (const [path, known] of [...copy.known]) {
    if (texts.has(path) || copy.texts.has(path)) continue;
    const now = copy.fs.lstatSync(below(copy, copy.copy, path), { throwIfNoEntry: false });
    if (now !== undefined && isLike(known.to, now)) continue;
    const stats = copy.fs.lstatSync(copy.path.join(copy.root, path), { throwIfNoEntry: false });
    if (stats !== undefined && updateFile(copy, path, stats)) written++;
  }
  written += setTexts(copy, texts);
  removeStrangers(copy, "", knownFolders(copy));
  return written;
}

/** Outputs and caches stay, so that the next run is quicker; a source that nobody has would be checked with the rest. */
function removeStrangers(copy: Copy, folder: string, ours: ReadonlySet<string>): void {
  const outputs =
    /^(?:\..+|node_modules|venv|vendor|target|dist|build|out|lib|coverage|obj|bin|__pycache__|.*\.egg-info)$/;
  const place = copy.path.join(copy.copy, folder);
  for (const entry of copy.fs.readdirSync(place, { withFileTypes: true })) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (ours.has(path)) {
        if (!copy.dependencies.has(path)) removeStrangers(copy, path, ours);
      } else if (!outputs.test(entry.name)) removeAt(copy, path);
    } else if (!copy.known.has(path) && !copy.texts.has(path) && !isOutput(entry.name)) removeAt(copy, path);
  }
}

function isOutput(name: string): boolean {
  return /\.(?:tsbuildinfo|pyc|d\.ts\.map)$|^\./.test(name);
}

/** All folders that hold something of ours, at any depth. */
function knownFolders(copy: Copy): Set<string> {
  const names = new Set<string>();
  for (const path of [
    ...copy.known.keys(),
    ...copy.texts.keys(),
    ...[...copy.dependencies.keys()].map((each) => `${each}/`),
  ])
    for (
      let at = path.lastIndexOf("/");
      at > 0 && !names.has(path.slice(0, at));
      at = path.lastIndexOf("/", at - 1)
    )
      names.add(path.slice(0, at));
  return names;
}

function keepManifest(copy: Copy): void {
  const kept = { known: [...copy.known], dependencies: [...copy.dependencies], linked: [...copy.linked] };
  copy.fs.writeFileSync(copy.manifest, JSON.stringify(kept), { mode: 0o600 });
}

export function readManifest(copy: Copy): void {
  try {
    const kept = JSON.parse(copy.fs.readFileSync(copy.manifest, "utf8"));
    copy.known = new Map(kept.known);
    copy.dependencies = new Map(kept.dependencies);
    copy.linked = new Set(kept.linked);
  } catch {
    // Without it everything is copied once more.
    copy.fs.rmSync(copy.copy, { recursive: true, force: true });
  }
}

export const sourceFunctions = [
  ...[lookAtCopy, updateFile, listAt, walk, updateAll, stateOf, setTexts, restoreAll],
  ...[removeStrangers, isOutput, knownFolders, keepManifest, readManifest],
];
