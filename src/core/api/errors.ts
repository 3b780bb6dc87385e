// Fault → problem: one sentence for people and what they can do. The only place where these sentences are made.
import type { Problem, ProblemAction, ProblemKind } from "../conversation/problem.ts";
import type { Mask } from "../util/mask.ts";
import { plainText } from "../util/plain-text.ts";
import { present } from "../util/present.ts";
import { errorClass } from "./error-class.ts";
import type { Fault } from "./fault.ts";
import type { ServiceError } from "./reply-reader.ts";
import { requestIdHeaders } from "./unspecified.ts";

export interface ProblemContext {
  readonly mask: Mask;
  /** Text is on screen: the person may want to go on from it. */
  readonly visible: boolean;
  readonly retryAt?: number | undefined;
  /** What the request held that a service may refuse in content. */
  readonly holds?: "breakpoint" | "image" | undefined;
  readonly host: string;
}

interface Said {
  readonly kind: ProblemKind;
  readonly message: string;
  readonly actions?: readonly ProblemAction[];
  readonly words?: ServiceError | undefined;
}

export function toProblem(fault: Fault, context: ProblemContext): Problem {
  const said = sayRetryAt(say(fault, context), context);
  const clean = (text: string) => plainText(context.mask(text), 2_000);
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

function say(fault: Fault, context: ProblemContext): Said {
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
  fault: Exclude<Fault, { at: "status" | "service" | "timeout" | "redirect" | "network" | "tls" | "proxy" }>,
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
        actions: ["connection-check", "retry", "open-log"],
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

function sayStatus(
  { status, words, sentBytes }: Extract<Fault, { at: "status" }>,
  { holds }: ProblemContext,
): Said {
  const quoted = words === undefined || words.message === "" ? "." : `: ${sentence(words.message)}`;
  const kind = errorClass(words);
  if (kind === "quota" || status === 402) {
    return {
      kind: "quota",
      message: `The service refused the request because of the account's quota (${status})${quoted}`,
      words,
    };
  }
  if (status === 401) {
    return { kind: "auth", message: "The service refused the API key (401).", actions: ["set-key"], words };
  }
  if (status === 403) {
    return {
      kind: "auth",
      message: `The API key is not allowed to do this (403)${quoted}`,
      actions: ["set-key"],
      words,
    };
  }
  if (status === 404)
    return { kind: "not-found", message: `The service did not find it (404)${quoted}`, words };
  if (status === 407) return sayProxy({ at: "proxy", status });
  if (status === 413 || kind === "too-long") {
    const size = status === 413 ? `; ${Math.ceil(sentBytes / 1024)} KB were sent` : "";
    return {
      kind: "too-large",
      message: `The request is too large for the service (${status}${size})${quoted}`,
      words,
    };
  }
  if (status === 429) return { kind: "busy", message: `The service is busy (429)${quoted}`, words };
  if (status === 408)
    return { kind: "timeout", message: "The service waited too long for the request (408).", words };
  if (status >= 500) return { kind: "server", message: `Server error ${status}${quoted}`, words };
  if (status === 400 && holds === "breakpoint") {
    // Interface, "Cache behavior" 5.
    const message =
      "The service refuses content that contains “prompt_cache_breakpoint” (400); remove the words or the attachment that holds them.";
    return { kind: "bad-request", message, words };
  }
  const refused = `The service refused the request (${status})${quoted}`;
  const hint = "It may not take pictures here; send it without them, or to a chat model.";
  // Interface: the content of an input item "is shown" as a string only, so pictures may not be taken (B20).
  return { kind: "bad-request", message: holds === "image" ? `${refused} ${hint}` : refused, words };
}

function sayService({ error, reason }: Extract<Fault, { at: "service" }>): Said {
  const kinds = { busy: "busy", quota: "quota", "too-long": "too-large", server: "server" } as const;
  const kind = errorClass(error);
  const quoted = error.message === "" ? error.code : sentence(error.message);
  const state =
    reason === undefined
      ? "The service could not finish the reply"
      : `The reply ended with unknown status ${reason}`;
  return {
    kind: kind === undefined ? "server" : kinds[kind],
    message: quoted === undefined ? `${state}.` : `${state}: ${sentence(quoted)}`,
    words: error,
  };
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

function sayProxy({ status, code }: Extract<Fault, { at: "proxy" }>): Said {
  const actions: readonly ProblemAction[] = ["proxy-help", "retry"];
  if (status === 407) return { kind: "network", message: "The proxy asks for a login (407).", actions };
  if (status !== undefined)
    return { kind: "network", message: `The proxy refused the connection (${status}).`, actions };
  if (code !== undefined)
    return { kind: "network", message: `The proxy refused the connection (${code}).`, actions };
  return { kind: "network", message: "The proxy setting is not a valid address.", actions };
}

function sayRetryAt(said: Said, { retryAt }: ProblemContext): Said {
  if (retryAt === undefined) return said;
  const at = new Date(retryAt);
  if (Number.isNaN(at.getTime())) return said;
  const time = at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return { ...said, message: `${said.message} Try again at ${time}.` };
}

function detailOf({ message, type, code }: ServiceError): string {
  return [message, [type, code].filter((word) => word !== undefined).join(", ")]
    .filter((part) => part !== "")
    .join("\n");
}

/** One sentence ends in one full stop. */
function sentence(text: string): string {
  const line = plainText(text.replace(/\s+/g, " "), 300);
  return /[.!?…。！？]$/.test(line) ? line : `${line}.`;
}

function requestIdOf(
  fault: Extract<Fault, { at: "status" }>,
  clean: (text: string) => string,
): string | undefined {
  const id = requestIdHeaders.map(fault.headers).find((value) => value !== undefined && value !== "");
  return id === undefined ? undefined : clean(id).slice(0, 200);
}
