// A sentence of the core in the reader's language, as far as it is known; what the service said stays as it came. Pure.
import { fillHoles, knowSentences, patternOf, type Sentences } from "../core/conversation/known-sentences.ts";
import { coreSentences, tryAgainAt } from "./core-sentences.ts";
import { inWords, type Translate } from "./figures.ts";

type Say = (message: string, t: Translate, language: string) => string;

const later = new RegExp(` ${patternOf(tryAgainAt)}$`, "u");

/** What says the sentences of such a list. */
export function saying(sentences: Sentences): Say {
  const know = knowSentences(sentences);
  return (message, t, language) => inOtherWords(message, know, t, language);
}

export const said = saying(coreSentences);

function inOtherWords(
  message: string,
  know: ReturnType<typeof knowSentences>,
  t: Translate,
  language: string,
): string {
  const again = later.exec(message);
  const known = know(again === null ? message : message.slice(0, again.index));
  if (known === undefined) return message;
  const { sentence, holes, rest } = known;
  const { time } = holes;
  const told = fillHoles(t(sentence), { ...holes, ...(time && { time: timeInWords(time, language) }) });
  return `${told}${rest}${again === null ? "" : ` ${fillHoles(t(tryAgainAt), again.groups ?? {})}`}`;
}

function timeInWords(time: string, language: string): string {
  const [, amount, unit] = /^(\d+) (seconds|minutes)$/.exec(time) ?? [];
  if (unit === undefined) return time;
  return inWords(Number(amount) * (unit === "minutes" ? 60_000 : 1000), language);
}
