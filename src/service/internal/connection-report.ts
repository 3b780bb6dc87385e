// The report of a connection check: what the interface leaves open, and what was found about it. Pure.
import { type Message, message } from "../../conversation/messages.ts";
import { maskedText } from "../../util/mask-secrets.ts";
import type { Capabilities } from "../capabilities.ts";
import type { Reply } from "../reply.ts";
import type { ConnectionReport, Finding, KeyCheck } from "../request.ts";
import type { Settings } from "../settings.ts";
import type { Call, ReplyObservation } from "./call.ts";
import {
  extraFields,
  type Feature,
  features,
  fieldAccepted,
  fieldRefused,
  formsInUse,
  historyFeature,
  optionalFields,
  usualForms,
} from "./dialect.ts";
import type { Framing } from "./stream-records.ts";

export interface Gap {
  readonly gap: Message;
  readonly byDefault: Message;
  /** Absent when nothing can be found out. */
  readonly learned?: Message;
  /** Names without a dot are members of `patchbay.service.profile`. */
  readonly change: readonly string[];
  /** What applies to this service now; absent when the default does. */
  readonly here?: (settings: Settings, found: Capabilities) => Message | undefined;
}

/**
 * The eighteen statements of the interface that end in "not shown": the default behaviour for each, how more is found
 * out, and how a person changes it. One table for the connection report and for test/interface.md.
 */
export const gaps: readonly Gap[] = [
  { gap: message("gapConstants"), byDefault: message("byConstants"), change: [] },
  {
    gap: message("gapItems"),
    byDefault: message("byItems"),
    learned: message("fromItems"),
    change: [],
  },
  {
    gap: message("gapTools"),
    byDefault: message("byTools"),
    learned: message("fromTools"),
    change: ["patchTool", "namespaces"],
    here: toolsHere,
  },
  {
    gap: message("gapTransitions"),
    byDefault: message("byTransitions"),
    learned: message("fromTransitions"),
    change: [],
  },
  {
    gap: message("gapIdentifiers"),
    byDefault: message("byIdentifiers"),
    learned: message("fromNames"),
    change: ["cacheKeyField", "userIdField"],
    here: identifiersHere,
  },
  { gap: message("gapResponsesStatus"), byDefault: message("byResponsesStatus"), change: [] },
  {
    gap: message("gapEstimateStatus"),
    byDefault: message("byEstimateStatus"),
    change: ["patchbay.estimate.mode"],
  },
  {
    gap: message("gapChatFields"),
    byDefault: message("byChatFields"),
    learned: message("fromNames"),
    change: ["streamUsage", "extraBody.chat"],
    here: (settings, { refused }) =>
      namesHere([optionalFields.streamUsage.name(settings), ...extraFields(settings, "chat")], refused),
  },
  {
    gap: message("gapNonce"),
    byDefault: message("byNonce"),
    change: ["patchbay.receipts.nonceHeader"],
    here: ({ nonceHeader }) => (nonceHeader === "" ? undefined : message("hereSent", { names: nonceHeader })),
  },
  { gap: message("gapSignature"), byDefault: message("bySignature"), change: [] },
  {
    gap: message("gapEvents"),
    byDefault: message("byEvents"),
    learned: message("fromEvents"),
    change: ["stream"],
    here: ({ stream }, { refused }) => (stream === "auto" ? namesHere(["stream"], refused) : undefined),
  },
  {
    gap: message("gapChunks"),
    byDefault: message("byChunks"),
    learned: message("fromChunks"),
    change: ["stream"],
  },
  {
    gap: message("gapErrorStatuses"),
    byDefault: message("byErrorStatuses"),
    learned: message("fromErrors"),
    change: [],
    here: (_, { values }) =>
      values.length === 0
        ? undefined
        : message("hereValues", { values: values.map(({ path, value }) => `${path}: ${value}`).join(", ") }),
  },
  { gap: message("gapErrorWords"), byDefault: message("byErrorWords"), change: [] },
  { gap: message("gapQuotaStatus"), byDefault: message("byQuotaStatus"), change: [] },
  { gap: message("gapRates"), byDefault: message("byRates"), learned: message("fromRates"), change: [] },
  {
    gap: message("gapWindow"),
    byDefault: message("byWindow"),
    learned: message("fromWindow"),
    change: ["patchbay.models"],
    here: (_, { windows = [] }) =>
      windows.length === 0
        ? undefined
        : message("hereWindows", { sizes: windows.map((each) => message("hereWindow", each)) }),
  },
  {
    gap: message("gapModels"),
    byDefault: message("byModels"),
    learned: message("fromModels"),
    change: ["patchbay.models"],
  },
];

