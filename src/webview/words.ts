// The page's words in the user's language, and how numbers, times and durations are written in it.
import { english, type WordKey } from "./english.ts";

/** The host puts the dictionary into the page itself, so that the first thing drawn is already in the right words. */
const dictionary = readDictionary();
const language = readLanguage();

export const words: Readonly<Record<WordKey, string>> = Object.fromEntries(
  Object.entries(english).map(([key, sentence]) => [key, dictionary.get(sentence) ?? sentence]),
) as Record<WordKey, string>;

export function fill(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (hole, name: string) => values[name] ?? hole);
}

export function plural(count: number, one: string, other: string): string {
  return count === 1 ? one : fill(other, { count: exact(count) });
}

const numbers = new Intl.NumberFormat(language);
const oneDecimal = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat(language, { hour: "numeric", minute: "2-digit" });
const dayAndClock = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const full = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "medium" });

export const exact = (count: number): string => numbers.format(count);
export const tenths = (count: number): string => oneDecimal.format(count);

export function timeOf(at: number, now = Date.now()): string {
  const date = dateOf(at);
  const sameDay = date.toDateString() === new Date(now).toDateString();
  return written(sameDay ? clock : dayAndClock, date);
}

export const fullTimeOf = (at: number): string => written(full, dateOf(at));

/** Without the marks of direction that some languages put between the numbers: the page would write them out. */
const written = (format: Intl.DateTimeFormat, date: Date): string =>
  format.format(date).replace(/[\u061C\u200E\u200F]/g, "");

/** For machines. */
export const isoTimeOf = (at: number): string => dateOf(at).toISOString();

/** A number that is no time (a damaged record) must not keep a conversation from being shown. */
function dateOf(at: number): Date {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? new Date(0) : date;
}

export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return fill(words.seconds, { count: exact(seconds) });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return fill(words.minutes, { minutes: exact(minutes), seconds: exact(seconds % 60) });
  return fill(words.hours, { hours: exact(Math.floor(minutes / 60)), minutes: exact(minutes % 60) });
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

/** VS Code names its display language in its own way ("zh-cn", "qps-ploc"); an unknown one formats like English. */
function readLanguage(): string {
  try {
    return Intl.getCanonicalLocales(document.documentElement.lang)[0] ?? "en";
  } catch {
    return "en";
  }
}
