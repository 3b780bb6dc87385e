// Sentences that only the editor shows, so they are not part of the page: what the interface leaves open, and texts of
// the connection check, the inspector, the price table and receipts.
import { englishOf } from "../../util/sentences.ts";

// What the interface leaves open, in one sentence each: the gap, how it is handled, and how to find out more. The
// editor's report and test/interface.md say the same.

const open = englishOf({
  gapConstants: {
    en: "Which two response fields are always false, which always null",
    zh: "哪两个响应字段始终为 false，哪两个始终为 null",
  },
  gapItems: {
    en: "Fields of the message item and of the custom call's item",
    zh: "消息项和自定义调用项的字段",
  },
  gapTools: { en: "Fields of the tools `custom` and `namespace`", zh: "工具 `custom` 和 `namespace` 的字段" },
  gapTransitions: { en: "Other transitions between statuses", zh: "状态之间的其他转换" },
  gapIdentifiers: {
    en: "Names of the two identifiers, and what is required",
    zh: "两个标识符的名称，以及哪些字段必填",
  },
  gapResponsesStatus: { en: "Success status of Responses", zh: "Responses 的成功状态码" },
  gapEstimateStatus: { en: "Success status of the estimate", zh: "估算的成功状态码" },
  gapChatFields: { en: "Other fields of chat completions", zh: "聊天补全的其他字段" },
  gapNonce: { en: "Name of the nonce's header", zh: "nonce 标头的名称" },
  gapSignature: { en: "How a signature is verified", zh: "如何验证签名" },
  gapEvents: { en: "Names and payloads of the events", zh: "事件的名称和内容" },
  gapChunks: { en: "Framing and end marker of chat chunks", zh: "聊天数据块的分帧和结束标记" },
  gapErrorStatuses: { en: "Other error statuses", zh: "其他错误状态码" },
  gapErrorWords: { en: "Values of `type` and `code`", zh: "`type` 和 `code` 的取值" },
  gapQuotaStatus: { en: "Status of an upload above the quota", zh: "上传超出配额时的状态码" },
  gapRates: { en: "Rate limits", zh: "速率限制" },
  gapWindow: { en: "Size of the input and of the context window", zh: "输入和上下文窗口的大小" },
  gapModels: { en: "Deprecation of models", zh: "模型的弃用" },
});

const defaults = englishOf({
  byConstants: { en: "none of them is read or sent", zh: "均不读取，也不发送" },
  byItems: {
    en: "`content` of `output_text` parts; `call_id`, `name`, `input`",
    zh: "`output_text` 部分的 `content`；`call_id`、`name`、`input`",
  },
  byTools: {
    en: "a name, a description and a grammar; a name, a description and functions",
    zh: "名称、说明和语法；名称、说明和函数",
  },
  byTransitions: {
    en: "`in_progress` becomes one of the three others, once",
    zh: "`in_progress` 只会变为其他三种状态之一，且仅一次",
  },
  byIdentifiers: {
    en: "`prompt_cache_key`, `safety_identifier`; `model` and `input` always",
    zh: "`prompt_cache_key`、`safety_identifier`；始终发送 `model` 和 `input`",
  },
  byResponsesStatus: { en: "every 2xx", zh: "任何 2xx" },
  byEstimateStatus: {
    en: "every status, if the body has a count and no error",
    zh: "任何状态码，只要正文含计数且无错误",
  },
  byChatFields: {
    en: "`stream_options.include_usage` with a stream",
    zh: "流式请求附带 `stream_options.include_usage`",
  },
  byNonce: { en: "not sent", zh: "不发送" },
  bySignature: { en: "recorded, never called verified", zh: "只记录，从不称为已验证" },
  byEvents: { en: "those of the de-facto standard and of its dialects", zh: "事实标准及其变体所用的" },
  byChunks: {
    en: "server-sent events and `[DONE]`; without it, an end after a `finish_reason`",
    zh: "服务器发送事件和 `[DONE]`；若无此标记，则以 `finish_reason` 之后的结束为准",
  },
  byErrorStatuses: { en: "by their class in HTTP", zh: "按其 HTTP 类别处理" },
  byErrorWords: {
    en: "a few known words keep a request from being repeated in vain",
    zh: "少数已知的词可避免徒劳地重复请求",
  },
  byQuotaStatus: { en: "nothing is uploaded", zh: "不上传任何内容" },
  byRates: {
    en: "at most three requests, as `Retry-After` says; nothing that may have been generated twice",
    zh: "最多请求三次，遵循 `Retry-After`；可能已生成的内容不会再次请求",
  },
  byWindow: { en: "none is assumed", zh: "不作假设" },
  byModels: { en: "a model that isn't there is told", zh: "模型不存在时会告知" },
});

