// Bytes between who receives them and who reads them: in order, the end last, and not too many at once. Knows no
// HTTP.

/** From here on the sender is asked to wait. */
const maxBytes = 256 * 1024;

type Taken = Uint8Array | "end" | "late";

export class ChunkQueue {
  readonly #onLow: () => void;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #isFull = false;
  #waiting: ((whenNone: "late" | undefined) => void) | undefined;
  #end: { readonly error: Error | undefined } | undefined;

  /** `onLow`: there is room again after `push` said that there was none. */
  constructor(onLow: () => void) {
    this.#onLow = onLow;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** False when the sender should wait. */
  push(chunk: Uint8Array): boolean {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes >= maxBytes) this.#isFull = true;
    this.#wake();
    return !this.#isFull;
  }

  /** Comes after what was pushed. The first one counts. */
  end(error: Error | undefined): void {
    this.#end ??= { error };
    this.#wake();
  }

  clear(): void {
    this.#chunks = [];
    this.#bytes = 0;
    this.#isFull = false;
  }

  /** One promise for each chunk: of a stream of small events this is most of what reading costs. */
  next(within?: number): Promise<Taken> {
    return new Promise((resolve, reject) => {
      if (this.#take(resolve, reject, undefined)) return;
      const waiting = (whenNone: "late" | undefined) => {
        clearTimeout(timer);
        this.#take(resolve, reject, whenNone);
      };
      // A timer may be due before what came in time has been read: one more round of the event loop does that.
      const late = () => this.#waiting === waiting && this.#wake("late");
      const timer = within === undefined ? undefined : setTimeout(() => setImmediate(late), within);
      this.#waiting = waiting;
    });
  }

  #take(
    resolve: (taken: Taken) => void,
    reject: (error: Error) => void,
    whenNone: "late" | undefined,
  ): boolean {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) {
      this.#drained(chunk.length);
      resolve(chunk);
    } else if (this.#end !== undefined) {
      if (this.#end.error === undefined) resolve("end");
      else reject(this.#end.error);
    } else if (whenNone !== undefined) resolve(whenNone);
    else return false;
    return true;
  }

  #drained(bytes: number): void {
    this.#bytes -= bytes;
    if (!this.#isFull || this.#bytes >= maxBytes) return;
    this.#isFull = false;
    this.#onLow();
  }

  #wake(whenNone?: "late"): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.(whenNone);
  }
}
