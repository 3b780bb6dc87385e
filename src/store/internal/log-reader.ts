// The reading half of the append log: splits bytes into lines, and follows a file to which this process or another one
// appends. Reads everything at first, then only what is new.
import type { FileSystem } from "../file-system.ts";
import { checksumOf } from "./sealed-line.ts";

/** `line` has no line feed and is only valid until the next call; `offset` is its place in the file. */
type OnLine = (line: Buffer, offset: number) => void;

const firstSpace = 64 * 1024;
const newline = 10;

export class LineSplitter {
  readonly #onLine: OnLine;
  readonly #most: number;
  #space = Buffer.allocUnsafe(firstSpace);
  #filled = 0;
  #offset: number;
  #roomFilled = false;
  /** The last line was reported although it has not ended. */
  #toldTail = false;

  /** `most`: how many bytes to read at once before others may run. */
  constructor(onLine: OnLine, offset = 0, most = 4 * 1024 * 1024) {
    this.#onLine = onLine;
    this.#offset = offset;
    this.#most = most;
  }

  /** The file offset of the next unread byte. */
  get position(): number {
    return this.#offset + this.#filled;
  }

  /** Where the first unreported line begins. */
  get lineStart(): number {
    return this.#toldTail ? this.position : this.#offset;
  }

  /** The beginning of a line that has not ended and was not reported. */
  get rest(): Buffer {
    return this.#space.subarray(0, this.#toldTail ? 0 : this.#filled);
  }

  /**
   * Buffer space for the next bytes. It doubles when it is used up: for a long file up to a limit, for a long line
   * without one.
   */
  room(): Buffer {
    const short = this.#space.length < this.#most || this.#filled > this.#space.length / 2;
    if (this.#roomFilled && short) {
      const wider = Buffer.allocUnsafe(this.#space.length * 2);
      this.#space.copy(wider, 0, 0, this.#filled);
      this.#space = wider;
    }
    return this.#space.subarray(this.#filled);
  }

  /** Call this after putting `count` bytes into `room()`. */
  take(count: number): void {
    const end = this.#filled + count;
    // Once its line ends, it is reported again, and whoever reads it recognizes the copy.
    this.#toldTail &&= count === 0;
    this.#roomFilled = end === this.#space.length;
    let from = 0;
    let search = this.#filled;
    const read = this.#space.subarray(0, end);
    for (;;) {
      const at = read.indexOf(newline, search);
      if (at < 0) break;
      if (at > from) this.#onLine(this.#space.subarray(from, at), this.#offset + from);
      from = at + 1;
      search = from;
    }
    this.#space.copyWithin(0, from, end);
    this.#filled = end - from;
    this.#offset += from;
  }

  /** Call this when no more bytes come for now. A line that lacks only its end counts: the next writer ends it. */
  pause(): void {
    const tail = this.#space.subarray(0, this.#filled);
    if (this.#toldTail || checksumOf(tail) === undefined) return;
    this.#onLine(tail, this.#offset);
    this.#toldTail = true;
  }
}

/** What a follower fills. */
interface LogTarget {
  lines(): LineSplitter;
  /** Forgets everything that was read: `lines` starts from the beginning. */
  forget(): void;
}

export class LogFollower {
  readonly #fs: FileSystem;
  readonly #path: string;
  readonly #target: LogTarget;
  #identity: number | undefined;

  /** `identity`: of the file that `target` has read already. */
  constructor(fs: FileSystem, path: string, target: LogTarget, identity?: number) {
    this.#fs = fs;
    this.#path = path;
    this.#target = target;
    this.#identity = identity;
  }

  get identity(): number | undefined {
    return this.#identity;
  }

  /** Reads what was appended since; `reloaded`: the file was replaced, and all of it was read. */
  async advance(): Promise<"nothing" | "appended" | "reloaded"> {
    const found = await this.#fs.stat(this.#path);
    if (found === undefined) return "nothing";
    const isSame = found.identity === this.#identity;
    if (isSame && found.size === this.#target.lines().position) return "nothing";
    const isReplaced =
      this.#identity !== undefined && (!isSame || found.size < this.#target.lines().position);
    if (isReplaced) this.#target.forget();
    this.#identity = found.identity;
    await this.#read();
    this.#target.lines().pause();
    return isReplaced ? "reloaded" : "appended";
  }

  /** The next `advance` goes on where `target` ends, in whichever file is there then. */
  goOn(): void {
    this.#identity = undefined;
  }

  /** Makes the next `advance` read everything again. */
  restart(): void {
    this.#target.forget();
    this.#identity = undefined;
  }

  async #read(): Promise<void> {
    const lines = this.#target.lines();
    const file = await this.#fs.open(this.#path, "read");
    try {
      for (;;) {
        const count = await file.read(lines.room(), lines.position);
        if (count === 0) return;
        lines.take(count);
      }
    } finally {
      await file.close();
    }
  }
}
