// The network in the real extension host, which changes Node's own modules: VS Code's settings decide the way, and
// what other extensions share stays as it was.
import { strict as assert } from "node:assert";
import { join } from "node:path";
import * as vscode from "vscode";
import { createServiceClient } from "../../src/core/api/service-client.ts";
import { silentLog } from "../../src/core/util/log.ts";
import { createSettings } from "../../src/shell/settings.ts";
import { type ConnectProxy, startConnectProxy } from "../support/connect-proxy.ts";
import { english } from "../support/english.ts";
import { oneReplyOf } from "../support/one-turn.ts";
import { startTlsService, type TlsService } from "../support/tls-service.ts";

const folder = vscode.extensions.getExtension("patchbay.patchbay")?.extensionPath ?? "";
const authority = join(folder, "test/fixtures/certificates/authority.pem");
const login = `Basic ${Buffer.from("me:word").toString("base64")}`;
const http = () => vscode.workspace.getConfiguration("http");
const set = (name: string, value: unknown) => http().update(name, value, vscode.ConfigurationTarget.Global);

/** One question through the product's client, with the settings of this VS Code. */
async function ask(baseUrl: string, environment: Record<string, string> = {}) {
  const settings = createSettings(silentLog);
  const client = createServiceClient({
    connection: async () => ({ baseUrl, key: "sk-test-0123456789" }),
    settings: settings.service,
    log: silentLog,
    wait: async () => {},
    environment: { NODE_EXTRA_CA_CERTS: authority, ...environment },
  });
  try {
    return await oneReplyOf(client, "responses", "Hi");
  } finally {
    client.dispose();
  }
}

describe("the network", function () {
  // The first change of a setting and the first reading of the system's authorities take their time.
  this.timeout(120_000);
  let service: TlsService;
  let proxy: ConnectProxy;

  before(async () => {
    process.chdir(folder);
    service = await startTlsService();
    proxy = await startConnectProxy(service.port, { login });
  });
  after(async () => {
    for (const name of ["proxy", "proxyAuthorization", "noProxy"]) await set(name, undefined);
    await proxy[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  it("goes through http.proxy, with http.proxyAuthorization, to a service of a private authority", async () => {
    await set("proxy", proxy.url);
    await set("proxyAuthorization", login);
    const reply = await ask("https://service.test");
    assert.deepEqual([reply.status, reply.text, reply.problem], ["completed", "Hello", undefined]);
    assert.deepEqual(proxy.asked, ["service.test:443"]);
    assert.deepEqual(proxy.authorizations, [login]);
  });

  it("tells of a proxy that asks for a login", async () => {
    await set("proxy", proxy.url);
    await set("proxyAuthorization", undefined);
    assert.equal(english((await ask("https://service.test")).problem), "The proxy asks for a login (407).");
  });

  it("leaves out the proxy where http.noProxy says so", async () => {
    await set("proxy", proxy.url);
    await set("noProxy", ["service.test"]);
    const before = proxy.asked.length;
    const reply = await ask("https://service.test");
    assert.match(english(reply.problem), /^Cannot reach service\.test/);
    assert.equal(proxy.asked.length, before);
  });

  it("does not trust a private authority that nobody named", async () => {
    for (const name of ["proxy", "noProxy"]) await set(name, undefined);
    const baseUrl = `https://localhost:${service.port}`;
    assert.equal((await ask(baseUrl)).text, "Hello");
    const reply = await ask(baseUrl, { NODE_EXTRA_CA_CERTS: "" });
    assert.match(english(reply.problem), /certificate of localhost:\d+ was not accepted/);
  });

  it("leaves alone what other extensions share, however much of it is loaded and used", async () => {
    const shared = () =>
      Object.getOwnPropertySymbols(globalThis).map((symbol) => [
        String(symbol),
        (globalThis as Record<symbol, unknown>)[symbol],
      ]);
    const before = shared();
    require(join(folder, "dist/service.js"));
    await ask(`https://localhost:${service.port}`);
    assert.deepEqual(shared(), before);
  });
});
