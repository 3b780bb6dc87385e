// Sentences around a question and its response: notes at the box, on chips of attachments and within a response, and
// descriptions of the built-in commands.
import { englishOf } from "../../util/sentences.ts";

/** Notes around the question box. */
export const places = englishOf({
  placeTraced: {
    en: "patchbay.trace: requests and responses are written to the Patchbay log.",
    zh: "patchbay.trace：请求和回复会写入 Patchbay 日志。",
  },
  placeModel: {
    en: "patchbay.model.default: {model} isn't a known model, so it's used as a chat model.",
    zh: "patchbay.model.default：{model} 不是已知的模型，因此作为聊天模型使用。",
  },
  placeProfile: {
    en: "patchbay.service.profile: {name} can't be used as it is set, so the default applies.",
    zh: "patchbay.service.profile：{name} 的设置无法使用，因此采用默认值。",
  },
  placeRestricted: {
    en: "Restricted Mode: the model can't read or change files until you trust this folder.",
    zh: "受限模式：在你信任此文件夹之前，模型不能读取或更改文件。",
  },
  placeNoFolder: {
    en: "No folder is open, so the model has no files to read or change.",
    zh: "没有打开文件夹，因此没有文件可供模型读取或更改。",
  },
  placeNoService: {
    en: "Patchbay couldn't open your conversations. See the log for details.",
    zh: "Patchbay 无法打开你的对话。详情请查看日志。",
  },
});

/** Descriptions of built-in commands; saved prompts need none. */
export const commandDetails = englishOf({
  commandExplain: {
    en: "Explain the purpose, how it works, and pitfalls",
    zh: "说明用途、工作方式和易错之处",
  },
  commandFix: { en: "Find the cause and fix it", zh: "找出原因并修复" },
  commandRefactor: {
    en: "Make it easier to read, with the same behaviour",
    zh: "在行为不变的前提下使其更易读",
  },
  commandTests: { en: "Write tests in the style of this workspace", zh: "按此工作区的风格编写测试" },
  commandDocs: { en: "Add documentation where it helps", zh: "在有帮助之处添加文档" },
  commandReview: { en: "List problems and risks, worst first", zh: "列出问题和风险，最严重的在前" },
  commandEdit: { en: "Make the change you describe", zh: "执行你描述的更改" },
  commandTerminal: { en: "Explain the attached terminal text", zh: "解释所添加的终端文本" },
  commandCell: {
    en: "Rewrite the attached notebook cell as you describe",
    zh: "按你的描述重写所添加的笔记本单元格",
  },
  commandCommit: { en: "Write a commit message for the attached diff", zh: "为所添加的差异编写提交消息" },
});

