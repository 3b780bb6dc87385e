// The settings of the service and their defaults: timers, names of fields that the interface leaves open, the network;
// and `patchbay.service.profile`, validated field by field, for what the interface does not specify. One object, read
// at the start of each operation.

import type { ClientRequest, RequestOptions } from "node:http";
import type { NamespaceShape } from "./capabilities.ts";
import type { ProxySettings } from "./internal/proxy.ts";
import type { CertificateSettings } from "./internal/trusted-authorities.ts";
import { defaultCacheKeyField, defaultUserIdField } from "./request.ts";

export interface ClientSettings extends ProfileSettings {
  /** The hashed identifier itself; without it the field is not sent. */
  readonly userId?: string;
  /** The header that asks for a signed reply; the interface does not show its name. Empty: not sent. */
  readonly nonceHeader?: string;
  /** Further models to be used by Responses, besides the one that the interface names. */
  readonly responsesModels?: readonly string[];
  /** How much of requests and replies is logged, without secrets. */
  readonly trace?: TraceLevel;
  readonly proxy?: ProxySettings;
  readonly certificates?: CertificateSettings;
}

/** Settings that may be undefined. */
type Open = "userId" | "namespaces" | "streamUsage";

/** All settings with their defaults. */
export type Settings = Required<Omit<ClientSettings, Open>> & {
  readonly [Name in Open]: ClientSettings[Name] | undefined;
};

/** The settings that affect a body. */
export type BodySettings = Pick<
  Settings,
  Open | "stream" | "patchTool" | "cacheKeyField" | "userIdField" | "extraBody" | "responsesModels"
>;

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

/** `auto`: as the origin was found to accept it; `on` and `off` apply regardless. */
type StreamSetting = "auto" | "on" | "off";

const patchTools = ["custom-grammar", "custom-text", "function", "off"] as const;
/** `auto`: as the service was found to accept it; the others apply regardless. */
export type PatchTool = "auto" | (typeof patchTools)[number];

export type Fields = Readonly<Record<string, unknown>>;

export interface ProfileSettings {
  readonly stream?: StreamSetting;
  /** Names of request fields that the interface does not show; empty: not sent. */
  readonly cacheKeyField?: string;
  readonly userIdField?: string;
  /** Absent: as the origin was found to accept them. */
  readonly namespaces?: NamespaceShape;
  readonly patchTool?: PatchTool;
  /** Whether usage is requested in a chat stream; absent: unless an origin refused it. */
  readonly streamUsage?: boolean;
  readonly extraHeaders?: Readonly<Record<string, string>>;
  /** Extra fields by route, sent unchanged. */
  readonly extraBody?: { readonly responses?: Fields; readonly chat?: Fields };
  readonly connectSeconds?: number;
  /** From the request to the first byte of a streamed reply. */
  readonly firstByteSeconds?: number;
  /** The same for an unstreamed reply, which is generated completely first. */
  readonly unstreamedSeconds?: number;
  /** Between two bytes, including comments. The total time is not limited. */
  readonly idleSeconds?: number;
}

interface ReadProfile {
  readonly settings: ProfileSettings;
  /** Paths of members that are present but invalid. */
  readonly unusable: readonly string[];
}

const timeouts = ["connectSeconds", "firstByteSeconds", "unstreamedSeconds", "idleSeconds"] as const;
/** One day; timers longer than a few weeks would fire immediately. */
const maxSeconds = 86_400;

/** Whether a custom field name is plain and not one that the interface defines. */
export function isOwnField(name: string): boolean {
  const taken =
    /^(model|input|instructions|stream|max_output_tokens|reasoning|text|tools|tool_choice|include|prompt_cache_options|prompt_cache_breakpoint|previous_response_id|store|background|conversation|metadata|service_tier|temperature|top_p|parallel_tool_calls)$/;
  return /^[A-Za-z_][\w-]{0,63}$/.test(name) && name !== "__proto__" && !taken.test(name);
}

/** Excludes fields that the interface shows on chat, and `n`, because each of several answers would be billed. */
const isChatField = (name: string): boolean =>
  /^[A-Za-z_][\w-]{0,63}$/.test(name) &&
  !/^(model|messages|stream|stream_options|n|prompt_cache_breakpoint|__proto__)$/.test(name);

