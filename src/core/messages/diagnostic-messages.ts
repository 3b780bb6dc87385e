// What the connection check, the inspector, the price table and a receipt say. The editor alone shows these, and the page
// does without them.

import { gaps } from "./gap-messages.ts";

/** What the connection check will do, and what it found: one message per question that the interface leaves open. */
const checks = {
  checkCount: "One token count of the word “ping”: is the service there, and is the key accepted?",
  checkShort: "One short reply on {model}: how does it stream?",
  checkTools:
    "One response of at most 64 tokens on {model}, with two test tools and every optional field. Refused fields are removed, and the request is sent again.",
  detectBase:
    "One response of at most {tokens} tokens on {model}, and one on {chat}, with basic fields only.",
  detectEach: "One more for each optional feature, and one for a simpler form where it's refused: {names}.",
  checkReachable: "Reachable",
  checkKey: "Key accepted",
  checkEstimate: "Token estimate",
  checkResponses: "Responses",
  checkChat: "Chat completions",
  checkCacheId: "Cache identifier",
  checkUserId: "User identifier",
  checkLifetime: "Cache lifetime",
  checkPatch: "Patch tool",
  checkNamespaces: "Tool namespaces",
  checkResults: "Results of the patch tool",
  checkOthers: "Messages of other models",
  checkStreamUsage: "Usage of chat streams",
  checkHistory: "Its own earlier items",
  checkSigned: "Signed replies",
  foundTime: "The token count took {count} ms.",
  foundKey: "The key was accepted.",
  foundTokens: "“ping” has {count} tokens.",
  foundReply: "A reply was given.",
  foundNoChatModel: "None of the chat models that were tried is offered here.",
  foundUnread: "No reply was read.",
  foundStream: "The reply ended {status}; it came as an event stream ({names}).",
  foundLines: "The reply ended {status}; it came as JSON lines ({names}).",
  foundDocument: "The reply ended {status}; it came as one document ({names}).",
  foundPage: "The reply ended {status}; it came as a page ({names}).",
  foundNoForm: "The reply ended {status}; it came as nothing that is known ({names}).",
  foundUnsent: "It is not sent.",
  foundAccepted: "It is accepted.",
  foundRefused: "“{name}” is omitted.",
  foundTaken: "“{name}” is accepted.",
  foundPlainPatch: "It is sent without its grammar.",
  foundFunction: "It is sent as a function.",
  foundFunctionResults: "They are sent as results of a function.",
  foundRecap: "They are sent as a summary.",
  foundBasic: "Basic fields are accepted.",
  foundFlat: "Tools are sent as single functions.",
  foundNoSearches: "Its own searches are omitted from requests.",
  foundRetold: "Its responses are sent as a summary, without reasoning and searches.",
  foundNoNonce: "No nonce header is set.",
  foundReceipts: "Receipts are recorded; how to verify them is not published.",
  foundNoAnswer: "The service ignored the header {name}.",
} as const;

/** What is wrong with an edited request or with the price table, and what a receipt proves. */
const requests = {
  requestNoObject: "This is not a JSON object.",
  requestNoModel: "The request names no model.",
  requestField: "The field {name} is not one that Patchbay sends.",
  requestFixed: "The field {name} can hold only what the settings allow.",
  requestInclude: "The field include cannot hold {value}.",
  requestModel: "The Responses operation supports only {model}, not {other}.",
  requestNoInput: "The field input is missing.",
  requestMessages: "The field messages must be a list of messages with a role and content.",
  priceTable:
    "The price table cannot be used: it needs a currency or five rates per million tokens, none below 0.",
  priceTableAt:
    "The price table cannot be used: “{where}” needs a currency or five rates per million tokens, none below 0.",
  receiptUnverified: "recorded, not verified: the verification procedure is not published",
} as const;

export const diagnostics = { ...checks, ...requests, ...gaps } as const;
