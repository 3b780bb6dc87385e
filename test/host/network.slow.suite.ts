// The network in the real extension host, which changes Node's own modules: VS Code's settings decide the way, and
// what other extensions share stays as it was.

import { strict as assert } from "node:assert";
import * as https from "node:https";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import * as vscode from "vscode";
import { createEditorNetwork } from "../../src/editor/connection/vscode-network.ts";
import { createSettings } from "../../src/editor/settings/settings.ts";
import { createStartSettings } from "../../src/editor/settings/start-settings.ts";
import { createServiceClient } from "../../src/service/service-client.ts";
import type { EditorNetwork } from "../../src/service/settings.ts";
import { silentLog } from "../../src/util/log.ts";
import { type CompanyProxy, startProxy } from "../sim/proxy.ts";
import { english } from "../support/english.ts";
import { oneReplyOf } from "../support/one-turn.ts";
import { startTlsService, type TlsService } from "../support/tls-service.ts";

const folder = vscode.extensions.getExtension("patchbay.patchbay")?.extensionPath ?? "";
const authority = join(folder, "test/fixtures/certificates/authority.pem");
const login = `Basic ${Buffer.from("me:word").toString("base64")}`;
const http = () => vscode.workspace.getConfiguration("http");
const set = (name: string, value: unknown) => http().update(name, value, vscode.ConfigurationTarget.Global);

const editor = createEditorNetwork(vscode.env.appRoot);

interface Asked {
  readonly environment?: Record<string, string>;
  readonly connectSeconds?: number;
  readonly editorNetwork?: EditorNetwork;
}

/** What was asked for our hosts: VS Code's own extensions use the same proxy, whenever they like. */
const oursOf = ({ asked, authorizations }: CompanyProxy) =>
  asked.flatMap((host, at) => (host.endsWith(".test:443") ? [{ host, login: authorizations[at] }] : []));

/** One question through the product's client, with the settings of this VS Code. */
async function ask(
  baseUrl: string,
  { environment = {}, connectSeconds = 30, editorNetwork = editor }: Asked = {},
) {
  const settings = createSettings(createStartSettings(silentLog));
  const client = createServiceClient({
    connection: async () => ({ baseUrl, key: "sk-test-0123456789" }),
    settings: () => ({ ...settings.service(), connectSeconds }),
    log: silentLog,
    wait: async () => {},
    editorNetwork,
    environment: { NODE_EXTRA_CA_CERTS: authority, ...environment },
  });
  try {
    return await oneReplyOf(client, "responses", "Hi");
  } finally {
    client.dispose();
    settings.dispose();
  }
}

/** The module with which this VS Code finds proxies and changes `https`; it is loaded already. */
interface ProxyAgent {
  resolveProxyURL(url: string): Promise<string | undefined>;
  createProxyResolver(params: object): {
    resolveProxyURL(url: string): Promise<string | undefined>;
    resolveProxyWithRequest: unknown;
  };
  createHttpPatch(params: object, originals: object, resolve: unknown): Pick<typeof https, "request">;
  /** Missing in the oldest VS Code, whose extension host keeps logins by itself. */
  createProxyAuthorizationLookup?(params: object): unknown;
}
const proxyAgent = () =>
  require(join(vscode.env.appRoot, "node_modules", "@vscode", "proxy-agent")) as ProxyAgent;

/** A browser's half of a PAC file: what the file may call. */
async function readPac(url: string): Promise<(url: string) => string> {
  const text = await (await fetch(url)).text();
  const wild = (pattern: string) =>
    new RegExp(
      `^${pattern
        .replace(/[.+^$(){}|[\]\\]/g, "\\$&")
        .replaceAll("*", ".*")
        .replaceAll("?", ".")}$`,
    );
  const context = createContext({
    isPlainHostName: (host: string) => !host.includes("."),
    dnsDomainIs: (host: string, domain: string) => host.endsWith(domain),
    shExpMatch: (host: string, pattern: string) => wild(pattern).test(host),
  });
  runInContext(text, context);
  return (asked) => {
    const call = `FindProxyForURL(${JSON.stringify(asked)}, ${JSON.stringify(new URL(asked).hostname)})`;
    return String(runInContext(call, context));
  };
}

type LookupAuthorization = () => Promise<{ username: string; password: string } | undefined>;

/** What the extension host of the oldest VS Code does: it answers a proxy's question, and asks for a login once. */
function loginKeptByHost(lookup: LookupAuthorization) {
  let header: Promise<string | undefined> | undefined;
  return (_proxy: string, question: string | string[] | undefined) => {
    if (question === undefined) return header;
    header ??= lookup().then(
      (found) => found && `Basic ${Buffer.from(`${found.username}:${found.password}`).toString("base64")}`,
    );
    return header;
  };
}

/** As the extension host sets its own up, with answers in place of the main process, which the browser has none of. */
function resolverOf(answers: {
  resolveProxy(url: string): Promise<string>;
  lookupAuthorization?: LookupAuthorization;
}) {
  const log = { trace() {}, debug() {}, info() {}, warning() {}, warn() {}, error() {} };
  const lookupAuthorization = answers.lookupAuthorization ?? (async () => undefined);
  const params = {
    ...answers,
    log,
    getLogLevel: () => 6,
    getProxyURL: () => undefined,
    getProxySupport: () => "override",
    getNoProxyConfig: () => [],
    isUseHostProxyEnabled: () => true,
    isAdditionalFetchSupportEnabled: () => true,
    addCertificatesV1: () => false,
    addCertificatesV2: () => false,
    loadSystemCertificatesFromNode: () => true,
    loadAdditionalCertificates: async () => [],
    proxyResolveTelemetry: () => {},
    lookupProxyAuthorization:
      proxyAgent().createProxyAuthorizationLookup?.({ log, lookupAuthorization }) ??
      loginKeptByHost(lookupAuthorization),
    env: {},
  };
  const { resolveProxyURL, resolveProxyWithRequest } = proxyAgent().createProxyResolver(params);
  const patched = proxyAgent().createHttpPatch(params, https, resolveProxyWithRequest);
  return { resolveProxyURL, request: patched.request };
}

