import assert from "node:assert/strict";
import { test } from "node:test";
import { redact } from "../../../../src/core/util/redact.ts";

const key = "canary+key/4711";

test("a known secret disappears in plain form, in base64 and in an address", () => {
  const text = `a ${key} b ${btoa(key)} c ${encodeURIComponent(key)} d`;
  assert.equal(redact(text, [key]), "a [removed] b [removed] c [removed] d");
});

test("whatever looks like a credential disappears, known or not", () => {
  assert.equal(redact("Authorization: Bearer abc.def, x", []), "Authorization: [removed], x");
  assert.equal(redact("sk-0123456789abcdef", []), "[removed]");
});

test("ordinary text stays as it is", () => {
  assert.equal(redact("a key is a key", ["", "other"]), "a key is a key");
});
