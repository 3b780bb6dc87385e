// Which of the features that the interface does not show a service accepts, each found out by a tiny request of its own.
// On click only, its cost said before. Never on people's requests: each change of tools would begin a new cache.

import type { Problem } from "../conversation/problem.ts";
import { type Message, message } from "../messages/message.ts";
import { present } from "../util/present.ts";
import { responsesModel } from "./body.ts";
import type { Call } from "./call.ts";
import { Capabilities, type Found, plainly, type Route } from "./capabilities.ts";
import {
  type CheckPlan,
  chatModels,
  type Notes,
  say,
  shortChat,
  shortQuestion,
  shortWords,
  testNamespace,
  testPatchTool,
} from "./check-requests.ts";
import { type ConnectionReport, type Finding, inUse } from "./connection-report.ts";
import { chat, respond } from "./generate.ts";
import type { Reply } from "./reply.ts";
import { lastReply } from "./reply-end.ts";
import type { ResponsesRequest } from "./request.ts";
import { isOwnField, type Settings } from "./settings.ts";

/** Input and output of one, about. */
const tokensEach = 150;
const [chatModel] = chatModels;

type Verdict = "taken" | "refused" | "unknown";

/** What is found out with one request, or with a plainer one where that is refused. */
interface Feature {
  readonly name: Message;
  readonly route: Route;
  /** From the best form on; what none of them is taken for is the plain form. */
  readonly forms: readonly Form[];
  /** What holds where each of them is refused. */
  readonly plain: Partial<Found> | { readonly omits: string };
  readonly refused: Message;
  /** It is about what comes of the patch tool, in the form that was found for it. */
  readonly isOfPatch?: boolean;
}

interface Form {
  /** As an origin would have to be known for this one to go out. */
  readonly found: Partial<Found> | { readonly sends: string };
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
  const bare = plainly("chat", plainly("responses", before, []), omissible);
  let requests = 0;
  const spend = () => requests < plan.requests && ++requests > 0;

  async function replyTo(route: Route, found: Found, asked: Partial<ResponsesRequest> = {}): Promise<Reply> {
    const capabilities = new Capabilities(undefined, base.log);
    await capabilities.learn(origin, found);
    const call: Call = { ...base, capabilities, spend, probes: true };
    const events =
      route === "responses"
        ? respond(call, { ...shortQuestion, ...asked }, signal)
        : chat(call, shortChat(chatModel), signal);
    const reply = await lastReply(notes.reply(events));
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
    found = { ...known, plain: known.plain.filter((each) => each !== route), detected: base.clock.now() };
    for (const feature of features.filter((each) => each.route === route)) {
      if (feature.isOfPatch === true && found.patch === "function") continue;
      const ground = feature.isOfPatch === true ? { ...bare, patch: found.patch } : bare;
      let verdict: Verdict = "unknown";
      let form: Form | undefined;
      for (form of feature.forms) {
        verdict = verdictOn(await replyTo(route, knownAs(ground, form.found), form.asked));
        if (verdict !== "refused") break;
      }
      if (verdict === "taken" && form !== undefined) found = knownAs(found, form.found);
      if (verdict === "refused") found = knownAs(found, feature.plain);
      findings.push(featureFinding(feature, verdict, form));
    }
  }
  await base.capabilities.learn(origin, found);
  return present({ findings, requests, found, problem, ...inUse(base, found) });
}

/** What is set to go in one form whatever is found needs no finding out. */
function featuresOf(settings: Settings): readonly Feature[] {
  const { cacheKeyField, userIdField, userId, extraBody, streamUsage, patchTool, namespaces } = settings;
  const { reasoning: _, text: __, ...extra } = extraBody.responses ?? {};
  const field = (name: Message, key: string, route: Route): Feature => ({
    name,
    route,
    forms: [
      {
        found: { sends: key },
        // Without one nothing is sent in this field.
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
          say("user", "Make no change."),
          JSON.stringify({
            type: "custom_tool_call",
            call_id: calledId,
            name: "apply_patch",
            input: "*** Begin Patch\n*** End Patch\n",
          }),
          JSON.stringify({ type: "custom_tool_call_output", call_id: calledId, output: "Nothing to do." }),
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

function knownAs(
  found: Found,
  change: Partial<Found> | { readonly sends: string } | { readonly omits: string },
): Found {
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