function toolsHere(settings: Settings, found: Capabilities): Message | undefined {
  const isOff = settings.patchTool === "off";
  const { patch, namespaces } = formsInUse(settings, found);
  if (!isOff && patch === usualForms.patch && namespaces === usualForms.namespaces) return undefined;
  return message("hereTools", {
    patch: isOff ? message("herePatchOff") : features.patch.here[patch],
    namespaces: features.namespaces.here[namespaces],
  });
}

/** Renamed, switched off, or refused. */
function identifiersHere(settings: Settings, { refused }: Capabilities): Message | undefined {
  const identifiers = [optionalFields.cacheId, optionalFields.userId];
  const names = identifiers.map(({ name }) => name(settings)).filter((name) => name !== "");
  const omitted = namesHere(names, refused);
  const isRenamed = identifiers.some(({ name, assumed }) => name(settings) !== assumed);
  return omitted ?? (isRenamed ? message("hereSent", { names: names.join(", ") || "–" }) : undefined);
}

function namesHere(names: readonly string[], refused: readonly string[]): Message | undefined {
  const omitted = names.filter((name) => refused.includes(name));
  return omitted.length === 0 ? undefined : message("hereOmitted", { names: omitted.join(", ") });
}

/** The same for every report. */
export const inUse = (
  { settings, mask }: Pick<Call, "settings" | "mask">,
  found: Capabilities,
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
    // Their values may be credentials.
    extraHeaders: Object.fromEntries(
      Object.keys(settings.extraHeaders).map((name) => [name, maskedText] as const),
    ),
    extraBody,
    timeouts: { connectSeconds, firstByteSeconds, unstreamedSeconds, idleSeconds },
  };
}

/** The replies to the check's requests. */
interface Probed {
  readonly settings: Settings;
  readonly key: KeyCheck;
  readonly response: Reply;
  /** Absent when the service has none of the chat models that were tried. */
  readonly chatted: Reply | undefined;
  readonly found: Capabilities;
  readonly seen: readonly ReplyObservation[];
}

/** Describes the results of the connection check: one finding per question that the interface leaves open. */
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

/** `replied`: another operation was answered, so service and key work even if the count failed. */
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

function streaming(name: Message, { status, problem }: Reply, seen: ReplyObservation | undefined): Finding {
  if (problem !== undefined || seen === undefined) {
    return finding(name, "no", problem?.message ?? message("foundUnread"));
  }
  // A single line is a document too.
  const framing = seen.framing === "lines" && seen.records === 1 ? "document" : seen.framing;
  return finding(name, "yes", message(framings[framing], { status, names: seen.vocabulary }));
}

const unread = message("foundUnread");

function fieldFindings({ settings, response, found }: Probed): Finding[] {
  const { cacheId, userId, lifetime } = optionalFields;
  return [cacheId, userId, lifetime].map(({ label, name, isUsed }) => {
    const key = name(settings);
    if (!isUsed(settings)) return finding(label, "unknown", message("foundUnsent"));
    if (found.refused.includes(key)) return finding(label, "no", fieldRefused(key));
    if (response.problem !== undefined) return finding(label, "unknown", unread);
    return finding(label, "yes", fieldAccepted(key));
  });
}

/** The check sends the two tools. How the history is accepted is known only if a conversation has found it out. */
function shapeFindings({ response, found }: Probed): Finding[] {
  const shape = (name: "patch" | "namespaces"): Finding => {
    const { label, found: told }: Feature<string> = features[name];
    const form = found[name];
    const detail = told[form] ?? unread;
    if (form !== usualForms[name]) return finding(label, "no", detail);
    return response.problem === undefined ? finding(label, "yes", detail) : finding(label, "unknown", unread);
  };
  const { history } = found;
  return [
    shape("patch"),
    shape("namespaces"),
    ...(history === "whole" ? [] : [finding(historyFeature.label, "no", historyFeature.found[history])]),
  ];
}

function signing(nonceHeader: string, signed: boolean): Finding {
  const name = message("checkSigned");
  if (nonceHeader === "") return finding(name, "unknown", message("foundNoNonce"));
  return signed
    ? finding(name, "yes", message("foundReceipts"))
    : finding(name, "no", message("foundNoAnswer", { name: nonceHeader }));
}

const seenAt = ({ seen }: Probed, path: string): ReplyObservation | undefined =>
  seen.find((one) => one.path === path);
const lastSeenAt = ({ seen }: Probed, path: string): ReplyObservation | undefined =>
  seen.findLast((one) => one.path === path);
const finding = (name: Message, state: Finding["state"], detail: Message): Finding => ({
  name,
  state,
  detail,
});
