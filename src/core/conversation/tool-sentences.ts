// How a call of a tool went, for people: the core's sentences, known again by their form. Most are written for the model,
// which reads them in English; the page says the same in the reader's language.

/** What run-call.ts of core/turn says, and tool.ts and its neighbours in core/tools. */
export const toolSentences = {
  toolAsks: "This tool asks before it runs.",
  toolChanged:
    "This tool is new, or has changed since it was allowed. Once accepted, it runs without asking.",
  toolUntrusted: "This workspace is not trusted, so no tool may look at it or change it.",
  toolAgain: "The model asks for exactly this again and again.",
  toolUnknown: 'There is no tool named "{name}". There are: {names}.',
  toolOff: "The user has switched {name} off.",
  toolTooMany: "Only {count} calls are run at a time; this one was not. Call it again if it matters.",
  toolHalf: "This call did not arrive whole, so nothing was done. Call it again.",
  toolDeclined: "The user declined this call.",
  toolSlow: "{name} took longer than {seconds} seconds and was ended.",
  toolBroken: "The tool failed with an error of its own; nothing can be said about its result.",
  toolNoJson: "The arguments of {name} are not valid JSON. Nothing was done; call it again.",
  toolNoObject: "The arguments of {name} are not a JSON object. Nothing was done; call it again.",
  toolNoFit: "The arguments of {name} do not fit: {problem}. Nothing was done.",
  toolNoQuery: "The query is empty.",
  toolNoRegex: '"{query}" is not a regular expression.',
  toolSearchBroken: 'The search for "{query}" could not be run.',
  toolQueryLong: "The query is longer than {most} characters; use a shorter one.",
  toolRegexSlow: 'The regular expression "{query}" takes too long; use a simpler one.',
  toolPattern: 'The pattern "{pattern}" cannot be read.',
  toolPatchEmpty: "The patch is empty. Nothing was done.",
  toolPatchMoving: "The files kept changing while the patch was reviewed. Nothing was changed.",
  toolOneMatch: "1 match in 1 file",
  toolMatchesInOne: "{count} matches in 1 file",
  toolMatches: "{count} matches in {files} files",
  toolOneFile: "1 file",
  toolFiles: "{count} files",
  toolOneProblem: "1 problem",
  toolProblemCount: "{count} problems",
  toolLines: "{path}, lines {first}–{last}",
  toolLinesToEnd: "{path}, lines {first}–end",
  toolAllFiles: "all files",
  toolFailedSaying: "{name} failed: {problem}",
} as const;

/** What a person gave as the reason stands behind the sentence. */
export const toolTheySaid = "They said: {reason}";
