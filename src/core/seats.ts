// Where conversations are looked at: the chat view and each editor tab is a seat, with one conversation before it. Seats
// with the same one share a table, and so stay in step; a seat that goes on to another one leaves the others theirs.
import type { Assistant } from "./assistant.ts";
import { createStandIn } from "./stand-in.ts";
import { everyStep } from "./util/every-step.ts";
import { inOrder } from "./util/in-order.ts";
import type { Log } from "./util/log.ts";

export interface Seat {
  readonly assistant: Assistant;
  /** Nobody sits here any more. What is being answered is answered to its end. */
  leave(): void;
}

export interface SeatsNeeds {
  /** One that has this conversation before it; without any, an empty one. */
  lay(conversation: string | undefined): Promise<Assistant>;
  readonly log: Log;
}

interface Table {
  readonly assistant: Assistant;
  readonly seats: Set<object>;
}

export class Seats {
  readonly #needs: SeatsNeeds;
  readonly #tables = new Set<Table>();
  /** Two that ask for one conversation at a time get one table. */
  readonly #oneMove = inOrder();

  constructor(needs: SeatsNeeds) {
    this.#needs = needs;
  }

  /** One before a table that is laid already, and whose conversation changes only with this seat as long as it is alone. */
  takeAt(assistant: Assistant): Seat {
    const table = { assistant, seats: new Set<object>() };
    this.#tables.add(table);
    return this.#sit(table);
  }

  /** With this conversation; with an empty one where that cannot be opened. */
  take(conversation: string): Promise<Seat> {
    return this.#oneMove(async () => {
      const table = await this.#table(conversation).catch(() => this.#table(undefined));
      return this.#sit(table);
    });
  }

  isOpen(conversation: string): boolean {
    return this.#find(conversation) !== undefined;
  }

  /** Whoever has it before them gets an empty one. */
  async clear(conversation: string): Promise<void> {
    await this.#find(conversation)?.assistant.newConversation();
  }

  async close(): Promise<void> {
    await everyStep([...this.#tables].map((table) => () => table.assistant.close()));
  }

  #find(conversation: string): Table | undefined {
    return [...this.#tables].find(({ assistant }) => assistant.conversation.id === conversation);
  }

  async #table(conversation: string | undefined): Promise<Table> {
    const known = conversation === undefined ? undefined : this.#find(conversation);
    if (known !== undefined) return known;
    const table = { assistant: await this.#needs.lay(conversation), seats: new Set<object>() };
    this.#tables.add(table);
    return table;
  }

  #sit(first: Table): Seat {
    let table = first;
    const seat = {};
    table.seats.add(seat);
    const isAlone = () => table.seats.size === 1;

    const goTo = async (next: Table): Promise<void> => {
      const before = table;
      // What lies on a table that nobody needs is put away first: where that fails, nothing has changed.
      if (isAlone()) await before.assistant.newConversation();
      before.seats.delete(seat);
      next.seats.add(seat);
      table = next;
      standIn.standFor(next.assistant);
      this.#clearAway(before);
    };

    const open = async (conversation: string): Promise<void> => {
      if (conversation === table.assistant.conversation.id) return;
      if (isAlone() && !this.isOpen(conversation)) await table.assistant.openConversation(conversation);
      else await goTo(await this.#table(conversation));
    };

    const standIn = createStandIn(table.assistant, {
      openConversation: (conversation) => this.#oneMove(() => open(conversation)),
      newConversation: (draft) =>
        this.#oneMove(async () => {
          if (isAlone()) return table.assistant.newConversation(draft);
          await goTo(await this.#table(undefined));
          if (draft !== undefined) table.assistant.setDraft(draft);
        }),
      branch: (turn) =>
        this.#oneMove(async () => {
          if (isAlone()) await table.assistant.branch(turn);
          else await open(await table.assistant.branchAside(turn));
        }),
    });

    return {
      assistant: standIn.assistant,
      leave: () => {
        table.seats.delete(seat);
        this.#clearAway(table);
      },
    };
  }

  #clearAway(table: Table): void {
    const { assistant, seats } = table;
    if (seats.size > 0 || !this.#tables.has(table)) return;
    if (assistant.conversation.turns.at(-1)?.status === "running") {
      const waiting = assistant.onEvent(({ type }) => {
        if (type !== "ended") return;
        waiting.dispose();
        this.#clearAway(table);
      });
      return;
    }
    this.#tables.delete(table);
    // Whoever wants this conversation now waits until it lies on its shelf, whole.
    this.#oneMove(() => assistant.close()).catch((error: unknown) =>
      this.#needs.log.error("A conversation could not be put away.", error),
    );
  }
}
