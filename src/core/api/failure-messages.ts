// What the service, or a proxy before it, said about a request, in a sentence for people: statuses and errors, with the
// service's own words in them.

import type { ProblemAction, ProblemKind } from "../conversation/problem.ts";
import { type Message, message } from "../messages/message.ts";
import type { Mask } from "../util/mask.ts";
import { plainText } from "../util/plain-text.ts";
import type { Fault } from "./fault.ts";
import type { ServiceError } from "./service-error.ts";
import { errorClass, isRefusal } from "./service-error.ts";

export interface ProblemContext {
  readonly mask: Mask;
  /** Text is on screen: the person may want to go on from it. */
  readonly visible: boolean;
  readonly retryAt?: number | undefined;
  /** What the request held that a service may refuse in content. */
  readonly holds?: "breakpoint" | "image" | undefined;
  readonly host: string;
}

export interface FailureMessage {
  readonly kind: ProblemKind;
  readonly message: Message;
  readonly hints?: readonly Message[];
  readonly actions?: readonly ProblemAction[];
  readonly words?: ServiceError | undefined;
}

export function sayStatus(
  { status, words, page, sentBytes }: Extract<Fault, { at: "status" }>,
  { holds, host }: ProblemContext,
): FailureMessage {
  const detail = words === undefined || words.message === "" ? "." : `: ${sentence(words.message)}`;
  // Also one that speaks of the billing page: the key is what helps.
  if (status === 401) {
    return { kind: "auth", message: message("problemKey"), actions: ["set-key"], words };
  }
  const kind = errorClass(words, status);
  if (kind === "quota" || status === 402) {
    return {
      kind: "quota",
      message: message("problemQuota", { status: String(status), detail }),
      words,
    };
  }
  if (page === true && (status === 403 || status === 404)) return sayPage(status, host);
  if (status === 403) {
    return {
      kind: "auth",
      message: message("problemForbidden", { detail }),
      actions: ["set-key"],
      words,
    };
  }
  if (status === 404) return { kind: "not-found", message: message("problemNotFound", { detail }), words };
  if (status === 407) {
    return { kind: "network", message: message("problemProxyBetween", { host }), actions: proxyActions };
  }
  if (status === 413 || kind === "too-long") {
    const tooLarge =
      status === 413 && kind !== "too-long"
        ? message("problemSent", { status: String(status), size: Math.ceil(sentBytes / 1024), detail })
        : message("problemTooLarge", { status: String(status), detail });
    return { kind: "too-large", message: tooLarge, words };
  }
  if (status === 429) return { kind: "busy", message: message("problemBusy"), words };
  if (status === 408) return { kind: "timeout", message: message("problemWaited"), words };
  if (status >= 500)
    return { kind: "server", message: message("problemServer", { status: String(status), detail }), words };
  if (status === 400 && holds === "breakpoint" && speaksOfBreakpoint(words)) {
    // Interface, "Cache behavior" 5.
    return { kind: "bad-request", message: message("problemBreakpoint"), words };
  }
  const refused: FailureMessage = {
    kind: "bad-request",
    message: message("problemRefused", { status: String(status), detail }),
    words,
  };
  return holds === undefined ? refused : { ...refused, hints: [hints[holds]] };
}

const hints = {
  // Its words may be about something else: what a tool has read stays in the request of every later turn.
  breakpoint: message("holdsBreakpoint"),
  // Interface: the content of an input item "is shown" as a string only, so pictures may not be taken (B20).
  image: message("withoutPictures"),
} as const;

const speaksOfBreakpoint = (words: ServiceError | undefined): boolean =>
  /breakpoint/i.test(`${words?.message ?? ""} ${words?.param ?? ""}`);

export function sayService(
  { error, reason }: Extract<Fault, { at: "service" }>,
  { visible }: Pick<ProblemContext, "visible">,
): FailureMessage {
  const kinds = { busy: "busy", quota: "quota", "too-long": "too-large", server: "server" } as const;
  const kind = errorClass(error, undefined);
  const quoted = error.message === "" ? error.code : sentence(error.message);
  const detail = quoted === undefined ? "." : `: ${sentence(quoted)}`;
  return {
    // What it has begun to answer it has taken.
    kind: kind === undefined ? (!visible && isRefusal(error) ? "bad-request" : "server") : kinds[kind],
    message:
      reason === undefined
        ? message("problemFailed", { detail })
        : message("problemStatus", { reason, detail }),
    words: error,
  };
}

/** A gateway before the service has spoken: its words are about neither key nor model. */
function sayPage(status: 403 | 404, host: string): FailureMessage {
  return {
    kind: status === 403 ? "network" : "not-found",
    message: message("problemPage", { host, status: String(status) }),
    actions: status === 403 ? ["retry", "connection-check"] : ["set-base-url", "retry"],
  };
}

const proxyActions: readonly ProblemAction[] = ["proxy-help", "retry"];

export function sayProxy(fault: Extract<Fault, { at: "proxy" }>): FailureMessage {
  const { proxy = "" } = fault;
  const failure = (message: Message): FailureMessage => ({ kind: "network", message, actions: proxyActions });
  switch (fault.by) {
    case "setting":
      return failure(message("problemProxySetting"));
    case "status":
      if (fault.status === 407) return failure(message("problemProxyLogin", { proxy }));
      return failure(message("problemProxy", { proxy, code: String(fault.status) }));
    case "network":
      return failure(message("problemProxyReach", { proxy, code: fault.code }));
    case "certificate":
      return failure(message("problemProxyCertificate", { proxy, code: fault.code }));
    case "time": {
      const time = { milliseconds: fault.seconds * 1000 };
      return { ...failure(message("problemProxyTime", { proxy, time })), kind: "timeout" };
    }
    case "lookup": {
      const time = { milliseconds: fault.seconds * 1000 };
      return { ...failure(message("problemProxyLookup", { time })), kind: "timeout" };
    }
    default:
      return fault satisfies never;
  }
}

/** One sentence ends in one full stop. */
function sentence(text: string): string {
  const line = plainText(text.replace(/\s+/g, " "), 300);
  return /[.!?…。！？]$/.test(line) ? line : `${line}.`;
}
