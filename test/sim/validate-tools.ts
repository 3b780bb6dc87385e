// The rules of tool definitions in a Responses request.
import { firstRefusal } from "./checks.ts";
import { isList, isObject, type JsonObject, listAt, stringAt } from "./json.ts";
import type { Profile } from "./profiles.ts";
import { broken, declined, type Refusal } from "./refusal.ts";

const toolName = /^[A-Za-z0-9_-]{1,64}$/;

export function refuseTools(body: JsonObject, profile: Profile): Refusal | undefined {
  const tools = body["tools"];
  if (tools === undefined || tools === null) return undefined;
  if (!isList(tools)) return broken("tools must be an array.", "tools");
  return firstRefusal(...tools.map((tool, index) => () => refuseTool(tool, `tools[${index}]`, profile)), () =>
    refuseTwins(tools),
  );
}

function refuseTool(tool: unknown, at: string, profile: Profile): Refusal | undefined {
  if (!isObject(tool)) return broken(`${at} must be an object.`, at);
  switch (tool["type"]) {
    case "function":
      return refuseFunction(tool, at, profile);
    case "custom":
      return refuseCustom(tool, at, profile);
    case "namespace":
      return refuseNamespace(tool, at, profile);
    case "web_search":
      return refuseSearch(tool, at, profile);
    default:
      // Interface, "Tool definitions": other types are unsupported.
      return broken(`Unsupported tool type: ${String(tool["type"])}.`, `${at}.type`);
  }
}

/** Also what stands under `function` on Chat completions. */
export function refuseFunction(tool: JsonObject, at: string, profile: Profile): Refusal | undefined {
  const { type: _, name, description, parameters, strict, ...rest } = tool;
  if (typeof name !== "string" || !toolName.test(name))
    return broken(`${at}.name must be 1 to 64 letters, digits, - or _.`, `${at}.name`);
  if (description !== undefined && typeof description !== "string")
    return broken(`${at}.description must be a string.`, `${at}.description`);
  if (parameters !== undefined && parameters !== null && !isSchema(parameters))
    return broken(`${at}.parameters must be a JSON Schema of an object.`, `${at}.parameters`);
  if (strict !== undefined && strict !== null && typeof strict !== "boolean")
    return broken(`${at}.strict must be a boolean.`, `${at}.strict`);
  if (strict === true && !fitsStrict(parameters))
    return broken(`${at}.parameters does not fit strict.`, `${at}.parameters`);
  return refuseStrangers(rest, at, profile);
}

function refuseCustom(tool: JsonObject, at: string, profile: Profile): Refusal | undefined {
  // Interface, "Tool definitions": custom only for apply_patch.
  if (tool["name"] !== "apply_patch") return broken("A custom tool must be named apply_patch.", `${at}.name`);
  if (!profile.custom) return declined("Unsupported tool type: custom.", `${at}.type`);
  const { type: _, name: __, description, format, ...rest } = tool;
  if (description !== undefined && typeof description !== "string")
    return broken(`${at}.description must be a string.`, `${at}.description`);
  return refuseFormat(format, at, profile) ?? refuseStrangers(rest, at, profile);
}

function refuseFormat(format: unknown, at: string, profile: Profile): Refusal | undefined {
  if (format === undefined) return undefined;
  if (!profile.customFormat) return declined("Unknown parameter: format.", `${at}.format`);
  const grammar =
    stringAt(format, "type") === "grammar" &&
    ["lark", "regex"].includes(stringAt(format, "syntax") ?? "") &&
    (stringAt(format, "definition") ?? "") !== "";
  if (grammar || stringAt(format, "type") === "text") return undefined;
  return broken(`${at}.format must be text or a grammar.`, `${at}.format`);
}

function refuseNamespace(tool: JsonObject, at: string, profile: Profile): Refusal | undefined {
  if (!profile.namespace) return declined("Unsupported tool type: namespace.", `${at}.type`);
  const { type: _, name, description, tools: __, ...rest } = tool;
  if (typeof name !== "string" || !toolName.test(name))
    return broken(`${at}.name must be 1 to 64 letters, digits, - or _.`, `${at}.name`);
  if (description !== undefined && typeof description !== "string")
    return broken(`${at}.description must be a string.`, `${at}.description`);
  const inner = listAt(tool, "tools");
  if (inner.length === 0) return broken(`${at}.tools must not be empty.`, `${at}.tools`);
  return firstRefusal(
    ...inner.map((each, index) => () => {
      const here = `${at}.tools[${index}]`;
      if (!isObject(each) || each["type"] !== "function")
        return broken("A namespace holds functions only.", `${here}.type`);
      return refuseFunction(each, here, profile);
    }),
    () => refuseTwins(inner),
    () => refuseStrangers(rest, at, profile),
  );
}

function refuseSearch(tool: JsonObject, at: string, profile: Profile): Refusal | undefined {
  const { type: _, ...rest } = tool;
  // Interface, "Tool definitions": web_search has no fields to set.
  return refuseStrangers(rest, at, profile);
}

function refuseStrangers(rest: JsonObject, at: string, profile: Profile): Refusal | undefined {
  const [stranger] = Object.keys(rest);
  if (stranger === undefined || profile.unknown === "ignored") return undefined;
  return broken(`Unknown parameter: ${at}.${stranger}.`, `${at}.${stranger}`);
}

function refuseTwins(tools: readonly unknown[]): Refusal | undefined {
  const seen = new Set<string>();
  for (const tool of tools) {
    const name = stringAt(tool, "name") ?? stringAt(tool, "type") ?? "";
    if (seen.has(name)) return broken(`Two tools are named ${name}.`, "tools");
    seen.add(name);
  }
  return undefined;
}

function isSchema(value: unknown): boolean {
  return isObject(value) && (value["type"] === "object" || Object.keys(value).length === 0);
}

function fitsStrict(parameters: unknown): boolean {
  if (!isObject(parameters) || parameters["additionalProperties"] !== false) return false;
  const required = listAt(parameters, "required");
  const properties = isObject(parameters["properties"]) ? Object.keys(parameters["properties"]) : [];
  return properties.every((name) => required.includes(name));
}
