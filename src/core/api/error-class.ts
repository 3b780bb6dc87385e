// What the service's own words for an error say about repeating it. Statuses decide first, everywhere else;
// requirements M2 allows these words no other use.
import type { ServiceError } from "./reply-reader.ts";
import { errorWords } from "./unspecified.ts";

export type ErrorClass = "busy" | "server" | "quota" | "too-long";

/** Those that are about money, and an error inside a stream, which has none. */
const moneyStatuses: ReadonlySet<number | undefined> = new Set([402, 403, 429, undefined]);

export function errorClass(
  words: ServiceError | undefined,
  status: number | undefined,
): ErrorClass | undefined {
  if (words === undefined) return undefined;
  for (const word of [words.code, words.type]) {
    if (word === undefined) continue;
    if (errorWords.quota.has(word)) return "quota";
    if (errorWords.tooLong.has(word)) return "too-long";
    if (errorWords.busy.has(word)) return "busy";
    if (errorWords.server.has(word) || /^5\d\d$/.test(word)) return "server";
  }
  if (moneyStatuses.has(status) && errorWords.quotaText.test(words.message)) return "quota";
  return errorWords.tooLongText.test(words.message) ? "too-long" : undefined;
}

/** Said in a stream of status 200, where a 400 was due. */
export const isRefusal = ({ code, type }: ServiceError): boolean =>
  [code, type].some((word) => word !== undefined && errorWords.refused.has(word));
