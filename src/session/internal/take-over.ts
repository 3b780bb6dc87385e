// One conversation in two windows: the one that reads along asks for it, and the one that writes it hands it over.
import type { Log } from "../../util/log.ts";
import type { ConversationJournal } from "./recorder.ts";

interface TakeOverDeps {
  journal(): Pick<ConversationJournal, "readOnly" | "unsaved" | "takeOver" | "handOver">;
  /** Ends what runs and saves everything for the other window. */
  windUp(): Promise<void>;
  /** Reads the conversation again, to write it or to read along. */
  reread(): Promise<void>;
  /** Runs this while the other window may leave its draft. */
  aside(work: () => Promise<void>): Promise<void>;
  /** Resolves when a rereading that has begun is over. */
  rereading(): Promise<void> | undefined;
  changed(): void;
  readonly log: Log;
}

/** `done`: it was taken over by this window. */
type TakeOverState = "offered" | "asked" | "done";

/** One for each session, whichever window writes its conversation. */
export class TakeOver {
  readonly #deps: TakeOverDeps;
  #isAsking = false;
  #isDone = false;
  #isHandingOver = false;

  constructor(deps: TakeOverDeps) {
    this.#deps = deps;
  }

  get state(): TakeOverState | undefined {
    if (this.#isAsking) return "asked";
    const { readOnly, takeOver } = this.#deps.journal();
    if (readOnly !== undefined && takeOver !== undefined) return "offered";
    return this.#isDone ? "done" : undefined;
  }

  /** Nothing may begin in this window meanwhile. */
  get isHandingOver(): boolean {
    return this.#isHandingOver;
  }

  /** Rejects with a message if the other window does not hand it over. */
  async ask(): Promise<void> {
    if (this.state !== "offered") return;
    this.#isAsking = true;
    this.#deps.changed();
    try {
      await this.#deps.aside(async () => {
        await this.#deps.journal().takeOver?.();
        await this.#deps.rereading();
      });
      this.#isDone = true;
    } finally {
      this.#isAsking = false;
      this.#deps.changed();
    }
  }

  /** Called for as long as another window asks for the conversation. */
  async handOver(): Promise<void> {
    const { journal, windUp, reread, changed, log } = this.#deps;
    // What the disk refuses would be lost for the other window.
    if (this.#isHandingOver || journal().unsaved !== undefined) return;
    this.#isHandingOver = true;
    this.#isDone = false;
    try {
      await windUp();
      await journal().handOver?.();
    } catch (error) {
      log.error("A conversation could not be handed over to another window.", error);
    }
    // Even if it stays here: its turns are closed.
    await reread().catch((error: unknown) => log.error("A conversation could not be read again.", error));
    this.#isHandingOver = false;
    changed();
  }
}
