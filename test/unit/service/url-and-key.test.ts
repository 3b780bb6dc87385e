import assert from "node:assert/strict";
import { test } from "node:test";
import { completeUrl, operationUrl, readBaseUrl } from "../../../src/service/url-and-key.ts";
import { english } from "../../support/english.ts";

const joined = [
  ["https://h", "https://h/v1/responses"],
  ["https://h/", "https://h/v1/responses"],
  ["https://h/v1", "https://h/v1/responses"],
  ["https://h/v1/", "https://h/v1/responses"],
  ["https://h/proxy", "https://h/proxy/v1/responses"],
  ["https://h/proxy/v1//", "https://h/proxy/v1/responses"],
  ["  https://h:8443/v1  ", "https://h:8443/v1/responses"],
  ["http://127.0.0.1:8080", "http://127.0.0.1:8080/v1/responses"],
  ["http://localhost", "http://localhost/v1/responses"],
  ["http://[::1]:9", "http://[::1]:9/v1/responses"],
] as const;

for (const [typed, expected] of joined) {
  test(`readBaseUrl joins ${JSON.stringify(typed)} with exactly one /v1`, () => {
    const reading = readBaseUrl(typed);
    assert.ok(reading.ok);
    assert.equal(operationUrl(reading, "/responses"), expected);
  });
}

const refused = [
  ["", /isn't set/],
  ["   ", /isn't set/],
  ["host", /a valid URL/],
  ["https://", /a valid URL/],
  ["https://ho st", /a valid URL/],
  ["https://h/a b", /a valid URL/],
  ["ftp://h", /must start with https/],
  ["file:///etc/passwd", /must start with https/],
  ["http://h.example", /only on this computer/],
  ["http://127.0.0.1.evil.example", /only on this computer/],
  ["http://localhost.evil.example", /only on this computer/],
  ["http://10.0.0.1.evil.example", /only on this computer/],
  ["http://user@gpu.local", /user name or password/],
  ["https://user@h", /user name or password/],
  ["https://user:word@h", /user name or password/],
  ["https://h?a=b", /query/],
  ["https://h/v1?", /query/],
  ["https://h#x", /fragment/],
  ["https://h/#", /fragment/],
] as const;

for (const [typed, sentence] of refused) {
  test(`readBaseUrl refuses ${JSON.stringify(typed)} with a message`, () => {
    const reading = readBaseUrl(typed);
    assert.ok(!reading.ok);
    assert.match(english(reading.message), sentence);
    assert.match(english(reading.message), /\.$/);
  });
}

test("readBaseUrl does not repeat a password in its message", () => {
  const reading = readBaseUrl("https://me:hunter2@h");
  assert.ok(!reading.ok && !english(reading.message).includes("hunter2"));
});

const networks = [
  [true, "10.1.2.3", "192.168.0.7", "172.16.0.1", "172.31.255.1", "169.254.1.1", "100.64.0.1", "100.127.9.9"],
  [
    true,
    "gpu-box",
    "gpu.local",
    "api.corp.internal",
    "nas.home.arpa",
    "router.lan",
    "[fd00::1]",
    "[fe80::1]",
  ],
  [false, "11.0.0.1", "172.15.0.1", "172.32.0.1", "192.169.0.1", "100.63.0.1", "100.128.0.1", "8.8.8.8"],
  [false, "h.example", "local.example", "internal.evil.com", "[2001:db8::1]", "[ff02::1]"],
] as const;

for (const [isInside, ...hosts] of networks) {
  for (const host of hosts) {
    test(`plain HTTP to ${host} is ${isInside ? "asked about" : "refused"}`, () => {
      const asked = readBaseUrl(`http://${host}:8000/`);
      assert.deepEqual([asked.ok, "unconfirmed" in asked], [false, isInside]);
      const origin = new URL(`http://${host}:8000`).origin;
      const agreed = readBaseUrl(`http://${host}:8000/`, (to) => to === origin);
      assert.equal(agreed.ok, isInside);
      assert.ok(!readBaseUrl(`http://${host}:8001/`, (to) => to === origin).ok, "one origin, no other");
    });
  }
}
test("completeUrl adds a missing scheme and changes nothing else", () => {
  const typed = [
    "host.example",
    " host.example/v1 ",
    "localhost:8080",
    "127.0.0.1:4000/v1",
    "[::1]:4000",
    "localhost.example",
    "https://localhost:8080",
    "http://h",
    "HTTPS://h",
    "ftp://h",
    "",
  ];
  assert.deepEqual(typed.map(completeUrl), [
    "https://host.example",
    "https://host.example/v1",
    "http://localhost:8080",
    "http://127.0.0.1:4000/v1",
    "http://[::1]:4000",
    "https://localhost.example",
    "https://localhost:8080",
    "http://h",
    "HTTPS://h",
    "ftp://h",
    "",
  ]);
});
