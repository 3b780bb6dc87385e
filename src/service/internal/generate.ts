// Produces one reply, from request to `ended`: attempts, adapting to refusals, waiting, reading. Never throws. Exactly
// one `ended` event is yielded, as the last; leaving the generator early closes the socket. Works for both routes,
// Responses (which only one model supports) and chat completions; a reader handles their event names.

import { inEnglish } from "../../conversation/english.ts";
import { message } from "../../conversation/messages.ts";
import type { Problem } from "../../conversation/problem.ts";
import { createYieldPoint } from "../../util/concurrency.ts";
import { present } from "../../util/present.ts";
import type { Capabilities } from "../capabilities.ts";
import type { Reply, ReplyEvent } from "../reply.ts";
import type { ChatRequest, ResponsesRequest } from "../request.ts";
import { callsIn } from "../response-items.ts";
import { AdaptedRetry } from "./adapted-retry.ts";
import { type Body, chatBody, responsesBody, responsesModel } from "./body.ts";
import { type Call, type CallResponse, prepareAttempt, receiptFor, requireSuccess } from "./call.ts";
import { ChatReply } from "./chat-reply.ts";
import { ApiError, type Fault } from "./fault.ts";
import { localProblem, toProblem } from "./fault-to-problem.ts";
import { StoppedByUser, send } from "./http.ts";
import { planRetry } from "./plan-retry.ts";
import {
  endedEvent,
  type Outcome,
  type ReplyReader,
  readReply,
  unreadBody,
  unsentReply,
} from "./read-reply.ts";
import { callResolver } from "./request-shapes.ts";
import { ResponseReply } from "./response-reply.ts";
import { RecordReader } from "./stream-records.ts";

interface Generation {
  readonly path: "/responses" | "/chat/completions";
  readonly model: string;
  /** The conversation that the reply belongs to; absent if none continues from it. */
  readonly conversation?: string | undefined;
  body(found: Capabilities): Body;
  reader(sent: Extract<Body, { ok: true }>): ReplyReader;
}

