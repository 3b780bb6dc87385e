// What went out and what came back in this window, request by request, to look at: the latest ones, in memory only. Turns
// tell of it once a reply has ended.

import type { Reply } from "../api/reply.ts";
import type { Composable } from "../api/request.ts";

export type Exchange = Composable & {
  readonly began: number;
  readonly ended: number;
  /** Makes the bytes that went out last again; `undefined`: nothing went out. */
  readonly sent: (() => string) | undefined;
  readonly reply: Reply;
};

const maxKept = 50;
/** Of requests and replies together; one that is larger is not kept at all. */
const maxBytes = 8 * 1024 * 1024;

interface Kept {
  readonly turn: string;
  readonly exchange: Exchange;
  readonly bytes: number;
}

export class Exchanges {
  readonly #kept: Kept[] = [];
  #bytes = 0;

  add(turn: string, exchange: Exchange): void {
    const bytes = bytesOf(exchange.request) + bytesOf(exchange.reply);
    if (bytes > maxBytes) return;
    this.#kept.push({ turn, exchange, bytes });
    this.#bytes += bytes;
    while (this.#kept.length > maxKept || this.#bytes > maxBytes)
      this.#bytes -= this.#kept.shift()?.bytes ?? 0;
  }

  /** In the order in which they were made. */
  of(turn: string): readonly Exchange[] {
    return this.#kept.filter((each) => each.turn === turn).map(({ exchange }) => exchange);
  }
}

/** Of all texts in it. Those that several requests share are counted for each: it is never more than this. */
function bytesOf(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value !== "object" || value === null) return 0;
  let sum = 0;
  for (const each of Object.values(value)) sum += bytesOf(each);
  return sum;
}
