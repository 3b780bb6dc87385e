// What the interface leaves open, in a sentence each: the gap, what is done about it, and how more is learned. The editor's
// report and test/interface.md say the same.

const open = {
  gapConstants: "Which two response fields are always false, which always null",
  gapItems: "Fields of the message item and of the custom call's item",
  gapTools: "Fields of the tools `custom` and `namespace`",
  gapTransitions: "Other transitions between statuses",
  gapIdentifiers: "Names of the two identifiers, and what is required",
  gapResponsesStatus: "Success status of Responses",
  gapEstimateStatus: "Success status of the estimate",
  gapChatFields: "Other fields of chat completions",
  gapNonce: "Name of the nonce's header",
  gapSignature: "How a signature is verified",
  gapEvents: "Names and payloads of the events",
  gapChunks: "Framing and end marker of chat chunks",
  gapErrorStatuses: "Other error statuses",
  gapErrorWords: "Values of `type` and `code`",
  gapQuotaStatus: "Status of an upload above the quota",
  gapRates: "Rate limits",
  gapWindow: "Size of the input and of the context window",
  gapModels: "Deprecation of models",
} as const;

const defaults = {
  byConstants: "none of them is read or sent",
  byItems: "`content` of `output_text` parts; `call_id`, `name`, `input`",
  byTools: "a name, a description and a grammar; a name, a description and functions",
  byTransitions: "`in_progress` becomes one of the three others, once",
  byIdentifiers: "`prompt_cache_key`, `safety_identifier`; `model` and `input` always",
  byResponsesStatus: "every 2xx",
  byEstimateStatus: "every status, if the body has a count and no error",
  byChatFields: "`stream_options.include_usage` with a stream",
  byNonce: "not sent",
  bySignature: "recorded, never called verified",
  byEvents: "those of the de-facto standard and of its dialects",
  byChunks: "server-sent events and `[DONE]`; without it, an end after a `finish_reason`",
  byErrorStatuses: "by their class in HTTP",
  byErrorWords: "a few known words keep a request from being repeated in vain",
  byQuotaStatus: "nothing is uploaded",
  byRates: "at most three requests, as `Retry-After` says; nothing that may have been generated twice",
  byWindow: "none is assumed",
  byModels: "a model that isn't there is told",
} as const;

const learned = {
  fromItems: "every item is kept as it came; unknown parts are passed over",
  fromTools: "a refusal that names them; one without a reason: as functions",
  fromTransitions: "an unknown status has failed, and is told",
  fromNames: "a refusal that names them; one without a reason: omitted",
  fromEvents: "unknown events are passed over, the last snapshot counts",
  fromChunks: "by the first bytes: lines, events, a document, a page",
  fromErrors: "a 400 or 422 teaches",
  fromRates: "the headers of a refusal",
  fromWindow: "a refusal that is about the size",
  fromModels: "a 404",
} as const;

/** What of it holds for the service that was checked. */
const here = {
  hereTools: "patch tool: {patch}; namespaces: {namespaces}",
  herePatchGrammar: "with its grammar",
  herePatchText: "without its grammar",
  herePatchFunction: "as a function",
  herePatchOff: "off",
  hereNamespaces: "as they are",
  hereFlat: "as single functions",
  hereOmitted: "omitted: {names}",
  hereSent: "sent: {names}",
  hereValues: "not sent again: {values}",
  hereWindows: "{sizes}",
  hereWindow: "{model}: {tokens} tokens",
} as const;

export const gaps = { ...open, ...defaults, ...learned, ...here } as const;
