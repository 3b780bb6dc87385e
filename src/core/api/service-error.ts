// An error in the service's own words: read from the body of a refusal or from a record, and what it says about repeating.
// The interface shows `{error: {message, type?, code?}}`; gateways send every other shape. HTML has no words for us. Pure.
import { asArray, asObject, asString, isObject, parseJson, writeJson } from "../util/json.ts";
import { looksLikeHtml, plainText } from "../util/plain-text.ts";
import { errorWords } from "./undocumented-names.ts";

/** What the service says went wrong, in its own words. */
export interface ServiceError {
  readonly message: string;
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
}

export const maxErrorBytes = 64 * 1024;
const maxWords = 2_000;

export function readErrorBody(body: string): ServiceError | undefined {
  const text = body.trim();
  if (text === "" || looksLikeHtml(text)) return undefined;
  const value = parseJson(text) ?? parseJson(dataOf(text));
  const error = value === undefined ? { message: messageOf(text) } : wordsOf(value);
  const message = plainText(error.message, maxWords);
  if (message === "" && error.code === undefined && error.type === undefined) return undefined;
  return { ...error, message };
}

/** The first line of a text; of half a document, the message if that had come. */
function messageOf(text: string): string {
  if (!text.startsWith("{")) return text.split("\n", 1)[0] ?? "";
  const [, quoted] = /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text) ?? [];
  return asString(parseJson(quoted ?? "")) ?? "";
}

/** Some refuse a stream in the form of a stream. */
const dataOf = (text: string): string => /^data:(.*)$/m.exec(text)?.[1] ?? "";

function wordsOf(value: unknown): ServiceError {
  if (Array.isArray(value) && isObject(value[0])) return wordsOf(value[0]);
  if (!isObject(value)) return { message: typeof value === "string" ? value : writeJson(value) };
  const detail = asArray(value["detail"]).map(asObject);
  const first = detail[0];
  // FastAPI: [{loc: ["body", "field"], msg}].
  if (first !== undefined) {
    const param = asArray(first["loc"])
      .filter((step) => step !== "body")
      .join(".");
    return { message: asString(first["msg"]) ?? "", ...(param === "" ? {} : { param }) };
  }
  const error = readServiceError(value);
  if (error.message !== "" || error.code !== undefined || error.type !== undefined) return error;
  const isEmpty = Object.keys(asObject(value["error"]) ?? value).every((key) => key === "message");
  return { message: isEmpty ? "" : writeJson(value) };
}

export type ErrorClass = "busy" | "server" | "quota" | "too-long";

/** Those that are about money, and an error inside a stream, which has none. */
const moneyStatuses: ReadonlySet<number | undefined> = new Set([402, 403, 429, undefined]);

/** Statuses decide first, everywhere else; requirements M2 allows these words no other use. */
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

/** Flat or nested, with numbers for codes, or a bare string. */
export function readServiceError(error: unknown): ServiceError {
  if (typeof error === "string") return { message: error };
  const outer = asObject(error) ?? {};
  const inner = asObject(outer["error"]) ?? outer;
  const found: { message: string; type?: string; code?: string; param?: string } = {
    message: asString(inner["message"]) ?? asString(inner["detail"]) ?? asString(outer["error"]) ?? "",
  };
  for (const key of ["type", "code", "param"] as const) {
    const value = inner[key];
    // The type of the event itself is not the type of its error.
    if (key === "type" && (value === "error" || value === "response.error")) continue;
    if (typeof value === "string" || typeof value === "number") found[key] = String(value);
  }
  return found;
}
