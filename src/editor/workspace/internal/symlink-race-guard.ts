// Detects whether the path of a file is being redirected (threats C6). Only reads; independent of the editor.
import { type BigIntStats, type FSWatcher, watch } from "node:fs";
import { lstat, readlink, realpath, stat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";

/**
 * Milliseconds within which a change counts as recent: several times what VS Code takes from our last check to its
 * write.
 */
const youth = 250;

/** A file, existing or not, by its path below a workspace folder on this machine's disk. */
export interface DiskPath {
  readonly folder: string;
  readonly path: string;
}

/** What is at one step; if nothing is, the status of its parent folder. */
interface PathStep {
  readonly kind: "link" | "folder" | "file" | "nothing";
  readonly found: Pick<BigIntStats, "dev" | "ino" | "birthtimeNs" | "mtimeNs" | "ctimeNs">;
}

/** All steps on the paths of some places, by path. */
export type PathSnapshot = ReadonlyMap<string, PathStep>;

type SnapshotResult =
  | { readonly way: PathSnapshot; readonly turned?: undefined }
  | { readonly way?: undefined; readonly turned: string };

/** Replaced in tests. */
interface Clock {
  now(): number;
  wait(milliseconds: number): Promise<void>;
}

const realClock: Clock = {
  now: Date.now,
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/**
 * VS Code writes by path, in another process and some milliseconds after our last check, and Node cannot hold a folder
 * open for it: a folder swapped for a link in between redirects the write. So no step of the path may have been renamed
 * recently.
 */
export class SymlinkRaceGuard {
  readonly #clock: Clock;
  /** Folders as our own edits have left them: entries created there are not suspicious. */
  readonly #ours = new Set<string>();
  #lastOurs = 0;

  constructor(clock: Clock = realClock) {
    this.#clock = clock;
  }

  /**
   * Waits until nothing on the path is recent, and returns its steps, or the step that is being swapped. The file
   * system's clock may be ahead of ours, so that everything seems recent forever: a second look decides, not an age.
   */
  async takeSnapshot(places: readonly DiskPath[]): Promise<SnapshotResult> {
    const way = await readSnapshot(places);
    if (![...way.values()].some((step) => this.#isYoung(step))) return { way };
    await this.#clock.wait(youth);
    const later = await readSnapshot(places);
    const turned = changedStep(way, later);
    return turned === undefined ? { way: later } : { turned };
  }

  /** The last check before a write. */
  async isUnchanged(places: readonly DiskPath[], way: PathSnapshot): Promise<boolean> {
    return changedStep(way, await readSnapshot(places)) === undefined;
  }

  /**
   * The check after a write: finds a folder or link on the path that was replaced, renamed since, or has its times set
   * back. The write may then have been redirected, although everything looks untouched now.
   */
  async changedSince(places: readonly DiskPath[], way: PathSnapshot): Promise<string | undefined> {
    const after = await readSnapshot(places);
    const fixed = [...way].filter(([, { kind }]) => kind === "folder" || kind === "link");
    return fixed.find(([at, then]) => {
      const now = after.get(at);
      return now === undefined || isOther(then, now);
    })?.[0];
  }

  /** Call after a write of our own, so that another patch into the same folder need not wait. */
  async remember(places: readonly DiskPath[]): Promise<void> {
    if (this.#clock.now() - this.#lastOurs > youth) this.#ours.clear();
    this.#lastOurs = this.#clock.now();
    const folders = new Set(places.flatMap((place) => [place.folder, ...stepsTo(place).slice(0, -1)]));
    const found = await Promise.all([...folders].map((folder) => stat(folder, { bigint: true }).catch(none)));
    // Our edits create and remove entries; a folder that was renamed since was touched by others.
    for (const each of found) if (each !== undefined && !wasRenamed(each)) this.#ours.add(nameOf(each));
  }

  /**
   * A rename updates the ctime of its folder or file but not the mtime – on ext4, XFS, Btrfs, tmpfs, APFS, HFS+ and
   * NTFS; file systems without a ctime (FAT, exFAT) have no links either. Creating and removing entries updates both,
   * so that a folder to which a build writes causes no delay. An attacker running programs here could hide each swap
   * behind a new entry; that is noticed after the write (verify-plan.ts).
   */
  #isYoung({ kind, found }: PathStep): boolean {
    const { ctimeNs, mtimeNs, birthtimeNs } = found;
    const isRecent = (time: bigint) => this.#clock.now() - Number(time / 1_000_000n) < youth;
    if (kind === "link") return isRecent(ctimeNs);
    if (wasRenamed(found) && isRecent(ctimeNs)) return true;
    if (kind === "file" || this.#ours.has(nameOf(found))) return false;
    return isRecent(kind === "folder" ? birthtimeNs : mtimeNs);
  }
}

const none = (): undefined => undefined;

const wasRenamed = ({ ctimeNs, mtimeNs }: PathStep["found"]): boolean => ctimeNs !== mtimeNs;

const nameOf = ({ dev, ino, birthtimeNs, mtimeNs }: PathStep["found"]): string =>
  [dev, ino, birthtimeNs, mtimeNs].join(":");

/** The first step that was replaced, or renamed since; entries in it may have come and gone. */
function changedStep(before: PathSnapshot, after: PathSnapshot): string | undefined {
  for (const [place, now] of after) {
    const then = before.get(place);
    if (then === undefined || isOther(then, now)) return place;
  }
  return [...before.keys()].find((place) => !after.has(place));
}

function isOther({ kind, found: then }: PathStep, { kind: kindNow, found: now }: PathStep): boolean {
  if (kind !== kindNow || then.dev !== now.dev || then.ino !== now.ino) return true;
  if (then.birthtimeNs !== now.birthtimeNs) return true;
  if (kind === "nothing") return then.mtimeNs !== now.mtimeNs;
  return then.ctimeNs !== now.ctimeNs && (kind === "link" || wasRenamed(now));
}

/** Files in one folder share their steps, and a link adds those of its target. */
async function readSnapshot(places: readonly DiskPath[]): Promise<PathSnapshot> {
  const way = new Map<string, PathStep>();
  let next = new Set(places.flatMap(stepsTo));
  while (next.size > 0) {
    const seen = await Promise.all([...next].map(lookAtStep));
    for (const { at, step } of seen) way.set(at, step);
    const targets = seen.flatMap(({ target }) => target ?? []);
    const steps = targets.length === 0 ? [] : await stepsBelow(places, targets);
    next = new Set(steps.filter((step) => !way.has(step)));
  }
  return way;
}

/** Only steps in the workspace folders: a path that leads out of them is refused anyway. */
async function stepsBelow(places: readonly DiskPath[], targets: readonly string[]): Promise<string[]> {
  const folders = [...new Set(places.map(({ folder }) => folder))];
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  return targets.flatMap((target) => {
    const folder = real.find((each) => target.startsWith(each + sep));
    return folder === undefined
      ? []
      : stepsTo({ folder, path: relative(folder, target).split(sep).join("/") });
  });
}

/** From just below the folder down to the file. */
function stepsTo({ folder, path }: DiskPath): string[] {
  const names = path.split("/");
  return names.map((_, at) => join(folder, ...names.slice(0, at + 1)));
}

async function lookAtStep(at: string): Promise<{ at: string; step: PathStep; target?: string }> {
  const found = await lstat(at, { bigint: true }).catch(none);
  if (found === undefined) {
    const above = await stat(dirname(at), { bigint: true }).catch(none);
    return { at, step: { kind: "nothing", found: above ?? nowhere } };
  }
  if (!found.isSymbolicLink()) return { at, step: { kind: found.isDirectory() ? "folder" : "file", found } };
  const target = await Promise.all([realpath(dirname(at)), readlink(at)]).catch(none);
  const step: PathStep = { kind: "link", found };
  return target === undefined ? { at, step } : { at, step, target: resolve(...target) };
}

const nowhere: PathStep["found"] = { dev: 0n, ino: 0n, birthtimeNs: 0n, mtimeNs: 0n, ctimeNs: 0n };

/**
 * Records which names on a path are created, removed or moved, from before the last check until after the write. An
 * attacker who swaps a step for a link, swaps it back and leaves the expected file there restores everything, even
 * times; but the swap itself was recorded. Only Linux reports such events immediately and by name; elsewhere, and where
 * watching fails, only `SymlinkRaceGuard` protects. Folders created by the edit itself are not watched.
 */
export class PathWatcher {
  readonly #way: PathSnapshot;
  readonly #ours: ReadonlyMap<string, number>;
  readonly #watchers: FSWatcher[] = [];
  readonly #events = new Map<string, number>();

  /**
   * `ours`: how often the edit itself creates, moves or removes each file. Any other event on the path is suspicious.
   */
  constructor(way: PathSnapshot, ours: ReadonlyMap<string, number>) {
    [this.#way, this.#ours] = [way, ours];
    if (process.platform !== "linux") return;
    const folders = new Set([...way.keys()].map((step) => dirname(step)));
    // Top-down, so that no step can be swapped unnoticed while those below it are being watched.
    for (const folder of [...folders].sort((one, other) => one.length - other.length)) this.#listen(folder);
  }

  #listen(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, (kind, name) => {
        const step = join(folder, name ?? "");
        if (kind === "rename") this.#events.set(step, (this.#events.get(step) ?? 0) + 1);
      });
      watcher.on("error", () => watcher.close());
      this.#watchers.push(watcher);
    } catch {
      // It does not exist yet, or the limit of watches is reached.
    }
  }

  /**
   * Returns a step that was changed by others. `ways`: how often the edit itself has touched its files: 0 before it, 1
   * after it, 2 once it was reverted too.
   */
  async findTurned(ways: 0 | 1 | 2 = 1): Promise<string | undefined> {
    // Pending events are delivered before the second turn of the event loop.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    return [...this.#way.keys()].find((step) => (this.#events.get(step) ?? 0) > ways * this.#timesOurs(step));
  }

  /** The edit also creates the folders it needs. */
  #timesOurs(step: string): number {
    return this.#ours.get(step) ?? (this.#way.get(step)?.kind === "nothing" ? 1 : 0);
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
  }
}
