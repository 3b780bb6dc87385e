// Somebody who runs programs beside the editor, and turns a step of a way elsewhere for as long as a few calls of the file
// system take: turned before one of them, turned back before a later one, and hidden. Calls come one after the other,
// so that a seed tells the whole race.
import * as disk from "node:fs";
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { mock } from "node:test";

const calls = {
  access: disk.accessSync,
  lstat: disk.lstatSync,
  mkdir: disk.mkdirSync,
  readdir: disk.readdirSync,
  readFile: disk.readFileSync,
  readlink: disk.readlinkSync,
  realpath: disk.realpathSync,
  rename: disk.renameSync,
  rm: disk.rmSync,
  rmdir: disk.rmdirSync,
  stat: disk.statSync,
  writeFile: disk.writeFileSync,
} as const;

/** Something happens before each asynchronous call of the file system in this process, until the answer is called. */
export function atEveryCall(happen: (name: string) => void): () => void {
  const mocks = Object.entries(calls).map(([name, call]) => {
    const act = call as (...values: readonly unknown[]) => unknown;
    return mock.method(fs, name as keyof typeof calls, async (...values: readonly unknown[]) => {
      happen(name);
      return act(...values);
    });
  });
  syncBuiltinESMExports();
  return () => {
    for (const each of mocks) each.mock.restore();
    syncBuiltinESMExports();
  };
}

export interface Turn {
  /** The step that is turned: a folder, a file, or where a file is to come. */
  readonly step: string;
  /** What stands there meanwhile, or is led to. */
  readonly target: string;
  /** A link, or the thing itself: a folder that is moved in, a file under a second name. */
  readonly by: "link" | "itself";
  readonly hidden: "at once" | "times" | "entry" | "copy" | "copy and times";
  /** What is then found below the step as if it had been written there, by its path; none where it is gone. */
  readonly meant: ReadonlyMap<string, string | undefined>;
}

export class HidingRacer {
  readonly #turn: Turn;
  readonly #aside: string;
  #times: readonly (readonly [path: string, atime: Date, mtime: Date])[] = [];
  #isTurned = false;

  constructor(turn: Turn) {
    this.#turn = turn;
    this.#aside = `${turn.step}-aside`;
  }

  turn(): void {
    const { step, target, by } = this.#turn;
    // Where the way to it is not made yet, there is nothing to be turned.
    if (this.#isTurned || !disk.existsSync(dirname(step))) return;
    this.#times = [dirname(step), step, ...(by === "link" ? [] : [target])].flatMap((path) => {
      const found = disk.statSync(path, { throwIfNoEntry: false });
      return found === undefined ? [] : [[path, found.atime, found.mtime] as const];
    });
    this.#isTurned = true;
    if (stands(step)) disk.renameSync(step, this.#aside);
    if (by === "link") disk.symlinkSync(target, step);
    else if (!disk.existsSync(target)) return;
    else if (disk.statSync(target).isDirectory()) disk.renameSync(target, step);
    else disk.linkSync(target, step);
  }

  turnBack(): void {
    const { step, target, by, hidden } = this.#turn;
    if (!this.#isTurned) return;
    this.#isTurned = false;
    const isFolder =
      by === "itself" && disk.statSync(step, { throwIfNoEntry: false })?.isDirectory() === true;
    const led = this.#meantAndThere();
    if (isFolder && !disk.existsSync(target)) disk.renameSync(step, target);
    else if (disk.existsSync(this.#aside) || by === "link") disk.rmSync(step, { force: true });
    if (stands(this.#aside)) disk.renameSync(this.#aside, step);
    if (hidden === "entry") disk.writeFileSync(join(dirname(step), "probe"), "");
    if (hidden.startsWith("copy")) for (const [path, text] of led) put(path, text);
    if (hidden.endsWith("times"))
      for (const [path, atime, mtime] of this.#times) setTimes(path, atime, mtime);
  }

  /** What was done where it has been led. */
  #meantAndThere(): readonly (readonly [path: string, text: string | undefined])[] {
    return [...this.#turn.meant].filter(
      ([path, text]) => path.startsWith(this.#turn.step) && textAt(path) === text,
    );
  }
}

const stands = (path: string): boolean => disk.lstatSync(path, { throwIfNoEntry: false }) !== undefined;

export function textAt(path: string): string | undefined {
  const found = disk.statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true ? disk.readFileSync(path, "utf8") : undefined;
}

function put(path: string, text: string | undefined): void {
  if (text === undefined) {
    disk.rmSync(path, { force: true });
    return;
  }
  disk.mkdirSync(dirname(path), { recursive: true });
  disk.writeFileSync(path, text);
}

function setTimes(path: string, atime: Date, mtime: Date): void {
  if (disk.existsSync(path)) disk.utimesSync(path, atime, mtime);
}
