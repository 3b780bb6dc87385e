// Input items in the form that an origin accepts. What the service sent goes back byte for byte; only what we wrote
// ourselves is ever changed.
import { asObject, type JsonObject, parseJson } from "../util/json.ts";
import type { Found } from "./capabilities.ts";
import { quote } from "./json-quote.ts";
import { messageParts } from "./response-items.ts";

export const resultType = '"type":"custom_tool_call_output"';

export function shapeInput(raw: string, { customOutput, assistantText }: Found): string {
  const foreign = assistantText === "recap" ? foreignAssistant(raw) : undefined;
  if (foreign !== undefined) return recap(foreign);
  const shaped = customOutput === "function" ? raw.replace(resultType, '"type":"function_call_output"') : raw;
  const ours = shaped.includes('"role":"user"') || shaped.includes('_output"');
  return ours && /\\u[dD][89a-fA-F]/.test(shaped) ? joinSurrogates(shaped) : shaped;
}

/** A message in the assistant's role that is no item of the service's: another model said it (requirements B4). */
export function foreignAssistant(raw: string): JsonObject | undefined {
  if (!raw.includes('"assistant"')) return undefined;
  const item = asObject(parseJson(raw));
  const isForeign = item?.["type"] === "message" && item["role"] === "assistant" && item["id"] === undefined;
  return isForeign ? item : undefined;
}

function recap(item: JsonObject): string {
  const text = messageParts(item)
    .map((part) => part.text)
    .join("");
  return quote({ type: "message", role: "user", content: `[The assistant answered:]\n${text}` });
}

/** Escapes of half pairs in JSON that we wrote ourselves. */
function joinSurrogates(json: string): string {
  return json.replace(
    /\\\\|\\u[dD][89abAB]\w{2}(\\u[dD][c-fC-F]\w{2})?|\\u[dD][c-fC-F]\w{2}/g,
    (found, low) => (found === "\\\\" || low !== undefined ? found : "\\ufffd"),
  );
}
