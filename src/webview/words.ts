// The page's words in the user's language.
import { english, type WordKey } from "./english.ts";
import { exact } from "./numbers-and-times.ts";

/** The host puts the dictionary into the page itself, so that the first thing drawn is already in the right words. */
const dictionary = readDictionary();

export const words: Readonly<Record<WordKey, string>> = Object.fromEntries(
  Object.entries(english).map(([key, sentence]) => [key, dictionary.get(sentence) ?? sentence]),
) as Record<WordKey, string>;

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
