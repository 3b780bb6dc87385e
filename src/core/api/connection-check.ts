// The doctor: what this service does where the interface is silent, found out with at most six tiny requests. Says
// first what it will send. The key test is its little brother: one token count, nothing else.

import { monotonicClock } from "../conversation/monotonic-clock.ts";
import type { Problem } from "../conversation/problem.ts";
import { type Message, message } from "../messages/message.ts";
import { present } from "../util/present.ts";
import { responsesModel } from "./body.ts";
import type { Call, Seen } from "./call.ts";
import { Capabilities, stricter, untried } from "./capabilities.ts";
import { type ConnectionReport, findingsOf, inUse, type KeyCheck, keyFindings } from "./connection-report.ts";
import { estimate } from "./estimate.ts";
import { chat, respond } from "./generate.ts";
import type { Receipt, Reply, ReplyEvent } from "./reply.ts";

export interface CheckPlan {
  readonly steps: readonly Message[];
  /** At most; fewer when nothing is refused. */
  readonly requests: number;
  /** About, input and output together. */
  readonly tokens: number;
}

/** Told what requests come to that belong to no turn – counts, deletions, checks –: they are written down like all others. */
export interface Notes {
  receipt(receipt: Receipt): void;
  /** Answers the same events. */
  reply(events: AsyncGenerator<ReplyEvent, void>): AsyncGenerator<ReplyEvent, void>;
}

export const noNotes: Notes = { receipt: () => undefined, reply: (events) => events };

const maxRequests = 6;

/** Whichever of them is there: a service need not have them all. */
const chatModels = ["svc-k2.6", "svc-k2.7-code"] as const;

export const checkPlan: CheckPlan = {
  steps: [
    message("checkCount"),
    message("checkShort", { model: chatModels[0] }),
    message("checkTools", { model: responsesModel }),
  ],
  requests: maxRequests,
  tokens: 1_000,
};

/** Interface: no operation asks who one is, so the cheapest one that needs a key does. */
export async function checkKey(call: Call, signal: AbortSignal): Promise<KeyCheck> {
  const now = monotonicClock(() => call.clock.now());
  const started = now();
  const ping = { model: responsesModel, messages: [{ role: "user" as const, content: "ping" }] };
  const outcome = await estimate(call, ping, signal);
  const signed = outcome.receipt && { receipt: outcome.receipt };
  if ("problem" in outcome) return { ok: false, problem: outcome.problem, ...signed };
  const milliseconds = now() - started;
  return { ok: true, model: ping.model, tokens: outcome.tokens, milliseconds, ...signed };
}

export async function checkConnection(
  base: Call,
  ask: (plan: CheckPlan) => Promise<boolean>,
  signal: AbortSignal,
  notes: Notes,
): Promise<ConnectionReport | "declined"> {
  if (!(await ask(checkPlan))) return "declined";
  const { origin } = base.address;
  const before = await base.capabilities.of(origin);
  let requests = 0;
  const seen: Seen[] = [];
  // Tried as if nothing were known: a service may have learned to take what it once refused. What was detected feature by
  // feature is more than one request can tell, and holds.
  const capabilities = new Capabilities(undefined, base.log);
  if (before.detected !== undefined) await capabilities.learn(origin, before);
  const call: Call = {
    ...base,
    capabilities,
    spend: () => requests < maxRequests && ++requests > 0,
    observe: (one) => void seen.push(one),
  };
  const key = await checkKey(call, signal);
  if (key.receipt !== undefined) notes.receipt(key.receipt);
  if (!key.ok && hopeless.has(key.problem.kind)) {
    const findings = keyFindings(key, false);
    return { findings, requests, found: before, problem: key.problem, ...inUse(base, before) };
  }
  let chatted: Reply | undefined;
  for (const model of chatModels) {
    if (chatted !== undefined && !isModelUnknown(chatted.problem)) break;
    chatted = await lastOf(notes.reply(chat(call, { ...chatProbe, model }, signal)));
  }
  const hasChat = !isModelUnknown(chatted?.problem);
  const response = await lastOf(notes.reply(respond(call, responsesProbe, signal)));
  signal.throwIfAborted();
  const tried = await call.capabilities.of(origin);
  const isWhole = response.problem === undefined && !tried.plain.includes("responses");
  const found = isWhole ? { ...tried, ...untried(before) } : stricter(before, tried);
  await base.capabilities.learn(origin, found);
  return present({
    findings: findingsOf({
      settings: call.settings,
      key,
      response,
      chatted: hasChat ? chatted : undefined,
      found,
      seen,
    }),
    requests,
    milliseconds: key.ok ? key.milliseconds : undefined,
    found,
    ...inUse(base, found),
    problem: response.problem ?? (hasChat ? chatted?.problem : undefined),
  });
}

/** What no further request could tell more about. */
const hopeless: ReadonlySet<Problem["kind"]> = new Set([
  "auth",
  "network",
  "timeout",
  "redirect",
  "refused-locally",
]);

const question = "Answer with the one word ok.";
const description = "Not for this test.";

const chatProbe = { messages: [{ role: "user" as const, content: question }] };

/** A service says so with 404, or with 400 and the word. */
const isModelUnknown = (problem: Problem | undefined): boolean =>
  problem?.kind === "not-found" ||
  (problem?.kind === "bad-request" && /\bmodel\b/i.test(problem.detail ?? ""));

const responsesProbe = {
  input: [JSON.stringify({ type: "message", role: "user", content: question })],
  instructions: "This is a test of the connection. Call no tools.",
  tools: [
    {
      type: "custom",
      name: "apply_patch",
      description,
      format: { type: "grammar", syntax: "lark", definition: 'start: "none"' },
    },
    {
      type: "namespace",
      name: "check",
      description,
      tools: [
        {
          type: "function",
          name: "nothing",
          description,
          strict: false,
          parameters: { type: "object", properties: {}, additionalProperties: false },
        },
      ],
    },
  ].map((tool) => JSON.stringify(tool)),
  maxOutputTokens: 64,
  cacheTtl: "5m" as const,
  cacheId: "connection-check",
};

async function lastOf(events: AsyncGenerator<ReplyEvent, void>): Promise<Reply> {
  for await (const event of events) if (event.type === "ended") return event.reply;
  throw new Error("A reply has one last event.");
}
