// A turn on the Responses operation: ask, run the tools that the reply calls, give their outputs back, ask again,
// until there is nothing left to run. Told as events; turn-guarantees.ts sees to it that they end as they should.
// Leaving it early closes the socket (the client's generator does).

import type { Reply, ToolCall } from "../api/reply.ts";
import { callsIn } from "../api/tool-calls.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import type { Route } from "../conversation/models.ts";
import type { Problem } from "../conversation/problem.ts";
import type { HistoryForm } from "../conversation/record.ts";
import { message } from "../messages/message.ts";
import { factsOf } from "../tokens/usage-rows.ts";
import { present } from "../util/present.ts";
import { inSteps } from "../util/yield-to-event-loop.ts";
import { ArrivingPatches } from "./arriving-patches.ts";
import { checkAtTurnEnd, maxRepairs } from "./checks-at-turn-end.ts";
import { droppedCalls } from "./dropped-calls.ts";
import { assistantItem, cutOffItem, itemsToKeep, textWithoutItem } from "./history.ts";
import { HistoryFallback } from "./history-fallback.ts";
import { answerOpenCalls, callIds } from "./pending-calls.ts";
import { withWaysOut } from "./recovery-actions.ts";
import { toConversationEvents, toEnded } from "./reply-events.ts";
import { runCalls } from "./run-calls.ts";
import { responsesRequest } from "./service-request.ts";
import { ThinkingTime } from "./thinking-time.ts";
import { ensureOneEnd, type TurnOutput } from "./turn-guarantees.ts";
import type { TurnDeps, TurnRequest } from "./turn-request.ts";
import { UnseenItems, unreadOf } from "./unseen-items.ts";

export const responsesTurn = (
  request: TurnRequest,
  deps: TurnDeps,
  signal: AbortSignal,
): AsyncGenerator<TurnOutput, void> => ensureOneEnd(request.turn, steps(request, deps, signal), deps, signal);

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
  const timesAsked = repeatCounter();
  const brought: string[] = [];
  const fallback = new HistoryFallback(request, client.learnHistory);
  const pause = inSteps();
  let repairs = 0;
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
      return yield withWaysOut(toEnded(turn, reply, now()), refused, input);
    }
    if (unheld.trim() !== "") {
      // What was only told in pieces is part of what was said.
      const items = [assistantItem(unheld)];
      for (const each of items) input.push(each);
      yield { type: "replay", turn, items };
    }
    await pause();
    const outputs = yield* answerCalls(request, step, reply, raw, { ...deps, timesAsked }, signal);
    const findings =
      outputs.length > 0 || reply.calls.length > 0
        ? undefined
        : yield* checkAtTurnEnd(turn, step, deps.proof, repairs < maxRepairs, signal);
    if (signal.aborted && outputs.length === 0) return;
    if (outputs.length === 0 && findings === undefined)
      return yield endWithoutCalls(reply, turn, step, now());
    if (findings !== undefined) repairs += 1;
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
  const arriving = new ArrivingPatches();
  const unseen = new UnseenItems();
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
    yield* unreadOf(turn, step, reply);
    yield* factsOf(turn, reply, now(), present({ askedTtl: reply.askedTtl, estimate }));
    return reply;
  }
  throw new Error("The client ended without telling how.");
}

/** One output for every call that is kept, also for those of a kind that nobody knows. */
async function* answerCalls(
  { turn }: TurnRequest,
  step: number,
  reply: Reply,
  kept: readonly string[],
  { tools, log, timesAsked }: TurnDeps & { timesAsked: (call: ToolCall) => number },
  signal: AbortSignal,
): AsyncGenerator<ConversationEvent, readonly string[]> {
  const ids = callIds(kept);
  // Requirements E8: the same id twice in a reply is one call.
  const calls = reply.calls.filter(({ callId }) => ids.delete(callId));
  const runnable = new Set(reply.runnable.map(({ callId }) => callId));
  const outputs = yield* runCalls(
    { turn, request: step, calls, runnable },
    { ...tools, log, timesAsked },
    signal,
  );
  if (signal.aborted) return outputs;
  const unknown = answerOpenCalls([...kept, ...outputs], () => "Patchbay cannot run calls of this kind.");
  return [...outputs, ...unknown];
}

/** How often the very same call was made, whatever its id. */
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

/** Threats, LLM10: a model can call for far more than the question that a person let go out. */
function tooMuch(turn: string, at: number): ConversationEvent {
  const problem: Problem = { kind: "limit", message: message("problemMuch"), actions: ["continue"] };
  return { type: "ended", turn, at, ending: "incomplete", reason: "much", problem };
}
