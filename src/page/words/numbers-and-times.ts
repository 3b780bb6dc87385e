// Formats numbers and times in the user's language. Imports no strings, so that the strings can contain numbers.

const language = readLanguage();

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

/** Removes the direction marks that some languages put between numbers: the page would write them out. */
const written = (format: Intl.DateTimeFormat, date: Date): string =>
  format.format(date).replace(/[\u061C\u200E\u200F]/g, "");

/** In machine-readable form. */
export const isoTimeOf = (at: number): string => dateOf(at).toISOString();

/** A number that is no valid time (a damaged record) must not prevent a conversation from being shown. */
function dateOf(at: number): Date {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? new Date(0) : date;
}

/** VS Code has its own names for display languages ("zh-cn", "qps-ploc"); an unknown one is formatted like English. */
function readLanguage(): string {
  try {
    return Intl.getCanonicalLocales(document.documentElement.lang)[0] ?? "en";
  } catch {
    return "en";
  }
}
