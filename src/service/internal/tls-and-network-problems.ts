// What is said when no connection to the service comes about: a certificate that is not trusted or a failed TLS
// handshake, a proxy in between, a host that is not reached, or too long a wait.
import { type Message, message } from "../../conversation/messages.ts";
import type { ProblemAction, ProblemKind } from "../../conversation/problem.ts";
import { type Fault, isOffline } from "./fault.ts";

interface NetworkMessage {
  readonly kind: ProblemKind;
  readonly message: Message;
  readonly actions?: readonly ProblemAction[];
}

export function describeTls({ by, code }: Extract<Fault, { at: "tls" }>, host: string): NetworkMessage {
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

export const proxyActions: readonly ProblemAction[] = ["proxy-help", "retry"];

export function describeProxyError(fault: Extract<Fault, { at: "proxy" }>): NetworkMessage {
  const { proxy = "" } = fault;
  const failure = (message: Message): NetworkMessage => ({ kind: "network", message, actions: proxyActions });
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

export function describeTimeout({ phase, seconds }: Extract<Fault, { at: "timeout" }>): NetworkMessage {
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

/** Without a network, only the connection needs checking; for an unknown host, the URL as well. */
export function describeUnreached(host: string, code: string): NetworkMessage {
  if (isOffline(code)) return { kind: "network", message: message("problemOffline"), actions: ["retry"] };
  const isUnknown = /^(?:ENOTFOUND|EAI_AGAIN)$/.test(code);
  const said = message(isUnknown ? "problemNoHost" : "problemReach", { host, code });
  return { kind: "network", message: said, actions: ["retry", "connection-check"] };
}
