// Sentences about turns outside of a conversation: several tries at one question, of which one is taken.
import { englishOf } from "../../util/sentences.ts";

export const sides = englishOf({
  sideBusy: {
    en: "A response is running here. Stop it, or wait until it has ended.",
    zh: "此处正在生成回复。请停止它，或等它结束。",
  },
  sideMovedOn: {
    en: "The conversation has gone on since. Nothing was taken.",
    zh: "对话此后已继续。未采用任何内容。",
  },
  sideMovedOnUnasked: {
    en: "The conversation has gone on since, so nothing was asked. Try the question again there.",
    zh: "对话此后已继续，因此未提问。请在那里重新尝试该问题。",
  },
  sideGrown: {
    en: "It would now send about {tokens} tokens, more than you agreed to, so nothing was asked. Try Again sends it.",
    zh: "现在将发送约 {tokens} 个 token，多于你同意的数量，因此未提问。选择“重试”即发送。",
  },
  sideLeaving: {
    en: "The conversation is being closed or handed over in this window. Nothing was taken.",
    zh: "此窗口正在关闭或移交该对话。未采用任何内容。",
  },
  sideFilesChanged: {
    en: "The files have changed since, so this doesn't fit any more. Nothing was taken.",
    zh: "文件此后已更改，因此不再匹配。未采用任何内容。",
  },
  sideNothing: {
    en: "This try has ended without anything that could be taken.",
    zh: "此尝试已结束，没有可采用的内容。",
  },
  sideRuns: {
    en: "A try whose change you have chosen isn't over. Nothing was taken.",
    zh: "你所选更改所属的尝试尚未结束。未采用任何内容。",
  },
  sideUnasked: {
    en: "It wasn't asked, because something has to be confirmed first. Send the question as usual.",
    zh: "未提问，因为需要先确认某些内容。请照常发送该问题。",
  },
  sideSpent: {
    en: "Not asked: together the tries have used your limit of {limit} tokens.",
    zh: "未提问：各次尝试合计已用完你设置的 {limit} 个 token 的上限。",
  },
  sideCutOff: {
    en: "It was cut off when its window was closed.",
    zh: "关闭其窗口时被中断。",
  },
});
