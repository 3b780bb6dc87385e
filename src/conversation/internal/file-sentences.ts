// Sentences about files: why one cannot be read, sent or changed, and why an edit cannot be undone.
import { englishOf } from "../../util/sentences.ts";

/** Why a file cannot be read, sent or changed, and notes on files that can. The model gets these in English. */
export const files = englishOf({
  noteUnread: { en: '"{name}" could not be read.', zh: "无法读取“{name}”。" },
  noteRefused: { en: '"{name}" cannot be read: {why}.', zh: "无法读取“{name}”：{why}。" },
  noteMissing: { en: 'There is no "{name}".', zh: "没有“{name}”。" },
  noteMissingNear: {
    en: 'There is no "{name}". Did you mean {names}?',
    zh: "没有“{name}”。你是指 {names} 吗？",
  },
  noteNoFile: { en: '"{name}" is not a file.', zh: "“{name}”不是文件。" },
  noteNoFolder: { en: '"{name}" is not a folder.', zh: "“{name}”不是文件夹。" },
  noteNoText: { en: '"{name}" is not a text file.', zh: "“{name}”不是文本文件。" },
  noteLarge: { en: '"{name}" is larger than {size}.', zh: "“{name}”大于 {size}。" },
  noteChanged: { en: '"{name}" changed while it was read.', zh: "“{name}”在读取时发生了更改。" },
  noteOneSecret: { en: "1 secret was taken out of this text.", zh: "已从此文本中移除 1 个机密。" },
  noteSecrets: {
    en: "{count} secrets were taken out of this text.",
    zh: "已从此文本中移除 {count} 个机密。",
  },
  noteListFolder: {
    en: '"{name}" is a folder; use list_files.',
    zh: "“{name}”是文件夹；请使用 list_files。",
  },
});

/** Reasons that follow a colon in another sentence. */
export const fileReasons = englishOf({
  whyUpwards: { en: "it leads upwards with '..'", zh: "它用 '..' 指向上级" },
  whyAbsolute: {
    en: "it is absolute; paths are relative to the open folder",
    zh: "它是绝对路径；路径应相对于打开的文件夹",
  },
  whyDrive: {
    en: "it names a drive; paths are relative to the open folder",
    zh: "它指定了驱动器；路径应相对于打开的文件夹",
  },
  whyAddress: { en: "it is a URL, not a path", zh: "它是 URL，不是路径" },
  whyFolder: { en: "it names a folder", zh: "它指向文件夹" },
  whyNoFolder: { en: "no folder is open", zh: "没有打开的文件夹" },
  whyNoRoot: {
    en: "with several folders open it must begin with one of {names}",
    zh: "打开了多个文件夹时，它必须以其中之一开头：{names}",
  },
  whyEmpty: { en: "it is empty", zh: "它为空" },
  whyTooLong: { en: "it is too long", zh: "它太长" },
  whyTooDeep: { en: "it lies too deep", zh: "它所在的文件夹层级过深" },
  whyControl: {
    en: "it holds control or text-direction characters",
    zh: "它包含控制字符或改变文字方向的字符",
  },
  whySeparator: { en: "it hides a separator", zh: "它隐藏了一个分隔符" },
  whyEmptyPart: { en: "it has an empty part", zh: "它有一段为空" },
  whyLongPart: { en: "a part of it is too long", zh: "它有一段太长" },
  whyDot: { en: "a part of it ends with a dot or a space", zh: "它有一段以点或空格结尾" },
  whyWindows: { en: "it holds a character that Windows keeps for itself", zh: "它包含 Windows 保留的字符" },
  whyDevice: { en: "it is a device's name", zh: "它是设备名称" },
  whyShort: { en: "it is a short (8.3) name", zh: "它是短 (8.3) 文件名" },
  whyVariable: { en: "it stands for a place outside of the folder", zh: "它代表文件夹之外的位置" },
  whyGit: { en: "it lies in Git's own folder", zh: "它位于 Git 自己的文件夹中" },
  whyOut: { en: "it leads out of the folder through a link", zh: "它通过链接指向文件夹之外" },
  whyGuarded: { en: "it lies in a place that patches may not touch", zh: "它位于补丁不得触及的位置" },
  whyNotebook: {
    en: 'notebooks are read and written as text without outputs, in which each cell begins with a line such as "# %% code python"; read it first, and keep its first line',
    zh: "笔记本以不含输出的文本读写，其中每个单元格以类似“# %% code python”的一行开头；请先读取它，并保留第一行",
  },
  whyNoCell: {
    en: 'its line {line} is in no cell; a cell begins with "# %% code python", "# %% markdown" or "# %% raw"',
    zh: "第 {line} 行不属于任何单元格；单元格以“# %% code python”、“# %% markdown”或“# %% raw”开头",
  },
  whyNotebookName: {
    en: "a notebook keeps its ending, and is not renamed and changed at once",
    zh: "笔记本须保留其扩展名，且不能同时重命名和更改",
  },
  whyNeverSent: { en: "it is on the list of files that are never sent", zh: "它在从不发送的文件列表中" },
  whyRule: {
    en: "nothing is sent while a pattern in {name} cannot be read",
    zh: "在无法读取 {name} 中的模式时不发送任何内容",
  },
  whyIgnoreFile: {
    en: "nothing is sent while {name} cannot be read",
    zh: "在无法读取 {name} 时不发送任何内容",
  },
  whyIgnoreLink: {
    en: "nothing is sent while {name} is a link out of the workspace",
    zh: "当 {name} 是指向工作区之外的链接时，不会发送任何内容",
  },
  whyLargeIgnoreFile: {
    en: "nothing is sent while {name} is larger than 64 KiB",
    zh: "在 {name} 大于 64 KiB 时不发送任何内容",
  },
  whyDiffProgram: {
    en: "Git shows differences with another program (diff.external), so its files cannot be told apart",
    zh: "Git 使用另一个程序显示差异 (diff.external)，因此无法区分其中的文件",
  },
  whyOutside: { en: "it leads out of the workspace", zh: "它指向工作区之外" },
  whyEditors: { en: "it belongs to the editor", zh: "它属于编辑器" },
});

