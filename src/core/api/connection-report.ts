// What the connection check found, in sentences: one finding per question that the interface leaves open. Pure.

import type { Problem } from "../conversation/problem.ts";
import { type Message, message } from "../messages/message.ts";
import { maskedText } from "../util/mask.ts";
import type { Call, Seen } from "./call.ts";
import { type Found, nothingFound } from "./capabilities.ts";
import { type Gap, gaps } from "./interface-gaps.ts";
import type { Framing } from "./record-reader.ts";
import type { Receipt, Reply } from "./reply.ts";
import type { Settings } from "./settings.ts";

export type KeyCheck = { readonly receipt?: Receipt } & (
  | { readonly ok: true; readonly model: string; readonly tokens: number; readonly milliseconds: number }
  | { readonly ok: false; readonly problem: Problem }
);

export interface Finding {
  readonly name: Message;
  readonly state: "yes" | "no" | "unknown";
  readonly detail: Message;
}

export interface ConnectionReport {
  readonly findings: readonly Finding[];
  readonly requests: number;
  /** How long the token count took. */
  readonly milliseconds?: number;
  /** What is left out or changed from now on. */
  readonly found: Found;
  /** What is done where the interface is silent, and what of it holds here. */
  readonly gaps: readonly GapHere[];
  /** How the service is spoken to, by the names of `patchbay.service.profile`. Holds no value of a header. */
  readonly profile: string;
  readonly problem?: Problem;
}

export interface GapHere extends Pick<Gap, "gap" | "byDefault" | "learned" | "change"> {
  readonly here?: Message | undefined;
}

/** The same for every report. */
export const inUse = (
  { settings, mask }: Pick<Call, "settings" | "mask">,
  found: Found,
): Pick<ConnectionReport, "gaps" | "profile"> => ({
  gaps: gaps.map(({ here, ...gap }) => ({ ...gap, here: here?.(settings, found) })),
  profile: mask(JSON.stringify(profileInUse(settings), undefined, 2)),
});

function profileInUse(settings: Settings): object {
  const { stream, cacheKeyField, userIdField, namespaces, patchTool, streamUsage, extraBody } = settings;
  const { connectSeconds, firstByteSeconds, unstreamedSeconds, idleSeconds } = settings;
  return {
    stream,
    cacheKeyField,
    userIdField,
    namespaces: namespaces === undefined ? "auto" : namespaces === "flat" ? "flatten" : namespaces,
    patchTool,
    streamUsage: streamUsage ?? "auto",
    // Their values may open something.
    extraHeaders: Object.fromEntries(
      Object.keys(settings.extraHeaders).map((name) => [name, maskedText] as const),
    ),
    extraBody,
    timeouts: { connectSeconds, firstByteSeconds, unstreamedSeconds, idleSeconds },
  };
}

/** What was asked, and what came of it. */
export interface Probed {
  readonly settings: Settings;
  readonly key: KeyCheck;
  readonly response: Reply;
  /** Absent: the service has none of the chat models that were tried. */
  readonly chatted: Reply | undefined;
  readonly found: Found;
  readonly seen: readonly Seen[];
}

export function findingsOf(probed: Probed): Finding[] {
  const { key, response, chatted } = probed;
  const replied = response.problem === undefined || (chatted !== undefined && chatted.problem === undefined);
  const signed = probed.seen.some((one) => one.header("svc-request-signature") !== undefined);
  return [
    ...keyFindings(key, replied),
    streaming(message("checkResponses"), response, seenAt(probed, "/responses")),
    chatted === undefined
      ? finding(message("checkChat"), "unknown", message("foundNoChatModel"))
      : streaming(message("checkChat"), chatted, lastSeenAt(probed, "/chat/completions")),
    ...fieldFindings(probed),
    ...shapeFindings(probed),
    signing(probed.settings.nonceHeader, signed),
  ];
}

