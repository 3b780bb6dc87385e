// What tests of the built-in assistant share: the sample workspace as it is attached, tools, and somebody who asks.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { applyDiff } from "@openai/agents-core";
import { createAssistant } from "../../sim/assistant/assistant.ts";
import { isObject, type JsonObject, listAt, stringAt } from "../../sim/json.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";

const workspace = join(process.cwd(), "test/fixtures/workspace");
export const contents = (path: string) => readFileSync(join(workspace, path), "utf8");
export const attached = (path: string) => `\`\`\`ts ${path}\n${contents(path)}\`\`\``;

export const func = (
  name: string,
  properties: JsonObject = {},
  required: readonly string[] = Object.keys(properties),
) => ({
  type: "function",
  name,
  description: name,
  strict: false,
  parameters: { type: "object", properties, required },
});
export const string = { type: "string" };
export const patchTool = { type: "custom", name: "apply_patch", description: "Applies a patch." };
export const tools = [
  func("list_files"),
  func("read_file", { path: string }),
  func("search_text", { query: string }),
  patchTool,
];

/** One simulator for a file of tests; it is closed after the last of them. */
export function openAssistant() {
  let sim: Simulator;
  before(async () => {
    sim = await startSimulator({ assistant: createAssistant({ pace: 0 }) });
  });
  after(() => sim.close());

  function headers(): Record<string, string> {
    return { authorization: `Bearer ${sim.key}`, "content-type": "application/json" };
  }

  async function post(path: string, body: JsonObject): Promise<JsonObject> {
    const answer = await fetch(`${sim.url}${path}`, {
      method: "POST",
      headers: headers(),
      body: JSON.stringify(body),
    });
    const whole: unknown = await answer.json();
    assert.ok(isObject(whole));
    assert.equal(answer.status, 200, JSON.stringify(whole));
    return whole;
  }

  async function ask(
    input: readonly unknown[],
    offered: readonly unknown[] = [],
    more: JsonObject = {},
  ): Promise<readonly unknown[]> {
    const response = await post("/v1/responses", {
      model: "svc-k3",
      input,
      ...(offered.length > 0 ? { tools: offered } : {}),
      ...more,
    });
    return listAt(response, "output");
  }

  return { url: () => sim.url, done: () => sim.done(), headers, post, ask };
}

export function numbered(text: string, first: number): string {
  return text
    .split("\n")
    .map((line, index) => `${first + index}\t${line}`)
    .join("\n");
}

export function user(content: string): JsonObject {
  return { type: "message", role: "user", content };
}

/** The text of the last message among these items. */
export function textOf(items: readonly unknown[]): string {
  const message = items.findLast((item) => stringAt(item, "role") === "assistant");
  return stringAt(listAt(message, "content")[0], "text") ?? "";
}

export function patchOf(output: readonly unknown[]): string {
  return (
    stringAt(
      output.find((item) => stringAt(item, "type") === "custom_tool_call"),
      "input",
    ) ?? ""
  );
}

/** What the patch makes of a file, by an implementation that is neither ours nor the simulator's. */
export function applied(output: readonly unknown[], path: string): string {
  const patch = patchOf(output);
  const prefix = `*** Begin Patch\n*** Update File: ${path}\n`;
  assert.ok(patch.startsWith(prefix), JSON.stringify(output));
  return applyDiff(contents(path), patch.slice(prefix.length, -"*** End Patch\n".length));
}
