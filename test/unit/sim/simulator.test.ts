import assert from "node:assert/strict";
import { test } from "node:test";
import { call, text, usage } from "../../sim/script.ts";
import type { Simulator } from "../../sim/simulator.ts";
import { within } from "./rule-table.ts";

function post(sim: Simulator, path: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(`${sim.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${sim.key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

const ask = { model: "svc-k3", input: "Hello?", stream: true };

test("a scripted text is sent as a stream of events that ends with the whole response", () =>
  within({}, async (sim) => {
    sim.reply(text("Hello there."), usage({ cached: 0 }));
    const answer = await post(sim, "/v1/responses", ask);
    const stream = await answer.text();
    assert.equal(answer.headers.get("content-type"), "text/event-stream; charset=utf-8");
    assert.match(stream, /^event: response.created\ndata: \{"type":"response.created","sequence_number":0,/);
    assert.match(stream, /"text":"Hello there\."/);
    assert.match(stream, /event: response.completed\n[^\n]*"status":"completed"[^\n]*\n\n$/);
    sim.done();
  }));

test("a scripted text is sent to chat completions as chunks, or as one object without a stream", () =>
  within({}, async (sim) => {
    sim.reply(text("Hi."));
    sim.reply(text("Hi."), call("look", { at: 1 }));
    const body = { model: "svc-k2.6", messages: [{ role: "user", content: "Hello?" }] };
    const stream = await (await post(sim, "/v1/chat/completions", { ...body, stream: true })).text();
    assert.match(stream, /"delta":\{"content":"Hi\."\}/);
    assert.match(stream, /data: \[DONE\]\n\n$/);
    const whole = (await (await post(sim, "/v1/chat/completions", body)).json()) as {
      choices: { message: { content: string }; finish_reason: string }[];
    };
    assert.equal(whole.choices[0]?.message.content, "Hi.");
    assert.equal(whole.choices[0]?.finish_reason, "tool_calls");
    sim.done();
  }));

test("a request with a wrong key gets 401 and does not consume the script", () =>
  within({}, async (sim) => {
    sim.reply(text("Hello"));
    const answer = await post(sim, "/v1/responses", ask, { authorization: "Bearer wrong" });
    assert.equal(answer.status, 401);
    assert.equal(sim.requests[0]?.authorized, false);
    assert.throws(() => sim.done(), /Nobody asked for 1 scripted generation/);
  }));

test("sim.requests does not contain the key", () =>
  within({}, async (sim) => {
    sim.reply(text("Hello"));
    await (await post(sim, "/v1/responses", ask)).text();
    assert.ok(sim.requests[0]?.authorized);
    assert.ok(!JSON.stringify(sim.requests).includes(sim.key));
  }));

test("an estimate returns the same token count for the same messages", () =>
  within({}, async (sim) => {
    const body = { model: "svc-k3", messages: [{ role: "user", content: "one two three" }] };
    const count = async () =>
      (await (await post(sim, "/v1/tokenizers/estimate-token-count", body)).json()) as object;
    assert.deepEqual(await count(), { data: { total_tokens: 5 } });
    assert.deepEqual(await count(), { data: { total_tokens: 5 } });
    sim.done();
  }));

test("replyWith computes a reply from the request, and a script that throws is a complaint", () =>
  within({}, async (sim) => {
    sim.replyWith((request) => [text(`You said ${String(request.body["input"])}`)]);
    assert.match(await (await post(sim, "/v1/responses", ask)).text(), /You said Hello\?/);
    sim.replyWith(() => {
      throw new Error("Not today.");
    });
    assert.equal((await post(sim, "/v1/responses", ask)).status, 500);
    assert.throws(() => sim.done(), /The script failed: Not today\./);
  }));

test("the simulator reads large, chunked and consecutive request bodies completely", () =>
  within({}, async (sim) => {
    const input = "x".repeat(2 * 1024 * 1024);
    for (let round = 0; round < 2; round += 1) {
      sim.reply(text("Read."));
      await (await post(sim, "/v1/responses", { ...ask, input })).text();
    }
    sim.reply(text("Read."));
    const pieces = JSON.stringify({ ...ask, input: "in pieces" }).match(/.{1,7}/g) ?? [];
    const answer = await fetch(`${sim.url}/v1/responses`, {
      method: "POST",
      headers: { authorization: `Bearer ${sim.key}`, "content-type": "application/json" },
      body: new ReadableStream({
        start(controller) {
          for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
          controller.close();
        },
      }),
      duplex: "half",
    } as RequestInit);
    await answer.text();
    assert.deepEqual(
      sim.requests.map((request) => String(request.body["input"]).length),
      [input.length, input.length, 9],
    );
    sim.done();
  }));
