import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isObject, type JsonObject, stringAt } from "../../sim/json.ts";
import {
  call,
  cite,
  type Event,
  events,
  type Part,
  patchCall,
  reasoning,
  refusal,
  search,
  text,
} from "../../sim/script.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";
import { askAi, askOpenai } from "./clients.ts";
import { typeErrors } from "./official-types.ts";

// Every field that some real client needs. Each is taken out of the stream, and one of two real clients has to
// stumble: throw, or understand something else. Two fields no client here reads; one of them the compiler asks for
// that knows the types of the official package. So the simulator cannot quietly stop sending any.

/** One item each, so that a field is taken out in one place. */
const scripts = {
  text: [text("Hello there.")],
  reasoning: [reasoning({ summary: ["I think."], raw: "Raw." })],
  call: [call("read_file", { path: "a.ts" })],
  patch: [patchCall("*** Begin Patch\n*** End Patch\n")],
  search: [search("weather")],
  cited: [text("See the map.", cite("https://maps.example/", "Map", "map"))],
  refusal: [refusal("I cannot.")],
} satisfies Record<string, readonly Part[]>;

type Script = keyof typeof scripts;

interface Row {
  readonly script: Script;
  readonly event: string;
  readonly field: string;
  /** Who asks for it when neither of the two clients does. */
  readonly askedBy?: "the types of the official package" | "nobody";
}

const added = "response.output_item.added";
const done = "response.output_item.done";
const types: Pick<Row, "askedBy"> = { askedBy: "the types of the official package" };

const row = (script: Script, event: string, field: string, more: Pick<Row, "askedBy"> = {}): Row => ({
  script,
  event,
  field,
  ...more,
});
const each = (script: Script, event: string, fields: readonly string[]): readonly Row[] =>
  fields.map((field) => row(script, event, field));

const itemRows = (["text", "reasoning", "call", "patch", "search"] as const).flatMap((script) => [
  ...each(script, added, ["output_index", "item.id"]),
  ...each(script, done, ["output_index", "item.id"]),
]);

const rows: readonly Row[] = [
  row("text", "*", "type"),
  ...each("text", "response.created", ["response.id", "response.created_at", "response.model"]),
  ...itemRows,
  ...(["call", "patch", "search"] as const).map((script) => row(script, done, "item.status")),
  row("text", done, "item.status", types),
  row("reasoning", done, "item.status", { askedBy: "nobody" }),
  row("reasoning", added, "item.summary"),
  row("text", added, "item.content"),
  ...each("call", added, ["item.call_id", "item.name", "item.arguments"]),
  ...each("call", done, ["item.call_id", "item.name", "item.arguments"]),
  ...each("patch", added, ["item.call_id", "item.name", "item.input"]),
  ...each("patch", done, ["item.call_id", "item.name", "item.input"]),
  ...each("text", "response.output_text.delta", ["item_id", "output_index", "content_index"]),
  ...each("refusal", "response.refusal.delta", ["item_id", "output_index", "content_index"]),
  ...each("reasoning", "response.reasoning_text.delta", ["item_id", "output_index", "content_index"]),
  ...each("reasoning", "response.reasoning_summary_text.delta", ["item_id", "output_index", "summary_index"]),
  ...each("call", "response.function_call_arguments.delta", ["item_id", "output_index"]),
  ...each("patch", "response.custom_tool_call_input.delta", ["item_id", "output_index"]),
  row("text", "response.content_part.added", "part.text"),
  row("cited", "response.content_part.added", "part.annotations"),
  row("text", "response.output_text.done", "text"),
  row("text", done, "item.role", types),
  row("text", done, "item.content"),
  ...each("text", "response.completed", [
    "response.id",
    "response.usage.input_tokens",
    "response.usage.output_tokens",
    "response.usage.total_tokens",
  ]),
];

const nameOf = ({ script, event, field }: Row) => `${event} of a ${script} script without ${field}`;

let sim: Simulator;
/** What the two clients make of every script as it is. */
const whole = new Map<string, string>();
/** What the compiler says of every script as it is, by its name, and of it without a field, by the row's. */
let compiled: ReadonlyMap<string, string>;

before(async () => {
  sim = await startSimulator();
  const sent = new Map<string, readonly Event[]>();
  for (const [name, parts] of Object.entries(scripts)) {
    const { answer, list } = await understood(parts);
    whole.set(name, answer);
    sent.set(name, list);
  }
  for (const each of rows) sent.set(nameOf(each), mutilated(sent.get(each.script) ?? [], each));
  compiled = typeErrors("event-types", sent);
});

