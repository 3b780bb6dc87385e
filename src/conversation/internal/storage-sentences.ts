// Sentences about stored data.
import { englishOf } from "../../util/sentences.ts";

/** What became of data stored on the disk: conversations, usage, receipts, the list of uploaded files. */
export const storage = englishOf({
  keptElsewhere: {
    en: "This conversation is open in another window and can only be read here.",
    zh: "此对话已在另一个窗口中打开，在此只能读取。",
  },
  keptNotHandedOver: {
    en: "The other window has not handed over this conversation. Try again, or close it there.",
    zh: "另一个窗口未移交此对话。请重试，或在那里将其关闭。",
  },
  keptNewer: {
    en: "This conversation was written by a newer version of Patchbay and can only be read here.",
    zh: "此对话由更新版本的 Patchbay 写入，在此只能读取。",
  },
  keptBroken: {
    en: "This conversation is damaged and cannot be repaired right now, so it can only be read.",
    zh: "此对话已损坏，目前无法修复，因此只能读取。",
  },
  keptMended: {
    en: "This conversation was damaged and has been repaired (turns left: {turns}). A copy of the damaged file was kept.",
    zh: "此对话曾损坏，现已修复（剩余 {turns} 轮）。已保留损坏文件的副本。",
  },
  keptCutShort: {
    en: "The end of this conversation is missing (turns left: {turns}). A copy of the file was kept.",
    zh: "此对话缺少结尾（剩余 {turns} 轮）。已保留该文件的副本。",
  },
  keptMissing: {
    en: "The file of this conversation is missing. New messages are saved in a new file.",
    zh: "此对话的文件已丢失。新消息将保存在新文件中。",
  },
  keptDraft: {
    en: "The draft was damaged. What could be recovered is in the box, and a copy of the file was kept.",
    zh: "草稿曾损坏。可恢复的内容在输入框中，并已保留文件的副本。",
  },
  keptAttached: {
    en: "The draft's attachments were damaged. Add them again. A copy of the file was kept.",
    zh: "草稿的附件曾损坏。请重新添加。已保留文件的副本。",
  },
  keptUnsavedFull: {
    en: "History is not being saved: the disk is full. The conversation goes on in memory.",
    zh: "历史记录未能保存：磁盘已满。对话在内存中继续。",
  },
  keptUnsavedRefused: {
    en: "History is not being saved: its folder refuses access. The conversation goes on in memory.",
    zh: "历史记录未能保存：其文件夹拒绝访问。对话在内存中继续。",
  },
  keptUnsavedOpen: {
    en: "History is not being saved: too many files are open. The conversation goes on in memory.",
    zh: "历史记录未能保存：打开的文件过多。对话在内存中继续。",
  },
  keptUnsaved: {
    en: "History is not being saved: something went wrong. The conversation goes on in memory.",
    zh: "历史记录未能保存：出了问题。对话在内存中继续。",
  },
  keptUnsavedCode: {
    en: "History is not being saved: the disk reports {code}. The conversation goes on in memory.",
    zh: "历史记录未能保存：磁盘报告 {code}。对话在内存中继续。",
  },
  keptUnsavedMuch: {
    en: "History isn't being saved: the disk is too slow. New messages won't be kept.",
    zh: "历史记录未保存：磁盘太慢。新消息将不会保留。",
  },
  keptSent: {
    en: "Queued questions were damaged. Ask them again. A copy of the file was kept.",
    zh: "排队的问题曾损坏。请重新提问。已保留文件的副本。",
  },
  keptChanges: {
    en: "Proposed changes were damaged and can't be accepted any more. Ask for them again. A copy of the file was kept.",
    zh: "提议的更改曾损坏，无法再接受。请重新提出请求。已保留文件的副本。",
  },
  keptUnreadableFull: {
    en: "This conversation cannot be read: the disk is full.",
    zh: "无法读取此对话：磁盘已满。",
  },
  keptUnreadableRefused: {
    en: "This conversation cannot be read: its folder refuses access.",
    zh: "无法读取此对话：其文件夹拒绝访问。",
  },
  keptUnreadableOpen: {
    en: "This conversation cannot be read: too many files are open.",
    zh: "无法读取此对话：打开的文件过多。",
  },
  keptUnreadable: {
    en: "This conversation cannot be read: something went wrong.",
    zh: "无法读取此对话：出了问题。",
  },
  keptUnreadableCode: {
    en: "This conversation cannot be read: the disk reports {code}.",
    zh: "无法读取此对话：磁盘报告 {code}。",
  },
  keptNoBundle: { en: "This file is not an exported conversation.", zh: "此文件不是导出的对话。" },
  keptLargeBundle: {
    en: "This file is too large to be an exported conversation.",
    zh: "此文件过大，不可能是导出的对话。",
  },
  keptDamagedBundle: {
    en: "This exported conversation is damaged and was not imported.",
    zh: "这个导出的对话已损坏，未导入。",
  },
  keptNewerBundle: {
    en: "This conversation was exported by a newer version of Patchbay.",
    zh: "此对话由更新版本的 Patchbay 导出。",
  },
  keptNoPlace: { en: "This place in the conversation no longer exists.", zh: "对话中的这个位置已不存在。" },
  keptGone: { en: "This conversation no longer exists.", zh: "此对话已不存在。" },
  keptClosed: { en: "This conversation has been closed.", zh: "此对话已关闭。" },
  keptInUse: {
    en: "This conversation is open in another window: close it there, then delete it.",
    zh: "此对话已在另一个窗口中打开：请先在那里关闭，再删除。",
  },
  keptNoName: { en: "This is not the name of a conversation.", zh: "这不是对话的名称。" },
  usageDamaged: {
    en: "Damaged lines of the usage history were skipped: {lines}. A copy of the file was kept.",
    zh: "已跳过用量历史中损坏的行：{lines}。已保留文件的副本。",
  },
  usageUnsavedMuch: {
    en: "Usage isn't being saved: the disk is too slow. New usage won't be recorded.",
    zh: "用量未保存：磁盘太慢。新的用量将不会记录。",
  },
  receiptsDamaged: {
    en: "Damaged receipts were skipped: {lines}. A copy of the file was kept.",
    zh: "已跳过损坏的回执：{lines}。已保留文件的副本。",
  },
  uploadsDamaged: {
    en: "The list of uploaded files was damaged (files left: {left}). A copy of it was kept.",
    zh: "已上传文件的列表曾损坏（剩余 {left} 个文件）。已保留其副本。",
  },
  uploadsInUse: {
    en: "Another window is changing the list of uploaded files; try again.",
    zh: "另一个窗口正在更改已上传文件列表；请重试。",
  },
  uploadsNewer: {
    en: "The list of uploaded files was written by a newer version of Patchbay.",
    zh: "已上传文件列表由更新版本的 Patchbay 写入。",
  },
});
