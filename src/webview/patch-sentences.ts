// Why a patch or a part of it does not fit, in the reader's language: the core's sentences for people, known again by
// their form. What is not among them stays as it came. Pure.
import { fillHoles } from "../core/conversation/known-sentences.ts";
import { sayingInWords } from "./said-in-words.ts";

/** What explain.ts and explain-hunk.ts of core/patch say, and review-patch.ts and its neighbours in core/tools. */
export const patchSentences = {
  patchHunkApplied: "Hunk {number} of {path} looks already applied at line {line}.",
  patchHunkAppliedAt: "Hunk {number} of {path} looks already applied at lines {lines}.",
  patchHunkNowhere: "Hunk {number} of {path} fits nowhere: none of its lines are in the file.",
  patchHunkNearest: "Hunk {number} of {path} fits nowhere: the nearest place differs at line {line}.",
  patchHunkAnchor: "Hunk {number} of {path} belongs below {anchor}, which is not in the file.",
  patchHunkOutside: "Hunk {number} of {path} fits line {line}, but that is not below its '@@' line.",
  patchHunkOutsideAt: "Hunk {number} of {path} fits lines {lines}, but that is not below its '@@' line.",
  patchHunkSeveral: "Hunk {number} of {path} fits several places: lines {lines}.",
  patchHunkEntangled: "Hunk {number} of {path} changes the same lines as hunk {other}.",
  patchHunkNoPlace: "Hunk {number} of {path} only adds lines and does not say where.",
  patchUnreadable: "The patch cannot be read: {why} (line {line}).",
  patchTooLarge: "The patch is too large: {why}.",
  patchNotAllowed: "The patch names {path}, which is not allowed: {why}.",
  patchSame: "{path} already exists with this content: the patch looks already applied.",
  patchExists: "{path} already exists and would be overwritten.",
  patchAlike: "{path} does not exist; there is {alike}.",
  patchMissing: "{path} does not exist.",
  patchFile: "{path} cannot be patched: {why}.",
  patchNoChange: "The patch would leave {path} as it is.",
  patchOneMore: "One more hunk of {path} cannot be placed either.",
  patchMore: "{count} more hunks of {path} cannot be placed either.",
  patchSpaces: "Spaces at line ends differ from the file.",
  patchWhite: "White space differs from the file.",
  patchLookAlike: "Some characters only look like those of the file.",
  patchOneLeftOut: "One change of this patch does not fit and is left out.",
  patchLeftOut: "{count} changes of this patch do not fit and are left out.",
  patchStale: "The files have changed meanwhile; please look again.",
  patchDivided: "You have edited {names} in the review, so it can only be taken or rejected as a whole.",
  patchEdited: "You edited {names} before you accepted it.",
  patchUnkept: "What these files are now could not be kept, so the edits cannot be taken back later: {why}",
  patchAndOne: "(and 1 more problem)",
  patchAndMore: "(and {count} more problems)",
  toolAsks: "This tool asks before it runs.",
  toolUntrusted: "This workspace is not trusted, so no tool may look at it or change it.",
  toolAgain: "The model asks for exactly this again and again.",
} as const;

/** What stands in them behind a colon. */
export const patchReasons = {
  whyLong: "it is longer than 1 MiB",
  whyFiles: "it names more than 200 files",
  whyHunks: "it has more than 2,000 hunks",
  whyUpwards: "it leads upwards with '..'",
  whyAbsolute: "it is absolute; paths are relative to the open folder",
  whyDrive: "it names a drive; paths are relative to the open folder",
  whyAddress: "it is an address, not a path",
  whyFolder: "it names a folder",
  whyNoFolder: "no folder is open",
  whyGit: "it lies in Git's own folder",
  whyOut: "it leads out of the folder through a link",
  whyGuarded: "it lies in a place that patches may not touch",
  whyNotebook: "notebooks are edited cell by cell, not as text",
  whyNotText: "it is not a text file",
  whyLines: "it has more than 300,000 lines",
  whyLink: "it is a link",
  whyUnder: "a part of its path is a file",
  whyTogether: "other changes that it goes with do not fit",
} as const;

type Key = keyof typeof patchSentences | keyof typeof patchReasons;

const say = sayingInWords<Key>({ ...patchSentences, ...patchReasons });
/** Of several problems the first is told in words. */
const others = / \(and (?<count>\d+) more problems?\)\.$/u;

export function patchInWords(message: string, words: Readonly<Record<Key, string>>): string {
  const count = others.exec(message)?.groups?.["count"];
  if (count === undefined) return say(message, words);
  const rest = fillHoles(count === "1" ? words.patchAndOne : words.patchAndMore, { count });
  return say(message.replace(others, "."), words).replace(/[.。]?$/u, (end) => ` ${rest}${end}`);
}
