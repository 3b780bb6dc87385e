// Sentences about patches, and about the files that they touch.
import { englishOf } from "../../util/sentences.ts";

/**
 * What became of a patch: why it was refused, where it matched loosely, why a file it touches needs special attention.
 */
export const patches = englishOf({
  patchHunkAppliedMore: {
    en: "Hunk {number} of {path} looks already applied at lines {lines} and {count} more.",
    zh: "{path} 的第 {number} 处更改似乎已应用于第 {lines} 行以及另外 {count} 处。",
  },
  patchHunkOutsideMore: {
    en: "Hunk {number} of {path} fits lines {lines} and {count} more, but that is not below its '@@' line.",
    zh: "{path} 的第 {number} 处更改适合第 {lines} 行以及另外 {count} 处，但它们不在其 '@@' 行之下。",
  },
  patchHunkSeveralMore: {
    en: "Hunk {number} of {path} fits several places: lines {lines} and {count} more.",
    zh: "{path} 的第 {number} 处更改适合多个位置：第 {lines} 行以及另外 {count} 处。",
  },
  patchHunkApplied: {
    en: "Hunk {number} of {path} looks already applied at line {line}.",
    zh: "{path} 的第 {number} 处更改似乎已应用于第 {line} 行。",
  },
  patchHunkAppliedAt: {
    en: "Hunk {number} of {path} looks already applied at lines {lines}.",
    zh: "{path} 的第 {number} 处更改似乎已应用于第 {lines} 行。",
  },
  patchHunkNowhere: {
    en: "Hunk {number} of {path} fits nowhere: none of its lines are in the file.",
    zh: "{path} 的第 {number} 处更改无处可放：文件中没有它的任何一行。",
  },
  patchHunkNearest: {
    en: "Hunk {number} of {path} fits nowhere: the nearest place differs at line {line}.",
    zh: "{path} 的第 {number} 处更改无处可放：最接近的位置在第 {line} 行不同。",
  },
  patchHunkAnchor: {
    en: "Hunk {number} of {path} belongs below {anchor}, which is not in the file.",
    zh: "{path} 的第 {number} 处更改应位于 {anchor} 之下，但文件中没有该行。",
  },
  patchHunkOutside: {
    en: "Hunk {number} of {path} fits line {line}, but that is not below its '@@' line.",
    zh: "{path} 的第 {number} 处更改适合第 {line} 行，但该处不在其 '@@' 行之下。",
  },
  patchHunkOutsideAt: {
    en: "Hunk {number} of {path} fits lines {lines}, but that is not below its '@@' line.",
    zh: "{path} 的第 {number} 处更改适合第 {lines} 行，但该处不在其 '@@' 行之下。",
  },
  patchHunkSeveral: {
    en: "Hunk {number} of {path} fits several places: lines {lines}.",
    zh: "{path} 的第 {number} 处更改适合多个位置：第 {lines} 行。",
  },
  patchHunkEntangled: {
    en: "Hunk {number} of {path} changes the same lines as hunk {other}.",
    zh: "{path} 的第 {number} 处更改与第 {other} 处更改修改了相同的行。",
  },
  patchHunkIndentation: {
    en: "Hunk {number} of {path} fits line {line} only with other indentation, and how deep its new lines belong is not certain.",
    zh: "{path} 的第 {number} 处更改只有换用其他缩进才能放在第 {line} 行，而新行应缩进多深并不确定。",
  },
  patchHunkSpelling: {
    en: "Hunk {number} of {path} fits line {line} only by characters that look alike, and which of them its new lines keep is not certain.",
    zh: "{path} 的第 {number} 处更改只有把外观相似的字符当作相同才能放在第 {line} 行，而新行应保留其中哪些字符并不确定。",
  },
  patchHunkNoPlace: {
    en: "Hunk {number} of {path} only adds lines and does not say where.",
    zh: "{path} 的第 {number} 处更改只添加行，没有说明位置。",
  },
  patchUnreadable: {
    en: "The patch cannot be read: {why} (line {line}).",
    zh: "无法读取补丁：{why}（第 {line} 行）。",
  },
  patchTooLarge: { en: "The patch is too large: {why}.", zh: "补丁过大：{why}。" },
  patchNotAllowed: {
    en: "The patch names {path}, which is not allowed: {why}.",
    zh: "补丁指定了 {path}，这是不允许的：{why}。",
  },
  patchSeveral: {
    en: "The response holds more than one patch. Put all changes into one.",
    zh: "响应中包含多个补丁。请将所有更改放入一个补丁。",
  },
  patchNoEnd: { en: "The patch has no end.", zh: "补丁没有结尾。" },
  patchDiff: {
    en: "The diff isn't complete. Write it as a patch instead.",
    zh: "该差异不完整。请改为以补丁形式书写。",
  },
  patchSame: {
    en: "{path} already exists with this content: the patch looks already applied.",
    zh: "{path} 已存在且内容相同：补丁似乎已应用。",
  },
  patchExists: { en: "{path} already exists and would be overwritten.", zh: "{path} 已存在，将会被覆盖。" },
  patchAlike: { en: "{path} does not exist; there is {alike}.", zh: "{path} 不存在；存在的是 {alike}。" },
  patchMissing: { en: "{path} does not exist.", zh: "{path} 不存在。" },
  patchFile: { en: "{path} cannot be patched: {why}.", zh: "无法修改 {path}：{why}。" },
  patchNoChange: { en: "The patch would leave {path} as it is.", zh: "此补丁不会改变 {path}。" },
  patchPlaceholder: {
    en: "The edit to {path} has a placeholder in place of code.",
    zh: "对 {path} 的编辑中有占位符，而不是完整代码。",
  },
  patchOneMore: {
    en: "One more hunk of {path} cannot be placed either.",
    zh: "{path} 还有 1 处更改也无法放置。",
  },
  patchMore: {
    en: "{count} more hunks of {path} cannot be placed either.",
    zh: "{path} 还有 {count} 处更改也无法放置。",
  },
  patchSpaces: { en: "Spaces at line ends differ from the file.", zh: "行尾空格与文件不同。" },
  patchWhite: { en: "White space differs from the file.", zh: "空白与文件不同。" },
  patchLookAlike: {
    en: "Some characters only look like those of the file.",
    zh: "有些字符只是看起来与文件中的相同。",
  },
  patchFormat: { en: "Format corrected: {why}.", zh: "已更正格式：{why}。" },
  patchEdited: { en: "You edited {names} before you accepted it.", zh: "你在接受之前编辑了 {names}。" },
  patchByRule: { en: "Accepted by your rule {rules}", zh: "已按你的规则 {rules} 接受" },
  patchByRuleIn: { en: "Accepted by your rule {rules}: {names}", zh: "已按你的规则 {rules} 接受：{names}" },
  patchFeedback: { en: "Your feedback: {words}", zh: "你的反馈：{words}" },
  patchUnsaved: {
    en: "Not saved yet: {names}. The change is in the editor.",
    zh: "尚未保存：{names}。更改保留在编辑器中。",
  },
  patchAndOne: { en: "{first} There is 1 more problem.", zh: "{first} 还有 1 个问题。" },
  patchAndMore: { en: "{first} There are {count} more problems.", zh: "{first} 还有 {count} 个问题。" },
  patchAsItIs: { en: "The patch was refused.", zh: "补丁被拒绝。" },
  changeRevised: { en: "This change was revised. Review it again.", zh: "此更改已被修订。请重新审阅。" },
  changeConflict: { en: "These changes no longer fit the files.", zh: "这些更改已不再适合文件。" },
  changeNotWritten: { en: "1 file couldn't be written", zh: "1 个文件无法写入" },
  changesNotWritten: { en: "{count} files couldn't be written", zh: "{count} 个文件无法写入" },
  changeRefused: { en: "Couldn't be written: {why}", zh: "无法写入：{why}" },
  changeMoving: {
    en: "The files keep changing, so nothing was written.",
    zh: "文件一直在变化，因此未写入任何内容。",
  },
  changeNeeds: { en: "{name} has to be changed first.", zh: "必须先更改 {name}。" },
  changeHalfWritten: {
    en: "Only {count} of {all} files were written.",
    zh: "只写入了 {all} 个文件中的 {count} 个。",
  },
  changeMissing: { en: "The file no longer exists.", zh: "文件已不存在。" },
  changeNoText: { en: "The file cannot be read as text here.", zh: "此处无法将该文件作为文本读取。" },
  changeExists: { en: "A file with this name exists already.", zh: "已存在同名文件。" },
  changeGrown: { en: "The file has changed since this was proposed.", zh: "提出此更改后，文件已发生变化。" },
});

