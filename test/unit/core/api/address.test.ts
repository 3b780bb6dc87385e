import assert from "node:assert/strict";
import { test } from "node:test";
import { operationUrl, readBaseUrl } from "../../../../src/core/api/address.ts";
import { english } from "../../../support/english.ts";

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
  test(`the service URL ${JSON.stringify(typed)} is joined with exactly one /v1`, () => {
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
  ["http://h", /this machine only/],
  ["http://127.0.0.1.evil.example", /this machine only/],
  ["http://localhost.evil.example", /this machine only/],
  ["https://user@h", /user name or password/],
  ["https://user:word@h", /user name or password/],
  ["https://h?a=b", /query/],
  ["https://h/v1?", /query/],
  ["https://h#x", /fragment/],
  ["https://h/#", /fragment/],
] as const;

for (const [typed, sentence] of refused) {
  test(`the service URL ${JSON.stringify(typed)} is refused with a sentence`, () => {
    const reading = readBaseUrl(typed);
    assert.ok(!reading.ok);
    assert.match(english(reading.message), sentence);
    assert.match(english(reading.message), /\.$/);
  });
}

test("a refused service URL is not repeated in the sentence, since it may hold a password", () => {
  const reading = readBaseUrl("https://me:hunter2@h");
  assert.ok(!reading.ok && !english(reading.message).includes("hunter2"));
});
