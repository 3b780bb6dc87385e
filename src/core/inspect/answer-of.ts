// What the service said in raw items, as text that can be laid beside another: words, thoughts in short, calls with
// their input. What is encrypted stays where it is.
import { messageParts } from "../api/response-items.ts";
import { asArray, asObject, asString, type JsonObject, parseJson } from "../util/json.ts";

export const answerOf = (items: readonly string[]): string =>
  items
    .flatMap((raw) => {
      const item = asObject(parseJson(raw));
      const text = item === undefined ? "" : textOf(item).trim();
      return text === "" ? [] : [text];
    })
    .join("\n\n");

function textOf(item: JsonObject): string {
  const name = asString(item["name"]) ?? "";
  switch (item["type"]) {
    case "reasoning":
      return asArray(item["summary"])
        .map((part) => `> ${asString(asObject(part)?.["text"]) ?? ""}`)
        .join("\n");
    case "function_call":
      return `[${name}]\n${asString(item["arguments"]) ?? ""}`;
    case "custom_tool_call":
      return `[${name}]\n${asString(item["input"]) ?? ""}`;
    case "web_search_call":
      return `[web_search] ${asString(asObject(item["action"])?.["query"]) ?? ""}`;
    default:
      return messageParts(item)
        .map(({ text }) => text)
        .join("");
  }
}
