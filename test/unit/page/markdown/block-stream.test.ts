import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import fc from "fast-check";
import { type BlockStream, createBlockStream } from "../../../../src/page/markdown/parse/block-stream.ts";
import { createParser } from "../../../../src/page/markdown/parse/parser.ts";
import type { Block } from "../../../../src/page/markdown/parse/read-blocks.ts";

const parser = createParser({ math: true });
const runs = process.env["PATCHBAY_LONG"] === undefined ? 120 : Number(process.env["PATCHBAY_LONG"]);

/** What a page would show: every reading replaces what was not settled before it. */
class Page {
  readonly stream: BlockStream = createBlockStream(parser);
  readonly definitions = new Map<string, unknown>();
  #settled: unknown[] = [];
  #open: unknown[] = [];

  draw(): void {
    const { blocks, settled, defined } = this.stream.read();
    for (const [label, target] of defined) {
      if (!this.definitions.has(label)) this.definitions.set(label, target);
    }
    const shown = blocks.map((block, index) => merged(this.#open[index], plain(block)));
    this.#settled.push(...shown.slice(0, settled));
    this.#open = shown.slice(settled);
  }

  get blocks(): unknown[] {
    return [...this.#settled, ...this.#open];
  }
}

type Plain = { from?: number; children?: unknown[] };

/** Without what only the stream needs: places in the source. */
function plain(block: Block): Plain {
  return JSON.parse(
    JSON.stringify(block, (key, value) =>
      ["lines", "settledTight", "endsEmpty", "closed"].includes(key) ? undefined : value,
    ),
  );
}

function merged(before: unknown, block: Plain): Plain {
  if (block.from === undefined) return block;
  const kept = ((before as Plain | undefined)?.children ?? []).slice(0, block.from);
  assert.equal(kept.length, block.from, "an open block may only leave out children that were drawn");
  return { ...block, from: 0, children: [...kept, ...(block.children ?? [])] };
}

function whole(source: string): { blocks: unknown[]; definitions: unknown } {
  const page = new Page();
  page.stream.append(source);
  page.stream.end();
  page.draw();
  return { blocks: page.blocks, definitions: Object.fromEntries(page.definitions) };
}

function streamed(deltas: readonly string[]): { blocks: unknown[]; definitions: unknown } {
  const page = new Page();
  for (const delta of deltas) {
    page.stream.append(delta);
    page.draw();
  }
  page.stream.end();
  page.draw();
  return { blocks: page.blocks, definitions: Object.fromEntries(page.definitions) };
}

const cut = (source: string, size: number): string[] =>
  Array.from({ length: Math.ceil(source.length / size) }, (_, index) =>
    source.slice(index * size, (index + 1) * size),
  );

const { tests: examples } = createRequire(import.meta.url)("commonmark-spec") as {
  tests: { markdown: string; number: number }[];
};

test("a block stream parses every CommonMark example the same in any equal split", () => {
  for (const { markdown, number } of examples) {
    const source = markdown.replaceAll("→", "\t");
    const expected = whole(source);
    for (const size of [1, 2, 3, 4, 5, 6, 7, 64]) {
      assert.deepEqual(streamed(cut(source, size)), expected, `example ${number} by ${size}`);
    }
  }
});

test("a block stream parses any two neighbouring CommonMark examples the same when streamed", () => {
  for (const [index, { markdown, number }] of examples.entries()) {
    const source = `${markdown}${examples[index + 1]?.markdown ?? ""}`.replaceAll("→", "\t");
    assert.deepEqual(streamed(cut(source, 1)), whole(source), `example ${number} and the next`);
  }
});

const pieces = fc.constantFrom(
  ...[
    "- ",
    "* ",
    "+ ",
    "1. ",
    "2) ",
    "12. ",
    "> ",
    ">",
    "# ",
    "## ",
    "```",
    "```js",
    "~~~",
    "---",
    "***",
    "===",
    "=",
  ],
  ...[
    "| a | b |",
    "|---|:-:|",
    "a | b",
    "--|--",
    "|",
    "[a]",
    "[a]: /u",
    "[a]:",
    "'t",
    "t'",
    '"title"',
    "(",
    ")",
  ],
  ...[
    "    ",
    "  ",
    " ",
    "\t",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    "word",
    "x",
    "`",
    "**",
    "\\",
    "$$",
    "\\[",
    "\\]",
    "[ ] ",
  ],
  ...[
    "[x",
    "]: /v",
    "1",
    "2",
    "-",
    "&amp;",
    "\0",
    "é",
    "😀",
    "<b>",
    "\n  ",
    "\n   - ",
    "\n> ",
    "\n- ",
    "\n  - ",
  ],
);
const sources = fc.array(pieces, { maxLength: 24 }).map((parts) => parts.join(""));

test("a block stream parses any source the same wherever it is cut", () => {
  fc.assert(
    fc.property(
      sources,
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 40 }),
      (source, sizes) => {
        const deltas: string[] = [];
        for (let at = 0, turn = 0; at < source.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          deltas.push(source.slice(at, at + size));
          at += size;
        }
        assert.deepEqual(streamed(deltas), whole(source));
      },
    ),
    { numRuns: runs },
  );
});
