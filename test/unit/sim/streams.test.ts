import assert from "node:assert/strict";
import { test } from "node:test";
import { createParser } from "eventsource-parser";
import { speak } from "../../sim/dialects.ts";
import { type Dialect, type Form, standardForm } from "../../sim/form.ts";
import { isObject, type JsonObject, listAt, stringAt } from "../../sim/json.ts";
import type { ReplyContext } from "../../sim/response-object.ts";
import { responseEvents } from "../../sim/response-stream.ts";
import {
  call,
  failed,
  incomplete,
  inPhase,
  type Part,
  patchCall,
  reasoning,
  search,
  text,
} from "../../sim/script.ts";
import { encodeEvents } from "../../sim/sse.ts";
import { changed, doubled, endedTwice, lost, swapped, upTo, withStrangers } from "../../sim/stream-faults.ts";
import type { Turn } from "../../sim/turn.ts";

// Streams of Responses as pure functions: order and numbers of events, dialects, forms of lines, mishaps.

const context: ReplyContext = {
  serial: 1,
  createdAt: 1_790_000_000,
  completedAt: 1_790_000_002,
  request: { model: "svc-k3", input: "Hello?" },
  usage: { input: 10, cached: 0, written: 0, output: 5, reasoning: 1, total: 15 },
  includeSources: true,
  includeResults: true,
};

const everything = [
  search("docs", [{ url: "https://docs.example/", title: "Docs" }], [{ url: "https://docs.example/a.png" }]),
  reasoning({ summary: ["One.", "Two."], raw: "Raw." }),
  text("Grüße, 世界."),
  call("look", { at: 1 }, { namespace: "ns" }),
  patchCall("*** Begin Patch\n*** End Patch\n"),
];

function turnOf(parts: readonly Part[]): Turn {
  const ending = parts.find((part) => part.part === "ending");
  return {
    pieces: parts.flatMap((part) => (part.part === "piece" ? [part.piece] : [])),
    ending: ending?.ending ?? { kind: "completed" },
  };
}

function eventsOf(parts: readonly Part[], form: Partial<Form> = {}): readonly JsonObject[] {
  const whole = { ...standardForm, ...form };
  return speak(responseEvents(turnOf(parts), context, whole), whole.dialect);
}

const typesOf = (events: readonly JsonObject[]) => events.map((event) => stringAt(event, "type") ?? "");

test("sequence numbers start at 0 and have no gaps", () => {
  const numbers = eventsOf(everything).map((event) => event["sequence_number"]);
  assert.deepEqual(numbers, [...numbers.keys()]);
});

test("the events of an item are between its added and done events, in the order of the output", () => {
  const events = eventsOf(everything);
  const indices = events.flatMap((event) =>
    typeof event["output_index"] === "number" ? [event["output_index"]] : [],
  );
  assert.deepEqual(
    indices,
    indices.toSorted((one, other) => one - other),
  );
  for (const index of new Set(indices)) {
    const own = typesOf(events.filter((event) => event["output_index"] === index));
    assert.equal(own[0], "response.output_item.added");
    assert.equal(own.at(-1), "response.output_item.done");
  }
});

test("the items of the done events equal the output of the last snapshot", () => {
  const events = eventsOf(everything);
  const done = events
    .filter((event) => event["type"] === "response.output_item.done")
    .map((event) => event["item"]);
  const response = events.at(-1)?.["response"];
  assert.deepEqual(done, listAt(response, "output"));
  const types = done.map((item) => stringAt(item, "type"));
  assert.deepEqual(types, ["web_search_call", "reasoning", "message", "function_call", "custom_tool_call"]);
});

test("deltas of any size join to the complete text", () => {
  for (const deltas of ["words", 1, 3, 1000] as const) {
    const joined = (type: string) =>
      eventsOf(everything, { deltas })
        .filter((event) => event["type"] === type)
        .map((event) => event["delta"])
        .join("");
    assert.equal(joined("response.output_text.delta"), "Grüße, 世界.");
    assert.equal(joined("response.reasoning_summary_text.delta"), "One.Two.");
    assert.equal(joined("response.reasoning_text.delta"), "Raw.");
    assert.equal(joined("response.function_call_arguments.delta"), '{"at":1}');
    assert.equal(joined("response.custom_tool_call_input.delta"), "*** Begin Patch\n*** End Patch\n");
  }
});

test("interleaved calls alternate in their added events and deltas", () => {
  const types = eventsOf([call("a", { x: 1, y: 2 }), call("b", { x: 1, y: 2 })], {
    interleaved: true,
    deltas: 4,
  });
  const order = types
    .filter((event) => /added|delta/.test(String(event["type"])))
    .map((event) => event["output_index"]);
  assert.deepEqual(order.slice(0, 6), [0, 1, 0, 1, 0, 1]);
});

test("an incomplete turn closes its last item as incomplete, and a failed turn leaves it open", () => {
  const cut = eventsOf([text("Hello th"), incomplete()]);
  const item = cut.findLast((event) => event["type"] === "response.output_item.done")?.["item"];
  assert.equal(stringAt(item, "status"), "incomplete");
  const last = cut.at(-1)?.["response"];
  assert.ok(isObject(last) && isObject(last["usage"]));
  assert.deepEqual([last["status"], last["completed_at"]], ["incomplete", context.completedAt]);
  const broken = eventsOf([text("Hello th"), failed()]);
  assert.ok(!typesOf(broken).includes("response.output_item.done"));
  const end = broken.at(-1)?.["response"];
  assert.ok(isObject(end));
  assert.deepEqual([end["status"], end["completed_at"]], ["failed", null]);
});

