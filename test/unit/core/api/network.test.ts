// The way to the service through proxies and private authorities, on real sockets.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { type ClientRequest, request as plainRequest, type RequestOptions } from "node:http";
import { Agent, request } from "node:https";
import type { Socket } from "node:net";
import { join } from "node:path";
import { Duplex, PassThrough } from "node:stream";
import { test } from "node:test";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import { type ProxySettings, proxyRoute } from "../../../../src/core/api/proxy.ts";
import type { ClientSettings } from "../../../../src/core/api/settings.ts";
import { startProxy } from "../../../sim/proxy.ts";
import { english } from "../../../support/english.ts";
import { answer, startFaultServer } from "../../../support/fault-server.ts";
import { whole } from "../../../support/hello-reply.ts";
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

test("the proxy of the settings goes before the environment's", async () => {
  await using service = await startTlsService();
  await using proxy = await startProxy(service.port);
  const reply = await turn({ ...trusting, proxy: { url: proxy.url } }, { HTTPS_PROXY: "http://127.0.0.1:1" });
  assert.equal(reply.text, "Hello");
});

test("a proxy that wants a login gets the one of the settings", async () => {
  await using service = await startTlsService();
  await using proxy = await startProxy(service.port, { login });
  const reply = await turn({ ...trusting, proxy: { url: proxy.url, authorization: login } });
  assert.equal(reply.text, "Hello");
  assert.deepEqual(proxy.authorizations, [login]);
});

test("a proxy that wants a login gets the one of its address", async () => {
  await using service = await startTlsService();
  await using proxy = await startProxy(service.port, { login });
  const reply = await turn(trusting, { HTTPS_PROXY: proxy.url.replace("//", "//me:word@") });
  assert.equal(reply.text, "Hello");
});

test("a password that was typed with a percent sign is taken as it is", async () => {
  await using service = await startTlsService();
  const percent = `Basic ${Buffer.from("me:100%").toString("base64")}`;
  await using proxy = await startProxy(service.port, { login: percent });
  const reply = await turn(trusting, { HTTPS_PROXY: proxy.url.replace("//", "//me:100%@") });
  assert.equal(reply.text, "Hello");
});

