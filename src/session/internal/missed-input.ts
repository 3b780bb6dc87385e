// Which input of a request was paid for although an earlier one of its conversation had sent it already, and why it was
// not read from the cache. Only facts count: the bytes of both requests, or the figures of the earlier one where this
// window did not send it, and what has happened in the conversation meanwhile.
import type { MissCause, MissedInput, Turn } from "../../conversation/state.ts";
import type { EarlierExchange, Exchange } from "../../inspect/exchanges.ts";
import { showsAttachment } from "../../tools/attached-text.ts";
import { explainMiss, type MissReason, missedByFigures, paidAgain } from "../../usage/prompt-cache.ts";
import { rowsOfTurn } from "../../usage/usage-rows.ts";
import { present } from "../../util/present.ts";

/** `undefined`: all of it was read from the cache, or was never sent before. */
export function missedInput(
  exchange: Exchange,
  earlier: EarlierExchange | undefined,
  turns: readonly Turn[],
): MissedInput | undefined {
  if (exchange.route !== "responses") return undefined;
  if (earlier === undefined) {
    const known = missedByFigures(sinceSummary(turns), exchange);
    return known && { tokens: known.tokens, ...causeOf(known.reason, () => "unknown") };
  }
  const tokens = paidAgain(earlier.exchange, exchange);
  if (tokens === 0) return undefined;
  const reason = explainMiss(earlier.exchange, exchange);
  return {
    tokens,
    ...causeOf(reason, (position) => changeOf(position, earlier, exchange.request.input, turns)),
  };
}

function causeOf(
  reason: MissReason | undefined,
  ofInput: (position: number) => MissCause,
): Pick<MissedInput, "why" | "pause"> {
  switch (reason?.reason) {
    case "model":
    case "tier":
    case "cache-id":
    case "elsewhere":
      return { why: reason.reason };
    case "expired":
      return { why: "expired", pause: reason.pause };
    case "differs": {
      const { part, position } = reason.block;
      return { why: part === "input" ? ofInput(position) : part };
    }
    case "first":
    case undefined:
      return { why: ofInput(0) };
  }
}

/** What has happened to the history since, that makes the input differ from this position on. */
function changeOf(
  position: number,
  { turn, exchange }: EarlierExchange,
  now: readonly string[],
  turns: readonly Turn[],
): MissCause {
  const at = turns.findIndex(({ id }) => id === turn);
  const since = at < 0 ? [] : turns.slice(at);
  if (since.some(({ compacts, status }) => compacts === true && status === "done")) return "summary";
  const differing = present({ before: exchange.request.input[position - 1], after: now[position - 1] });
  if (Object.values(differing).some(showsAttachment)) return "attachments";
  return at < 0 ? "rewound" : "history";
}

const sinceSummary = (turns: readonly Turn[]) =>
  turns
    .slice(turns.findLastIndex(({ compacts, status }) => compacts === true && status === "done") + 1)
    .flatMap((turn) => rowsOfTurn("", turn));
