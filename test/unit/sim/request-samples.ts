// Items and tools of well-formed requests, for tables of what is wrong with others.

export const user = { type: "message", role: "user", content: "Hello?" };
export const call = { type: "function_call", call_id: "c1", name: "look", arguments: "{}" };
export const patch = { type: "custom_tool_call", call_id: "c2", name: "apply_patch", input: "x" };
export const output = { type: "function_call_output", call_id: "c1", output: "seen" };
export const patched = { type: "custom_tool_call_output", call_id: "c2", output: "done" };
export const func = {
  type: "function",
  name: "look",
  description: "Looks.",
  parameters: { type: "object", properties: {} },
};
export const custom = { type: "custom", name: "apply_patch", description: "Patches." };
export const namespace = { type: "namespace", name: "ns", description: "Group.", tools: [func] };
export const picture = { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "auto" };
export const withParts = (...content: readonly unknown[]) => ({ input: [{ ...user, content }] });
export const strictFunc = { ...func, strict: true, parameters: { type: "object", properties: { a: {} } } };
