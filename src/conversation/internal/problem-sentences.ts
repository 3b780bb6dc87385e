// Sentences about requests that failed, or that a person is asked about first.
import { englishOf } from "../../util/sentences.ts";

/**
 * What went wrong with a request, or has to be asked before it is sent. {detail} is the service's own text, after a
 * colon.
 */
export const problems = englishOf({
  problemRedirect: {
    en: "The service URL redirects elsewhere ({status}). The redirect was refused.",
    zh: "服务 URL 重定向到了别处（{status}）。已拒绝重定向。",
  },
  problemReach: { en: "Can't reach {host} ({code}).", zh: "无法连接到 {host}（{code}）。" },
  problemNoHost: { en: "Can't find {host} ({code}).", zh: "找不到 {host}（{code}）。" },
  problemOffline: {
    en: "You seem to be offline. Check your network connection.",
    zh: "你似乎已离线。请检查网络连接。",
  },
  problemHungUp: {
    en: "{host} closed the connection without responding.",
    zh: "{host} 未作响应就关闭了连接。",
  },
  problemHandshake: {
    en: "No secure connection to {host} ({code}).",
    zh: "无法与 {host} 建立安全连接（{code}）。",
  },
  problemNoTls: {
    en: "{host} doesn't use HTTPS. Check the service URL.",
    zh: "{host} 未使用 HTTPS。请检查服务 URL。",
  },
  problemLargeHeaders: { en: "The response headers of {host} are too large.", zh: "{host} 的响应头过大。" },
  problemPage: {
    en: "{host} returned a web page ({status}). A gateway may have blocked the request, or the service URL is wrong.",
    zh: "{host} 返回了一个网页（{status}）。网关可能拦截了请求，或服务 URL 有误。",
  },
  problemCertificate: {
    en: "The certificate of {host} was not accepted ({code}).",
    zh: "未接受 {host} 的证书（{code}）。",
  },
  problemHtml: {
    en: "The response is a web page, not the service. Check whether your network requires a sign-in.",
    zh: "响应是一个网页，而不是来自服务。请检查你的网络是否需要登录。",
  },
  problemCut: { en: "The connection ended before the reply was complete.", zh: "连接在回复完成之前已断开。" },
  problemEmpty: { en: "The service sent an empty reply.", zh: "服务发来了空的回复。" },
  problemGibberish: {
    en: "The response couldn't be understood. It may still have been billed.",
    zh: "无法理解该回复。它可能已被计费。",
  },
  problemDamaged: {
    en: "The reply arrived damaged and was not finished.",
    zh: "回复在到达时已损坏，没有完成。",
  },
  problemBug: { en: "Something went wrong inside the extension.", zh: "扩展内部出现了问题。" },
  problemInside: {
    en: "Something went wrong inside Patchbay; what had arrived is kept.",
    zh: "Patchbay 内部出错；已收到的内容已保留。",
  },
  problemNothing: { en: "The service returned an empty response.", zh: "服务返回了空回复。" },
  problemCutOffFor: { en: "The service cut off the response: {reason}.", zh: "服务截断了回复：{reason}。" },
  problemSize: { en: "The reply was too large and was cut off.", zh: "回复过大，已被截断。" },
  problemWaited: {
    en: "The service waited too long for the request (408).",
    zh: "服务等待请求的时间过长 (408)。",
  },
  problemNotHttp: {
    en: "The server at the service URL doesn't speak HTTP.",
    zh: "服务 URL 上应答的不是 HTTP 服务。",
  },
  problemProxyLogin: { en: "The proxy {proxy} asks for a login (407).", zh: "代理 {proxy} 要求登录 (407)。" },
  problemProxyBetween: {
    en: "A proxy on the way to {host} asks for a login (407).",
    zh: "通往 {host} 的某个代理要求登录 (407)。",
  },
  problemProxy: {
    en: "The proxy {proxy} refused the connection ({code}).",
    zh: "代理 {proxy} 拒绝了连接 ({code})。",
  },
  problemProxyReach: {
    en: "Can't reach the proxy {proxy} ({code}).",
    zh: "无法连接到代理 {proxy}（{code}）。",
  },
  problemProxyCertificate: {
    en: "The certificate of the proxy {proxy} was not accepted ({code}).",
    zh: "代理 {proxy} 的证书未被接受（{code}）。",
  },
  problemProxyTime: {
    en: "The proxy {proxy} didn't connect in {time}.",
    zh: "代理 {proxy} 在{time}内未能建立连接。",
  },
  problemProxyLookup: {
    en: "The system's proxy settings didn't respond in {time}.",
    zh: "系统的代理设置在{time}内没有响应。",
  },
  problemProxySetting: { en: "The proxy setting isn't a valid URL.", zh: "代理设置不是有效的 URL。" },
  viaProxy: { en: "The request went through the proxy {proxy}.", zh: "该请求经由代理 {proxy} 发送。" },
  problemAgreed: { en: "You chose not to continue.", zh: "你已选择不继续。" },
  problemKeyLost: {
    en: "The API key couldn't be read from the secret storage.",
    zh: "无法从密钥存储中读取 API 密钥。",
  },
  problemAddressChanged: {
    en: "The service URL changed while this request was waiting, so it wasn't sent again.",
    zh: "此请求等待期间，服务 URL 已更改；未再次发送。",
  },
  problemOneName: {
    en: "Both identifiers are set to go as “{name}”; give one of them another name in the settings.",
    zh: "两个标识符都被设置为以“{name}”发送；请在设置中为其中一个换一个名称。",
  },
  problemPicture: {
    en: "{model} is set to not accept images. Remove the image or choose another model.",
    zh: "{model} 已设置为不接受图片。请移除图片或选择其他模型。",
  },
  questionCompact: {
    en: "Compact this conversation? This sends ≈{tokens} tokens to have it summarized.",
    zh: "压缩此对话？将发送≈{tokens} 个 token 进行总结。",
  },
  problemWindow: {
    en: "The request has ≈{tokens} tokens, more than the context window of {model} ({limit}).",
    zh: "该请求约有 {tokens} 个 token，超过 {model} 的上下文窗口（{limit}）。",
  },
  problemKey: { en: "The API key wasn't accepted.", zh: "API 密钥未被接受。" },
  problemForbidden: {
    en: "The API key is not allowed to do this (403){detail}",
    zh: "API 密钥无权执行此操作（403）{detail}",
  },
  problemQuota: {
    en: "The service refused the request because of the account's quota ({status}){detail}",
    zh: "由于帐户配额，服务拒绝了请求（{status}）{detail}",
  },
  problemNotFound: { en: "The service did not find it (404){detail}", zh: "服务没有找到它（404）{detail}" },
  problemSent: {
    en: "The request is too large for the service ({status}; {size} KB were sent){detail}",
    zh: "请求对服务来说太大（{status}；已发送 {size} KB）{detail}",
  },
  problemTooLarge: {
    en: "The request is too large for the service ({status}){detail}",
    zh: "请求对服务来说太大（{status}）{detail}",
  },
  problemBusy: { en: "Too many requests.", zh: "请求过多。" },
  problemServer: { en: "Server error {status}{detail}", zh: "服务器错误 {status}{detail}" },
  problemNoConnection: { en: "No connection to the service in {time}.", zh: "{time}内未能连接到服务。" },
  problemNoAnswer: { en: "No response within {time}.", zh: "在{time}内没有响应。" },
  problemNoData: { en: "The service sent no data for {time}.", zh: "服务在{time}内没有发送数据。" },
  problemUnfinished: {
    en: "The service says that the reply is not finished ({status}), and offers no way to fetch it later.",
    zh: "服务表示回复尚未完成（{status}），且不提供稍后获取的方式。",
  },
  problemBreakpoint: {
    en: "The service refuses content with “prompt_cache_breakpoint” (400). Remove it or the attachment that contains it.",
    zh: "服务拒绝包含“prompt_cache_breakpoint”的内容（400）。请将其或包含它的附件移除。",
  },
  problemRefused: {
    en: "The service refused the request ({status}){detail}",
    zh: "服务拒绝了请求 ({status}){detail}",
  },
  problemFailed: { en: "The service could not finish the reply{detail}", zh: "服务无法完成回复{detail}" },
  problemStatus: {
    en: "The reply ended with unknown status {reason}{detail}",
    zh: "回复以未知状态 {reason} 结束{detail}",
  },
  problemCallUnread: {
    en: "The model called {name} with arguments that can't be read.",
    zh: "模型调用 {name} 时使用了无法读取的参数。",
  },
  problemCallBlock: { en: "The model's tool call couldn't be read.", zh: "无法读取模型的工具调用。" },
  problemNotSent: { en: "You chose not to send this.", zh: "你已选择不发送。" },
  problemNotCalled: {
    en: "The model didn't call a tool, although one was required.",
    zh: "模型没有调用工具，尽管要求必须调用。",
  },
  problemEmptyMessage: { en: "A message without content cannot be sent.", zh: "没有内容的消息无法发送。" },
  problemNothingToSend: { en: "There is nothing to send.", zh: "没有可发送的内容。" },
  problemOutput: {
    en: "The output limit must be a whole number of tokens from {least} to {most}.",
    zh: "输出上限必须是 {least} 到 {most} 之间的整数（token 数）。",
  },
  problemLimit: { en: "The response reached the output limit.", zh: "回复达到了输出上限。" },
  problemCutOff: { en: "The service cut off the response.", zh: "服务截断了回复。" },
  problemRepeats: {
    en: "The model repeated earlier tool calls without making progress.",
    zh: "模型重复了之前的工具调用，没有进展。",
  },
  problemNoHandOver: {
    en: "The model wrote no summary, so the conversation stays as it is.",
    zh: "模型没有写出摘要，因此对话保持不变。",
  },
  problemNoFinal: {
    en: "The model used tools but returned no response.",
    zh: "模型使用了工具，但没有返回回复。",
  },
  problemSteps: {
    en: "The model has made {steps} requests for this question. Continue?",
    zh: "模型已为此问题发出 {steps} 次请求。要继续吗？",
  },
  problemMuch: {
    en: "Tool results made the next request much larger. Continue?",
    zh: "工具结果使下一次请求大幅增大。要继续吗？",
  },
  problemSpent: {
    en: "This question has used {tokens} tokens, more than your limit of {limit}. Continue?",
    zh: "此问题已使用 {tokens} 个 token，超过你设置的上限 {limit}。要继续吗？",
  },
  waitingConnection: { en: "The connection failed.", zh: "连接失败。" },
  waitingProxy: { en: "The proxy could not reach the service.", zh: "代理无法访问服务。" },
  waitingTime: { en: "The connection timed out.", zh: "连接超时。" },
  waitingAnswer: { en: "The service didn't respond.", zh: "服务没有响应。" },
  waitingCut: { en: "The reply was cut off before it began.", zh: "回复在开始之前就被截断。" },
  waitingEmpty: { en: "The reply was empty.", zh: "回复为空。" },
  waitingBusy: { en: "Too many requests.", zh: "请求过多。" },
  waitingStatus: { en: "Service busy.", zh: "服务繁忙。" },
  tryAgainAt: { en: "Try again at {time}.", zh: "请在 {time} 重试。" },
  holdsBreakpoint: {
    en: "It contains “prompt_cache_breakpoint”, which the service doesn't accept.",
    zh: "其中包含服务不接受的“prompt_cache_breakpoint”。",
  },
  standsIn: { en: "It's in {names}.", zh: "它在 {names} 中。" },
  foreignItems: {
    en: "Part of the conversation was created with another key or URL, and may not be readable now.",
    zh: "对话的一部分是用其他密钥或 URL 创建的，现在可能无法读取。",
  },
  withoutPictures: {
    en: "Images may not be accepted here. Send without them, or use another model.",
    zh: "此处可能不接受图片。请不带图片发送，或使用其他模型。",
  },
  questionFirstUse: {
    en: "/{name} is used for the first time. It comes from this workspace ({path}) and tells the model this:",
    zh: "/{name} 首次使用。它来自此工作区（{path}），会告诉模型：",
  },
  questionInstructions: {
    en: "Files of this workspace give the model instructions ({names}). Send them?",
    zh: "此工作区的文件为模型提供了指令（{names}）。要发送吗？",
  },
  questionSpending: {
    en: "This sends ≈{uncached} uncached tokens (your limit: {limit}).",
    zh: "这将发送约 {uncached} 个未缓存的 token（你的上限：{limit}）。",
  },
  questionSpendingUpTo: {
    en: "This sends ≈{uncached} uncached tokens and may be up to {most} (your limit: {limit}).",
    zh: "这将发送约 {uncached} 个未缓存的 token，最多可能为 {most} 个（你的上限：{limit}）。",
  },
  questionSpendingCost: {
    en: "The input costs ≈{cost} at your prices.",
    zh: "按你的价格，输入约花费 {cost}。",
  },
  questionSpendingLess: { en: "Without {names} it would be less.", zh: "去掉 {names} 会更少。" },
  problemWrong: { en: "Something went wrong inside Patchbay.", zh: "Patchbay 内部出现问题。" },
  workFailed: {
    en: "This took too long or too much memory, twice. Try again with less.",
    zh: "此操作两次耗时过长或占用内存过多。请减少内容后重试。",
  },
  problemStopped: { en: "Stopped.", zh: "已停止。" },
});
