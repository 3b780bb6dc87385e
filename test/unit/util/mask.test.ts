import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createMask } from "../../../src/util/mask-secrets.ts";

const key = "canary+key/4711";

test("a mask hides a known secret in plain form, in base64, URL-encoded and in part", () => {
  const forms = [key, btoa(key), encodeURIComponent(key), key.slice(0, 10)];
  for (const form of forms) assert.equal(createMask(key)(`a ${form} b`), "a [hidden] b", form);
});

test("a mask hides every piece of a known secret, also beside characters that begin one", () => {
  const mask = createMask(key);
  for (let from = 0; from + 8 <= key.length; from++)
    for (let before = 0; before < 20; before++) {
      const around = key
        .slice(from + 1, from + 3)
        .repeat(10)
        .slice(0, before);
      const said = mask(`${around} ${key.slice(from, from + 8)} ${around}`);
      assert.equal(said, `${around} [hidden] ${around}`, `${from}, ${before}`);
    }
});

test("a mask hides anything that looks like a credential", () => {
  const mask = createMask("");
  assert.equal(mask("Authorization: Bearer abc.def, x"), "Authorization: [hidden] [hidden], x");
  for (const shape of ["sk-0123456789abcdef", "key_0123456789abcdef"]) assert.equal(mask(shape), "[hidden]");
});

test("a mask leaves ordinary text unchanged", () => {
  for (const known of ["", "other"]) assert.equal(createMask(known)("a key is a key"), "a key is a key");
});

test("a mask hides a JSON web token behind other words and keeps partial lookalikes", () => {
  const mask = createMask("");
  const token = "eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl";
  assert.equal(mask(`a ${token} b`), "a [hidden] b");
  assert.equal(mask(`x-${token}, ${token}`), "x-[hidden], [hidden]");
  assert.equal(mask(`a.b.${token}.c`), "a.b.[hidden].c");
  for (const text of ["eyJ.a.b", "eyJhbGciOiJI.eyJzdWIiOiIx", "a.b.c", "1.2.3"])
    assert.equal(mask(text), text);
});

test("a mask cuts a text before it hides secrets and drops the word at the cut", () => {
  const mask = createMask(key);
  const text = `${"word ".repeat(4)}sk-0123456789abcdef tail`;
  assert.equal(mask(text, 30), `${"word ".repeat(4)}…`);
  assert.equal(mask(text, text.length), `${"word ".repeat(4)}[hidden] tail`);
  for (let most = 0; most < 60; most++)
    assert.doesNotMatch(mask(`a ${key} b ${key} c sk-0123456789abcdef d`, most), /cana|4711|sk-/);
});

describe("a known secret in base64", () => {
  const secret = "canary+key/4711";

  for (const encoding of ["base64", "base64url"] as const)
    for (const before of ["", "u", "us", "use", "user:"])
      for (const after of ["", "!", "!!"])
        test(`is hidden behind ${before.length} bytes and before ${after.length}, as ${encoding}`, () => {
          const encoded = Buffer.from(before + secret + after).toString(encoding);
          const [start = "", end = "", ...more] = createMask(secret)(encoded).split("[hidden]");
          assert.deepEqual(more, []);
          // A letter at an edge holds bits of what stands beside the secret.
          assert.ok(start.length <= Math.ceil((before.length * 4) / 3), start);
          assert.ok(end.length <= Math.ceil((after.length * 4) / 3) + 3, end);
          assert.ok(encoded.length - start.length - end.length >= (secret.length * 4) / 3 - 2);
        });
});
