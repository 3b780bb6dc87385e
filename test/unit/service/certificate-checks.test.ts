// Whose certificates are accepted on the way to the service, on real sockets: those of authorities that the settings or the
// environment name besides the known ones, and no others, whatever is set.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startProxy } from "../../sim/proxy.ts";
import { english } from "../../support/english.ts";
import { withVariable } from "../../support/one-test.ts";
import { certificateFile, keyPair, startTlsService } from "../../support/tls-service.ts";
import { trusting, turn } from "./network-ground.ts";

test("a certificate of a private authority is trusted if the settings name the authority", async () => {
  await using service = await startTlsService();
  const baseUrl = `https://localhost:${service.port}`;
  assert.equal((await turn(trusting, {}, baseUrl)).text, "Hello");
  const refused = await turn({}, {}, baseUrl);
  assert.match(english(refused.problem), /certificate of localhost:\d+ was not accepted/);
  assert.equal(service.requests.length, 1);
});

test("a certificate of a private authority is trusted if NODE_EXTRA_CA_CERTS names the authority", async () => {
  await using service = await startTlsService();
  const environment = { NODE_EXTRA_CA_CERTS: certificateFile("authority") };
  assert.equal((await turn({}, environment, `https://localhost:${service.port}`)).text, "Hello");
});

test("a missing NODE_EXTRA_CA_CERTS file does not affect the authorities of the settings", async () => {
  await using service = await startTlsService();
  const environment = { NODE_EXTRA_CA_CERTS: "/nowhere.pem" };
  assert.equal((await turn(trusting, environment, `https://localhost:${service.port}`)).text, "Hello");
});

test("the source contains no way to disable certificate checks", () => {
  const files = readdirSync(join(process.cwd(), "src"), { recursive: true, withFileTypes: true });
  for (const file of files.filter((one) => one.isFile())) {
    const source = readFileSync(join(file.parentPath, file.name), "utf8");
    assert.doesNotMatch(
      source,
      /rejectUnauthorized(?!: true\b|`)|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity/,
      file.name,
    );
  }
});

test("NODE_TLS_REJECT_UNAUTHORIZED=0 does not disable certificate checks on any route", async (t) => {
  await using service = await startTlsService();
  await using proxy = await startProxy(service.port);
  await using secureProxy = await startProxy(service.port, { tls: keyPair("service") });
  withVariable(t, "NODE_TLS_REJECT_UNAUTHORIZED", "0");
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
});
