// One candidate from its question to its checks: what is known of it is told as it comes, and what has ended is kept.
import type { ConversationEvent } from "../../conversation/events.ts";
import { message } from "../../conversation/messages.ts";
import type { Session } from "../../session/session.ts";
import {
  type SideTurn,
  type SideTurnContext,
  type SideTurnStart,
  startSideTurn,
} from "../../session/side-turn.ts";
import type { UsageRow } from "../../usage/usage-rows.ts";
import type { Mutex } from "../../util/concurrency.ts";
import { type Candidate, cutOff, factsOf, stateOf } from "./candidate-facts.ts";
import type { KeptCandidate } from "./kept-trial.ts";

export type News = { readonly [Name in keyof KeptCandidate]?: KeptCandidate[Name] | undefined };

interface RunDeps {
  readonly context: SideTurnContext;
  readonly session: Pick<Session, "id">;
  price(rows: readonly UsageRow[]): string | undefined;
  book(event: ConversationEvent): void;
  start(): Promise<Pick<SideTurnStart, "from" | "asked" | "model" | "choices" | "opened">>;
  /** How many tokens it may use yet; `null`: there is no limit. */
  left(): number | null;
  /** There is one copy of the folder, so that candidates are checked one after the other. */
  readonly oneCheck: Mutex;
  know(news: News): void;
  changed(): void;
  /** Its window closes, or the conversation goes to another one: then nobody has pressed Stop. */
  isClosing(): boolean;
  readonly signal: AbortSignal;
}

/** Resolves when it has ended and was checked; never rejects. */
export async function runCandidate(candidate: Candidate, deps: RunDeps): Promise<void> {
  const { context, session, price, book, know, changed, signal } = deps;
  const facts = (side: SideTurn) =>
    factsOf(side, { conversation: session.id, price, isStopped: signal.aborted });
  try {
    const side = startSideTurn(context, {
      ...(await deps.start()),
      signal,
      settings: () => ({ stopRunAboveTokens: deps.left() }),
      onEvent: (event) => {
        book(event);
        if (event.type === "usage" && event.usage.input !== undefined) candidate.tell(true);
        if (event.type === "usage" || event.type === "patch") changed();
      },
    });
    candidate.side = side;
    const turn = await side.done;
    await side.changes.refresh();
    know({ facts: facts(side) });
    candidate.tell(turn?.status === "done");
    if (turn?.status === "done" || turn?.status === "incomplete") await check(side, facts, deps);
    know({ state: stateOf(turn, signal.aborted), side: await side.kept() });
    if (deps.isClosing() && turn?.status === "stopped") candidate.known = cutOff(candidate.known);
  } catch (error) {
    context.log.error(`A candidate of ${session.id} failed inside the extension.`, error);
    know({ state: "failed", facts: { ...candidate.known.facts, problem: message("problemInside") } });
  }
}

/** Runs the person's checks on what a candidate proposes, when those of the one before it are done. */
async function check(
  side: SideTurn,
  facts: (side: SideTurn) => KeptCandidate["facts"],
  { context, oneCheck, know, signal }: RunDeps,
): Promise<void> {
  const { checks, files } = side;
  if (checks === undefined || files.length === 0) return;
  know({ facts: { ...facts(side), verdict: "pending" } });
  await oneCheck(async () => {
    if (!signal.aborted)
      await checks.run(signal).catch((error: unknown) => {
        if (!signal.aborted) context.log.error("A candidate could not be checked.", error);
      });
    know({ facts: facts(side) });
  });
}
