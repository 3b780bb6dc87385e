// What became of patches and calls of tools, in the reader's language: the core's sentences for people, known again by
// their form. What is not among them stays as it came. Pure.
import { cautionSentences } from "./caution-sentences.ts";
import { fileReasons, fileSentences } from "./file-sentences.ts";
import { fillHoles } from "./known-sentences.ts";
import { sayingInWords, type Words } from "./said-in-words.ts";
import { toolSentences, toolTheySaid } from "./tool-sentences.ts";

/** What explain.ts and explain-hunk.ts of core/patch say, and review-patch.ts and its neighbours in core/tools. */
export const patchSentences = {
  patchHunkAppliedMore: "Hunk {number} of {path} looks already applied at lines {lines} and {count} more.",
  patchHunkOutsideMore:
    "Hunk {number} of {path} fits lines {lines} and {count} more, but that is not below its '@@' line.",
  patchHunkSeveralMore: "Hunk {number} of {path} fits several places: lines {lines} and {count} more.",
  patchHunkApplied: "Hunk {number} of {path} looks already applied at line {line}.",
  patchHunkAppliedAt: "Hunk {number} of {path} looks already applied at lines {lines}.",
  patchHunkNowhere: "Hunk {number} of {path} fits nowhere: none of its lines are in the file.",
  patchHunkNearest: "Hunk {number} of {path} fits nowhere: the nearest place differs at line {line}.",
  patchHunkAnchor: "Hunk {number} of {path} belongs below {anchor}, which is not in the file.",
  patchHunkOutside: "Hunk {number} of {path} fits line {line}, but that is not below its '@@' line.",
  patchHunkOutsideAt: "Hunk {number} of {path} fits lines {lines}, but that is not below its '@@' line.",
  patchHunkSeveral: "Hunk {number} of {path} fits several places: lines {lines}.",
  patchHunkEntangled: "Hunk {number} of {path} changes the same lines as hunk {other}.",
  patchHunkIndentation:
    "Hunk {number} of {path} fits line {line} only with other indentation, and how deep its new lines belong is not certain.",
  patchHunkSpelling:
    "Hunk {number} of {path} fits line {line} only by characters that look alike, and which of them its new lines keep is not certain.",
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
  patchPlaceholder: "The edit to {path} has a placeholder in place of code.",
  patchOneMore: "One more hunk of {path} cannot be placed either.",
  patchMore: "{count} more hunks of {path} cannot be placed either.",
  patchSpaces: "Spaces at line ends differ from the file.",
  patchWhite: "White space differs from the file.",
  patchLookAlike: "Some characters only look like those of the file.",
  patchFormat: "Format corrected: {why}.",
  patchOneLeftOut: "One change of this patch does not fit and is left out.",
  patchLeftOut: "{count} changes of this patch do not fit and are left out.",
  patchStale: "The files have changed meanwhile; please look again.",
  patchDivided: "You have edited {names} in the review, so it can only be taken or rejected as a whole.",
  patchEdited: "You edited {names} before you accepted it.",
  patchUnkept: "What these files are now could not be kept, so the edits cannot be taken back later: {why}",
  patchAndOne: "(and 1 more problem)",
  patchAndMore: "(and {count} more problems)",
  patchAsItIs: "The patch was refused.",
} as const;

/** What stands in them behind a colon. */
export const patchReasons = {
  whyLong: "it is longer than 1 MiB",
  whyFiles: "it names more than 200 files",
  whyHunks: "it has more than 2,000 hunks",
  whyBegin: "the first line of the patch must be '*** Begin Patch'",
  whyEnd: "the last line of the patch must be '*** End Patch'",
  whyAfterEnd: "nothing may follow '*** End Patch'",
  whyNoFile: "it names no file",
  whyNoJson: "this is not JSON with one patch in it",
  whySection: "a file section must begin here",
  whyNoHunk: "the update has no hunk",
  whyNoPath: "the path is missing",
  whyNoPlus: "every line of a new file needs its '+', an empty one too",
  whyNoSign: "a line of a hunk must begin with ' ', '-', '+' or '@@'",
  whyAfterFile: "no line may follow '*** End of File'",
  whyNoLines: "the hunk has no lines",
  whyIsFolder: "it is a folder",
  whyOther: "it is neither a file nor a folder",
  whyLarge: "it is larger than 5 MB",
  whyReadOnly: "it is read-only",
  whyFull: "This conversation keeps as many bytes of files as it may.",
  whyNotText: "it is not a text file",
  whyLines: "it has more than 300,000 lines",
  whyLink: "it is a link",
  whyUnder: "a part of its path is a file",
  whyLinkTo: "it is a link, and what it points to would stay",
  whyOntoItself: "it would be moved onto itself",
  whyRound: "the moves go round in a circle",
  whySamePatch: "the same patch adds it",
  whyAlike: "too many of its lines are alike to place this many hunks",
  whyTogether: "other changes that it goes with do not fit",
  whyProse: "text around the patch was ignored",
  whyWrapped: "the patch was unwrapped",
  whyDecorated: "decorated markers were accepted",
  whyBeginMissing: "the begin marker was missing",
  whyEndMissing: "the end marker was missing",
  whyEnvelopes: "several patches were combined",
  whyEnvironment: "an environment line was ignored",
  whyGitHeaders: "Git headers were ignored",
  whyNewline: "a remark about the last line break was ignored",
  whyNoBlanks: "context lines had no leading space",
  whyNumbers: "line numbers were removed",
  whyUnchanged: "a hunk without changes was skipped",
  whyAbsolutePath: "the path was absolute",
  whyDotted: "the path contained '..'",
  whyQuoted: "the path was quoted",
  whyPrefixed: "the path had a Git prefix",
  whyCase: "only the letter case of the name changes",
  whyItself: "the file keeps its name",
} as const;

const sentences = {
  ...patchSentences,
  ...patchReasons,
  ...fileSentences,
  ...fileReasons,
  ...cautionSentences,
  ...toolSentences,
};
type Key = keyof typeof sentences;

const say = sayingInWords<Key>(sentences);
/** Of several problems the first is told in words. */
const others = / \(and (?<count>\d+) more problems?\)\.$/u;
const theySaid = / They said: (?<reason>.*)$/su;

export type PatchWords = Words<Key | "toolTheySaid">;

/** All of them as this translates them. */
export const patchWords = (t: (english: string) => string): PatchWords =>
  Object.fromEntries(
    Object.entries({ ...sentences, toolTheySaid }).map(([key, sentence]) => [key, t(sentence)]),
  ) as PatchWords;

export function patchInWords(message: string, words: PatchWords): string {
  const why = theySaid.exec(message);
  if (why !== null)
    return `${say(message.slice(0, why.index), words)} ${fillHoles(words.toolTheySaid, why.groups ?? {})}`;
  const count = others.exec(message)?.groups?.["count"];
  if (count === undefined) return say(message, words);
  const rest = fillHoles(count === "1" ? words.patchAndOne : words.patchAndMore, { count });
  return say(message.replace(others, "."), words).replace(/[.。]?$/u, (end) => ` ${rest}${end}`);
}
