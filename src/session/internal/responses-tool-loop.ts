// A turn on the Responses operation: send the request, run the tools the reply calls, send their outputs back, and
// repeat until there is nothing left to run. Reported as events, whose end `withFinalEvent` guarantees. Leaving the
// generator early closes the socket (the client's generator does that).
import { summarizeProposalRun } from "../../checks/report.ts";
import type { ConversationEvent, HistoryForm } from "../../conversation/events.ts";
import { message } from "../../conversation/messages.ts";
import type { Route } from "../../conversation/models.ts";
import type { Problem } from "../../conversation/problem.ts";
import type { Reply, ReplyEvent, ToolCall } from "../../service/reply.ts";
import { callsIn } from "../../service/response-items.ts";
import { requestFactEvents } from "../../tokens/usage-rows.ts";
import { StreamingPatches } from "../../tools/patch-view.ts";
import { createYieldPoint } from "../../util/concurrency.ts";
import { present } from "../../util/present.ts";
import { forModel } from "../../util/sentences.ts";
import {
  answerOpenCalls,
  assistantItem,
  callIds,
  cutOffItem,
  findingsItem,
  itemsToKeep,
  textWithoutItem,
} from "./history.ts";
import { HistoryFallback } from "./history-fallback.ts";
import { toConversationEvents, toEnded, UnrecognizedItems, unreadableReply } from "./reply-events.ts";
import type { ToolDeps } from "./run-tool-call.ts";
import { droppedCalls, readBefore, runCalls } from "./tool-call-batches.ts";
import { type TurnOutput, withFinalEvent, withRecoveryActions } from "./turn-ending.ts";
import { responsesRequest, type TurnDeps, type TurnProof, type TurnRequest } from "./turn-request.ts";

/** How often the model may repair its proposal. */
const maxRepairs = 2;

interface Round {
  readonly turn: string;
  readonly step: number;
  /** How often findings were sent to the model in this turn. */
  readonly told: number;
  /** No request is left for repairs. */
  readonly isLastStep: boolean;
}

/**
 * Runs the person's own checks when the model has finished its proposal, shown as a row of the turn, and sends findings
 * back to the model, at most twice. Without new findings no request is made; the row shows the result. Returns the item
 * that tells the model about findings; undefined if there is nothing to repair or report. After the last repair the
 * model is asked to report remaining problems in a final text, because its earlier text described changes it believed
 * to be correct.
 */
async function* checkAtTurnEnd(
  { turn, step, told, isLastStep }: Round,
  proof: TurnProof | undefined,
  signal: AbortSignal,
): AsyncGenerator<ConversationEvent, string | undefined> {
  if (proof === undefined) return undefined;
  if (proof.isDue()) {
    const row = {
      type: "tool",
      turn,
      id: `${step}/checks`,
      call: "",
      name: "run_checks",
      summary: "",
    } as const;
    yield { ...row, status: "running" };
    const results = await proof.run(signal);
    if (signal.aborted) return undefined;
    const output = await proof.report(results, signal);
    yield { ...row, status: "done", message: summarizeProposalRun(results), output };
  }
  const isOver = told > maxRepairs || (told === maxRepairs && isLastStep);
  const news = isOver ? [] : proof.takeNews();
  if (news.length === 0) return undefined;
  return findingsItem(await proof.report(news, signal), told < maxRepairs ? "mend" : "tell");
}

/**
 * Measures how long a model reasoned: from the first reasoning delta to whatever came next. The service does not report
 * this, and the page only sees joined deltas. Depends on event types, not on their content.
 */
export class ThinkingTime {
  #thought: { readonly part: string; readonly since: number } | undefined;

  /** `request` numbers the requests of a turn, as in reply-events.ts. */
  take(turn: string, request: number, event: ReplyEvent, now: number): ConversationEvent[] {
    const part = event.type === "reasoning" ? `${request}/${event.part}` : undefined;
    const over = this.#thought;
    // Events about the connection do not interrupt reasoning.
    if (over?.part === part || event.type === "receipt") return [];
    this.#thought = part === undefined ? undefined : { part, since: now };
    if (over === undefined) return [];
    return [{ type: "reasoning", turn, part: over.part, delta: "", took: Math.max(0, now - over.since) }];
  }
}

