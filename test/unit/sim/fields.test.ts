import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { standardForm } from "../../sim/form.ts";
import { isObject, type JsonObject, stringAt } from "../../sim/json.ts";
import { responseEvents } from "../../sim/response-stream.ts";
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
// stumble: throw, or understand something else. A few fields no client here reads; for those the compiler asks that
// knows the types of the official package. So the simulator cannot quietly stop sending any.

/** One item each, so that a field is taken out in one place; of two that send the same, the later counts. */
const scripts = {
  refusal: [refusal("I cannot.")],
  text: [text("See the map.", cite("https://maps.example/", "Map", "map"))],
  reasoning: [reasoning({ summary: ["I think."], raw: "Raw." })],
  call: [call("read_file", { path: "a.ts" })],
  patch: [patchCall("*** Begin Patch\n*** End Patch\n")],
  search: [search("weather")],
} satisfies Record<string, readonly Part[]>;

type Script = keyof typeof scripts;
const names = Object.keys(scripts) as readonly Script[];

/** What must be there: in these events, of any kind of item or part or of one. */
interface Demand {
  readonly events: RegExp;
  readonly kind?: string;
  readonly fields: readonly string[];
}

const added = /output_item\.added$/;
const done = /output_item\.done$/;
const item = /output_item\.(added|done)$/;
const part = /content_part\.added$/;

/** The table of what breaks real clients (measured on more of them than are here), line by line. */
const demands: readonly Demand[] = [
  { events: /\.created$/, fields: ["response.id", "response.created_at", "response.model"] },
  { events: item, fields: ["output_index", "item.id"] },
  { events: done, fields: ["item.status"] },
  { events: added, kind: "reasoning", fields: ["item.summary"] },
  { events: added, kind: "message", fields: ["item.content"] },
  { events: item, kind: "function_call", fields: ["item.call_id", "item.name", "item.arguments"] },
  { events: item, kind: "custom_tool_call", fields: ["item.call_id", "item.name", "item.input"] },
  { events: done, kind: "message", fields: ["item.role", "item.content"] },
  { events: /\.delta$/, fields: ["item_id", "output_index"] },
  { events: /\.(output_text|refusal|reasoning_text)\.delta$/, fields: ["content_index"] },
  { events: /\.reasoning_summary_text\.delta$/, fields: ["summary_index"] },
  { events: part, kind: "output_text", fields: ["part.text", "part.annotations"] },
  { events: part, kind: "reasoning_text", fields: ["part.text"] },
  { events: /output_text\.done$/, fields: ["text"] },
  {
    events: /\.completed$/,
    kind: "response",
    fields: ["id", "usage.input_tokens", "usage.output_tokens", "usage.total_tokens"].map(
      (field) => `response.${field}`,
    ),
  },
];

/** Who asks for a field when neither of the two clients does. */
const askedByOthers: Readonly<Record<string, "the types of the official package" | "nobody">> = {
  "message: response.output_item.done without item.status": "the types of the official package",
  "message: response.output_item.done without item.role": "the types of the official package",
  "reasoning_text: response.content_part.added without part.text": "the types of the official package",
  "reasoning: response.output_item.done without item.status": "nobody",
};

interface Row {
  readonly name: string;
  readonly script: Script;
  readonly event: string;
  readonly field: string;
}

/** The events of a script as the simulator makes them, asked or not. */
function eventsOf(script: Script): readonly Event[] {
  const pieces = scripts[script].map((each) => each.piece);
  const usage = { input: 9, cached: 0, written: 0, output: 3, reasoning: 0, total: 12 };
  const about = { serial: 1, createdAt: 1, completedAt: 2, includeSources: false, includeResults: false };
  const context = { ...about, usage, request: { model: "svc-k3", input: "Hello?" } };
  return responseEvents({ pieces, ending: { kind: "completed" } }, context, standardForm);
}

/** Every field that is demanded of some event of some script, once for each kind of item or part. */
const rows: readonly Row[] = [
  ...new Map(
    names
      .flatMap((script) =>
        eventsOf(script).map((event) => ({
          script,
          event: stringAt(event, "type") ?? "",
          kind: kindOf(event),
        })),
      )
      .flatMap(({ script, event, kind }) =>
        demands
          .filter((demand) => demand.events.test(event) && (demand.kind ?? kind) === kind)
          .flatMap((demand) => demand.fields)
          .map((field): Row => ({ name: `${kind}: ${event} without ${field}`, script, event, field })),
      )
      .map((row) => [row.name, row]),
  ).values(),
];

