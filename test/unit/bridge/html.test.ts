import assert from "node:assert/strict";
import { test } from "node:test";
import { contentSecurityPolicy, pageHtml } from "../../../src/bridge/html.ts";

const page = {
  nonce: "n0nce",
  cspSource: "https://csp.test",
  scriptUri: "a.js",
  styleUris: ["a.css"],
  language: "en",
  starting: "Loading…",
};

test("contentSecurityPolicy denies by default and allows only what the page needs", () => {
  const directives = contentSecurityPolicy(page).split("; ");
  assert.equal(directives[0], "default-src 'none'");
  assert.deepEqual(directives.slice(1), [
    "script-src 'nonce-n0nce'",
    "style-src https://csp.test",
    "font-src https://csp.test",
    "img-src https://csp.test data:",
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-src 'none'",
  ]);
});

test("pageHtml escapes inserted values", () => {
  const html = pageHtml({
    ...page,
    language: '"><script>alert(1)</script>',
    starting: "<script>alert(2)</script>",
  });
  assert.equal(html.match(/<script/g)?.length, 1);
});
