// Calls and their outputs in a history: every call has exactly one output of its kind, after it.
import { stringAt } from "./json.ts";
import type { Profile } from "./profiles.ts";
import { broken, type Refusal } from "./refusal.ts";

interface Call {
  readonly kind: "function" | "custom";
  answered: boolean;
}

export function refusePairing(input: readonly unknown[], profile: Profile): Refusal | undefined {
  const calls = new Map<string, Call>();
  for (const [index, item] of input.entries()) {
    const refusal = follow(item, `input[${index}]`, calls, profile);
    if (refusal !== undefined) return refusal;
  }
  const open = [...calls].find(([, each]) => !each.answered);
  return open === undefined ? undefined : broken(`No tool output found for call ${open[0]}.`, "input");
}

function follow(item: unknown, at: string, calls: Map<string, Call>, profile: Profile): Refusal | undefined {
  const id = stringAt(item, "call_id") ?? "";
  const type = stringAt(item, "type");
  if (type === "function_call" || type === "custom_tool_call" || type === "custom") {
    // Models that count their calls anew with each reply send an id again; never before the one before has its output.
    if (calls.get(id)?.answered === false) return broken(`The call ${id} appears twice.`, `${at}.call_id`);
    calls.set(id, { kind: type === "function_call" ? "function" : "custom", answered: false });
  }
  if (type !== "function_call_output" && type !== "custom_tool_call_output") return undefined;
  const call = calls.get(id);
  // Interface, "Input items": call_id must equal the call_id of the matching function_call.
  if (call === undefined) return broken(`No tool call found for output ${id}.`, `${at}.call_id`);
  if (call.answered) return broken(`The call ${id} has two outputs.`, `${at}.call_id`);
  const fits = (type === "custom_tool_call_output") === (call.kind === "custom");
  // A service that knows no outputs of custom calls takes them as outputs of functions.
  if (!fits && profile.customOutput) return broken(`The output of ${id} is of the wrong kind.`, `${at}.type`);
  call.answered = true;
  return undefined;
}
