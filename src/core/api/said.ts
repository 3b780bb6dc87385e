// What the service, or a proxy before it, said about a request, in a sentence for people: statuses and errors, with the
// service's own words in them.
import type { ProblemAction, ProblemKind } from "../conversation/problem.ts";
import type { Mask } from "../util/mask.ts";
import { plainText } from "../util/plain-text.ts";
import { errorClass } from "./error-class.ts";
import type { Fault } from "./fault.ts";
import type { ServiceError } from "./reply-reader.ts";

export interface ProblemContext {
  readonly mask: Mask;
  /** Text is on screen: the person may want to go on from it. */
  readonly visible: boolean;
  readonly retryAt?: number | undefined;
  /** What the request held that a service may refuse in content. */
  readonly holds?: "breakpoint" | "image" | undefined;
  readonly host: string;
}

export interface Said {
  readonly kind: ProblemKind;
  readonly message: string;
  readonly actions?: readonly ProblemAction[];
  readonly words?: ServiceError | undefined;
}

export function sayStatus(
  { status, words, sentBytes }: Extract<Fault, { at: "status" }>,
  { holds }: ProblemContext,
): Said {
  const quoted = words === undefined || words.message === "" ? "." : `: ${sentence(words.message)}`;
  // Also one that speaks of the billing page: the key is what helps.
  if (status === 401) {
    return { kind: "auth", message: "The service refused the API key (401).", actions: ["set-key"], words };
  }
  const kind = errorClass(words, status);
  if (kind === "quota" || status === 402) {
    return {
      kind: "quota",
      message: `The service refused the request because of the account's quota (${status})${quoted}`,
      words,
    };
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
  if (status === 400 && holds === "breakpoint" && speaksOfBreakpoint(words)) {
    // Interface, "Cache behavior" 5.
    const message =
      "The service refuses content that contains “prompt_cache_breakpoint” (400); remove the words or the attachment that holds them.";
    return { kind: "bad-request", message, words };
  }
  const refused = `The service refused the request (${status})${quoted}`;
  return {
    kind: "bad-request",
    message: holds === undefined ? refused : `${refused} ${hints[holds]}`,
    words,
  };
}

const hints = {
  // Its words may be about something else: what a tool has read stays in the request of every later turn.
  breakpoint: "It holds the word “prompt_cache_breakpoint”, which the service does not take in content.",
  // Interface: the content of an input item "is shown" as a string only, so pictures may not be taken (B20).
  image: "It may not take pictures here; send it without them, or to a chat model.",
} as const;

const speaksOfBreakpoint = (words: ServiceError | undefined): boolean =>
  /breakpoint/i.test(`${words?.message ?? ""} ${words?.param ?? ""}`);

export function sayService({ error, reason }: Extract<Fault, { at: "service" }>): Said {
  const kinds = { busy: "busy", quota: "quota", "too-long": "too-large", server: "server" } as const;
  const kind = errorClass(error, undefined);
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

export function sayProxy({ status, code }: Extract<Fault, { at: "proxy" }>): Said {
  const actions: readonly ProblemAction[] = ["proxy-help", "retry"];
  if (status === 407) return { kind: "network", message: "The proxy asks for a login (407).", actions };
  if (status !== undefined)
    return { kind: "network", message: `The proxy refused the connection (${status}).`, actions };
  if (code !== undefined)
    return { kind: "network", message: `The proxy refused the connection (${code}).`, actions };
  return { kind: "network", message: "The proxy setting is not a valid address.", actions };
}

/** One sentence ends in one full stop. */
function sentence(text: string): string {
  const line = plainText(text.replace(/\s+/g, " "), 300);
  return /[.!?…。！？]$/.test(line) ? line : `${line}.`;
}
