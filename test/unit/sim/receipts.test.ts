import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, test } from "node:test";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";

let sim: Simulator;
before(async () => {
  sim = await startSimulator({ nonceHeader: "X-Own-Nonce", now: () => 1_790_000_000_500 });
});
after(() => sim.close());

// Node's own client, because fetch joins repeated headers before they leave.
function estimate(headers: Record<string, string | string[]>): Promise<(string | undefined)[]> {
  const body = JSON.stringify({ model: "svc-k3", messages: [{ role: "user", content: "Hello?" }] });
  return new Promise((resolve, reject) => {
    const sent = request(`${sim.url}/v1/tokenizers/estimate-token-count`, {
      method: "POST",
      headers: { authorization: `Bearer ${sim.key}`, "content-type": "application/json", ...headers },
    });
    sent.on("error", reject);
    sent.on("response", (answer) => {
      assert.equal(answer.statusCode, 200);
      const names = ["svc-request-timestamp", "svc-request-signature"];
      answer.resume().on("end", () => resolve(names.map((name) => answer.headers[name]?.toString())));
    });
    sent.end(body);
  });
}

test("a nonce yields both headers and a signature that depends on the nonce", async () => {
  const [time, signature] = await estimate({ "x-own-nonce": "n-1" });
  assert.equal(time, "1790000000");
  assert.match(signature ?? "", /^[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual(await estimate({ "X-OWN-NONCE": "n-1" }), [time, signature]);
  assert.notEqual((await estimate({ "x-own-nonce": "n-2" }))[1], signature);
});

test("a missing, empty, repeated or misnamed nonce yields no headers, and the request succeeds", async () => {
  const none = [undefined, undefined];
  assert.deepEqual(await estimate({}), none);
  assert.deepEqual(await estimate({ "x-own-nonce": "" }), none);
  assert.deepEqual(await estimate({ "x-own-nonce": ["n-1", "n-2"] }), none);
  assert.deepEqual(await estimate({ "x-own-nonce": "n-1, n-2" }), none);
  assert.deepEqual(await estimate({ "svc-request-nonce": "n-1" }), none);
});

test("a refused request with a nonce gets the signature header", async () => {
  const answer = await fetch(`${sim.url}/v1/files/nothing`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${sim.key}`, "x-own-nonce": "n-1" },
  });
  assert.equal(answer.status, 404);
  assert.ok(answer.headers.has("svc-request-signature"));
});
