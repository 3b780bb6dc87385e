import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CacheModel } from "../../sim/cache-model.ts";
import { isObject, type JsonObject } from "../../sim/json.ts";
import { text, usage } from "../../sim/script.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";

const minute = 60_000;
const long = "The quick brown fox jumps over the lazy dog, again and again. ".repeat(20);
const turn = (content: string, role = "user") => ({ type: "message", role, content });

/** A simulator whose clock stands until it is moved. */
async function within(
  run: (sim: Simulator, wait: (milliseconds: number) => void) => Promise<void>,
): Promise<void> {
  let now = 1_790_000_000_000;
  const sim = await startSimulator({ now: () => now, otherKeys: ["sk-other"] });
  try {
    await run(sim, (milliseconds) => {
      now += milliseconds;
    });
    sim.done();
  } finally {
    await sim.close();
  }
}

interface Figures {
  readonly input: number;
  readonly cached: number;
  readonly written: number;
  readonly response: JsonObject;
}

async function ask(sim: Simulator, body: JsonObject, key = sim.key): Promise<Figures> {
  sim.reply(text("Fine."));
  const answer = await fetch(`${sim.url}/v1/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "svc-k3", ...body }),
  });
  const response: unknown = await answer.json();
  assert.ok(isObject(response) && isObject(response["usage"]));
  const details = response["usage"]["input_tokens_details"];
  assert.ok(isObject(details));
  const input = Number(response["usage"]["input_tokens"]);
  const cached = Number(details["cached_tokens"]);
  const written = Number(details["cache_write_tokens"]);
  assert.ok(cached + written <= input, "the three figures sum to the input");
  assert.equal(response["usage"]["total_tokens"], input + Number(response["usage"]["output_tokens"]));
  return { input, cached, written, response };
}

test("the first request writes its prefix to the cache, and a repetition only reads it", () =>
  within(async (sim) => {
    const first = await ask(sim, { input: long });
    assert.equal(first.cached, 0);
    assert.ok(first.written > 0 && first.input - first.written < 16);
    const second = await ask(sim, { input: long });
    assert.deepEqual([second.cached, second.written], [first.written, 0]);
  }));

test("a longer conversation reads its shared prefix from the cache and writes the rest", () =>
  within(async (sim) => {
    const first = await ask(sim, { instructions: "Be brief.", input: [turn(long)] });
    const input = [turn(long), turn("Fine.", "assistant"), turn(`And now? ${long}`)];
    const second = await ask(sim, { instructions: "Be brief.", input });
    assert.equal(second.cached, first.written);
    assert.ok(second.written > 0);
  }));

test("a request with other instructions or tools reads nothing from the cache", () =>
  within(async (sim) => {
    await ask(sim, { instructions: "Be brief.", input: long });
    assert.equal((await ask(sim, { instructions: "Be kind.", input: long })).cached, 0);
    const tool = { type: "web_search" };
    assert.equal((await ask(sim, { instructions: "Be brief.", input: long, tools: [tool] })).cached, 0);
  }));

test("a cache entry expires after its lifetime, and a hit renews it", () =>
  within(async (sim, wait) => {
    await ask(sim, { input: long });
    wait(4 * minute);
    assert.ok((await ask(sim, { input: long })).cached > 0);
    wait(4 * minute);
    assert.ok((await ask(sim, { input: long })).cached > 0, "refreshed by the hit");
    wait(5 * minute);
    assert.equal((await ask(sim, { input: long })).cached, 0, "gone after five minutes");
  }));

test("the two cache lifetimes are independent", () =>
  within(async (sim, wait) => {
    const hour = { input: long, prompt_cache_options: { ttl: "1h" } };
    await ask(sim, { input: long });
    assert.equal((await ask(sim, hour)).cached, 0);
    wait(59 * minute);
    assert.ok((await ask(sim, hour)).cached > 0);
    assert.equal((await ask(sim, { input: long })).cached, 0);
  }));

test("the cache is not shared between keys", () =>
  within(async (sim) => {
    await ask(sim, { input: long });
    assert.equal((await ask(sim, { input: long }, "sk-other")).cached, 0);
  }));

test("a response echoes the applied cache options with defaults filled in", () =>
  within(async (sim) => {
    const applied = async (body: JsonObject) =>
      (await ask(sim, { input: "Hello?", ...body })).response["prompt_cache_options"];
    assert.deepEqual(await applied({}), { mode: "implicit", ttl: "5m" });
    assert.deepEqual(await applied({ prompt_cache_options: { ttl: "1h" } }), { mode: "implicit", ttl: "1h" });
  }));

test("scripted usage replaces the counted figures, and the total is recomputed", () =>
  within(async (sim) => {
    sim.reply(text("Fine."), usage({ input: 1000, cached: 900, written: 50, output: 7, reasoning: 2 }));
    const answer = await fetch(`${sim.url}/v1/responses`, {
      method: "POST",
      headers: { authorization: `Bearer ${sim.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "svc-k3", input: "Hello?" }),
    });
    const { usage: figures } = (await answer.json()) as { usage: unknown };
    assert.deepEqual(figures, {
      input_tokens: 1000,
      input_tokens_details: { cached_tokens: 900, cache_write_tokens: 50 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 2 },
      total_tokens: 1007,
    });
  }));

test("cached and written tokens never exceed the input in any sequence of requests", () => {
  const request = fc.record({
    tokens: fc.array(fc.constantFrom("a", "b"), { maxLength: 80 }),
    ttl: fc.constantFrom("5m" as const, "1h" as const),
    wait: fc.integer({ min: 0, max: 2 * 60 * minute }),
  });
  fc.assert(
    fc.property(fc.array(request, { maxLength: 12 }), (requests) => {
      const cache = new CacheModel();
      let now = 0;
      for (const { tokens, ttl, wait } of requests) {
        now += wait;
        const { cached, written } = cache.use("key", ttl, tokens, now);
        assert.ok(cached >= 0 && written >= 0 && cached + written <= tokens.length);
        assert.equal(cache.use("key", ttl, tokens, now).written, 0);
      }
    }),
  );
});
