// What the product says as data, in English, for tests that look at the words; and words of a test as such data.
import { type Problem, sentencesOf } from "../../src/core/conversation/problem.ts";
import { inEnglish } from "../../src/core/messages/english.ts";
import { type Message, message } from "../../src/core/messages/message.ts";

type Several = readonly Message[];

/** Nothing of nothing; several, and all sentences of a problem, one behind the other. */
export function english(what: Message | Several | Problem | undefined): string {
  if (what === undefined) return "";
  if (isSeveral(what)) return what.map(inEnglish).join(" ");
  return "code" in what ? inEnglish(what) : english(sentencesOf(what));
}

const isSeveral = (what: Message | Several | Problem): what is Several => Array.isArray(what);

export const verbatim = (text: string): Message => message("verbatim", { text });
