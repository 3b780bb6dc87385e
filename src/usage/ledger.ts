// The ledgers of usage and receipts, and what writes to them as requests happen: each request once, and no contents.
// Write failures are logged and stop nothing.

import { createHash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod/mini";
import { inEnglish } from "../conversation/english.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import { message } from "../conversation/messages.ts";
import { Receipt, type RequestCause, RequestUsage } from "../conversation/state.ts";
import type { ReplyEvent } from "../service/reply.ts";
import type { FileSystem } from "../store/file-system.ts";
import { MonthlyLines } from "../store/monthly-lines.ts";
import { Emitter } from "../util/emitter.ts";
import type { Log } from "../util/log.ts";
import { present } from "../util/present.ts";
import { requestFactEvents, type UsageRow } from "./usage-rows.ts";

interface BookkeeperDeps {
  readonly usage: MonthlyLines<UsageRow>;
  readonly receipts: MonthlyLines<ReceiptRow>;
  readonly log: Log;
  now(): number;
}

/** Records what each request cost. The owner of the sessions passes the events in. */
export class Bookkeeper {
  readonly #needs: BookkeeperDeps;
  /** Number of requests so far for each running turn. */
  readonly #requests = new Map<string, number>();
  readonly #written = new Emitter<void>();
  #writing: Promise<unknown> = Promise.resolve();

  /** Fires when there is a new row to read. */
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
      // The usage of a request arrives after its receipts; a request that was repeated has several receipts.
      const request = this.#nextRequest(event.turn);
      this.#keep(receipts.add({ ...event.receipt, conversation, turn: event.turn, request }));
    } else if (event.type === "ended") this.#requests.delete(event.turn);
  }

  /** For receipts that belong to no turn, such as token counts and deletions. */
  takeReceipt(receipt: Receipt): void {
    this.#keep(this.#needs.receipts.add(receipt));
  }

  /** Resolves once everything taken so far is on the disk, or failed to be written. */
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

export interface NoteDeps {
  /** Receives usage and receipts. */
  take(event: ConversationEvent): void;
  now(): number;
  newId(): string;
}

/** Stored in the ledger in place of a conversation's id. */
export const outsideConversations = {
  check: "connection-check",
  languageModel: "language-model",
  comparison: "model-comparison",
} as const;

/**
 * Records usage and receipts of a reply outside of every conversation, under a turn of its own. Passes the events
 * through unchanged.
 */
export async function* noteReply(
  events: AsyncGenerator<ReplyEvent, void>,
  { take, now, newId }: NoteDeps,
  cause: RequestCause,
): AsyncGenerator<ReplyEvent, void> {
  const turn = newId();
  for await (const event of events) {
    if (event.type === "receipt") take({ type: "receipt", turn, receipt: event.receipt });
    if (event.type === "ended") {
      const { reply } = event;
      for (const fact of requestFactEvents(turn, reply, now(), present({ cause, askedTtl: reply.askedTtl })))
        take(fact);
      take({ type: "ended", turn, at: now(), ending: "done" });
    }
    yield event;
  }
}

const Row = z.extend(RequestUsage, {
  at: z.number(),
  conversation: z.string(),
  turn: z.string(),
  request: z.number(),
});

/**
 * Usage of every request, stored apart from conversations: it outlives deleted ones and contains none of their text.
 */
export const usageLedger = (fs: FileSystem, folder: string): MonthlyLines<UsageRow> =>
  new MonthlyLines({
    fs,
    folder: join(folder, "usage"),
    read: (line) => Row.safeParse(line).data,
    damaged: (lines) => message("usageDamaged", { lines }),
  });

// Receipts of the service, unchanged. They are recorded and never called valid: how to verify a signature is not
// published (interface, "Authentication" 5). What anybody can do is to compute the digests again.

/** `conversation` and `turn` are absent if the receipt belongs to none, as for estimates and deletions. */
export const ReceiptRow = z.extend(Receipt, {
  conversation: z.optional(z.string()),
  turn: z.optional(z.string()),
  /** Starting at 1 within the turn, as in the usage ledger. */
  request: z.optional(z.number()),
});
export type ReceiptRow = Readonly<z.infer<typeof ReceiptRow>>;

export const receiptLedger = (fs: FileSystem, folder: string): MonthlyLines<ReceiptRow> =>
  new MonthlyLines({
    fs,
    folder: join(folder, "receipts"),
    read: (line) => ReceiptRow.safeParse(line).data,
    damaged: (lines) => message("receiptsDamaged", { lines }),
  });

/** One line per receipt. The last field says what such a line proves, so that the explanation travels with it. */
export const receiptsJsonl = (rows: readonly ReceiptRow[]): string =>
  rows.map((row) => `${JSON.stringify({ ...row, status: inEnglish(unverifiedReceipt) })}\n`).join("");

export const unverifiedReceipt = message("receiptUnverified");

interface Recomputed {
  readonly request: "same" | "different" | "not given";
  /** `cut`: the receipt covers only the part that had arrived. */
  readonly response: "same" | "different" | "not given" | "cut";
}

export function recompute(
  receipt: Receipt,
  bytes: { readonly request?: Uint8Array; readonly response?: Uint8Array },
): Recomputed {
  const response = compare(receipt.responseSha256, bytes.response);
  return {
    request: compare(receipt.requestSha256, bytes.request),
    response: response === "different" && !receipt.responseWhole ? "cut" : response,
  };
}

function compare(digest: string, bytes: Uint8Array | undefined): "same" | "different" | "not given" {
  if (bytes === undefined) return "not given";
  const same = createHash("sha256").update(bytes).digest("hex") === digest.toLowerCase();
  return same ? "same" : "different";
}
