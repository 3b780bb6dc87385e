// Fault → problem: one sentence for people and what they can do. What the service itself said is put into words in
// failure-messages.ts; all other sentences are made here.

import type { Problem, ProblemAction, ProblemKind } from "../conversation/problem.ts";
import { type Message, message, withArguments } from "../messages/message.ts";
import { maskedWords } from "../util/mask.ts";
import { present } from "../util/present.ts";
import {
  type FailureMessage,
  type ProblemContext,
  sayProxy,
  sayService,
  sayStatus,
} from "./failure-messages.ts";
import { type Fault, isOffline } from "./fault.ts";
import { requestIdOf } from "./response-headers.ts";
import type { ServiceError } from "./service-error.ts";

export function toProblem(fault: Fault, context: ProblemContext): Problem {
  if (fault.at === "unconnected") return fault.problem;
  const failure = sayRetryAt(sayProxyBetween(say(fault, context), fault), context);
  const clean = (text: string) => maskedWords(context.mask, text, 2_000);
  const requestId = fault.at === "status" ? requestIdOf(fault.headers) : undefined;
  const detail = failure.words === undefined ? undefined : clean(detailOf(failure.words));
  const byDefault: readonly ProblemAction[] = context.visible ? ["continue", "retry"] : ["retry"];
  return present({
    kind: failure.kind,
    message: withArguments(failure.message, clean),
    hints: failure.hints && [...failure.hints],
    actions: [...(failure.actions ?? byDefault)],
    status: fault.at === "status" || fault.at === "redirect" ? fault.status : undefined,
    detail: detail === "" ? undefined : detail,
    requestId: requestId && clean(requestId).slice(0, 200),
    retryAt: context.retryAt,
  });
}

/** A problem that is known before anything is sent. */
export function localProblem(
  kind: ProblemKind,
  message: Message,
  actions: readonly ProblemAction[] = [],
): Problem {
  return { kind, message, actions: [...actions] };
}

function say(fault: Exclude<Fault, { at: "unconnected" }>, context: ProblemContext): FailureMessage {
  switch (fault.at) {
    case "status":
      return sayStatus(fault, context);
    case "service":
      return sayService(fault, context);
    case "timeout":
      return sayTimeout(fault);
    case "redirect":
      return {
        kind: "redirect",
        message: message("problemRedirect", { status: String(fault.status) }),
        actions: ["set-base-url"],
      };
    case "network":
      return sayUnreached(context.host, fault.code);
    case "hung-up":
      return {
        kind: "network",
        message: message("problemHungUp", { host: context.host }),
        actions: ["retry", "connection-check"],
      };
    case "tls":
      return sayTls(fault, context.host);
    case "proxy":
      return sayProxy(fault);
    default:
      return sayReply(fault, context.host);
  }
}

function sayTls({ by, code }: Extract<Fault, { at: "tls" }>, host: string): FailureMessage {
  switch (by) {
    case "certificate": {
      const refused = message("problemCertificate", { host, code });
      return { kind: "network", message: refused, actions: ["proxy-help", "retry"] };
    }
    case "handshake": {
      const failed = message("problemHandshake", { host, code });
      return { kind: "network", message: failed, actions: ["retry", "connection-check"] };
    }
    case "no-tls":
      return { kind: "protocol", message: message("problemNoTls", { host }), actions: ["set-base-url"] };
    default:
      return by satisfies never;
  }
}

function sayReply(
  fault: Exclude<
    Fault,
    {
      at:
        | "status"
        | "service"
        | "timeout"
        | "redirect"
        | "network"
        | "hung-up"
        | "tls"
        | "proxy"
        | "unconnected";
    }
  >,
  host: string,
): FailureMessage {
  switch (fault.at) {
    case "not-http":
      return {
        kind: "protocol",
        message: message("problemNotHttp"),
        actions: ["set-base-url"],
      };
    case "large-headers":
      return { kind: "protocol", message: message("problemLargeHeaders", { host }), actions: ["retry"] };
    case "html":
      return {
        kind: "protocol",
        message: message("problemHtml"),
        actions: ["set-base-url", "retry"],
      };
    case "cut":
      return { kind: "network", message: message("problemCut") };
    case "empty":
      return { kind: "protocol", message: message("problemEmpty") };
    case "gibberish":
      return {
        kind: "protocol",
        message: message("problemGibberish"),
        // Requirements G7: a person decides whether it is asked, and maybe billed, again.
        actions: [
          ...(fault.streamed === true ? (["retry-whole"] as const) : []),
          ...(["connection-check", "retry", "open-log"] as const),
        ],
      };
    case "damaged":
      return { kind: "protocol", message: message("problemDamaged") };
    case "too-large":
      return { kind: "too-large", message: message("problemSize") };
    case "unfinished":
      return {
        kind: "protocol",
        message: message("problemUnfinished", { status: String(fault.status) }),
      };
    case "unsent":
      return { kind: "refused-locally", message: message("problemAgreed"), actions: [] };
    case "bug":
      return { kind: "bug", message: message("problemBug"), actions: ["open-log"] };
    default:
      return fault satisfies never;
  }
}

function sayTimeout({ phase, seconds }: Extract<Fault, { at: "timeout" }>): FailureMessage {
  const time = { milliseconds: seconds * 1000 };
  switch (phase) {
    case "connect":
      return {
        kind: "timeout",
        message: message("problemNoConnection", { time }),
        actions: ["retry", "connection-check"],
      };
    case "first-byte":
      return { kind: "timeout", message: message("problemNoAnswer", { time }) };
    case "idle":
      return { kind: "timeout", message: message("problemNoData", { time }) };
    default:
      return phase satisfies never;
  }
}

/** Where it is not the proxy that failed, it may still be the reason. */
function sayProxyBetween(failure: FailureMessage, { at, proxy }: Fault): FailureMessage {
  if (proxy === undefined || at === "proxy") return failure;
  return { ...failure, hints: [...(failure.hints ?? []), message("viaProxy", { proxy })] };
}

function sayRetryAt(failure: FailureMessage, { retryAt }: ProblemContext): FailureMessage {
  if (retryAt === undefined) return failure;
  if (Number.isNaN(new Date(retryAt).getTime())) return failure;
  return { ...failure, hints: [...(failure.hints ?? []), message("tryAgainAt", { time: { at: retryAt } })] };
}

function detailOf({ message: text, type, code }: ServiceError): string {
  const words = new Set([type, code].filter((word) => word !== undefined));
  return [text, [...words].join(", ")].filter((part) => part !== "").join("\n");
}

/** Without a network there is nothing to check but that; without such a name, there is also the URL. */
function sayUnreached(host: string, code: string): FailureMessage {
  if (isOffline(code)) return { kind: "network", message: message("problemOffline"), actions: ["retry"] };
  const isUnknown = /^(?:ENOTFOUND|EAI_AGAIN)$/.test(code);
  const said = message(isUnknown ? "problemNoHost" : "problemReach", { host, code });
  return { kind: "network", message: said, actions: ["retry", "connection-check"] };
}
