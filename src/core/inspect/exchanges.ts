// What went out and what came back in this window, request by request, to look at: the latest ones, in memory only. The
// client stays as it was; who asked is told by its owner.
import type { Composable } from "../api/compose.ts";
import type { Reply, ReplyEvent } from "../api/reply.ts";
import type { ServiceClient } from "../api/service-client.ts";

export type Exchange = Composable & {
  readonly began: number;
  readonly ended: number;
  /** Makes the bytes that went out last again; `undefined`: nothing went out. */
  readonly sent: (() => string) | undefined;
  readonly reply: Reply;
};

const mostKept = 50;

export class Exchanges {
  readonly #kept: { readonly turn: string; readonly exchange: Exchange }[] = [];

  add(turn: string, exchange: Exchange): void {
    this.#kept.push({ turn, exchange });
    if (this.#kept.length > mostKept) this.#kept.shift();
  }

  /** In the order in which they were made. */
  of(turn: string): readonly Exchange[] {
    return this.#kept.filter((each) => each.turn === turn).map(({ exchange }) => exchange);
  }
}

export interface WatchNeeds {
  now(): number;
  /** The turn that is asking; `undefined`: nobody's. */
  turn(): string | undefined;
  readonly exchanges: Exchanges;
}

export function keepExchanges(client: ServiceClient, needs: WatchNeeds): ServiceClient {
  async function* watch(
    asked: Composable,
    replying: AsyncGenerator<ReplyEvent, void>,
  ): AsyncGenerator<ReplyEvent, void> {
    const turn = needs.turn();
    const began = needs.now();
    for await (const event of replying) {
      if (event.type === "ended" && turn !== undefined) {
        const { reply, sent } = event;
        needs.exchanges.add(turn, { ...asked, began, ended: needs.now(), sent, reply });
      }
      yield event;
    }
  }
  return {
    ...client,
    respond: (request, signal) => watch({ route: "responses", request }, client.respond(request, signal)),
    chat: (request, signal) => watch({ route: "chat", request }, client.chat(request, signal)),
  };
}
