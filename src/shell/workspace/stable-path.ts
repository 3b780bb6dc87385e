// Whether the way to a file stands still. VS Code writes by path, in a process of its own and some milliseconds after our
// last look, and Node has nothing that would hold a folder for it: a folder that somebody swaps for a link in between
// leads the write away (threats C6). So nobody may have turned a step of the way lately. Looks only; knows no editor.
import type { BigIntStats } from "node:fs";
import { lstat, readlink, realpath, stat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";

/** What happened so many milliseconds ago is young: several times what VS Code takes from our last look to its write. */
const youth = 250;

/** A file, there or not, by its path below a folder of the workspace on this machine's disk. */
export interface Place {
  readonly folder: string;
  readonly path: string;
}

/** What stands at one step, and since when; where nothing stands, the folder that could have held it. */
interface Step {
  readonly kind: "link" | "folder" | "file" | "nothing";
  readonly found: Pick<BigIntStats, "dev" | "ino" | "birthtimeNs" | "mtimeNs" | "ctimeNs">;
}

/** Every step on the way to some places, by its path. */
export type Way = ReadonlyMap<string, Step>;

export type Found =
  | { readonly way: Way; readonly turned?: undefined }
  | { readonly way?: undefined; readonly turned: string };

/** Real time, but for tests. */
export interface Clock {
  now(): number;
  wait(milliseconds: number): Promise<void>;
}

const realClock: Clock = {
  now: Date.now,
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

export class Steadiness {
  readonly #clock: Clock;
  /** Folders as our own edits have left them: what was made there is no news. */
  readonly #ours = new Set<string>();
  #lastOurs = 0;

  constructor(clock: Clock = realClock) {
    this.#clock = clock;
  }

  /**
   * The way, once it has stood still for a while – at once, if nothing on it is young; or the step that is being turned.
   * A file system's clock may be ahead of ours, and all of it young for ever: so a second look decides, not an age.
   */
  async find(places: readonly Place[]): Promise<Found> {
    const way = await lookAtWay(places);
    if (![...way.values()].some((step) => this.#isYoung(step))) return { way };
    await this.#clock.wait(youth);
    const later = await lookAtWay(places);
    const turned = turnedStep(way, later);
    return turned === undefined ? { way: later } : { turned };
  }

  /** Asked last of all before something is written. */
  async isStill(places: readonly Place[], way: Way): Promise<boolean> {
    return turnedStep(way, await lookAtWay(places)) === undefined;
  }

  /**
   * Asked after a write: a folder or link on the way that is another than it was, was renamed since, or has its times set
   * back. What was written then may lie elsewhere, although everything looks untouched by now.
   */
  async turnedSince(places: readonly Place[], way: Way): Promise<string | undefined> {
    const after = await lookAtWay(places);
    const fixed = [...way].filter(([, { kind }]) => kind === "folder" || kind === "link");
    return fixed.find(([at, then]) => {
      const now = after.get(at);
      return now === undefined || isTurned(then, now);
    })?.[0];
  }

  /** To be called when something of ours was written: another patch into the same folder need not wait for it. */
  async remember(places: readonly Place[]): Promise<void> {
    if (this.#clock.now() - this.#lastOurs > youth) this.#ours.clear();
    this.#lastOurs = this.#clock.now();
    const folders = new Set(places.flatMap((place) => [place.folder, ...stepsTo(place).slice(0, -1)]));
    const found = await Promise.all([...folders].map((folder) => stat(folder, { bigint: true }).catch(none)));
    // We make and remove entries; a folder that was renamed since has been in other hands.
    for (const each of found) if (each !== undefined && !wasRenamed(each)) this.#ours.add(nameOf(each));
  }

  /**
   * A rename gives its folder or file a new ctime and leaves the mtime alone – on ext4, XFS, Btrfs, tmpfs, APFS, HFS+
   * and NTFS; where a file system keeps no ctime (FAT, exFAT) there are no links either. Entries that come and go set
   * both, so that a folder in which a build writes is not held up. What cannot be told from that, if somebody who runs
   * programs here hides each swap behind a new entry, is seen after the write (verify-write.ts).
   */
  #isYoung({ kind, found }: Step): boolean {
    const { ctimeNs, mtimeNs, birthtimeNs } = found;
    const isRecent = (time: bigint) => this.#clock.now() - Number(time / 1_000_000n) < youth;
    if (kind === "link") return isRecent(ctimeNs);
    if (wasRenamed(found) && isRecent(ctimeNs)) return true;
    if (kind === "file" || this.#ours.has(nameOf(found))) return false;
    return isRecent(kind === "folder" ? birthtimeNs : mtimeNs);
  }
}

const none = (): undefined => undefined;

const wasRenamed = ({ ctimeNs, mtimeNs }: Step["found"]): boolean => ctimeNs !== mtimeNs;

const nameOf = ({ dev, ino, birthtimeNs, mtimeNs }: Step["found"]): string =>
  [dev, ino, birthtimeNs, mtimeNs].join(":");

/** The first step that is something else than it was, or was renamed since; entries may have come and gone in it. */
function turnedStep(before: Way, after: Way): string | undefined {
  for (const [place, now] of after) {
    const then = before.get(place);
    if (then === undefined || isTurned(then, now)) return place;
  }
  return [...before.keys()].find((place) => !after.has(place));
}

function isTurned({ kind, found: then }: Step, { kind: kindNow, found: now }: Step): boolean {
  if (kind !== kindNow || then.dev !== now.dev || then.ino !== now.ino) return true;
  if (then.birthtimeNs !== now.birthtimeNs) return true;
  if (kind === "nothing") return then.mtimeNs !== now.mtimeNs;
  return then.ctimeNs !== now.ctimeNs && (kind === "link" || wasRenamed(now));
}

/** Many files in one folder share their steps, and a link adds those to where it leads. */
async function lookAtWay(places: readonly Place[]): Promise<Way> {
  const way = new Map<string, Step>();
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

/** Steps in our folders alone: a way that leads out of them is refused, whoever turned it. */
async function stepsBelow(places: readonly Place[], targets: readonly string[]): Promise<string[]> {
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
function stepsTo({ folder, path }: Place): string[] {
  const names = path.split("/");
  return names.map((_, at) => join(folder, ...names.slice(0, at + 1)));
}

async function lookAtStep(at: string): Promise<{ at: string; step: Step; target?: string }> {
  const found = await lstat(at, { bigint: true }).catch(none);
  if (found === undefined) {
    const above = await stat(dirname(at), { bigint: true }).catch(none);
    return { at, step: { kind: "nothing", found: above ?? nowhere } };
  }
  if (!found.isSymbolicLink()) return { at, step: { kind: found.isDirectory() ? "folder" : "file", found } };
  const target = await Promise.all([realpath(dirname(at)), readlink(at)]).catch(none);
  const step: Step = { kind: "link", found };
  return target === undefined ? { at, step } : { at, step, target: resolve(...target) };
}

const nowhere: Step["found"] = { dev: 0n, ino: 0n, birthtimeNs: 0n, mtimeNs: 0n, ctimeNs: 0n };
