// How long something took, in the user's language.
import { exact } from "./numbers-and-times.ts";
import { fill, words } from "./words.ts";

export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return fill(words.seconds, { count: exact(seconds) });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return fill(words.minutes, { minutes: exact(minutes), seconds: exact(seconds % 60) });
  return fill(words.hours, { hours: exact(Math.floor(minutes / 60)), minutes: exact(minutes % 60) });
}
