// The sources in a copy (copy-thread.ts): lists them, updates them from the folder and from the texts that replace some
// of them, and restores them after a check.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import {
  type Dependencies,
  foldersOf,
  isDependency,
  putBackDependency,
  removeStrangers,
  updateDependencies,
} from "./dependencies.ts";
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
  removeTree,
  signatureOf,
  statAt,
  type Texts,
} from "./files-without-links.ts";

export interface UpdateTask {
  /** Relative to the folder. */
  readonly paths: readonly string[];
  readonly texts: Texts;
  readonly dependencies: Dependencies;
}

export interface Updated {
  /** State hash of the folder's files, without the proposal. */
  readonly state: string;
  readonly files: number;
  readonly written: number;
  /** Dependency folders that are linked rather than copied. */
  readonly linked: readonly string[];
  /** Dependency folders of the original folder. */
  readonly installed: readonly string[];
  /** Number of links that lead out of the folder; they are not copied. */
  readonly leftOut: number;
  /** When the folder's files began to be read, by the clock of the disk. */
  readonly began: number;
}

export function lookAtCopy(copy: Copy): void {
  makeRoot(copy);
  const intact = new Set<string>();
  for (const [path, { to }] of copy.known) {
    const now = statAt(below(copy.copy, path));
    if (now !== undefined && isLike(to, now)) intact.add(path);
  }
  copy.intact = intact;
}

/** Returns whether something was written. */
function updateFile(copy: Copy, path: string, stats: fs.Stats): boolean {
  const known = copy.known.get(path);
  if (known !== undefined && copy.intact?.has(path) === true && isLike(known.from, stats)) return false;
  const from = signatureOf(stats);
  const now = statAt(join(copy.copy, path));
  if (
    known !== undefined &&
    now !== undefined &&
    isSame(known.from, from) &&
    isSame(known.to, signatureOf(now))
  )
    return false;
  const source = join(copy.root, path);
  if (stats.isSymbolicLink()) {
    const text = linkText(copy, source, path);
    if (text === undefined) {
      copy.leftOut++;
      copy.known.delete(path);
      if (now !== undefined) removeAt(copy, path);
      return false;
    }
    makeLink(copy, text, path, fs.statSync(source, { throwIfNoEntry: false })?.isDirectory() === true);
  } else putFile(copy, source, path, stats);
  const to = signatureOf(fs.lstatSync(join(copy.copy, path)));
  copy.known.set(path, { from, to });
  return true;
}

export function listAt(copy: Copy, places: readonly string[]): string[] {
  const found: string[] = [];
  for (const place of places) {
    const stats = statAt(join(copy.root, place));
    if (stats?.isDirectory()) walk(copy, place, found);
    else if (stats?.isFile()) found.push(place);
  }
  return found;
}

/** Lists all files of a folder without Git. */
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
  for (const entry of entriesIn(copy, folder)) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && !skipped.has(entry.name)) walk(copy, path, found);
    else if (entry.isFile() || entry.isSymbolicLink()) found.push(path);
    if (found.length > copy.limits.files) throw new Error("too-large");
  }
  return found;
}

/** Like Git, lists nothing of a folder below that cannot be read, or is gone by now. */
function entriesIn(copy: Copy, folder: string): readonly fs.Dirent[] {
  try {
    return fs.readdirSync(join(copy.root, folder), { withFileTypes: true });
  } catch (error) {
    if (folder === "") throw error;
    return [];
  }
}

