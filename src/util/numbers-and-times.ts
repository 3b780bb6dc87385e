// Numbers, amounts and times in words: abbreviated where space is short, in full where it is not, in whole words for
// screen readers.

/** `vscode.l10n.t`, or a stand-in without an editor. */
export type Translate = (sentence: string, ...holes: (string | number)[]) => string;

/** 999, 1.2k, 48.2k, 3.1M. */
export function inShort(count: number): string {
  if (count < 1000) return String(count);
  // 999,950 would be 1000.0k.
  return count < 999_950 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

export const inDigits = (count: number, language: string, maximumFractionDigits = 0): string =>
  new Intl.NumberFormat(language, { maximumFractionDigits }).format(count);

/** "3 minutes, 10 seconds", in the editor's language. */
export function durationInWords(milliseconds: number, language: string): string {
  const seconds = Math.round(milliseconds / 1000);
  const counts = [
    [Math.floor(seconds / 3600), "hour"],
    [Math.floor((seconds % 3600) / 60), "minute"],
    [seconds % 60, "second"],
  ] as const;
  const parts = counts
    .filter(([count, unit]) => count > 0 || (unit === "second" && seconds < 60))
    .map(([count, unit]) =>
      new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count),
    );
  return new Intl.ListFormat(language, { type: "unit" }).format(parts);
}

/** Formats as 320 ms, 3.2 s, or 4 min 10 s. */
export function duration(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  // 59.96 would be 60.0 s, and 119.6 be 1 min 60 s.
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** "5 minutes ago". */
export function ago(then: number, language: string, now = Date.now()): string {
  const words = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });
  const minutes = Math.round((then - now) / 60_000);
  if (minutes > -60) return words.format(Math.min(0, minutes), "minute");
  if (minutes > -24 * 60) return words.format(Math.round(minutes / 60), "hour");
  return words.format(Math.round(minutes / (24 * 60)), "day");
}

/** Small sums keep two significant digits: 0.0042, not 0.00. */
export function formatAmount(amount: number, currency: string, language: string): string {
  const digits =
    amount === 0 || amount >= 1 ? 2 : Math.min(8, Math.max(2, 1 - Math.floor(Math.log10(amount))));
  const exactly = { minimumFractionDigits: 2, maximumFractionDigits: digits };
  try {
    return new Intl.NumberFormat(language, { style: "currency", currency, ...exactly }).format(amount);
  } catch {
    // Not a currency code but a word of the user's own.
    return `${new Intl.NumberFormat("en", exactly).format(amount)} ${currency}`;
  }
}
