// Detects which features that the interface does not show are accepted by a service, each with a tiny request. Runs
// only on a click, after announcing its cost. Never uses people's own requests, since each change of tools would start
// a new cache.

import { type Message, message } from "../../conversation/messages.ts";
import type { Problem } from "../../conversation/problem.ts";
import { present } from "../../util/present.ts";
import { forModel } from "../../util/sentences.ts";
import { type Capabilities, CapabilityRegistry, minimal, type Route } from "../capabilities.ts";
import { finalReply, type Reply } from "../reply.ts";
import type { CheckPlan, ConnectionReport, Finding, ResponsesRequest } from "../request.ts";
import { isOwnField, type Settings } from "../settings.ts";
import { responsesModel } from "./body.ts";
import type { Call } from "./call.ts";
import {
  chatModels,
  type Notes,
  say,
  shortChat,
  shortQuestion,
  shortWords,
  testNamespace,
  testPatchTool,
} from "./connection-check.ts";
import { inUse } from "./connection-report.ts";
import { chat, respond } from "./generate.ts";

/** Approximate input and output tokens of one request. */
const tokensEach = 150;
const [chatModel] = chatModels;

type Verdict = "taken" | "refused" | "unknown";

/** A feature that is tested with one request, or with plainer ones if that is refused. */
interface Feature {
  readonly name: Message;
  readonly route: Route;
  /** From the best form on; if none is accepted, the plain form applies. */
  readonly forms: readonly Form[];
  /** What applies if every form is refused. */
  readonly plain: Partial<Capabilities> | { readonly omits: string };
  readonly refused: Message;
  /** Concerns the output of the patch tool, in the form that was found for it. */
  readonly isOfPatch?: boolean;
}

interface Form {
  /** The capabilities that an origin must have for this form to be sent. */
  readonly found: Partial<Capabilities> | { readonly sends: string };
  readonly asked?: Partial<ResponsesRequest>;
  readonly taken: Message;
}

function detectionPlan(settings: Settings): CheckPlan {
  const features = featuresOf(settings);
  const requests = features.reduce((sum, { forms }) => sum + forms.length, 2);
  return {
    steps: [
      message("detectBase", {
        tokens: shortQuestion.maxOutputTokens,
        model: responsesModel,
        chat: chatModel,
      }),
      message("detectEach", { names: features.map(({ name }) => name) }),
    ],
    requests,
    tokens: requests * tokensEach,
  };
}

export async function detectFeatures(
  base: Call,
  ask: (plan: CheckPlan) => Promise<boolean>,
  signal: AbortSignal,
  notes: Notes,
): Promise<ConnectionReport | "declined"> {
  const plan = detectionPlan(base.settings);
  if (!(await ask(plan))) return "declined";
  const { origin } = base.address;
  const features = featuresOf(base.settings);
  const before = await base.capabilities.of(origin);
  const omissible = features.flatMap(({ plain }) => ("omits" in plain ? [plain.omits] : []));
  const bare = minimal("chat", minimal("responses", before, []), omissible);
  let requests = 0;
  const spend = () => requests < plan.requests && ++requests > 0;

  async function replyTo(
    route: Route,
    found: Capabilities,
    asked: Partial<ResponsesRequest> = {},
  ): Promise<Reply> {
    const capabilities = new CapabilityRegistry(undefined, base.log);
    await capabilities.learn(origin, found);
    const call: Call = { ...base, capabilities, spend, probes: true };
    const events =
      route === "responses"
        ? respond(call, { ...shortQuestion, ...asked }, signal)
        : chat(call, shortChat(chatModel), signal);
    const reply = await finalReply(notes.reply(events));
    signal.throwIfAborted();
    return reply;
  }

  let found = before;
  const findings: Finding[] = [];
  let problem: Problem | undefined;
  for (const route of ["responses", "chat"] as const) {
    const reply = await replyTo(route, bare);
    findings.push(routeFinding(route, reply.problem));
    problem ??= reply.problem;
    if (reply.problem !== undefined) continue;
    const { detected: _, ...known } = found;
    // Definite findings replace guesses.
    const guesses = known.guesses.filter(
      ({ about }) => about === "history" || (about === "chat") !== (route === "chat"),
    );
    const plain = known.plain.filter((each) => each !== route);
    found = { ...known, plain, guesses, detected: base.clock.now() };
    for (const feature of features.filter((each) => each.route === route)) {
      if (feature.isOfPatch === true && found.patch === "function") continue;
      const ground = feature.isOfPatch === true ? { ...bare, patch: found.patch } : bare;
      let verdict: Verdict = "unknown";
      let form: Form | undefined;
      for (form of feature.forms) {
        verdict = verdictOn(await replyTo(route, withCapability(ground, form.found), form.asked));
        if (verdict !== "refused") break;
      }
      if (verdict === "taken" && form !== undefined) found = withCapability(found, form.found);
      if (verdict === "refused") found = withCapability(found, feature.plain);
      findings.push(featureFinding(feature, verdict, form));
    }
  }
  await base.capabilities.learn(origin, found);
  return present({ findings, requests, found, problem, ...inUse(base, found) });
}

