// One candidate from its question to its checks: what is known of it is told as it comes, and what has ended is kept.
import type { RunQuestion } from "../../checks/session-checks.ts";
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
import { raceAbort } from "../../util/timeouts.ts";
import type { Facts } from "../candidate.ts";
import { type Candidate, checkFactsOf, cutOff, factsOf, isLeft, stateOf } from "./candidate-facts.ts";
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

/** Whether a person agrees that this runs. */
export type AskToRun = (question: RunQuestion) => Promise<boolean>;

interface CheckLeftDeps extends Pick<RunDeps, "oneCheck" | "signal"> {
  readonly ask: AskToRun;
  know(news: Partial<Facts>): void;
}

/** Runs the checks of a candidate that are left, those that wait for a person once they agree to all of them. */
export async function checkLeft(
  side: SideTurn,
  { ask, know, oneCheck, signal }: CheckLeftDeps,
): Promise<void> {
  const { checks } = side;
  if (checks === undefined) return;
  know({ verdict: "pending", asks: false });
  try {
    // In a window that has not checked it, this tells which of them wait.
    await oneCheck(() => checks.run(signal));
    const which = checks.results.filter(isLeft).map(({ id }) => id);
    const { state } = checks;
    for (const question of await checks.questions(which))
      if (!(await raceAbort(ask(question), signal))) return;
    if (which.length > 0) await oneCheck(() => checks.run(signal, { which, agreedTo: state }));
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    know(checkFactsOf(side));
  }
}
