// The fault matrix (faults.md §3), rows 1 to 8: no connection, or none that is kept.
import assert from "node:assert/strict";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { test } from "node:test";
import { english } from "../../support/english.ts";
import { answerRow, faultRow } from "../../support/fault-row.ts";
import { answer, reset, startFaultServer } from "../../support/fault-server.ts";
import { done, good, whole } from "../../support/hello-reply.ts";
import { certificate, keyPair } from "../../support/tls-service.ts";
import { canary, watch } from "../../support/watched-client.ts";

faultRow(1, "a host that does not exist is reported by name after three requests", async ({ watch }) => {
  const watched = watch("https://patchbay.invalid");
  const { reply } = await watched.turn();
  assert.equal(reply.requests, 3);
  assert.match(english(reply.problem), /^Can't find patchbay\.invalid \(E\w+\)\./);
});

faultRow(2, "a refused connection is reported with its host after three requests", async ({ watch }) => {
  const { port } = await closedPort();
  const watched = watch(`http://127.0.0.1:${port}`);
  const { reply } = await watched.turn();
  assert.deepEqual([reply.status, reply.requests], ["failed", 3]);
  assert.match(english(reply.problem), /^Can't reach 127\.0\.0\.1:\d+ \(ECONNREFUSED\)\.$/);
  assert.deepEqual(watched.waited, [500, 1000]);
});

faultRow(3, "a connection attempt times out and is retried", async ({ watch }) => {
  // TCP connects, the handshake never ends: to the client the same as a lost SYN.
  const silent = createTcpServer(() => {});
  await listen(silent);
  const watched = watch(`https://127.0.0.1:${portOf(silent)}`, { connectSeconds: 0.1 });
  const { reply } = await watched.turn();
  silent.close();
  assert.equal(reply.requests, 3);
  assert.match(english(reply.problem), /^No connection to the service in 0\.1 seconds\.$/);
});

for (const [title, name, authority, code] of [
  ["a certificate for another host", "other", true, /ALTNAME/],
  ["an expired certificate", "expired", true, /EXPIRED/],
  ["a certificate of an unknown authority", "service", false, /VERIFY|ISSUER|SELF_SIGNED/],
] as const) {
  faultRow(4, `${title} is refused before anything is sent`, async ({ watch }) => {
    let requests = 0;
    const server = createTlsServer(keyPair(name), () => requests++);
    server.on("tlsClientError", () => {});
    await listen(server);
    const extra = authority ? [certificate("authority")] : [];
    const watched = watch(`https://localhost:${portOf(server)}`, { certificates: { extra } });
    const { reply } = await watched.turn();
    server.close();
    assert.equal(requests, 0);
    assert.equal(reply.requests, 1);
    assert.match(english(reply.problem), /certificate of localhost:\d+ was not accepted/);
    assert.match(english(reply.problem), code);
    assert.ok(reply.problem?.actions.includes("proxy-help"));
  });
}

faultRow(5, "a proxy that requires a login is reported by name without a retry", async ({ watch }) => {
  await using proxy = await startFaultServer((socket) => {
    socket.end(
      'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="x"\r\ncontent-length: 0\r\n\r\n',
    );
  });
  const watched = watch("https://service.test", {}, { environment: { HTTPS_PROXY: proxy.url } });
  const { reply } = await watched.turn();
  assert.equal(proxy.requests.length, 1);
  assert.equal(english(reply.problem), `The proxy 127.0.0.1:${proxy.port} asks for a login (407).`);
  assert.ok(
    !JSON.stringify([...(proxy.requests[0]?.headers ?? [])]).includes(canary),
    "the proxy never sees the key",
  );
});

test("a port without TLS is reported as such and not retried", async () => {
  const plain = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n"));
  });
  await listen(plain);
  const host = `127.0.0.1:${portOf(plain)}`;
  using watched = watch(`https://${host}`);
  const { reply } = await watched.turn();
  plain.close();
  assert.equal(english(reply.problem), `${host} doesn't use HTTPS. Check the service URL.`);
  assert.deepEqual([reply.requests, reply.problem?.actions], [1, ["set-base-url"]]);
});