/** Notes on the chips of attachments, and notes within a response. */
export const notes = englishOf({
  noteTooLong: {
    en: "The conversation is longer than the model takes ({limit} tokens), so it is compacted.",
    zh: "对话超过了模型可接受的长度（{limit} 个 token），因此将其压缩。",
  },
  noteTooLongHere: {
    en: "The conversation is longer than the model takes, so it is compacted.",
    zh: "对话超过了模型可接受的长度，因此将其压缩。",
  },
  noteCompacting: { en: "Compacting sends ≈{tokens} tokens.", zh: "压缩会发送≈{tokens} 个 token。" },
  noteLate: { en: '"{name}" took too long to read.', zh: "读取“{name}”用时过长。" },
  noteGone: { en: 'The conversation "{name}" does not exist any more.', zh: "对话“{name}”已不存在。" },
  noteByUrl: { en: "The service loads this image from {host}.", zh: "服务将从 {host} 加载此图片。" },
  noteNoPicture: { en: '"{name}" is not an image that can be sent.', zh: "“{name}”不是可以发送的图片。" },
  noteOneLine: { en: '"{name}" has only 1 line.', zh: "“{name}”只有 1 行。" },
  noteShort: { en: '"{name}" has only {count} lines.', zh: "“{name}”只有 {count} 行。" },
  noteOneHidden: {
    en: "1 file is left out: it is on the list of files that are never sent.",
    zh: "已略去 1 个文件：它在从不发送的文件列表中。",
  },
  noteHidden: {
    en: "{count} files are left out: they are on the list of files that are never sent.",
    zh: "已略去 {count} 个文件：它们在从不发送的文件列表中。",
  },
  noteOtherProgram: {
    en: "What another program (diff.<driver>.command) writes of single files is left out.",
    zh: "已略去其他程序 (diff.<driver>.command) 针对个别文件写出的内容。",
  },
  noteOneEntry: {
    en: "1 entry is not shown: it is on the list of files that are never sent.",
    zh: "1 个条目未显示：它在从不发送的文件列表中。",
  },
  noteEntries: {
    en: "{count} entries are not shown: they are on the list of files that are never sent.",
    zh: "{count} 个条目未显示：它们在从不发送的文件列表中。",
  },
  noteUnlisted: {
    en: "What is on the list of files that are never sent is not shown.",
    zh: "从不发送的文件列表中的内容未显示。",
  },
  noteNotReached: {
    en: "Search timed out: {first} and at least {count} other folders were not opened.",
    zh: "搜索超时：{first} 和至少另外 {count} 个文件夹没有打开。",
  },
  noteClosed: {
    en: "Not opened, because their .gitignore is larger than 64 KiB: {first} and {count} other folders.",
    zh: "以下文件夹的 .gitignore 大于 64 KiB，因此没有打开：{first} 和另外 {count} 个文件夹。",
  },
  noteOneClosed: {
    en: "{name} was not opened: its .gitignore is larger than 64 KiB.",
    zh: "{name} 没有打开：它的 .gitignore 大于 64 KiB。",
  },
  noteOneNotReached: {
    en: "Search timed out: at least {name} was not opened.",
    zh: "搜索超时：至少 {name} 没有打开。",
  },
  noteFirstFiles: {
    en: "Only the first {count} files are shown; name a folder or a pattern to see others.",
    zh: "只显示前 {count} 个文件；指定文件夹或模式可查看其他文件。",
  },
  noteLines: {
    en: "It is long: only the lines up to {line} are sent.",
    zh: "内容较长：只发送到第 {line} 行。",
  },
  noteFirst: {
    en: "It is long: only the first {sent} of {size} are sent, up to line {line}.",
    zh: "内容较长：只发送开头的 {sent}（共 {size}），到第 {line} 行为止。",
  },
  noteFirstInside: {
    en: "It is long: only the first {sent} of {size} are sent, and not all of line {line}.",
    zh: "内容较长：只发送开头的 {sent}（共 {size}），第 {line} 行不完整。",
  },
  noteInside: {
    en: "It is long: only the beginning of line {line} is sent.",
    zh: "内容很长：只发送第 {line} 行的开头部分。",
  },
  noteEnd: { en: "It is long: only its end is sent.", zh: "内容较长：只发送末尾部分。" },
  noteBeginning: { en: "It is long: only its beginning is sent.", zh: "内容较长：只发送开头部分。" },
  noteEachRequest: {
    en: "Every request of the conversation sends it again: ≈{tokens} tokens.",
    zh: "对话的每次请求都会再次发送它：≈{tokens} 个 token。",
  },
  noteNothing: { en: "There is nothing in it.", zh: "其中没有内容。" },
  noteInvisible: { en: "It holds invisible characters.", zh: "其中含有不可见字符。" },
  noteBreakpoint: {
    en: "It contains “prompt_cache_breakpoint”, which the service may refuse.",
    zh: "其中包含服务可能拒绝的“prompt_cache_breakpoint”。",
  },
  noteWritten: {
    en: "It holds invisible characters; they are written out.",
    zh: "它包含不可见字符；已将其明确写出。",
  },
  noteSkills: {
    en: "The model is told what these skills are for, and reads one when it is needed: {names}.",
    zh: "模型会得知这些技能的用途，并在需要时读取：{names}。",
  },
  noteAgentTools: {
    en: "It names tools that don't exist here: {names}.",
    zh: "它列出了此处不存在的工具：{names}。",
  },
  noteAgentModel: {
    en: "It asks for a model that isn't available here: {names}. Yours is used.",
    zh: "它要求的模型在此处不可用：{names}。将使用你选择的模型。",
  },
  noteAgentLeftOut: {
    en: "The agent {path} is left out: you haven't agreed to its text, or the file is gone.",
    zh: "已略去代理 {path}：你尚未同意其文本，或该文件已不存在。",
  },
  noteTools: { en: "More tools turned on.", zh: "已启用更多工具。" },
  noteSearchOn: { en: "Web search turned on.", zh: "已启用网络搜索。" },
  noteSearchOff: { en: "Web search turned off.", zh: "已关闭网络搜索。" },
  noteForgets: {
    en: "Earlier reasoning and searches are omitted, and earlier responses are sent as a summary.",
    zh: "省略先前的推理和搜索，并以摘要形式发送先前的回复。",
  },
  noteAgain: {
    en: "The service refused the conversation. Retried without its own searches.",
    zh: "服务拒绝了该对话。已在不含其自身搜索的情况下重试。",
  },
  noteAnew: { en: "The cache was reset.", zh: "缓存已重置。" },
  noteSearches: {
    en: "The service doesn't accept its own searches, so they're omitted.",
    zh: "服务不接受其自身的搜索记录，因此已将其省略。",
  },
  noteAgreed: {
    en: "This is remembered for the service URL. To reset it, run “Reset Detected Capabilities”.",
    zh: "这会针对该服务 URL 记住。要重置，请运行“重置检测到的能力”。",
  },
  noteResults: {
    en: "The service does not accept results of custom tools; they are sent as function results.",
    zh: "服务不接受自定义工具的结果；它们作为函数结果发送。",
  },
  noteField: {
    en: "The service doesn't accept “{field}”, so it's omitted.",
    zh: "服务不接受“{field}”，因此已将其省略。",
  },
  noteValue: {
    en: "The service doesn't accept “{value}” for {field}; its own default applies instead.",
    zh: "服务不接受将“{value}”用于 {field}；改用服务自身的默认值。",
  },
  notePlain: {
    en: "The service only accepts what its interface shows, so requests are sent that way.",
    zh: "服务只接受其接口所示的内容，因此以后按此方式发送请求。",
  },
  notePlainForNow: {
    en: "The service refused the request without a reason and accepted a simpler one, so requests are simpler for now.",
    zh: "服务未说明原因就拒绝了请求，但接受了更简单的请求，因此暂时按更简单的形式发送。",
  },
  notePictures: {
    en: "The model doesn't accept images here, so they were left out of this request.",
    zh: "该模型在此不接受图片，因此本次请求未包含图片。",
  },
  noteFull: {
    en: "The service accepts the full request after all, so requests are sent that way again.",
    zh: "服务其实接受完整请求，因此恢复按完整形式发送。",
  },
  noteOthers: {
    en: "The service doesn't accept another model's messages, so they're sent as a summary.",
    zh: "服务不接受其他模型的消息，因此以摘要形式发送。",
  },
  noteNamespaces: {
    en: "The service does not accept tool namespaces; their tools are sent as single functions.",
    zh: "服务不接受工具命名空间；其中的工具作为单个函数发送。",
  },
  noteGrammar: {
    en: "The service does not accept the patch tool with its grammar; it is sent without.",
    zh: "服务不接受带语法的补丁工具；发送时不带语法。",
  },
  noteLostHere: {
    en: "Part of the conversation is missing here: its file was damaged.",
    zh: "对话在此处有缺失：其文件曾损坏。",
  },
  noteLostQuestion: {
    en: "The question is missing here: the file of the conversation was damaged.",
    zh: "此处缺少问题：对话的文件曾损坏。",
  },
  noteFunction: {
    en: "The service does not accept the patch tool as a custom tool; it is sent as a function.",
    zh: "服务不接受作为自定义工具的补丁工具；它作为函数发送。",
  },
});
