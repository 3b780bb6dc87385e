// The specification's examples and GitHub's, in the real page. What differs from them on purpose is in
// browser/canonical.ts, and raw HTML, which is text here.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import MarkdownIt from "markdown-it";
import { openRenderPage } from "./support.ts";

interface Example {
  readonly number: number | string;
  readonly markdown: string;
  readonly html: string;
}

const commonMark: Example[] = createRequire(import.meta.url)("commonmark-spec").tests.map(
  (example: Example) => ({
    ...example,
    markdown: example.markdown.replaceAll("→", "\t"),
    html: example.html.replaceAll("→", "\t"),
  }),
);
const github: Example[] = JSON.parse(
  readFileSync(join(process.cwd(), "test/fixtures/markdown/gfm.json"), "utf8"),
).map((example: Omit<Example, "number"> & { name: string }) => ({ ...example, number: example.name }));

/** Examples with raw HTML, which is text here: compared with what markdown-it makes of them with HTML switched off. */
const rawHtml = new Set([
  ...[21, 31, 201, 308, 309, 344, 475, 476, 477, 491, 494, 524, 536, 613, 614, 615, 616, 617, 623],
  ...[625, 626, 627, 628, 629, 630, 631, 642, 643],
]);
const isRawHtml = (number: number | string): boolean =>
  typeof number === "number" && ((number >= 148 && number <= 191) || rawHtml.has(number));
/** Examples with a bare address, which GitHub makes a link, and so do we. */
const bareAddresses = new Map<number | string, string>([
  [602, '<p>&lt;<a href="https://foo.bar/baz">https://foo.bar/baz</a> bim&gt;</p>'],
  [608, '<p>&lt; <a href="https://foo.bar">https://foo.bar</a> &gt;</p>'],
  [611, '<p><a href="https://example.com">https://example.com</a></p>'],
]);
/** What is read as something else while it is written, in every block whose children settle one by one. */
const halves: Pick<Example, "number" | "markdown">[] = [
  "| a | b |\n|---|:-:|\n| [x](y) | `a|b` |\n| c | **d |\n| [e | f |\n\ng",
  "| a |\n|---|\n\uFEFFb\n\u3000c\n",
  "- `a\n- **b\n- [c\n\n  [d](e\n- f",
  "> `a\n>\n> **b\n> - [c\n>\n> d",
  "1. ```\n   `a\n   ```\n2. $b\n3. $c$",
].map((markdown, index) => ({ number: index + 1, markdown }));
const withoutHtml = new MarkdownIt("commonmark", { html: false });

const { page, errors } = await openRenderPage();

function expectedOf({ number, markdown, html }: Example): string {
  return bareAddresses.get(number) ?? (isRawHtml(number) ? withoutHtml.render(markdown) : html);
}

for (const [name, examples] of [
  ["CommonMark", commonMark],
  ["GitHub", github],
] as const) {
  test(`the renderer draws each example of ${name} as the specification says`, async () => {
    const found = await page.evaluate(
      async (all) => {
        const { canonicalOf, canonicalOfHtml } = window.renderer;
        const differences: unknown[] = [];
        for (const { number, markdown, html } of all) {
          await window.renderer.render(markdown, { math: false });
          const actual = canonicalOf(document.querySelector("main") ?? document.body);
          const expected = canonicalOfHtml(html);
          if (actual !== expected) differences.push({ number, markdown, actual, expected });
        }
        return differences;
      },
      examples.map((example) => ({ ...example, html: expectedOf(example) })),
    );
    assert.deepEqual(found, []);
  });
}

for (const [name, examples] of [
  ["CommonMark", commonMark],
  ["GitHub", github],
  ["our own", halves],
] as const) {
  test(`streaming each example of ${name} in steps of 1 to 7 characters yields the same nodes as rendering it whole`, async () => {
    const found = await page.evaluate(async (all) => {
      const main = document.querySelector("main") ?? document.body;
      const differences: unknown[] = [];
      for (const { number, markdown } of all) {
        await window.render(markdown);
        const expected = main.innerHTML;
        for (const step of [1, 2, 3, 4, 5, 6, 7]) {
          await window.stream(markdown, step);
          if (main.innerHTML !== expected)
            differences.push({ number, step, expected, actual: main.innerHTML });
        }
      }
      return differences;
    }, examples);
    assert.deepEqual(found, []);
  });
}

test("a streamed block takes its text direction from its first letter and keeps it when the stream ends", async () => {
  const directions = await page.evaluate(() => {
    const view = window.renderer.open();
    const direction = () => document.querySelector<HTMLElement>("main p")?.dir;
    return ["12 ", "שלום", " and more", undefined].map((delta) => {
      if (delta === undefined) view.end();
      else view.append(delta);
      return direction();
    });
  });
  assert.deepEqual(directions, ["auto", "rtl", "rtl", "rtl"]);
});

test("inline code gets dir=ltr once any of the text reads right to left, even if that text comes last", async () => {
  const found = await page.evaluate(async () => {
    const main = document.querySelector("main") ?? document.body;
    const look = () => [...main.querySelectorAll("code")].map(({ dir }) => dir);
    const text = "- `a()`\n- b `c` d\n\n| `e` |\n|---|\n| f |\n\n";
    await window.render(text);
    const plain = look();
    await window.render(`${text}שלום \`g()\``);
    const turned = {
      look: look(),
      html: main.innerHTML,
      directions: [...main.querySelectorAll<HTMLElement>("ul, p[dir]")].map(
        (block) => getComputedStyle(block).direction,
      ),
    };
    await window.stream(`${text}שלום \`g()\``, 3);
    return {
      plain,
      turned: turned.look,
      directions: turned.directions,
      isSame: main.innerHTML === turned.html,
    };
  });
  assert.deepEqual(found, {
    plain: ["", "", ""],
    turned: ["ltr", "ltr", "ltr", "ltr"],
    directions: ["ltr", "rtl"],
    isSame: true,
  });
});

test("a streamed code block gets the same colours as one rendered whole", async () => {
  const source = readFileSync(join(process.cwd(), "src/page/markdown/parse/inline-cuts.ts"), "utf8");
  const found = await page.evaluate(async (markdown) => {
    const main = document.querySelector("main") ?? document.body;
    await window.render(markdown);
    const [whole, words] = [main.innerHTML, main.querySelectorAll("code .md-keyword").length];
    const differences: number[] = [];
    for (const step of [7, 64, 1_000]) {
      await window.stream(markdown, step);
      if (main.innerHTML !== whole) differences.push(step);
    }
    return { words, differences };
  }, `Here:\n\n\`\`\`ts\n${source}\`\`\`\n\nThat is all.`);
  assert.deepEqual(found.differences, []);
  assert.ok(found.words > 100);
});

test("a table of more than 2,500 rows is cut off and shows a single notice", async () => {
  const shown = await page.evaluate(async () => {
    const table = (rows: number) => `| a | b |\n|---|---|\n${"| c | d |\n".repeat(rows)}`;
    const look = () => [
      document.querySelectorAll("tbody tr").length,
      document.querySelectorAll(".md-more").length,
    ];
    await window.render(table(2_500));
    const whole = look();
    await window.render(table(2_501));
    const large = look();
    await window.stream(table(2_600), 999);
    return [whole, large, look()];
  });
  assert.deepEqual(shown, [
    [2_500, 0],
    [2_500, 1],
    [2_500, 1],
  ]);
});

test("the page throws no error during these tests", () => assert.deepEqual(errors, []));
