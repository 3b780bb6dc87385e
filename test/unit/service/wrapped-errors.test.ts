// Errors that a gateway passes on: what it was told itself is what a person reads, and what decides about asking again.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { english } from "../../support/english.ts";
import { json, startFaultServer } from "../../support/fault-server.ts";
import { watch } from "../../support/watched-client.ts";

const passedOn = (code: number, raw: unknown) => ({
  error: { message: "Provider returned error", code, metadata: { raw, provider_name: "Moonshot AI" } },
});

async function ask(status: number, body: unknown) {
  await using server = await startFaultServer(json(status, body));
  using watched = watch(server.url);
  const { reply } = await watched.turn({ route: "chat" });
  return { kind: reply.problem?.kind, requests: reply.requests, said: english(reply.problem) };
}

describe("an error that a gateway passes on", () => {
  test("is reported with the message of the upstream service", async () => {
    const inner = { error: { message: "Invalid temperature: 2 is above 1.", type: "invalid_request_error" } };
    for (const raw of [JSON.stringify(inner), inner, "Invalid temperature: 2 is above 1."]) {
      const { kind, said } = await ask(400, passedOn(400, raw));
      assert.equal(kind, "bad-request");
      assert.match(said, /Invalid temperature: 2 is above 1\./);
      assert.doesNotMatch(said, /Provider returned error/);
    }
  });

  test("is reported with the gateway's message if there is no other", async () => {
    for (const raw of ["", null, "<html><body>Bad Gateway</body></html>", {}])
      assert.match((await ask(400, passedOn(400, raw))).said, /Provider returned error/);
  });

  test("is not retried if it is about payment, despite the gateway's code", async () => {
    const lacking = JSON.stringify({ error: { message: "Insufficient balance", type: "unknown_error" } });
    for (const body of [
      passedOn(429, lacking),
      { error: { message: "Your account has insufficient balance, please recharge.", code: "429" } },
      { error: { message: "余额不足或无可用资源包,请充值。", code: "rate_limit_error" } },
      {
        error: {
          message: "litellm.RateLimitError: You exceeded your current quota, please check your plan.",
          type: "throttling_error",
          code: "429",
        },
      },
    ]) {
      const { kind, requests } = await ask(429, body);
      assert.deepEqual([kind, requests], ["quota", 1], JSON.stringify(body));
    }
  });

  test("is retried if the quota renews automatically", async () => {
    for (const message of [
      "You exceeded your current quota. Please retry in 0.02s.",
      "Quota exceeded: requests per minute.",
      "Rate limit quota reached for this model.",
    ]) {
      const { kind, requests } = await ask(429, { error: { message, code: 429 } });
      assert.deepEqual([kind, requests], ["busy", 3], message);
    }
  });

  test("is reported as a bad request instead of a refused key if a filter refused it", async () => {
    const { kind, requests } = await ask(403, {
      error: { message: "Input was flagged by moderation", code: 403, metadata: { reasons: ["violence"] } },
    });
    assert.deepEqual([kind, requests], ["bad-request", 1]);
  });
});
