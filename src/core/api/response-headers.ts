// What the headers of a response say beside its body: the request ID, when to ask again. The interface names none of them;
// these are what servers and the proxies before them commonly send. Pure.
import type { HeaderReader } from "./fault.ts";

/** For the service's support: looked at, never needed. */
const requestIdHeaders = ["x-request-id", "request-id", "x-trace-id"];

export const requestIdOf = (headers: HeaderReader): string | undefined =>
  requestIdHeaders.map(headers).find((value) => value !== undefined && value !== "");

export const forbidsRetry = (headers: HeaderReader): boolean =>
  headers("x-should-retry")?.trim().toLowerCase() === "false";

/** Milliseconds. */
export function waitInHeaders(headers: HeaderReader, now: number): number | undefined {
  const milliseconds = positiveNumber(headers("retry-after-ms"));
  if (milliseconds !== undefined) return milliseconds;
  const text = headers("retry-after")?.trim() ?? "";
  const seconds = positiveNumber(text);
  if (seconds !== undefined) return seconds * 1000;
  if (!/[a-z]/i.test(text)) return undefined;
  // Measured against the service's own clock where it tells it, since ours or its may be wrong.
  const sent = Date.parse(headers("date") ?? "");
  const wait = Date.parse(text) - (Number.isNaN(sent) ? now : sent);
  return wait > 0 ? wait : undefined;
}

/** Zero says nothing that our own delay does not respect. */
export function positiveNumber(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d+(\.\d+)?$/.test(text.trim())) return undefined;
  const value = Number(text);
  return value > 0 && Number.isFinite(value) ? value : undefined;
}
