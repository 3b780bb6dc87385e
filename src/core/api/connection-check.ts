// What this service does where the interface is silent, found out with at most six tiny requests. Says first what it will
// send. Whether the key is accepted is asked by one token count and nothing else.

import { monotonicClock } from "../conversation/monotonic-clock.ts";
import type { Problem } from "../conversation/problem.ts";
import { message } from "../messages/message.ts";
import { present } from "../util/present.ts";
import { responsesModel } from "./body.ts";
import type { Call, Seen } from "./call.ts";
import { Capabilities, stricter, untried } from "./capabilities.ts";
import {
  type CheckPlan,
  chatModels,
  type Notes,
  shortChat,
  shortQuestion,
  testNamespace,
  testPatchTool,
} from "./check-requests.ts";
import { type ConnectionReport, findingsOf, inUse, type KeyCheck, keyFindings } from "./connection-report.ts";
import { estimate } from "./estimate.ts";
import { chat, respond } from "./generate.ts";
import type { Reply } from "./reply.ts";
import { lastReply } from "./reply-end.ts";

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
    chatted = await lastReply(notes.reply(chat(call, shortChat(model), signal)));
  }
  const hasChat = !isModelUnknown(chatted?.problem);
  const response = await lastReply(notes.reply(respond(call, responsesProbe, signal)));
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

/** A service says so with 404, or with 400 and the word. */
const isModelUnknown = (problem: Problem | undefined): boolean =>
  problem?.kind === "not-found" ||
  (problem?.kind === "bad-request" && /\bmodel\b/i.test(problem.detail ?? ""));

/** All that the interface does not show, in one. */
const responsesProbe = {
  ...shortQuestion,
  tools: [testPatchTool, testNamespace],
  cacheTtl: "5m" as const,
  cacheId: "connection-check",
};
