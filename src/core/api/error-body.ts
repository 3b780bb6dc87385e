// The body of a refusal → the service's words. The interface shows `{error: {message, type?, code?}}`; gateways
// send every other shape. HTML has no words for us. Pure.
import { asArray, asObject, asString, isObject, parseJson, writeJson } from "../util/json.ts";
import { looksLikeHtml, plainText } from "../util/plain-text.ts";
import { readServiceError, type ServiceError } from "./reply-reader.ts";

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