export function updateAll(copy: Copy, { paths, texts, dependencies }: UpdateTask): Updated {
  makeRoot(copy);
  clearTemporary(copy);
  const began = nextTick(copy, join(copy.temporary, "clock"));
  clearTemporary(copy);
  copy.leftOut = 0;
  if (paths.length > copy.limits.files) throw new Error("too-large");
  let isOther = false;
  const wanted = new Set<string>();
  const seen: (readonly [string, fs.Stats])[] = [];
  const mine = new Map(texts);
  let [written, bytes, done] = [0, 0, 0];
  for (const path of paths) {
    // No progress is needed if little is written.
    if (++done % 500 === 0 && written >= 400) copy.tick(done, paths.length);
    const stats = statAt(below(copy.root, path));
    if (stats === undefined || !(stats.isFile() || stats.isSymbolicLink())) continue;
    bytes += stats.size;
    if (bytes > copy.limits.bytes) throw new Error("too-large");
    wanted.add(path);
    seen.push([path, stats]);
    // The copy has a text in place of this file, so only the original is compared.
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
  copy.listed = wanted;
  const isInstalled = updateDependencies(copy, wanted, dependencies);
  if (isOther || isInstalled || written > 0 || copy.leftOut > 0 || copy.state === undefined)
    copy.state = stateOf(copy, seen);
  const { state } = copy;
  if (isOther || isInstalled || written > 0) keepManifest(copy);
  written += setTexts(copy, mine);
  removeStrangers(copy, "", knownFolders(copy), undefined);
  const { linked, leftOut } = copy;
  const installed = [...copy.installed.keys()];
  return { state, files: wanted.size, written, linked: [...linked], installed, leftOut, began };
}

function stateOf(copy: Copy, seen: readonly (readonly [string, fs.Stats])[]): string {
  const hash = createHash("sha256");
  const lines = seen.map(
    ([path, { mtimeMs, size, ino, ctimeMs }]) => `${path}\0${mtimeMs}:${size}:${ino}:${ctimeMs}\n`,
  );
  hash.update(lines.join(""));
  for (const [folder, signature] of copy.installed) hash.update(`${folder}\0${signature}\n`);
  return hash.digest("hex");
}

/**
 * Somebody may have saved or removed a file of the folder since the state hash was computed, and the next update finds it
 * as it was last copied. `stats`: of the folder's file.
 */
function noticeChange(copy: Copy, path: string, stats: fs.Stats | undefined): void {
  if (!copy.listed.has(path)) return;
  const known = copy.known.get(path);
  if (known === undefined || stats === undefined || !isLike(known.from, stats)) copy.state = undefined;
}

function setTexts(copy: Copy, texts: ReadonlyMap<string, string | null>): number {
  let written = 0;
  for (const path of new Set([...copy.texts.keys(), ...texts.keys()])) {
    const text = texts.get(path);
    if (text === undefined) {
      copy.textSignatures.delete(path);
      const stats = statAt(join(copy.root, path));
      noticeChange(copy, path, stats);
      copy.known.delete(path);
      if (isDependency(copy, path)) putBackDependency(copy, path);
      else if (copy.listed.has(path) && (stats?.isFile() || stats?.isSymbolicLink()))
        updateFile(copy, path, stats);
      else removeAt(copy, path);
      written++;
      continue;
    }
    const now = statAt(join(copy.copy, path));
    const known = copy.textSignatures.get(path);
    const isThere = now !== undefined && known !== undefined && isSame(known, signatureOf(now));
    if (text === null ? now === undefined : isThere && copy.texts.get(path) === text) continue;
    if (text === null) removeAt(copy, path);
    else putText(copy, path, text, texts);
    written++;
  }
  copy.texts = new Map(texts);
  return written;
}

/**
 * Restores what a program has changed or removed, and deletes what it has added besides its outputs. `since`: it ran on
 * a proposal from then on; what it left in outputs, caches and dependencies since is deleted too, because it would
 * influence the check of the next proposal.
 */
export function restoreAll(
  copy: Copy,
  texts: ReadonlyMap<string, string | null>,
  since: number | undefined,
): number {
  makeRoot(copy);
  copy.intact = undefined;
  let written = 0;
  for (const [path, known] of [...copy.known]) {
    if (texts.has(path) || copy.texts.has(path)) continue;
    const now = statAt(below(copy.copy, path));
    if (now !== undefined && isLike(known.to, now)) continue;
    const stats = statAt(join(copy.root, path));
    noticeChange(copy, path, stats);
    if (stats !== undefined && updateFile(copy, path, stats)) written++;
  }
  written += setTexts(copy, texts);
  removeStrangers(copy, "", knownFolders(copy), since);
  if (since !== undefined) removeTree(runningMark(copy), dirname(copy.copy));
  return written;
}

/**
 * Marks that a proposal is running: another window that finds this mark does not trust the copy. Returns the current
 * time by the file system's clock.
 */
export function markRunning(copy: Copy): number {
  return nextTick(copy, runningMark(copy), (now) => {
    copy.foldersBefore = foldersOf(copy, now);
  });
}

/** Leaves a new file at `mark`. `meanwhile` is done until the time of the disk is another. */
function nextTick(copy: Copy, mark: string, meanwhile: (now: number) => void = () => {}): number {
  removeTree(mark, dirname(copy.copy));
  fs.writeFileSync(mark, "", { flag: "wx", mode: 0o600 });
  const { ctimeMs: first } = fs.lstatSync(mark);
  meanwhile(first);
  // The file system's clock advances in steps of some milliseconds: wait for the next step, because earlier and later
  // writes could not be told apart. If it does not advance at all, everything counts as later.
  for (let last = first, until = Date.now() + 100; ; last = fs.lstatSync(mark).ctimeMs) {
    if (last > first || Date.now() > until) return last;
    fs.writeFileSync(mark, "");
  }
}

function runningMark(copy: Copy): string {
  return join(dirname(copy.copy), "running");
}

/** All folders with a known file anywhere below them. */
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

function clearTemporary(copy: Copy): void {
  removeTree(copy.temporary, dirname(copy.temporary));
  fs.mkdirSync(copy.temporary, { mode: 0o700 });
}

function keepManifest(copy: Copy): void {
  const kept = { known: [...copy.known], dependencies: [...copy.dependencies], linked: [...copy.linked] };
  removeTree(copy.manifest, dirname(copy.manifest));
  fs.writeFileSync(copy.manifest, JSON.stringify(kept), { flag: "wx", mode: 0o600 });
}

export function readManifest(copy: Copy): void {
  const home = dirname(copy.copy);
  for (const name of fs.readdirSync(home)) if (name.startsWith("gone-")) removeTree(join(home, name), home);
  try {
    // A program that ran on the copy may have replaced it by a pipe, or by a link to something that never ends.
    if (!fs.lstatSync(copy.manifest).isFile()) throw new Error("The manifest is no file.");
    if (statAt(runningMark(copy)) !== undefined)
      throw new Error("Whoever ran on this copy has not put it back.");
    const kept = JSON.parse(fs.readFileSync(copy.manifest, "utf8"));
    copy.known = new Map(kept.known);
    copy.dependencies = new Map(kept.dependencies);
    copy.linked = new Set(kept.linked);
  } catch {
    // Without the manifest, everything is copied again.
    removeTree(runningMark(copy), home);
    removeTree(copy.copy, home);
  }
}