/** `replied`: another operation was answered, so that service and key are there whatever became of the count. */
export function keyFindings(key: KeyCheck, replied: boolean): Finding[] {
  if (key.ok) {
    return [
      finding(message("checkReachable"), "yes", message("foundTime", { count: key.milliseconds })),
      finding(message("checkKey"), "yes", message("foundKey")),
      finding(message("checkEstimate"), "yes", message("foundTokens", { count: key.tokens })),
    ];
  }
  const { kind, message: why, status } = key.problem;
  const estimate = finding(message("checkEstimate"), "no", why);
  if (replied) {
    const detail = message("foundReply");
    return [
      finding(message("checkReachable"), "yes", detail),
      finding(message("checkKey"), "yes", detail),
      estimate,
    ];
  }
  return [
    finding(message("checkReachable"), status === undefined ? "no" : "yes", why),
    finding(message("checkKey"), kind === "auth" ? "no" : "unknown", why),
    estimate,
  ];
}

const framings = {
  sse: "foundStream",
  lines: "foundLines",
  document: "foundDocument",
  html: "foundPage",
  unknown: "foundNoForm",
} as const satisfies Record<Framing, string>;

function streaming(name: Message, { status, problem }: Reply, seen: Seen | undefined): Finding {
  if (problem !== undefined || seen === undefined) {
    return finding(name, "no", problem?.message ?? message("foundUnread"));
  }
  // One line is a document too.
  const framing = seen.framing === "lines" && seen.records === 1 ? "document" : seen.framing;
  return finding(name, "yes", message(framings[framing], { status, names: seen.vocabulary }));
}

const unread = message("foundUnread");

function fieldFindings({ settings, response, found }: Probed): Finding[] {
  const field = (name: Message, key: string, isSent = true): Finding => {
    if (key === "" || !isSent) return finding(name, "unknown", message("foundUnsent"));
    if (found.refused.includes(key)) return finding(name, "no", message("foundRefused", { name: key }));
    if (response.problem !== undefined) return finding(name, "unknown", unread);
    return finding(name, "yes", message("foundTaken", { name: key }));
  };
  return [
    field(message("checkCacheId"), settings.cacheKeyField),
    field(message("checkUserId"), settings.userIdField, settings.userId !== undefined),
    field(message("checkLifetime"), "prompt_cache_options"),
  ];
}

function shapeFindings({ response, found }: Probed): Finding[] {
  const shape = (name: Message, isBest: boolean, worse: Message): Finding => {
    if (!isBest) return finding(name, "no", worse);
    return response.problem === undefined
      ? finding(name, "yes", message("foundAccepted"))
      : finding(name, "unknown", unread);
  };
  const plainer = found.patch === "text" ? message("foundPlainPatch") : message("foundFunction");
  const isFlat = found.namespaces !== nothingFound.namespaces;
  return [
    shape(message("checkPatch"), found.patch === nothingFound.patch, plainer),
    shape(message("checkNamespaces"), !isFlat, message("foundFlat")),
    ...historyFindings(found),
  ];
}

/** Nothing is asked about it here: it is known only where a conversation has found it out. */
function historyFindings({ history }: Found): Finding[] {
  const name = message("checkHistory");
  switch (history) {
    case "whole":
      return [];
    case "no-search":
      return [finding(name, "no", message("foundNoSearches"))];
    case "plain":
      return [finding(name, "no", message("foundRetold"))];
    default:
      return history satisfies never;
  }
}

function signing(nonceHeader: string, signed: boolean): Finding {
  const name = message("checkSigned");
  if (nonceHeader === "") return finding(name, "unknown", message("foundNoNonce"));
  return signed
    ? finding(name, "yes", message("foundReceipts"))
    : finding(name, "no", message("foundNoAnswer", { name: nonceHeader }));
}

const seenAt = ({ seen }: Probed, path: string): Seen | undefined => seen.find((one) => one.path === path);
const lastSeenAt = ({ seen }: Probed, path: string): Seen | undefined =>
  seen.findLast((one) => one.path === path);
const finding = (name: Message, state: Finding["state"], detail: Message): Finding => ({
  name,
  state,
  detail,
});
