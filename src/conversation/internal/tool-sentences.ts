// Sentences about tools and their calls.
import { englishOf } from "../../util/sentences.ts";

/** Results of tool calls. Most of these are also sent to the model, in English. */
export const tools = englishOf({
  // What the conversation calls a tool of ours, by its name: `toDo` before a call has run, `done` after it, `step` in the
  // row that sums up a finished response, in the order of this list. `{count}` stands for the number of calls, `{files}`
  // for the number of different files. A tool without `step` keeps a row of its own.
  "read_file.toDo": { en: "Read", zh: "已读取" },
  "read_file.done": { en: "Read", zh: "已读取" },
  "read_file.step": { en: "read 1 file", zh: "读取了 1 个文件" },
  "read_file.stepOften": { en: "read {files} files", zh: "读取了 {files} 个文件" },
  "list_files.toDo": { en: "List files", zh: "列出文件" },
  "list_files.done": { en: "Listed files", zh: "已列出文件" },
  "list_files.step": { en: "listed files", zh: "列出了文件" },
  "search_text.toDo": { en: "Search", zh: "搜索" },
  "search_text.done": { en: "Searched", zh: "已搜索" },
  "search_text.step": { en: "searched", zh: "搜索了 1 次" },
  "search_text.stepTwice": { en: "searched twice", zh: "搜索了 2 次" },
  "search_text.stepOften": { en: "searched {count} times", zh: "搜索了 {count} 次" },
  "web_search.step": { en: "searched the web", zh: "搜索了网络" },
  "web_search.stepTwice": { en: "searched the web twice", zh: "搜索了 2 次网络" },
  "web_search.stepOften": { en: "searched the web {count} times", zh: "搜索了 {count} 次网络" },
  "problems.toDo": { en: "Check problems", zh: "检查问题" },
  "problems.done": { en: "Checked problems", zh: "已检查问题" },
  "problems.step": { en: "checked problems", zh: "检查了问题" },
  "run_checks.toDo": { en: "Run checks", zh: "运行检查" },
  "run_checks.done": { en: "Ran checks", zh: "已运行检查" },
  toolAsks: { en: "This tool asks before it runs.", zh: "此工具在运行前会询问。" },
  toolChanged: {
    en: "This tool is new, or has changed since it was allowed. Once accepted, it runs without asking.",
    zh: "此工具是新的，或自获准以来已更改。接受后，它将不再询问而直接运行。",
  },
  toolUntrusted: {
    en: "This workspace is not trusted, so no tool may read or change it.",
    zh: "此工作区不受信任，因此任何工具都不得读取或更改它。",
  },
  toolAgain: { en: "The model asks for exactly this again and again.", zh: "模型一再提出完全相同的请求。" },
  toolUnknown: {
    en: 'There is no tool named "{name}". There are: {names}.',
    zh: "没有名为“{name}”的工具。现有：{names}。",
  },
  toolOff: { en: "The user has switched {name} off.", zh: "用户已关闭 {name}。" },
  toolNone: {
    en: "This model can't use tools, so the call didn't run.",
    zh: "此模型无法使用工具，因此该调用没有运行。",
  },
  toolTooMany: {
    en: "Only {count} calls are run at a time; this one was not. Call it again if it matters.",
    zh: "一次最多运行 {count} 个调用；此调用未运行。如有需要，请再次调用。",
  },
  toolHalf: {
    en: "This call did not arrive whole, so nothing was done. Call it again.",
    zh: "此调用未完整到达，因此未执行任何操作。请再次调用。",
  },
  toolTwice: {
    en: "The service sent this call twice in one response. It ran once.",
    zh: "服务在一次响应中发送了两次此调用。它只运行了一次。",
  },
  toolReplayed: {
    en: "The service sent this call again. It already had a result, so it didn't run again.",
    zh: "服务再次发送了此调用。它已有结果，因此没有再次运行。",
  },
  toolCut: { en: "This call was cut off, so it didn't run.", zh: "此调用被截断，因此没有运行。" },
  toolDeclined: { en: "The user declined this call.", zh: "用户拒绝了此调用。" },
  toolSlow: {
    en: "{name} took longer than {seconds} seconds and was ended.",
    zh: "{name} 用时超过 {seconds} 秒，已被终止。",
  },
  toolBroken: {
    en: "The tool failed with an error. Its result is unknown.",
    zh: "工具出错而失败。其结果未知。",
  },
  toolNoJson: {
    en: "The arguments of {name} are not valid JSON. Nothing was done; call it again.",
    zh: "{name} 的参数不是有效的 JSON。未执行任何操作；请再次调用。",
  },
  toolNoObject: {
    en: "The arguments of {name} are not a JSON object. Nothing was done; call it again.",
    zh: "{name} 的参数不是 JSON 对象。未执行任何操作；请再次调用。",
  },
  toolNoFit: {
    en: "The arguments of {name} do not fit: {problem}. Nothing was done.",
    zh: "{name} 的参数不符合要求：{problem}。未执行任何操作。",
  },
  toolNoQuery: { en: "The query is empty.", zh: "查询为空。" },
  toolNoRegex: { en: '"{query}" is not a regular expression.', zh: "“{query}”不是正则表达式。" },
  toolSearchBroken: { en: 'The search for "{query}" could not be run.', zh: "无法运行对“{query}”的搜索。" },
  toolQueryLong: {
    en: "The query is longer than {most} characters; use a shorter one.",
    zh: "查询内容超过 {most} 个字符；请使用更短的内容。",
  },
  toolRegexSlow: {
    en: 'The regular expression "{query}" takes too long; use a simpler one.',
    zh: "正则表达式“{query}”用时太长；请使用更简单的表达式。",
  },
  toolPattern: { en: 'The pattern "{pattern}" cannot be read.', zh: "无法读取模式“{pattern}”。" },
  toolPatchEmpty: { en: "The patch is empty. Nothing was done.", zh: "补丁为空。未执行任何操作。" },
  toolPatchMoving: {
    en: "The files kept changing while the patch was read. Nothing was proposed.",
    zh: "读取补丁时文件一直在变化，未提出任何更改。",
  },
  toolPatchUnkept: {
    en: "The patch could not be kept for review: {why} Nothing was proposed.",
    zh: "补丁无法保存以供审阅：{why} 未提出任何更改。",
  },
  toolOneMatch: { en: "1 match in 1 file", zh: "1 个文件中有 1 处匹配" },
  toolMatchesInOne: { en: "{count} matches in 1 file", zh: "1 个文件中有 {count} 处匹配" },
  toolMatches: { en: "{count} matches in {files} files", zh: "{files} 个文件中有 {count} 处匹配" },
  toolMatchesAtLeast: {
    en: "More than {count} matches in over {files} files",
    zh: "{files} 个以上文件中有超过 {count} 处匹配",
  },
  toolOneFile: { en: "1 file", zh: "1 个文件" },
  toolFiles: { en: "{count} files", zh: "{count} 个文件" },
  toolOneProblem: { en: "1 problem", zh: "1 个问题" },
  toolProblemCount: { en: "{count} problems", zh: "{count} 个问题" },
  toolLines: { en: "{path}, lines {first}–{last}", zh: "{path}，第 {first}–{last} 行" },
  toolLinesToEnd: { en: "{path}, lines {first}–end", zh: "{path}，第 {first} 行至末尾" },
  toolLinesOf: { en: "{path}, lines {ranges}", zh: "{path}，第 {ranges} 行" },
  toolAllFiles: { en: "all files", zh: "所有文件" },
  toolFailedSaying: { en: "{name} failed: {problem}", zh: "{name} 失败：{problem}" },
  toolDeclinedSaying: {
    en: "The user declined this call. They said: {reason}",
    zh: "用户拒绝了此调用，理由是：{reason}",
  },
  /** Text of others, unchanged. */
  verbatim: { en: "{text}", zh: "{text}" },
});
