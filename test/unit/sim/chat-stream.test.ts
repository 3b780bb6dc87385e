import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChatContext, chatChunks, chatObject } from "../../sim/chat-stream.ts";
import { type Form, standardForm } from "../../sim/form.ts";
import { isObject, type JsonObject, listAt } from "../../sim/json.ts";
import { call, failed, incomplete, type Part, reasoning, text } from "../../sim/script.ts";
import { encodeEvents } from "../../sim/sse.ts";

// Chunks of Chat completions as pure functions, in every variation that occurs.

const context: ChatContext = {
  serial: 1,
  createdAt: 1_790_000_000,
  model: "svc-k2.6",
  usage: { input: 10, cached: 4, written: 0, output: 5, reasoning: 1, total: 15 },
  usageAsked: true,
};
const script = [
  reasoning("Let me think."),
  text("Reading."),
  call("read_file", { path: "a.ts" }),
  call("look"),
];

function chunks(
  form: Partial<Form> = {},
  parts: readonly Part[] = script,
  asked = true,
): readonly JsonObject[] {
  const ending = parts.find((part) => part.part === "ending");
  const turn = {
    pieces: parts.flatMap((part) => (part.part === "piece" ? [part.piece] : [])),
    ending: ending?.ending ?? ({ kind: "completed" } as const),
  };
  return chatChunks(turn, { ...context, usageAsked: asked }, { ...standardForm, ...form });
}

function choices(list: readonly JsonObject[]): readonly JsonObject[] {
  return list.flatMap((chunk) => listAt(chunk, "choices")).filter(isObject);
}

function deltas(list: readonly JsonObject[]): readonly JsonObject[] {
  return choices(list)
    .map((choice) => choice["delta"])
    .filter(isObject);
}

function calls(list: readonly JsonObject[]): readonly JsonObject[] {
  return deltas(list)
    .flatMap((delta) => listAt(delta, "tool_calls"))
    .filter(isObject);
}

test("chat chunks come in the order role, reasoning, content, calls, end, usage", () => {
  const kinds = chunks().map((chunk) => {
    const [delta] = deltas([chunk]);
    if (delta === undefined) return "usage";
    const [kind = "end"] = Object.keys(delta);
    return kind;
  });
  assert.deepEqual(
    [...new Set(kinds)],
    ["role", "reasoning_content", "content", "tool_calls", "end", "usage"],
  );
});

test("chat chunks carry reasoning under any of its three keys", () => {
  for (const reasoningKey of ["reasoning_content", "reasoning", "reasoning_details"] as const) {
    const joined = deltas(chunks({ reasoningKey }))
      .map((delta) => delta[reasoningKey] ?? "")
      .join("");
    assert.equal(joined, "Let me think.");
  }
});

test("chat chunks carry the role first, late or never", () => {
  const at = (role: Form["role"]) => deltas(chunks({ role })).findIndex((delta) => "role" in delta);
  assert.deepEqual([at("first"), at("never")], [0, -1]);
  assert.ok(at("late") > 0);
});

test("chat chunks without text have an absent, null or empty content", () => {
  const content = (emptyContent: Form["emptyContent"]) =>
    deltas(chunks({ emptyContent })).find((delta) => "tool_calls" in delta)?.["content"];
  assert.deepEqual([content("absent"), content("null"), content("empty")], [undefined, null, ""]);
});

test("chat calls are split, whole, interleaved, without index or id, or with a late name", () => {
  const indices = (chatCalls: Form["chatCalls"]) =>
    calls(chunks({ chatCalls, deltas: 8 })).map((each) => each["index"]);
  assert.deepEqual(indices("split"), [0, 0, 0, 1, 1]);
  assert.deepEqual(indices("interleaved"), [0, 1, 0, 1, 0]);
  assert.deepEqual(indices("whole"), [0, 1]);
  assert.deepEqual(indices("no-index"), [undefined, undefined]);
  assert.ok(calls(chunks({ chatCalls: "no-id" })).every((each) => !("id" in each)));
  const late = calls(chunks({ chatCalls: "name-late" })).filter((each) => each["index"] === 0);
  assert.deepEqual(late.at(-1)?.["function"], { name: "read_file" });
});