const isResponsesField = (name: string): boolean =>
  name === "reasoning" || name === "text" || isOwnField(name);

/** Whether a custom header is an RFC 9110 token and does not control the request. */
export function isOwnHeader(name: string): boolean {
  const taken =
    /^(authorization|proxy-.*|content-.*|accept.*|host|cookie|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|user-agent|origin|referer|via|forwarded|x-forwarded-.*)$/i;
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/.test(name) && !taken.test(name);
}

type Reader<T> = (value: unknown, path: string) => T | undefined;

export function readProfile(value: unknown): ReadProfile {
  if (value !== undefined && value !== null && !isPlain(value))
    return { settings: {}, unusable: ["profile"] };
  const unusable: string[] = [];
  const no = (path: string): undefined => void unusable.push(path);
  const oneOf =
    <T>(allowed: readonly T[]): Reader<T> =>
    (given, path) =>
      allowed.find((each) => each === given) ?? no(path);
  const field: Reader<string> = (given, path) =>
    typeof given === "string" && (given === "" || isOwnField(given)) ? given : no(path);
  const seconds: Reader<number> = (given, path) =>
    Number.isInteger(given) && Number(given) > 0 && Number(given) <= maxSeconds ? Number(given) : no(path);
  /** Validates each member separately; invalid ones do not affect the others. */
  const members =
    <T>(fits: (name: string, member: unknown) => boolean): Reader<Readonly<Record<string, T>>> =>
    (given, path) => {
      if (!isPlain(given)) return no(path);
      const kept = Object.entries(given).filter(
        ([name, member]) => fits(name, member) || no(`${path}.${name}`) !== undefined,
      );
      return Object.fromEntries(kept) as Readonly<Record<string, T>>;
    };
  const inside =
    (readers: Readonly<Record<string, Reader<unknown>>>): Reader<Fields> =>
    (given, path) => {
      if (!isPlain(given)) return no(path);
      const at = (name: string) => (path === "" ? name : `${path}.${name}`);
      const read = Object.entries(given).flatMap(([name, member]) => {
        const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
        const value = (reader ?? ((_, where) => no(where)))(member, at(name));
        return value === undefined ? [] : [[name, value] as const];
      });
      return Object.fromEntries(read);
    };
  const { timeouts: times, ...others } = inside({
    stream: oneOf(["auto", "on", "off"]),
    cacheKeyField: field,
    userIdField: field,
    namespaces: oneOf(["namespace", "flatten"]),
    patchTool: oneOf(patchTools),
    streamUsage: oneOf([true, false]),
    extraHeaders: members<string>((name, text) => isOwnHeader(name) && isHeaderText(text)),
    extraBody: inside({
      responses: members((name, member) => isResponsesField(name) && fitsReasoning(name, member)),
      chat: members((name) => isChatField(name)),
    }),
    timeouts: inside(Object.fromEntries(timeouts.map((name) => [name, seconds]))),
  })(value ?? {}, "") as ProfileSettings & { timeouts?: Fields; namespaces?: unknown };
  const { namespaces, ...plain } = others;
  const settings = {
    ...plain,
    ...(namespaces !== undefined && { namespaces: shapes[namespaces as keyof typeof shapes] }),
    ...times,
  };
  return { settings, unusable };
}

const shapes = { namespace: "namespace", flatten: "flat" } as const;

/** The effort has a setting of its own, and one per conversation. */
const fitsReasoning = (name: string, member: unknown): boolean =>
  name !== "reasoning" || (isPlain(member) && !("effort" in member));

const isHeaderText = (text: unknown): boolean =>
  typeof text === "string" && /^[\x20-\x7e]{1,4096}$/.test(text) && text.trim() === text;

const isPlain = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export interface EditorNetwork {
  /** The system's proxy for this URL, for example from a PAC file; `undefined` for none. */
  proxyFor(url: string): Promise<string | undefined>;
  /** `https.request` as the editor provides it to extensions. */
  request(options: RequestOptions): ClientRequest;
}

export type TraceLevel = "off" | "headers" | "bodies";
