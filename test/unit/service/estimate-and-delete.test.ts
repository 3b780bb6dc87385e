// The fault matrix (faults.md §3), "Estimate and delete": each row by its number, with a canary for a key.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import type { EstimateRequest } from "../../../src/service/request.ts";
import { ServiceEstimate } from "../../../src/usage/internal/service-estimate.ts";
import { english } from "../../support/english.ts";
import { faultRow, type Row } from "../../support/fault-row.ts";
import {
  type Answer,
  answer,
  json,
  reset,
  startFaultServer,
  startTimersOfUndici,
} from "../../support/fault-server.ts";
import { canary, watch } from "../../support/watched-client.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));
const never = new AbortController().signal;
const ask = (content: string): EstimateRequest => ({
  model: "svc-k3",
  messages: [{ role: "user", content }],
});

const unanswered: readonly (readonly [name: string, answer: Answer, requests: number, says: RegExp])[] = [
  ["400", json(400, { error: { message: `No: ${canary}` } }), 1, /\(400\): No: \[hidden\]/],
  ["404", json(404, { error: { message: "No such model." } }), 1, /No such model/],
  ["429", json(429, { error: { message: "Slow down." } }), 2, /^Too many requests\./],
  ["500", json(500, {}), 2, /Server error 500/],
  ["503", json(503, { error: { message: "The service answered 503." } }), 2, /^Server error 503\.$/],
  ["its name", json(503, { error: { message: "503 Service Unavailable" } }), 2, /^Server error 503\.$/],
  [
    "a reason",
    json(503, { error: { message: "The service is overloaded." } }),
    2,
    /503: The service is overloaded\.$/,
  ],
  ["a status page", answer(502, "<html>", { "content-type": "text/html" }), 2, /^Server error 502\.$/],
  ["silence", () => {}, 2, /No response within 0\.5 seconds/],
  ["nothing", answer(200, ""), 2, /empty/],
  ["a page", answer(200, "<html>Sign in"), 1, /web page/],
  ["gibberish", answer(200, "ok!"), 1, /damaged/],
  ["a count that is none", json(200, { data: { total_tokens: -1 } }), 1, /damaged/],
  ["a count in words", json(200, { data: { total_tokens: "12" } }), 1, /damaged/],
  ["no data", json(200, {}), 1, /damaged/],
  ["a list", json(200, []), 1, /damaged/],
];

for (const [name, given, requests, says] of unanswered) {
  faultRow(104, `an estimate that gets ${name} yields a problem instead of a count`, async ({ watch }) => {
    await using server = await startFaultServer(given);
    const watched = watch(server.url, name === "silence" ? { firstByteSeconds: 0.5 } : {});
    const outcome = await watched.client.estimate(ask("Hi"), never);
    assert.ok("problem" in outcome);
    assert.match(english(outcome.problem), says);
    assert.equal(server.requests.length, requests);
  });
}

/** Drafts are counted by a service that quotes the key and answers when it is told to. */
async function heldCounts({ watch, t }: Row) {
  const asked: { content: string; closed: Promise<void>; answer(tokens: number): void }[] = [];
  const arrivals: (() => void)[] = [];
  const server = await startFaultServer((socket, request) => {
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    const answerWith = (tokens: number) =>
      json(200, { data: { total_tokens: tokens }, seen: request.headers.get("authorization") })(
        socket,
        request,
      );
    const { messages } = JSON.parse(request.body) as EstimateRequest;
    asked.push({
      content: String(messages[0]?.content),
      closed,
      answer: (tokens) => void answerWith(tokens),
    });
    arrivals.shift()?.();
  });
  const counted: string[] = [];
  const { client } = watch(server.url);
  await startTimersOfUndici();
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const counts = new ServiceEstimate({
    estimate: client.estimate,
    mayAskUnasked: () => true,
    onCount: ({ messages }, tokens) => void counted.push(`${messages[0]?.content}: ${tokens}`),
    onPaused() {},
  });
  /** The pause after typing passes, and its request arrives. */
  const patience = async () => {
    const arrived = new Promise<void>((resolve) => arrivals.push(resolve));
    t.mock.timers.tick(800);
    await arrived;
  };
  return { server, counts, asked, counted, patience };
}

faultRow(105, "estimates that finish out of order report only the newest count", async (row) => {
  const { server, counts, asked, counted, patience } = await heldCounts(row);
  await using _ = server;
  for (const content of ["one", "one two"]) {
    counts.propose(ask(content));
    await patience();
  }
  await asked[0]?.closed;
  asked[0]?.answer(1);
  asked[1]?.answer(2);
  await asked[1]?.closed;
  await settled();
  assert.deepEqual(counted, ["one two: 2"]);
});

