// The conversations that are open in this process: however many look at one, it has one journal, which the last to
// leave closes. Who comes while it is being closed waits, or would find it locked by its own window. One that nobody looks
// at stays open while the disk refuses what was said in it.

import { openAllOrNothing } from "../util/open-all-or-nothing.ts";
import { tryAllSteps } from "../util/try-all-steps.ts";
import type { Leaving, OpenJournal } from "./open-journal.ts";

type Wants = ((type: string) => boolean) | undefined;
type Release = (leaving: Leaving) => Promise<void>;

interface Shared {
  readonly journal: Promise<OpenJournal>;
  users: number;
}

export class SharedJournals {
  readonly #openFolder: (id: string, wants: Wants, release: Release) => Promise<OpenJournal>;
  readonly #open = new Map<string, Shared>();
  readonly #closing = new Map<string, Promise<void>>();

  constructor(openFolder: (id: string, wants: Wants, release: Release) => Promise<OpenJournal>) {
    this.#openFolder = openFolder;
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  async use(id: string, wants: Wants): Promise<OpenJournal> {
    const known = this.#open.get(id);
    if (known !== undefined) {
      known.users += 1;
      return openAllOrNothing(async (own) => {
        const journal = await known.journal;
        own({ dispose: () => journal.close() });
        // Nobody has looked at it since: what was said in it is not all in what was read once.
        if (known.users === 1) await journal.reload();
        return journal;
      });
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
    await tryAllSteps([...this.#open.keys(), ...this.#closing.keys()].map((id) => () => this.close(id)));
  }

  async #openAfterClosing(id: string, wants: Wants): Promise<OpenJournal> {
    await this.#closing.get(id)?.catch(() => undefined);
    return this.#openFolder(id, wants, (leaving) => this.#release(id, leaving));
  }

  async #release(id: string, { save, end }: Leaving): Promise<void> {
    const shared = this.#open.get(id);
    if (shared === undefined) return this.#end(id, end);
    shared.users -= 1;
    if (shared.users > 0) return;
    if (await save()) await this.#endUnused(id, shared, end);
    else await this.#endOnceSaved(id, shared, { save, end });
  }

  async #endUnused(id: string, shared: Shared, end: () => Promise<void>): Promise<void> {
    // Somebody may have come while it was being saved.
    if (shared.users > 0 || this.#open.get(id) !== shared) return;
    this.#open.delete(id);
    await this.#end(id, end);
  }

  /** When the disk takes it again, or writing it is ours again. */
  async #endOnceSaved(id: string, shared: Shared, { save, end }: Leaving): Promise<void> {
    const journal = await shared.journal;
    const listening = journal.onDidChange(async () => {
      if (!(await save())) return;
      listening.dispose();
      // A failure to close is told by nobody: all is saved.
      this.#endUnused(id, shared, end).catch(() => undefined);
    });
  }

  async #end(id: string, end: () => Promise<void>): Promise<void> {
    const ended = end().finally(() => {
      if (this.#closing.get(id) === ended) this.#closing.delete(id);
    });
    this.#closing.set(id, ended);
    await ended;
  }
}
