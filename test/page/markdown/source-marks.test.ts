// Marks of sources in the Markdown of a response: whatever a title or URL holds, the text around a mark stays whole.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readInline } from "../../../src/page/markdown/parse/inline.ts";
import { createParser } from "../../../src/page/markdown/parse/parser.ts";
import { readBlocks } from "../../../src/page/markdown/parse/read-blocks.ts";
import { withLinks } from "../../../src/page/view/parts/citations.ts";

const parser = createParser({ math: false });

const cited = (text: string, end: number, title: string, url: string): string =>
  withLinks({ text, citations: [{ url, title, end }] });

const linksIn = (markdown: string) =>
  readInline(parser.inline(markdown, {})).filter((inline) => inline.kind === "link");

describe("a mark of a source with a bar in its title and URL", () => {
  const title = "Prices | Shop";
  const url = "https://shop.test/a|b";

  test("leaves the cells of its table as they are", () => {
    const table = "| what | price |\n|---|---|\n| tea | 3 |\n";
    const marked = cited(table, table.indexOf("tea") + 3, title, url);
    const [block] = readBlocks(parser.blocks(marked).tokens);
    assert.ok(block?.kind === "table");
    const cells = block.children.flatMap((row) => row.cells);
    assert.equal(cells.length, 2);
    assert.match(cells[0] ?? "", /^tea\[/);
    assert.equal(cells[1], "3");
    assert.equal(linksIn(cells[0] ?? "")[0]?.title, title);
  });

  test("is a link with the whole title in other text", () => {
    const text = "Tea is cheap.";
    const [link] = linksIn(cited(text, text.length, title, url));
    assert.equal(link?.title, title);
    assert.equal(link?.address, "https://shop.test/a%7Cb");
  });
});
