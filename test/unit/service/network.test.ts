// The way to the service through a proxy of the settings or of the environment, on real sockets.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClientSettings } from "../../../src/service/settings.ts";
import { startProxy } from "../../sim/proxy.ts";
import { english } from "../../support/english.ts";
import { answer, startFaultServer } from "../../support/fault-server.ts";
import { whole } from "../../support/hello-reply.ts";
import { keyPair, startTlsService } from "../../support/tls-service.ts";
import { canary, watch } from "../../support/watched-client.ts";
import { login, trusting, turn, url } from "./network-ground.ts";

test("a request goes through the proxy of the settings, which sees the host but no key", async () => {
  await using service = await startTlsService();
  await using proxy = await startProxy(service.port);
  const reply = await turn({ ...trusting, proxy: { url: proxy.url } });
  assert.deepEqual([reply.status, reply.text], ["completed", "Hello"]);
  assert.deepEqual(proxy.asked, ["service.test:443"]);
  assert.ok(!proxy.heads.join().includes(canary));
  assert.deepEqual(service.requests, [`POST /v1/responses Bearer ${canary}`]);
});

for (const name of ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "ALL_PROXY"]) {
  test(`a request goes through the proxy of ${name}`, async () => {
    await using service = await startTlsService();
    await using proxy = await startProxy(service.port);
    const reply = await turn(trusting, { [name]: proxy.url });
    assert.equal(reply.text, "Hello");
    assert.deepEqual(proxy.asked, ["service.test:443"]);
  });
}

test("the proxy of the settings overrides that of the environment", async () => {
  await using service = await startTlsService();
  await using proxy = await startProxy(service.port);
  const reply = await turn({ ...trusting, proxy: { url: proxy.url } }, { HTTPS_PROXY: "http://127.0.0.1:1" });
  assert.equal(reply.text, "Hello");
});

test("a proxy that requires a login gets the one of the settings", async () => {
  await using service = await startTlsService();
  await using proxy = await startProxy(service.port, { login });
  const reply = await turn({ ...trusting, proxy: { url: proxy.url, authorization: login } });
  assert.equal(reply.text, "Hello");
  assert.deepEqual(proxy.authorizations, [login]);
});

test("a proxy that requires a login gets the one of its URL", async () => {
  await using service = await startTlsService();
  await using proxy = await startProxy(service.port, { login });
  const reply = await turn(trusting, { HTTPS_PROXY: proxy.url.replace("//", "//me:word@") });
  assert.equal(reply.text, "Hello");
});

test("a proxy password with a percent sign is sent as typed", async () => {
  await using service = await startTlsService();
  const percent = `Basic ${Buffer.from("me:100%").toString("base64")}`;
  await using proxy = await startProxy(service.port, { login: percent });
  const reply = await turn(trusting, { HTTPS_PROXY: proxy.url.replace("//", "//me:100%@") });
  assert.equal(reply.text, "Hello");
});

test("a wrong proxy login is reported without a retry", async () => {
  await using service = await startTlsService();
  await using proxy = await startProxy(service.port, { login });
  const reply = await turn({
    ...trusting,
    proxy: { url: proxy.url, authorization: "Basic d3Jvbmc6d29yZA==" },
  });
  assert.equal(english(reply.problem), `The proxy ${proxy.name} asks for a login (407).`);
  assert.equal(reply.requests, 1);
  assert.deepEqual(service.requests, []);
});

test("a TLS proxy is checked against the same authorities as the service", async () => {
  await using service = await startTlsService();
  await using proxy = await startProxy(service.port, { tls: keyPair("service") });
  assert.equal((await turn({ ...trusting, proxy: { url: proxy.url } })).text, "Hello");
  const refused = await turn({ proxy: { url: proxy.url } });
  assert.match(english(refused.problem), /^The certificate of the proxy localhost:\d+ was not accepted/);
  assert.deepEqual([refused.requests, service.requests.length], [1, 1]);
});

test("the service's certificate is checked through a proxy too", async () => {
  await using service = await startTlsService("other");
  await using proxy = await startProxy(service.port);
  const reply = await turn({ ...trusting, proxy: { url: proxy.url } });
  assert.match(english(reply.problem), /certificate of service\.test was not accepted/);
  assert.equal(english(reply.problem?.hints), `The request went through the proxy ${proxy.name}.`);
  assert.equal(reply.requests, 1);
  assert.deepEqual(service.requests, []);
});

for (const hangs of ["asked", "tunnel"] as const) {
  test(`a proxy that hangs at "${hangs}" is reported by name after connectSeconds`, async () => {
    await using service = await startTlsService();
    await using proxy = await startProxy(service.port, { hangs });
    const reply = await turn({ ...trusting, connectSeconds: 0.3, proxy: { url: proxy.url } });
    assert.deepEqual([reply.status, reply.requests], ["failed", 3]);
    // On a busy machine the time may be over before the proxy has heard of it.
    assert.ok(proxy.asked.length > 0 && proxy.asked.length <= 3, String(proxy.asked.length));
    assert.equal(english(reply.problem), `The proxy ${proxy.name} didn't connect in 0.3 seconds.`);
    assert.ok(reply.problem?.actions.includes("proxy-help"));
    while (proxy.open > 0) await new Promise((resolve) => setImmediate(resolve));
  });
}