/** Runs it while VS Code finds proxies by this PAC file. */
async function withPac(url: string, run: () => Promise<void>): Promise<void> {
  const pac = await readPac(url);
  const agent = proxyAgent();
  const before = agent.resolveProxyURL;
  agent.resolveProxyURL = resolverOf({ resolveProxy: async (asked) => pac(asked) }).resolveProxyURL;
  try {
    await run();
  } finally {
    agent.resolveProxyURL = before;
  }
}

describe("the network", () => {
  let service: TlsService;
  let proxy: CompanyProxy;

  before(async () => {
    process.chdir(folder);
    service = await startTlsService();
    proxy = await startProxy(service.port, { login });
  });
  after(async () => {
    for (const name of ["proxy", "proxyAuthorization", "noProxy", "proxySupport"]) await set(name, undefined);
    await proxy[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  it("reaches a service of a private authority through http.proxy with http.proxyAuthorization", async () => {
    await set("proxy", proxy.url);
    await set("proxyAuthorization", login);
    const reply = await ask("https://service.test");
    assert.deepEqual([reply.status, reply.text, reply.problem], ["completed", "Hello", undefined]);
    assert.deepEqual(oursOf(proxy), [{ host: "service.test:443", login }]);
  });

  it("reports a proxy that asks for a login", async () => {
    await set("proxy", proxy.url);
    await set("proxyAuthorization", undefined);
    const before = oursOf(proxy).length;
    const { problem, requests } = await ask("https://service.test");
    assert.equal(english(problem), `The proxy ${proxy.name} asks for a login (407).`);
    // Ours, and VS Code's own, which has no login either: in a browser it cannot ask for one.
    assert.deepEqual([requests, oursOf(proxy).length - before], [1, 2]);
  });

  it("asks VS Code which proxy it would use", async () => {
    await set("proxy", proxy.url);
    assert.equal(await editor.proxyFor("https://service.test/"), proxy.url);
    assert.equal(await editor.proxyFor("https://localhost:1/"), undefined);
    await set("noProxy", ["service.test"]);
    assert.equal(await editor.proxyFor("https://service.test/"), undefined);
    for (const name of ["proxy", "noProxy"]) await set(name, undefined);
    assert.equal(await editor.proxyFor("https://service.test/"), undefined);
  });

  it("uses the proxy of a PAC file, or connects directly where the file says so", async () => {
    await using open = await startProxy(service.port, { direct: ["house.test"] });
    await withPac(open.pacUrl, async () => {
      const reply = await ask("https://service.test");
      assert.equal(reply.text, "Hello");
      assert.deepEqual(oursOf(open), [{ host: "service.test:443", login: undefined }]);
      const house = await ask("https://house.test");
      assert.match(english(house.problem), /^Can't find house\.test \(E\w+\)\./);
      assert.equal(oursOf(open).length, 1);
      // What the settings say goes before, and "off" is off.
      await set("proxySupport", "off");
      assert.match(
        english((await ask("https://service.test")).problem),
        /^Can't (?:reach|find) service\.test/,
      );
      await set("proxySupport", undefined);
      assert.equal(oursOf(open).length, 1);
    });
  });

  it("gives up on a hanging proxy of a PAC file within the connect timeout, and names it", async () => {
    for (const hangs of ["asked", "tunnel"] as const) {
      await using silent = await startProxy(service.port, { hangs });
      await withPac(silent.pacUrl, async () => {
        const { problem } = await ask("https://service.test", { connectSeconds: 0.3 });
        assert.equal(english(problem), `The proxy ${silent.name} didn't connect in 0.3 seconds.`);
      });
    }
  });

  it("leaves the proxy login to VS Code when the settings have none, which asks once", async () => {
    let questions = 0;
    const { request, resolveProxyURL } = resolverOf({
      resolveProxy: async () => `PROXY ${proxy.name}`,
      async lookupAuthorization() {
        questions++;
        return { username: "me", password: "word" };
      },
    });
    const before = service.requests.length;
    const editorNetwork = { proxyFor: resolveProxyURL, request };
    const reply = await ask("https://service.test", { editorNetwork });
    assert.deepEqual([reply.text, reply.problem, questions], ["Hello", undefined, 1]);
    assert.equal(oursOf(proxy).at(-1)?.login, login);
    assert.equal(service.requests.length, before + 1);
    const again = await ask("https://service.test", { editorNetwork });
    assert.deepEqual([again.text, questions], ["Hello", 1]);
  });

  it("bypasses the proxy for the hosts of http.noProxy", async () => {
    await set("proxy", proxy.url);
    await set("noProxy", ["service.test"]);
    const before = oursOf(proxy).length;
    const reply = await ask("https://service.test");
    assert.match(english(reply.problem), /^Can't (?:reach|find) service\.test/);
    assert.equal(oursOf(proxy).length, before);
  });

  it("refuses a private authority that is not configured", async () => {
    for (const name of ["proxy", "noProxy"]) await set(name, undefined);
    const baseUrl = `https://localhost:${service.port}`;
    assert.equal((await ask(baseUrl)).text, "Hello");
    const reply = await ask(baseUrl, { environment: { NODE_EXTRA_CA_CERTS: "" } });
    assert.match(english(reply.problem), /certificate of localhost:\d+ was not accepted/);
  });

  it("leaves the globals shared with other extensions unchanged", async () => {
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