export const responsesTurn = (
  request: TurnRequest,
  deps: TurnDeps,
  signal: AbortSignal,
): AsyncGenerator<TurnOutput, void> =>
  withFinalEvent(request.turn, steps(request, deps, signal), deps, signal);

async function* steps(
  request: TurnRequest,
  deps: TurnDeps,
  signal: AbortSignal,
): AsyncGenerator<TurnOutput, void> {
  const { turn, history, items, limits } = request;
  const { now, client } = deps;
  yield* beginning(request, "responses", now());
  const input = [...history, ...items];
  yield { type: "replay", turn, items };
  const ofTurn = { timesAsked: repeatCounter(), readBefore: readBefore(input) };
  const brought: string[] = [];
  const fallback = new HistoryFallback(request, client.learnHistory);
  const pause = createYieldPoint();
  let told = 0;
  for (let step = 0; ; step++) {
    const send = (form: HistoryForm) => ask({ ...request, form }, step, input, deps, signal);
    const reply = yield* fallback.ask(input, send, signal);
    await pause();
    const isForeign = fallback.holdsForeign(reply);
    const kept = itemsToKeep(reply, callsIn(input));
    const raw = kept.map((item) => item.raw);
    yield { type: "replay", turn, items: raw, ...(reply.by && { maker: reply.by.maker }) };
    if (raw.length > 0) fallback.holds(reply);
    for (const each of raw) input.push(each);
    yield* droppedCalls(turn, step, reply, kept);
    const unheld = textWithoutItem(reply, kept);
    if (reply.status !== "completed") {
      if (unheld.trim() !== "") yield { type: "replay", turn, items: [cutOffItem(unheld)] };
      const refused = { ...request, form: fallback.form, isForeign };
      return yield withRecoveryActions(toEnded(turn, reply, now()), refused, input);
    }
    if (unheld.trim() !== "") {
      // Text that arrived only as deltas is part of the response as well.
      const items = [assistantItem(unheld)];
      for (const each of items) input.push(each);
      yield { type: "replay", turn, items };
    }
    await pause();
    const { items: outputs, isPlaced } = yield* answerCalls(
      request,
      step,
      reply,
      raw,
      { ...deps, ...ofTurn },
      signal,
    );
    if (endsHere(request, reply, isPlaced, deps) && !signal.aborted) {
      yield { type: "replay", turn, items: outputs };
      return yield toEnded(turn, reply, now());
    }
    const findings =
      outputs.length > 0 || reply.calls.length > 0
        ? undefined
        : yield* checkAtTurnEnd(
            { turn, step, told, isLastStep: step + 1 >= limits.steps },
            deps.proof,
            signal,
          );
    if (signal.aborted && outputs.length === 0) return;
    if (outputs.length === 0 && findings === undefined)
      return yield endWithoutCalls(reply, turn, step, now());
    if (findings !== undefined) told += 1;
    const sent = [...outputs, ...(findings === undefined ? [] : [findings]), ...deps.news(input)];
    yield { type: "replay", turn, items: sent };
    for (const each of sent) input.push(each);
    if (signal.aborted) return;
    for (const each of sent) brought.push(each);
    if (step + 1 >= limits.steps) return yield tooManySteps(turn, limits.steps, now());
    if (deps.isMuch(brought)) return yield tooMuch(turn, now());
  }
}

export function* beginning(
  { turn, model, prompt, attachments, continues, compacts, notes, limits }: TurnRequest,
  route: Route,
  at: number,
): Generator<ConversationEvent, void> {
  const more = {
    ...(attachments.length > 0 && { attachments: [...attachments] }),
    ...(continues && { continues }),
    ...(compacts && { compacts }),
    ...(limits.json && route === "responses" && !compacts && { json: true }),
  };
  yield { type: "started", turn, at, model, route, prompt, ...more };
  if (notes.length > 0) yield { type: "note", turn, notes: [...notes] };
}

