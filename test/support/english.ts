// What the product says as data, in English, for tests that look at the words; and words of a test as such data.

import { inEnglish } from "../../src/conversation/english.ts";
import { type Message, message } from "../../src/conversation/messages.ts";
import { type Problem, sentencesOf } from "../../src/conversation/problem.ts";

type Several = readonly Message[];

/** Nothing of nothing; several, and all sentences of a problem, one behind the other. */
export function english(what: Message | Several | Problem | undefined): string {
  if (what === undefined) return "";
  if (isSeveral(what)) return what.map(inEnglish).join(" ");
  return "code" in what ? inEnglish(what) : english(sentencesOf(what));
}

const isSeveral = (what: Message | Several | Problem): what is Several => Array.isArray(what);

export const verbatim = (text: string): Message => message("verbatim", { text });

/** The editor's own sentences as they are written, with what fills them. */
export const words = {
  t: (sentence: string, ...holes: (string | number)[]) =>
    sentence.replace(/\{(\d)\}/g, (_, at) => String(holes[Number(at)])),
  language: "en",
};
