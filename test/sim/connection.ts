// One TCP connection of the simulator: writes that end when the peer is gone, pauses that end with them,
// and the unkind endings (half close, reset). Knows nothing of HTTP.
import type { Socket } from "node:net";

/** Taken at load, so that a test's fake clock does not stop the simulator. */
const { setTimeout: startTimer, clearTimeout: stopTimer, setImmediate: nextLoop } = globalThis;

/** A reset overtakes bytes the peer has not read; this is the time it has for them. */
const readingTime = 20;

export class Connection {
  readonly closed: Promise<void>;
  /** True once the peer went away before we had finished. */
  closedByClient = false;
  /** Set by the stale keep-alive fault: whatever arrives next on this connection is answered by a reset. */
  stale = false;
  readonly #socket: Socket;
  #open = true;
  #endedByUs = false;
  #leave: () => void = () => {};

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("error", () => undefined);
    this.closed = new Promise((resolve) => {
      this.#leave = () => {
        if (this.#open && !this.#endedByUs) this.closedByClient = true;
        this.#open = false;
        resolve();
      };
    });
    socket.on("end", this.#leave);
    socket.on("close", this.#leave);
  }

  get open(): boolean {
    return this.#open;
  }

  /** False when the peer is gone; resolves when the kernel has taken the bytes. */
  write(bytes: Uint8Array): Promise<boolean> {
    if (!this.#open) return Promise.resolve(false);
    const written = new Promise<boolean>((resolve) => {
      this.#socket.write(bytes, (error) => {
        // The socket's own "close" comes too late for a loop that writes without end.
        if (error) this.#leave();
        resolve(!error);
      });
    });
    return Promise.race([written, this.closed.then(() => false)]);
  }

  pause(milliseconds: number): Promise<void> {
    if (milliseconds <= 0 || !this.#open) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = startTimer(resolve, milliseconds);
      void this.closed.then(() => {
        stopTimer(timer);
        resolve();
      });
    });
  }

  until(gate: Promise<void>): Promise<void> {
    return Promise.race([gate, this.closed]);
  }

  end(): void {
    this.#endedByUs = true;
    this.#socket.end();
  }

  /** RST instead of FIN. A peer in this very process needs a turn of the event loop, one elsewhere some time. */
  async reset(): Promise<void> {
    if (this.#socket.bytesWritten > 0) {
      await this.pause(readingTime);
      await new Promise((resolve) => nextLoop(() => nextLoop(resolve)));
    }
    this.#endedByUs = true;
    // By itself it would send a FIN first, and a client would see a decent end.
    this.#socket.destroySoon = () => void this.#socket.destroy();
    this.#socket.resetAndDestroy();
  }

  destroy(): void {
    this.#endedByUs = true;
    this.#socket.destroy();
  }
}
