// The way to the service through proxies and private authorities, on real sockets.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type ProxySettings, proxyRoute } from "../../../../src/core/api/proxy.ts";
import type { ClientSettings } from "../../../../src/core/api/settings.ts";
import { startConnectProxy } from "../../../support/connect-proxy.ts";
import { english } from "../../../support/english.ts";
import { answer, startFaultServer } from "../../../support/fault-server.ts";
import { certificate, certificateFile, keyPair, startTlsService } from "../../../support/tls-service.ts";
import { canary, watch } from "../../../support/watched-client.ts";

const trusting: ClientSettings = { certificates: { extra: [certificate("authority")] } };
const url = "https://service.test";
const login = `Basic ${Buffer.from("me:word").toString("base64")}`;

async function turn(settings: ClientSettings, environment: Record<string, string> = {}, baseUrl = url) {
  using watched = watch(baseUrl, settings, { environment });
  const { reply } = await watched.turn();
  watched.assertNoCanary();
  return reply;
}

test("a request goes through the proxy of the settings, and the proxy sees a host and no key", async () => {
  await using service = await startTlsService();
  await using proxy = await startConnectProxy(service.port);
  const reply = await turn({ ...trusting, proxy: { url: proxy.url } });
  assert.deepEqual([reply.status, reply.text], ["completed", "Hello"]);
  assert.deepEqual(proxy.asked, ["service.test:443"]);
  assert.ok(!proxy.heads.join().includes(canary));
  assert.deepEqual(service.requests, [`POST /v1/responses Bearer ${canary}`]);
});

for (const name of ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "ALL_PROXY"]) {
  test(`a request goes through the proxy of ${name}`, async () => {
    await using service = await startTlsService();
    await using proxy = await startConnectProxy(service.port);
    const reply = await turn(trusting, { [name]: proxy.url });
    assert.equal(reply.text, "Hello");
    assert.deepEqual(proxy.asked, ["service.test:443"]);
  });
}

test("the proxy of the settings goes before the environment's", async () => {
  await using service = await startTlsService();
  await using proxy = await startConnectProxy(service.port);
  const reply = await turn({ ...trusting, proxy: { url: proxy.url } }, { HTTPS_PROXY: "http://127.0.0.1:1" });
  assert.equal(reply.text, "Hello");
});

test("a proxy that wants a login gets the one of the settings", async () => {
  await using service = await startTlsService();
  await using proxy = await startConnectProxy(service.port, { login });
  const reply = await turn({ ...trusting, proxy: { url: proxy.url, authorization: login } });
  assert.equal(reply.text, "Hello");
  assert.deepEqual(proxy.authorizations, [login]);
});

test("a proxy that wants a login gets the one of its address", async () => {
  await using service = await startTlsService();
  await using proxy = await startConnectProxy(service.port, { login });
  const reply = await turn(trusting, { HTTPS_PROXY: proxy.url.replace("//", "//me:word@") });
  assert.equal(reply.text, "Hello");
});

test("a wrong login is told, once, and not repeated in the message", async () => {
  await using service = await startTlsService();
  await using proxy = await startConnectProxy(service.port, { login });
  const reply = await turn({
    ...trusting,
    proxy: { url: proxy.url, authorization: "Basic d3Jvbmc6d29yZA==" },
  });
  assert.equal(english(reply.problem), "The proxy asks for a login (407).");
  assert.equal(reply.requests, 1);
  assert.deepEqual(service.requests, []);
});

test("a proxy that speaks TLS itself is trusted by the same authorities", async () => {
  await using service = await startTlsService();
  await using proxy = await startConnectProxy(service.port, { tls: keyPair("service") });
  assert.equal((await turn({ ...trusting, proxy: { url: proxy.url } })).text, "Hello");
  const refused = await turn({ proxy: { url: proxy.url } });
  assert.equal(refused.status, "failed");
  assert.equal(service.requests.length, 1);
});

test("the certificate is checked through a proxy too", async () => {
  await using service = await startTlsService("other");
  await using proxy = await startConnectProxy(service.port);
  const reply = await turn({ ...trusting, proxy: { url: proxy.url } });
  assert.match(english(reply.problem), /certificate of service\.test was not accepted/);
  assert.equal(reply.requests, 1);
  assert.deepEqual(service.requests, []);
});

test("a proxy that is not there is tried three times and told apart from the service", async () => {
  const reply = await turn({ ...trusting, proxy: { url: "http://127.0.0.1:1" } });
  assert.equal(reply.status, "failed");
  assert.equal(reply.requests, 3);
});

test("a proxy that hangs up without a word is asked once for each request", async () => {
  await using proxy = await startFaultServer((socket) => void socket.end());
  const reply = await turn({ ...trusting, proxy: { url: proxy.url } });
  assert.deepEqual([reply.status, reply.requests, proxy.requests.length], ["failed", 3, 3]);
  assert.equal(english(reply.problem), "Cannot reach service.test (ECONNRESET).");
});

test("a proxy setting that is no address is told, and nothing is sent around it", async () => {
  await using service = await startTlsService();
  const reply = await turn({ ...trusting, proxy: { url: "ftp://proxy" } });
  assert.equal(english(reply.problem), "The proxy setting is not a valid address.");
  assert.deepEqual(service.requests, []);
});

