// The conversations that are open in this process: however many look at one, it has one journal, which the last to
// leave closes. Who comes while it is being closed waits, or would find it locked by its own window.
import { everyStep } from "../util/every-step.ts";
import type { OpenJournal } from "./open-journal.ts";

type Wants = ((type: string) => boolean) | undefined;
type Release = (end: () => Promise<void>) => Promise<void>;

interface Shared {
  readonly journal: Promise<OpenJournal>;
  users: number;
}

export class OpenJournals {
  readonly #openFolder: (id: string, wants: Wants, release: Release) => Promise<OpenJournal>;
  readonly #open = new Map<string, Shared>();
  readonly #closing = new Map<string, Promise<void>>();

  constructor(openFolder: (id: string, wants: Wants, release: Release) => Promise<OpenJournal>) {
    this.#openFolder = openFolder;
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  use(id: string, wants: Wants): Promise<OpenJournal> {
    const known = this.#open.get(id);
    if (known !== undefined) {
      known.users += 1;
      return known.journal;
    }
    const opened = this.#openAfterClosing(id, wants);
    const shared: Shared = { journal: opened, users: 1 };
    this.#open.set(id, shared);
    opened.catch(() => {
      if (this.#open.get(id) === shared) this.#open.delete(id);
    });
    return opened;
  }

  /** However many still look at it. */
  async close(id: string): Promise<void> {
    const shared = this.#open.get(id);
    this.#open.delete(id);
    const journal = await shared?.journal.catch(() => undefined);
    await journal?.close();
    await this.#closing.get(id);
  }

  async closeAll(): Promise<void> {
    await everyStep([...this.#open.keys(), ...this.#closing.keys()].map((id) => () => this.close(id)));
  }

  async #openAfterClosing(id: string, wants: Wants): Promise<OpenJournal> {
    await this.#closing.get(id)?.catch(() => undefined);
    return this.#openFolder(id, wants, (end) => this.#release(id, end));
  }

  async #release(id: string, end: () => Promise<void>): Promise<void> {
    const shared = this.#open.get(id);
    if (shared !== undefined) {
      shared.users -= 1;
      if (shared.users > 0) return;
      this.#open.delete(id);
    }
    const ended = end().finally(() => {
      if (this.#closing.get(id) === ended) this.#closing.delete(id);
    });
    this.#closing.set(id, ended);
    await ended;
  }
}
