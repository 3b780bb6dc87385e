// What can be set about the service, and what holds when nothing is: timers, names of fields the interface leaves
// open, the way through the network. One object, read at the start of each operation.
import type { BodySettings, StreamSetting } from "./body.ts";
import type { CertificateSettings } from "./certificates.ts";
import type { ProxySettings } from "./proxy.ts";
import type { PatchTransport } from "./tool-shapes.ts";
import type { TraceLevel } from "./trace.ts";
import { defaultCacheKeyField, defaultUserIdField } from "./unspecified.ts";

export interface ClientSettings {
  readonly connectSeconds?: number;
  /** From the request to the first byte of its answer. */
  readonly firstByteSeconds?: number;
  /** Between two bytes; a comment counts too. There is no limit on the whole. */
  readonly idleSeconds?: number;
  /** Names of request fields that the interface does not show; empty: not sent. */
  readonly cacheKeyField?: string;
  readonly userIdField?: string;
  /** The hashed identifier itself; without it the field is not sent. */
  readonly userId?: string;
  /** The header that asks for a signed reply; the interface does not show its name. Empty: not sent. */
  readonly nonceHeader?: string;
  /** Sent as they are, next to the effort of the request. */
  readonly extraReasoning?: Readonly<Record<string, unknown>>;
  readonly extraText?: Readonly<Record<string, unknown>>;
  /** Models that the user insists on asking by Responses, besides the one that the interface names. */
  readonly responsesModels?: readonly string[];
  /** `auto`: as an origin was found to take it; `on` and `off` hold whatever was found. */
  readonly stream?: StreamSetting;
  /** `auto`: as an origin was found to take it; the others are never given up for each other. */
  readonly patchTransport?: PatchTransport;
  /** What of requests and replies is written to the log, without any secret. */
  readonly trace?: TraceLevel;
  readonly proxy?: ProxySettings;
  readonly certificates?: CertificateSettings;
}

export interface Settings extends BodySettings {
  readonly connectSeconds: number;
  readonly firstByteSeconds: number;
  readonly idleSeconds: number;
  readonly nonceHeader: string;
  readonly trace: TraceLevel;
  readonly proxy: ProxySettings;
  readonly certificates: CertificateSettings;
}

export function completeSettings(given: ClientSettings): Settings {
  return {
    connectSeconds: given.connectSeconds ?? 30,
    firstByteSeconds: given.firstByteSeconds ?? 300,
    idleSeconds: given.idleSeconds ?? 300,
    cacheKeyField: given.cacheKeyField ?? defaultCacheKeyField,
    userIdField: given.userIdField ?? defaultUserIdField,
    userId: given.userId,
    nonceHeader: isNonceHeader(given.nonceHeader ?? "") ? (given.nonceHeader ?? "") : "",
    extraReasoning: given.extraReasoning,
    extraText: given.extraText,
    responsesModels: given.responsesModels ?? [],
    stream: given.stream ?? "auto",
    patchTransport: given.patchTransport ?? "auto",
    trace: given.trace ?? "off",
    proxy: given.proxy ?? {},
    certificates: given.certificates ?? {},
  };
}

/** RFC 9110 token, and none of the headers that steer a request. */
export function isNonceHeader(name: string): boolean {
  const taken =
    /^(authorization|proxy-.*|content-.*|accept.*|host|cookie|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|user-agent|origin|referer|via|forwarded|x-forwarded-.*)$/i;
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/.test(name) && !taken.test(name);
}