const learned = englishOf({
  fromItems: {
    en: "every item is kept as it came; unknown parts are passed over",
    zh: "每一项按原样保留；跳过未知部分",
  },
  fromTools: {
    en: "a refusal that names them; one without a reason: as functions",
    zh: "拒绝信息指明了它们；未说明原因时：改为函数",
  },
  fromTransitions: { en: "an unknown status has failed, and is told", zh: "未知状态视为失败，并告知" },
  fromNames: {
    en: "a refusal that names them; one without a reason: omitted",
    zh: "拒绝信息指明了它们；未说明原因时：省略",
  },
  fromEvents: {
    en: "unknown events are passed over, the last snapshot counts",
    zh: "跳过未知事件，以最后的快照为准",
  },
  fromChunks: {
    en: "by the first bytes: lines, events, a document, a page",
    zh: "根据开头的字节：行、事件、文档或网页",
  },
  fromErrors: { en: "a 400 or 422 teaches", zh: "从 400 或 422 中得知" },
  fromRates: { en: "the headers of a refusal", zh: "拒绝响应的标头" },
  fromWindow: { en: "a refusal that is about the size", zh: "关于大小的拒绝信息" },
  fromModels: { en: "a 404", zh: "404" },
});

/** Findings about the service that was checked. */
const here = englishOf({
  hereTools: {
    en: "patch tool: {patch}; namespaces: {namespaces}",
    zh: "补丁工具：{patch}；命名空间：{namespaces}",
  },
  herePatchGrammar: { en: "with its grammar", zh: "带语法" },
  herePatchText: { en: "without its grammar", zh: "不带语法" },
  herePatchFunction: { en: "as a function", zh: "作为函数" },
  herePatchOff: { en: "off", zh: "关闭" },
  hereNamespaces: { en: "as they are", zh: "按原样" },
  hereFlat: { en: "as single functions", zh: "作为单个函数" },
  hereOmitted: { en: "omitted: {names}", zh: "省略：{names}" },
  hereSent: { en: "sent: {names}", zh: "发送：{names}" },
  hereValues: { en: "not sent again: {values}", zh: "不再发送：{values}" },
  hereWindows: { en: "{sizes}", zh: "{sizes}" },
  hereWindow: { en: "{model}: {tokens} tokens", zh: "{model}：{tokens} 个 token" },
});

const gaps = /* @__PURE__ */ (() => ({ ...open, ...defaults, ...learned, ...here }) as const)();

/**
 * What the connection check will do, and what it found: one message for each question that the interface leaves open.
 */
