// Turns a fault into a problem: one sentence for people, and the actions available to them. What is said when no
// connection comes about is in tls-and-network-problems.ts.

import { type Message, message, withArguments } from "../../conversation/messages.ts";
import type { Problem, ProblemAction, ProblemKind } from "../../conversation/problem.ts";
import { type Mask, maskedWords } from "../../util/mask-secrets.ts";
import { present } from "../../util/present.ts";
import { plainText } from "../../util/text.ts";
import {
  errorClass,
  type Fault,
  type HeaderReader,
  isAboutContent,
  isRefusal,
  type ServiceError,
} from "./fault.ts";
import {
  describeProxyError,
  describeTimeout,
  describeTls,
  describeUnreached,
  proxyActions,
} from "./tls-and-network-problems.ts";

interface ProblemContext {
  readonly mask: Mask;
  /** Text is already visible, so the person may want to continue from it. */
  readonly visible: boolean;
  readonly retryAt?: number | undefined;
  /** Content in the request that a service may refuse. */
  readonly holds?: "breakpoint" | "image" | undefined;
  readonly host: string;
}

/**
 * The message about a failed response of the service, or of a proxy in front of it: by status and error, quoting the
 * service's own words.
 */
interface FailureMessage {
  readonly kind: ProblemKind;
  readonly message: Message;
  readonly hints?: readonly Message[];
  readonly actions?: readonly ProblemAction[];
  readonly words?: ServiceError | undefined;
}

function describeStatus(
  { status, words, page, sentBytes }: Extract<Fault, { at: "status" }>,
  { holds, host }: ProblemContext,
): FailureMessage {
  const detail =
    words === undefined || saysOnly(status, words.message) ? "." : `: ${sentence(words.message)}`;
  // Even if the response mentions the billing page: what helps is the key.
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
  if (page === true && (status === 403 || status === 404)) return describePage(status, host);
  // The content is refused, not the person.
  if (status === 403 && words !== undefined && isAboutContent(words)) {
    return { kind: "bad-request", message: message("problemRefused", { status: "403", detail }), words };
  }
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
  // The refusal may be about something else: what a tool has read stays in the request of every later turn.
  breakpoint: message("holdsBreakpoint"),
  // Interface: the content of an input item "is shown" as a string only, so pictures may not be taken (B20).
  image: message("withoutPictures"),
} as const;

const speaksOfBreakpoint = (words: ServiceError | undefined): boolean =>
  /breakpoint/i.test(`${words?.message ?? ""} ${words?.param ?? ""}`);

function describeServiceError(
  { error, reason }: Extract<Fault, { at: "service" }>,
  { visible }: Pick<ProblemContext, "visible">,
): FailureMessage {
  const kinds = { busy: "busy", quota: "quota", "too-long": "too-large", server: "server" } as const;
  const kind = errorClass(error, undefined);
  const quoted = error.message === "" ? error.code : sentence(error.message);
  const detail = quoted === undefined ? "." : `: ${sentence(quoted)}`;
  return {
    // A request is not refused once the response has begun.
    kind: kind === undefined ? (!visible && isRefusal(error) ? "bad-request" : "server") : kinds[kind],
    message:
      reason === undefined
        ? message("problemFailed", { detail })
        : message("problemStatus", { reason, detail }),
    words: error,
  };
}

/** The page comes from a gateway before the service was reached, so it says nothing about key or model. */
function describePage(status: 403 | 404, host: string): FailureMessage {
  return {
    kind: status === 403 ? "network" : "not-found",
    message: message("problemPage", { host, status: String(status) }),
    actions: status === 403 ? ["retry", "connection-check"] : ["set-base-url", "retry"],
  };
}

/** Ends a sentence with exactly one full stop. */
function sentence(text: string): string {
  const line = plainText(text.replace(/\s+/g, " "), 300);
  return /[.!?…。！？]$/.test(line) ? line : `${line}.`;
}

/** Whether the words only repeat the status: “The service answered 503.”, “503 Service Unavailable”. */
function saysOnly(status: number, words: string): boolean {
  const rest = words.replaceAll(String(status), "").replaceAll(ofAnyStatus, "");
  return !/[\p{L}\p{N}]/u.test(rest);
}

const ofAnyStatus =
  /\b(?:the|a|an|http|https|status|code|error|service|server|answered|returned|responded|replied|with|internal|bad|gateway|unavailable|temporarily|time-?out|request|failed)\b/gi;

/** For support requests to the service; shown if present. The interface names none; these are common. */
const requestIdHeaders = ["x-request-id", "request-id", "x-trace-id"];

const requestIdOf = (headers: HeaderReader): string | undefined =>
  requestIdHeaders.map(headers).find((value) => value !== undefined && value !== "");

export function toProblem(fault: Fault, context: ProblemContext): Problem {
  if (fault.at === "unconnected") return fault.problem;
  const failure = describeRetryAt(describeProxy(describe(fault, context), fault), context);
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

/** A problem that is found before anything is sent. */
export function localProblem(
  kind: ProblemKind,
  message: Message,
  actions: readonly ProblemAction[] = [],
): Problem {
  return { kind, message, actions: [...actions] };
}

function describe(fault: Exclude<Fault, { at: "unconnected" }>, context: ProblemContext): FailureMessage {
  switch (fault.at) {
    case "status":
      return describeStatus(fault, context);
    case "service":
      return describeServiceError(fault, context);
    case "timeout":
      return describeTimeout(fault);
    case "redirect":
      return {
        kind: "redirect",
        message: message("problemRedirect", { status: String(fault.status) }),
        actions: ["set-base-url"],
      };
    case "network":
      return describeUnreached(context.host, fault.code);
    case "hung-up":
      return {
        kind: "network",
        message: message("problemHungUp", { host: context.host }),
        actions: ["retry", "connection-check"],
      };
    case "tls":
      return describeTls(fault, context.host);
    case "proxy":
      return describeProxyError(fault);
    default:
      return describeReply(fault, context.host);
  }
}

function describeReply(
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
        // Requirements G7: a person decides whether to request, and possibly pay, again.
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

/** Even if the proxy did not fail itself, it may be the cause. */
function describeProxy(failure: FailureMessage, { at, proxy }: Fault): FailureMessage {
  if (proxy === undefined || at === "proxy") return failure;
  return { ...failure, hints: [...(failure.hints ?? []), message("viaProxy", { proxy })] };
}

function describeRetryAt(failure: FailureMessage, { retryAt }: ProblemContext): FailureMessage {
  if (retryAt === undefined) return failure;
  if (Number.isNaN(new Date(retryAt).getTime())) return failure;
  return { ...failure, hints: [...(failure.hints ?? []), message("tryAgainAt", { time: { at: retryAt } })] };
}

function detailOf({ message: text, type, code }: ServiceError): string {
  const words = new Set([type, code].filter((word) => word !== undefined));
  return [text, [...words].join(", ")].filter((part) => part !== "").join("\n");
}
