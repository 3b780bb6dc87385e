// Writes down what a request came to, as it happens: figures and receipts, each once, and no word of what was said.
// Whoever runs sessions hands it the events; what cannot be written is said in the log and stops nothing.
import type { ConversationEvent } from "../conversation/events.ts";
import type { Receipt } from "../conversation/receipt.ts";
import type { UsageRow } from "../tokens/usage-rows.ts";
import { Emitter } from "../util/emitter.ts";
import type { Log } from "../util/log.ts";
import type { MonthlyLines } from "./monthly-lines.ts";
import type { ReceiptRow } from "./receipt-ledger.ts";

export interface BookkeeperDeps {
  readonly usage: MonthlyLines<UsageRow>;
  readonly receipts: MonthlyLines<ReceiptRow>;
  readonly log: Log;
  now(): number;
}

export class Bookkeeper {
  readonly #needs: BookkeeperDeps;
  /** How many requests each turn that runs has made. */
  readonly #requests = new Map<string, number>();
  readonly #written = new Emitter<void>();
  #writing: Promise<unknown> = Promise.resolve();

  /** There is a new row to read. */
  readonly onWritten = this.#written.on;

  constructor(deps: BookkeeperDeps) {
    this.#needs = deps;
    for (const { onSaved } of [deps.usage, deps.receipts]) onSaved(() => this.#written.fire());
  }

  take(conversation: string, event: ConversationEvent): void {
    const { usage, receipts, now } = this.#needs;
    if (event.type === "usage") {
      const { type: _, usage: figures, turn, ...facts } = event;
      const request = this.#nextRequest(turn);
      this.#requests.set(turn, request);
      this.#keep(usage.add({ ...figures, ...facts, at: facts.at ?? now(), conversation, turn, request }));
    } else if (event.type === "receipt") {
      // The figures of a request come after its receipts: a request that was repeated has several.
      const request = this.#nextRequest(event.turn);
      this.#keep(receipts.add({ ...event.receipt, conversation, turn: event.turn, request }));
    } else if (event.type === "ended") this.#requests.delete(event.turn);
  }

  /** Of what belongs to no turn: a count, a deletion. */
  takeReceipt(receipt: Receipt): void {
    this.#keep(this.#needs.receipts.add(receipt));
  }

  /** Resolves when everything taken so far is on disk, or could not be. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  #nextRequest(turn: string): number {
    return (this.#requests.get(turn) ?? 0) + 1;
  }

  #keep(added: Promise<void>): void {
    const written = added.catch((error: unknown) =>
      this.#needs.log.error("Usage could not be saved.", error),
    );
    const before = this.#writing;
    this.#writing = written.then(() => before);
  }
}
