// The system's proxy, and the logins and dialects that only the editor has: asked of an editor that dials as VS Code does, on
// real sockets.
import assert from "node:assert/strict";
import { type ClientRequest, request as plainRequest, type RequestOptions } from "node:http";
import { Agent, request } from "node:https";
import type { Socket } from "node:net";
import { Duplex, PassThrough } from "node:stream";
import { test } from "node:test";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import type { ClientSettings } from "../../../src/service/settings.ts";
import { startProxy } from "../../sim/proxy.ts";
import { english } from "../../support/english.ts";
import { startTlsService } from "../../support/tls-service.ts";
import { canary, watch } from "../../support/watched-client.ts";
import { login, trusting, turn, url } from "./network-ground.ts";

test("the editor provides the system's proxy if neither settings nor environment name one", async () => {
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
  test(`the editor is not queried for a proxy where ${title}`, async () => {
    const editor = editorWith({ proxyFor: async () => "http://127.0.0.1:1" });
    using watched = watch(baseUrl, { proxy: settings }, { environment, editorNetwork: editor });
    assert.equal((await watched.turn()).reply.status, "failed");
    assert.deepEqual(editor.asked, []);
  });
}

test("a request goes without a proxy if the editor knows none or fails to look it up", async () => {
  for (const proxyFor of [async () => undefined, () => Promise.reject(new Error("no"))]) {
    const editor = editorWith({ proxyFor });
    using watched = watch("https://patchbay.invalid", {}, { editorNetwork: editor });
    const { reply } = await watched.turn();
    assert.match(english(reply.problem), /^Can't find patchbay\.invalid/);
    assert.deepEqual([editor.requests, reply.problem?.hints], [0, undefined]);
  }
});

test("the editor's proxy lookup times out after connectSeconds", async () => {
  const editor = editorWith({ proxyFor: () => new Promise(() => {}) });
  using watched = watch(url, { connectSeconds: 0.1 }, { editorNetwork: editor });
  const { reply } = await watched.turn();
  assert.equal(english(reply.problem), "The system's proxy settings didn't respond in 0.1 seconds.");
});

test("requests use the editor's connection if only the editor has the proxy login", async () => {
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

test("a proxy login that the editor lacks as well is reported as 407", async () => {
  await using service = await startTlsService();
  await using proxy = await startProxy(service.port, { login });
  const editor = editorWith({ proxyFor: async () => proxy.url });
  using watched = watch(url, trusting, { editorNetwork: editor });
  const { reply } = await watched.turn();
  assert.equal(english(reply.problem), `The proxy ${proxy.name} asks for a login (407).`);
  assert.deepEqual([reply.requests, proxy.asked.length], [1, 2]);
});

test("a SOCKS proxy is used through the editor only", async () => {
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

test("connections through the editor have certificate checks, timeouts and errors like other connections", async () => {
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
