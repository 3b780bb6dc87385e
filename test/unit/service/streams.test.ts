// The stream corpus, every case whole. `arriving-streams` takes it byte by byte, cuts it and sends it over HTTP.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compareWhole } from "../../support/compare-reply.ts";
import { play } from "../../support/play-stream.ts";
import { endOf, smallStreamCases, streamCases } from "../../support/stream-case.ts";

for (const one of smallStreamCases()) {
  test(`${one.name}, whole: ${one.title}`, async () => {
    compareWhole(one, await play(one.route, [one.bytes()], endOf(one)));
  });
}

test("the stream corpus has at least 80 cases and covers both routes", () => {
  const cases = streamCases();
  assert.ok(cases.length >= 80);
  assert.ok(cases.some((one) => one.route === "chat") && cases.some((one) => one.route === "responses"));
});
