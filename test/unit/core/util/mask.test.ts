import assert from "node:assert/strict";
import { test } from "node:test";
import { createMask, maskedWords } from "../../../../src/core/util/mask.ts";
import { growthOf, toldGrowth } from "../../../support/growth.ts";

const key = "canary+key/4711";

test("a known secret disappears in plain form, in base64 and in an address, and so does half of it", () => {
  const forms = [key, btoa(key), encodeURIComponent(key), key.slice(0, 10)];
  for (const form of forms) assert.equal(createMask(key)(`a ${form} b`), "a [hidden] b", form);
});

test("every piece of a known secret disappears wherever it stands, also among characters that begin one", () => {
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

test("whatever looks like a credential disappears, known or not", () => {
  const mask = createMask("");
  assert.equal(mask("Authorization: Bearer abc.def, x"), "Authorization: [hidden] [hidden], x");
  for (const shape of ["sk-0123456789abcdef", "key_0123456789abcdef"]) assert.equal(mask(shape), "[hidden]");
});

test("ordinary text stays as it is", () => {
  for (const known of ["", "other"]) assert.equal(createMask(known)("a key is a key"), "a key is a key");
});

test("a web token disappears, also behind other words, and what only looks like half of one stays", () => {
  const mask = createMask("");
  const token = "eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl";
  assert.equal(mask(`a ${token} b`), "a [hidden] b");
  assert.equal(mask(`x-${token}, ${token}`), "x-[hidden], [hidden]");
  assert.equal(mask(`a.b.${token}.c`), "a.b.[hidden].c");
  for (const text of ["eyJ.a.b", "eyJhbGciOiJI.eyJzdWIiOiIx", "a.b.c", "1.2.3"])
    assert.equal(mask(text), text);
});

test("a text is cut before it is masked, and the word at the cut goes with it", () => {
  const mask = createMask(key);
  const text = `${"word ".repeat(4)}sk-0123456789abcdef tail`;
  assert.equal(mask(text, 30), `${"word ".repeat(4)}…`);
  assert.equal(mask(text, text.length), `${"word ".repeat(4)}[hidden] tail`);
  for (let most = 0; most < 60; most++)
    assert.doesNotMatch(mask(`a ${key} b ${key} c sk-0123456789abcdef d`, most), /cana|4711|sk-/);
});

test("a text that was made to be slow is masked up to the cut, however long it is, and in proportion to that", () => {
  const units = ["-eyJ", "eyJaaaaaaaa.", "bearer ", "key_", "secret = ", "a.", "%2B", key.slice(0, 12)];
  const masks = [createMask(key), createMask("")];
  for (const unit of units) {
    const text = unit.repeat(16_000_000 / unit.length);
    for (const mask of masks) {
      const ofText = growthOf((size) => () => maskedWords(mask, text.slice(0, size), 4_000), 4_000_000);
      assert.ok(ofText.isLinear, `${unit}: ${toldGrowth(ofText)}`);
      const ofCut = growthOf((size) => () => mask(text, size), 64 * 1024);
      assert.ok(ofCut.isLinear, `${unit}: ${toldGrowth(ofCut)}`);
    }
  }
});