after(() => sim.close());

for (const each of rows)
  test(`${nameOf(each)} is missed by ${each.askedBy ?? "a real client"}`, async () => {
    let removed = 0;
    const mutilate = events((list) => {
      const rest = mutilated(list, each);
      removed = rest.filter((event, index) => JSON.stringify(event) !== JSON.stringify(list[index])).length;
      return rest;
    });
    const { answer } = await understood([...scripts[each.script], mutilate]);
    assert.ok(removed > 0, "the field was there");
    if (each.askedBy === undefined) assert.notEqual(answer, whole.get(each.script));
    else assert.equal(answer, whole.get(each.script));
    const known = compiled.get(each.script)?.split("\n") ?? [];
    const fresh =
      compiled
        .get(nameOf(each))
        ?.split("\n")
        .filter((line) => !known.includes(line)) ?? [];
    if (each.askedBy === "the types of the official package") assert.notDeepEqual(fresh, []);
    if (each.askedBy === "nobody") assert.deepEqual(fresh, []);
  });

test("a script as it is gives the same understanding every time, and no client stumbles", async () => {
  for (const [name, parts] of Object.entries(scripts)) {
    const { answer } = await understood(parts);
    assert.equal(answer, whole.get(name));
    assert.doesNotMatch(answer, /threw/);
  }
});

test("every kind of event without its type is missed by a real client", async () => {
  const seen = new Set<string>();
  for (const [script, parts] of Object.entries(scripts)) {
    const { list } = await understood(parts);
    const fresh = new Set(
      list.map((event) => stringAt(event, "type") ?? "").filter((type) => !seen.has(type)),
    );
    for (const event of fresh) {
      seen.add(event);
      const mutilate = events((all) => mutilated(all, row(script as Script, event, "type")));
      const { answer } = await understood([...parts, mutilate]);
      assert.notEqual(answer, whole.get(script), event);
    }
  }
  assert.equal(seen.size, 25);
});

test("a stream that does not begin with response.created breaks a real client", async () => {
  const { answer } = await understood([...scripts.text, events((list) => list.slice(1))]);
  assert.notEqual(answer, whole.get("text"));
});

test("the types of the official package accept every script but for what the interface has otherwise", () => {
  const said = Object.keys(scripts).flatMap((name) => compiled.get(name)?.trim().split("\n") ?? []);
  assert.deepEqual(
    new Set(said),
    new Set([
      // Interface, "Cache options object": its own two tiers.
      `TS2322: Type '"5m"' is not assignable to type '"12h" | "30m"'.`,
      // Every field of the interface's response object is there from the first snapshot.
      "TS2322: Type 'null' is not assignable to type 'ResponseUsage | undefined'.",
      // The vendor's own schema wants these two, and its package leaves them out.
      `TS2353: Object literal may only specify known properties, and '"name"' does not exist in type 'ResponseFunctionCallArgumentsDoneEvent'.`,
      `TS2353: Object literal may only specify known properties, and '"status"' does not exist in type 'ResponseCustomToolCall'.`,
    ]),
  );
});

/** What both clients make of a stream, as one comparable text, and the events that the official one got. */
async function understood(parts: readonly Part[]): Promise<{ answer: string; list: readonly Event[] }> {
  const answers: string[] = [];
  const lists: (readonly Event[])[] = [];
  const seen = events((sent) => {
    lists.push(sent);
    return sent;
  });
  for (const ask of [() => askOpenai(sim, {}), () => askAi(sim, "responses")]) {
    sim.reply(...parts, seen);
    answers.push(
      await ask().then(
        (answer) => JSON.stringify(answer),
        (error: unknown) => `threw ${String(error).split("\n")[0]}`,
      ),
    );
  }
  return { answer: answers.join("\n"), list: lists[0] ?? [] };
}

function mutilated(list: readonly Event[], { event, field }: Row): readonly Event[] {
  return list.map((each) =>
    event === "*" || each["type"] === event ? without(each, field.split(".")) : each,
  );
}

function without(object: JsonObject, [key = "", ...rest]: readonly string[]): JsonObject {
  const { [key]: value, ...others } = object;
  if (rest.length === 0 || !isObject(value)) return others;
  return { ...object, [key]: without(value, rest) };
}
