// Sentences of the core by their form, each under the key of the reader's word for it: what a list of them makes of a
// message. What stands in a hole called "why" is looked up in the same list. Pure.
import { fillHoles, knowSentences } from "./known-sentences.ts";

export type Words<Key extends string> = Readonly<Record<Key, string>>;
export type Said<Key extends string> = (message: string, words: Words<Key>) => string;

/** The message in other words; the same message if its form is not known. */
export function sayingInWords<Key extends string>(sentences: Words<Key>): Said<Key> {
  const keys = new Map<string, Key>();
  for (const key in sentences) keys.set(sentences[key], key);
  const know = knowSentences({ whole: [...keys.keys()], begun: [] });
  return function say(message, words): string {
    const known = know(message);
    const key = known && keys.get(known.sentence);
    if (known === undefined || key === undefined) return message;
    const { why, ...holes } = known.holes;
    // Several reasons stand one after the other.
    const reasons = why?.split("; ").map((reason) => say(reason, words));
    return fillHoles(words[key], { ...holes, ...(reasons && { why: reasons.join("; ") }) });
  };
}
