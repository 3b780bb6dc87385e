// How far into a gateway's wrapping words are looked for, and what makes a service one that gets less than it could.
import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultCapabilities, isLimited } from "../../../src/service/capabilities.ts";
import { readServiceError } from "../../../src/service/internal/fault.ts";

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
