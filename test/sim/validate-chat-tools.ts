// The rules of calls on Chat completions: tool definitions, the calls of the assistant, and the results that follow.
import { firstRefusal } from "./checks.ts";
import { isList, isObject, type JsonObject, listAt, stringAt } from "./json.ts";
import type { Profile } from "./profiles.ts";
import { broken, type Refusal } from "./refusal.ts";
import { refuseFunction } from "./validate-tools.ts";

export function refuseChatTools(body: JsonObject, profile: Profile): Refusal | undefined {
  const { tools, tool_choice: choice } = body;
  if (tools !== undefined && !isList(tools)) return broken("tools must be an array.", "tools");
  const choices = ["auto", "none", "required"];
  if (choice !== undefined && !isObject(choice) && !choices.includes(String(choice)))
    return broken("tool_choice must be auto, none, required or a function.", "tool_choice");
  return firstRefusal(
    ...listAt(body, "tools").map((tool, index) => () => refuseTool(tool, `tools[${index}]`, profile)),
  );
}

function refuseTool(tool: unknown, at: string, profile: Profile): Refusal | undefined {
  if (!isObject(tool) || tool["type"] !== "function")
    return broken("Chat completions know functions only.", `${at}.type`);
  const definition = tool["function"];
  if (!isObject(definition)) return broken(`${at}.function must be an object.`, `${at}.function`);
  return refuseFunction({ type: "function", ...definition }, `${at}.function`, profile);
}

/** Every call of a message is answered by the messages right behind it, once each; no other result stands anywhere. */
export function refuseToolMessages(messages: readonly unknown[]): Refusal | undefined {
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`;
    if (stringAt(message, "role") === "tool") {
      const id = stringAt(message, "tool_call_id");
      if (id === undefined) return broken(`${at}.tool_call_id must be a string.`, `${at}.tool_call_id`);
      if (!open.delete(id)) return broken(`No open tool call found for ${id}.`, `${at}.tool_call_id`);
      continue;
    }
    const [unanswered] = open;
    if (unanswered !== undefined) return broken(`The call ${unanswered} has no result.`, at);
    const calls = listAt(message, "tool_calls");
    const refusal = firstRefusal(
      ...calls.map((call, each) => () => refuseCall(call, `${at}.tool_calls[${each}]`)),
    );
    if (refusal !== undefined) return refusal;
    open = new Set(calls.map((call) => stringAt(call, "id") ?? ""));
    if (open.size < calls.length) return broken("Two calls share an id.", `${at}.tool_calls`);
  }
  const [unanswered] = open;
  return unanswered === undefined ? undefined : broken(`The call ${unanswered} has no result.`, "messages");
}

function refuseCall(call: unknown, at: string): Refusal | undefined {
  const made = isObject(call) ? call["function"] : undefined;
  if (stringAt(call, "id") === undefined) return broken(`${at}.id must be a string.`, `${at}.id`);
  if (stringAt(call, "type") !== "function") return broken(`${at}.type must be function.`, `${at}.type`);
  const missing = ["name", "arguments"].find((key) => stringAt(made, key) === undefined);
  if (missing === undefined) return undefined;
  return broken(`${at}.function.${missing} must be a string.`, `${at}.function.${missing}`);
}