const checks = englishOf({
  checkCount: {
    en: "One token count of the word “ping”: is the service there, and is the key accepted?",
    zh: "对单词“ping”计数一次 token：服务是否在线，密钥是否被接受？",
  },
  checkShort: {
    en: "One short reply on {model}: how does it stream?",
    zh: "在 {model} 上请求一个简短回复：它如何流式传输？",
  },
  checkTools: {
    en: "One response of at most 64 tokens on {model}, with two test tools and every optional field. Refused fields are removed, and the request is sent again.",
    zh: "在 {model} 上请求一个最多 64 个 token 的回复，带两个测试工具和所有可选字段。被拒绝的字段会移除，并重新发送请求。",
  },
  detectBase: {
    en: "One response of at most {tokens} tokens on {model}, and one on {chat}, with basic fields only.",
    zh: "在 {model} 和 {chat} 上各请求一次最多 {tokens} 个 token 的回复，只含基本字段。",
  },
  detectEach: {
    en: "One more for each optional feature, and one for a simpler form where it's refused: {names}.",
    zh: "每项可选功能再各请求一次；若被拒绝，再以更简单的形式请求一次：{names}。",
  },
  checkReachable: { en: "Reachable", zh: "可访问" },
  checkKey: { en: "Key accepted", zh: "密钥被接受" },
  checkEstimate: { en: "Token estimate", zh: "token 估算" },
  checkResponses: { en: "Responses", zh: "Responses" },
  checkChat: { en: "Chat completions", zh: "Chat completions" },
  checkCacheId: { en: "Cache identifier", zh: "缓存标识" },
  checkUserId: { en: "User identifier", zh: "用户标识" },
  checkLifetime: { en: "Cache lifetime", zh: "缓存有效期" },
  checkPatch: { en: "Patch tool", zh: "补丁工具" },
  checkNamespaces: { en: "Tool namespaces", zh: "工具命名空间" },
  checkResults: { en: "Results of the patch tool", zh: "补丁工具的结果" },
  checkOthers: { en: "Messages of other models", zh: "其他模型的消息" },
  checkStreamUsage: { en: "Usage of chat streams", zh: "聊天流的用量" },
  checkHistory: { en: "Its own earlier items", zh: "服务先前自己的内容项" },
  checkSigned: { en: "Signed replies", zh: "已签名的回复" },
  foundTime: { en: "The token count took {count} ms.", zh: "token 计数用时 {count} 毫秒。" },
  foundKey: { en: "The key was accepted.", zh: "密钥已被接受。" },
  foundTokens: { en: "“ping” has {count} tokens.", zh: "“ping”有 {count} 个 token。" },
  foundReply: { en: "A reply was given.", zh: "服务给出了回复。" },
  foundNoChatModel: {
    en: "None of the chat models that were tried is offered here.",
    zh: "此处未提供所尝试的任何聊天模型。",
  },
  foundUnread: { en: "No reply was read.", zh: "没有读到回复。" },
  foundStream: {
    en: "The reply ended {status}; it came as an event stream ({names}).",
    zh: "回复以 {status} 结束；以事件流的形式到达（{names}）。",
  },
  foundLines: {
    en: "The reply ended {status}; it came as JSON lines ({names}).",
    zh: "回复以 {status} 结束；以 JSON 行的形式到达（{names}）。",
  },
  foundDocument: {
    en: "The reply ended {status}; it came as one document ({names}).",
    zh: "回复以 {status} 结束；以单个文档的形式到达（{names}）。",
  },
  foundPage: {
    en: "The reply ended {status}; it came as a page ({names}).",
    zh: "回复以 {status} 结束；它是一个网页（{names}）。",
  },
  foundNoForm: {
    en: "The reply ended {status}; it came as nothing that is known ({names}).",
    zh: "回复以 {status} 结束；其格式无法识别（{names}）。",
  },
  foundUnsent: { en: "It is not sent.", zh: "不发送。" },
  foundAccepted: { en: "It is accepted.", zh: "已被接受。" },
  foundRefused: { en: "“{name}” is omitted.", zh: "已省略“{name}”。" },
  foundTaken: { en: "“{name}” is accepted.", zh: "“{name}”已被接受。" },
  foundPlainPatch: { en: "It is sent without its grammar.", zh: "发送时不带语法。" },
  foundFunction: { en: "It is sent as a function.", zh: "以函数的形式发送。" },
  foundFunctionResults: { en: "They are sent as results of a function.", zh: "它们作为函数结果发送。" },
  foundRecap: { en: "They are sent as a summary.", zh: "它们以摘要形式发送。" },
  foundBasic: { en: "Basic fields are accepted.", zh: "接受基本字段。" },
  foundFlat: { en: "Tools are sent as single functions.", zh: "工具以单个函数的形式发送。" },
  foundNoSearches: { en: "Its own searches are omitted from requests.", zh: "请求中省略其自身的搜索记录。" },
  foundRetold: {
    en: "Its responses are sent as a summary, without reasoning and searches.",
    zh: "其回复以摘要形式发送，不含推理和搜索。",
  },
  foundNoNonce: { en: "No nonce header is set.", zh: "没有设置 nonce 请求头。" },
  foundReceipts: {
    en: "Receipts are recorded; how to verify them is not published.",
    zh: "回执已记录；验证方法尚未公布。",
  },
  foundNoAnswer: { en: "The service ignored the header {name}.", zh: "服务忽略了请求头 {name}。" },
});

/** What is wrong with an edited request or with the price table, and what a receipt proves. */
const requests = englishOf({
  requestNoObject: { en: "This is not a JSON object.", zh: "这不是 JSON 对象。" },
  requestNoModel: { en: "The request names no model.", zh: "请求没有指定模型。" },
  requestField: {
    en: "The field {name} is not one that Patchbay sends.",
    zh: "字段 {name} 不是 Patchbay 会发送的字段。",
  },
  requestFixed: {
    en: "The field {name} can hold only what the settings allow.",
    zh: "字段 {name} 只能包含设置所允许的内容。",
  },
  requestInclude: { en: "The field include cannot hold {value}.", zh: "字段 include 不能包含 {value}。" },
  requestModel: {
    en: "The Responses operation supports only {model}, not {other}.",
    zh: "Responses 操作仅支持 {model}，不支持 {other}。",
  },
  requestNoInput: { en: "The field input is missing.", zh: "缺少字段 input。" },
  requestMessages: {
    en: "The field messages must be a list of messages with a role and content.",
    zh: "字段 messages 必须是带有 role 和 content 的消息列表。",
  },
  priceTable: {
    en: "The price table cannot be used: it needs a currency or five rates per million tokens, none below 0.",
    zh: "价格表无法使用：需要货币，或每百万 token 的五个费率，且均不低于 0。",
  },
  priceTableAt: {
    en: "The price table cannot be used: “{where}” needs a currency or five rates per million tokens, none below 0.",
    zh: "价格表无法使用：“{where}”需要货币，或每百万 token 的五个费率，且均不低于 0。",
  },
  receiptUnverified: {
    en: "recorded, not verified: the verification procedure is not published",
    zh: "已记录，未验证：验证过程尚未公布",
  },
});

export const diagnostics = /* @__PURE__ */ (() => ({ ...checks, ...requests, ...gaps }) as const)();