/** A feature whose form is fixed by the settings need not be tested. */
function featuresOf(settings: Settings): readonly Feature[] {
  const { cacheKeyField, userIdField, userId, extraBody, streamUsage, patchTool, namespaces } = settings;
  const { reasoning: _, text: __, ...extra } = extraBody.responses ?? {};
  const field = (name: Message, key: string, route: Route): Feature => ({
    name,
    route,
    forms: [
      {
        found: { sends: key },
        // Without a cache id the field is not sent.
        ...(key === cacheKeyField && { asked: { cacheId: "feature-detection" } }),
        taken: message("foundTaken", { name: key }),
      },
    ],
    plain: { omits: key },
    refused: message("foundRefused", { name: key }),
  });
  const own = (key: string, route: Route) => field(message("verbatim", { text: key }), key, route);
  return [
    ...(isOwnField(cacheKeyField) ? [field(message("checkCacheId"), cacheKeyField, "responses")] : []),
    ...(isOwnField(userIdField) && userId ? [field(message("checkUserId"), userIdField, "responses")] : []),
    ...Object.keys(extra).map((key) => own(key, "responses")),
    ...(patchTool === "auto" ? [patchFeature, resultFeature] : []),
    ...(namespaces === undefined ? [namespaceFeature] : []),
    othersFeature,
    ...(streamUsage === undefined && settings.stream !== "off"
      ? [field(message("checkStreamUsage"), "stream_options", "chat")]
      : []),
    ...Object.keys(extraBody.chat ?? {}).map((key) => own(key, "chat")),
  ];
}

const accepted = message("foundAccepted");

const patchFeature: Feature = {
  name: message("checkPatch"),
  route: "responses",
  forms: [
    { found: { patch: "grammar" }, asked: { tools: [testPatchTool] }, taken: accepted },
    { found: { patch: "text" }, asked: { tools: [testPatchTool] }, taken: message("foundPlainPatch") },
  ],
  plain: { patch: "function" },
  refused: message("foundFunction"),
};

const calledId = "call_connection_check";
const resultFeature: Feature = {
  name: message("checkResults"),
  route: "responses",
  forms: [
    {
      found: { customOutput: "custom" },
      asked: {
        tools: [testPatchTool],
        input: [
          say("user", forModel("Make no change.")),
          JSON.stringify({
            type: "custom_tool_call",
            call_id: calledId,
            name: "apply_patch",
            input: "*** Begin Patch\n*** End Patch\n",
          }),
          JSON.stringify({
            type: "custom_tool_call_output",
            call_id: calledId,
            output: forModel("Nothing to do."),
          }),
          say("user", shortWords),
        ],
      },
      taken: accepted,
    },
  ],
  plain: { customOutput: "function" },
  refused: message("foundFunctionResults"),
  isOfPatch: true,
};

const namespaceFeature: Feature = {
  name: message("checkNamespaces"),
  route: "responses",
  forms: [{ found: { namespaces: "namespace" }, asked: { tools: [testNamespace] }, taken: accepted }],
  plain: { namespaces: "flat" },
  refused: message("foundFlat"),
};

const othersFeature: Feature = {
  name: message("checkOthers"),
  route: "responses",
  forms: [
    {
      found: { assistantText: "message" },
      asked: { input: [say("user", "Hello"), say("assistant", "Hello."), say("user", shortWords)] },
      taken: accepted,
    },
  ],
  plain: { assistantText: "recap" },
  refused: message("foundRecap"),
};

function withCapability(
  found: Capabilities,
  change: Partial<Capabilities> | { readonly sends: string } | { readonly omits: string },
): Capabilities {
  if ("sends" in change) return { ...found, refused: found.refused.filter((name) => name !== change.sends) };
  if ("omits" in change) return { ...found, refused: [...new Set([...found.refused, change.omits])] };
  return { ...found, ...change };
}

function verdictOn({ problem }: Reply): Verdict {
  if (problem === undefined) return "taken";
  return problem.status === 400 || problem.status === 422 ? "refused" : "unknown";
}

function routeFinding(route: Route, problem: Problem | undefined): Finding {
  const name = message(route === "responses" ? "checkResponses" : "checkChat");
  if (problem === undefined) return { name, state: "yes", detail: message("foundBasic") };
  return { name, state: "no", detail: problem.message };
}

function featureFinding(
  { name, forms, refused }: Feature,
  verdict: Verdict,
  form: Form | undefined,
): Finding {
  switch (verdict) {
    case "taken":
      return { name, state: form === forms[0] ? "yes" : "no", detail: form?.taken ?? accepted };
    case "refused":
      return { name, state: "no", detail: refused };
    case "unknown":
      return { name, state: "unknown", detail: message("foundUnread") };
    default:
      return verdict satisfies never;
  }
}
