// Sentences of the core by their form, each under the key of the page's word for it: what a list of them makes of a
// message. What stands in a hole called "why" is looked up in the same list. Pure.
import { fillHoles, knowSentences } from "../core/conversation/known-sentences.ts";

export type Said<Key extends string> = (message: string, words: Readonly<Record<Key, string>>) => string;

/** The message in other words; the same message if its form is not known. */
export function sayingInWords<Key extends string>(sentences: Readonly<Record<Key, string>>): Said<Key> {
  const keys = new Map<string, Key>();
  for (const key in sentences) keys.set(sentences[key], key);
  const know = knowSentences({ whole: [...keys.keys()], begun: [] });
  return function say(message, words): string {
    const known = know(message);
    const key = known && keys.get(known.sentence);
    if (known === undefined || key === undefined) return message;
    const { why, ...holes } = known.holes;
    return fillHoles(words[key], { ...holes, ...(why && { why: say(why, words) }) });
  };
}
