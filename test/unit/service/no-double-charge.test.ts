// Nothing that may have been generated is asked for twice by itself: under every fault that the simulator has, on both
// routes, streamed and whole, the service generates at most once. Where nothing was generated, it is asked again.
import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { test } from "node:test";
import { faultOf } from "../../../src/service/internal/fault.ts";
import { planRetry } from "../../../src/service/internal/plan-retry.ts";
import * as compression from "../../sim/compression.ts";
import * as faults from "../../sim/delivery-faults.ts";
import * as answers from "../../sim/http-answers.ts";
import { errorEvent, failed, type Part, text } from "../../sim/script.ts";
import * as mishaps from "../../sim/stream-faults.ts";
import { json, startFaultServer } from "../../support/fault-server.ts";
import { good } from "../../support/hello-reply.ts";
import { usingSimulator } from "../../support/using-simulator.ts";
import { watch } from "../../support/watched-client.ts";

/** Every maker of a fault, by its name; those that only help to make one are not. */
const made: Readonly<Record<string, readonly Part[]>> = {
  resetBeforeHeaders: [faults.resetBeforeHeaders()],
  closeBeforeHeaders: [faults.closeBeforeHeaders()],
  blackHole: [faults.blackHole()],
  resetAfterHeaders: [faults.resetAfterHeaders()],
  cutHeaders: [faults.cutHeaders(20)],
  cutAfter: [faults.cutAfter(0), faults.cutAfter(10), faults.cutAfter(400)],
  cutAfterEvents: [faults.cutAfterEvents(0), faults.cutAfterEvents(1), faults.cutAfterEvents(3)],
  splitEvery: [faults.splitEvery(3)],
  splitAt: [faults.splitAt(7)],
  inOnePiece: [faults.inOnePiece()],
  slowHeaders: [faults.slowHeaders(600)],
  slowFirstByte: [faults.slowFirstByte(600)],
  drip: [faults.drip(400, 1)],
  slowEnd: [faults.slowEnd(600)],
  unevenly: [faults.unevenly(300, 1)],
  keepOpen: [faults.keepOpen()],
  wrongLength: [faults.wrongLength(100), faults.wrongLength(-5)],
  missingTerminator: [faults.missingTerminator()],
  trailing: [faults.trailing()],
  staleAfterwards: [faults.staleAfterwards()],
  heartbeats: [faults.heartbeats(3)],
  insertBefore: [faults.insertBefore(0, "data: {broken\n\n"), faults.insertBefore(1, "data: [DONE]\n\n")],
  withHeader: [faults.withHeader("x-odd", "1")],
  compressed: [compression.compressed()],
  cutCompressed: [compression.cutCompressed(20)],
  doubled: [mishaps.doubled("response.output_text")],
  lost: [mishaps.lost("response.output_text")],
  swapped: [mishaps.swapped("response.output_text.delta")],
  withStrangers: [mishaps.withStrangers()],
  endedTwice: [mishaps.endedTwice()],
  upTo: [mishaps.upTo("response.created")],
  changed: [mishaps.changed("response.output_text.delta", () => ({}))],
  status: [408, 409, 429, 500, 502, 503, 504, 524, 529, 400, 401, 403, 404, 413].map((code) =>
    answers.status(code),
  ),
  json: [
    null,
    "text",
    1,
    [],
    [1],
    {},
    { choices: [] },
    { error: { message: "x", code: "server_error" } },
  ].map((body) => answers.json(body)),
  raw: [answers.raw(""), answers.raw(": ping\n\n"), answers.raw("data: 1\n\n"), answers.raw("{")],
  htmlPage: [answers.htmlPage(502), answers.htmlPage(200)],
  redirect: [answers.redirect("http://127.0.0.1:9/")],
  empty: [answers.empty(200), answers.empty(204)],
};
/** Helpers, a test's own hands, and two that only weigh: their sizes are in other tests. */
const none = ["fault", "framesOf", "joined", "holdBefore", "endlessLine", "gzipBomb"];

test("the table of faults covers every fault of the simulator", () => {
  const makers = [faults, mishaps, compression, answers].flatMap((file) =>
    Object.entries(file).flatMap(([name, maker]) => (typeof maker === "function" ? [name] : [])),
  );
  assert.deepEqual(
    makers.filter((name) => !(name in made) && !none.includes(name)),
    [],
  );
});

const own = {
  error: [errorEvent("Busy.", "rate_limit_exceeded")],
  broke: [errorEvent("No.", "server_error")],
  failed: [failed()],
};

for (const route of ["responses", "chat"] as const)
  for (const stream of ["on", "off"] as const)
    for (const [name, parts] of Object.entries({ ...made, ...own }))
      test(`a turn generates at most once: ${name}, ${route}, stream ${stream}`, async () => {
        for (const part of parts) {
          await using sim = await usingSimulator();
          // With a reply that is lost, and with nothing behind it.
          sim.reply(
            ...(part.part === "answer" || part.part === "ending" ? [part] : [text("Hello there."), part]),
          );
          for (const _ of [1, 2, 3]) sim.reply(text("Again."));
          using watched = watch(
            sim.url,
            { stream, firstByteSeconds: 0.3, unstreamedSeconds: 0.3, idleSeconds: 0.3 },
            { connection: async () => ({ baseUrl: sim.url, key: sim.key }) },
          );
          const { reply } = await watched.turn({ route });
          // An error that the service itself tells before a word was said is no reply: it may be asked again.
          const told = part.part === "ending" && stream === "on" ? 1 : 0;
          assert.ok(
            sim.generated <= 1 + told * 2,
            `${sim.generated} generations in ${reply.requests} requests`,
          );
        }
      });

