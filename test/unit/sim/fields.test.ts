import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isObject, type JsonObject } from "../../sim/json.ts";
import { call, cite, events, type Part, patchCall, reasoning, search, text } from "../../sim/script.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";
import { askAi, askOpenai } from "./clients.ts";

// Every field that some real client needs. Each is taken out of the stream, and one of two real clients has to
// stumble: throw, or understand something else. So the simulator cannot quietly stop sending one of them.

const scripts = {
  text: [text("Hello there.")],
  reasoning: [reasoning({ summary: ["I think."], raw: "Raw." }), text("Ok.")],
  call: [call("read_file", { path: "a.ts" })],
  patch: [patchCall("*** Begin Patch\n*** End Patch\n")],
  search: [search("weather"), text("Rain.")],
  cited: [text("See the map.", cite("https://maps.example/", "Map", "map"))],
} satisfies Record<string, readonly Part[]>;

interface Row {
  readonly script: keyof typeof scripts;
  readonly event: string;
  readonly field: string;
  /** Why neither of the two clients needs it, although it is sent. */
  readonly notNeeded?: string;
}

const codexOnly = "only the Codex client reads finished items for it; the two here go by the deltas";
const callsOnly = "this version of the AI SDK wants it on calls only";
const rows: readonly Row[] = [
  { script: "text", event: "*", field: "type" },
  ...["response.id", "response.created_at", "response.model"].map(
    (field): Row => ({ script: "text", event: "response.created", field }),
  ),
  ...(["text", "reasoning", "call", "patch", "search"] as const).flatMap((script): Row[] => [
    { script, event: "response.output_item.added", field: "output_index" },
    { script, event: "response.output_item.done", field: "output_index" },
    { script, event: "response.output_item.added", field: "item.id" },
    { script, event: "response.output_item.done", field: "item.id" },
    {
      script,
      event: "response.output_item.done",
      field: "item.status",
      ...(["call", "patch", "search"].includes(script) ? {} : { notNeeded: callsOnly }),
    },
  ]),
  { script: "reasoning", event: "response.output_item.added", field: "item.summary" },
  { script: "text", event: "response.output_item.added", field: "item.content" },
  ...["call_id", "name", "arguments"].flatMap((field): Row[] => [
    { script: "call", event: "response.output_item.added", field: `item.${field}` },
    { script: "call", event: "response.output_item.done", field: `item.${field}` },
  ]),
  ...["call_id", "name", "input"].flatMap((field): Row[] => [
    { script: "patch", event: "response.output_item.added", field: `item.${field}` },
    { script: "patch", event: "response.output_item.done", field: `item.${field}` },
  ]),
  ...["item_id", "output_index", "content_index"].map(
    (field): Row => ({ script: "text", event: "response.output_text.delta", field }),
  ),
  ...["item_id", "output_index", "summary_index"].map(
    (field): Row => ({ script: "reasoning", event: "response.reasoning_summary_text.delta", field }),
  ),
  ...["item_id", "output_index"].flatMap((field): Row[] => [
    { script: "call", event: "response.function_call_arguments.delta", field },
    { script: "patch", event: "response.custom_tool_call_input.delta", field },
  ]),
  { script: "text", event: "response.content_part.added", field: "part.text" },
  { script: "cited", event: "response.content_part.added", field: "part.annotations" },
  { script: "text", event: "response.output_text.done", field: "text" },
  { script: "text", event: "response.output_item.done", field: "item.role", notNeeded: codexOnly },
  { script: "text", event: "response.output_item.done", field: "item.content" },
  { script: "text", event: "response.completed", field: "response.id" },
  ...["input_tokens", "output_tokens", "total_tokens"].map(
    (field): Row => ({ script: "text", event: "response.completed", field: `response.usage.${field}` }),
  ),
];

let sim: Simulator;
const whole = new Map<string, string>();

before(async () => {
  sim = await startSimulator();
  for (const [name, parts] of Object.entries(scripts)) whole.set(name, await understood(parts));
});

after(() => sim.close());

for (const row of rows) {
  const name = `${row.event} of a ${row.script} script without ${row.field}`;
  const verdict =
    row.notNeeded === undefined ? "breaks a real client" : `is read by neither: ${row.notNeeded}`;
  test(`${name} ${verdict}`, async () => {
    let removed = 0;
    const mutilate = events((list) =>
      list.map((event) => {
        if (row.event !== "*" && event["type"] !== row.event) return event;
        const rest = without(event, row.field.split("."));
        if (JSON.stringify(rest) !== JSON.stringify(event)) removed += 1;
        return rest;
      }),
    );
    const answer = await understood([...scripts[row.script], mutilate]);
    assert.ok(removed > 0, "the field was there");
    if (row.notNeeded === undefined) assert.notEqual(answer, whole.get(row.script));
    else assert.equal(answer, whole.get(row.script));
  });
}

test("a stream that does not begin with response.created breaks a real client", async () => {
  const answer = await understood([...scripts.text, events((list) => list.slice(1))]);
  assert.notEqual(answer, whole.get("text"));
});

/** What both clients make of a stream, as one comparable text. */
async function understood(parts: readonly Part[]): Promise<string> {
  const answers: string[] = [];
  for (const ask of [() => askOpenai(sim, {}), () => askAi(sim, "responses")]) {
    sim.reply(...parts);
    answers.push(
      await ask().then(
        (answer) => JSON.stringify(answer),
        (error: unknown) => `threw ${String(error).split("\n")[0]}`,
      ),
    );
  }
  return answers.join("\n");
}

function without(object: JsonObject, [key = "", ...rest]: readonly string[]): JsonObject {
  const { [key]: value, ...others } = object;
  if (rest.length === 0 || !isObject(value)) return others;
  return { ...object, [key]: without(value, rest) };
}
