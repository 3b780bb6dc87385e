// The page's strings in the user's language. english.ts has the English ones.
import { english, type WordKey } from "./english.ts";
import { exact } from "./numbers-and-times.ts";

/** The host embeds the dictionary in the page, so that the first drawing is already translated. */
const dictionary = readDictionary();

/** A sentence in the user's language, of a part that is loaded later. */
export const translated = (sentence: string): string => dictionary.get(sentence) ?? sentence;

export const strings: Readonly<Record<WordKey, string>> = Object.fromEntries(
  Object.entries(english).map(([key, sentence]) => [key, translated(sentence)]),
) as Record<WordKey, string>;

/** What the conversation calls a tool of ours; tools of others keep their names. */
export const toolWord = (
  tool: string,
  word: "toDo" | "done" | "step" | "stepTwice" | "stepOften",
): string | undefined => {
  const words: Readonly<Partial<Record<string, string>>> = strings;
  return words[`${tool}.${word}`];
};

export function fill(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (hole, name: string) => values[name] ?? hole);
}

export function plural(count: number, one: string, other: string): string {
  return count === 1 ? one : fill(other, { count: exact(count) });
}

function readDictionary(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let entries: unknown;
  try {
    entries = JSON.parse(document.body.dataset["dictionary"] ?? "{}");
  } catch {
    return found;
  }
  if (typeof entries !== "object" || entries === null) return found;
  for (const [sentence, translated] of Object.entries(entries)) {
    if (typeof translated === "string" && translated !== "") found.set(sentence, translated);
  }
  return found;
}
