// The first request of a turn: as it went out in this window, else put together from what the journal keeps of it.
import type { Composable } from "../../core/api/request.ts";
import type { Exchanges } from "../../core/inspect/exchanges.ts";
import type { Session } from "../../core/session/session.ts";
import { toMessages } from "../../core/turn/history.ts";

export interface RequestOfTurn {
  readonly asked: Composable;
  /** The bytes that went out, where this window sent it. */
  readonly sent: string | undefined;
}

export async function firstRequestOf(
  { session, exchanges }: { session(): Session; readonly exchanges: Exchanges },
  id: string,
): Promise<RequestOfTurn | undefined> {
  const [first] = exchanges.of(id);
  if (first !== undefined) return { asked: first, sent: first.sent?.() };
  const turn = session().state.turns.find((each) => each.id === id);
  const kept = await session().history.keptOf(id);
  if (turn === undefined || kept?.opened === undefined || kept.asked.length === 0) return undefined;
  const { opened, before, asked } = kept;
  const items = [...before, ...asked];
  if (turn.route === "chat") {
    const request = { model: turn.model, messages: toMessages(opened.chatInstructions, items) };
    return { asked: { route: "chat", request }, sent: undefined };
  }
  const { instructions, tools, cacheId } = opened;
  return {
    asked: { route: "responses", request: { input: items, instructions, tools, cacheId } },
    sent: undefined,
  };
}
