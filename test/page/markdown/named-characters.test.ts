// Characters by their HTML names: the browser's list against the one that markdown-it brings along.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import MarkdownIt from "markdown-it";
import { openRenderPage } from "./support.ts";

const { page } = await openRenderPage();

/** As HTML itself reads them: markdown-it's own list, over all characters that have names. */
async function allNames(): Promise<string[]> {
  const ofMarkdownIt = createRequire(createRequire(import.meta.url).resolve("markdown-it"));
  const { encodeHTML } = await import(pathToFileURL(ofMarkdownIt.resolve("entities")).href);
  const names = new Set<string>();
  for (let code = 1; code < 0x1_d7ff; code += 1)
    if (code < 0xd800 || code > 0xdfff)
      for (const [name] of String(encodeHTML(String.fromCodePoint(code))).matchAll(/&[a-z]\w*;/gi))
        names.add(name);
  return [...names];
}

test("the renderer decodes every HTML named character and leaves near misses as text", async () => {
  const names = await allNames();
  assert.ok(names.length > 1_400, String(names.length));
  const notNames = ["&copyleft;", "&ampersands;", "&Copy;", "&foo;", "&nbsp", "&a1;", "&constructor;"];
  const references = [...names, ...notNames, "&semi;", "&NotEqualTilde;", "&Tab;"];
  const markdown = new MarkdownIt({ html: false });
  const expected = references.map((each) => markdown.parseInline(each, {})[0]?.children?.[0]?.content ?? "");
  const drawn = await page.evaluate(async (text) => {
    await window.renderer.render(text, { math: false });
    // What is far out of sight may have left the document by now.
    window.renderer.drawWhole();
    return [...document.querySelectorAll("main p")].map(({ textContent }) => textContent);
  }, references.join("\n\n"));
  // Spaces and marks without a look of their own are drawn as what they are, by another rule.
  const isPlain = (text: string) => /^[\p{L}\p{N}\p{S}\p{P}]+$/u.test(text);
  const differences = references.flatMap((name, at) =>
    isPlain(expected[at] ?? "") && drawn[at] !== expected[at]
      ? [{ name, drawn: drawn[at], expected: expected[at] }]
      : [],
  );
  assert.deepEqual(differences, []);
  assert.equal(drawn.length, references.length);
  assert.ok(expected.filter(isPlain).length > 1_300);
});
