// Ownership of a copy (shadow-copy.ts). The owner is part of a file name, and a copy changes owners by renaming that
// file: of several that try, only one finds the old name, even after a crash. No owner's name is ever reused.
import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, readFile, readlink, rename, rm, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const prefix = "owner.";
const free = `${prefix}free`;

/** How often an owner shows that it is alive, and how long it may be silent, in milliseconds. */
interface Heartbeat {
  readonly every: number;
  readonly silent: number;
}

const usual: Heartbeat = { every: 1000, silent: 10 * 60_000 };
/** Heartbeats that an owner in another container may miss, of whose process nothing else is known. */
const mostMissed = 60;

export interface CopyOwner {
  /** Whether this process still owns it. A process that was suspended for long may have lost it. */
  holds(): Promise<boolean>;
  release(): Promise<void>;
}

/** `undefined` if another process owns it. Creates the folder if necessary. */
export async function takeCopy(home: string, beat: Heartbeat = usual): Promise<CopyOwner | undefined> {
  const own = `${prefix}${process.pid}.${await startOf(process.pid)}.${await containerOf()}.${randomUUID()}`;
  const names = await ownersIn(home);
  if (names === undefined) return (await makeHome(home, own)) ? ownerOf(home, own, beat) : undefined;
  for (const name of names) if (!(await isOver(home, name, beat))) return undefined;
  const [first = free] = names;
  // A program that ran on the copy, or an older version, has left it without an owner file.
  if (names.length === 0) await writeFile(join(home, free), "", { flag: "wx", mode: 0o600 }).catch(() => {});
  const isTaken = await rename(join(home, first), join(home, own)).then(
    () => true,
    () => false,
  );
  if (!isTaken) return undefined;
  // Two processes may both have found no owner: the later one sees the earlier one here.
  for (const name of (await ownersIn(home)) ?? []) {
    if (name === own) continue;
    const isLeft = await isOver(home, name, beat);
    await rm(join(home, isLeft ? name : own), { force: true });
    if (!isLeft) return undefined;
  }
  return ownerOf(home, own, beat);
}

/** `undefined` if there is no such folder. */
async function ownersIn(home: string): Promise<readonly string[] | undefined> {
  const stats = await lstat(home).catch(() => undefined);
  if (stats === undefined) return undefined;
  if (!stats.isDirectory()) throw new Error(`${home} is no folder.`);
  return (await readdir(home)).filter((name) => name.startsWith(prefix));
}

/** Creates the folder with its owner file already inside, so that nobody finds it without an owner. */
async function makeHome(home: string, own: string): Promise<boolean> {
  const made = join(dirname(home), `.new-${randomUUID()}`);
  await mkdir(made, { mode: 0o700 });
  await writeFile(join(made, own), "", { flag: "wx", mode: 0o600 });
  return rename(made, home).then(
    () => true,
    async () => {
      await rm(made, { recursive: true, force: true });
      return false;
    },
  );
}

function ownerOf(home: string, own: string, beat: Heartbeat): CopyOwner {
  const place = join(home, own);
  const beating = setInterval(() => {
    const now = new Date();
    // The next heartbeat makes up for a missed one.
    utimes(place, now, now).catch(() => {});
  }, beat.every);
  beating.unref();
  return {
    holds: async () => (await lstat(place).catch(() => undefined)) !== undefined,
    async release() {
      clearInterval(beating);
      // If another process owns it by now, this fails, as it should.
      await rename(place, join(home, free)).catch(() => {});
    },
  };
}

/**
 * Whether the owner is gone: its process has ended, its number belongs to another process, or it was silent for too
 * long.
 */
async function isOver(home: string, name: string, { every, silent }: Heartbeat): Promise<boolean> {
  if (name === free) return true;
  const [, pid = "", start = "", ...more] = name.split(".");
  const [container = ""] = more.length > 1 ? more : [];
  // Several containers may share a folder, and each counts its own processes.
  const isElsewhere = container !== "" && container !== (await containerOf());
  if (!isElsewhere) {
    if (!isAlive(Number(pid))) return true;
    const now = await startOf(Number(pid));
    if (now !== "" && start !== "") return now !== start;
  }
  const heard = () =>
    lstat(join(home, name)).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
  const last = await heard();
  if (last === undefined || Date.now() - last < (isElsewhere ? every * mostMissed : silent)) return false;
  // The machine may just have woken up: allow the owner to catch up.
  await wait(every * 3);
  return (await heard()) === last;
}

/** A number for the processes that this one can see, as in a container; "" if unavailable. */
const containerOf = (): Promise<string> =>
  readlink("/proc/self/ns/pid").then(
    (name) => name.replace(/\D/g, ""),
    () => "",
  );

/** Start time of a process, from a clock that cannot be set; "" if unavailable. */
async function startOf(pid: number): Promise<string> {
  const line = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The program name may contain anything, so parse what follows its closing parenthesis.
  return line.slice(line.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
