// One TCP connection of the simulator: writes that end when the peer is gone, pauses that end with them,
// and the unkind endings (half close, reset). Knows nothing of HTTP.
import type { Socket } from "node:net";

export class Connection {
  readonly closed: Promise<void>;
  /** True once the peer went away before we had finished. */
  closedByClient = false;
  /** Set by the stale keep-alive fault: whatever arrives next on this connection is answered by a reset. */
  stale = false;
  readonly #socket: Socket;
  #open = true;
  #endedByUs = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("error", () => undefined);
    this.closed = new Promise((resolve) => {
      const gone = () => {
        if (this.#open && !this.#endedByUs) this.closedByClient = true;
        this.#open = false;
        resolve();
      };
      socket.on("end", gone);
      socket.on("close", gone);
    });
  }

  get open(): boolean {
    return this.#open;
  }

  /** False when the peer is gone; resolves when the kernel has taken the bytes. */
  write(bytes: Uint8Array): Promise<boolean> {
    if (!this.#open) return Promise.resolve(false);
    return Promise.race([
      new Promise<boolean>((resolve) => this.#socket.write(bytes, (error) => resolve(!error))),
      this.closed.then(() => false),
    ]);
  }

  pause(milliseconds: number): Promise<void> {
    if (milliseconds <= 0 || !this.#open) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      void this.closed.then(() => {
        clearTimeout(timer);
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

  /** RST instead of FIN. The turn of the event loop lets bytes already written leave first. */
  async reset(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#endedByUs = true;
    this.#socket.resetAndDestroy();
  }

  destroy(): void {
    this.#endedByUs = true;
    this.#socket.destroy();
  }
}
