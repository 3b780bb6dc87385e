import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isObject, type JsonObject } from "../../sim/json.ts";
import { failed, incomplete, type Part, text } from "../../sim/script.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";

// The response object as the interface lists it: every field in every snapshot, whatever was asked and however it ends.

const now = 1_790_000_000;
let sim: Simulator;
before(async () => {
  sim = await startSimulator({ now: () => now * 1000 });
});
after(() => sim.close());

/** Interface, "Response object": its fields, and what each is while nothing else is known. */
const usual = {
  object: "response",
  created_at: now,
  completed_at: null,
  status: "in_progress",
  model: "svc-k3",
  output: [],
  usage: null,
  incomplete_details: null,
  error: null,
  instructions: null,
  reasoning: { effort: null, summary: null },
  text: { format: { type: "text" } },
  tools: [],
  tool_choice: "auto",
  max_output_tokens: 131_072,
  temperature: 1,
  top_p: 1,
  metadata: {},
  parallel_tool_calls: true,
  service_tier: "default",
  store: false,
  background: false,
  previous_response_id: null,
  conversation: null,
  prompt_cache_options: { mode: "implicit", ttl: "5m" },
};

test("the first snapshots have every field of the response object with its default", async () => {
  const [created, inProgress, last] = await snapshots({}, text("Hello."));
  assert.ok(created && inProgress && last);
  const { id, ...rest } = created;
  assert.match(String(id), /^resp_/);
  assert.deepEqual(rest, usual);
  assert.deepEqual(inProgress, created);
  assert.deepEqual(Object.keys(last), Object.keys(created));
  const { background, store, previous_response_id, conversation } = last;
  assert.deepEqual([background, store, previous_response_id, conversation], [false, false, null, null]);
});

test("every snapshot echoes the fields of the request", async () => {
  const said = {
    instructions: "Be brief.",
    max_output_tokens: 10,
    tools: [{ type: "web_search" }],
    reasoning: { effort: "high", summary: "auto" },
    text: { format: { type: "json_object" } },
    prompt_cache_options: { mode: "implicit", ttl: "1h" },
  };
  for (const snapshot of await snapshots(said, text("Hello.")))
    assert.deepEqual({ ...snapshot, ...said }, snapshot);
});

test("the last snapshot holds status, completed_at and reason of the ending", async () => {
  const end = async (...parts: readonly Part[]) => {
    const last = (await snapshots({}, text("Hello."), ...parts)).at(-1);
    return [last?.["status"], last?.["completed_at"], last?.["incomplete_details"], last?.["error"]];
  };
  assert.deepEqual(await end(), ["completed", now + 2, null, null]);
  const reason = "max_output_tokens";
  assert.deepEqual(await end(incomplete()), ["incomplete", now + 2, { reason }, null]);
  const error = { code: "server_error", message: "Out of order." };
  assert.deepEqual(await end(failed(error.message, error.code)), ["failed", null, null, error]);
});

test("generation stops at the requested limit or at the default of the interface", async () => {
  const words = " word".repeat(131_073);
  for (const limit of [undefined, 131_073, 7]) {
    sim.reply(text(words));
    const answer = await post(limit === undefined ? {} : { max_output_tokens: limit });
    const { status, usage } = (await answer.json()) as JsonObject;
    assert.ok(isObject(usage));
    assert.deepEqual(
      [usage["output_tokens"], status],
      limit === 131_073 ? [limit, "completed"] : [limit ?? 131_072, "incomplete"],
    );
  }
});

function post(body: JsonObject): Promise<Response> {
  return fetch(`${sim.url}/v1/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${sim.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "svc-k3", input: "Hello?", ...body }),
  });
}

/** The response in each event that has one. */
async function snapshots(body: JsonObject, ...parts: readonly Part[]): Promise<readonly JsonObject[]> {
  sim.reply(...parts);
  const stream = await (await post({ ...body, stream: true })).text();
  const found = [...stream.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data) as JsonObject);
  return found.flatMap(({ response }) => (isObject(response) ? [response] : []));
}
