// What went out and what came back in this window, request by request: to look at, and to say why one missed the cache. The
// latest ones, in memory only. Turns tell of it once a reply has ended.

import type { Reply } from "../api/reply.ts";
import type { Outgoing } from "../api/request.ts";

export type Exchange = Outgoing & {
  /** From 1, within its turn. */
  readonly number: number;
  readonly began: number;
  readonly ended: number;
  /** Makes the bytes that went out last again; `undefined`: nothing went out. */
  readonly sent: (() => string) | undefined;
  readonly reply: Reply;
};

export interface ExchangeOwner {
  readonly conversation: string;
  readonly turn: string;
}

const maxKept = 50;
/** Of requests and replies together; one that is larger is not kept at all. */
const maxBytes = 32 * 1024 * 1024;

type ResponsesExchange = Extract<Exchange, { route: "responses" }>;

interface Kept {
  readonly owner: ExchangeOwner;
  readonly exchange: Exchange;
  readonly bytes: number;
}

export class Exchanges {
  readonly #kept: Kept[] = [];
  #bytes = 0;

  add(owner: ExchangeOwner, exchange: Exchange): void {
    const bytes = bytesOf(exchange.request) + bytesOf(exchange.reply);
    if (bytes > maxBytes) return;
    this.#kept.push({ owner, exchange, bytes });
    this.#bytes += bytes;
    while (this.#kept.length > maxKept || this.#bytes > maxBytes)
      this.#bytes -= this.#kept.shift()?.bytes ?? 0;
  }

  /** In the order in which they were made. */
  of(turn: string): readonly Exchange[] {
    return this.#kept.filter(({ owner }) => owner.turn === turn).map(({ exchange }) => exchange);
  }

  /** By Responses: this one, behind the one that its conversation made before it. */
  withEarlier(
    turn: string,
    number: number,
  ): readonly [ResponsesExchange | undefined, ResponsesExchange] | undefined {
    const of = this.#kept.find(({ owner }) => owner.turn === turn)?.owner.conversation;
    const made = this.#kept.flatMap(({ owner, exchange }) =>
      owner.conversation === of && exchange.route === "responses" ? [{ owner, exchange }] : [],
    );
    const at = made.findIndex(({ owner, exchange }) => owner.turn === turn && exchange.number === number);
    const found = made[at];
    return found && [made[at - 1]?.exchange, found.exchange];
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