/** Reasons that follow a colon in another sentence. */
export const patchReasons = englishOf({
  whyLong: { en: "it is longer than 1 MiB", zh: "它超过 1 MiB" },
  whyFiles: { en: "it names more than 200 files", zh: "它涉及超过 200 个文件" },
  whyHunks: { en: "it has more than 2,000 hunks", zh: "它包含超过 2,000 处更改" },
  whyBegin: {
    en: "the first line of the patch must be '*** Begin Patch'",
    zh: "补丁的第一行必须是 '*** Begin Patch'",
  },
  whyAfterEnd: { en: "nothing may follow '*** End Patch'", zh: "'*** End Patch' 之后不能有任何内容" },
  whyNoFile: { en: "it names no file", zh: "它没有指定文件" },
  whyNoJson: { en: "this is not JSON with one patch in it", zh: "这不是只含一个补丁的 JSON" },
  whySection: { en: "a file section must begin here", zh: "此处必须开始一个文件部分" },
  whyNoHunk: { en: "the update has no hunk", zh: "该更新没有任何更改" },
  whyNoPath: { en: "the path is missing", zh: "缺少路径" },
  whyNoPlus: {
    en: "every line of a new file needs its '+', an empty one too",
    zh: "新文件的每一行都需要 '+'，空行也不例外",
  },
  whyNoSign: {
    en: "a line of a hunk must begin with ' ', '-', '+' or '@@'",
    zh: "更改中的行必须以 ' '、'-'、'+' 或 '@@' 开头",
  },
  whyAfterFile: { en: "no line may follow '*** End of File'", zh: "'*** End of File' 之后不能有任何行" },
  whyNoLines: { en: "the hunk has no lines", zh: "该更改没有任何行" },
  whyIsFolder: { en: "it is a folder", zh: "它是文件夹" },
  whyOther: { en: "it is neither a file nor a folder", zh: "它既不是文件也不是文件夹" },
  whyLarge: { en: "it is larger than 5 MB", zh: "它大于 5 MB" },
  whyReadOnly: { en: "it is read-only", zh: "它是只读的" },
  whyFull: {
    en: "This conversation keeps as many bytes of files as it may.",
    zh: "此对话保存的文件字节数已达上限。",
  },
  whyNotText: { en: "it is not a text file", zh: "它不是文本文件" },
  whyUndecoded: {
    en: "it holds bytes that are not valid {encoding} and would be lost",
    zh: "它包含不是有效 {encoding} 的字节，这些字节会丢失",
  },
  whyLines: { en: "it has more than 300,000 lines", zh: "它超过 300,000 行" },
  whyLink: { en: "it is a link", zh: "它是链接" },
  whyUnder: { en: "a part of its path is a file", zh: "其路径的一部分是文件" },
  whyLinkTo: { en: "it is a link, and what it points to would stay", zh: "它是链接，其指向的内容会保留" },
  whyOntoItself: { en: "it would be moved onto itself", zh: "它会被移动到自身" },
  whyRound: { en: "the moves go round in a circle", zh: "这些移动形成了循环" },
  whySamePatch: { en: "the same patch adds it", zh: "同一补丁添加了它" },
  whyAlike: {
    en: "too many of its lines are alike to place this many hunks",
    zh: "其中相似的行太多，无法放置这么多更改",
  },
  whyProse: { en: "text around the patch was ignored", zh: "已忽略补丁周围的文字" },
  whyWrapped: { en: "the patch was unwrapped", zh: "已去除补丁的包装" },
  whyDecorated: { en: "decorated markers were accepted", zh: "已接受带装饰的标记" },
  whyBeginMissing: { en: "the begin marker was missing", zh: "缺少开始标记" },
  whyEndMissing: { en: "the end marker was missing", zh: "缺少结束标记" },
  whyEnvelopes: { en: "several patches were combined", zh: "已合并多个补丁" },
  whyEnvironment: { en: "an environment line was ignored", zh: "已忽略环境行" },
  whyGitHeaders: { en: "Git headers were ignored", zh: "已忽略 Git 头" },
  whyNewline: { en: "a remark about the last line break was ignored", zh: "已忽略关于末尾换行符的说明" },
  whyNoBlanks: { en: "context lines had no leading space", zh: "上下文行缺少前导空格" },
  whyNumbers: { en: "line numbers were removed", zh: "已去除行号" },
  whyUnchanged: { en: "a hunk without changes was skipped", zh: "已跳过没有更改的区块" },
  whyLostAnchor: {
    en: "an '@@' line that is not in the file was ignored",
    zh: "已忽略文件中不存在的 '@@' 行",
  },
  whyAbsolutePath: { en: "the path was absolute", zh: "路径是绝对路径" },
  whyDotted: { en: "the path contained '..'", zh: "路径包含“..”" },
  whyQuoted: { en: "the path was quoted", zh: "路径带有引号" },
  whyPrefixed: { en: "the path had a Git prefix", zh: "路径带有 Git 前缀" },
  whyCase: { en: "only the letter case of the name changes", zh: "仅更改名称的大小写" },
  whySameName: { en: "on some systems it is the same as {path}", zh: "在某些系统上它与 {path} 相同" },
  whyItself: { en: "the file keeps its name", zh: "文件保留原名" },
});

