import assert from "node:assert/strict";
import { test } from "node:test";
import { createMask } from "../../../../src/core/util/mask.ts";

const key = "canary+key/4711";

test("a known secret disappears in plain form, in base64 and in an address, and so does half of it", () => {
  const forms = [key, btoa(key), encodeURIComponent(key), key.slice(0, 10)];
  for (const form of forms) assert.equal(createMask(key)(`a ${form} b`), "a [hidden] b", form);
});

test("whatever looks like a credential disappears, known or not", () => {
  const mask = createMask("");
  assert.equal(mask("Authorization: Bearer abc.def, x"), "Authorization: [hidden] [hidden], x");
  for (const shape of ["sk-0123456789abcdef", "key_0123456789abcdef"]) assert.equal(mask(shape), "[hidden]");
});

test("ordinary text stays as it is", () => {
  for (const known of ["", "other"]) assert.equal(createMask(known)("a key is a key"), "a key is a key");
});