test("chat usage is in its own chunk, in the finish chunk, in the choice or absent", () => {
  const at = (chatUsage: Form["chatUsage"], asked = true) => {
    const list = chunks({ chatUsage }, script, asked);
    const index = list.findIndex((chunk) => "usage" in chunk);
    return [
      index < 0 ? "nowhere" : listAt(list[index], "choices").length === 0 ? "own" : "finish",
      choices(list).some((choice) => "usage" in choice),
    ];
  };
  assert.deepEqual(at("when-asked"), ["own", false]);
  assert.deepEqual(at("when-asked", false), ["nowhere", false]);
  assert.deepEqual(at("own-chunk", false), ["own", false]);
  assert.deepEqual(at("finish-chunk"), ["finish", false]);
  assert.deepEqual(at("in-choice"), ["nowhere", true]);
  assert.deepEqual(at("none"), ["nowhere", false]);
});

test("cached tokens are at the top level of usage, in its details or in both", () => {
  const keys = (cachedTokens: Form["cachedTokens"]) => {
    const usage = chunks({ cachedTokens }).at(-1)?.["usage"];
    return isObject(usage) ? ["cached_tokens" in usage, "prompt_tokens_details" in usage] : [];
  };
  assert.deepEqual(
    [keys("top"), keys("details"), keys("both")],
    [
      [true, false],
      [false, true],
      [true, true],
    ],
  );
});

test("the last chat chunk has the finish_reason of its ending, a custom one or null", () => {
  const reason = (form: Partial<Form>, parts: readonly Part[]) =>
    choices(chunks(form, parts)).at(-1)?.["finish_reason"];
  assert.equal(reason({}, [text("Hi.")]), "stop");
  assert.equal(reason({}, script), "tool_calls");
  assert.equal(reason({}, [text("Hi."), incomplete()]), "length");
  assert.equal(reason({}, [text("Hi."), incomplete("content_filter")]), "content_filter");
  assert.equal(
    reason({ finishReason: "insufficient_system_resource" }, [text("Hi.")]),
    "insufficient_system_resource",
  );
  assert.equal(reason({ finishReason: null }, [text("Hi.")]), null);
});

test("a failed chat stream ends with an error record", () => {
  const last = chunks({}, [text("Hi."), failed("Broken.", "server_error")]).at(-1);
  assert.deepEqual(last, { error: { message: "Broken.", type: "server_error", code: "server_error" } });
});

test("chat chunks are encoded as unnamed records with or without [DONE], or as NDJSON", () => {
  const bytes = (form: Partial<Form>) =>
    encodeEvents(chunks({}, [text("Hi.")]), { ...standardForm, ...form }, "chat")
      .map((frame) => Buffer.from(frame.bytes).toString("utf8"))
      .join("");
  assert.doesNotMatch(bytes({}), /^event:/m);
  assert.match(bytes({}), /\n\ndata: \[DONE\]\n\n$/);
  assert.doesNotMatch(bytes({ done: false }), /\[DONE\]/);
  for (const line of bytes({ lines: "ndjson" }).trimEnd().split("\n")) assert.ok(isObject(JSON.parse(line)));
});

test("chatObject holds the same content as the chunks", () => {
  const pieces = script.flatMap((part) => (part.part === "piece" ? [part.piece] : []));
  const whole = chatObject({ pieces, ending: { kind: "completed" } }, context, standardForm);
  const [choice] = choices([whole]);
  const message = choice?.["message"];
  assert.ok(isObject(message));
  assert.deepEqual([message["content"], message["reasoning_content"]], ["Reading.", "Let me think."]);
  assert.equal(listAt(message, "tool_calls").length, 2);
});