faultRow(106, "an estimate with status 200 and an error field is an error", async ({ watch }) => {
  await using server = await startFaultServer(
    json(200, { error: { message: "Not today." }, data: { total_tokens: 5 } }),
  );
  const watched = watch(server.url);
  const outcome = await watched.client.estimate(ask("Hi"), never);
  assert.ok("problem" in outcome);
  assert.match(english(outcome.problem), /Not today/);
  assert.equal(server.requests.length, 1);
});

faultRow(
  107,
  "fast typing cancels the running estimate and sends one request after the last key",
  async (row) => {
    const { server, counts, asked, counted, patience } = await heldCounts(row);
    await using _ = server;
    counts.propose(ask("T"));
    await patience();
    for (const at of "Typing fast".split("").keys()) {
      counts.propose(ask("Typing fast".slice(0, at + 1)));
      row.t.mock.timers.tick(100);
    }
    await asked[0]?.closed;
    await patience();
    assert.deepEqual(
      asked.map(({ content }) => content),
      ["T", "Typing fast"],
    );
    asked[1]?.answer(3);
    await asked[1]?.closed;
    await settled();
    assert.deepEqual(counted, ["Typing fast: 3"]);
  },
);

const deleted = (id: string, more: object = {}) => json(200, { id, object: "file", deleted: true, ...more });
const missing = json(404, { error: { message: "No such file." } });

faultRow(108, "deleteFile reports a file that does not exist at the first request", async ({ watch }) => {
  await using server = await startFaultServer(missing);
  const watched = watch(server.url);
  const outcome = await watched.client.deleteFile("file_1", never);
  assert.equal(outcome.status, "not-found");
  assert.equal(english(outcome.problem), "The file does not exist or was already deleted.");
  assert.equal(server.requests.length, 1);
});

test("deleteFile does not report gone after an attempt that never reached the service", async () => {
  const closed = await startFaultServer();
  const { url, port } = closed;
  await closed[Symbol.asyncDispose]();
  const service = createServer((_, response) => {
    response
      .writeHead(404, { "content-type": "application/json" })
      .end('{"error":{"message":"No such file."}}');
  });
  const started = () => new Promise<void>((resolve) => service.listen(port, "127.0.0.1", resolve));
  using watched = watch(url, {}, { wait: started });
  const { status } = await watched.client.deleteFile("file_1", never);
  service.close();
  service.closeAllConnections();
  assert.equal(status, "not-found");
});

faultRow(109, "deleteFile reports gone if a lost response is followed by 404", async ({ watch }) => {
  await using server = await startFaultServer(reset(), missing);
  const watched = watch(server.url);
  assert.deepEqual(await watched.client.deleteFile("file_1", never), { status: "gone" });
  assert.equal(server.requests.length, 2);
});

for (const [name, given, says] of [
  ["deleted: false", deleted("file_1", { deleted: false }), /reports that the file was not deleted/],
  ["another id", deleted("file_2"), /deletion of another file/],
  ["nothing", answer(200, ""), /empty/],
  ["a status other than 200", json(202, { id: "file_1", object: "file", deleted: true }), /damaged/],
] as const) {
  faultRow(110, `deleteFile fails on a response with ${name}`, async ({ watch }) => {
    await using server = await startFaultServer(given);
    const watched = watch(server.url);
    const outcome = await watched.client.deleteFile("file_1", never);
    assert.equal(outcome.status, "failed");
    assert.match(english(outcome.problem), says);
  });
}

faultRow(111, "deleteFile sends three requests on status 500 and offers a retry", async ({ watch }) => {
  await using server = await startFaultServer(json(500, { error: { message: "It broke." } }));
  const watched = watch(server.url);
  const outcome = await watched.client.deleteFile("file_1", never);
  assert.equal(outcome.status, "failed");
  assert.equal(server.requests.length, 3);
  assert.match(english(outcome.problem), /Server error 500: It broke\./);
  assert.ok(outcome.problem?.actions.includes("retry"));
});

faultRow(112, "deleteFile shares one request between concurrent deletions of a file", async ({ watch }) => {
  await using server = await startFaultServer(deleted("file_1"));
  const watched = watch(server.url);
  const both = await Promise.all([
    watched.client.deleteFile("file_1", never),
    watched.client.deleteFile("file_1", never),
  ]);
  assert.deepEqual(both, [{ status: "deleted" }, { status: "deleted" }]);
  assert.equal(server.requests.length, 1);
  await watched.client.deleteFile("file_1", never);
  assert.equal(server.requests.length, 2, "later it is a request of its own");
});

