// The gate for what goes wrong, and for deleting: real clients of the de-facto standard read the simulator's errors.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { APICallError } from "ai";
import OpenAI from "openai";
import { status } from "../../sim/http-answers.ts";
import { errorEvent, failed, text } from "../../sim/script.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";
import { askAi, askOpenai, openaiClient } from "./clients.ts";

let sim: Simulator;
before(async () => {
  sim = await startSimulator();
});
after(() => sim.close());

test("the official client reads a failed response and its error", async () => {
  sim.reply(text("Hel"), failed("Out of order.", "server_error"));
  const stream = openaiClient(sim).responses.stream({ model: "svc-k3", input: "Hello?" });
  const response = await stream.finalResponse();
  assert.equal(response.status, "failed");
  assert.deepEqual(response.error, { code: "server_error", message: "Out of order." });
});

for (const shape of ["flat", "nested"] as const)
  test(`both clients reject on an error record of the ${shape} shape`, async () => {
    for (const ask of [() => askOpenai(sim, {}), () => askAi(sim, "responses")]) {
      sim.reply(text("Hel"), errorEvent("Slow down.", "rate_limit_exceeded", shape));
      await assert.rejects(ask());
    }
  });

test("both clients reject on an error in a chat stream", async () => {
  sim.reply(text("Hel"), failed());
  await assert.rejects(askAi(sim, "chat"));
  sim.reply(text("Hel"), failed("Broken."));
  const stream = openaiClient(sim).chat.completions.stream({
    model: "svc-k2.6",
    messages: [{ role: "user", content: "Hello?" }],
  });
  await assert.rejects(stream.finalChatCompletion(), /Broken\./);
});

test("the official client reads status, parameter and request id of an error response", async () => {
  const client = openaiClient(sim);
  const ask = (body: object) => client.responses.create({ model: "svc-k3", input: "Hello?", ...body });
  sim.reply(text("not reached"));
  await assert.rejects(ask({ max_output_tokens: 0 }), (error: unknown) => {
    assert.ok(error instanceof OpenAI.BadRequestError);
    assert.equal(error.param, "max_output_tokens");
    assert.match(error.requestID ?? "", /^req_/);
    return true;
  });
  await ask({});
  sim.reply(status(429, { type: "rate_limit_reached_error", retryAfter: 2 }));
  await assert.rejects(ask({}), OpenAI.RateLimitError);
  const stranger = new OpenAI({ apiKey: "sk-wrong", baseURL: `${sim.url}/v1`, maxRetries: 0 });
  await assert.rejects(
    stranger.responses.create({ model: "svc-k3", input: "Hello?" }),
    OpenAI.AuthenticationError,
  );
});

test("the AI SDK reads status, message and Retry-After of an error response on both routes", async () => {
  for (const wire of ["responses", "chat"] as const) {
    sim.reply(status(429, { message: "Slow down.", retryAfter: 2 }));
    await assert.rejects(askAi(sim, wire), (error: unknown) => {
      assert.ok(APICallError.isInstance(error));
      assert.deepEqual([error.statusCode, error.message], [429, "Slow down."]);
      assert.equal(error.responseHeaders?.["retry-after"], "2");
      return true;
    });
  }
});

test("the official client deletes a file once", async () => {
  const own = await startSimulator({ files: ["file-a b/ü"] });
  const client = openaiClient(own);
  assert.deepEqual(await client.files.delete("file-a b/ü"), {
    id: "file-a b/ü",
    object: "file",
    deleted: true,
  });
  await assert.rejects(client.files.delete("file-a b/ü"), OpenAI.NotFoundError);
  own.done();
  await own.close();
});
