// A wait that a service asks for in its words.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseWait } from "../../../src/service/internal/wait-in-error-text.ts";
import { json, startFaultServer } from "../../support/fault-server.ts";
import { watch } from "../../support/watched-client.ts";

const asked: readonly (readonly [string, number])[] = [
  ["Rate limit reached. Please try again in 11.054s. Visit the page.", 11_054],
  ["request reached organization max RPM: 3, please try again after 1 seconds", 1_000],
  ["please try again after 5 seconds", 5_000],
  ["Please try again in 180ms.", 180],
  ["Please try again in 6m0s.", 360_000],
  ["try again in 1h2m3s", 3_723_000],
  ["Please retry in 34.074824224s.", 34_074.824224],
  ["Please retry after 12 seconds.", 12_000],
  ["Please wait 3 seconds before making another request", 3_000],
  ["You can retry your request in 2 minutes", 120_000],
  ["Rate limited, retry-after: 30", 30_000],
  ['{"retry_after": 7}', 7_000],
  ["请在 5 秒后重试", 5_000],
  ["触发限流，请 2 分钟后再试", 120_000],
];
const silent: readonly string[] = [
  "Please try again later.",
  "Rate limit of 3 requests per minute",
  "You have made 429 requests in 60 seconds",
  "Try a shorter prompt: it has 5 messages",
  "请稍后重试",
];

describe("a wait in an error message", () => {
  for (const [words, milliseconds] of asked)
    test(`is parsed from: ${words}`, () => {
      assert.equal(parseWait(words)?.toFixed(3), milliseconds.toFixed(3));
    });
  for (const words of silent)
    test(`is not found in: ${words}`, () => {
      assert.equal(parseWait(words), undefined);
    });

  test("delays the retry after 429 and 503", async () => {
    for (const code of [429, 503]) {
      const message = "Your request reached the limit, please try again after 5 seconds";
      await using server = await startFaultServer(json(code, { error: { message } }));
      using watched = watch(server.url);
      await watched.turn();
      assert.ok(watched.waited.length === 2 && watched.waited.every((wait) => wait >= 5_000 && wait < 6_000));
    }
  });
});
