// Writes down what a request came to, as it happens: figures and receipts, each once, and no word of what was said.
// Whoever owns the assistant hands it the events; what cannot be written is said in the log and stops nothing.
import type { ConversationEvent } from "../conversation/events.ts";
import type { UsageRow } from "../tokens/usage.ts";
import type { Log } from "../util/log.ts";
import type { MonthlyLines } from "./monthly-lines.ts";
import type { ReceiptRow } from "./receipt-ledger.ts";

export interface BookkeeperNeeds {
  readonly usage: MonthlyLines<UsageRow>;
  readonly receipts: MonthlyLines<ReceiptRow>;
  readonly log: Log;
  now(): number;
}

export class Bookkeeper {
  readonly #needs: BookkeeperNeeds;
  /** How many requests each turn that runs has made. */
  readonly #requests = new Map<string, number>();
  #writing: Promise<unknown> = Promise.resolve();

  constructor(needs: BookkeeperNeeds) {
    this.#needs = needs;
  }

  take(conversation: string, event: ConversationEvent): void {
    const { usage, receipts, now } = this.#needs;
    if (event.type === "usage") {
      const { type: _, usage: figures, turn, ...facts } = event;
      const request = (this.#requests.get(turn) ?? 0) + 1;
      this.#requests.set(turn, request);
      this.#keep(usage.add({ ...figures, ...facts, at: facts.at ?? now(), conversation, turn, request }));
    } else if (event.type === "receipt") {
      this.#keep(receipts.add({ ...event.receipt, conversation, turn: event.turn }));
    } else if (event.type === "ended") this.#requests.delete(event.turn);
  }

  /** Resolves when everything taken so far is on disk, or could not be. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  #keep(added: Promise<void>): void {
    const told = added.catch((error: unknown) => this.#needs.log.error("Usage could not be saved.", error));
    this.#writing = Promise.all([this.#writing, told]);
  }
}
