// Finds out what this service does where the interface is silent, with at most six tiny requests. Announces first what
// it will send. Whether the key is accepted is tested by a token count alone.

import { message } from "../../conversation/messages.ts";
import type { Problem } from "../../conversation/problem.ts";
import { monotonicClock } from "../../util/monotonic-clock.ts";
import { present } from "../../util/present.ts";
import { forModel } from "../../util/sentences.ts";
import { CapabilityRegistry, strictestOf, withUntested } from "../capabilities.ts";
import { finalReply, type Receipt, type Reply, type ReplyEvent } from "../reply.ts";
import type { ChatRequest, CheckPlan, ConnectionReport, KeyCheck, ResponsesRequest } from "../request.ts";
import { responsesModel } from "./body.ts";
import type { Call, ReplyObservation } from "./call.ts";
import { findingsOf, inUse, keyFindings } from "./connection-report.ts";
import { chat, respond } from "./generate.ts";
import { estimate } from "./json-operations.ts";

// Shared with the detection of features: the tiny requests, how a person agrees to them, and how they are recorded.

/** Records the results of requests outside any turn (counts, deletions, checks) like that of all others. */
export interface Notes {
  receipt(receipt: Receipt): void;
  /** Passes the events through. */
  reply(events: AsyncGenerator<ReplyEvent, void>): AsyncGenerator<ReplyEvent, void>;
}

export const noNotes: Notes = { receipt: () => undefined, reply: (events) => events };

/** A service need not have both; one that exists is enough. */
export const chatModels = ["svc-k2.6", "svc-k2.7-code"] as const;

export const shortWords = forModel("Answer with the one word ok.");

export const say = (role: string, content: string): string =>
  JSON.stringify({ type: "message", role, content });

export const shortQuestion = {
  input: [say("user", shortWords)],
  instructions: forModel("This is a test of the connection. Call no tools."),
  maxOutputTokens: 64,
} satisfies ResponsesRequest;

export const shortChat = (model: string): ChatRequest => ({
  model,
  messages: [{ role: "user", content: shortWords }],
});

const description = forModel("Not for this test.");

export const testPatchTool = JSON.stringify({
  type: "custom",
  name: "apply_patch",
  description,
  format: { type: "grammar", syntax: "lark", definition: 'start: "none"' },
});

export const testNamespace = JSON.stringify({
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
});

const maxRequests = 6;

const checkPlan: CheckPlan = {
  steps: [
    message("checkCount"),
    message("checkShort", { model: chatModels[0] }),
    message("checkTools", { model: responsesModel }),
  ],
  requests: maxRequests,
  tokens: 1_000,
};

/** Interface: no operation returns the account, so the cheapest one that needs a key is used. */
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
  const seen: ReplyObservation[] = [];
  // Starts without earlier findings, because a service may meanwhile accept what it once refused. Features that were
  // detected one by one are kept, since a single request cannot tell as much.
  const capabilities = new CapabilityRegistry(undefined, base.log);
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
    chatted = await finalReply(notes.reply(chat(call, shortChat(model), signal)));
  }
  const hasChat = !isModelUnknown(chatted?.problem);
  const response = await finalReply(notes.reply(respond(call, responsesProbe, signal)));
  signal.throwIfAborted();
  const tried = await call.capabilities.of(origin);
  const isWhole = response.problem === undefined && !tried.plain.includes("responses");
  const found = isWhole ? withUntested(tried, before) : strictestOf(before, tried);
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

/** Problems about which further requests could not find out more. */
const hopeless: ReadonlySet<Problem["kind"]> = new Set([
  "auth",
  "network",
  "timeout",
  "redirect",
  "refused-locally",
]);

/** A service reports this with 404, or with 400 and the word. */
const isModelUnknown = (problem: Problem | undefined): boolean =>
  problem?.kind === "not-found" ||
  (problem?.kind === "bad-request" && /\bmodel\b/i.test(problem.detail ?? ""));

/** Everything that the interface does not show, in one request. */
const responsesProbe = {
  ...shortQuestion,
  tools: [testPatchTool, testNamespace],
  cacheTtl: "5m" as const,
  cacheId: "connection-check",
};
