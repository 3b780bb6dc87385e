// The eighteen statements of the interface that end in "not shown": what is done about each, how more is learned, and how a
// person changes it. One table for the connection report and for test/interface.md. Pure.

import { type Message, message } from "../messages/message.ts";
import type { Found } from "./capabilities.ts";
import { patchShape } from "./request-shapes.ts";
import type { Settings } from "./settings.ts";
import { defaultCacheKeyField, defaultUserIdField } from "./undocumented-names.ts";

export interface Gap {
  readonly gap: Message;
  readonly byDefault: Message;
  /** Absent: nothing can be. */
  readonly learned?: Message;
  /** Names without a dot are members of `patchbay.service.profile`. */
  readonly change: readonly string[];
  /** What holds with this service now; absent: what holds by default. */
  readonly here?: (settings: Settings, found: Found) => Message | undefined;
}

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
    here: ({ extraBody: { chat = {} } }, { refused }) =>
      namesHere(["stream_options", ...Object.keys(chat)], refused),
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

const patchHere = {
  grammar: "herePatchGrammar",
  text: "herePatchText",
  function: "herePatchFunction",
} as const;

function toolsHere(settings: Settings, found: Found): Message | undefined {
  const isOff = settings.patchTool === "off";
  const patch = patchShape(settings.patchTool, found.patch);
  const namespaces = settings.namespaces ?? found.namespaces;
  if (!isOff && patch === "grammar" && namespaces === "namespace") return undefined;
  return message("hereTools", {
    patch: message(isOff ? "herePatchOff" : patchHere[patch]),
    namespaces: message(namespaces === "flat" ? "hereFlat" : "hereNamespaces"),
  });
}

/** Renamed, switched off, or refused. */
function identifiersHere({ cacheKeyField, userIdField }: Settings, { refused }: Found): Message | undefined {
  const names = [cacheKeyField, userIdField].filter((name) => name !== "");
  const omitted = namesHere(names, refused);
  const isRenamed = cacheKeyField !== defaultCacheKeyField || userIdField !== defaultUserIdField;
  return omitted ?? (isRenamed ? message("hereSent", { names: names.join(", ") || "–" }) : undefined);
}

function namesHere(names: readonly string[], refused: readonly string[]): Message | undefined {
  const omitted = names.filter((name) => refused.includes(name));
  return omitted.length === 0 ? undefined : message("hereOmitted", { names: omitted.join(", ") });
}
