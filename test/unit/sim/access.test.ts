import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../sim/json.ts";
import { text } from "../../sim/script.ts";
import { post, within } from "./rule-table.ts";

// Rules that stand before those of any operation: routes, keys, bodies; and what counts as a complaint.

const chatUser = { role: "user", content: "Hello?" };

test("chat and estimate accept all four models, and an unknown model gets 404", () =>
  within({}, async (sim) => {
    for (const model of ["svc-k3", "svc-k2.7-code", "svc-k2.7-code-highspeed", "svc-k2.6"]) {
      sim.reply(text("Hello."));
      assert.equal((await post(sim, "/v1/chat/completions", { model, messages: [chatUser] })).status, 200);
      assert.equal(
        (await post(sim, "/v1/tokenizers/estimate-token-count", { model, messages: [chatUser] })).status,
        200,
      );
    }
    for (const path of ["/v1/responses", "/v1/chat/completions"]) {
      const { status, error } = await post(sim, path, {
        model: "svc-k9",
        input: "Hello?",
        messages: [chatUser],
      });
      assert.deepEqual([status, error["code"]], [404, "model_not_found"]);
    }
  }));

test("a body with invalid JSON, UTF-8 or content type, or without an object, gets 400", () =>
  within({}, async (sim) => {
    const bodies: readonly (readonly [string | Uint8Array, string])[] = [
      ["{", "application/json"],
      ["[]", "application/json"],
      [new Uint8Array([0x22, 0xff, 0x22]), "application/json"],
      ["{}", "text/plain"],
    ];
    for (const [body, type] of bodies) {
      const answer = await fetch(`${sim.url}/v1/responses`, {
        method: "POST",
        headers: { authorization: `Bearer ${sim.key}`, "content-type": type },
        body,
      });
      assert.equal(answer.status, 400);
    }
    assert.equal(sim.complaints.length, bodies.length);
  }));

test("a missing key, a wrong key or another scheme gets 401 on every operation", () =>
  within({ files: ["file-1"] }, async (sim) => {
    const wrong: readonly [string, string][][] = [
      [],
      [["authorization", "Bearer sk-wrong"]],
      [["authorization", sim.key]],
      [["authorization", `Basic ${sim.key}`]],
    ];
    const operations = [
      ["POST", "/v1/responses"],
      ["POST", "/v1/chat/completions"],
      ["POST", "/v1/tokenizers/estimate-token-count"],
      ["DELETE", "/v1/files/file-1"],
    ] as const;
    for (const [method, path] of operations)
      for (const headers of wrong) {
        const answer = await fetch(`${sim.url}${path}`, { method, headers });
        assert.equal(answer.status, 401);
        const { error } = (await answer.json()) as { error: JsonObject };
        assert.equal(error["code"], "invalid_api_key");
      }
    assert.ok(sim.files.has("file-1"));
    sim.done();
  }));

test("a path or method outside the four operations is a complaint", () =>
  within({}, async (sim) => {
    const headers = { authorization: `Bearer ${sim.key}` };
    for (const [method, path] of [
      ["GET", "/v1/models"],
      ["GET", "/v1/responses"],
      ["POST", "/responses"],
      ["POST", "/v1/v1/responses"],
      ["DELETE", "/v1/files/"],
    ] as const)
      assert.equal((await fetch(`${sim.url}${path}`, { method, headers })).status, 404);
    assert.equal(sim.complaints.length, 5);
    assert.throws(() => sim.done(), /GET \/v1\/models/);
  }));

test("a key outside the Authorization header is a complaint", () =>
  within({}, async (sim) => {
    sim.reply(text("Hello."));
    await post(sim, "/v1/responses", { model: "svc-k3", input: `My key is ${sim.key}` });
    assert.throws(() => sim.done(), /outside the Authorization header/);
  }));

test("a broken rule in the request before a scripted reply is a complaint", () =>
  within({}, async (sim) => {
    sim.reply(text("Hello."));
    await post(sim, "/v1/responses", {
      model: "svc-k3",
      input: [{ type: "function_call", call_id: "c1", name: "look", arguments: "{}" }],
    });
    await post(sim, "/v1/responses", { model: "svc-k3", input: "Hello?" });
    assert.throws(() => sim.done(), /No tool output found for call c1/);
  }));
