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
import {
  extraFields,
  type FeatureName,
  featureRows,
  fieldAccepted,
  fieldRefused,
  type OptionalField,
  optionalFields,
  plainestForms,
} from "./dialect.ts";
import { chat, respond } from "./generate.ts";

/** Approximate input and output tokens of one request. */
const tokensEach = 150;
const [chatModel] = chatModels;

type Verdict = "taken" | "refused" | "unknown";

/** A feature that is tested with one request, or with plainer ones if that is refused. */
interface Trial {
  readonly label: Message;
  readonly route: Route;
  /** What an origin must accept for each form to be sent, from the best form on. */
  readonly forms: readonly Form[];
  /** What applies if every form is refused. */
  readonly plain: Form;
  readonly asked?: Partial<ResponsesRequest>;
  /** Concerns the output of the patch tool, in the form that was found for it. */
  readonly isOfPatch: boolean;
}

interface Form {
  readonly found: (found: Capabilities) => Capabilities;
  readonly detail: Message;
}

function detectionPlan(settings: Settings): CheckPlan {
  const trials = trialsOf(settings);
  const requests = trials.reduce((sum, { forms }) => sum + forms.length, 2);
  return {
    steps: [
      message("detectBase", {
        tokens: shortQuestion.maxOutputTokens,
        model: responsesModel,
        chat: chatModel,
      }),
      message("detectEach", { names: trials.map(({ label }) => label) }),
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
  const trials = trialsOf(base.settings);
  const before = await base.capabilities.of(origin);
  const plainest = trials.reduce((found, { plain }) => plain.found(found), before);
  const bare = minimal("chat", minimal("responses", plainest, []), []);
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
    for (const trial of trials.filter((each) => each.route === route)) {
      if (trial.isOfPatch && found.patch === plainestForms.patch) continue;
      const ground = trial.isOfPatch ? { ...bare, patch: found.patch } : bare;
      let verdict: Verdict = "unknown";
      let form = trial.plain;
      for (const each of trial.forms) {
        form = each;
        verdict = verdictOn(await replyTo(route, each.found(ground), trial.asked));
        if (verdict !== "refused") break;
      }
      if (verdict === "refused") form = trial.plain;
      if (verdict !== "unknown") found = form.found(found);
      findings.push(trialFinding(trial, verdict, form));
    }
  }
  await base.capabilities.learn(origin, found);
  return present({ findings, requests, found, problem, ...inUse(base, found) });
}

/** A feature whose form is fixed by the settings need not be tested. */
function trialsOf(settings: Settings): readonly Trial[] {
  const { cacheId, userId, streamUsage } = optionalFields;
  const field = ({ label, name, isUsed, route }: OptionalField): readonly Trial[] =>
    isUsed(settings) ? [fieldTrial(label, name(settings), route)] : [];
  const extras = (route: Route) =>
    extraFields(settings, route).map((key) => fieldTrial(message("verbatim", { text: key }), key, route));
  const identifier = (one: OptionalField) => (isOwnField(one.name(settings)) ? field(one) : []);
  return [
    // Without a cache id its field is not sent.
    ...identifier(cacheId).map((trial) => ({ ...trial, asked: { cacheId: "feature-detection" } })),
    ...identifier(userId),
    ...extras("responses"),
    ...shapeTrials(settings),
    ...field(streamUsage),
    ...extras("chat"),
  ];
}

function fieldTrial(label: Message, key: string, route: Route): Trial {
  const sent: Form = {
    found: (found) => ({ ...found, refused: found.refused.filter((name) => name !== key) }),
    detail: fieldAccepted(key),
  };
  const omitted: Form = {
    found: (found) => ({ ...found, refused: [...new Set([...found.refused, key])] }),
    detail: fieldRefused(key),
  };
  return { label, route, forms: [sent], plain: omitted, isOfPatch: false };
}

/** What concerns the results of a feature is tested after it. */
function shapeTrials(settings: Settings): readonly Trial[] {
  const open = featureRows.filter(([, { fixed }]) => fixed?.(settings) === undefined);
  return open
    .filter(([, { of }]) => of === undefined)
    .flatMap(([name, feature]) => [[name, feature] as const, ...open.filter(([, { of }]) => of === name)])
    .map(([name, { label, forms, found: told, of }]) => {
      const as = (form: string): Form => ({
        found: (found) => ({ ...found, [name]: form }),
        detail: told[form] ?? message("foundUnread"),
      });
      return {
        label,
        route: "responses",
        forms: forms.slice(0, -1).map(as),
        plain: as(plainestForms[name]),
        asked: asked[name],
        isOfPatch: of === "patch",
      };
    });
}

const calledId = "call_connection_check";
const asked: Readonly<Record<FeatureName, Partial<ResponsesRequest>>> = {
  patch: { tools: [testPatchTool] },
  customOutput: {
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
  namespaces: { tools: [testNamespace] },
  assistantText: { input: [say("user", "Hello"), say("assistant", "Hello."), say("user", shortWords)] },
};

function verdictOn({ problem }: Reply): Verdict {
  if (problem === undefined) return "taken";
  return problem.status === 400 || problem.status === 422 ? "refused" : "unknown";
}

function routeFinding(route: Route, problem: Problem | undefined): Finding {
  const name = message(route === "responses" ? "checkResponses" : "checkChat");
  if (problem === undefined) return { name, state: "yes", detail: message("foundBasic") };
  return { name, state: "no", detail: problem.message };
}

function trialFinding({ label: name, forms }: Trial, verdict: Verdict, form: Form): Finding {
  if (verdict === "unknown") return { name, state: "unknown", detail: message("foundUnread") };
  return { name, state: form === forms[0] ? "yes" : "no", detail: form.detail };
}
