// What the core says went wrong, in the reader's language: its common sentences are known again by their form; what is
// not among them stays as it came. What the service said stays its own.
import { fillHoles, knowSentences, patternOf } from "../core/conversation/known-sentences.ts";

/** Each is the beginning of a sentence of core/api/errors.ts or said.ts; what follows it is the service's. */
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
  problemSize: "The reply was too large and was cut off.",
  problemWaited: "The service waited too long for the request (408).",
  problemNotHttp: "What answers at the base address does not speak HTTP.",
  problemProxyLogin: "The proxy asks for a login (407).",
  problemProxy: "The proxy refused the connection ({code}).",
  problemProxySetting: "The proxy setting is not a valid address.",
  problemAgreed: "No more requests were agreed to.",
  problemKeyLost: "The API key could not be read from where it is kept.",
  problemAddressChanged: "The base address was changed while this request waited; it was not sent again.",
  problemElsewhere: "This conversation is open in another window and can only be read here.",
  problemNewer: "This conversation was written by a newer version of Patchbay and can only be read here.",
  problemBroken: "This conversation is damaged and cannot be repaired right now, so it can only be read.",
  problemPicture: "This holds a picture, and you have set that {model} takes none.",
  problemWindow:
    "This and what goes with it are about {tokens} tokens, more than the context window of {limit} that you have set for {model}.",
  problemKey: "The service refused the API key (401).",
  problemForbidden: "The API key is not allowed to do this (403)",
  problemQuota: "The service refused the request because of the account's quota ({status})",
  problemNotFound: "The service did not find it (404)",
  problemTooLarge: "The request is too large for the service ({status})",
  problemBusy: "The service is busy (429)",
  problemServer: "Server error {status}",
  problemNoConnection: "No connection to the service in {time}.",
  problemNoAnswer: "The service did not answer in {time}.",
  problemNoData: "The service sent no data for {time}.",
} as const;

export const tryAgainAt = "Try again at {time}.";

type Key = keyof typeof problemSentences;

const keys = new Map(Object.entries(problemSentences).map(([key, sentence]) => [sentence as string, key]));
const all = [...keys.keys()];
const know = knowSentences({
  whole: all.filter((sentence) => sentence.endsWith(".")),
  begun: all.filter((sentence) => !sentence.endsWith(".")),
});
const ending = new RegExp(` ${patternOf(tryAgainAt)}$`, "u");

export interface Translation {
  readonly sentences: Readonly<Record<Key | "tryAgainAt", string>>;
  /** "30 seconds", "5 minutes" */
  time(amount: number, unit: "seconds" | "minutes"): string;
}

/** The message in other words; the same message if its form is not known. */
export function translated(message: string, { sentences, time }: Translation): string {
  const later = ending.exec(message);
  const known = know(later === null ? message : message.slice(0, later.index));
  if (known === undefined) return message;
  const { sentence, holes, rest } = known;
  const values = { ...holes, ...(holes["time"] && { time: inWords(holes["time"]) }) };
  const told = fillHoles(sentences[keys.get(sentence) as Key], values) + rest;
  return later === null ? told : `${told} ${fillHoles(sentences.tryAgainAt, later.groups ?? {})}`;

  function inWords(text: string): string {
    const [, amount, unit] = /^(\d+) (seconds|minutes)$/.exec(text) ?? [];
    return unit === "seconds" || unit === "minutes" ? time(Number(amount), unit) : text;
  }
}
