// A sentence of the core in the reader's language, as far as it is known; what the service said stays as it came. Pure.
import { fillHoles, knowSentences, patternOf } from "../core/conversation/known-sentences.ts";
import { coreSentences, tryAgainAt } from "./core-sentences.ts";
import { inWords, type Translate } from "./figures.ts";

const know = knowSentences(coreSentences);
const later = new RegExp(` ${patternOf(tryAgainAt)}$`, "u");

export function said(message: string, t: Translate, language: string): string {
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