test("inPhase sets the phase of a message", () => {
  const events = eventsOf([inPhase("commentary", text("I look.")), text("Done.")]);
  const phases = listAt(events.at(-1)?.["response"], "output").map((item) => stringAt(item, "phase"));
  assert.deepEqual(phases, ["commentary", undefined]);
});

const vocabularies: Record<Dialect, { readonly has: readonly string[]; readonly lacks: RegExp }> = {
  standard: {
    has: ["response.reasoning_text.delta", "response.output_text.done"],
    lacks: /vendor|keepalive/,
  },
  "open-responses": {
    has: ["response.reasoning.delta", "response.reasoning.done", "vendor:trace"],
    lacks: /reasoning_text/,
  },
  vllm: { has: ["response.reasoning_part.added", "response.reasoning_part.done"], lacks: /vendor/ },
  gateway: {
    has: [
      "response.reasoning_content.delta",
      "response.reasoning_summary.delta",
      "response.queued",
      "keepalive",
    ],
    lacks: /reasoning_text\.delta|summary_text\.delta/,
  },
  "snapshot-only": { has: ["response.created", "response.completed"], lacks: /delta|item|part/ },
  "items-only": { has: ["response.output_item.done", "response.completed"], lacks: /delta|added/ },
  "deltas-only": {
    has: ["response.output_text.delta", "response.output_item.done"],
    lacks: /text\.done|part\.done|input\.done|arguments\.done/,
  },
  "custom-short": { has: ["response.custom_tool_call_input.delta"], lacks: /vendor/ },
};

for (const [dialect, { has, lacks }] of Object.entries(vocabularies) as [
  Dialect,
  (typeof vocabularies)[Dialect],
][])
  test(`the dialect ${dialect} sends its event types and no others`, () => {
    const types = typesOf(eventsOf(everything, { dialect }));
    for (const type of has) assert.ok(types.includes(type), type);
    assert.deepEqual(
      types.filter((type) => lacks.test(type)),
      [],
    );
  });

test("dialects use their own item types", () => {
  const itemTypes = (dialect: Dialect) =>
    listAt(eventsOf(everything, { dialect }).at(-1)?.["response"], "output").map((item) =>
      stringAt(item, "type"),
    );
  assert.ok(itemTypes("open-responses").includes("vendor:web_search_call"));
  assert.ok(itemTypes("custom-short").includes("custom"));
  assert.deepEqual(itemTypes("deltas-only"), []);
});

const forms: Record<string, Partial<Form>> = {
  "line ends of CR LF": { newline: "\r\n" },
  "line ends of CR": { newline: "\r" },
  "mixed line ends": { newline: "mixed" },
  "a byte order mark": { bom: true },
  "comments, ids and retries": { comments: true },
  "no space behind the colon": { tight: true },
  "data in several lines": { multiline: true },
  "all of it": { newline: "mixed", bom: true, comments: true, tight: true, multiline: true },
};

for (const [name, form] of Object.entries(forms))
  test(`a standard event stream parser reads ${name} as the same events`, () => {
    assert.deepEqual(parsed(eventsOf(everything), form), eventsOf(everything));
  });

test("events are encoded without event lines, or without the type in their data", () => {
  const bytes = (form: Partial<Form>) => encoded(eventsOf([text("Hi.")]), form);
  assert.doesNotMatch(bytes({ eventLines: false }), /^event:/m);
  assert.doesNotMatch(bytes({ typeInData: false }), /"type":"response\./);
  assert.match(bytes({ typeInData: false }), /^event: response\.completed$/m);
});

test("encodeEvents adds [DONE] and omits the last blank line if the form says so", () => {
  assert.doesNotMatch(encoded(eventsOf([text("Hi.")]), {}), /\[DONE\]/);
  assert.match(encoded(eventsOf([text("Hi.")]), { done: true }), /\ndata: \[DONE\]\n\n$/);
  assert.match(encoded(eventsOf([text("Hi.")]), { lastBlankLine: false }), /[^\n]$/);
});

test("mishaps double, lose, swap, change, truncate or add events, or end a stream twice", () => {
  const events = eventsOf([text("one two three")]);
  const after = (part: Part) => (part.part === "events" ? part.change(events) : []);
  const deltas = (part: Part) =>
    after(part)
      .filter((event) => event["type"] === "response.output_text.delta")
      .map((event) => event["delta"]);
  const delta = "response.output_text.delta";
  assert.deepEqual(deltas(doubled(delta)), ["one", "one", " two", " two", " three", " three"]);
  assert.deepEqual(deltas(lost(delta)), []);
  assert.deepEqual(deltas(swapped(delta)), [" two", "one", " three"]);
  assert.deepEqual(deltas(changed(delta, (event) => ({ ...event, delta: "x" }))), ["x", "x", "x"]);
  assert.equal(after(upTo(delta)).at(-1)?.["type"], delta);
  assert.ok(typesOf(after(withStrangers())).includes("response.something_new"));
  assert.deepEqual(typesOf(after(endedTwice())).slice(-2), ["response.completed", "response.failed"]);
});

function encoded(events: readonly JsonObject[], form: Partial<Form>): string {
  const frames = encodeEvents(events, { ...standardForm, ...form }, "responses");
  return Buffer.concat(frames.map((frame) => frame.bytes)).toString("utf8");
}

function parsed(events: readonly JsonObject[], form: Partial<Form>): readonly unknown[] {
  const found: unknown[] = [];
  const parser = createParser({ onEvent: (event) => found.push(JSON.parse(event.data)) });
  // After a last CR this reader still waits for the LF that might belong to it; a comment tells it that none comes.
  parser.feed(`${encoded(events, form)}:\n`);
  return found;
}
