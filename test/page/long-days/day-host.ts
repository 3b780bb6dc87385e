// One page, and behind it one process after another that stands for the extension host: what a person does outside of the
// page is asked of it here, and what it says is heard here. It can be killed at any moment; the page stays.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Port } from "../../../src/bridge/page-connection.ts";
import type { Disposable } from "../../../src/util/disposables.ts";
import { Emitter } from "../../../src/util/emitter.ts";
import type { DayOrder, Figures, FromDay, ToDay, Wish } from "./day-order.ts";

const program = ".build/page/long-days/day.process.mjs";

export class DayHost {
  readonly #messages = new Emitter<FromDay>();
  readonly #ends = new Emitter<Error>();
  readonly #order: Omit<DayOrder, "last">;
  #process: ChildProcess | undefined;
  #port: Port | undefined;
  #last: string | undefined;
  /** How the one before has ended. */
  #end = new Error("The host has not begun.");
  #wishes = 0;

  readonly onMessage = this.#messages.on;

  constructor(order: Omit<DayOrder, "last">) {
    this.#order = order;
    this.onMessage((message) => {
      if (message.what === "page") this.#port?.post(message.message);
      else if (message.what === "shown") this.#last = message.conversation;
    });
  }

  /** The page is at this end of the wire. */
  readonly connect = (port: Port): Disposable => {
    this.#port = port;
    return port.onMessage((message) => this.fromPage(message));
  };

  /** What the page says, or would say. */
  fromPage(message: unknown): void {
    this.#send({ what: "page", message });
  }

  async start(): Promise<void> {
    const order: DayOrder = { ...this.#order, last: this.#last };
    const child = fork(program, [JSON.stringify(order)], {
      execArgv: ["--expose-gc"],
      serialization: "advanced",
      stdio: ["ignore", "inherit", "pipe", "ipc"],
    });
    // What it dies of stands at the end of it.
    let complained = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      complained = (complained + text).slice(-10_000);
    });
    child.on("message", (message: FromDay) => {
      // What a dead one has said before is heard after its end, and is no longer true.
      if (this.#process === child) this.#messages.fire(message);
    });
    child.once("close", (code, signal) => {
      this.#process = undefined;
      this.#end = new Error(`The host has ended (${code ?? signal}). ${complained}`);
      this.#ends.fire(this.#end);
    });
    this.#process = child;
    await this.next(({ what }) => what === "ready");
    // The page asks whoever is new.
    this.fromPage({ type: "ready" });
  }

  /** The first that is so. @throws when the process ends before, or has ended. */
  next<T extends FromDay>(isIt: (message: FromDay) => message is T): Promise<T>;
  next(isIt: (message: FromDay) => boolean): Promise<FromDay>;
  next(isIt: (message: FromDay) => boolean): Promise<FromDay> {
    if (this.#process === undefined) return Promise.reject(this.#end);
    return new Promise((resolve, reject) => {
      const listening = [
        this.#messages.on((message) => {
          if (!isIt(message)) return;
          for (const each of listening) each.dispose();
          resolve(message);
        }),
        this.#ends.on((end) => {
          for (const each of listening) each.dispose();
          reject(end);
        }),
      ];
    });
  }

  async do(wish: Wish): Promise<Figures | undefined> {
    this.#wishes += 1;
    const number = this.#wishes;
    const done = this.next(
      (message): message is Extract<FromDay, { what: "done" }> =>
        message.what === "done" && message.number === number,
    );
    this.#send({ what: "do", number, wish });
    const { failed, figures } = await done;
    if (failed !== undefined) throw new Error(failed);
    return figures;
  }

  /** As a power cut would end it. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    const over = once(child, "close");
    child.kill("SIGKILL");
    await over;
  }

  #send(message: ToDay): void {
    // Into a pipe that nobody reads any more.
    if (this.#process?.connected === true) this.#process.send(message, () => {});
  }
}
