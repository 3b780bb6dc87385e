// Edits of a model whose interface has no tools: told of in its instructions, proposed as one patch in the text of an answer.
// Exactly one whole patch counts, in a code block or bare; anything else is explained, never guessed at. Pure.
import { type Message, message } from "../messages/message.ts";

const begin = "*** Begin Patch";
const end = "*** End Patch";

export const textPatchInstructions = [
  "You can propose changes to files that you have been shown. Put exactly one patch into your answer, whole, in one fenced code block, for all files together:",
  "```patch",
  begin,
  "*** Update File: path/of/a/file.ts",
  "@@ name of the function or class around it",
  " an unchanged line",
  "-a line as it is now",
  "+the line as it should be",
  " an unchanged line",
  "*** Add File: path/of/a/new/file.ts",
  "+its first line",
  "*** Delete File: path/of/an/old/file.ts",
  end,
  "```",
  "In an update give about three unchanged lines before and after each change, exactly as they are in the file, without line numbers. The user reviews every change; nothing is in the files until they accept it. Where nothing has to change, write no patch.",
].join("\n");

/** What is said to a model whose patch was refused, behind why. */
export const patchAgain =
  "Write the whole patch once more, corrected, in one block, with what you have changed about it in one sentence before.";

export type TextPatch =
  | { readonly kind: "none" }
  | { readonly kind: "patch"; readonly patch: string }
  | { readonly kind: "refused"; readonly why: Message };

/** What an answer that has come to its end proposes. */
export function patchIn(text: string): TextPatch {
  const lines = text.split(/\r?\n/);
  const begins = lines.flatMap((line, index) => (line.trim() === begin ? [index] : []));
  const [from] = begins;
  if (from === undefined) return { kind: "none" };
  if (begins.length > 1) return { kind: "refused", why: message("patchSeveral") };
  const to = lines.findIndex((line, index) => index > from && line.trim() === end);
  if (to < 0) return { kind: "refused", why: message("patchNoEnd") };
  return { kind: "patch", patch: lines.slice(from, to + 1).join("\n") };
}
