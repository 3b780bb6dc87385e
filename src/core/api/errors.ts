// Fault → problem: one sentence for people and what they can do. What the service itself said is put into words in
// said.ts; all other sentences are made here.
import type { Problem, ProblemAction, ProblemKind } from "../conversation/problem.ts";
import { maskedWords } from "../util/mask.ts";
import { present } from "../util/present.ts";
import type { Fault } from "./fault.ts";
import type { ServiceError } from "./reply-reader.ts";
import { type ProblemContext, type Said, sayProxy, sayService, sayStatus } from "./said.ts";
import { requestIdHeaders } from "./unspecified.ts";

export function toProblem(fault: Fault, context: ProblemContext): Problem {
  if (fault.at === "unconnected") return fault.problem;
  const said = sayRetryAt(say(fault, context), context);
  const clean = (text: string) => maskedWords(context.mask, text, 2_000);
  const detail = said.words === undefined ? undefined : clean(detailOf(said.words));
  const byDefault: readonly ProblemAction[] = context.visible ? ["continue", "retry"] : ["retry"];
  return present({
    kind: said.kind,
    message: clean(said.message),
    actions: [...(said.actions ?? byDefault)],
    status: fault.at === "status" || fault.at === "redirect" ? fault.status : undefined,
    detail: detail === "" ? undefined : detail,
    requestId: fault.at === "status" ? requestIdOf(fault, clean) : undefined,
    retryAt: context.retryAt,
  });
}

/** A problem that is known before anything is sent. */
export function localProblem(
  kind: ProblemKind,
  message: string,
  actions: readonly ProblemAction[] = [],
): Problem {
  return { kind, message, actions: [...actions] };
}

function say(fault: Exclude<Fault, { at: "unconnected" }>, context: ProblemContext): Said {
  switch (fault.at) {
    case "status":
      return sayStatus(fault, context);
    case "service":
      return sayService(fault);
    case "timeout":
      return sayTimeout(fault);
    case "redirect":
      return {
        kind: "redirect",
        message: `The service's address redirects elsewhere (${fault.status}); the redirect was refused.`,
        actions: ["set-base-url"],
      };
    case "network":
      return {
        kind: "network",
        message: `Cannot reach ${context.host} (${fault.code}).`,
        actions: ["retry", "connection-check"],
      };
    case "tls":
      return {
        kind: "network",
        message: `The certificate of ${context.host} was not accepted (${fault.code}).`,
        actions: ["proxy-help", "retry"],
      };
    case "proxy":
      return sayProxy(fault);
    default:
      return sayReply(fault);
  }
}

function sayReply(
  fault: Exclude<
    Fault,
    { at: "status" | "service" | "timeout" | "redirect" | "network" | "tls" | "proxy" | "unconnected" }
  >,
): Said {
  switch (fault.at) {
    case "not-http":
      return {
        kind: "protocol",
        message: "What answers at the base address does not speak HTTP.",
        actions: ["set-base-url"],
      };
    case "html":
      return {
        kind: "protocol",
        message:
          "The answer is a web page (HTML), not the service; a sign-in page of the network may be in between.",
        actions: ["set-base-url", "retry"],
      };
    case "cut":
      return { kind: "network", message: "The connection ended before the reply was complete." };
    case "empty":
      return { kind: "protocol", message: "The service sent an empty reply." };
    case "gibberish":
      return {
        kind: "protocol",
        message:
          "The service answered in a form that could not be understood; it may have charged for the answer.",
        // Requirements G7: a person decides whether it is asked, and maybe billed, again.
        actions: [
          ...(fault.streamed === true ? (["retry-whole"] as const) : []),
          ...(["connection-check", "retry", "open-log"] as const),
        ],
      };
    case "damaged":
      return { kind: "protocol", message: "The reply arrived damaged and was not finished." };
    case "too-large":
      return { kind: "too-large", message: "The reply was too large and was cut off." };
    case "unfinished":
      return {
        kind: "protocol",
        message: `The service says that the reply is not finished (${fault.status}), and offers no way to fetch it later.`,
      };
    case "unsent":
      return { kind: "refused-locally", message: "No more requests were agreed to.", actions: [] };
    case "bug":
      return { kind: "bug", message: "Something went wrong inside the extension.", actions: ["open-log"] };
    default:
      return fault satisfies never;
  }
}

function sayTimeout({ phase, seconds }: Extract<Fault, { at: "timeout" }>): Said {
  const time = seconds >= 120 ? `${Math.round(seconds / 60)} minutes` : `${seconds} seconds`;
  switch (phase) {
    case "connect":
      return {
        kind: "timeout",
        message: `No connection to the service in ${time}.`,
        actions: ["retry", "connection-check"],
      };
    case "first-byte":
      return { kind: "timeout", message: `The service did not answer in ${time}.` };
    case "idle":
      return { kind: "timeout", message: `The service sent no data for ${time}.` };
    default:
      return phase satisfies never;
  }
}

function sayRetryAt(said: Said, { retryAt }: ProblemContext): Said {
  if (retryAt === undefined) return said;
  const at = new Date(retryAt);
  if (Number.isNaN(at.getTime())) return said;
  const time = at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return { ...said, message: `${said.message} Try again at ${time}.` };
}

function detailOf({ message, type, code }: ServiceError): string {
  const words = new Set([type, code].filter((word) => word !== undefined));
  return [message, [...words].join(", ")].filter((part) => part !== "").join("\n");
}

function requestIdOf(
  fault: Extract<Fault, { at: "status" }>,
  clean: (text: string) => string,
): string | undefined {
  const id = requestIdHeaders.map(fault.headers).find((value) => value !== undefined && value !== "");
  return id === undefined ? undefined : clean(id).slice(0, 200);
}