function typesOf(script: Script): readonly string[] {
  return eventsOf(script).map((event) => stringAt(event, "type") ?? "");
}

/** What an event speaks of. */
function kindOf(event: Event): string {
  if (isObject(event["response"])) return "response";
  return stringAt(event["item"], "type") ?? stringAt(event["part"], "type") ?? "piece";
}

let sim: Simulator;
const clients = [() => askOpenai(sim, {}), () => askAi(sim, "responses")];
/** What each client makes of every script as it is. */
const whole = new Map<Script, readonly string[]>();
/** What the compiler says of every script as it is, by its name, and of it without a field, by the row's. */
let compiled: ReadonlyMap<string, string>;

before(async () => {
  sim = await startSimulator();
  for (const script of names) whole.set(script, await understood(scripts[script]));
  const others = rows.filter(({ name }) => askedByOthers[name] !== undefined);
  compiled = typeErrors(
    "event-types",
    new Map<string, readonly Event[]>([
      ...names.map((script) => [script, eventsOf(script)] as const),
      ...others.map((row) => [row.name, without(eventsOf(row.script), row)] as const),
    ]),
  );
});

after(() => sim.close());

for (const { name, script, ...place } of rows)
  test(`a missing field is noticed by ${askedByOthers[name] ?? "a real client"}: ${name}`, async () => {
    assert.notDeepEqual(without(eventsOf(script), place), eventsOf(script), "the field was there");
    const missed = await isMissed(script, (list) => without(list, place));
    const asked = askedByOthers[name];
    assert.equal(missed, asked === undefined);
    const known = compiled.get(script)?.split("\n") ?? [];
    const fresh = (compiled.get(name)?.split("\n") ?? []).filter((line) => !known.includes(line));
    assert.equal(fresh.length > 0, asked === "the types of the official package");
  });

test("every demand applies to some event, and every exception to some row", () => {
  const unmet = demands.flatMap(({ events: types, fields }) =>
    fields.filter((field) => !rows.some((row) => types.test(row.event) && row.field === field)),
  );
  assert.deepEqual(unmet, []);
  const exceptions = Object.keys(askedByOthers);
  assert.deepEqual(
    exceptions.filter((name) => !rows.some((row) => row.name === name)),
    [],
  );
});

test("an unchanged script gives both clients the same result every time", async () => {
  for (const script of names) {
    assert.equal(await isMissed(script, (list) => list), false);
    assert.doesNotMatch(String(whole.get(script)), /threw/);
  }
});

test("every kind of event breaks a real client if its type is removed", async () => {
  const seen = new Set<string>();
  for (const script of names)
    for (const event of typesOf(script).filter((type) => !seen.has(type))) {
      seen.add(event);
      assert.ok(await isMissed(script, (list) => without(list, { event, field: "type" })), event);
    }
  assert.equal(seen.size, 25);
});

test("a stream that does not begin with response.created breaks a real client", async () => {
  assert.ok(await isMissed("text", (list) => list.slice(1)));
});

test("the types of the official package accept every script except for known differences of the interface", () => {
  const said = names.flatMap((name) => compiled.get(name)?.trim().split("\n") ?? []);
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

/** What each client makes of a stream, as comparable texts. */
async function understood(parts: readonly Part[]): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const ask of clients) answers.push(await heard(ask, parts));
  return answers;
}

function heard(ask: () => Promise<unknown>, parts: readonly Part[]): Promise<string> {
  sim.reply(...parts);
  return ask().then(
    (answer) => JSON.stringify(answer),
    (error: unknown) => `threw ${String(error).split("\n")[0]}`,
  );
}

/** One client that stumbles is enough; the other is then not asked. */
async function isMissed(
  script: Script,
  change: (list: readonly Event[]) => readonly Event[],
): Promise<boolean> {
  for (const [index, ask] of clients.entries()) {
    const answer = await heard(ask, [...scripts[script], events(change)]);
    if (answer !== whole.get(script)?.[index]) return true;
  }
  return false;
}

function without(list: readonly Event[], { event, field }: Pick<Row, "event" | "field">): readonly Event[] {
  return list.map((each) => (each["type"] === event ? cut(each, field.split(".")) : each));
}

function cut(object: JsonObject, [key = "", ...rest]: readonly string[]): JsonObject {
  const { [key]: value, ...others } = object;
  if (rest.length === 0 || !isObject(value)) return others;
  return { ...object, [key]: cut(value, rest) };
}
