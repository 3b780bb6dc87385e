import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { nameOfUrl, webUrl } from "../../../src/util/web-url.ts";

describe("webUrl", () => {
  it("accepts web pages alone", () => {
    assert.equal(webUrl("https://example.org/a?b#c")?.href, "https://example.org/a?b#c");
    assert.equal(webUrl("HTTP://EXAMPLE.org")?.href, "http://example.org/");
    for (const hostile of [
      "javascript:alert(1)",
      "JavaScript:alert(1)",
      " javascript:alert(1)",
      "java\nscript:alert(1)",
      "data:text/html,<script>alert(1)</script>",
      "data:image/png;base64,AAAA",
      "vbscript:x",
      "blob:https://example.org/1",
      "file:///etc/passwd",
      "command:workbench.action.quit",
      "vscode://patchbay.patchbay/ask?prompt=x",
      "ftp://example.org/a",
      "//example.org/a",
      "example.org",
      "",
    ])
      assert.equal(webUrl(hostile), undefined, hostile);
  });

  it("refuses a user name or password, which could be read as the host", () => {
    for (const hostile of [
      "https://example.com@evil.test/",
      "https://a:b@evil.test/",
      "https://:b@evil.test/",
    ])
      assert.equal(webUrl(hostile), undefined, hostile);
  });

  it("gives the host as Punycode if letters imitate others, and without what browsers drop", () => {
    assert.equal(webUrl("https://аpple.com/")?.host, "xn--pple-43d.com");
    assert.equal(webUrl("https://ｇithub．com/")?.host, "github.com");
    assert.equal(webUrl("https://exam\u00ADple.org/")?.host, "example.org");
    assert.equal(webUrl("https:\\\\evil.test\\@example.com")?.host, "evil.test");
  });

  it("reads a host with letters beyond ASCII after many others, too", () => {
    for (let read = 0; read < 20_000; read++)
      if (webUrl("https://exam\u00ADple.org/") === undefined) assert.fail(`after ${read}`);
  });

  it("refuses one that is longer than a destination", () => {
    assert.equal(webUrl(`https://example.org/${"a".repeat(8_200)}`), undefined);
  });
});

describe("nameOfUrl", () => {
  it("is the title on one line, with what is hidden in it as escapes", () => {
    assert.equal(nameOfUrl({ url: "https://example.org", title: " A\n page " }), "A page");
    assert.equal(nameOfUrl({ url: "https://example.org", title: "a\u202Ecod.exe" }), "a\\u{202E}cod.exe");
  });

  it("is the URL with its real host if there is no title", () => {
    assert.equal(nameOfUrl({ url: "https://аpple.com/a" }), "https://xn--pple-43d.com/a");
    assert.equal(nameOfUrl({ url: "https://example.org", title: " " }), "https://example.org/");
    assert.equal(nameOfUrl({ url: "javascript:alert(1)" }), "javascript:alert(1)");
  });
});
