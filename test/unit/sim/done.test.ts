import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import type { JsonObject } from "../../sim/json.ts";
import { call, search, text } from "../../sim/script.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";

// What `sim.requests` tells of every request, and everything at which `sim.done()` fails.

const responses = { path: "/v1/responses", body: { model: "svc-k3", input: "Hello?" } };
const chat = {
  path: "/v1/chat/completions",
  body: { model: "svc-k2.6", messages: [{ role: "user", content: "Hello?" }] },
};
const estimate = { path: "/v1/tokenizers/estimate-token-count", body: chat.body };

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly body?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

async function within(run: (sim: Simulator, send: (sent: Sent) => Promise<number>) => Promise<void>) {
  const sim = await startSimulator({ files: ["file-1"], now: () => 1_790_000_000_000 });
  const send = async ({ method = "POST", path, body, headers }: Sent) => {
    const answer = await fetch(`${sim.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${sim.key}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  try {
    await run(sim, send);
  } finally {
    await sim.close();
  }
}

test("sim.requests records operation, body, headers, time, status and end of each request", () =>
  within(async (sim, send) => {
    sim.reply(text("Hello."));
    sim.reply(text("Hello."));
    for (const sent of [responses, chat, estimate]) await send(sent);
    await send({ method: "DELETE", path: "/v1/files/file-1" });
    await send({ method: "DELETE", path: "/v1/files/file-1" });
    assert.deepEqual(
      sim.requests.map(({ operation, method, path, status }) => [operation, method, path, status]),
      [
        ["responses", "POST", responses.path, 200],
        ["chat", "POST", chat.path, 200],
        ["estimate", "POST", estimate.path, 200],
        ["delete", "DELETE", "/v1/files/file-1", 200],
        ["delete", "DELETE", "/v1/files/file-1", 404],
      ],
    );
    const [first] = sim.requests;
    assert.deepEqual(first?.body, responses.body);
    assert.equal(first?.raw.toString("utf8"), JSON.stringify(responses.body));
    assert.equal(first?.headers["authorization"], "Bearer [key]");
    assert.deepEqual(
      [first?.authorized, first?.time, first?.closedByClient],
      [true, 1_790_000_000_000, false],
    );
    await first?.settled;
    sim.done();
  }));

for (const queue of ["generation", "estimate", "delete"] as const)
  test(`done fails if a scripted ${queue} was not requested`, () =>
    within(async (sim) => {
      sim.done();
      if (queue === "generation") sim.reply(text("Hello."));
      else sim.replyTo(queue);
      assert.throws(() => sim.done(), new RegExp(`Nobody asked for 1 scripted ${queue} answer`));
    }));

for (const { path, body } of [responses, chat])
  test(`done fails if a request to ${path} has no scripted reply`, () =>
    within(async (sim, send) => {
      assert.equal(await send({ path, body }), 500);
      assert.throws(() => sim.done(), new RegExp(`Nothing is scripted for POST ${path}`));
    }));

/** One broken rule of each operation and of the requests around them; what is said of it. */
const complaints: readonly (readonly [rule: string, sent: Sent, complaint: RegExp])[] = [
  ["another operation", { method: "GET", path: "/v1/models" }, /There is no GET \/v1\/models/],
  ["a query", { ...responses, path: "/v1/responses?stream=true" }, /The address had a query/],
  ["a response of another model", { ...responses, body: { model: "svc-k2.6", input: "x" } }, /svc-k2\.6/],
  ["a response without input", { ...responses, body: { model: "svc-k3" } }, /input is required/],
  ["a chat without messages", { ...chat, body: { model: "svc-k3" } }, /messages is required/],
  [
    "an estimate of nothing",
    { ...estimate, body: { model: "svc-k3", messages: [{ role: "user", content: "" }] } },
    /messages\[0\]\.content must not be empty/,
  ],
  ["a deletion with a body", { method: "DELETE", path: "/v1/files/file-1", body: {} }, /carried a body/],
  ["an empty nonce", { ...responses, headers: { "svc-request-nonce": "" } }, /The nonce was empty/],
  ["two nonces", { ...responses, headers: { "svc-request-nonce": "a, b" } }, /more than one nonce/],
  [
    "an e-mail address as the user",
    { ...responses, body: { ...responses.body, safety_identifier: "ann@example.org" } },
    /safety_identifier tells who/,
  ],
  [
    "a path as the session",
    { ...responses, body: { ...responses.body, prompt_cache_key: "/home/ann/project" } },
    /prompt_cache_key tells who or where/,
  ],
];

for (const [rule, sent, complaint] of complaints)
  test(`done fails after ${rule}`, () =>
    within(async (sim, send) => {
      const generates = [responses.path, chat.path].includes(sent.path.split("?")[0] ?? "");
      if (generates) sim.reply(text("Hello."));
      // A refused request leaves the script alone; this one takes it.
      if ((await send(sent)) !== 200 && generates) await send({ ...responses });
      assert.equal(sim.complaints.length, 1, sim.complaints.join("\n"));
      assert.throws(() => sim.done(), complaint);
    }));

test("a repeated nonce is a complaint", () =>
  within(async (sim, send) => {
    for (const nonce of ["n-1", "n-2", "n-1"])
      await send({ ...estimate, headers: { "svc-request-nonce": nonce } });
    assert.deepEqual(sim.complaints, ["A nonce was used twice."]);
  }));

test("done fails after bytes that are not an HTTP request", () =>
  within(async (sim) => {
    const socket = connect(Number(new URL(sim.url).port), "127.0.0.1");
    socket.end("\x16\x03\x01 hello?\r\n\r\n");
    const answer: Buffer[] = [];
    for await (const bytes of socket) answer.push(bytes);
    assert.match(Buffer.concat(answer).toString("latin1"), /^HTTP\/1\.1 400 /);
    assert.throws(() => sim.done(), /no request of HTTP/);
  }));

test("a wrong key, an unknown model and a missing file are not complaints", () =>
  within(async (sim, send) => {
    assert.equal(await send({ ...responses, headers: { authorization: "Bearer sk-old" } }), 401);
    assert.equal(await send({ ...chat, body: { ...chat.body, model: "svc-k9" } }), 404);
    assert.equal(await send({ method: "DELETE", path: "/v1/files/file-9" }), 404);
    sim.done();
  }));

test("a response includes sources and results only if they are requested and the search is offered", () =>
  within(async (sim) => {
    const include = ["web_search_call.action.sources", "web_search_call.results"];
    const tools = [{ type: "web_search" }];
    const told = async (more: JsonObject) => {
      const source = { url: "https://docs.example/", title: "Docs" };
      sim.reply(search("docs", [source], [{ url: "https://docs.example/a.png" }]), call("look"));
      const answer = await fetch(`${sim.url}${responses.path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${sim.key}`, "content-type": "application/json" },
        body: JSON.stringify({ ...responses.body, ...more }),
      });
      const text = await answer.text();
      return [text.includes('"sources"'), text.includes('"results"')];
    };
    assert.deepEqual(await told({ tools, include }), [true, true]);
    assert.deepEqual(await told({ tools, include: include.slice(0, 1) }), [true, false]);
    assert.deepEqual(await told({ tools }), [false, false]);
    assert.deepEqual(await told({ include }), [false, false]);
    sim.done();
  }));
