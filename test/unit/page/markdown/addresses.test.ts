import assert from "node:assert/strict";
import { test } from "node:test";
import { differentHost } from "../../../../src/page/markdown/parse/links.ts";

const elsewhere = "https://evil.test/";

test("differentHost returns the real host when the words name another one", () => {
  for (const words of [
    "https://github.com",
    "github.com",
    "see github.com/login",
    '("github.com")',
    "https://github．com/login",
    "𝐠𝐢𝐭𝐡𝐮𝐛.𝐜𝐨𝐦",
    "github.com∕login",
    "https://github.com@evil.test",
    "evil.test,github.com",
    "git\\u{200B}hub.com",
    "bücher.example/katalog",
  ])
    assert.equal(differentHost(words, elsewhere), "evil.test", words);
});

test("differentHost returns undefined for words that name no host or the right one", () => {
  for (const words of [
    "the notes",
    "Node.js",
    "README.md",
    "src/cart.ts",
    "and/or",
    "https://evil.test",
    "www.evil.test",
    "https://evil.test/web/https://github.com",
    "https://evil.test?next=github.com#github.com",
  ])
    assert.equal(differentHost(words, elsewhere), undefined, words);
});

test("differentHost returns the real host of a URL that disguises it", () => {
  assert.equal(differentHost("x", "https://github.com@evil.test/"), "evil.test");
  assert.equal(differentHost("x", "https://xn--pple-43d.com/"), "xn--pple-43d.com");
});