test("a wrong login is told, once, and not repeated in the message", async () => {
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

test("a proxy that speaks TLS itself is trusted by the same authorities", async () => {
  await using service = await startTlsService();
  await using proxy = await startProxy(service.port, { tls: keyPair("service") });
  assert.equal((await turn({ ...trusting, proxy: { url: proxy.url } })).text, "Hello");
  const refused = await turn({ proxy: { url: proxy.url } });
  assert.match(english(refused.problem), /^The certificate of the proxy localhost:\d+ was not accepted/);
  assert.deepEqual([refused.requests, service.requests.length], [1, 1]);
});

test("the certificate is checked through a proxy too", async () => {
  await using service = await startTlsService("other");
  await using proxy = await startProxy(service.port);
  const reply = await turn({ ...trusting, proxy: { url: proxy.url } });
  assert.match(english(reply.problem), /certificate of service\.test was not accepted/);
  assert.equal(english(reply.problem?.hints), `The request went through the proxy ${proxy.name}.`);
  assert.equal(reply.requests, 1);
  assert.deepEqual(service.requests, []);
});

for (const hangs of ["asked", "tunnel"] as const) {
  test(`a proxy that hangs when it is ${hangs} is given up within the connect time, and named`, async () => {
    await using service = await startTlsService();
    await using proxy = await startProxy(service.port, { hangs });
    const reply = await turn({ ...trusting, connectSeconds: 0.1, proxy: { url: proxy.url } });
    assert.deepEqual([reply.status, reply.requests, proxy.asked.length], ["failed", 3, 3]);
    assert.equal(english(reply.problem), `The proxy ${proxy.name} didn't connect in 0.1 seconds.`);
    assert.ok(reply.problem?.actions.includes("proxy-help"));
    while (proxy.open > 0) await new Promise((resolve) => setImmediate(resolve));
  });
}

test("TLS to a proxy that never answers it counts as connecting", async () => {
  await using proxy = await startFaultServer(() => {});
  const url = proxy.url.replace("http:", "https:");
  const reply = await turn({ ...trusting, connectSeconds: 0.1, proxy: { url } });
  assert.equal(english(reply.problem), `The proxy 127.0.0.1:${proxy.port} didn't connect in 0.1 seconds.`);
});

test("a proxy that refuses a tunnel is named, and asked again only where it may have been its moment", async () => {
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

test("a plain service is asked for by the proxy itself, with its login, and the connection is kept", async () => {
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

test("the connection through a proxy is kept for the next request", async () => {
  await using service = await startTlsService();
  await using proxy = await startProxy(service.port);
  using watched = watch(url, { ...trusting, proxy: { url: proxy.url } });
  await watched.turn();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal((await watched.turn()).reply.text, "Hello");
  assert.deepEqual([proxy.asked.length, service.requests.length], [1, 2]);
});

test("where neither settings nor environment say, the editor is asked for the system's proxy", async () => {
  await using service = await startTlsService();
  await using proxy = await startProxy(service.port);
  const editor = editorWith({ proxyFor: async () => proxy.url });
  using watched = watch(url, trusting, { environment: {}, editorNetwork: editor });
  assert.equal((await watched.turn()).reply.text, "Hello");
  assert.deepEqual([editor.asked, editor.requests], [["https://service.test/"], 0]);
  assert.deepEqual(proxy.asked, ["service.test:443"]);
});

for (const [title, settings, environment, baseUrl] of [
  ["settings name one", { url: "http://127.0.0.1:1" }, {}, url],
  ["the environment names one", {}, { HTTPS_PROXY: "http://127.0.0.1:1" }, url],
  ["the host is excepted", { except: ["patchbay.invalid"] }, {}, "https://patchbay.invalid"],
  ["proxies are off", { off: true }, {}, "https://patchbay.invalid"],
  ["the service is on this machine", {}, {}, "https://127.0.0.1:1"],
] as const) {
  test(`the editor is not asked for a proxy where ${title}`, async () => {
    const editor = editorWith({ proxyFor: async () => "http://127.0.0.1:1" });
    using watched = watch(baseUrl, { proxy: settings }, { environment, editorNetwork: editor });
    assert.equal((await watched.turn()).reply.status, "failed");
    assert.deepEqual(editor.asked, []);
  });
}

test("an editor that knows no proxy, or can't say, means none", async () => {
  for (const proxyFor of [async () => undefined, () => Promise.reject(new Error("no"))]) {
    const editor = editorWith({ proxyFor });
    using watched = watch("https://patchbay.invalid", {}, { editorNetwork: editor });
    const { reply } = await watched.turn();
    assert.match(english(reply.problem), /^Can't find patchbay\.invalid/);
    assert.deepEqual([editor.requests, reply.problem?.hints], [0, undefined]);
  }
});

test("a system that does not say which proxy it has is waited for as long as for a connection", async () => {
  const editor = editorWith({ proxyFor: () => new Promise(() => {}) });
  using watched = watch(url, { connectSeconds: 0.1 }, { editorNetwork: editor });
  const { reply } = await watched.turn();
  assert.equal(english(reply.problem), "The system's proxy settings didn't respond in 0.1 seconds.");
});

test("a login that only the editor has is left to it, from then on at once", async () => {
  await using service = await startTlsService();
  await using proxy = await startProxy(service.port, { login });
  const editor = editorWith({ proxyFor: async () => proxy.url, login });
  using watched = watch(url, trusting, { editorNetwork: editor });
  for (const _ of [1, 2]) assert.equal((await watched.turn()).reply.text, "Hello");
  // Ours once; each tunnel of the editor begins without.
  assert.deepEqual(proxy.authorizations, [undefined, undefined, login, undefined, login]);
  assert.deepEqual(
    service.requests,
    [1, 2].map(() => `POST /v1/responses Bearer ${canary}`),
  );
  watched.assertNoCanary();
});

test("a login that nobody has is told, after the editor was asked", async () => {
  await using service = await startTlsService();
  await using proxy = await startProxy(service.port, { login });
  const editor = editorWith({ proxyFor: async () => proxy.url });
  using watched = watch(url, trusting, { editorNetwork: editor });
  const { reply } = await watched.turn();
  assert.equal(english(reply.problem), `The proxy ${proxy.name} asks for a login (407).`);
  assert.deepEqual([reply.requests, proxy.asked.length], [1, 2]);
});

test("a SOCKS proxy is the editor's business", async () => {
  await using service = await startTlsService();
  await using proxy = await startProxy(service.port);
  const editor = editorWith({ dials: proxy.url });
  using watched = watch(
    url,
    { ...trusting, proxy: { url: "socks5://127.0.0.1:1" } },
    { editorNetwork: editor },
  );
  assert.equal((await watched.turn()).reply.text, "Hello");
  assert.equal(editor.requests, 1);
  const alone = await turn({ ...trusting, proxy: { url: "socks5://127.0.0.1:1" } });
  assert.equal(english(alone.problem), "The proxy setting isn't a valid URL.");
});

test("what the editor dials is stopped, given up and certified as everything else", async () => {
  await using service = await startTlsService("other");
  await using proxy = await startProxy(service.port);
  await using hanging = await startProxy(service.port, { hangs: "asked" });
  const socks = { url: "socks5://127.0.0.1:1" };
  const ask = async (dials: string, given: ClientSettings = {}) => {
    const editorNetwork = editorWith({ dials });
    using watched = watch(url, { ...trusting, proxy: socks, ...given }, { editorNetwork });
    return english((await watched.turn()).reply.problem);
  };
  assert.match(await ask(proxy.url), /certificate of service\.test was not accepted/);
  const late = await ask(hanging.url, { connectSeconds: 0.1 });
  assert.equal(late, "The proxy 127.0.0.1:1 didn't connect in 0.1 seconds.");
  assert.match(await ask("http://127.0.0.1:1"), /^Can't reach/);
  assert.deepEqual(service.requests, []);
});

test("a proxy that is not there is tried three times and told apart from the service", async () => {
  const reply = await turn({ ...trusting, proxy: { url: "http://127.0.0.1:1" } });
  assert.deepEqual([reply.status, reply.requests], ["failed", 3]);
  assert.equal(english(reply.problem), "Can't reach the proxy 127.0.0.1:1 (ECONNREFUSED).");
});

test("a proxy that hangs up without a word is asked once for each request", async () => {
  await using proxy = await startFaultServer((socket) => void socket.end());
  const reply = await turn({ ...trusting, proxy: { url: proxy.url } });
  assert.deepEqual([reply.status, reply.requests, proxy.requests.length], ["failed", 3, 3]);
  assert.equal(english(reply.problem), `Can't reach the proxy 127.0.0.1:${proxy.port} (ECONNRESET).`);
});

test("a proxy setting that is no address is told, and nothing is sent around it", async () => {
  await using service = await startTlsService();
  const reply = await turn({ ...trusting, proxy: { url: "ftp://proxy" } });
  assert.equal(english(reply.problem), "The proxy setting isn't a valid URL.");
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
  await using proxy = await startProxy(service.port);
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
  await using proxy = await startProxy(service.port);
  await using secureProxy = await startProxy(service.port, { tls: keyPair("service") });
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

interface StandIn {
  proxyFor?(url: string): Promise<string | undefined>;
  /** What it has when a proxy asks. */
  readonly login?: string;
  /** Whatever the route is, it goes this way. */
  readonly dials?: string;
}

/** Dials as VS Code does: a tunnel for each request, tried once more with a login when the proxy asks for one. */
function editorWith({ proxyFor = async () => undefined, login: known, dials }: StandIn) {
  const asked: string[] = [];
  let requests = 0;
  return {
    asked,
    get requests() {
      return requests;
    },
    async proxyFor(url: string) {
      asked.push(url);
      return proxyFor(url);
    },
    request(options: RequestOptions): ClientRequest {
      requests++;
      return request({ ...options, agent: new DialingAgent(dials ?? (() => proxyFor("")), known) });
    },
  };
}

class DialingAgent extends Agent {
  readonly #proxy: string | (() => Promise<string | undefined>);
  readonly #login: string | undefined;

  constructor(proxy: string | (() => Promise<string | undefined>), login: string | undefined) {
    super();
    this.#proxy = proxy;
    this.#login = login;
  }

  override createConnection(options: ConnectionOptions, callback?: DialCallback): undefined {
    void this.#dial(options).then(
      (socket) => callback?.(null, socket),
      (error: Error) => callback?.(error, undefined as never),
    );
  }

  async #dial(options: ConnectionOptions): Promise<Duplex> {
    const { hostname, port } = new URL(
      (typeof this.#proxy === "string" ? this.#proxy : await this.#proxy()) ?? "",
    );
    const open = (headers: Record<string, string>) =>
      new Promise<[status: number, socket: Socket]>((resolve, reject) => {
        const path = `${options.host}:${options.port}`;
        plainRequest({ host: hostname, port, method: "CONNECT", path, headers })
          .on("connect", ({ statusCode = 0 }, socket) => resolve([statusCode, socket as Socket]))
          .on("error", reject)
          .end();
      });
    let [status, socket] = await open({});
    if (status === 407 && this.#login !== undefined)
      [status, socket] = await open({ "proxy-authorization": this.#login });
    if (status !== 200) {
      // VS Code lets the proxy's refusal through as if the service had said it.
      const said = new PassThrough();
      said.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\n\r\n`);
      return Duplex.from({ readable: said, writable: new PassThrough().resume() });
    }
    return connectTls({ ...options, path: undefined, socket, servername: options.host ?? "" });
  }
}

type DialCallback = (error: Error | null, socket: Duplex) => void;

const viaProxy = { via: "proxy", url: "http://p:8080/", authorization: undefined };
const direct = { via: "direct" };
const undecided = { via: "undecided" };
const routes: readonly (readonly [
  target: string,
  settings: ProxySettings,
  environment: Record<string, string>,
  expected: object,
])[] = [
  ["https://a.example", {}, {}, undecided],
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
  ["https://a.example", {}, { HTTPS_PROXY: "" }, undecided],
  [
    "https://a.example",
    { except: ["b.example"] },
    { HTTPS_PROXY: "http://p:8080", NO_PROXY: "a.example" },
    viaProxy,
  ],
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
