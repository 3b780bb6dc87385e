// Requests and responses of this window, to inspect them and to explain why a request missed the cache. Only the
// latest, and only in memory. Turns report them once a reply has ended.
import { finalReply, type Reply } from "../service/reply.ts";
import type { Composable, Outgoing } from "../service/request.ts";
import type { ServiceClient } from "../service/service-client.ts";
import { type NoteDeps, noteReply } from "../usage/ledger.ts";

export type Exchange = Outgoing & {
  /** Starting at 1 within the turn. */
  readonly number: number;
  readonly began: number;
  readonly ended: number;
  /** Recreates the bytes that were sent last; `undefined` if nothing was sent. */
  readonly sent: (() => string) | undefined;
  readonly reply: Reply;
};

export interface ExchangeOwner {
  readonly conversation: string;
  readonly turn: string;
}

const maxKept = 50;
/**
 * Limit for all requests and replies together; a longer one is not stored at all. A character takes one or two bytes.
 */
const maxLetters = 32 * 1024 * 1024;

type ResponsesExchange = Extract<Exchange, { route: "responses" }>;

export interface EarlierExchange {
  readonly turn: string;
  readonly exchange: ResponsesExchange;
}

interface Kept {
  readonly owner: ExchangeOwner;
  readonly exchange: Exchange;
  readonly letters: number;
}

export class Exchanges {
  readonly #kept: Kept[] = [];
  #letters = 0;

  /** Returns the last one of this conversation that was answered. */
  add(owner: ExchangeOwner, exchange: Exchange): EarlierExchange | undefined {
    const { conversation } = owner;
    const earlier = this.#kept.findLast(
      (each) =>
        each.owner.conversation === conversation &&
        each.exchange.route === "responses" &&
        each.exchange.reply.usage !== undefined,
    );
    this.#keep(owner, exchange);
    return earlier?.exchange.route === "responses"
      ? { turn: earlier.owner.turn, exchange: earlier.exchange }
      : undefined;
  }

  #keep(owner: ExchangeOwner, exchange: Exchange): void {
    const letters = lettersOf(exchange.request) + lettersOf(exchange.reply);
    if (letters > maxLetters) return;
    this.#kept.push({ owner, exchange, letters });
    this.#letters += letters;
    while (this.#kept.length > maxKept || this.#letters > maxLetters)
      this.#letters -= this.#kept.shift()?.letters ?? 0;
  }

  /** In chronological order. */
  of(turn: string): readonly Exchange[] {
    return this.#kept.filter(({ owner }) => owner.turn === turn).map(({ exchange }) => exchange);
  }

  /** For Responses: this exchange and the previous one of its conversation. */
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

/**
 * Total length of all texts in it. Texts that several requests share are counted for each, so the result is an upper
 * limit.
 */
function lettersOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let sum = 0;
  for (const each of Object.values(value)) sum += lettersOf(each);
  return sum;
}

interface SendOnceDeps extends NoteDeps {
  readonly client: Pick<ServiceClient, "respond" | "chat">;
}

/** Sends one request outside of every conversation. Usage and receipts are recorded like those of any other. */
export async function sendOnce(asked: Composable, deps: SendOnceDeps, signal: AbortSignal): Promise<Reply> {
  const { client } = deps;
  const events =
    asked.route === "responses" ? client.respond(asked.request, signal) : client.chat(asked.request, signal);
  return finalReply(noteReply(events, deps, "retry"));
}