for (const stops of ["first", "second"] as const)
  test(`deleteFile goes on for the others when the ${stops} of two concurrent callers stops`, async () => {
    let arrive = (_answer: () => void): void => {};
    const arrived = new Promise<() => void>((resolve) => {
      arrive = resolve;
    });
    await using server = await startFaultServer((socket, request) =>
      arrive(() => void deleted("file_1")(socket, request)),
    );
    using watched = watch(server.url);
    const stop = new AbortController();
    const [first, second] = stops === "first" ? [stop.signal, never] : [never, stop.signal];
    const both = [watched.client.deleteFile("file_1", first), watched.client.deleteFile("file_1", second)];
    if (stops === "second") both.reverse();
    const answerIt = await arrived;
    stop.abort();
    const stopped = await both[0];
    assert.equal(stopped?.status, "failed");
    assert.equal(stopped?.problem?.kind, "refused-locally");
    answerIt();
    assert.deepEqual(await both[1], { status: "deleted" });
    assert.equal(server.requests.length, 1);
  });

test("deleteFile closes its request when all callers stop, and the next one sends its own", async () => {
  let close = (): void => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  let arrive = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await using server = await startFaultServer((socket) => {
    socket.once("close", () => close());
    arrive();
  }, deleted("file_1"));
  using watched = watch(server.url);
  const stops = [new AbortController(), new AbortController()];
  const both = stops.map(({ signal }) => watched.client.deleteFile("file_1", signal));
  await arrived;
  for (const stop of stops) stop.abort();
  const next = watched.client.deleteFile("file_1", never);
  for (const each of both) assert.equal((await each).status, "failed");
  await closed;
  assert.deepEqual(await next, { status: "deleted" });
  assert.equal(server.requests.length, 2);
});

test("deleteFile encodes any id as one path segment and sends no body", async () => {
  await using server = await startFaultServer((socket, request) => {
    const id = decodeURIComponent(request.path.slice("/v1/files/".length));
    void deleted(id)(socket, request);
  });
  using watched = watch(server.url);
  for (const id of ["file_1", "a/../b", "../chat/completions", "ä?x=1#y", "%2e%2e", "a b"]) {
    assert.deepEqual(await watched.client.deleteFile(id, never), { status: "deleted" }, id);
    const { method, path, body } = server.requests.at(-1) ?? {};
    assert.deepEqual([method, path, body], ["DELETE", `/v1/files/${encodeURIComponent(id)}`, ""]);
  }
});

test("deleteFile refuses an invalid id without a request", async () => {
  await using server = await startFaultServer(deleted("x"));
  using watched = watch(server.url);
  for (const id of ["", " ", ".", "..", "...", "x".repeat(257), "a\nb", "a\u0000b", "\ud800"]) {
    const { status, problem: found } = await watched.client.deleteFile(id, never);
    assert.deepEqual([status, found?.kind], ["failed", "refused-locally"], JSON.stringify(id));
  }
  assert.equal(server.requests.length, 0);
});

test("deleteFile accepts a result with another object type and logs it", async () => {
  await using server = await startFaultServer(deleted("file_1", { object: "folder" }));
  using watched = watch(server.url);
  assert.deepEqual(await watched.client.deleteFile("file_1", never), { status: "deleted" });
  assert.ok(watched.lines.some((line) => line.includes("folder")));
});

for (const status of [200, 201, 299]) {
  test(`an estimate with status ${status} and a count returns the count`, async () => {
    await using server = await startFaultServer(json(status, { data: { total_tokens: 0 }, more: null }));
    using watched = watch(server.url);
    const outcome = await watched.client.estimate(ask("Hi"), never);
    assert.ok("tokens" in outcome && outcome.tokens === 0);
  });
}

test("an estimate that is refused for its tool messages is sent with user messages, also from then on", async () => {
  const roles: string[][] = [];
  await using server = await startFaultServer((socket, request) => {
    const { messages } = JSON.parse(request.body) as { messages: { role: string }[] };
    roles.push(messages.map(({ role }) => role));
    const isRefused = messages.some(({ role }) => role === "tool");
    const refusal = { error: { message: "messages[2].tool_call_id is required" } };
    return isRefused
      ? json(400, refusal)(socket, request)
      : json(200, { data: { total_tokens: 7 } })(socket, request);
  });
  using watched = watch(server.url);
  const messages = [
    { role: "user", content: "Read it." },
    { role: "assistant", content: "read_file" },
    { role: "tool", content: "its text" },
  ] as const;
  const counts = async () => watched.client.estimate({ model: "svc-k3", messages }, never);
  for (const _ of [1, 2]) assert.deepEqual(await counts(), { tokens: 7 });
  const told = ["user", "assistant", "user"];
  assert.deepEqual(roles, [["user", "assistant", "tool"], told, told]);
});

test("an estimate that is refused in both forms reports the first refusal", async () => {
  await using server = await startFaultServer(
    json(400, { error: { message: "First." } }),
    json(400, { error: { message: "Second." } }),
  );
  using watched = watch(server.url);
  const messages = [{ role: "tool", content: "its text" }] as const;
  const outcome = await watched.client.estimate({ model: "svc-k3", messages }, never);
  assert.ok("problem" in outcome && /First\./.test(english(outcome.problem)));
  assert.equal(server.requests.length, 2);
});