test("a TLS handshake with a silent proxy times out after connectSeconds", async () => {
  await using proxy = await startFaultServer(() => {});
  const url = proxy.url.replace("http:", "https:");
  const reply = await turn({ ...trusting, connectSeconds: 0.1, proxy: { url } });
  assert.equal(english(reply.problem), `The proxy 127.0.0.1:${proxy.port} didn't connect in 0.1 seconds.`);
});

test("a proxy that refuses a tunnel is reported by name and retried for 502 but not for 403", async () => {
  for (const [refuses, requests] of [
    [403, 1],
    [502, 3],
  ] as const) {
    await using proxy = await startProxy(1, { refuses });
    const reply = await turn({ ...trusting, proxy: { url: proxy.url } });
    assert.equal(english(reply.problem), `The proxy ${proxy.name} refused the connection (${refuses}).`);
    assert.equal(reply.requests, requests);
  }
});

test("a plain HTTP service is requested through the proxy, which keeps the login to itself", async () => {
  await using service = await startFaultServer(answer(200, whole));
  await using proxy = await startProxy(service.port, { login });
  using watched = watch(
    "http://gpu.internal:8000",
    { proxy: { url: proxy.url, authorization: login } },
    { connection: async () => ({ baseUrl: "http://gpu.internal:8000", key: canary, plainHttp: true }) },
  );
  assert.equal((await watched.turn()).reply.text, "Hello");
  assert.deepEqual(proxy.asked, ["http://gpu.internal:8000/v1/responses"]);
  assert.equal(service.requests[0]?.headers.get("host"), "gpu.internal:8000");
  assert.equal(service.requests[0]?.headers.get("proxy-authorization"), undefined);
});

test("a connection through a proxy is reused for the next request", async () => {
  await using service = await startTlsService();
  await using proxy = await startProxy(service.port);
  using watched = watch(url, { ...trusting, proxy: { url: proxy.url } });
  await watched.turn();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal((await watched.turn()).reply.text, "Hello");
  assert.deepEqual([proxy.asked.length, service.requests.length], [1, 2]);
});

test("an unreachable proxy is reported as such after three requests", async () => {
  const reply = await turn({ ...trusting, proxy: { url: "http://127.0.0.1:1" } });
  assert.deepEqual([reply.status, reply.requests], ["failed", 3]);
  assert.equal(english(reply.problem), "Can't reach the proxy 127.0.0.1:1 (ECONNREFUSED).");
});

test("a proxy that closes the connection gets one attempt per request", async () => {
  await using proxy = await startFaultServer((socket) => void socket.end());
  const reply = await turn({ ...trusting, proxy: { url: proxy.url } });
  assert.deepEqual([reply.status, reply.requests, proxy.requests.length], ["failed", 3, 3]);
  assert.equal(english(reply.problem), `Can't reach the proxy 127.0.0.1:${proxy.port} (ECONNRESET).`);
});

test("an invalid proxy URL is reported, and no request bypasses it", async () => {
  await using service = await startTlsService();
  const reply = await turn({ ...trusting, proxy: { url: "ftp://proxy" } });
  assert.equal(english(reply.problem), "The proxy setting isn't a valid URL.");
  assert.deepEqual(service.requests, []);
});

test("changed proxy settings apply to the next request", async () => {
  await using service = await startTlsService();
  await using proxy = await startProxy(service.port);
  let settings: ClientSettings = { ...trusting, proxy: { url: proxy.url } };
  using watched = watch(url, {}, { settings: () => settings });
  assert.equal((await watched.turn()).reply.text, "Hello");
  settings = { ...trusting, proxy: { url: "http://127.0.0.1:1" } };
  assert.equal((await watched.turn()).reply.status, "failed");
});

test("a request to a local service bypasses the proxy", async () => {
  await using server = await startFaultServer(answer(200, 'data: {"type":"error","message":"x"}\n\n'));
  await turn({ proxy: { url: "http://127.0.0.1:1" } }, { HTTP_PROXY: "http://127.0.0.1:1" }, server.url);
  assert.ok(server.requests.length > 0);
});

test("the client reads only proxy and authority variables from the environment", async () => {
  const asked = new Set<string>();
  const environment = new Proxy<Record<string, string>>(
    {},
    {
      get(_, name) {
        asked.add(String(name).toLowerCase());
        return undefined;
      },
    },
  );
  await using service = await startTlsService();
  using watched = watch(`https://127.0.0.1:${service.port}`, trusting, { environment });
  await watched.turn();
  await turn(trusting, environment, "https://patchbay.invalid");
  const known = ["http_proxy", "https_proxy", "all_proxy", "no_proxy", "node_extra_ca_certs"];
  assert.deepEqual(
    [...asked].filter((name) => !known.includes(name)),
    [],
  );
});
