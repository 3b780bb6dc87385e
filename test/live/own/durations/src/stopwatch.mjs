export class Stopwatch {
  #now;
  #started;
  #lapped;

  /** `now` answers milliseconds. */
  constructor(now = Date.now) {
    this.#now = now;
  }

  start() {
    this.#started = this.#now();
    this.#lapped = this.#started;
  }

  /** Seconds since the start. */
  get total() {
    const now = this.#now();
    return (now - this.#started) / 1000;
  }

  /** Seconds since the last lap. */
  lap() {
    const now = this.#now();
    return (now - this.#started) / 1000;
  }
}
