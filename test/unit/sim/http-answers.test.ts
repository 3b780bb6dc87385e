import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { empty, htmlPage, json, raw, redirect, status } from "../../sim/http-answers.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";

let sim: Simulator;
before(async () => {
  sim = await startSimulator();
});
after(() => sim.close());

for (const code of [400, 401, 402, 403, 404, 408, 409, 413, 425, 429, 500, 502, 503, 504, 529])
  test(`status ${code} is sent with the scripted error body and Retry-After headers`, async () => {
    const waits = [undefined, 2, "Wed, 21 Oct 2026 07:28:00 GMT", "soon"];
    for (const retryAfter of waits) {
      sim.fault(
        status(code, {
          message: "No.",
          type: "t",
          code: "c",
          ...(retryAfter === undefined ? {} : { retryAfter }),
          retryAfterMs: 1500,
        }),
      );
      const answer = await fetch(`${sim.url}/v1/responses`, post());
      assert.equal(answer.status, code);
      assert.equal(answer.headers.get("retry-after"), retryAfter === undefined ? null : String(retryAfter));
      assert.equal(answer.headers.get("retry-after-ms"), "1500");
      assert.deepEqual(await answer.json(), { error: { message: "No.", type: "t", code: "c" } });
    }
  });

test("htmlPage, redirect, json, raw and empty send their scripted responses", async () => {
  sim.fault(htmlPage(502));
  sim.fault(redirect("https://elsewhere.example/v1/responses"));
  sim.fault(json({ detail: "odd" }, 201));
  sim.fault(raw("data: {}\n\n"));
  sim.fault(empty(204));
  const ask = () => fetch(`${sim.url}/v1/responses`, { ...post(), redirect: "manual" });
  const page = await ask();
  assert.deepEqual([page.status, page.headers.get("content-type")], [502, "text/html"]);
  assert.match(await page.text(), /^<!DOCTYPE html>/);
  const moved = await ask();
  assert.deepEqual(
    [moved.status, moved.headers.get("location")],
    [307, "https://elsewhere.example/v1/responses"],
  );
  const odd = await ask();
  assert.deepEqual([odd.status, await odd.json()], [201, { detail: "odd" }]);
  assert.equal(await (await ask()).text(), "data: {}\n\n");
  assert.equal((await ask()).status, 204);
});

function post() {
  return {
    method: "POST",
    headers: { authorization: `Bearer ${sim.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "svc-k3", input: "Hello?", stream: true }),
  };
}
