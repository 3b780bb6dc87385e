import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { longestLinkedText, readDeepLink } from "../../../../src/editor/chat/deep-links.ts";

/** As VS Code hands it over: the query is decoded once already, and its parts still are encoded where they have to be. */
const read = (path: string, parameters: Record<string, string> = {}) =>
  readDeepLink({ path, query: new URLSearchParams(parameters).toString() });

describe("a deep link", () => {
  test("is read as the text of its prompt, with line breaks, in any language", () => {
    const prompt = "Why does\n\tthe build fail? 为什么 100% & a+b=c 👩‍💻";
    assert.deepEqual(read("/ask", { prompt }), { kind: "text", text: prompt });
  });

  test("escapes the hidden characters of its text", () => {
    const prompt = "Explain\u200B this\u202E\u{E0041}.\r\n\u001B[2J";
    const text = "Explain\\u{200B} this\\u{202E}\\u{E0041}.\n\\u{001B}[2J";
    assert.deepEqual(read("/ask", { prompt }), { kind: "text", text });
  });

  test("is refused when it has another path or any parameter besides a prompt", () => {
    for (const more of ["key", "baseUrl", "model", "file", "send", "command"])
      assert.deepEqual(read("/ask", { prompt: "Hi", [more]: "x" }), { kind: "unsupported" }, more);
    for (const path of ["", "/", "/ask/", "/open", "/send", "/Ask"])
      assert.deepEqual(read(path, { prompt: "Hi" }), { kind: "unsupported" }, path);
    for (const query of ["", "prompt=", "prompt=+%0A", "prompt=a&prompt=b", "__proto__=a"])
      assert.deepEqual(readDeepLink({ path: "/ask", query }), { kind: "unsupported" }, query);
  });

  test("is refused when its text is too long, however it is encoded", () => {
    const longest = "é".repeat(longestLinkedText);
    assert.deepEqual(read("/ask", { prompt: longest }), { kind: "text", text: longest });
    assert.deepEqual(read("/ask", { prompt: `${longest}é` }), { kind: "too-long" });
    assert.deepEqual(read("/ask", { prompt: "a".repeat(1_000_000) }), { kind: "too-long" });
  });
});
