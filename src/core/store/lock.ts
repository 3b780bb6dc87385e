// One writer per conversation, across processes. The lock is a file that names its owner and is touched every
// second. A lock is stale when its process is dead, or when nobody has seen it change for five seconds: seen, not
// computed, because clocks jump and machines sleep. Losing a lock is possible (a stopped process wakes up after
// somebody took over), so the owner looks before every write. A lock that names nobody is nobody's after half a second.
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { errorCode, type FileSystem, isMissing, type OpenFile } from "./file-system.ts";
import { replaceText } from "./replace-file.ts";

const heartbeat = 1000;
const staleAfter = 5000;
/** Whoever makes a lock says in the same breath whose it is. How often that is looked for, and how long it is waited between. */
const unnamed = { looks: 10, every: 50 };

interface Owner {
  readonly token: string;
  readonly pid: number;
  readonly host: string;
}

export class WriterLock {
  readonly #fs: FileSystem;
  readonly #path: string;
  readonly #elapsed: () => number;
  readonly #token = randomUUID();
  #held = false;
  #seen: { readonly sign: string; readonly at: number } | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `elapsed` only ever goes forward, whatever the wall clock does. */
  constructor(fs: FileSystem, path: string, elapsed: () => number = () => performance.now()) {
    this.#fs = fs;
    this.#path = path;
    this.#elapsed = elapsed;
  }

  /** Takes the lock if it is free or stale. Ask again to let staleness show. */
  async acquire(): Promise<boolean> {
    if (this.#held) return this.holds();
    if (!(await this.#create()) && !(await this.#takeOver())) return false;
    this.#held = true;
    this.#timer = setInterval(() => void this.#pulse(), heartbeat).unref();
    return true;
  }

  /** Whether the lock is still ours. A lock file that vanished with its folder is put back. */
  async holds(): Promise<boolean> {
    if (!this.#held) return false;
    const owner = await this.#owner();
    this.#held = owner === undefined ? await this.#create() : asOwner(owner)?.token === this.#token;
    if (!this.#held) clearInterval(this.#timer);
    return this.#held;
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    const held = await this.holds().catch(() => false);
    clearInterval(this.#timer);
    this.#held = false;
    if (held) await this.#fs.remove(this.#path).catch(() => undefined);
  }

  #text(): string {
    const owner: Owner = { token: this.#token, pid: process.pid, host: hostname() };
    return `${JSON.stringify(owner)}\n`;
  }

  async #create(): Promise<boolean> {
    try {
      const file = await this.#fs.open(this.#path, "create");
      await this.#fill(file);
      return true;
    } catch (error) {
      if (errorCode(error) === "EEXIST") return false;
      throw error;
    }
  }

  /** A lock that could not be filled is nobody's: it must not stand in the way. */
  async #fill(file: OpenFile): Promise<void> {
    try {
      await file.write(Buffer.from(this.#text())).finally(() => file.close());
    } catch (error) {
      await this.#fs.remove(this.#path).catch(() => undefined);
      throw error;
    }
  }

  /** Two may find the same stale lock: the later rename wins, and the earlier one finds out before it writes. */
  async #takeOver(): Promise<boolean> {
    const text = await this.#namedOwner();
    if (text === undefined) return this.#create();
    // Written in full before the disk said that it had failed.
    if (asOwner(text)?.token === this.#token) return true;
    if (!(await this.#isStale(text))) return false;
    await replaceText(this.#fs, this.#path, this.#text());
    const now = await this.#owner();
    return now !== undefined && asOwner(now)?.token === this.#token;
  }

  async #isStale(text: string): Promise<boolean> {
    const owner = asOwner(text);
    // Its writer died between making and filling it, or the disk took neither the filling nor the removing.
    if (owner === undefined) return true;
    if (owner.host === hostname() && !isAlive(owner.pid)) return true;
    const sign = `${(await this.#fs.stat(this.#path))?.modified} ${text}`;
    const now = this.#elapsed();
    if (this.#seen?.sign !== sign) this.#seen = { sign, at: now };
    return now - this.#seen.at >= staleAfter;
  }

  async #pulse(): Promise<void> {
    try {
      if (!(await this.holds())) return;
      await this.#fs.touch(this.#path);
    } catch {
      // A beat that could not be written is missed, no more; the next write of a record says what is wrong.
    }
  }

  /** Gives a lock that says nothing yet the time to be filled: it would be taken from somebody who just made it. */
  async #namedOwner(): Promise<string | undefined> {
    for (let look = 1; ; look += 1) {
      const text = await this.#owner();
      if (text === undefined || asOwner(text) !== undefined || look === unnamed.looks) return text;
      await wait(unnamed.every);
    }
  }

  async #owner(): Promise<string | undefined> {
    try {
      return Buffer.from(await this.#fs.read(this.#path)).toString("utf8");
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }
}

/** `undefined`: it does not say whose it is. */
function asOwner(text: string): Owner | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== "ESRCH";
  }
}
