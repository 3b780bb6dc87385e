// Numbers and times as people read them: short where there is little room, whole where there is, in words for screen
// readers.

/** `vscode.l10n.t`, or a stand-in where there is no editor. */
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

/** 320 ms, 3.2 s, 4 min 10 s. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** "5 minutes ago". */
export function ago(then: number, language: string, now = Date.now()): string {
  const words = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });
  const minutes = Math.round((then - now) / 60_000);
  if (minutes > -60) return words.format(Math.min(0, minutes), "minute");
  if (minutes > -24 * 60) return words.format(Math.round(minutes / 60), "hour");
  return words.format(Math.round(minutes / (24 * 60)), "day");
}
