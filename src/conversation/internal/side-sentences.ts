// Sentences about turns outside of a conversation: several tries at one question, of which one is taken.
import { englishOf } from "../../util/sentences.ts";

export const sides = englishOf({
  sideBusy: {
    en: "A response is running here. Stop it, or wait until it has ended.",
    zh: "此处正在生成响应。请停止它，或等待其结束。",
  },
  sideFilesChanged: {
    en: "The files have changed since, so this doesn't fit any more. Nothing was taken.",
    zh: "文件此后已更改，因此不再匹配。未采用任何内容。",
  },
});