test("a kept connection that is closed late has delivered the request, which is not sent again", async (t) => {
  for (const [seconds, requests] of [
    [0, 3],
    [60, 2],
  ] as const) {
    let passed = 0;
    const now = performance.now.bind(performance);
    t.mock.method(performance, "now", () => now() + passed);
    const whole = JSON.stringify({ object: "response", status: "completed", output: [] });
    const reply = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${whole.length}\r\n\r\n${whole}`;
    await using server = await startFaultServer(
      (socket) => void socket.write(reply),
      (socket) => {
        passed = seconds * 1000;
        socket.resetAndDestroy();
      },
      (socket) => void socket.write(reply),
    );
    using watched = watch(server.url, { stream: "off" });
    await watched.turn();
    // A connection is used again no sooner than in the next round of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    await watched.turn();
    assert.equal(server.requests[1]?.connection, 0, "the second request came on the kept connection");
    assert.equal(server.requests.length, requests, `after ${seconds} seconds`);
    t.mock.reset();
  }
});

test("a streamed generation is sent again after a connection that broke at once, and not after one that broke late", async (t) => {
  for (const [seconds, requests] of [
    [0, 2],
    [60, 1],
  ] as const)
    for (const lose of [
      (socket: Socket) => void socket.resetAndDestroy(),
      (socket: Socket) => void socket.end(),
    ]) {
      let passed = 0;
      const now = performance.now.bind(performance);
      t.mock.method(performance, "now", () => now() + passed);
      await using server = await startFaultServer((socket) => {
        passed = seconds * 1000;
        lose(socket);
      }, good);
      using watched = watch(server.url, { stream: "on" });
      const { reply } = await watched.turn();
      assert.equal(server.requests.length, requests, `after ${seconds} seconds`);
      assert.equal(reply.problem?.kind, seconds === 0 ? undefined : "network");
      t.mock.reset();
    }
});

test("a streamed generation is sent again after a gateway's status that came at once, and not after one that came late", async (t) => {
  for (const [seconds, requests] of [
    [0, 2],
    [60, 1],
  ] as const)
    for (const status of [408, 502, 504, 520, 524]) {
      let passed = 0;
      const now = performance.now.bind(performance);
      t.mock.method(performance, "now", () => now() + passed);
      const refused = json(status, { error: { message: "No." } });
      await using server = await startFaultServer((...args) => {
        passed = seconds * 1000;
        refused(...args);
      }, good);
      using watched = watch(server.url, { stream: "on" });
      const { reply } = await watched.turn();
      assert.equal(server.requests.length, requests, `${status} after ${seconds} seconds`);
      assert.equal(reply.problem === undefined, seconds === 0);
      t.mock.reset();
    }
});

test("a streamed generation that the service itself refuses late is sent again", async (t) => {
  for (const status of [429, 500, 503, 529]) {
    let passed = 0;
    const now = performance.now.bind(performance);
    t.mock.method(performance, "now", () => now() + passed);
    const refused = json(status, { error: { message: "No." } });
    await using server = await startFaultServer((...args) => {
      passed = 60_000;
      refused(...args);
    }, good);
    using watched = watch(server.url, { stream: "on" });
    await watched.turn();
    assert.equal(server.requests.length, 2, `${status}`);
    t.mock.reset();
  }
});

test("a connection that was never established is tried again, however long that took", () => {
  const error = Object.assign(new Error("connect ECONNREFUSED"), {
    code: "ECONNREFUSED",
    syscall: "connect",
  });
  for (const risk of ["stream", "whole"] as const)
    assert.equal(planRetry(faultOf(error, false, false, true), 1, risk, { now: 0, random: 0 }).again, true);
});

test("a connection that is lost after the request was sent is not taken for one that never was", () => {
  for (const code of ["ETIMEDOUT", "EHOSTUNREACH"])
    for (const [syscall, again] of [
      ["connect", true],
      ["read", false],
      ["write", false],
    ] as const) {
      const fault = faultOf(Object.assign(new Error(`${syscall} ${code}`), { code, syscall }), false, false);
      assert.equal(planRetry(fault, 1, "whole", { now: 0, random: 0 }).again, again, `${syscall} ${code}`);
    }
});

test("a request that fails before generation is retried and succeeds", async () => {
  for (const part of [answers.status(503), answers.status(429), answers.status(500)]) {
    for (const stream of ["on", "off"] as const) {
      await using sim = await usingSimulator();
      sim.fault(part);
      sim.reply(text("Hello."));
      using watched = watch(
        sim.url,
        { stream },
        { connection: async () => ({ baseUrl: sim.url, key: sim.key }) },
      );
      const { reply } = await watched.turn();
      assert.deepEqual([reply.text, reply.requests, sim.generated], ["Hello.", 2, 1]);
    }
  }
});

test("a JSON body that is not a reply is reported as a protocol problem and not retried", async () => {
  for (const body of [null, "Hello", [1, 2], 42, true]) {
    for (const route of ["responses", "chat"] as const) {
      await using server = await startFaultServer(json(200, body as object));
      using watched = watch(server.url);
      const { reply } = await watched.turn({ route });
      assert.equal(server.requests.length, 1, JSON.stringify(body));
      assert.equal(reply.problem?.kind, "protocol", JSON.stringify(body));
    }
  }
});

test("streamed and unstreamed replies have separate timeouts for the first byte", async () => {
  await using server = await startFaultServer(() => {});
  for (const [stream, seconds] of [
    ["on", { firstByteSeconds: 0.1, unstreamedSeconds: 60 }],
    ["off", { firstByteSeconds: 60, unstreamedSeconds: 0.1 }],
  ] as const) {
    using watched = watch(server.url, { stream, ...seconds });
    const { reply } = await watched.turn();
    assert.deepEqual([reply.problem?.kind, reply.requests], ["timeout", 1]);
  }
});