async function* generate(
  call: Call,
  generation: Generation,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent, void> {
  let requests = 0;
  let tries = 0;
  const adapting = new AdaptedRetry(call, generation.path === "/responses" ? "responses" : "chat");
  // Serializing a long history is slow, and so may be what happened before.
  const pause = createYieldPoint();
  for (;;) {
    await pause();
    const found = await adapting.found();
    const body = buildBody(generation, found);
    if (!body.ok) return yield unsentReply(localProblem("refused-locally", body.message), requests);
    const reader = generation.reader(body);
    if (signal.aborted) return yield endedEvent({ at: "stopped" }, reader, { requests });
    requests++;
    tries++;
    const sent = () => again(generation, found);
    const { askedTtl } = body;
    const outcome = yield* oneAttempt(call, generation, body, reader, signal);
    const by = makerOf(call, generation);
    // Assembling the reply can be slow after reading a lot.
    await pause();
    if (outcome.at === "ended" || reader.began) yield* await adapting.answered(body.offered);
    if (outcome.at !== "fault")
      return yield { ...endedEvent(outcome, reader, present({ requests, by, askedTtl })), sent };
    const { fault } = outcome;
    if (fault.at === "unconnected") requests--;
    const adapted = signal.aborted ? undefined : await adapting.refused(fault, body.offered, found);
    if (adapted !== undefined) {
      tries--;
      yield* adapted;
      continue;
    }
    const { clock } = call;
    const plan = planRetry(fault, tries, body.stream ? "stream" : "whole", {
      now: clock.now(),
      random: clock.random(),
    });
    if (!plan.again || reader.began) {
      const problem = problemOf(call, fault, reader, body.json, plan.again ? undefined : plan.retryAt);
      return yield { ...endedEvent(outcome, reader, present({ requests, by, askedTtl, problem })), sent };
    }
    call.log.info(`${generation.path}: ${inEnglish(plan.reason)} Trying again in ${plan.milliseconds} ms.`);
    if (plan.milliseconds > 0) {
      yield { type: "waiting", seconds: plan.milliseconds / 1000, reason: plan.reason };
      await clock.wait(plan.milliseconds, signal);
    }
    if (signal.aborted) return yield { ...endedEvent({ at: "stopped" }, reader, { requests }), sent };
  }
}

async function* oneAttempt(
  call: Call,
  { path, model }: Generation,
  { json, stream }: Extract<Body, { ok: true }>,
  reader: ReplyReader,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent, Outcome> {
  const sent = Buffer.from(json);
  const accept = stream ? "text/event-stream" : "application/json";
  let answer: CallResponse | undefined;
  let outcome: Outcome;
  try {
    const asked = { method: "POST", path, body: sent, accept, whole: !stream } as const;
    const { request, received } = await prepareAttempt(call, asked);
    answer = received(await send(request, call.network, call.settings, signal));
    await requireSuccess(answer, sent.length);
    const records = new RecordReader((record) => reader.accept(record));
    const fault = yield* readReply(answer.body, records, reader, signal, answer.nonce !== undefined);
    const { framing, count } = records;
    call.observe?.({ path, framing, records: count, vocabulary: reader.vocabulary, header: answer.header });
    const unread = () => unreadBody(records, answer?.header("content-type"), call.mask);
    outcome =
      fault === undefined
        ? { at: "ended" }
        : { at: "fault", fault, ...(fault.at === "gibberish" && { unread: unread() }) };
  } catch (error) {
    outcome = outcomeOf(error, call);
  } finally {
    // Also when the consumer of these events left early.
    if (reader.end === undefined || signal.aborted) answer?.body.close();
    else answer?.body.release();
  }
  if (signal.aborted) return { at: "stopped" };
  for (const remark of reader.remarks()) call.log.debug(`${path}: ${remark}`);
  for (const warning of reader.warnings()) call.log.warn(`${path}: ${warning}`);
  if (answer?.nonce === undefined) return outcome;
  const asked = { method: "POST", path, body: sent } as const;
  const receipt = receiptFor(call, asked, answer, { model, responseId: reader.reduced().id });
  if (receipt !== undefined) yield { type: "receipt", receipt };
  return outcome;
}

function outcomeOf(error: unknown, call: Call): Outcome {
  if (error instanceof StoppedByUser) return { at: "stopped" };
  if (error instanceof ApiError) {
    if (error.fault.at === "bug") call.log.error("A request could not be made", error.cause);
    return { at: "fault", fault: error.fault };
  }
  call.log.error("A reply could not be read", error);
  return { at: "fault", fault: { at: "bug", message: String(error) } };
}

function buildBody(generation: Generation, found: Capabilities): Body {
  try {
    return generation.body(found);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { ok: false, message: message("verbatim", { text }) };
  }
}

/** Rebuilt when needed, because the same input gives the same bytes. */
function again(generation: Generation, found: Capabilities): string {
  const body = buildBody(generation, found);
  return body.ok ? body.json : "";
}

const makerOf = ({ address: { origin }, maker }: Call, { conversation }: Generation): Reply["by"] =>
  conversation === undefined ? undefined : { origin, maker: maker(conversation) };

function problemOf(
  call: Call,
  fault: Fault,
  reader: ReplyReader,
  sent: string,
  retryAt: number | undefined,
): Problem {
  return toProblem(fault, {
    mask: call.mask,
    visible: reader.visible,
    retryAt,
    holds: sent.includes("prompt_cache_breakpoint")
      ? "breakpoint"
      : /"type":"(input_image|image_url)"/.test(sent)
        ? "image"
        : undefined,
    host: new URL(call.address.url).host,
  });
}

export function respond(
  call: Call,
  request: ResponsesRequest,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent, void> {
  const answered = callsIn(request.input);
  const resolve = callResolver(request.tools ?? []);
  return generate(
    call,
    {
      path: "/responses",
      model: request.model ?? responsesModel,
      conversation: request.cacheId,
      body: (found) => responsesBody(request, call.settings, found),
      reader: ({ echoed }) => new ResponseReply({ answered, resolve, sent: echoed }),
    },
    signal,
  );
}

export function chat(
  call: Call,
  request: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent, void> {
  return generate(
    call,
    {
      path: "/chat/completions",
      model: request.model,
      body: (found) => chatBody(request, call.settings, found),
      reader: () => new ChatReply(),
    },
    signal,
  );
}