test("a refused TLS handshake is not reported as a certificate problem", async () => {
  const refusing = createTcpServer((socket) => {
    socket.on("error", () => {});
    // A fatal alert: handshake_failure.
    socket.once("data", () => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, 40])));
  });
  await listen(refusing);
  using watched = watch(`https://127.0.0.1:${portOf(refusing)}`);
  const { reply } = await watched.turn();
  refusing.close();
  assert.match(english(reply.problem), /^No secure connection to 127\.0\.0\.1:\d+ \(ERR_SSL_\S+\)\.$/);
});

test("a service that closes without a response is reported by name after three requests", async () => {
  await using server = await startFaultServer((socket) => void socket.end());
  using watched = watch(server.url);
  const { reply } = await watched.turn();
  assert.equal(english(reply.problem), `127.0.0.1:${server.port} closed the connection without responding.`);
  assert.deepEqual([reply.requests, reply.problem?.actions], [3, ["retry", "connection-check"]]);
});

test("response headers of 20 KB are read, and 100 KB are reported as too large", async () => {
  await using server = await startFaultServer(
    answer(200, whole, { "x-gateway": "a".repeat(20_000) }),
    answer(200, whole, { "x-gateway": "a".repeat(100_000) }),
  );
  using watched = watch(server.url);
  assert.equal((await watched.turn()).reply.text, "Hello");
  const { reply } = await watched.turn();
  assert.equal(english(reply.problem), `The response headers of 127.0.0.1:${server.port} are too large.`);
});

for (const [status, kind, action] of [
  [403, "network", "connection-check"],
  [404, "not-found", "set-base-url"],
] as const) {
  test(`a web page with status ${status} is reported as a gateway's and does not mark the key as refused`, async () => {
    const page = "<!DOCTYPE html><html><title>Attention Required! | Cloudflare</title></html>";
    await using server = await startFaultServer(answer(status, page, { "content-type": "text/html" }));
    let refusals = 0;
    const keyWatcher = { refused: () => void refusals++, accepted() {}, reached() {}, answers() {} };
    using watched = watch(server.url, {}, { keyWatcher });
    const { problem } = (await watched.turn()).reply;
    assert.match(english(problem), new RegExp(`^127.0.0.1:\\d+ returned a web page \\(${status}\\)`));
    assert.deepEqual([problem?.kind, refusals], [kind, 0]);
    assert.ok(problem?.actions.includes(action));
    const counted = await watched.client.checkKey(new AbortController().signal);
    assert.ok(!counted.ok && counted.problem.kind === kind);
  });
}

answerRow({ row: 6, name: "reset before headers", answers: [reset(), good], requests: 2, ...done });

faultRow(
  7,
  "a dead kept-alive connection is replaced immediately without a waiting event",
  async ({ watch }) => {
    await using server = await startFaultServer(
      (socket) => {
        const body = Buffer.from(whole);
        socket.write(
          `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${body.length}\r\n\r\n`,
        );
        socket.write(body);
      },
      (socket) => void socket.resetAndDestroy(),
      good,
    );
    const watched = watch(server.url);
    await watched.turn();
    // A connection is used again no sooner than in the next round of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    const { reply, events } = await watched.turn();
    assert.deepEqual([reply.status, reply.text, reply.requests], ["completed", "Hello", 2]);
    assert.equal(server.requests[1]?.connection, 0, "the second request came on the kept connection");
    assert.deepEqual(watched.waited, []);
    assert.ok(!events.some((event) => event.type === "waiting"));
  },
);

faultRow(8, "a request without response headers times out and is not retried", async ({ watch }) => {
  await using server = await startFaultServer(() => {});
  const watched = watch(server.url, { firstByteSeconds: 0.1 });
  const { reply } = await watched.turn();
  assert.deepEqual([reply.status, reply.requests], ["failed", 1]);
  assert.equal(english(reply.problem), "No response within 0.1 seconds.");
});

type Listening = Pick<ReturnType<typeof createTcpServer>, "listen" | "address">;
const listen = (server: Listening) => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const portOf = (server: Listening) => (server.address() as AddressInfo).port;

async function closedPort(): Promise<{ port: number }> {
  const server = createTcpServer();
  await listen(server);
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return { port };
}