test("a certificate of a private authority is trusted when the settings name it", async () => {
  await using service = await startTlsService();
  const baseUrl = `https://localhost:${service.port}`;
  assert.equal((await turn(trusting, {}, baseUrl)).text, "Hello");
  const refused = await turn({}, {}, baseUrl);
  assert.match(english(refused.problem), /certificate of localhost:\d+ was not accepted/);
  assert.equal(service.requests.length, 1);
});

test("a certificate of a private authority is trusted when NODE_EXTRA_CA_CERTS names it", async () => {
  await using service = await startTlsService();
  const environment = { NODE_EXTRA_CA_CERTS: certificateFile("authority") };
  assert.equal((await turn({}, environment, `https://localhost:${service.port}`)).text, "Hello");
});

test("a file of authorities that is not there takes no trust away", async () => {
  await using service = await startTlsService();
  const environment = { NODE_EXTRA_CA_CERTS: "/nowhere.pem" };
  assert.equal((await turn(trusting, environment, `https://localhost:${service.port}`)).text, "Hello");
});

test("changed settings hold for the next request, while a running one keeps its way", async () => {
  await using service = await startTlsService();
  await using proxy = await startConnectProxy(service.port);
  let settings: ClientSettings = { ...trusting, proxy: { url: proxy.url } };
  using watched = watch(url, {}, { settings: () => settings });
  assert.equal((await watched.turn()).reply.text, "Hello");
  settings = { ...trusting, proxy: { url: "http://127.0.0.1:1" } };
  assert.equal((await watched.turn()).reply.status, "failed");
});

test("a service on this machine is never asked through a proxy", async () => {
  await using server = await startFaultServer(answer(200, 'data: {"type":"error","message":"x"}\n\n'));
  await turn({ proxy: { url: "http://127.0.0.1:1" } }, { HTTP_PROXY: "http://127.0.0.1:1" }, server.url);
  assert.ok(server.requests.length > 0);
});

test("of the environment only proxies and authorities are read", async () => {
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

test("nothing in the source can switch the checking of certificates off", () => {
  const files = readdirSync(join(process.cwd(), "src"), { recursive: true, withFileTypes: true });
  for (const file of files.filter((one) => one.isFile())) {
    const source = readFileSync(join(file.parentPath, file.name), "utf8");
    assert.doesNotMatch(
      source,
      /rejectUnauthorized(?!: true\b)|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity/,
      file.name,
    );
  }
});

test("nobody else in the process can switch it off: no way reaches a service that is not trusted", async () => {
  await using service = await startTlsService();
  await using proxy = await startConnectProxy(service.port);
  await using secureProxy = await startConnectProxy(service.port, { tls: keyPair("service") });
  const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
  process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
  try {
    const replies = [
      await turn({}, {}, `https://localhost:${service.port}`),
      await turn({ proxy: { url: proxy.url } }),
      await turn({ proxy: { url: secureProxy.url } }),
    ];
    assert.deepEqual(
      replies.map(({ status }) => status),
      ["failed", "failed", "failed"],
    );
    assert.deepEqual(service.requests, []);
    assert.deepEqual(secureProxy.heads, []);
  } finally {
    if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before;
  }
});

const viaProxy = { via: "proxy", url: "http://p:8080/", authorization: undefined };
const direct = { via: "direct" };
const routes: readonly (readonly [
  target: string,
  settings: ProxySettings,
  environment: Record<string, string>,
  expected: object,
])[] = [
  ["https://a.example", {}, {}, direct],
  ["https://a.example", { url: "http://p:8080" }, {}, viaProxy],
  ["https://a.example", { url: "p:8080" }, {}, viaProxy],
  ["https://a.example", { url: " " }, { HTTPS_PROXY: "http://p:8080" }, viaProxy],
  ["https://a.example", { url: "http://p:8080", off: true }, {}, direct],
  ["https://a.example", { url: "http://p:8080", except: ["a.example"] }, {}, direct],
  ["https://a.example", { url: "http://p:8080", except: ["example"] }, {}, direct],
  ["https://a.example", { url: "http://p:8080", except: ["*.example"] }, {}, direct],
  ["https://a.example", { url: "http://p:8080", except: [".example"] }, {}, direct],
  ["https://a.example", { url: "http://p:8080", except: ["b.example", "xample"] }, {}, viaProxy],
  ["https://a.example", { url: "http://p:8080", except: ["a.example:8443"] }, {}, viaProxy],
  ["https://a.example:8443", { url: "http://p:8080", except: ["a.example:8443"] }, {}, direct],
  ["https://a.example", { url: "http://p:8080" }, { NO_PROXY: "*" }, direct],
  ["https://a.example", {}, { HTTPS_PROXY: "http://p:8080", no_proxy: "b.test, A.EXAMPLE" }, direct],
  ["https://a.example", {}, { HTTPS_PROXY: "" }, direct],
  ["https://a.example", { url: "ftp://p" }, {}, { via: "unreadable" }],
  ["https://a.example", { url: "http://" }, {}, { via: "unreadable" }],
  ["https://localhost:1", { url: "http://p:8080" }, {}, direct],
  ["https://[::1]:1", { url: "http://p:8080" }, {}, direct],
];

for (const [target, settings, environment, expected] of routes) {
  const given = JSON.stringify({ ...settings, ...environment });
  test(`the way to ${target} with ${given} is ${(expected as { via: string }).via}`, () => {
    assert.deepEqual(proxyRoute(new URL(target), settings, environment), expected);
  });
}
