// What the core says went wrong, in the reader's language: its common sentences are known again by their form; what is
// not among them stays as it came. What the service said stays its own.
import { fillHoles, knowSentences, patternOf } from "../core/conversation/known-sentences.ts";

/**
 * Each is a sentence of core/api/errors.ts, said.ts or retry.ts, or of core/turn; where it has no full stop, what follows
 * it is the service's.
 */
export const problemSentences = {
  problemRedirect: "The service's address redirects elsewhere ({status}); the redirect was refused.",
  problemReach: "Cannot reach {host} ({code}).",
  problemCertificate: "The certificate of {host} was not accepted ({code}).",
  problemHtml:
    "The answer is a web page (HTML), not the service; a sign-in page of the network may be in between.",
  problemCut: "The connection ended before the reply was complete.",
  problemEmpty: "The service sent an empty reply.",
  problemGibberish:
    "The service answered in a form that could not be understood; it may have charged for the answer.",
  problemDamaged: "The reply arrived damaged and was not finished.",
  problemBug: "Something went wrong inside the extension.",
  problemInside: "Something went wrong inside Patchbay; what had arrived is kept.",
  problemNothing: "The service answered with nothing.",
  problemCutOffFor: "The service cut the answer off: {reason}.",
  problemSize: "The reply was too large and was cut off.",
  problemWaited: "The service waited too long for the request (408).",
  problemNotHttp: "What answers at the base address does not speak HTTP.",
  problemProxyLogin: "The proxy asks for a login (407).",
  problemProxy: "The proxy refused the connection ({code}).",
  problemProxySetting: "The proxy setting is not a valid address.",
  problemAgreed: "No more requests were agreed to.",
  problemKeyLost: "The API key could not be read from where it is kept.",
  problemAddressChanged: "The base address was changed while this request waited; it was not sent again.",
  problemOneName:
    "Both identifiers are set to go as “{name}”; give one of them another name in the settings.",
  problemElsewhere: "This conversation is open in another window and can only be read here.",
  problemNewer: "This conversation was written by a newer version of Patchbay and can only be read here.",
  problemBroken: "This conversation is damaged and cannot be repaired right now, so it can only be read.",
  problemMended:
    "This conversation was damaged and has been repaired; turns that are left: {turns}. The damaged file is kept beside it.",
  problemCutShort:
    "The end of this conversation is missing from its file; turns that are left: {turns}. The file is kept beside it as it was found.",
  problemMissing:
    "The file with what was said in this conversation is missing; what is asked from here on is kept in a new one.",
  problemDraft:
    "The draft of this conversation was damaged; what is left of it is in the box. The damaged file is kept beside it.",
  problemAttached:
    "What was attached to the draft was damaged and has to be attached again. The damaged file is kept beside it.",
  problemUnsavedFull: "History is not being saved: the disk is full. The conversation goes on in memory.",
  problemUnsavedRefused:
    "History is not being saved: its folder refuses access. The conversation goes on in memory.",
  problemUnsavedOpen:
    "History is not being saved: too many files are open. The conversation goes on in memory.",
  problemUnsaved: "History is not being saved: something went wrong. The conversation goes on in memory.",
  problemUnsavedCode:
    "History is not being saved: the disk reports {code}. The conversation goes on in memory.",
  problemUnsavedMuch:
    "History is not being saved: too much waits for the disk. What is said from here on is not kept.",
  problemPicture: "This holds a picture, and you have set that {model} takes none.",
  problemWindow:
    "This and what goes with it are about {tokens} tokens, more than the context window of {limit} that you have set for {model}.",
  problemKey: "The service refused the API key (401).",
  problemForbidden: "The API key is not allowed to do this (403)",
  problemQuota: "The service refused the request because of the account's quota ({status})",
  problemNotFound: "The service did not find it (404)",
  problemSent: "The request is too large for the service ({status}; {size} KB were sent)",
  problemTooLarge: "The request is too large for the service ({status})",
  problemBusy: "The service is busy (429)",
  problemServer: "Server error {status}",
  problemNoConnection: "No connection to the service in {time}.",
  problemNoAnswer: "The service did not answer in {time}.",
  problemNoData: "The service sent no data for {time}.",
  problemUnfinished:
    "The service says that the reply is not finished ({status}), and offers no way to fetch it later.",
  problemBreakpoint:
    "The service refuses content that contains “prompt_cache_breakpoint” (400); remove the words or the attachment that holds them.",
  problemRefused: "The service refused the request ({status})",
  problemFailed: "The service could not finish the reply",
  problemStatus: "The reply ended with unknown status {reason}",
  problemEmptyMessage: "A message without content cannot be sent.",
  problemNothingToSend: "There is nothing to send.",
  problemOutput: "The output limit must be a whole number of tokens from {least} to {most}.",
  problemLimit: "The answer reached the output limit.",
  problemCutOff: "The service cut the answer off.",
  problemRepeats: "The model repeated tool calls that were answered already, and said nothing new.",
  problemSteps: "The model has used tools {steps} times in a row; let it continue if it is on the right way.",
  problemMuch:
    "The tools have brought in a lot that would be sent next; let the model continue if it is worth that.",
  waitingConnection: "The connection failed.",
  waitingProxy: "The proxy could not reach the service.",
  waitingTime: "No connection was made in time.",
  waitingAnswer: "The service did not answer.",
  waitingCut: "The reply was cut off before it began.",
  waitingEmpty: "The reply was empty.",
  waitingBusy: "The service is busy.",
  waitingStatus: "The service answered with {status}.",
} as const;

/** What may stand behind any of them. */
export const problemEndings = {
  tryAgainAt: "Try again at {time}.",
  holdsBreakpoint: "It holds the word “prompt_cache_breakpoint”, which the service does not take in content.",
  standsIn: "It stands in {names}.",
  foreignItems:
    "Part of what was said earlier was made with another key or at another address, and may not be readable with this one.",
  withoutPictures: "It may not take pictures here; send it without them, or to a chat model.",
} as const;

type Key = keyof typeof problemSentences;

const keys = new Map(Object.entries(problemSentences).map(([key, sentence]) => [sentence as string, key]));
const all = [...keys.keys()];
const know = knowSentences({
  whole: all.filter((sentence) => sentence.endsWith(".")),
  begun: all.filter((sentence) => !sentence.endsWith(".")),
});
const endings = (Object.keys(problemEndings) as (keyof typeof problemEndings)[]).map(
  (key) => [key, new RegExp(` ${patternOf(problemEndings[key])}$`, "u")] as const,
);

export interface Translation {
  readonly sentences: Readonly<Record<Key | keyof typeof problemEndings, string>>;
  /** "30 seconds", "5 minutes" */
  time(amount: number, unit: "seconds" | "minutes"): string;
}

/** The message in other words; the same message if its form is not known. */
export function translated(message: string, translation: Translation): string {
  const { sentences, time } = translation;
  for (const [key, form] of endings) {
    const found = form.exec(message);
    if (found === null) continue;
    return `${translated(message.slice(0, found.index), translation)} ${fillHoles(sentences[key], found.groups ?? {})}`;
  }
  const known = know(message);
  if (known === undefined) return message;
  const { sentence, holes, rest } = known;
  const values = { ...holes, ...(holes["time"] && { time: inWords(holes["time"]) }) };
  return fillHoles(sentences[keys.get(sentence) as Key], values) + rest;

  function inWords(text: string): string {
    const [, amount, unit] = /^(\d+) (seconds|minutes)$/.exec(text) ?? [];
    return unit === "seconds" || unit === "minutes" ? time(Number(amount), unit) : text;
  }
}