/** Why files could not be changed, or a change could not be undone. */
export const edits = englishOf({
  editsGone: { en: "The record of this edit is no longer available.", zh: "此编辑的记录不再可用。" },
  editsMoving: {
    en: "The files changed just now, so nothing was undone.",
    zh: "文件刚刚发生了更改，因此没有撤消任何内容。",
  },
  editsTaken: {
    en: "{name} can't be restored: another file has its name.",
    zh: "无法恢复 {name}：已有同名文件。",
  },
  editsMissing: { en: "{name} has been deleted or renamed since.", zh: "{name} 此后已被删除或重命名。" },
  editsGrown: {
    en: "{name} has been changed since it was made, so it is not deleted.",
    zh: "{name} 自创建后已更改，因此不会删除。",
  },
  editsNoText: { en: "{name} is not a text file any more.", zh: "{name} 不再是文本文件。" },
  editsTouched: {
    en: "The same lines of {name} have changed since, so they stay as they are.",
    zh: "{name} 的相同行此后已更改，因此保持原样。",
  },
  editsDeclined: { en: "You didn't agree to the change of {name}.", zh: "你没有同意更改 {name}。" },
  undoneInPart: {
    en: "Undone in {count} of {all} files. Left at least in part: {names}.",
    zh: "已撤消 {all} 个文件中的 {count} 个。以下文件至少有一部分保持原样：{names}。",
  },
  undoneNotAll: { en: "Not all of it was undone. {why}", zh: "未能全部撤消。{why}" },
  againInPart: {
    en: "Accepted again in {count} of {all} files. Left at least in part: {names}.",
    zh: "已重新接受 {all} 个文件中的 {count} 个。以下文件至少有一部分保持原样：{names}。",
  },
  againNotAll: { en: "Not all of it was accepted again. {why}", zh: "未能全部重新接受。{why}" },
  editsRestricted: { en: "Files can't be changed in Restricted Mode.", zh: "在受限模式下不能更改文件。" },
  editsFixedDisk: {
    en: "{name} lies in a file system that cannot be written to.",
    zh: "{name} 位于不可写的文件系统中。",
  },
  editsReadOnly: { en: "{name} is read-only.", zh: "{name} 是只读的。" },
  editsReadOnlySetting: { en: "{name} is read-only by your settings.", zh: "{name} 按你的设置是只读的。" },
  editsRefused: {
    en: "The editor refused the edit. Nothing changed.",
    zh: "编辑器拒绝了该编辑。未做任何更改。",
  },
  editsAstray: {
    en: "The editor wrote {names}, and it is not where it should be: a folder on the way may have been replaced just then, and led it elsewhere.",
    zh: "编辑器已写入 {names}，但它不在应在的位置：途经的某个文件夹可能恰在此时被替换，使其写到了别处。",
  },
  editsUnsaved: {
    en: "{name} has unsaved changes, which would be lost with it.",
    zh: "{name} 有未保存的更改，会随之丢失。",
  },
  editsTurned: {
    en: "{name} is being replaced by something else just now; try again in a moment.",
    zh: "{name} 此刻正被别的内容替换；请稍后再试。",
  },
  editsNotebook: {
    en: "{name} is open as a notebook, of which only cells can be changed.",
    zh: "{name} 以笔记本形式打开，只能更改其单元格。",
  },
  editsNoNotebook: {
    en: "{name} cannot be opened as a notebook.",
    zh: "{name} 无法作为笔记本打开。",
  },
  editsNoCells: {
    en: "{name} would be no notebook with these changes alone: {why}.",
    zh: "仅凭这些更改，{name} 将不再是笔记本：{why}。",
  },
  editsNotebookTwice: {
    en: "{name} is a notebook, which is not renamed and changed at once; repeat this for the rest.",
    zh: "{name} 是笔记本，不能同时重命名和更改；请再次执行以完成其余部分。",
  },
  editsNotebookRename: {
    en: "{name} is a notebook, which is not renamed and changed at once. Accept or reject its new name first.",
    zh: "{name} 是笔记本，不能同时重命名和更改。请先接受或拒绝其新名称。",
  },
  editsCellsLost: {
    en: "The outputs and metadata of cells of {name} that would come back are no longer known here. Use Undo in the editor, or Git.",
    zh: "{name} 中将恢复的单元格的输出和元数据在此处已不可知。请使用编辑器中的“撤消”或 Git。",
  },
  editsBehind: {
    en: "{name} has changed on the disk, and the editor hasn't loaded it yet.",
    zh: "{name} 在磁盘上已更改，但编辑器尚未加载。",
  },
  editsOwnEditor: {
    en: "{name} has unsaved changes in a custom editor. Save them there first.",
    zh: "{name} 在自定义编辑器中有未保存的更改。请先在那里保存。",
  },
  editsNotOpened: { en: "{name} cannot be opened as text.", zh: "{name} 无法作为文本打开。" },
  editsEncoding: {
    en: "{name} is not in the encoding {encoding}; reopen it with its own encoding first.",
    zh: "{name} 不是 {encoding} 编码；请先用它本来的编码重新打开。",
  },
  editsHalf: {
    en: "The editor stopped partway. {names} changed meanwhile and couldn't be restored.",
    zh: "编辑器中途停止。{names} 在此期间已更改，无法恢复。",
  },
});
