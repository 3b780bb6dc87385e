// What can be set about the service, and what holds when nothing is: timers, names of fields the interface leaves
// open, the way through the network. One object, read at the start of each operation.
import type { BodySettings } from "./body.ts";
import type { CertificateSettings } from "./certificates.ts";
import type { ProxySettings } from "./proxy.ts";
import { isOwnHeader, type ProfileSettings } from "./service-profile.ts";
import type { TraceLevel } from "./trace.ts";
import { defaultCacheKeyField, defaultUserIdField } from "./unspecified.ts";

export interface ClientSettings extends ProfileSettings {
  /** The hashed identifier itself; without it the field is not sent. */
  readonly userId?: string;
  /** The header that asks for a signed reply; the interface does not show its name. Empty: not sent. */
  readonly nonceHeader?: string;
  /** Models that the user insists on asking by Responses, besides the one that the interface names. */
  readonly responsesModels?: readonly string[];
  /** What of requests and replies is written to the log, without any secret. */
  readonly trace?: TraceLevel;
  readonly proxy?: ProxySettings;
  readonly certificates?: CertificateSettings;
}

export interface Settings extends BodySettings {
  readonly connectSeconds: number;
  readonly firstByteSeconds: number;
  readonly unstreamedSeconds: number;
  readonly idleSeconds: number;
  readonly nonceHeader: string;
  readonly extraHeaders: Readonly<Record<string, string>>;
  readonly trace: TraceLevel;
  readonly proxy: ProxySettings;
  readonly certificates: CertificateSettings;
}

export function completeSettings(given: ClientSettings): Settings {
  return {
    connectSeconds: given.connectSeconds ?? 30,
    firstByteSeconds: given.firstByteSeconds ?? 300,
    unstreamedSeconds: given.unstreamedSeconds ?? 1_800,
    idleSeconds: given.idleSeconds ?? 300,
    cacheKeyField: given.cacheKeyField ?? defaultCacheKeyField,
    userIdField: given.userIdField ?? defaultUserIdField,
    userId: given.userId,
    nonceHeader: isOwnHeader(given.nonceHeader ?? "") ? (given.nonceHeader ?? "") : "",
    extraHeaders: given.extraHeaders ?? {},
    extraBody: given.extraBody ?? {},
    responsesModels: given.responsesModels ?? [],
    stream: given.stream ?? "auto",
    namespaces: given.namespaces,
    patchTool: given.patchTool ?? "auto",
    streamUsage: given.streamUsage,
    trace: given.trace ?? "off",
    proxy: given.proxy ?? {},
    certificates: given.certificates ?? {},
  };
}