/** Why a file that a patch touches needs a confirmation. */
export const cautions = englishOf({
  cautionLook: { en: "Check carefully: {why}.", zh: "请仔细检查：{why}。" },
  cautionEditor: { en: "it steers the editor", zh: "它控制编辑器" },
  cautionAnEditor: { en: "it steers an editor", zh: "它控制某个编辑器" },
  cautionContainer: { en: "it builds the development container", zh: "它构建开发容器" },
  cautionBuildService: { en: "it runs on the build service", zh: "它在构建服务上运行" },
  cautionRunsWithGit: { en: "it runs with Git", zh: "它随 Git 运行" },
  cautionSteersGit: { en: "it steers Git", zh: "它控制 Git" },
  cautionScripts: { en: "its scripts run on this computer", zh: "其中的脚本会在此计算机上运行" },
  cautionPackages: { en: "it decides which packages are installed", zh: "它决定安装哪些软件包" },
  cautionPackageManager: { en: "it steers a package manager", zh: "它控制包管理器" },
  cautionSecrets: { en: "it may hold secrets", zh: "它可能包含机密" },
  cautionKey: { en: "it may hold a key", zh: "它可能包含密钥" },
  cautionBuild: { en: "it runs with the build", zh: "它随构建运行" },
  cautionCommand: { en: "it is run as a command", zh: "它会作为命令运行" },
  cautionToolStart: { en: "it runs when a tool starts", zh: "某个工具启动时会运行它" },
  cautionTool: { en: "it runs with a development tool", zh: "它随开发工具一起运行" },
  cautionVersions: { en: "it steers version control", zh: "它控制版本管理" },
  cautionStartsTools: { en: "it starts tools for an assistant", zh: "它为助手启动工具" },
  cautionAssistant: { en: "it steers an assistant", zh: "它控制某个助手" },
  cautionPatchbay: { en: "it steers Patchbay", zh: "它控制 Patchbay" },
  cautionShell: { en: "it runs with every shell", zh: "它随每个 shell 运行" },
  cautionDirection: { en: "it adds text-direction characters", zh: "它添加了改变文字方向的字符" },
  cautionInvisible: { en: "it adds invisible characters", zh: "它添加了不可见字符" },
  cautionControl: { en: "it adds control characters", zh: "它添加了控制字符" },
  cautionSchema: { en: "it makes editors fetch a schema from {host}", zh: "它会让编辑器从 {host} 获取架构" },
  cautionSettings: { en: "the settings protect it", zh: "设置保护了它" },
  cautionIgnored: { en: "Git ignores it", zh: "Git 会忽略它" },
  cautionEmptied: { en: "all of its text is removed", zh: "其全部文本会被删除" },
  cautionReplaced: { en: "all of its text is replaced", zh: "其全部文本会被替换" },
  cautionHardLink: {
    en: "the file has another name on disk (a hard link)",
    zh: "该文件在磁盘上另有一个名称（硬链接）",
  },
});
