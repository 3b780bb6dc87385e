// What can be set about the service, and what holds when nothing is: timers, names of fields the interface leaves
// open, the way through the network; and `patchbay.service.profile`, read field by field, for what the interface is silent
// about. One object, read at the start of each operation.
import type { NamespaceShape } from "./capabilities.ts";
import type { CertificateSettings } from "./certificates.ts";
import type { ProxySettings } from "./proxy.ts";
import type { TraceLevel } from "./trace.ts";
import { defaultCacheKeyField, defaultUserIdField } from "./undocumented-names.ts";

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

/** What may stay without a value. */
type Open = "userId" | "namespaces" | "streamUsage";

/** Each of them, with what holds where nothing is set. */
export type Settings = Required<Omit<ClientSettings, Open>> & {
  readonly [Name in Open]: ClientSettings[Name] | undefined;
};

/** Those that reach a body. */
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

/** `auto`: as an origin was found to take it; `on` and `off` hold whatever was found. */
export type StreamSetting = "auto" | "on" | "off";

const patchTools = ["custom-grammar", "custom-text", "function", "off"] as const;
/** Whatever the service was found to take, or one of these whatever was found. */
export type PatchTool = "auto" | (typeof patchTools)[number];

export type Fields = Readonly<Record<string, unknown>>;

export interface ProfileSettings {
  readonly stream?: StreamSetting;
  /** Names of request fields that the interface does not show; empty: not sent. */
  readonly cacheKeyField?: string;
  readonly userIdField?: string;
  /** Absent: as an origin was found to take them. */
  readonly namespaces?: NamespaceShape;
  readonly patchTool?: PatchTool;
  /** Whether usage is asked for in a chat's stream; absent: unless an origin refused it. */
  readonly streamUsage?: boolean;
  readonly extraHeaders?: Readonly<Record<string, string>>;
  /** Sent as they are, by route. */
  readonly extraBody?: { readonly responses?: Fields; readonly chat?: Fields };
  readonly connectSeconds?: number;
  /** From the request to the first byte of its reply, where it is streamed. */
  readonly firstByteSeconds?: number;
  /** The same, where a reply comes whole: all of it is generated first. */
  readonly unstreamedSeconds?: number;
  /** Between two bytes; a comment counts too. There is no limit on the whole. */
  readonly idleSeconds?: number;
}

export interface ReadProfile {
  readonly settings: ProfileSettings;
  /** Paths of what is there and cannot be used. */
  readonly unusable: readonly string[];
}

const timeouts = ["connectSeconds", "firstByteSeconds", "unstreamedSeconds", "idleSeconds"] as const;
/** A day; beyond some weeks a timer fires at once. */
export const maxSeconds = 86_400;

/** A name of the user's choosing for a field: a plain one, and none that the interface gives a meaning. */
export function isOwnField(name: string): boolean {
  const taken =
    /^(model|input|instructions|stream|max_output_tokens|reasoning|text|tools|tool_choice|include|prompt_cache_options|prompt_cache_breakpoint|previous_response_id|store|background|conversation|metadata|service_tier|temperature|top_p|parallel_tool_calls)$/;
  return /^[A-Za-z_][\w-]{0,63}$/.test(name) && name !== "__proto__" && !taken.test(name);
}

/** On chat the interface shows these; what asks for several answers would be paid for several times. */
const isChatField = (name: string): boolean =>
  /^[A-Za-z_][\w-]{0,63}$/.test(name) &&
  !/^(model|messages|stream|stream_options|n|prompt_cache_breakpoint|__proto__)$/.test(name);

const isResponsesField = (name: string): boolean =>
  name === "reasoning" || name === "text" || isOwnField(name);

/** RFC 9110 token, and none of the headers that steer a request. */
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
  /** Each member by its own rule; the others of them stay. */
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

/** The effort is its own setting, and each conversation's. */
const fitsReasoning = (name: string, member: unknown): boolean =>
  name !== "reasoning" || (isPlain(member) && !("effort" in member));

const isHeaderText = (text: unknown): boolean =>
  typeof text === "string" && /^[\x20-\x7e]{1,4096}$/.test(text) && text.trim() === text;

const isPlain = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
