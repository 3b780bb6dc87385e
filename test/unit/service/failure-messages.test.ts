// What is said of a refusal by its status and its words, how far into a gateway's wrapping words are looked for, and what
// makes a service one that gets less than it could.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defaultCapabilities, isLimited } from "../../../src/service/capabilities.ts";
import { readServiceError, type ServiceError } from "../../../src/service/internal/fault.ts";
import { describeStatus } from "../../../src/service/internal/fault-to-problem.ts";
import { createMask } from "../../../src/util/mask-secrets.ts";

const said = (status: number, words?: ServiceError) =>
  describeStatus(
    { at: "status", status, words, sentBytes: 5000, page: false } as Parameters<typeof describeStatus>[0],
    { mask: createMask("key"), visible: false, host: "example.test" },
  );

describe("a request that is too large", () => {
  test("reports its size if the service gives no message", () => {
    const { kind, message } = said(413);
    assert.deepEqual([kind, message.code, message.args?.["size"]], ["too-large", "problemSent", 5]);
  });

  test("reports an exceeded context window if the service's code says so", () => {
    const words = { message: "Too many tokens.", code: "context_length_exceeded" };
    for (const status of [413, 400]) assert.equal(said(status, words).message.code, "problemTooLarge");
  });
});

test("readServiceError unwraps a gateway's error up to three levels", () => {
  const wrapped = (depth: number): object =>
    depth === 0
      ? { message: "The reason." }
      : { message: `Wrapping ${depth}.`, metadata: { raw: JSON.stringify({ error: wrapped(depth - 1) }) } };
  assert.equal(readServiceError(wrapped(3)).message, "The reason.");
  assert.equal(readServiceError(wrapped(4)).message, "Wrapping 1.");
});

test("isLimited is true as soon as one capability is reduced", () => {
  assert.equal(isLimited(defaultCapabilities), false);
  const plainer = [{ patch: "x" }, { namespaces: "x" }, { customOutput: "x" }, { assistantText: "x" }];
  for (const one of plainer)
    assert.equal(isLimited({ ...defaultCapabilities, ...one } as typeof defaultCapabilities), true);
});
