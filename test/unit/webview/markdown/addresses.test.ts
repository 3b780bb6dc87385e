import assert from "node:assert/strict";
import { test } from "node:test";
import { differentHost } from "../../../../src/webview/markdown/addresses.ts";

const elsewhere = "https://evil.test/";

test("words that name another host than the one they lead to have it said behind them", () => {
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

test("words that name no host, or the right one, are left alone", () => {
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

test("an address that hides its host has it said, whatever the words are", () => {
  assert.equal(differentHost("x", "https://github.com@evil.test/"), "evil.test");
  assert.equal(differentHost("x", "https://xn--pple-43d.com/"), "xn--pple-43d.com");
});
