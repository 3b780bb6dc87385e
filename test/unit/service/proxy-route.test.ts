// Which way a request takes by settings and environment: a table.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type ProxySettings, proxyRoute } from "../../../src/service/internal/proxy.ts";

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
  test(`the route to ${target} with ${given} is ${(expected as { via: string }).via}`, () => {
    assert.deepEqual(proxyRoute(new URL(target), settings, environment), expected);
  });
}