export async function* ask(
  request: TurnRequest,
  step: number,
  input: readonly string[],
  { client, now, exchanged, counted }: TurnDeps,
  signal: AbortSignal,
): AsyncGenerator<TurnOutput, Reply> {
  const { turn, model } = request;
  const body = responsesRequest(request, input);
  const began = now();
  const arriving = new StreamingPatches();
  const unseen = new UnrecognizedItems();
  const thinking = new ThinkingTime();
  for await (const event of client.respond(body, signal)) {
    yield* thinking.take(turn, step, event, now());
    if (event.type !== "ended") {
      yield* toConversationEvents(turn, step, event, now());
      yield* unseen.take(turn, step, event);
      const patch = arriving.take(turn, step, event);
      if (patch !== undefined) yield patch;
      continue;
    }
    const { reply, sent } = event;
    const outgoing = { route: "responses", model, request: body } as const;
    exchanged({ ...outgoing, number: step + 1, began, ended: now(), sent, reply });
    const estimate = counted(outgoing, reply.usage);
    yield* unreadableReply(turn, step, reply);
    yield* requestFactEvents(turn, reply, now(), present({ askedTtl: reply.askedTtl, estimate }));
    return reply;
  }
  throw new Error("The client ended without telling how.");
}

/**
 * Whether the turn ends here: everything was said with the patch, and it fits, so another request would only repeat it.
 */
const endsHere = (
  { endsWithPatch }: TurnRequest,
  { text }: Reply,
  isPlaced: boolean,
  { proof }: TurnDeps,
): boolean => endsWithPatch === true && isPlaced && text.trim() !== "" && proof?.isDue() !== true;

interface Answered {
  readonly items: readonly string[];
  /** Whether the reply called only for patches and all of them fit. */
  readonly isPlaced: boolean;
}

/** Produces one output for every call that is kept, also for calls of unknown kinds. */
async function* answerCalls(
  { turn }: TurnRequest,
  step: number,
  reply: Reply,
  kept: readonly string[],
  { tools, log, timesAsked, readBefore }: TurnDeps & Pick<ToolDeps, "timesAsked" | "readBefore">,
  signal: AbortSignal,
): AsyncGenerator<ConversationEvent, Answered> {
  const ids = callIds(kept);
  // Requirements E8: the same id twice in a reply is one call.
  const calls = reply.calls.filter(({ callId }) => ids.delete(callId));
  const runnable = new Set(reply.runnable.map(({ callId }) => callId));
  const { items, isAllDone } = yield* runCalls(
    { turn, request: step, calls, runnable },
    { ...tools, log, timesAsked, ...present({ readBefore }) },
    signal,
  );
  const isPatch = ({ name, namespace }: ToolCall) => tools.table.find(name, namespace)?.reviews === true;
  const isPlaced =
    isAllDone && calls.length === reply.calls.length && calls.length > 0 && calls.every(isPatch);
  if (signal.aborted) return { items, isPlaced };
  const unknown = answerOpenCalls([...kept, ...items], () =>
    forModel("Patchbay cannot run calls of this kind."),
  );
  return { items: [...items, ...unknown], isPlaced };
}

/** Counts how often the same call was made, whatever its id. */
function repeatCounter(): (call: ToolCall) => number {
  const times = new Map<string, number>();
  return ({ name, namespace = "", input }) => {
    const key = JSON.stringify([namespace, name, input]);
    const count = (times.get(key) ?? 0) + 1;
    times.set(key, count);
    return count;
  };
}

function endWithoutCalls(reply: Reply, turn: string, step: number, at: number): ConversationEvent {
  const isSilent = reply.text.trim() === "" && reply.refusal === undefined;
  if (!isSilent || (reply.calls.length === 0 && step === 0)) return toEnded(turn, reply, at);
  const isRepeated = reply.calls.length > 0;
  const problem: Problem = {
    kind: "protocol",
    message: isRepeated ? message("problemRepeats") : message("problemNoFinal"),
    actions: ["continue", "retry"],
  };
  return { type: "ended", turn, at, ending: isRepeated ? "failed" : "incomplete", problem };
}

function tooManySteps(turn: string, steps: number, at: number): ConversationEvent {
  const problem: Problem = {
    kind: "limit",
    message: message("problemSteps", { steps }),
    actions: ["continue"],
  };
  return { type: "ended", turn, at, ending: "incomplete", reason: "steps", problem };
}

/** Threats, LLM10: a model can request far more than the question a person agreed to send. */
function tooMuch(turn: string, at: number): ConversationEvent {
  const problem: Problem = { kind: "limit", message: message("problemMuch"), actions: ["continue"] };
  return { type: "ended", turn, at, ending: "incomplete", reason: "much", problem };
}
